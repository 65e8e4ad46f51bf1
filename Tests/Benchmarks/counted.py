"""Hosts whose agents and commands are counted by counters.c, natively or under callgrind."""

import os
import pathlib
import socket
import subprocess
import time

from hosts import BINARY, FOLDER, LAN, Host, Hosts, until

COUNTERS = os.environ["COSTS_COUNTERS"]
# Without activity for so long, a work is over: longer than whatever the agent puts off to collect more.
QUIET_SECONDS = 1.5
# After a start or a connection.
SETTLING_SECONDS = 5
# What timers take meanwhile.
QUIET_TICKS = 3
PATIENCE_SECONDS = 600


def valgrind(output, *options):
    return ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={output}", *options]


def instructions(output):
    """Of one dump of callgrind."""
    for line in reversed(pathlib.Path(output).read_text().splitlines()):
        if line.startswith("totals:"):
            return int(line.split()[1])
    raise SystemExit(f"callgrind wrote no total to {output}")


class CountedHost(Host):
    """Its agent and the commands of `counted_command` are counted; `under` is native or callgrind."""

    under = "native"

    def __init__(self, name):
        super().__init__(name)
        self.dumps = 0

    def counting(self, **variables):
        """The words before a program that has it counted. Hashes with a fixed seed: the order of sets
        and dictionaries is the same in each run."""
        settings = {"LD_PRELOAD": COUNTERS, "SWIFT_DETERMINISTIC_HASHING": "1"} | variables
        return ["env", *(f"{name}={value}" for name, value in settings.items())]

    def start(self):
        words = self.counting(COUNTERS_SOCKET=self.socket)
        if self.under == "callgrind":
            words += valgrind(self.output, "--instr-atstart=no")
        self.dumps = 0
        log = open(FOLDER / f"{self.name}.log", "ab")
        self.process = subprocess.Popen(
            [LAN, "exec", self.name, "--", *words, BINARY, "run"], env=self.environment(),
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.await_agent()

    def await_agent(self):
        until(f"the agent of {self.name}", self.is_there, PATIENCE_SECONDS)

    @property
    def socket(self):
        return FOLDER / f"{self.name}.counters"

    @property
    def output(self):
        return FOLDER / f"{self.name}.callgrind"

    def ask_counters(self, command):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.connect(str(self.socket))
            connection.sendall(command)
            line = connection.makefile().readline()
        return counts(line)

    def begin(self):
        self.ask_counters(b"b")

    def end(self):
        """The figures since `begin`."""
        figures = self.ask_counters(b"e")
        if self.under == "native":
            return figures
        self.dumps += 1
        return {"instructions": instructions(f"{self.output}.{self.dumps}")}

    def counted_command(self, *words):
        """Runs a command and returns its figures."""
        report, output = FOLDER / "command.counters", FOLDER / "command.callgrind"
        before = self.counting(COUNTERS_FILE=report)
        if self.under == "callgrind":
            before += valgrind(output)
        subprocess.run(
            [LAN, "exec", self.name, "--", *before, BINARY, *words], env=self.environment(),
            check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        if self.under == "native":
            return counts(report.read_text())
        return {"instructions": instructions(output)}

    def activity(self):
        """Whether a thread runs or waits for the disk now, and the clock ticks of all so far."""
        process = pathlib.Path(f"/proc/{self.process.pid}")
        busy, ticks = False, 0
        for task in (process / "task").iterdir():
            try:
                fields = (task / "stat").read_text().rpartition(")")[2].split()
            except FileNotFoundError:
                continue
            busy = busy or fields[0] in "RD"
            ticks += int(fields[11]) + int(fields[12])
        return busy, ticks


def counts(line):
    return {name.replace("_", " "): int(value)
            for name, value in (word.split("=") for word in line.split())}


class CountedHosts(Hosts):
    kind = CountedHost

    def restart(self, under):
        for host in (self.anna, self.ben):
            host.stop()
            host.under = under
        for host in (self.anna, self.ben):
            host.start()
        until("the hosts are connected", lambda: any(
            device["connected"] for device in self.ben.api.call("GET", "/devices")),
            PATIENCE_SECONDS)
        self.until_quiet(SETTLING_SECONDS)

    def until_quiet(self, seconds=QUIET_SECONDS):
        """Until neither agent has done anything for a while. Nobody asks them: asking costs."""
        hosts = (self.anna, self.ben)
        deadline = time.monotonic() + PATIENCE_SECONDS
        since, ticks = time.monotonic(), None
        while time.monotonic() - since < seconds:
            time.sleep(0.05)
            seen = [host.activity() for host in hosts]
            total = sum(each for _, each in seen)
            if any(busy for busy, _ in seen) or ticks is None or total - ticks > QUIET_TICKS:
                since, ticks = time.monotonic(), total
            if time.monotonic() > deadline:
                raise SystemExit("the agents do not come to rest")

    def count(self, act):
        """The figures of Anna's and Ben's agents, of what `act` does and all that follows from it."""
        self.until_quiet()
        for host in (self.anna, self.ben):
            host.begin()
        act()
        self.until_quiet()
        return [host.end() for host in (self.anna, self.ben)]
