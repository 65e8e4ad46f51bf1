"""What a space shows: records, conflicts, and the digest of all (Merging.md, Schemas.md)."""
import math
import re
import struct
from decimal import Decimal, localcontext

import merging
from schemas import Schema
from wire import NULL, Write, content, labelled_hash, measured, value_of

YEARS = range(-62_135_596_800_000, 253_402_300_800_000)
HARMFUL = (*range(0x20), *range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A))
LINE = {**dict.fromkeys(HARMFUL), **dict.fromkeys((0x0A, 0x09, 0x2028, 0x2029), " ")}


def derived_id(space, collection, source):
    return labelled_hash(
        "peersync derived record v1", space + measured(collection.encode()) + source)[:16]


class Records:
    """All records of a space, as the schema that it follows reads them."""

    def __init__(self, ledger):
        self.space = ledger.space
        self.membership = ledger.membership
        self.schema = Schema(ledger.pin.document)
        self.sizes = {}
        self.states = {}              # (collection, record) -> Record
        for commit in ledger.commits:
            if commit.effective:
                for blob in commit.clear.blobs:
                    self.sizes.setdefault(blob.blob_id, blob.size)
                self.apply(commit)
        for (collection, _), state in self.states.items():
            known = self.schema.collections.get(collection)
            state.finish({one.name: one.strategy for one in known.fields.values()} if known else {})
        self.presences = self.judge()

    def apply(self, commit):
        index = 0
        for collection, record, writes in commit.operations:
            for write in writes:
                name, word = self.schema.current(collection, write.field)
                replaces = None
                if write.HasField("replaces"):
                    replaces = frozenset(
                        (one.commit, one.index) for one in write.replaces.writes)
                self.states.setdefault((name, record), merging.Record()).apply(Write(
                    (commit.id, index), commit.log, commit.header.sequence, commit.clock,
                    write.precedence, value_of(write.value), replaces, word,
                    value_of(write.element) if write.HasField("element") else None), commit.seen)
                index += 1

    # ------------------------------------------------------------ values

    def value(self, key, name):
        """The shown value of a field that holds one, with whether it is in conflict."""
        state, known = self.states[key], self.schema.collections[key[0]].fields[name]
        if known.local or known.type == "set" or name not in state.fields:
            return None, False
        value, disputed = merging.shown(
            known.strategy, state.fields[name], state.merged.get(name))
        return value, disputed and known.type != "order"

    def targets(self, key, known):
        """The records that a field refers to."""
        if known.type == "set":
            values = self.states[key].elements(known.name)
        else:
            values = [self.value(key, known.name)[0] or NULL]
        return [content(value) for value in values if value[0] == "reference"]

    def digest(self):
        data = b""
        for name, collection in self.schema.collections.items():
            records = b""
            for key in sorted(key for key in self.states if key[0] == name):
                if not self.states[key].is_deleted:
                    records += key[1] + self.record_digest(key, collection)
            if records or name not in ("record_origin", "data_set", "dismissed_change"):
                data += measured(name.encode()) + records
        return labelled_hash("peersync shown digest v1", data)

    def record_digest(self, key, collection):
        data = b""
        for name in sorted(collection.fields, key=str.encode):
            known = collection.fields[name]
            if known.type == "set" and not known.local:
                elements = self.states[key].elements(name)
                shown = b"\2" + struct.pack(">Q", len(elements)) + b"".join(
                    measured(element[1]) for element in elements)
                if not elements:
                    continue
            else:
                value = self.value(key, name)[0]
                if value is None:
                    continue
                shown = b"\1" + measured(value[1])
            data += measured(name.encode()) + measured(shown)
        return labelled_hash("peersync shown digest v1", data)

    # ------------------------------------------------------------ presence

    def judge(self):
        """Which records are there for people: of all ways that hold the one that shows most."""
        owners, users = {}, {}
        for key in self.states:
            if key[0] not in self.schema.collections:
                continue
            owners[key] = []
            for known in self.schema.collections[key[0]].fields.values():
                for target in self.targets(key, known):
                    other = (known.to, target)
                    if known.on_delete == "cascade" and other in self.states:
                        owners[key].append(other)
                    if known.on_delete == "restrict":
                        users.setdefault(other, []).append(key)
        shown = set(owners)

        def is_whole(key):
            return not self.states[key].is_deleted and all(one in shown for one in owners[key])

        while True:
            gone = {key for key in shown
                    if not is_whole(key) and not any(one in shown for one in users.get(key, ()))}
            if not gone:
                break
            shown -= gone
        found = {}
        for key in owners:
            if key in shown:
                found[key] = "shown" if is_whole(key) else "held"
            else:
                found[key] = "deleted" if self.states[key].is_deleted else "hidden"
        return found

    def is_shown(self, key):
        return self.presences.get(key) in ("shown", "held")

    # ------------------------------------------------------------ as peersync tells it

    def title(self, key):
        name = self.schema.collections[key[0]].title
        value = self.value(key, name)[0] if name else None
        return content(value).translate(LINE) if value and value[0] == "text" else ""

    def ordered(self, collection):
        """The shown records of a collection in the order that people gave them, else by name."""
        known = self.schema.collections[collection]

        def place(key):
            rank = self.value(key, known.order)[0] if known.order else None
            rank = content(rank) if rank and rank[0] == "text" else ""
            is_key = re.fullmatch("[0-9A-Za-z]{5}([0-9A-Za-z]{0,58}[1-9A-Za-z])?", rank)
            return not is_key, rank if is_key else "", self.title(key).casefold(), key[1]

        return sorted((key for key in self.states if key[0] == collection and self.is_shown(key)),
                      key=place)

    def view(self, key):
        state, collection = self.states[key], self.schema.collections[key[0]]
        registers = [*state.fields.values(), *(
            register for name, elements in state.sets.items() if name
            for register in elements.values())]
        last = max((register.latest for register in registers),
                   key=lambda write: (write.clock, write.log[0], write.id))
        return {
            "id": key[1].hex(), "collection": key[0], "name": self.title(key),
            "fields": self.fields(key), "derived": self.derived(key),
            "unknown": self.unknown(key),
            "conflicts": sorted(name or "deleted" for name, _ in self.disputes(key)),
            "overruled": self.overruled(key), "standing": self.presences[key],
            "author": self.author(last), "changed": last.clock >> 16}

    def author(self, write):
        """The person of whoever wrote."""
        return next((fact[1][1] for fact, _, _ in self.membership.facts.values()
                     if fact[0] == "grant" and fact[1][0] == write.log[0]), b"").hex()

    def fields(self, key):
        found = {}
        for known in self.schema.collections[key[0]].fields.values():
            if known.type == "set":
                elements = self.states[key].elements(known.name)
                if elements and not known.local:
                    found[known.name] = [self.told(one, known) for one in elements]
            else:
                value = self.value(key, known.name)[0]
                if value not in (None, NULL):
                    found[known.name] = self.told(value, known)
        return found

    def unknown(self, key):
        state, collection = self.states[key], self.schema.collections[key[0]]
        found = {
            name: self.told(register.latest.value) for name, register in state.fields.items()
            if name and name not in collection.fields and register.latest.value != NULL}
        found.update((name, [self.told(one) for one in state.elements(name)])
                     for name in state.sets if name and name not in collection.fields)
        return found

    def overruled(self, key):
        found, state = [], self.states[key]
        for known in self.schema.collections[key[0]].fields.values():
            if known.type == "order":
                continue
            if known.type == "set":
                registers = sorted(
                    state.sets.get(known.name, {}).items(), key=lambda one: one[0][1])
            else:
                registers = [(None, state.fields[known.name])] if known.name in state.fields else []
            for element, register in registers:
                if register.outranked:
                    write, ruler = register.outranked
                    found.append({
                        "field": known.name, "value": self.told(element or write.value, known),
                        "author": self.author(write), "by": self.author(ruler)})
        return found

    def told(self, value, known=None):
        """A value in the form of the local API."""
        kind, data = value[0], content(value) if value[0] != "unknown" else value[1]
        if kind in ("text", "integer", "boolean"):
            return data
        if kind in ("decimal", "json"):
            return {kind: data}
        if kind == "null":
            return None
        if kind == "time":
            return {"time": moment(*data)} if data[0] in YEARS else None
        if kind == "position":
            return position(*data)
        if kind == "blob":
            return {"blob": {"id": data.hex(), "bytes": self.sizes.get(data, 0)}}
        if kind == "unknown":
            return {"unknown": data[1:].hex()}
        told = {"id": data.hex()}
        if known is not None:
            other = (known.to, data)
            told["state"] = "pending" if other not in self.states else (
                "shown" if self.is_shown(other) else "deleted")
            if self.is_shown(other):
                told["name"] = self.title(other)
        return {"reference": told}

    # ------------------------------------------------------------ derived values

    def derived(self, key):
        found = {}
        for name, rule in self.schema.collections[key[0]].derived.items():
            source = self.schema.collections[rule["of"]]
            through = source.fields[rule["through"]]
            users = [other for other in self.states if other[0] == source.name
                     and self.is_shown(other) and key[1] in self.targets(other, through)]
            value = self.computed(rule, users)
            if value != NULL:
                found[name] = self.told(value, source.fields.get(rule.get("field")))
        return found

    def computed(self, rule, users):
        if rule["rule"] == "count":
            return "integer", b"\2" + struct.pack(">q", len(users))
        values = [(user, self.value(user, rule["field"])[0]) for user in users]
        values = [(user, value) for user, value in values if value not in (None, NULL)]
        if rule["rule"] in ("first", "last"):
            ordered = []
            for user, value in values:
                by = self.value(user, rule["by"])[0]
                if by is not None and magnitude(by) is not None:
                    ordered.append((magnitude(by), by[1], user[1], value))
            choose = min if rule["rule"] == "first" else max
            return choose(ordered)[3] if ordered else NULL
        if rule["rule"] == "sum":
            return total([value for _, value in values])
        found = [(magnitude(value), value[1], value) for _, value in values
                 if magnitude(value) is not None]
        choose = min if rule["rule"] == "minimum" else max
        return choose(found)[2] if found else NULL

    # ------------------------------------------------------------ conflicts

    def conflicts(self):
        """What somebody should decide: by record, with the id that it has everywhere."""
        return [self.conflict(key, name, writes)
                for key in sorted(self.states) for name, writes in self.disputes(key)]

    def disputes(self, key):
        """The fields of a record that are in conflict, with their writes; a deletion has no name."""
        state, collection = self.states[key], self.schema.collections.get(key[0])
        found, existence = [], state.fields.get("")
        if existence and existence.disagrees or state.hidden_edits:
            found.append(("", existence.writes + state.hidden_edits))
        if state.is_deleted:
            return found
        for name, register in sorted(state.fields.items()):
            known = collection.fields.get(name) if collection else None
            if name and not (known and known.type == "order"):
                strategy = known.strategy if known else "lastWrite"
                if merging.shown(strategy, register, state.merged.get(name))[1]:
                    found.append((name, register.writes))
        return found

    def conflict(self, key, name, writes):
        places = b"".join(commit + struct.pack(">Q", index)
                          for commit, index in sorted(write.id for write in writes))
        data = (self.space + measured(key[0].encode()) + key[1] + measured(name.encode()) + places)
        return {"id": labelled_hash("peersync conflict v1", data)[:16].hex(),
                "collection": key[0], "record": key[1].hex(), "field": name or None}


def moment(milliseconds, offset):
    known = offset is not None and -1080 <= offset <= 1080
    return {"milliseconds": milliseconds, **({"offsetMinutes": offset} if known else {})}


def position(latitude, longitude, radius, altitude):
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        return None
    told = {"latitude": latitude, "longitude": longitude}
    if radius is not None and math.isfinite(radius) and radius >= 0:
        told["radius"] = radius
    if altitude is not None and math.isfinite(altitude):
        told["altitude"] = altitude
    return {"position": told}


def magnitude(value):
    """By what a value is less or greater than others of its type; nothing for one without."""
    kind = value[0]
    if kind == "decimal":
        return decimal(content(value))
    if kind == "integer":
        return content(value)
    if kind == "time":
        return content(value)[0]
    return content(value).encode() if kind == "text" else None


def decimal(digits):
    """A number as a schema takes it: digits, and a point only between digits."""
    good = len(digits.encode()) <= 66 and re.fullmatch("[+-]?[0-9]+([.][0-9]+)?", digits)
    return Decimal(digits) if good else None


def total(values):
    """Exact, with as many digits behind the point as the most exact one has."""
    numbers = [(value[0], Decimal(content(value)) if value[0] == "integer"
                else decimal(content(value))) for value in values
               if value[0] in ("integer", "decimal")]
    numbers = [(kind, number) for kind, number in numbers if number is not None]
    if not numbers:
        return NULL
    with localcontext() as context:
        context.prec = 200
        exact = sum((number for _, number in numbers), Decimal(0))
    if exact == 0:
        exact = abs(exact)
    digits = f"{exact:f}"
    if all(kind == "integer" for kind, _ in numbers) and -(1 << 63) <= exact < 1 << 63:
        return "integer", b"\2" + struct.pack(">q", int(exact))
    return "decimal", b"\3" + digits.encode()
