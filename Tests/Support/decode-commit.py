#!/usr/bin/python3
"""Reads the golden vectors with nothing but peersync.proto and the rules in Protocol.md.

    decode-commit.py [--write] [VECTOR …]      without names: every vector of Tests/WireTests/Vectors

Decodes each vector, checks every hash, card, id and signature in it, and compares the fields with
those that the file lists; --write lists them anew. Ends with 1 when anything does not hold.
Needs protobuf-compiler, python3-protobuf and python3-cryptography.
"""
import hashlib
import importlib
import json
import pathlib
import subprocess
import sys
import tempfile

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = ROOT / "Tests" / "WireTests" / "Vectors"
ZERO = bytes(32)

# Fields of type bytes that hold a serialized message.
NESTED = {
    ("CardLink", "card"): "Card",
    ("Commit", "header"): "CommitHeader",
    ("Commit", "clear"): "ClearPart",
    ("Commit", "operations"): "Operations",
    ("Fork", "first_header"): "CommitHeader",
    ("Fork", "second_header"): "CommitHeader",
    ("KeyExchange", "exchange"): "KeyExchangeBody",
    ("LossStatement", "statement"): "LossStatementBody",
    ("PersonStatement", "statement"): "PersonStatementBody",
    ("SignedAck", "ack"): "Ack",
    ("SignedHoldings", "holdings"): "Holdings",
}


class Broken(Exception):
    pass


def expect(holds, what):
    if not holds:
        raise Broken(what)


def framing(label, message):
    return b"peersync " + label + b" v1\0" + message


def labelled_hash(label, message):
    return hashlib.sha256(framing(label, message)).digest()


class Reader:
    def __init__(self, messages):
        self.messages = messages
        self.keys = {}      # device or person id -> Ed25519 public key
        self.watermarks = {}  # digest -> space id of every Watermark among the vectors
        self.losses = set()  # ids of the statements about lost devices that were read
        self.checks = 0

    def parse(self, name, data):
        message = getattr(self.messages, name)()
        message.ParseFromString(data)
        return message

    def learn(self, key):
        self.keys[hashlib.sha256(key).digest()] = key

    # ------------------------------------------------------------ rules

    def signed(self, key, label, message, signature, what):
        expect(len(signature) == 64, f"{what}: signature of {len(signature)} bytes")
        try:
            Ed25519PublicKey.from_public_bytes(key).verify(signature, framing(label, message))
        except InvalidSignature:
            raise Broken(f"{what}: the signature does not hold") from None
        self.checks += 1

    def signed_by_device(self, device, label, message, signature, what):
        expect(device in self.keys, f"{what}: no key of device {device.hex()}")
        self.signed(self.keys[device], label, message, signature, what)

    def check_chain(self, chain):
        expect(1 <= len(chain.links) <= 16, "a chain has 1 to 16 links")
        endorser = person = None
        for link in chain.links:
            card = self.parse("Card", link.card)
            expect(card.version == 1, "card version")
            if person is None:
                person = card.person_key
                endorser = self.check_successions(chain, person)
            expect(card.person_key == person, "one chain, one person")
            self.signed(card.signing_key, b"card", link.card, link.self_signature, "card")
            self.signed(endorser, b"endorsement", link.card, link.endorsement, "link")
            self.learn(card.signing_key)
            self.learn(person)
            endorser = card.signing_key

    def check_successions(self, chain, key):
        """The key that a person has after these."""
        expect(len(chain.successions) <= 8, "a chain has at most 8 successions")
        person = hashlib.sha256(key).digest()
        for one in chain.successions:
            self.signed(key, b"key succession", person + one.key, one.signature, "succession")
            key = one.key
        return key

    def check_exchange(self, exchange):
        body = self.parse("KeyExchangeBody", exchange.exchange)
        for key, signature in ((body.old_key, exchange.old_signature),
                               (body.new_key, exchange.new_signature)):
            self.signed(key, b"key exchange", exchange.exchange, signature, "key exchange")
        return body

    def check_request(self, link):
        card = self.parse("Card", link.card)
        expect(link.endorsement == b"", "a request is not endorsed")
        self.signed(card.signing_key, b"card", link.card, link.self_signature, "request")

    def check_commit(self, commit):
        header = self.parse("CommitHeader", commit.header)
        clear = self.parse("ClearPart", commit.clear)
        self.visit(clear)
        expect(header.version == 1, "header version")
        expect(header.clear_hash == labelled_hash(b"clear part", commit.clear), "clear_hash")
        expect(
            header.operations_hash == labelled_hash(b"operations part", commit.operations),
            "operations_hash")
        self.checks += 2
        self.signed_by_device(
            header.author, b"commit", commit.header, commit.signature, "commit")
        expect((header.sequence == 1) == (header.previous == ZERO), "previous")
        genesis = header.space_id == ZERO
        expect(genesis == clear.HasField("genesis"), "only a genesis has a genesis part")
        expect(genesis == (header.grant.commit == ZERO), "only a genesis names no grant")
        if genesis:
            expect(header.sequence == 1 and not header.seen and not clear.facts, "genesis")
            founder = self.parse("Card", clear.genesis.founder.links[-1].card)
            expect(
                header.author == hashlib.sha256(founder.signing_key).digest(),
                "the founder wrote the genesis")
        if not header.HasField("epoch"):
            self.visit(self.parse("Operations", commit.operations))

    def check_fork(self, fork):
        first = self.parse("CommitHeader", fork.first_header)
        second = self.parse("CommitHeader", fork.second_header)
        for field in ("space_id", "author", "incarnation", "sequence"):
            expect(getattr(first, field) == getattr(second, field), f"fork: {field} differs")
        expect(fork.first_header != fork.second_header, "fork: one header twice")
        self.signed_by_device(
            first.author, b"commit", fork.first_header, fork.first_signature, "fork")
        self.signed_by_device(
            second.author, b"commit", fork.second_header, fork.second_signature, "fork")

    def check_statement(self, statement):
        body = self.parse("PersonStatementBody", statement.statement)
        self.signed(
            body.key if body.HasField("key") else body.person_key, b"person statement",
            statement.statement, statement.signature, "person statement")
        self.visit(body)

    def check_loss(self, loss):
        body = self.parse("LossStatementBody", loss.statement)
        for chain in loss.cards:
            self.check_chain(chain)
            card = self.parse("Card", chain.links[0].card)
            expect(card.person_key == body.person_key, "a card of another person")
        expect(len(body.nonce) == 16, "a nonce of 16 bytes")
        if body.signer:
            self.signed_by_device(
                body.signer, b"loss statement", loss.statement, loss.signature, "loss statement")
        else:
            self.signed(
                body.key if body.HasField("key") else body.person_key, b"loss statement",
                loss.statement, loss.signature, "loss statement")
        if body.HasField("exchange"):
            expect(body.signer, "a device says that a key was exchanged")
            said = self.check_exchange(body.exchange)
            expect(said.person_key == body.person_key, "an exchange of another person")
        # What is taken back is the statement before it.
        for taken in body.found.lost:
            expect(taken in self.losses, "found: no such statement")
            self.checks += 1
        self.losses.add(labelled_hash(b"loss statement", loss.statement))

    def digest(self, positions, forks):
        """The space digest: fixed-width entries in the order of device and incarnation; first the
        positions, then the forks, with a head of zeros."""
        entries = [
            [(one.device, one.incarnation, one.sequence, one.head) for one in positions],
            [(one.device, one.incarnation, one.sequence, ZERO) for one in forks]]
        return labelled_hash(b"space digest", b"".join(
            device + incarnation + sequence.to_bytes(8, "big") + head
            for part in entries for device, incarnation, sequence, head in sorted(part)))

    def check_summary(self, summary):
        space = self.watermarks.get(summary.digest)
        empty = summary.digest == self.digest([], [])
        expect(empty or space == summary.space_id, "digest of no watermark of that space")
        self.checks += 1

    def check_signed_ack(self, signed):
        ack = self.parse("Ack", signed.ack)
        self.signed_by_device(ack.device, b"ack", signed.ack, signed.signature, "ack")

    def check_signed_holdings(self, signed):
        holdings = self.parse("Holdings", signed.holdings)
        self.signed_by_device(
            holdings.device, b"holdings", signed.holdings, signed.signature, "holdings")

    def visit(self, message):
        """Applies the rules of every message inside."""
        rules = {
            "CardChain": self.check_chain,
            "Commit": self.check_commit,
            "Fork": self.check_fork,
            "KeyExchange": self.check_exchange,
            "LossStatement": self.check_loss,
            "PersonStatement": self.check_statement,
            "SpaceSummary": self.check_summary,
            "SignedAck": self.check_signed_ack,
            "SignedHoldings": self.check_signed_holdings,
        }
        rule = rules.get(message.DESCRIPTOR.name)
        if rule:
            rule(message)
            return
        for field, value in message.ListFields():
            if field.type != field.TYPE_MESSAGE:
                continue
            parts = value if field.label == field.LABEL_REPEATED else [value]
            for part in parts:
                if message.DESCRIPTOR.name == "PairingIntroduction" and field.name == "request":
                    self.check_request(part)
                else:
                    self.visit(part)

    # ------------------------------------------------------------ fields for people

    def fields(self, message, path=""):
        for field, value in message.ListFields():
            name = f"{path}.{field.name}" if path else field.name
            if field.label == field.LABEL_REPEATED:
                for index, part in enumerate(value):
                    yield from self.field(message, field, part, f"{name}[{index}]")
            else:
                yield from self.field(message, field, value, name)
        for unknown in message.UnknownFields():
            data = unknown.data
            shown = data.hex() if isinstance(data, bytes) else data
            yield f"{path}.unknown({unknown.field_number}) = {shown}"

    def field(self, message, field, value, name):
        nested = NESTED.get((message.DESCRIPTOR.name, field.name))
        if nested == "Operations" and self.parse("CommitHeader", message.header).HasField("epoch"):
            nested = None
        if field.type == field.TYPE_MESSAGE:
            yield f"{name}:"
            yield from self.fields(value, name)
        elif nested:
            yield f"{name}: ({len(value)} bytes)"
            yield from self.fields(self.parse(nested, value), name)
        elif field.type == field.TYPE_BYTES:
            yield f"{name} = {value.hex()}"
        elif field.type == field.TYPE_ENUM:
            yield f"{name} = {field.enum_type.values_by_number[value].name}"
        else:
            yield f"{name} = {json.dumps(value, ensure_ascii=False)}"


class Vector:
    def __init__(self, path):
        self.path = path
        self.message = None
        self.entries = {}
        self.fields = []
        self.head = []
        entry = None
        for line in path.read_text(encoding="utf-8").splitlines():
            if entry == "fields":
                self.fields.append(line.strip())
                continue
            if line == "fields:":
                entry = "fields"
                continue
            self.head.append(line)
            if line.startswith("message: "):
                self.message = line.split(": ")[1]
            elif line.startswith("  "):
                self.entries[entry] += bytes.fromhex(line.strip())
            elif line.endswith(":"):
                entry = line[:-1]
                self.entries[entry] = b""

    def decoded(self, reader):
        """The message of the vector, with its rules applied."""
        entries = self.entries
        if self.message == "Commit":
            commit = reader.messages.Commit(
                **{part: entries[part] for part in ("header", "signature", "clear", "operations")})
            expect(labelled_hash(b"commit", commit.header) == entries["id"], "commit id")
            reader.checks += 1
            author = reader.parse("CommitHeader", commit.header).author
            expect(hashlib.sha256(entries["signing_key"]).digest() == author, "author")
            message = commit
        else:
            message = reader.parse(self.message, entries["bytes"])
        if self.message in ("Ack", "Holdings"):
            label = self.message.lower().encode()
            expect(
                hashlib.sha256(entries["signing_key"]).digest() == message.device, "device")
            reader.signed(
                entries["signing_key"], label, entries["bytes"], entries["signature"],
                self.message)
        reader.visit(message)
        return message

    def write(self, fields):
        lines = self.head + ["fields:"] + [f"  {field}" for field in fields]
        self.path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def generated(directory):
    subprocess.run(
        ["protoc", f"--proto_path={ROOT / 'Sources' / 'Wire'}", f"--python_out={directory}",
         "peersync.proto"], check=True)
    sys.path.insert(0, directory)
    return importlib.import_module("peersync_pb2")


def main(arguments):
    writes = "--write" in arguments
    names = [argument for argument in arguments if argument != "--write"]
    paths = [pathlib.Path(name) for name in names] or sorted(VECTORS.glob("*.txt"))
    with tempfile.TemporaryDirectory() as directory:
        reader = Reader(generated(directory))
    vectors = [Vector(path) for path in paths]
    for vector in vectors:
        if "signing_key" in vector.entries:
            reader.learn(vector.entries["signing_key"])
        if vector.message == "Message":
            watermark = reader.parse("Message", vector.entries["bytes"]).watermark
            digest = reader.digest(watermark.positions, watermark.forks)
            reader.watermarks[digest] = watermark.space_id
    failures = 0
    for vector in vectors:
        before = reader.checks
        try:
            fields = list(reader.fields(vector.decoded(reader)))
            if writes:
                vector.write(fields)
            expect(writes or fields == vector.fields, "the listed fields are not those decoded")
            print(f"ok      {vector.path.name}: {len(fields)} fields, "
                  f"{reader.checks - before} hashes and signatures")
        except Broken as reason:
            failures += 1
            print(f"BROKEN  {vector.path.name}: {reason}")
    expect(vectors, "no vectors")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
