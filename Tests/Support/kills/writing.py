"""People who write through the command line, and what they were told is written."""

import json
import random
import shutil

from hosts import Broken, InVain

TRIES = 40


class Memory:
    """What one person was answered about a memory of theirs."""

    def __init__(self, identifier, title):
        self.identifier, self.title = identifier, title
        self.texts = [""]       # the last answered text and those tried since
        self.tags = set()
        self.files = []         # paths of answered photos
        self.has_track = False
        self.may_be_gone = False
        self.is_gone = False


class Writer:
    """One person at one host: draws what to do next from a seed of their own."""

    def __init__(self, host, trip, samples, folder, seed):
        self.host, self.trip, self.samples = host, trip, samples
        self.folder = folder / f"photos-{host.name}"
        self.folder.mkdir()
        self.random = random.Random(f"{seed}/{host.name}")
        self.number = 0
        self.answered = 0
        self.repeated = 0
        self.memories = []
        # Tags added to memories of others: (id, tag).
        self.elsewhere = []

    def live(self):
        return [each for each in self.memories if not each.may_be_gone]

    def write_something(self, others):
        self.number += 1
        mine = self.live()
        actions = [self.add] if not mine else [
            self.add, self.add, self.edit, self.tag, self.add_photo, self.delete]
        theirs = [memory for other in others for memory in other.live()]
        if theirs:
            actions.append(lambda: self.tag_elsewhere(self.random.choice(theirs)))
        self.random.choice(actions)()

    def photo(self):
        """A picture that no other is equal to: a sample with some bytes behind its end."""
        source = self.random.choice(self.samples)
        path = self.folder / f"{self.host.name}-{self.number}-{self.random.randrange(10**6)}.jpg"
        shutil.copy(source, path)
        with path.open("ab") as file:
            file.write(self.random.randbytes(self.random.choice([100, 300_000, 2_500_000])))
        return path

    def attempt(self, words):
        """Repeats a command until it is answered; `words` gives it, new for every try."""
        for _ in range(TRIES):
            kills, was_up = self.host.kills, self.host.is_up
            code, out, complaint = self.host.run(*words(), "--json")
            if code == 0:
                self.answered += 1
                return json.loads(out) if out.strip() else {}
            was_killed = not was_up or not self.host.is_up or self.host.kills != kills
            if not was_killed:
                raise Broken(f"{self.host.name}: {' '.join(map(str, words()))}: {complaint}")
            self.repeated += 1
            with self.host.change:
                self.host.change.wait_for(lambda: self.host.is_up, timeout=60)
        raise InVain(f"{self.host.name}: {TRIES} tries of {words()}")

    def add(self):
        photos = [self.photo() for _ in range(self.random.choice([0, 1, 1, 2]))]
        track = self.random.random() < 0.3
        tag = f"{self.host.name}-{self.number}"
        tries = iter(range(TRIES + 1))
        title = ""

        def words():
            nonlocal title
            # A new title for every attempt: the previous one may have been written unanswered, with
            # its files.
            number = next(tries)
            title = f"{self.host.person} {self.number}.{number}"
            return ["memory", "add", self.trip, "--title", title, "--tag", tag,
                    *(word for path in photos for word in ("--photo", path)),
                    *(("--track", self.samples[0].parent / "walk.gpx") if track else ()),
                    *(("--again",) if track or number > 0 else ())]

        answer = self.attempt(words)
        memory = Memory(answer["id"], answer["title"])
        memory.tags.add(tag)
        memory.files += photos
        memory.has_track = track
        self.memories.append(memory)

    def edit(self):
        memory = self.random.choice(self.live())
        text = f"{self.host.person} wrote {self.number}"
        memory.texts.append(text)
        self.attempt(lambda: ["memory", "edit", memory.identifier, "--text", text])
        memory.texts = [text]

    def tag(self):
        memory, tag = self.random.choice(self.live()), f"{self.host.name}-{self.number}"
        self.attempt(lambda: ["memory", "edit", memory.identifier, "--add-tag", tag])
        memory.tags.add(tag)

    def add_photo(self):
        memory, photo = self.random.choice(self.live()), self.photo()
        self.attempt(lambda: ["memory", "edit", memory.identifier, "--add-photo", photo])
        memory.files.append(photo)

    def delete(self):
        memory = self.random.choice(self.live())
        memory.may_be_gone = True
        try:
            self.attempt(lambda: ["memory", "delete", memory.identifier, "--yes"])
        except Broken as broken:
            # An unanswered attempt may have deleted it.
            if "no memory" not in str(broken).lower():
                raise
        memory.is_gone = True

    def tag_elsewhere(self, memory):
        """Tags a memory of somebody else, if it has arrived and is still there."""
        tag = f"{self.host.name}-{self.number}"
        listed = self.host.ask("memory", "list", self.trip)
        if listed is None or all(each["id"] != memory.identifier for each in listed):
            return
        try:
            self.attempt(lambda: ["memory", "edit", memory.identifier, "--add-tag", tag])
        except Broken:
            # Deleted by its author between reading and writing.
            if not memory.may_be_gone:
                raise
            return
        self.elsewhere.append((memory, tag))
