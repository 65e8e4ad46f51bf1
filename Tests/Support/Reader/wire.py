"""Bytes of commits: hashes, signatures, cards and the limits of their fields (Protocol.md)."""
import hashlib
import importlib.util
import pathlib
import struct
import tempfile
from dataclasses import dataclass, field

from google.protobuf.message import DecodeError

import sealed

SUPPORT = pathlib.Path(__file__).resolve().parents[1]
ZERO = bytes(32)
READ, WRITE, DELETE, ADMIN, VAULT = 1, 2, 4, 8, 16
COMMIT_BYTES, HEADER_BYTES, CARD_BYTES, SCHEMA_BYTES = 1 << 20, 512 << 10, 8 << 10, 256 << 10
POSITIONS, LIST_ENTRIES, BLOB_BYTES, SEQUENCE = 16_384, 65_536, 16 << 30, 1 << 48
NAME_BYTES = 256
BLOB_KINDS = {1: "original", 2: "thumbnail", 3: "track"}


def decode_commit():
    """The reader of single messages, whose rules hold here too."""
    spec = importlib.util.spec_from_file_location("decode_commit", SUPPORT / "decode-commit.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


base = decode_commit()
Broken, expect = base.Broken, base.expect


def labelled_hash(label, message):
    return hashlib.sha256(label.encode() + b"\0" + message).digest()


def measured(data):
    """Eight bytes of length, then the bytes."""
    return struct.pack(">Q", len(data)) + data


@dataclass(frozen=True)
class Write:
    """One write with its place: what superseding and merging look at."""
    id: tuple            # commit id, index
    log: tuple           # device, incarnation
    sequence: int
    clock: int
    precedence: int
    value: tuple
    replaces: frozenset | None = None
    field: str = ""
    element: tuple | None = None


@dataclass
class Commit:
    id: bytes
    header: object
    clear: object
    operations: list                 # (collection, record, [wire Write])
    facts: list                      # judged facts by index
    size: int                        # bytes in all
    seen: dict = field(default_factory=dict)
    effective: bool = False
    clock: int = 0
    part: bytes = b""                # the operations as they were received
    contents: str = "none"           # or plain, closed, opened, broken, withheld
    signed: dict = field(default_factory=dict)   # by index of a statement: person, later key, hash

    @property
    def log(self):
        return self.header.author, self.header.incarnation

    @property
    def group_end(self):
        return self.header.sequence + self.header.following

    @property
    def is_genesis(self):
        return self.header.space_id == ZERO

    @property
    def space(self):
        return self.id if self.is_genesis else self.header.space_id


# ---------------------------------------------------------------- keys as people see them

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def check_character(numbers):
    """What stands after a group of base32 characters, by their values."""
    products = [number * (1 + place % 2) for place, number in enumerate(numbers)]
    return ALPHABET[-sum(product // 32 + product % 32 for product in products) % 32]


def recovery_key(text):
    """The secret bytes of a recovery key as it was shown."""
    expect(text.startswith("PEERSYNC-RECOVERY-1-"), "beginning of a recovery key")
    groups, bits = text.split("-")[3:], 0
    expect([len(group) for group in groups] == [7] * 10, "groups of a recovery key")
    for group in groups:
        numbers = [ALPHABET.index(character) for character in group[:6]]
        expect(check_character(numbers) == group[6], "check character of a recovery key")
        for number in numbers:
            bits = bits << 5 | number
    data = (bits >> 4).to_bytes(37, "big")
    expect(labelled_hash("peersync recovery key v1", data[:32])[:5] == data[32:], "recovery key")
    return data[:32]


# ---------------------------------------------------------------- values

def optional(bits):
    return b"\0" if bits is None else b"\1" + bits


def value_of(message):
    """A value as (kind, canonical bytes): two are equal when both are."""
    kind = message.WhichOneof("value")
    if kind is None:
        unknown = message.SerializeToString()
        expect(unknown, "a value has a kind")
        return "unknown", b"\xff" + unknown
    value = getattr(message, kind)
    if kind == "null":
        return kind, b"\0"
    if kind in ("text", "decimal", "json"):
        return kind, bytes([{"text": 1, "decimal": 3, "json": 7}[kind]]) + value.encode()
    if kind == "integer":
        return kind, b"\2" + struct.pack(">q", value)
    if kind == "boolean":
        return kind, b"\4" + bytes([value])
    if kind == "time":
        offset = value.offset_minutes if value.HasField("offset_minutes") else None
        return kind, b"\5" + struct.pack(">q", value.milliseconds) + optional(
            None if offset is None else struct.pack(">q", offset))
    if kind == "position":
        parts = [getattr(value, name) if value.HasField(name) else None
                 for name in ("radius_metres", "altitude_metres")]
        return kind, b"\6" + struct.pack(">dd", value.latitude, value.longitude) + b"".join(
            optional(None if part is None else struct.pack(">d", part)) for part in parts)
    expect(len(value) == (32 if kind == "blob" else 16), f"length of a {kind}")
    return kind, (b"\x08" if kind == "blob" else b"\x09") + value


NULL, TRUE = ("null", b"\0"), ("boolean", b"\4\1")


def content(value):
    """What stands behind the tag of a value, as Python has it."""
    kind, data = value
    data = data[1:]
    if kind in ("text", "decimal", "json"):
        return data.decode()
    if kind == "integer":
        return struct.unpack(">q", data)[0]
    if kind == "boolean":
        return data == b"\1"
    if kind == "time":
        numbers = struct.unpack(">q", data[:8]), data[9:] and struct.unpack(">q", data[9:])
        return numbers[0][0], numbers[1][0] if numbers[1] else None
    if kind == "position":
        numbers, rest = list(struct.unpack(">dd", data[:16])), data[16:]
        while rest:
            if rest[0]:
                numbers.append(struct.unpack(">d", rest[1:9])[0])
                rest = rest[9:]
            else:
                numbers.append(None)
                rest = rest[1:]
        return tuple(numbers)
    return data


# ---------------------------------------------------------------- commits

class Wire:
    """Decodes and verifies; learns the keys of devices from the cards that commits carry."""

    def __init__(self):
        with tempfile.TemporaryDirectory() as directory:
            self.reader = base.Reader(base.generated(directory))

    @property
    def checks(self):
        return self.reader.checks

    def holds(self, check, *arguments):
        try:
            check(*arguments)
            return True
        except (Broken, ValueError):
            return False

    # A card: (device, person), or nothing when its chain does not hold.
    def card(self, chain):
        expect(chain.ByteSize() <= CARD_BYTES, "size of a chain of cards")
        expect(1 <= len(chain.links) <= 16, "links of a chain of cards")
        for link in chain.links:
            card = self.reader.parse("Card", link.card)
            expect(card.version == 1, "version of a card")
            for key in (card.signing_key, card.agreement_key, card.person_key):
                expect(len(key) == 32, "keys of a card")
            expect(len(link.self_signature) == len(link.endorsement) == 64, "signatures of a card")
        keys = [self.reader.parse("Card", link.card).signing_key for link in chain.links]
        if len(set(keys)) < len(keys) or not self.holds(self.reader.check_chain, chain):
            return None
        last = self.reader.parse("Card", chain.links[-1].card)
        return hashlib.sha256(last.signing_key).digest(), hashlib.sha256(last.person_key).digest()

    def learn(self, clear):
        """Takes in the keys of the cards in a clear part: a device id is the hash of its key."""
        for chain in self.chains(self.reader.parse("ClearPart", clear)):
            for link in chain.links:
                self.reader.learn(self.reader.parse("Card", link.card).signing_key)

    def header(self, data):
        expect(len(data) <= HEADER_BYTES, "size of a header")
        header = self.reader.parse("CommitHeader", data)
        expect(header.version == 1, "version of a header")
        for name in ("space_id", "author", "previous", "schema_id", "clear_hash",
                     "operations_hash"):
            expect(len(getattr(header, name)) == 32, f"length of {name}")
        expect(len(header.incarnation) == 16, "length of incarnation")
        expect(1 <= header.sequence <= SEQUENCE, "sequence")
        expect(header.clock < 1 << 63, "clock")
        expect(not header.HasField("epoch") or len(header.epoch) == 32, "length of epoch")
        expect(header.HasField("grant") and len(header.grant.commit) == 32, "grant")
        self.positions(header.seen)
        expect((header.sequence == 1) == (header.previous == ZERO), "previous")
        is_genesis = header.space_id == ZERO
        expect(is_genesis == (header.grant.commit == ZERO and header.grant.index == 0), "grant")
        expect(not is_genesis or (header.sequence == 1 and not header.seen
                                  and not header.HasField("epoch")), "genesis")
        return header

    def positions(self, positions):
        expect(len(positions) <= POSITIONS, "number of positions")
        for one in positions:
            expect(len(one.device) == len(one.head) == 32 and len(one.incarnation) == 16
                   and 1 <= one.sequence <= SEQUENCE, "position")

    def commit(self, header, signature, clear, operations):
        """Verifies everything about one commit but what other commits say."""
        size = len(header) + len(signature) + len(clear) + len(operations)
        expect(size <= COMMIT_BYTES, "size of a commit")
        head = self.header(header)
        is_sealed = head.HasField("epoch")
        is_withheld = False
        for given, part, label in (
                (head.operations_hash, operations, "operations part"),
                (head.clear_hash, clear, "clear part")):
            if given == labelled_hash(f"peersync {label} v1", part):
                continue
            # Withheld from a vault.
            expect(not part and not operations and not is_sealed, label)
            is_withheld = True
        parts = self.reader.parse("ClearPart", clear)
        expect(parts.HasField("genesis") == (head.space_id == ZERO), "genesis part")
        expect(not (parts.HasField("genesis") and parts.facts), "facts of a genesis")
        expect(len(parts.facts) <= LIST_ENTRIES and len(parts.blobs) <= LIST_ENTRIES, "lists")
        for blob in parts.blobs:
            expect(len(blob.blob_id) == 32 and blob.size <= BLOB_BYTES, "named blob")
        for pin in (parts.schema, parts.genesis.schema):
            is_absent = not pin.ByteSize()
            expect(is_absent or len(pin.schema_id) == 32 and len(pin.document) <= SCHEMA_BYTES,
                   "schema pin")
        self.reader.signed_by_device(head.author, b"commit", header, signature, "commit")
        identifier = labelled_hash("peersync commit v1", header)
        commit = Commit(identifier, head, parts, [] if is_sealed else self.operations(operations),
                        [], size, part=operations)
        commit.contents = ("closed" if is_sealed else "withheld" if is_withheld
                           else "plain" if operations else "none")
        commit.facts = self.facts(commit)
        return commit

    def chains(self, clear):
        if clear.HasField("genesis"):
            yield clear.genesis.founder
        for fact in clear.facts:
            kind = fact.WhichOneof("fact")
            if kind == "grant":
                yield fact.grant.card
            elif kind == "person_statement":
                body = self.reader.parse("PersonStatementBody", fact.person_statement.statement)
                if body.WhichOneof("fact") == "grant":
                    yield body.grant.card

    def unseal(self, commit, secret):
        """Opens what is sealed; what is no operations then counts for nothing."""
        header = commit.header
        place = sealed.place_of(header.author, header.incarnation, header.sequence)
        try:
            data = sealed.open_sealed(commit.part, secret, header.space_id, place)
            if data is not None:
                commit.operations, commit.contents = self.operations(data), "opened"
        except (sealed.Broken, Broken, DecodeError):
            commit.contents = "broken"

    def operations(self, data):
        found, writes = [], 0
        for record in self.reader.parse("Operations", data).records:
            expect(len(record.record) == 16 and record.writes, "record operation")
            writes += len(record.writes)
            for write in record.writes:
                expect(write.HasField("value"), "value of a write")
                for named in write.replaces.writes:
                    expect(len(named.commit) == 32, "write reference")
            found.append((record.collection, record.record, list(record.writes)))
        expect(writes <= LIST_ENTRIES and len(found) <= LIST_ENTRIES, "number of writes")
        return found

    # ------------------------------------------------------------ facts

    def facts(self, commit):
        """Each fact as (kind, …); one that is unknown or whose signatures fail is ("void",)."""
        if commit.is_genesis:
            genesis = commit.clear.genesis
            expect(genesis.kind in (1, 2) and len(genesis.nonce) == 32, "genesis")
            card = self.card(genesis.founder)
            expect(card is not None and card[0] == commit.header.author, "founder")
            return [("grant", card, None, READ | WRITE | DELETE | ADMIN, 0, 2, None)]
        for index, fact in enumerate(commit.clear.facts):
            if fact.WhichOneof("fact") == "person_statement":
                statement = fact.person_statement.statement
                body = self.reader.parse("PersonStatementBody", statement)
                commit.signed[index] = (
                    hashlib.sha256(body.person_key).digest(),
                    body.key if body.HasField("key") else None,
                    labelled_hash("peersync person statement v1", statement))
        return [self.fact(commit, fact) for fact in commit.clear.facts]

    def fact(self, commit, fact):
        kind = fact.WhichOneof("fact")
        if kind == "grant":
            return self.grant(fact.grant, None)
        if kind == "revocation":
            return self.revocation(fact.revocation, None)
        if kind == "fork":
            return ("void",) if self.fork(commit.space, fact.fork) is None else ("fork",)
        if kind == "redating":
            expect(fact.redating.to >= getattr(fact.redating, "from"), "span of a redating")
            expect(len(fact.redating.device) == 32, "device of a redating")
            return "redating", fact.redating
        if kind == "person_statement":
            return self.statement(commit.space, fact.person_statement)
        if kind == "key_exchange":
            return self.exchange(fact.key_exchange)
        if kind == "epoch":
            expect(len(fact.epoch.recipient.encode()) <= NAME_BYTES, "recipient of an epoch")
            expect(all(len(key.device) == 32 for key in fact.epoch.keys), "device of a key")
            expect(all(len(epoch) == 32 for epoch in fact.epoch.added_to), "epochs of a fact")
            return "epoch", fact.epoch
        return ("void",)

    def reference(self, reference):
        expect(len(reference.commit) == 32, "fact reference")
        return reference.commit, reference.index

    def grant(self, grant, person):
        expect(grant.HasField("card") and grant.HasField("parent"), "parts of a grant")
        card = self.card(grant.card)
        parent = self.reference(grant.parent)
        if card is None:
            return ("void",)
        return "grant", card, parent, grant.flags, grant.sibling_index, grant.precedence, person

    def revocation(self, fact, person):
        expect(fact.HasField("grant"), "grant of a revocation")
        expect(fact.scope in (1, 2) and fact.cascade in (1, 2, 3), "reach of a revocation")
        self.positions(fact.cut)
        cut = {}
        for one in fact.cut:
            log = (one.device, one.incarnation)
            if one.sequence > cut.get(log, (0,))[0]:
                cut[log] = one.sequence, one.head
        return ("revocation", self.reference(fact.grant), fact.remaining_flags, cut, fact.scope,
                fact.cascade, person)

    def statement(self, space, statement):
        expect(len(statement.signature) == 64, "signature of a statement")
        body = self.reader.parse("PersonStatementBody", statement.statement)
        expect(len(body.space_id) == len(body.person_key) == 32, "statement")
        kind = body.WhichOneof("fact")
        person = hashlib.sha256(body.person_key).digest()
        if kind is None:
            return ("void",)
        known = self.grant(body.grant, person) if kind == "grant" else self.revocation(
            body.revocation, person)
        holds = body.space_id == space and self.holds(
            self.reader.signed, body.key if body.HasField("key") else body.person_key,
            b"person statement", statement.statement, statement.signature, "statement")
        return known if holds else ("void",)

    def exchange(self, exchange):
        """A person's key is another one: ("exchange", person, old key, new key, upheld statements)."""
        expect(len(exchange.old_signature) == len(exchange.new_signature) == 64, "signatures")
        body = self.reader.parse("KeyExchangeBody", exchange.exchange)
        for key in (body.person_key, body.old_key, body.new_key, *body.upholds, *body.keeps):
            expect(len(key) == 32, "parts of an exchange")
        expect(len(body.upholds) <= 256 and len(body.keeps) <= 64, "lists of an exchange")
        for key, signature in ((body.old_key, exchange.old_signature),
                               (body.new_key, exchange.new_signature)):
            if not self.holds(self.reader.signed, key, b"key exchange", exchange.exchange,
                              signature, "exchange"):
                return ("void",)
        return ("exchange", hashlib.sha256(body.person_key).digest(), body.old_key, body.new_key,
                frozenset(body.upholds), tuple(body.keeps))

    def fork(self, space, fork):
        """The log and sequence that a proof is of; nothing when it proves nothing."""
        first, second = self.header(fork.first_header), self.header(fork.second_header)
        places = {(one.space_id, one.author, one.incarnation, one.sequence)
                  for one in (first, second)}
        if len(places) > 1 or first.space_id != space or fork.first_header == fork.second_header:
            return None
        for header, signature in ((fork.first_header, fork.first_signature),
                                  (fork.second_header, fork.second_signature)):
            expect(len(signature) == 64, "signature of a fork")
            if not self.holds(self.reader.signed_by_device, first.author, b"commit", header,
                              signature, "fork"):
                return None
        return (first.author, first.incarnation), first.sequence
