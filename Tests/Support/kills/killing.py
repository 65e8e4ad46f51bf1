"""Who is killed when: drawn from the seed."""

import random
import threading
import time

FULL_STOP_SECONDS = 1.5


class Killer(threading.Thread):
    """Kills agents and starts them again until its plan is done; `failure` is what went wrong."""

    def __init__(self, hosts, seed, count, say):
        super().__init__(name="killer", daemon=True)
        self.hosts, self.say = hosts, say
        self.random = random.Random(f"{seed}/killer")
        self.left = count
        self.failure = None

    def run(self):
        try:
            for _ in range(self.left):
                self.kill_some()
                self.left -= 1
        except Exception as error:  # told to the main thread, which ends the run
            self.failure = error

    @property
    def is_done(self):
        return self.left == 0 or self.failure is not None

    def kill_some(self):
        moment = self.random.choice([self.any_time, self.in_a_write, self.in_a_transfer])
        victims = self.random.sample(self.hosts, self.random.choice([1, 1, 1, 2, 3]))
        self.strike(victims, moment(victims[0]))

    def strike(self, victims, when):
        """Kills at once, and lets them come back one by one."""
        killed = [host for host in victims if host.kill()]
        pauses = [self.random.uniform(0, FULL_STOP_SECONDS) for _ in victims]
        self.say(f"kill -9 {', '.join(host.name for host in killed)} {when}")
        for host, pause in zip(killed, pauses):
            time.sleep(pause / len(killed))
            host.start()

    def any_time(self, _):
        time.sleep(self.random.uniform(0.1, 1.5))
        return "at any time"

    def in_a_write(self, host):
        """Somewhere in a command, from its first look at the socket to its answer."""
        delay = self.random.uniform(0, 0.4)
        with host.began:
            host.began.wait(timeout=5)
            current = host.current
        time.sleep(delay)
        return f"{delay:.2f} s into “{current}” on {host.name}"

    def in_a_transfer(self, host):
        """While a file is on its way to that host; the victim may also be who sends it."""
        delay = self.random.uniform(0, 0.15)
        deadline = time.monotonic() + 4
        while not host.partial_files() and time.monotonic() < deadline:
            time.sleep(0.005)
        count = len(host.partial_files())
        time.sleep(delay)
        return f"while {count} files are on their way to {host.name}"
