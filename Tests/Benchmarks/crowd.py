"""Many hosts in one trip: what an edit costs on the network, and when it is on all of them."""

import json
import os
import pathlib
import shutil
import sqlite3
import statistics
import subprocess
import sys
import threading
import time

import table
from hosts import FOLDER, LAN, Host, until

SIZES = [int(size) for size in os.environ.get("BENCHMARK_CROWD", "12,24").split(",")]
EDITS = 20
# Acks and what they lead to have come to rest after this.
REST_SECONDS = 3
# Beyond a dozen others a device lets one connection go every few seconds, until it has few, and what those
# far away hold spreads at a fixed pace.
FEW = 13
SETTLING_SECONDS = 90
SPREADING_SECONDS = 300
IDLE_SECONDS = int(os.environ.get("BENCHMARK_IDLE_SECONDS", 300))
# What twelve in one trip may cost, as issue 12 of the plan has it; more devices: by the square.
LIMITS = {"bytes": 60_000, "milliseconds": 50, "together": 1_500, "idle": 300}


class Meter:
    """Counts what passes through the switch, each packet once."""

    def __enter__(self):
        switch = pathlib.Path(os.environ["LAN_DIR"], "networks", "home").read_text()
        self.process = subprocess.Popen(
            ["nsenter", "-t", switch, "--net", "--", sys.executable, "-B",
             str(pathlib.Path(__file__).with_name("meter.py"))],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.read()
        return self

    def __exit__(self, *error):
        self.process.stdin.close()
        self.process.wait(10)

    def read(self):
        self.process.stdin.write("\n")
        return json.loads(self.process.stdout.readline())

    def since(self, before):
        """Bytes and packets of sessions, and of everything else (discovery)."""
        return {name: count - before[name] for name, count in self.read().items()}


class Crowd:
    """Hosts with an agent each, all members of one trip."""

    def __init__(self, size):
        self.hosts = [Host(f"h{number:02d}") for number in range(size)]

    def __enter__(self):
        shutil.rmtree(FOLDER / "homes", ignore_errors=True)
        (FOLDER / "homes").mkdir()
        subprocess.run([LAN, "up", "home", *(host.name for host in self.hosts)], check=True)
        for host in self.hosts:
            host.command(
                "init", "--name", f"{host.name}-host", "--person", host.name.upper(),
                "--recovery-file", str(FOLDER / "homes" / f"{host.name}.recovery-key"))
            host.start()
        first = self.hosts[0]
        self.trip = first.api.call("POST", "/trips", {"name": "Measured"})["id"]
        for host in self.hosts[1:]:
            self.pair(host)
            first.api.call("POST", f"/trips/{self.trip}/members", {
                "person": host.name.upper(), "role": "contributor"})
        for host in self.hosts[1:]:
            until(f"the trip is offered to {host.name}", lambda: self.is_offered(host))
            host.api.call("POST", f"/trips/{self.trip}/accept")
        self.stores = [
            sqlite3.connect(f"file:{host.home}/store.sqlite?mode=ro", uri=True)
            for host in self.hosts]
        until("all have all", lambda: len(set(self.counts())) == 1, 120)
        return self

    def __exit__(self, *error):
        for host in self.hosts:
            if host.process:
                host.process.terminate()
        for host in self.hosts:
            host.stop()
        subprocess.run([LAN, "down"], check=True)
        shutil.rmtree(FOLDER / "homes", ignore_errors=True)

    def pair(self, host):
        """The first host shows a code."""
        first = self.hosts[0]
        showing = subprocess.Popen(
            first.words("pair", "--yes"), env=first.environment(), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        code = showing.stdout.readline().strip()
        host.command("join", "--yes", input=code + "\n")
        showing.communicate()

    def is_offered(self, host):
        return any(trip["id"] == self.trip for trip in host.api.call("GET", "/trips"))

    def counts(self):
        """How many commits each store has: nothing is asked of an agent for it."""
        return [
            store.execute("SELECT COUNT(*) FROM commits").fetchone()[0] for store in self.stores]

    def write(self, host, title):
        host.api.call("POST", "/memories", {"trip": self.trip, "title": title})

    def arrival(self, wanted):
        """Waits until each store has as many commits."""
        waiting = dict(enumerate(self.stores))
        deadline = time.monotonic() + 60
        while waiting:
            for place, store in list(waiting.items()):
                count = store.execute("SELECT COUNT(*) FROM commits").fetchone()[0]
                if count >= wanted:
                    del waiting[place]
            if time.monotonic() > deadline:
                raise SystemExit(f"an edit did not reach hosts {sorted(waiting)} in 60 s")
            time.sleep(0.0005)

    def connections(self):
        """Established ones of all hosts, each counted once."""
        total = 0
        for host in self.hosts:
            shown = subprocess.check_output(
                [LAN, "exec", host.name, "--", "ss", "-Htn", "state", "established"], text=True)
            total += len(shown.splitlines())
        return total // 2


def edit(crowd, meter, turn):
    """Milliseconds until it is everywhere, and what it cost until nothing more came of it."""
    wanted = crowd.counts()[0] + 1
    before = meter.read()
    host = crowd.hosts[turn % len(crowd.hosts)]
    start = time.perf_counter()
    host.api.ask("POST", "/memories", {"trip": crowd.trip, "title": f"Edit {turn}"})
    crowd.arrival(wanted)
    taken = 1000 * (time.perf_counter() - start)
    host.api.answer()
    time.sleep(REST_SECONDS)
    return taken, meter.since(before)


def together(crowd, meter):
    """All write at once: milliseconds until all are the same, and the bytes that took."""
    wanted = crowd.counts()[0] + len(crowd.hosts)
    before = meter.read()
    start = time.perf_counter()
    writers = [
        threading.Thread(target=crowd.write, args=(host, f"Together {host.name}"))
        for host in crowd.hosts]
    for writer in writers:
        writer.start()
    crowd.arrival(wanted)
    taken = 1000 * (time.perf_counter() - start)
    for writer in writers:
        writer.join()
    time.sleep(REST_SECONDS)
    return taken, meter.since(before)


def crowd():
    for size in SIZES:
        measure(size)


def measure(size):
    square = (size / 12) ** 2
    with Crowd(size) as people, Meter() as meter:
        people.write(people.hosts[0], "The first")
        time.sleep(15 if size <= FEW else SETTLING_SECONDS)
        edits = [edit(people, meter, turn) for turn in range(EDITS)]
        at_once = [together(people, meter) for _ in range(3)]
        # What a comparison after the last change costs is not idle yet.
        time.sleep(40 if size <= FEW else SPREADING_SECONDS)
        before = meter.read()
        time.sleep(IDLE_SECONDS)
        idle = meter.since(before)
        connections = people.connections()
        memory = statistics.median(host.resident_megabytes() for host in people.hosts)
    name = f"crowd of {size}"
    taken = [milliseconds for milliseconds, _ in edits]
    costs = [cost["bytes"] for _, cost in edits]
    table.line(name, "edit on all hosts, median", statistics.median(taken), "ms", "goal",
               LIMITS["milliseconds"])
    table.line(name, "edit on all hosts, max", max(taken), "ms")
    table.line(name, "bytes of an edit, mean", statistics.mean(costs), "B", "goal",
               LIMITS["bytes"] * max(1, square))
    table.line(name, "packets of an edit, mean",
               statistics.mean(cost["packets"] for _, cost in edits), "")
    table.line(name, "all write at once, median", statistics.median(one for one, _ in at_once),
               "ms", "goal", LIMITS["together"])
    table.line(name, "its bytes", statistics.median(cost["bytes"] for _, cost in at_once), "B")
    table.line(name, f"idle for {IDLE_SECONDS} s", idle["bytes"] / IDLE_SECONDS, "B/s", "goal",
               LIMITS["idle"] * max(1, square))
    table.line(name, "idle, discovery besides", idle["other_bytes"] / IDLE_SECONDS, "B/s")
    table.line(name, "connections", connections, "")
    table.line(name, "resident memory, median", memory, "MB")
