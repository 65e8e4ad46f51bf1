"""Who may do what in a space, from the facts in its commits (Membership.md)."""
import hashlib
from dataclasses import dataclass, field

import sealed
from wire import ADMIN, READ, VAULT, WRITE, Commit

FACTS_PER_LOG, REDATINGS_PER_LOG, SIBLINGS, PLACES = 1024, 128, 1 << 16, 32
DEVICE, PERSON = 1, 2
SAME_PERSON, ALL = 2, 3


@dataclass
class Standing:
    """A valid grant. `against` holds what is left beyond each cut that counts against it, `pinned` the
    commits at forks of its device's logs and beyond that count all the same."""
    device: bytes
    person: bytes
    order: tuple                  # rank, sibling index
    parent: tuple | None
    flags: int
    precedence: int
    against: list = field(default_factory=list)
    pinned: set = field(default_factory=set)

    def allowed(self, log, sequence):
        left = self.flags
        for remaining, cut in self.against:
            if sequence > cut.get(log, 0):
                left &= remaining
        return left

    @property
    def current(self):
        left = self.flags
        for remaining, _ in self.against:
            left &= remaining
        return left


def positions(cut):
    """A cut without the heads that it names."""
    return {log: sequence for log, (sequence, _) in cut.items()}


def raised(cut, other):
    return {log: max(cut.get(log, 0), other.get(log, 0)) for log in {**cut, **other}}


class Keys:
    """Which recovery keys people have: each exchange is judged without what the old key said."""

    def __init__(self, commits, forks):
        self.won = {}                 # by person, the exchanges that count
        found = [(fact, (commit.id, index), commit) for commit in commits
                 for index, fact in enumerate(commit.facts) if fact[0] == "exchange"]
        people = {fact[1] for fact, _, _ in found}
        founder = {commit.facts[0][1][1] for commit in commits if commit.is_genesis}
        for stage, left_out in ((people & founder, people), (people - founder, people - founder)):
            while stage and self.round(stage, left_out, found, commits, forks):
                pass

    def counts(self, signed):
        person, key, statement = signed
        won = self.won.get(person)
        if not won:
            return key is None
        return key == won[-1][3] or any(statement in exchange[4] for exchange in won)

    def follows(self, exchange):
        _, person, old, new, _, _ = exchange
        won = self.won.get(person, [])
        is_present = (old == won[-1][3] if won
                      else hashlib.sha256(old).digest() == person)
        return is_present and new not in [one[2] for one in won] + [old]

    def round(self, stage, left_out, found, commits, forks):
        """Whether anybody has another key afterwards."""
        candidates = [one for one in found if one[0][1] in stage and self.follows(one[0])]
        if not candidates:
            return False

        def is_judged(signed):
            won = self.won.get(signed[0])
            is_of_present = signed[1] == (won[-1][3] if won else None)
            return self.counts(signed) and not (is_of_present and signed[0] in left_out)

        membership = Membership(commits, forks, is_judged)
        chosen = {person: self.first(person, candidates, membership) for person in stage}
        for person, exchange in chosen.items():
            if exchange is not None:
                self.won.setdefault(person, []).append(exchange)
        return any(exchange is not None for exchange in chosen.values())

    @staticmethod
    def first(person, candidates, membership):
        """What those of the most senior order say who agree; of one log the first."""
        orders = {}
        for exchange, (_, index), commit in candidates:
            standing = membership.standings.get(
                (commit.header.grant.commit, commit.header.grant.index))
            if (exchange[1] != person or standing is None or standing.person != person
                    or not membership.allowed_in(commit, standing)):
                continue
            said = orders.setdefault(standing.order, {})
            place = commit.header.sequence, index
            if commit.log not in said or place < said[commit.log][0]:
                said[commit.log] = place, exchange
        for order in sorted(orders):
            said = {exchange for _, exchange in orders[order].values()}
            if len(said) == 1:
                return said.pop()
        return None


class Membership:
    def __init__(self, commits, forks, counts=None):
        """`commits` are all that are stored, branches too; `forks` has by log the sequence. `counts`
        says which statements of persons' keys are looked at."""
        commits = list(commits)
        counts = counts or Keys(commits, forks).counts
        self.forks = forks
        self.facts = {}
        self.founder = None
        self.commits = {commit.id: commit for commit in commits}
        for commit in commits:
            grant = (commit.header.grant.commit, commit.header.grant.index)
            for index, fact in enumerate(commit.facts):
                if index in commit.signed and not counts(commit.signed[index]):
                    continue
                self.facts[commit.id, index] = fact, commit, None if commit.is_genesis else grant
            if commit.is_genesis:
                self.founder = commit.id, 0
        self.standings = {}
        self.places = {}              # by person and whether by key, devices that may do something
        self.revocations = []         # of those judged: fact, standing, what was allowed
        self.judge()
        self.redatings = self.counting_redatings()
        self.epochs = self.made_epochs()

    def grant_of(self, reference):
        fact = self.facts.get(reference, (("void",),))[0]
        return fact if fact[0] == "grant" else None

    # ------------------------------------------------------------ standings

    def orders(self):
        """Rank and sibling index of every grant that descends from the founder's, valid or not."""
        children = {}
        for reference, (fact, _, _) in self.facts.items():
            if fact[0] == "grant" and fact[2] is not None:
                children.setdefault(fact[2], []).append(reference)
        orders, rest = {self.founder: (1, 0)}, [self.founder]
        while rest:
            parent = rest.pop()
            rank, index = orders[parent]
            _, (_, person), _, flags, _, _, _ = self.grant_of(parent)
            for child in children.get(parent, []):
                _, (_, whose), _, given, sibling, _, statement = self.grant_of(child)
                is_sibling = sibling > 0 and whose == person and given == flags
                if is_sibling or statement is not None:
                    orders[child] = rank, max(min(sibling, SIBLINGS), index + 1)
                else:
                    orders[child] = rank + 1, 0
                rest.append(child)
        return orders

    def judge(self):
        written = {}
        for fact, commit, grant in self.facts.values():
            if fact[0] != "revocation":
                continue
            if fact[6] is not None:
                self.revocations.append((fact, None, 0, None))
            elif grant is not None:
                written.setdefault(grant, []).append((fact, commit))
        for reference, order in sorted(self.orders().items(), key=lambda one: (one[1], one[0])):
            standing = self.standing(reference, order)
            if standing is None:
                continue
            by_key = self.facts[reference][0][6] is not None
            taken = self.places.setdefault((standing.person, by_key), set())
            if standing.device not in taken and len(taken) >= PLACES:
                continue
            counted = [
                (self.authority(fact, author, standing), self.is_own(fact, author, standing), fact)
                for fact, author, allowed, commit in self.revocations
                if self.may(fact, author, allowed, standing) and self.reaches(
                    fact, author, commit, reference, standing)]
            kept = self.kept_by_others(counted)
            standing.against = [
                (fact[2], raised(positions(fact[3]), kept) if is_own else positions(fact[3]))
                for _, is_own, fact in counted]
            standing.pinned = self.pinned_commits(counted, standing)
            own = written.get(reference, [])
            standing.against += [
                (fact[2], raised(positions(fact[3]), kept)) for fact, commit in own
                if fact[1] == reference and self.allowed_in(commit, standing)]
            self.standings[reference] = standing
            if standing.current:
                taken.add(standing.device)
            for fact, commit in own:
                allowed = self.allowed_in(commit, standing)
                if allowed:
                    self.revocations.append((fact, standing, allowed, commit))

    # ------------------------------------------------------------ forks

    def authority(self, fact, author, standing):
        """Whose word goes before others: the founder's key, other people, the own key, own devices."""
        if author is None:
            return (0 if fact[6] == self.grant_of(self.founder)[1][1] else 2,)
        return (3 if author.person == standing.person else 1, *author.order)

    @staticmethod
    def is_own(fact, author, standing):
        return (fact[6] if author is None else author.person) == standing.person

    @staticmethod
    def kept_by_others(counted):
        """By log, up to where the first of others left what the grant allows."""
        first = min((authority for authority, is_own, _ in counted if not is_own), default=None)
        cuts = [positions(fact[3]) for authority, is_own, fact in counted
                if not is_own and authority == first]
        return {log: min(cut.get(log, 0) for cut in cuts) for log in cuts[0]} if cuts else {}

    def pinned_commits(self, counted, standing):
        found = set()
        for log, fork in self.forks.items():
            heads = [(authority, fact[3][log]) for authority, _, fact in counted
                     if log[0] == standing.device and fact[3].get(log, (0,))[0] >= fork]
            sequence, head = min(heads)[1] if heads else (0, None)
            commit = self.commits.get(head)
            if commit is not None and commit.header.sequence != sequence:
                continue
            while (commit is not None and commit.log == log
                    and commit.header.sequence >= fork):
                found.add(commit.id)
                commit = self.commits.get(commit.header.previous)
        return found

    def counts_there(self, commit, standing):
        """Whether a position is before any fork of its log, or is pinned for a grant."""
        return (not self.is_cut(commit.log, commit.header.sequence)
                or standing is not None and commit.id in standing.pinned)

    # ------------------------------------------------------------ what is valid

    def standing(self, reference, order):
        """A grant before anything counts against it; nothing when it is not valid."""
        (_, (device, person), parent, flags, _, precedence, statement), commit, under = (
            self.facts[reference])
        standing = Standing(device, person, order, parent, flags, precedence)
        if parent is None:
            return standing
        senior = self.standings.get(parent)
        if senior is None:
            return None
        if statement is not None:
            holds = (senior.person == statement == person and flags & ~senior.flags == 0
                     and precedence <= senior.precedence)
            return standing if holds else None
        allowed = self.allowed_in(commit, senior) if under == parent else 0
        givable = allowed | VAULT if allowed & ADMIN else allowed
        holds = (allowed and flags & ~givable == 0 and precedence <= senior.precedence
                 and (allowed & ADMIN or senior.person == person))
        return standing if holds else None

    def may(self, fact, author, allowed, standing):
        """Whether a revocation is by somebody with a right over this grant's holder."""
        if author is None:
            return fact[6] in (standing.person, self.grant_of(self.founder)[1][1])
        return (author.person == standing.person and author.order < standing.order
                or allowed & ADMIN and author.order[0] < standing.order[0])

    def reaches(self, fact, author, commit, reference, standing):
        _, named, _, _, _, cascade, _ = fact
        if self.means(fact, author, commit, reference, standing):
            return True
        grant = self.grant_of(named)
        if grant is None or not (
                cascade == ALL or cascade == SAME_PERSON and grant[1][1] == standing.person):
            return False
        ancestor = standing.parent
        while ancestor is not None and self.standings[ancestor].order[0] > 1:
            senior = self.standings[ancestor]
            if self.means(fact, author, commit, ancestor, senior):
                return True
            ancestor = senior.parent
        return False

    def means(self, fact, author, commit, reference, standing):
        """Whether a revocation is about a grant by its name or its person."""
        _, named, _, _, scope, _, _ = fact
        if self.is_same(named, reference):
            return True
        grant = self.grant_of(named)
        return (scope == PERSON and grant is not None and grant[1][1] == standing.person
                and not self.is_let_in_again(fact, author, commit, reference, standing))

    def is_let_in_again(self, fact, author, commit, reference, standing):
        """Whether who let the person in knew of the revocation, and may do so all the same."""
        while standing.parent is not None and (
                self.standings[standing.parent].person == standing.person):
            reference, standing = standing.parent, self.standings[standing.parent]
        entry, given, _ = self.facts[reference]
        if standing.parent is None or entry[6] is not None:
            return False
        above = self.standings[standing.parent].order
        rank = above[0]
        if author is not None:
            return (author.person == standing.person or rank <= author.order[0]) and (
                self.had_seen(given, commit))
        if fact[6] != standing.person and rank > 1:
            return False
        return any(self.had_seen(given, carrier) and self.is_seen(carrier, under, above)
                   for other, carrier, under in self.facts.values() if other == fact)

    def is_seen(self, carrier, under, above):
        """Whether a carrier is of no branch, or of one pinned for a grant that is not junior to one above."""
        standing = self.standings.get(under)
        return not self.is_cut(carrier.log, carrier.header.sequence) or (
            standing is not None and standing.order <= above and carrier.id in standing.pinned)

    @staticmethod
    def had_seen(later, commit):
        known = (later.header.sequence if later.log == commit.log
                 else later.seen.get(commit.log, 0))
        return known >= commit.header.sequence

    def is_same(self, one, other):
        """Whether these are one grant, or one statement of a person key that was carried twice."""
        if one == other:
            return True
        left, right = self.grant_of(one), self.grant_of(other)
        return left is not None and left[6] is not None and left == right

    def is_cut(self, log, sequence):
        return log in self.forks and sequence >= self.forks[log]

    def allowed_in(self, commit: Commit, standing):
        """What a commit may do under a grant."""
        if standing.device != commit.header.author or not self.counts_there(commit, standing):
            return 0
        return standing.allowed(commit.log, commit.group_end)

    # ------------------------------------------------------------ what follows

    def author_of(self, commit):
        """The person of the grant that a commit names."""
        grant = self.grant_of((commit.header.grant.commit, commit.header.grant.index))
        return grant and grant[1][1]

    def allows(self, commit, required, precedence):
        """Whether a commit counts that needs these flags and writes with this precedence."""
        if commit.is_genesis:
            return True
        standing = self.standings.get((commit.header.grant.commit, commit.header.grant.index))
        if standing is None or self.is_cut(commit.log, commit.group_end):
            return False
        allowed = self.allowed_in(commit, standing)
        return bool(allowed) and required & ~allowed == 0 and precedence <= standing.precedence

    def members(self):
        """Grants that stand, the most senior first."""
        return [standing for reference, standing in sorted(
            self.standings.items(), key=lambda one: (one[1].order, one[0])) if standing.current]

    def rights(self):
        """By device the flags that it has now."""
        flags = {}
        for standing in self.standings.values():
            flags[standing.device] = flags.get(standing.device, 0) | standing.current
        return flags

    # ------------------------------------------------------------ epochs

    def made_epochs(self):
        """By the commit that made it, each epoch that counts: its recipient, and that commit."""
        first, found, count = {}, {}, -1
        for reference in sorted(reference for reference, (fact, _, _) in self.facts.items()
                                if fact[0] == "epoch" and not fact[1].added_to):
            first.setdefault(reference[0], reference)
        while len(found) > count:      # until no more follows from those that count
            count = len(found)
            for reference in first.values():
                fact, commit, grant = self.facts[reference]
                standing = self.standings.get(grant)
                if (standing is not None and standing.device == commit.header.author
                        and self.counts_there(commit, standing)
                        and self.may_make(standing, commit, found)):
                    found[commit.id] = fact[1].recipient, commit
        return found

    def may_make(self, standing, commit, found):
        """The first takes an admin; whoever writes may follow one that counts."""
        def given(flags):
            return standing.flags & flags == flags
        return given(ADMIN | READ) or given(WRITE | READ) and any(
            self.had_seen(commit, made) for _, made in found.values())

    def past(self, commit):
        """How many commits one had seen; of a forked log those before the fork, or pinned ones."""
        return commit.header.sequence + sum(
            min(seen, self.end(log, seen)) for log, seen in commit.seen.items()
            if log != commit.log)

    def end(self, log, seen):
        """Up to where anything of a log may count."""
        pinned = [0] + [self.commits[one].header.sequence for standing in self.standings.values()
                        for one in standing.pinned if self.commits[one].log == log]
        return max(self.forks[log] - 1, *pinned) if log in self.forks else seen

    def has_seen_epoch(self, commit):
        return any(
            made.header.sequence < commit.header.sequence if made.log == commit.log
            else commit.seen.get(made.log, 0) >= made.header.sequence
            for _, made in self.epochs.values())

    def is_sealed_rightly(self, commit):
        """Whether what had seen an epoch is sealed, and what is sealed is not broken."""
        if commit.contents == "plain":
            return commit.is_genesis or not self.has_seen_epoch(commit)
        return commit.contents != "broken"

    def recipients(self):
        """By the commit that made it, the recipient of every epoch, whether or not it counts."""
        found = {}
        for reference in sorted(key for key, (fact, _, _) in self.facts.items()
                                if fact[0] == "epoch" and not fact[1].added_to):
            found.setdefault(reference[0], self.facts[reference][0][1].recipient)
        return found

    def secrets(self, device, identity):
        """By recipient, the secrets of epochs that were given to a device."""
        found = {}
        for fact, _, _ in self.facts.values():
            if fact[0] != "epoch":
                continue
            file = next((key.age_file for key in fact[1].keys if key.device == device), None)
            for secret in sealed.unwrap(file, identity) if file is not None else []:
                found[sealed.recipient(secret)] = secret
        return found

    # ------------------------------------------------------------ clocks

    def counting_redatings(self):
        """Those that count, with what they reach; the ones that go before others first."""
        counts, found = {}, []
        ordered = sorted(
            (commit.header.sequence, reference) for reference, (fact, commit, _)
            in self.facts.items() if fact[0] == "redating")
        for _, reference in ordered:
            fact, commit, grant = self.facts[reference]
            counts[commit.log] = counts.get(commit.log, 0) + 1
            if counts[commit.log] > REDATINGS_PER_LOG or not self.may_redate(
                    fact[1].device, commit, grant):
                continue
            reach = {log: seen for log, seen in commit.seen.items() if log[0] == fact[1].device}
            if commit.header.author == fact[1].device:
                reach[commit.log] = commit.header.sequence - 1
            found.append((self.past(commit), reference, fact[1], reach))
        return sorted(found, key=lambda one: one[:2], reverse=True)

    def may_redate(self, device, commit, grant):
        standing = self.standings.get(grant)
        if standing is None or self.is_cut(commit.log, commit.header.sequence):
            return False
        allowed = self.allowed_in(commit, standing)
        return allowed and (
            commit.header.author == device or allowed & ADMIN
            or any(one.device == device and one.person == standing.person
                   for one in self.standings.values()))

    def clock(self, commit):
        raw = commit.header.clock
        for _, _, redating, reach in self.redatings:
            if redating.device == commit.header.author and (
                    getattr(redating, "from") <= raw >> 16 <= redating.to
                    and commit.header.sequence <= reach.get(commit.log, 0)):
                moved = min(max((raw >> 16) + redating.offset, 0), (1 << 48) - 1)
                return moved << 16 | raw & 0xFFFF
        return raw
