"""A big home: one trip with 100,000 memories and 20,000 small files, and what is asked of it."""

import json
import os
import random
import sqlite3
import statistics
import subprocess
import time

import baselines
import table
from hosts import BINARY, FOLDER, Hosts, until

MEMORIES = int(os.environ.get("BENCHMARK_MEMORIES", 100_000))
FILES = int(os.environ.get("BENCHMARK_FILES", 20_000))
PER_BATCH = 20_000
FILE_BYTES = 1_000
WORDS = "castle harbour market museum station garden bridge chapel tower lake forest beach".split()
# The first memory, and then one each hour: a day has 24.
START = 1_224_000_000_000
HOUR = 3_600_000


def memory(number, chance):
    words = chance.sample(WORDS, 3)
    return {
        "title": f"{words[0].capitalize()} {number}",
        "text": f"From the {words[1]} to the {words[2]}, and back before it rained.",
        "at": {"time": {"milliseconds": START + HOUR * number, "offsetMinutes": 0}},
        "position": {"position": {"latitude": 43.4 + number / 1e6, "longitude": 11.8}},
        "location_name": "Arezzo"}


def add(api, trip, collection, rows):
    """In few commits. Returns the ids."""
    ids = []
    for first in range(0, len(rows), PER_BATCH):
        ids += api.call("POST", "/records/batch", {
            "space": trip, "collection": collection,
            "records": [{"fields": fields} for fields in rows[first:first + PER_BATCH]]})["ids"]
    return ids


def fill(hosts, chance):
    """Anna's trip, in which every fifth memory has a file. Returns the ids of the memories."""
    start = time.monotonic()
    memories = add(
        hosts.anna.api, hosts.trip, "memory", [memory(n, chance) for n in range(MEMORIES)])
    table.line("big", f"{MEMORIES:,} memories, added", time.monotonic() - start, "s")
    folder = FOLDER / "files"
    folder.mkdir()
    rows = []
    for number in range(FILES):
        path = folder / f"note-{number:05d}.bin"
        path.write_bytes(chance.randbytes(FILE_BYTES))
        rows.append({
            "memory": {"reference": {"id": memories[number * len(memories) // FILES]}},
            "file_name": path.name, "media_type": "application/octet-stream",
            "size": FILE_BYTES, "original": {"blob": {"path": str(path)}}})
    start = time.monotonic()
    add(hosts.anna.api, hosts.trip, "media", rows)
    table.line("big", f"{FILES:,} files, added", time.monotonic() - start, "s")
    return memories


def row_milliseconds(times=1_000):
    """What SQLite takes for one row by its indexed id, among as many in a file."""
    path = FOLDER / "rows.sqlite"
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE record (record BLOB UNIQUE, body BLOB)")
    ids = [os.urandom(16) for _ in range(MEMORIES)]
    database.executemany(
        "INSERT INTO record VALUES (?, ?)", ((each, os.urandom(280)) for each in ids))
    database.commit()
    chance, taken = random.Random(1), []
    for _ in range(times):
        start = time.perf_counter()
        database.execute("SELECT body FROM record WHERE record = ?", [chance.choice(ids)]).fetchone()
        taken.append(1000 * (time.perf_counter() - start))
    database.close()
    path.unlink()
    return statistics.median(taken)


def edits(hosts, memories, chance, times=100):
    """Milliseconds of edits on Anna's host, until Ben's local API shows them."""
    taken = []
    for turn in range(times + 3):
        time.sleep(0.1)
        each, text = chance.choice(memories), f"edit {turn}"
        start = time.perf_counter()
        hosts.anna.api.ask("PATCH", f"/memories/{each}", {"text": text})
        while hosts.ben.api.call("GET", f"/memories/{each}")["text"] != text:
            pass
        taken.append(1000 * (time.perf_counter() - start))
        hosts.anna.api.answer()
    return taken[3:]


def arrivals(hosts, memories, chance, times=100):
    """Milliseconds of edits on Anna's host, until Ben's store has the commit: nothing is asked of his
    agent meanwhile."""
    store = sqlite3.connect(f"file:{hosts.ben.home}/store.sqlite?mode=ro", uri=True)
    last = "SELECT MAX(id) FROM commits"
    taken = []
    for turn in range(times + 3):
        time.sleep(0.1)
        before = store.execute(last).fetchone()[0]
        start = time.perf_counter()
        hosts.anna.api.ask(
            "PATCH", f"/memories/{chance.choice(memories)}", {"text": f"arrival {turn}"})
        while store.execute(last).fetchone()[0] == before:
            time.sleep(0.0002)
        taken.append(1000 * (time.perf_counter() - start))
        hosts.anna.api.answer()
    store.close()
    return taken[3:]


def command(host, words, times):
    """Median milliseconds of a command: its process, the agent's answer, and what it prints."""
    taken = []
    for turn in range(times):
        start = time.perf_counter()
        subprocess.run(
            [BINARY, *(word(turn) if callable(word) else word for word in words)],
            env=host.environment(), check=True, stdout=subprocess.DEVNULL)
        taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(taken)


def answer(host, path, times):
    """Median milliseconds of the agent's answer alone."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        host.api.call("GET", path)
        taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(taken)


def first_line(host, words):
    """Milliseconds until a command prints its first line."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [BINARY, *words], env=host.environment(), stdout=subprocess.PIPE)
    process.stdout.readline()
    taken = 1000 * (time.perf_counter() - start)
    process.communicate()
    return taken


def big():
    """Edits to the other host, and commands on the host that received everything."""
    chance = random.Random(7)
    # A day is one of this computer's zone, and the memories' times are UTC.
    os.environ["TZ"] = "UTC"
    with Hosts() as hosts:
        row, disk = row_milliseconds(), 1000 * baselines.fsync_seconds()
        tls = 1000 * baselines.tls_seconds(hosts)
        memories = fill(hosts, chance)
        hosts.accept()
        start = time.monotonic()
        # Asked for seldom: what is asked is part of what is measured.
        until("the trip is complete on Ben's host", lambda: is_complete(hosts), 1_800, 1)
        table.line("big", "first sync", time.monotonic() - start, "s")
        time.sleep(2)
        before = hosts.anna.written_bytes()
        arrived = arrivals(hosts, memories, chance)
        table.line("big", "written to disk by an edit",
                   (hosts.anna.written_bytes() - before) / (len(arrived) + 3) / 1e3, "KB")
        report_edits("edit to other host", arrived, disk, tls)
        report_edits("edit shown by other host", edits(hosts, memories, chance), disk, tls)
        commands(hosts.ben, hosts.trip, memories, chance, row)
        undo = command(hosts.anna, ["undo", "--preview"], 10)
        table.line("big", "undo --preview", undo, "ms", "goal", 100)
        table.line("big", "memory list of everything, first line",
                   first_line(hosts.ben, ["memory", "list", hosts.trip]), "ms", "goal", 1000)
        table.line("big", "resident memory of the receiver", hosts.ben.resident_megabytes(), "MB")


def is_complete(hosts):
    trip = hosts.shown_by_ben()
    return (trip["memoryCount"], trip["mediaCount"], trip["missing"]["files"]) == (
        MEMORIES, FILES, 0)


def report_edits(what, taken, disk, tls):
    middle = statistics.median(taken)
    table.line("big", f"{what}, median", middle, "ms", "goal", 10)
    table.line("big", f"{what}, p99", table.percentile(taken, 0.99), "ms", "goal", 10)
    table.line("big", f"{what}, median", middle, "ms", "fsync", disk)
    table.line("big", f"{what}, median", middle, "ms", "TLS round trip", tls)


def commands(host, trip, memories, chance, row):
    bare = command(host, ["--version"], 20)
    table.line("big", "peersync --version", bare, "ms", "one row by SQLite", row)

    def some(_):
        return chance.choice(memories)

    day = time.strftime("%Y-%m-%d", time.gmtime((START + HOUR * (MEMORIES // 2)) / 1000))
    of_a_day = ["memory", "list", trip, "--since", day, "--until", day]
    found = len(json.loads(host.command(*of_a_day, "--json")))
    if found != 24:
        raise SystemExit(f"of {day} {found} memories are listed, not 24")
    for what, words, goal, times in [
        ("memory show", ["memory", "show", some], 50, 20),
        ("why", ["why", some], 50, 10),
        ("record get", ["record", "get", trip, "memory", some], 50, 20),
        ("memory list of a day", of_a_day, 100, 10),
        ("memory list --text", ["memory", "list", trip, "--text", f"{MEMORIES // 3}"], None, 10),
        ("history", ["history", some], 100, 20),
        ("backup, the first and two more", ["backup", str(FOLDER / "backups")], None, 3),
        ("search", ["search", f"{MEMORIES // 3}"], 60, 10),
        ("search, a word of every memory", ["search", "before"], 60, 10),
        ("memory list of everything", ["memory", "list", trip], None, 3),
        ("trip show", ["trip", "show", trip], None, 5),
        ("status", ["status"], None, 10),
    ]:
        taken = command(host, words, times)
        if goal:
            table.line("big", what, taken, "ms", "goal", goal)
        table.line("big", what, taken, "ms", "peersync --version", bare)
    for what, word in [("search", MEMORIES // 3), ("search, a word of every memory", "before")]:
        taken = answer(host, f"/search?words={word}&limit=20", 20)
        table.line("big", f"{what}, in the agent", taken, "ms", "goal", 20)
