"""One benchmark by its name, or the table of all that ran: see run."""

import random
import shutil
import statistics
import subprocess
import sys
import threading
import time

import age
import baselines
import big
import crowd
import encrypted
import records
import table
from hosts import FOLDER, Hosts, until

MEMORIES = 5_000
MIB = 1 << 20


def milliseconds(values):
    return [1000 * value for value in values]


def live():
    """An edit on one host, until the other host's local API shows it."""
    with Hosts() as hosts:
        disk, tls = 1000 * baselines.fsync_seconds(), 1000 * baselines.tls_seconds(hosts)
        memory = hosts.anna.api.call(
            "POST", "/memories", {"trip": hosts.trip, "title": "Live", "text": "before"})["id"]
        hosts.accept()
        until("the memory is there", lambda: hosts.shown_by_ben()["memoryCount"] == 1)
        seen, answered = [], []
        for turn in range(33):
            time.sleep(0.2)
            text = f"edit {turn}"
            start = time.perf_counter()
            hosts.anna.api.ask("PATCH", f"/memories/{memory}", {"text": text})
            while hosts.ben.api.call("GET", f"/memories/{memory}")["text"] != text:
                pass
            seen.append(time.perf_counter() - start)
            hosts.anna.api.answer()
            answered.append(local_edit(hosts.anna.api, memory, f"again {turn}"))
        seen, answered = milliseconds(seen[3:]), milliseconds(answered[3:])
    middle = statistics.median(seen)
    table.line("live", "edit to other host, median", middle, "ms", "limit", 1000)
    table.line("live", "edit to other host, p95", table.percentile(seen, 0.95), "ms", "limit", 1000)
    table.line("live", "edit to other host, max", max(seen), "ms", "limit", 1000)
    table.line("live", "edit to other host, median", middle, "ms", "TLS round trip", tls)
    table.line("live", "edit to other host, median", middle, "ms", "fsync", disk)
    table.line("live", "local edit, median", statistics.median(answered), "ms", "fsync", disk)


def local_edit(api, memory, text):
    start = time.perf_counter()
    api.call("PATCH", f"/memories/{memory}", {"text": text})
    return time.perf_counter() - start


def files(name, make, count, per_memory):
    """Files that `make(path, random)` writes, added on one host, then taken by the other."""
    source = FOLDER / "source"
    source.mkdir()
    chance = random.Random(7)
    paths = [source / f"{name}-{number:05d}" for number in range(count)]
    for path in paths:
        make(path, chance)
    total = sum(path.stat().st_size for path in paths) / 1e6
    with Hosts() as hosts:
        copied = baselines.copy_seconds(source)
        others = baselines.rsync(hosts, source)
        start = time.monotonic()
        for first in range(0, count, per_memory):
            hosts.anna.api.call("POST", "/memories", {
                "trip": hosts.trip, "title": f"Memory {first}",
                "photoPaths": [str(path) for path in paths[first:first + per_memory]]})
        added = time.monotonic() - start
        subprocess.run(["sync", "-f", str(FOLDER)], check=True)
        seconds, cpu = hosts.first_sync(-(-count // per_memory), count)
    shutil.rmtree(source)
    table.line(name, "added to one host", total / added, "MB/s", "cp and sync", total / copied)
    if count > 1:
        table.line(name, "added to one host", count / added, "files/s")
    table.line(name, "to the other host", total / seconds, "MB/s", "cp and sync", total / copied)
    if others:
        table.line(name, "to the other host", total / seconds, "MB/s", "rsync", total / others[0])
        if count > 1:
            table.line(
                name, "to the other host", count / seconds, "files/s", "rsync", count / others[0])
        table.line(name, "CPU of both ends", cpu, "s", "rsync", others[1])
    elif count > 1:
        table.line(name, "to the other host", count / seconds, "files/s")


def one_file(path, chance):
    with open(path, "wb") as file:
        for _ in range(1024):
            file.write(chance.randbytes(MIB))


def photo(path, chance):
    """A file that begins and ends like a JPEG, which is all that a sync can notice."""
    start = bytes.fromhex("ffd8ffe000104a46494600010100000100010000")
    path.write_bytes(start + chance.randbytes(250_000 - len(start) - 2) + b"\xff\xd9")


def text():
    """Memories without files: writing them, the first sync, and writing while it goes on."""
    with Hosts() as hosts:
        disk = 1000 * baselines.fsync_seconds()
        taken = milliseconds(add_memories(hosts.anna.api, hosts.trip, MEMORIES))
        own = hosts.ben.api.call("POST", "/trips", {"name": "Meanwhile"})["id"]
        alone = milliseconds(add_memories(hosts.ben.api, own, 200))
        during, is_over = [], threading.Event()
        writer = threading.Thread(
            target=write_meanwhile, args=(hosts.ben.connection(), own, during, is_over))
        writer.start()
        time.sleep(0.1)
        during.clear()
        seconds, cpu = hosts.first_sync(MEMORIES, 0)
        is_over.set()
        writer.join()
        during = milliseconds(during)
    report_writes("writes one after another", taken, disk)
    table.line("text", "the last 500 of them, median", statistics.median(taken[-500:]), "ms",
               "the first 500", statistics.median(taken[:500]))
    report_writes("writes on the other host", alone, disk)
    table.line("text", "first sync", MEMORIES / seconds, "records/s", "goal B16", 6000)
    table.line("text", "first sync, CPU of both", cpu, "s")
    table.line("text", f"writes during it ({len(during)}), median", statistics.median(during), "ms")
    table.line("text", "writes during it, p99", table.percentile(during, 0.99), "ms",
               "limit B17", 50)
    table.line("text", "writes during it, max", max(during), "ms", "limit B17", 50)


def add_memories(api, trip, count):
    """The seconds that each took."""
    taken = []
    for number in range(count):
        start = time.perf_counter()
        api.call("POST", "/memories", memory(trip, number))
        taken.append(time.perf_counter() - start)
    return taken


def memory(trip, number):
    return {
        "trip": trip, "title": f"Memory {number}", "locationName": "Arezzo",
        "text": "Up to the Fortezza by the city wall, and back by way of the market.",
        "at": {"milliseconds": 1_224_000_000_000 + 60_000 * number, "offsetMinutes": 120},
        "position": {"latitude": 43.4 + number / 1e5, "longitude": 11.8}}


def write_meanwhile(api, trip, taken, is_over):
    number = 0
    while not is_over.is_set():
        number += 1
        taken += add_memories(api, trip, 1)
        time.sleep(0.002)


def report_writes(what, taken, disk):
    table.line("text", f"{len(taken)} {what}", sum(taken) / 1000, "s")
    table.line("text", "one of them, p50", table.percentile(taken, 0.5), "ms", "fsync", disk)
    table.line("text", "one of them, p99", table.percentile(taken, 0.99), "ms", "limit B17", 50)


def idle(seconds=60):
    """A connected agent with nothing to do."""
    with Hosts() as hosts:
        hosts.accept()
        until("the trip is there", lambda: hosts.shown_by_ben()["memberCount"] == 2)
        hosts.ben.api.close()
        time.sleep(10)
        before = hosts.ben.threads()
        time.sleep(seconds)
        cpu, switches = hosts.ben.since(before)
        resident = hosts.ben.resident_megabytes()
    table.line("idle", f"CPU in {seconds} s", 1000 * cpu, "ms", "one core",
               1000 * seconds)
    table.line("idle", "wake-ups of all threads", switches / seconds, "1/s")
    table.line("idle", "resident memory", resident, "MB")


def startup(times=10):
    """`peersync status` with many memories, with an agent and without, and one edit among them."""
    with Hosts() as hosts:
        anna = hosts.anna
        add_memories(anna.api, hosts.trip, MEMORIES)
        some = anna.api.call("POST", "/memories", memory(hosts.trip, MEMORIES))["id"]
        edits = milliseconds(
            local_edit(anna.api, some, f"edit {turn}") for turn in range(times))
        bare = run_times(times, anna.words("--version"), anna)
        asked = run_times(times, anna.words("status"), anna)
        listed = run_times(times, anna.words("memory", "list"), anna)
        resident = anna.resident_megabytes()
        anna.stop()
        alone = run_times(times, anna.words("status"), anna)
    what = f"{MEMORIES} memories, "
    table.line("startup", what + "status with agent", asked, "ms", "peersync --version", bare)
    table.line("startup", what + "status without", alone, "ms", "peersync --version", bare)
    table.line("startup", what + "memory list", listed, "ms", "peersync --version", bare)
    table.line("startup", what + "edit one by its id", statistics.median(edits), "ms",
               "limit B17", 50)
    table.line("startup", what + "resident memory", resident, "MB")


def run_times(times, words, host):
    """Median milliseconds of a command."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        subprocess.run(
            words, env=host.environment(), check=True, stdout=subprocess.DEVNULL)
        taken.append(time.perf_counter() - start)
    return 1000 * statistics.median(taken)


BENCHMARKS = {
    "live": live,
    "file": lambda: files("file", one_file, 1, 1),
    "photos": lambda: files("photos", photo, 500, 100),
    "small": lambda: files(
        "small", lambda path, chance: path.write_bytes(chance.randbytes(1000)), 2_000, 500),
    "text": text,
    "records": records.records,
    "idle": idle,
    "startup": startup,
    "age": age.age,
    "big": big.big,
    "crowd": crowd.crowd,
    "encrypted": encrypted.encrypted,
    "table": table.show,
}

if __name__ == "__main__":
    BENCHMARKS[sys.argv[1]]()
