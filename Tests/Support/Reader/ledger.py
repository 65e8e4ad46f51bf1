"""The log of a space: whether commits hang together, and which of them count (Membership.md)."""
import struct

from membership import FACTS_PER_LOG, Membership
from wire import ADMIN, DELETE, TRUE, WRITE, ZERO, expect, labelled_hash, value_of

FACT_BYTES, SEEN_BYTES = 16 << 10, 128
GROUP_COMMITS = 64


class Ledger:
    """One space. `commits` come in an order in which each comes after all that it has seen. `unseal`
    opens a commit with a secret; `device` and `identity` are whose secrets those are."""

    def __init__(self, space, commits, branches, proofs, unseal=None, device=None, identity=None):
        self.space = space
        self.commits = commits
        self.forks = {}
        for log, sequence in proofs:
            self.forks[log] = min(sequence, self.forks.get(log, sequence))
        self.at = {}                  # (log, sequence) -> commit id
        self.places = {}              # commit id -> (log, sequence)
        self.heads = {}               # log -> sequence
        self.branch_count = len(branches)
        self.check_branches(branches, self.check_log())
        self.membership = Membership(commits + branches, self.forks)
        secrets = self.membership.secrets(device, identity) if identity else {}
        recipients = self.membership.recipients()
        for commit in commits:
            recipient = recipients.get(commit.header.epoch)
            if commit.contents == "closed" and recipient in secrets:
                unseal(commit, secrets[recipient])
            commit.clock = self.membership.clock(commit)
            commit.effective = self.heads[commit.log] >= commit.group_end and self.membership.allows(
                commit, *required(commit, self.membership.author_of(commit))
            ) and self.membership.is_sealed_rightly(commit)
        self.pin = self.followed()

    # ------------------------------------------------------------ what may be stored

    def check_log(self):
        """Chains, what commits had seen, and the grants they name; what each log had seen at its end."""
        seen, facts, granted, groups = {}, {}, {}, {}
        for commit in self.commits:
            header, log = commit.header, commit.log
            expect(commit.space == self.space, "space of a commit")
            expect(commit.is_genesis == (not self.at), "a log begins with its genesis")
            expect(not self.is_cut(log, header.sequence), "a commit beyond a fork")
            expect(header.sequence == self.heads.get(log, 0) + 1, "sequence")
            expect(header.previous == self.at.get((log, header.sequence - 1), ZERO), "previous")
            self.check_group(commit, groups)
            facts[log] = facts.get(log, 0) + len(commit.facts)
            expect(facts[log] <= FACTS_PER_LOG, "facts of a log")
            known = seen.setdefault(log, {})
            for one in header.seen:
                other = (one.device, one.incarnation)
                expect(other != log and one.sequence > known.get(other, 0), "seen")
                if self.is_cut(other, one.sequence):
                    expect(self.heads.get(other, 0) == self.forks[other] - 1, "seen of a fork")
                else:
                    expect(self.at.get((other, one.sequence)) == one.head, "seen")
                known[other] = one.sequence
            commit.seen = dict(known)
            if not commit.is_genesis:
                grant = granted.get((header.grant.commit, header.grant.index))
                expect(self.forks if grant is None else covers(grant, commit), "grant")
                expect(grant is None or grant[6] is not None or self.has_seen(
                    commit, header.grant.commit), "a grant that was not seen")
            self.at[log, header.sequence] = commit.id
            self.places[commit.id] = log, header.sequence
            self.heads[log] = header.sequence
            for index, fact in enumerate(commit.facts):
                if fact[0] == "grant":
                    granted[commit.id, index] = fact
        return seen

    @staticmethod
    def check_group(commit, groups):
        """Whether a commit goes on with the group in which its log is; `groups` has those, by log."""
        header, log = commit.header, commit.log
        expect(header.following < GROUP_COMMITS, "following")
        if log in groups or header.following:
            clear = commit.clear
            expect(not (clear.HasField("genesis") or clear.facts or clear.HasField("schema")),
                   "what no group may have")
        if log in groups:
            expect((commit.group_end, header.grant) == groups[log] and not header.seen, "group")
        groups[log] = commit.group_end, header.grant
        if not header.following:
            del groups[log]

    def has_seen(self, commit, other):
        place = self.places[other]
        return place[0] == commit.log or commit.seen.get(place[0], 0) >= place[1]

    def check_branches(self, branches, seen):
        known, passed = {}, {}
        for commit in sorted(branches, key=lambda one: one.header.sequence):
            header, log = commit.header, commit.log
            expect(self.is_cut(log, header.sequence), "a branch without a fork")
            before = {self.at.get((log, header.sequence - 1), ZERO)}
            if header.sequence > self.forks[log]:
                before = known.get((log, header.sequence - 1), set())
            expect(header.previous in before, "previous of a branch")
            known.setdefault((log, header.sequence), set()).add(commit.id)
            commit.seen = dict(passed.get(header.previous, seen.get(log, {})))
            for one in header.seen:
                other = (one.device, one.incarnation)
                commit.seen[other] = max(commit.seen.get(other, 0), one.sequence)
            passed[commit.id] = commit.seen

    def is_cut(self, log, sequence):
        return log in self.forks and sequence >= self.forks[log]

    # ------------------------------------------------------------ what it amounts to

    def followed(self):
        """The schema that the space follows: its pin, with the document."""
        pins = []
        for commit in self.commits:
            clear = commit.clear
            if not commit.effective:
                continue
            if commit.is_genesis:
                pins.append((clear.genesis.schema.version, commit.id, clear.genesis.schema))
            elif clear.HasField("schema") and clear.schema.HasField("document") and (
                    labelled_hash("peersync schema v1", clear.schema.document)
                    == clear.schema.schema_id):
                pins.append((clear.schema.version, commit.id, clear.schema))
        return max(pins, key=lambda pin: pin[:2])[2]

    def watermark_digest(self):
        entries = [
            log[0] + log[1] + struct.pack(">Q", sequence) + self.at[log, sequence]
            for log, sequence in sorted(self.heads.items())]
        entries += [log[0] + log[1] + struct.pack(">Q", sequence) + ZERO
                    for log, sequence in sorted(self.forks.items())]
        return labelled_hash("peersync space digest v1", b"".join(entries))


def covers(grant, commit):
    """Whether a commit may ever count under a grant, whatever is revoked."""
    _, (device, person), _, flags, _, precedence, _ = grant
    needed, highest = required(commit, person)
    if device != commit.header.author or needed & ~flags or highest > precedence:
        return False
    room = len(commit.facts) * FACT_BYTES + len(commit.header.seen) * SEEN_BYTES
    return bool(flags & WRITE or commit.facts and commit.size <= room)


def required(commit, person):
    """The flags that a commit of a person needs, and the highest precedence among its writes."""
    flags = ADMIN if commit.clear.HasField("schema") else 0
    flags |= WRITE if (commit.clear.blobs or commit.header.HasField("epoch")
                       or commit.contents == "withheld") else 0
    precedence = 0
    for collection, record, writes in commit.operations:
        for write in writes:
            if write.field == "":
                deletes = value_of(write.value) == TRUE
                mine = bears_mark(record, commit.space, person)
                flags |= DELETE if deletes and not mine else WRITE
            else:
                flags |= DELETE if is_title(commit.space, collection, record) else WRITE
            precedence = max(precedence, write.precedence)
    return flags, precedence


def bears_mark(record, space, person):
    """Whether the id of a record says that this person made it."""
    start = record[:8]
    return person is not None and record[8:] == labelled_hash(
        "peersync record mark v1", space + person + start)[:8]


def is_title(space, collection, record):
    """Whether a record has the name of its space."""
    length = struct.pack(">Q", len(collection.encode()))
    return collection in ("trip", "space_profile") and record == labelled_hash(
        "peersync derived record v1", space + length + collection.encode())[:16]
