"""Two hosts of the virtual network with an agent each, paired; and their local API."""

import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import time

BINARY = os.environ["PEERSYNC_BINARY"]
LAN = os.environ["BENCHMARK_LAN"]
FOLDER = pathlib.Path(os.environ["BENCHMARK_DIR"])
ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = {"anna": "Anna", "ben": "Ben"}
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


def until(what, answer, seconds=60.0, pause=0.02):
    """Asks again and again until the answer is true, and returns it."""
    deadline = time.monotonic() + seconds
    while True:
        found = answer()
        if found:
            return found
        if time.monotonic() > deadline:
            raise SystemExit(f"waited {seconds:.0f} s in vain: {what}")
        time.sleep(pause)


class LocalConnection(http.client.HTTPConnection):
    """HTTP to an agent's unix socket."""

    def __init__(self, path):
        super().__init__("peersync", timeout=600)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)

    def ask(self, method, path, body=None):
        """Sends a request; its answer is read with `answer`."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        data = json.dumps(body) if body is not None else None
        try:
            self.request(method, "/v1" + path, body=data, headers=headers)
        except BrokenPipeError:
            # The agent has closed it, as nothing was asked for a minute.
            self.close()
            self.request(method, "/v1" + path, body=data, headers=headers)

    def answer(self):
        response = self.getresponse()
        content = response.read()
        if response.status != 200:
            raise SystemExit(f"the agent answers {response.status}: {content.decode()}")
        return json.loads(content)

    def call(self, method, path, body=None):
        self.ask(method, path, body)
        return self.answer()


class Host:
    """One host with its agent; `api` is an open connection to it."""

    def __init__(self, name):
        self.name = name
        self.home = FOLDER / "homes" / name
        self.process = None
        self.api = None

    def command(self, *words, **options):
        """Runs a peersync command there and returns what it printed."""
        result = subprocess.run(
            self.words(*words), env=self.environment(), text=True, capture_output=True, **options)
        if result.returncode != 0:
            raise SystemExit(f"peersync {' '.join(words)}: {result.stderr}{result.stdout}")
        return result.stdout

    def words(self, *words):
        return [LAN, "exec", self.name, "--", BINARY, *words]

    def environment(self):
        return os.environ | {"PEERSYNC_HOME": str(self.home)}

    def start(self):
        log = open(FOLDER / f"{self.name}.log", "ab")
        self.process = subprocess.Popen(
            self.words("run"), env=self.environment(), stdin=subprocess.DEVNULL,
            stdout=log, stderr=log)
        self.await_agent()

    def await_agent(self):
        until(f"the agent of {self.name}", self.is_there)

    def is_there(self):
        try:
            self.api = self.connection()
            return self.api.call("GET", "/info")
        except OSError:
            return False

    def connection(self):
        return LocalConnection(self.home / "agent.sock")

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(30)

    def cpu_seconds(self):
        """Of the agent and of its children that have ended."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2]
        return sum(int(field) for field in fields.split()[11:15]) / CLOCK_TICKS

    def threads(self):
        """By thread: seconds on a processor, and voluntary context switches."""
        threads = {}
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            try:
                threads[task.name] = (
                    int((task / "schedstat").read_text().split()[0]) / 1e9,
                    self.status_number("voluntary_ctxt_switches", task))
            except (FileNotFoundError, ProcessLookupError):
                continue
        return threads

    def since(self, before):
        """What all threads did since threads() said `before`: those that ended take with them what they did."""
        zero = (0, 0)
        spent = [
            [now - then for now, then in zip(figures, before.get(thread, zero))]
            for thread, figures in self.threads().items()]
        return [sum(figures) for figures in zip(*spent)]

    def status_number(self, name, folder=None):
        folder = folder or pathlib.Path(f"/proc/{self.process.pid}")
        for line in (folder / "status").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1])
        return 0

    def written_bytes(self):
        """To the disk, by the agent."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/io").read_text().splitlines():
            if line.startswith("write_bytes:"):
                return int(line.split()[1])
        return 0

    def resident_megabytes(self):
        return self.status_number("VmRSS") / 1024

    def address(self):
        return subprocess.check_output([LAN, "address", self.name], text=True).strip()


class Hosts:
    """Anna's and Ben's host, paired, with one trip that Ben may take."""

    kind = Host

    def __enter__(self):
        shutil.rmtree(FOLDER / "homes", ignore_errors=True)
        (FOLDER / "homes").mkdir()
        subprocess.run([LAN, "up", "home", *NAMES], check=True)
        self.anna, self.ben = (self.kind(name) for name in NAMES)
        for host in (self.anna, self.ben):
            host.command(
                "init", "--name", f"{host.name}-host", "--person", NAMES[host.name],
                "--recovery-file", str(FOLDER / "homes" / f"{host.name}.recovery-key"))
            host.start()
        self.pair()
        self.trip = self.anna.api.call("POST", "/trips", {"name": "Measured"})["id"]
        self.anna.api.call(
            "POST", f"/trips/{self.trip}/members", {"person": "Ben", "role": "admin"})
        until("the trip is offered to Ben", self.is_offered)
        return self

    def __exit__(self, *error):
        for host in (self.anna, self.ben):
            host.stop()
        subprocess.run([LAN, "down"], check=True)
        shutil.rmtree(FOLDER / "homes", ignore_errors=True)

    def pair(self):
        """By code. Over the network's own discovery, like people."""
        showing = subprocess.Popen(
            self.anna.words("pair", "--yes"), env=self.anna.environment(), text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        code = showing.stdout.readline().strip()
        self.ben.command("join", "--yes", input=code + "\n")
        showing.communicate()

    def is_offered(self):
        trips = self.ben.api.call("GET", "/trips")
        return any(trip["id"] == self.trip and trip["membership"] == "granted" for trip in trips)

    def accept(self):
        return self.ben.api.call("POST", f"/trips/{self.trip}/accept")

    def shown_by_ben(self):
        return self.ben.api.call("GET", f"/trips/{self.trip}")

    def first_sync(self, memories, files, pause=0.05):
        """Ben takes the trip. Seconds until all of it is there, and both agents' CPU seconds."""
        before = self.anna.cpu_seconds() + self.ben.cpu_seconds()
        start = time.monotonic()
        self.accept()

        def is_complete():
            trip = self.shown_by_ben()
            return (
                trip["memoryCount"] == memories and trip["mediaCount"] == files
                and trip["missing"]["files"] == 0)

        until("the trip is complete on Ben's host", is_complete, 600, pause)
        seconds = time.monotonic() - start
        return seconds, self.anna.cpu_seconds() + self.ben.cpu_seconds() - before
