"""Registers, and what is shown of writes that were made at the same time (Merging.md)."""
import math

import texts
from wire import NULL, TRUE, content

OF_ONE_COMMIT, HISTORY, FOLDS, LOOKS, TEXT_BYTES = 16, 2_000, 64, 64, 256 << 10


def age(write):
    """The order of lastWrite."""
    return write.precedence, write.clock, write.log[0], write.id


def has_seen(commit_log, sequence, seen, other):
    """Whether a commit had seen, or is, the one of another write."""
    known = sequence if other.log == commit_log else seen.get(other.log, 0)
    return other.sequence <= known


class Register:
    """The writes that none supersedes, in the order of their ids."""

    def __init__(self):
        self.writes = []

    def apply(self, write, seen):
        self.writes = [
            other for other in self.writes
            if other.precedence > write.precedence
            or not has_seen(write.log, write.sequence, seen, other)
            or write.replaces is not None and other.id not in write.replaces]
        own = [other for other in self.writes if other.id[0] == write.id[0]]
        if len(own) >= OF_ONE_COMMIT:
            self.writes.remove(own[0])
        self.writes = sorted(self.writes + [write], key=lambda one: one.id)

    @property
    def ranking(self):
        highest = max(write.precedence for write in self.writes)
        return [write for write in self.writes if write.precedence == highest]

    @property
    def latest(self):
        return max(self.writes, key=age)

    @property
    def disagrees(self):
        return len({write.value for write in self.writes}) > 1

    @property
    def outranked(self):
        """The latest write that another outranks and that says something else."""
        ruling = {write.value for write in self.ranking}
        top = self.latest
        others = [write for write in self.writes
                  if write.precedence < top.precedence and write.value not in ruling]
        return (max(others, key=age), top) if others else None


def shown(strategy, register, merged):
    """The shown value, and whether somebody should decide."""
    writes = register.ranking
    latest = max(writes, key=age)
    if all(write.value == latest.value for write in writes):
        return latest.value, False
    if strategy == "mergeText" and merged is not None:
        return merged
    if strategy == "longest":
        latest = max(writes, key=lambda write: (scalars(write.value), age(write)))
    elif strategy == "mostAccurate":
        latest = max(writes, key=lambda write: (-radius(write.value), age(write)))
    return latest.value, True


def scalars(value):
    return len(content(value)) if value[0] == "text" else 0


def radius(value):
    if value[0] != "position":
        return math.inf
    found = content(value)[2]
    good = found is not None and found >= 0 and math.isfinite(found)
    return found if good else 1.7976931348623157e308


# ---------------------------------------------------------------- mergeText

class History:
    """Every effective write to one text, with what its commit had seen."""

    def __init__(self):
        self.writes = []              # in causal order
        self.seen = {}                # by write id

    def add(self, write, seen):
        self.writes.append(write)
        self.seen[write.id] = seen

    def known(self, write):
        """What a write's author had before it: the writes it replaces and what those knew, or all
        that its commit had seen."""
        known, rest = set(), [write]
        places = {one.id: place for place, one in enumerate(self.writes)}
        while rest:
            one = rest.pop()
            before = [
                other for other in self.writes[:places[one.id]]
                if has_seen(one.log, one.sequence, self.seen[one.id], other)]
            if one.replaces is None:
                known |= {other.id for other in before}
                continue
            for other in before:
                if other.id in one.replaces and other.id not in known:
                    known.add(other.id)
                    rest.append(other)
        return known

    def merged(self):
        """The merged text and whether it overlaps; nothing when the last write is shown."""
        if len(self.writes) > HISTORY:
            return None
        self.folds, self.looks = FOLDS, LOOKS
        self.rounds = {}
        found = self.of(self.writes)
        return found[:2] if found is not None and found[2] else None

    def of(self, part):
        """What is shown of some of the writes: value, whether it overlaps, whether it is merged."""
        ids = tuple(write.id for write in part)
        if ids not in self.rounds:
            self.rounds[ids] = self.round(part)
        return self.rounds[ids]

    def round(self, part):
        if not part:
            return None
        register = Register()
        for write in part:
            register.apply(write, self.seen[write.id])
        writes = register.ranking
        last = max(writes, key=age).value
        unmerged = last, True, False
        if len(writes) > self.folds:
            return unmerged
        found = [text_of(write.value) for write in writes]
        if None in found:
            return unmerged
        if len(set(found)) == 1:
            return last, False, False
        self.folds -= len(writes)
        return self.fold(part, writes, found) or unmerged

    def fold(self, part, writes, found):
        text, greatest, overlaps = found[0], writes[0], False
        ids = {write.id for write in writes}
        known = self.known(writes[0]) | {writes[0].id}
        for write, other in zip(writes[1:], found[1:]):
            theirs = self.known(write)
            both = [one for one in part if one.id in known & theirs and one.id not in ids]
            base = self.of(both)
            base_text = text_of(base[0] if base else NULL)
            if base_text is None:
                return None
            is_later = age(write) > age(greatest)
            merged = texts.merged(
                base_text, text, other, is_later,
                lambda side: self.steps(both, (known, theirs | {write.id})[side]))
            if merged is None:
                return None
            # Both ended one conflict, and not in the same way.
            disputed = base is not None and base[1] and text != other
            text, overlaps = merged[0], overlaps or merged[1] or disputed
            greatest = write if is_later else greatest
            known |= theirs | {write.id}
        return ("text", b"\1" + text.encode()), overlaps, True

    def steps(self, origin, side):
        """The latest writes of a side beyond an origin: the texts before and after them."""
        shared = {write.id for write in origin}
        beyond = sorted((write for write in self.writes if write.id in side - shared),
                        key=age, reverse=True)[:self.looks]
        self.looks -= len(beyond)
        found = []
        for write in beyond:
            after = text_of(write.value)
            if after is None:
                continue
            known = self.known(write)
            shown = self.of([one for one in self.writes if one.id in known])
            before = text_of(shown[0] if shown else NULL)
            if before is not None:
                found.append((before, after))
        return found


def text_of(value):
    """A cleared text is an empty one; nothing for what is no text, or a very long one."""
    if value == NULL:
        return ""
    return content(value) if value[0] == "text" and len(value[1]) - 1 <= TEXT_BYTES else None


# ---------------------------------------------------------------- records

class Record:
    """Everything effective that was written to one record."""

    def __init__(self):
        self.fields = {}              # name -> Register; the empty name is the existence
        self.sets = {}                # name -> element -> Register
        self.histories = {}           # name -> History of a text
        self.merged = {}
        self.seen = {}                # by write id, what its commit had seen

    def apply(self, write, seen):
        self.seen[write.id] = seen
        if write.element is not None:
            self.sets.setdefault(write.field, {}).setdefault(
                write.element, Register()).apply(write, seen)
        else:
            self.fields.setdefault(write.field, Register()).apply(write, seen)
            self.histories.setdefault(write.field, History()).add(write, seen)

    def finish(self, strategies):
        for name, register in self.fields.items():
            ranking = register.ranking
            if strategies.get(name) == "mergeText" and len({one.value for one in ranking}) > 1:
                self.merged[name] = self.histories[name].merged()

    @property
    def is_deleted(self):
        return "" in self.fields and self.fields[""].latest.value == TRUE

    @property
    def survivors(self):
        return [write for register in self.fields.values() for write in register.writes] + [
            write for name in self.sets for register in self.sets[name].values()
            for write in register.writes]

    @property
    def hidden_edits(self):
        """Of a deleted record: edits that no deletion had seen, nor they it."""
        if not self.is_deleted:
            return []
        deletions = [write for write in self.fields[""].writes if write.value == TRUE]

        def apart(one, other):
            return not has_seen(one.log, one.sequence, self.seen[one.id], other) and not has_seen(
                other.log, other.sequence, self.seen[other.id], one)

        return [write for write in self.survivors
                if (write.field or write.element is not None)
                and all(apart(write, deletion) for deletion in deletions)]

    def elements(self, name):
        """What is in a set, in the order of canonical bytes."""
        return sorted((element for element, register in self.sets.get(name, {}).items()
                       if register.latest.value == TRUE), key=lambda one: one[1])
