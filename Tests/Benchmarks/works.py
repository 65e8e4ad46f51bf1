"""Small works that never change, and what each of them costs."""

import dataclasses
import importlib.machinery
import importlib.util
import os
import random

from counted import CountedHosts
from hosts import FOLDER, ROOT, until
from records import Groceries



@dataclasses.dataclass
class Sizes:
    files: int
    photos: int
    edits: int
    listed: int
    records: int


# Under callgrind everything takes fifty times as long: small ones are just enough for the work to outweigh what
# surrounds it; large ones are for a soak.
SIZES = {
    "small": Sizes(files=100, photos=100, edits=100, listed=1_000, records=1_000),
    "large": Sizes(files=200, photos=200, edits=1_000, listed=10_000, records=5_000),
}[os.environ["COSTS_SIZE"]]
FILE_BYTES = 1_000
PHOTO_SIZE = (320, 240)
PICTURES = 10
PER_MEMORY = 50
EDITED = 10
RECORDS_ONE_BY_ONE = 200


def small_files(folder, mark):
    chance = random.Random(f"files {mark}")
    for number in range(SIZES.files):
        path = folder / f"file-{number:03d}.bin"
        path.write_bytes(chance.randbytes(FILE_BYTES))
        yield path


def photos(folder, mark):
    """As examples/make-samples draws them, small."""
    loader = importlib.machinery.SourceFileLoader(
        "samples", str(ROOT / "examples" / "make-samples"))
    samples = importlib.util.module_from_spec(importlib.util.spec_from_loader("samples", loader))
    loader.exec_module(samples)
    chance = random.Random(f"photos {mark}")
    points, _ = samples.walk(chance)
    pictures = [samples.landscape(PHOTO_SIZE, {"houses"}, chance) for _ in range(PICTURES)]
    for number in range(SIZES.photos):
        path = folder / f"photo-{number:03d}.jpg"
        picture = samples.grain(pictures[number % PICTURES], 0.06, chance)
        picture.save(path, "JPEG", quality=86, exif=samples.exif(points[number], 1))
        yield path


class Stage:
    """The trips and spaces that one round of the works needs. Anna has made them and Ben may take them;
    `mark` tells them and their files from those of another round."""

    def __init__(self, hosts, mark):
        self.hosts, self.mark = hosts, mark
        folder = FOLDER / "homes" / f"source-{mark}"
        folder.mkdir()
        self.paths = {
            "files": list(small_files(folder, mark)), "photos": list(photos(folder, mark))}
        self.trips = {kind: self.offered_trip(f"{kind} {mark}") for kind in self.paths}
        self.added = set()
        self.edited = self.own_memories()
        self.listed = f"Listed {mark}"
        Groceries(hosts, self.listed, SIZES.listed)
        records = Groceries(hosts, f"Records {mark}", SIZES.records - RECORDS_ONE_BY_ONE)
        records.purchases(RECORDS_ONE_BY_ONE, one_by_one=True)
        records.offer()
        self.records = records.id

    @property
    def anna(self):
        return self.hosts.anna.api

    @property
    def ben(self):
        return self.hosts.ben.api

    def offered_trip(self, name):
        trip = self.anna.call("POST", "/trips", {"name": name})["id"]
        self.anna.call("POST", f"/trips/{trip}/members", {"person": "Ben", "role": "admin"})
        until("the trip is offered to Ben", lambda: any(
            each["id"] == trip and each["membership"] == "granted"
            for each in self.ben.call("GET", "/trips")))
        return trip

    def own_memories(self):
        trip = self.anna.call("POST", "/trips", {"name": f"edits {self.mark}"})["id"]
        return [
            self.anna.call("POST", "/memories", {
                "trip": trip, "title": f"Edited {number}", "text": "before"})["id"]
            for number in range(EDITED)]

    def add(self, kind):
        """Adds the files or photos, once: a sync of them alone needs them, too."""
        if kind in self.added:
            return
        self.added.add(kind)
        paths = [str(path) for path in self.paths[kind]]
        for first in range(0, len(paths), PER_MEMORY):
            self.anna.call("POST", "/memories", {
                "trip": self.trips[kind], "title": f"Memory {first}",
                "photoPaths": paths[first:first + PER_MEMORY]})

    def check_photos(self):
        media = self.anna.call("GET", f"/media?trip={self.trips['photos']}")
        if not all(each["hasThumbnail"] for each in media):
            raise SystemExit("the photos were not decoded, so the figures say nothing of that")

    def edit(self):
        for number in range(SIZES.edits):
            memory = self.edited[number % len(self.edited)]
            self.anna.call("PATCH", f"/memories/{memory}", {"text": f"edit {number}"})

    # Each returns the figures by whose they are.

    def of_agent(self, act):
        agent, _ = self.hosts.count(act)
        return {"agent": agent}

    def of_command(self, *words):
        """Of a command, and of the agent that answers it, one after the other: while a slow command under
        callgrind waits, the agent's timers would be counted."""
        agent, _ = self.hosts.count(lambda: self.hosts.anna.command(*words))
        return {"command": self.hosts.anna.counted_command(*words), "answering agent": agent}

    def of_sync(self, space):
        """Of Ben's taking a space."""
        sender, receiver = self.hosts.count(
            lambda: self.ben.call("POST", f"/trips/{space}/accept"))
        anna, ben = (
            api.call("GET", f"/trips/{space}/digest") for api in (self.anna, self.ben))
        if ben["digest"] != anna["digest"] or ben["filesVerified"] != anna["filesTotal"]:
            raise SystemExit("the sync was counted before its end")
        both = {name: value + receiver[name] for name, value in sender.items()}
        return {"sender": sender, "receiver": receiver, "both": both}

    def of_adding(self, kind):
        found = self.of_agent(lambda: self.add(kind))
        if kind == "photos":
            self.check_photos()
        return found

    def of_sync_of(self, kind):
        self.add(kind)
        return self.of_sync(self.trips[kind])


# By their names in the file of the figures.
WORKS = {
    "start": lambda stage: {"command": stage.hosts.anna.counted_command("--version")},
    "status": lambda stage: stage.of_command("status"),
    f"add {SIZES.files} files": lambda stage: stage.of_adding("files"),
    f"add {SIZES.photos} photos": lambda stage: stage.of_adding("photos"),
    f"sync {SIZES.files} files": lambda stage: stage.of_sync_of("files"),
    f"sync {SIZES.photos} photos": lambda stage: stage.of_sync_of("photos"),
    f"{SIZES.edits:,} edits": lambda stage: stage.of_agent(stage.edit),
    f"list {SIZES.listed:,}": lambda stage: stage.of_command(
        "record", "list", stage.listed, "product", "--json"),
    f"sync {SIZES.records:,} records": lambda stage: stage.of_sync(stage.records),
}


# Which figures are kept, by whose they are. Timers of an agent write and send now and then: where a work
# itself does neither, such a figure would count only them.
KEPT = {
    "command": ["instructions"],
    "answering agent": ["instructions", "statements"],
    "agent": ["instructions", "statements", "transactions", "fsyncs", "processes"],
    "sender": ["instructions", "statements", "transactions", "fsyncs"],
    "receiver": ["instructions", "statements", "transactions", "fsyncs", "processes"],
    "both": ["wire bytes", "TLS records"],
}


def measure(names, note):
    """Counts once natively and once under callgrind. The figures by work and name."""
    found = {}
    with CountedHosts() as hosts:
        note("preparing")
        stages = {under: Stage(hosts, under) for under in ("native", "callgrind")}
        for under, stage in stages.items():
            hosts.restart(under)
            for work in names:
                note(f"{work}, {under}")
                for whose, figures in WORKS[work](stage).items():
                    found |= {(work, whose, name): value for name, value in figures.items()}
    return {
        (work, f"{whose} {name}"): found[work, whose, name]
        for work in names for whose, kept in KEPT.items() for name in kept
        if (work, whose, name) in found}
