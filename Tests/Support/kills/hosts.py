"""Hosts of the virtual network: their agents, which can be killed, and commands on them."""

import json
import os
import pathlib
import signal
import subprocess
import threading
import time

BINARY = os.environ["PEERSYNC_BINARY"]
LAN = str(pathlib.Path(__file__).resolve().parents[1] / "lan" / "lan")
COMMAND_SECONDS = 60
START_SECONDS = 40


class Broken(Exception):
    """A promise that was not kept: no repetition makes it good."""


class InVain(Exception):
    """Something was waited for and did not come."""


def until(what, answer, seconds=60.0, pause=0.1):
    """Asks again and again until the answer is true, and returns it."""
    deadline = time.monotonic() + seconds
    while not (found := answer()):
        if time.monotonic() > deadline:
            raise InVain(f"waited {seconds:.0f} s: {what}")
        time.sleep(pause)
    return found


class Host:
    """One host with its home; `kills` counts how often its agent was killed."""

    def __init__(self, name, folder):
        self.name, self.person = name, name.capitalize()
        self.home = folder / name
        self.log = folder / f"{name}.log"
        self.environment = {**os.environ, "PEERSYNC_HOME": str(self.home)}
        self.kills = 0
        self.is_up = False
        self.agent = None
        self.change = threading.Condition()
        # Notified of every command that begins, so that one can be killed during it.
        self.began = threading.Condition()
        self.current = ""

    def command(self, *words):
        return [LAN, "exec", self.name, "--", BINARY, *map(str, words)]

    def popen(self, *words, **options):
        return subprocess.Popen(
            self.command(*words), env=self.environment, text=True, **options)

    def run(self, *words, said=""):
        """Runs a command; returns its exit code, output and complaint."""
        with self.began:
            self.current = " ".join(map(str, words[:2]))
            self.began.notify_all()
        try:
            done = subprocess.run(
                self.command(*words), env=self.environment, text=True, input=said,
                capture_output=True, timeout=COMMAND_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            raise InVain(f"{self.name}: {' '.join(map(str, words))} does not end") from None
        return done.returncode, done.stdout, done.stderr.strip()

    def ask(self, *words):
        """What a command answers as JSON; nothing when it fails."""
        code, out, _ = self.run(*words, "--json")
        return json.loads(out) if code == 0 else None

    def start(self):
        """Starts the agent; a command may have the store for a moment, so it tries again."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            with self.log.open("a") as log:
                agent = self.popen(
                    "run", stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                    start_new_session=True)
            if self.answers(agent):
                break
            if time.monotonic() > deadline:
                raise InVain(f"the agent of {self.name} does not start: see {self.log}")
            time.sleep(0.2)
        with self.change:
            self.agent, self.is_up = agent, True
            self.change.notify_all()

    def answers(self, agent):
        """Whether it listens; false once it has ended."""
        while agent.poll() is None:
            code, out, _ = self.run("status", "--json")
            if code == 0 and json.loads(out)["network"]["running"]:
                return agent.poll() is None
            time.sleep(0.05)
        return False

    def kill(self):
        with self.change:
            if not self.is_up:
                return False
            if self.agent.poll() is not None:
                raise Broken(f"the agent of {self.name} ended by itself: {self.agent.returncode}")
            self.is_up = False
            self.kills += 1
            self.agent.send_signal(signal.SIGKILL)
            self.agent.wait()
        return True

    def stop(self):
        """Ends the agent as a person does; it must agree."""
        self.agent.send_signal(signal.SIGTERM)
        code = self.agent.wait(timeout=30)
        if code != 0:
            raise Broken(f"the agent of {self.name} ended with {code}")

    def partial_files(self):
        """Files that are on their way here."""
        try:
            return [each for each in os.listdir(self.home / "blobs" / "partial") if len(each) == 64]
        except FileNotFoundError:
            return []
