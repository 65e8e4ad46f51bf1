#!/usr/bin/python3
"""A stand-in for systemd where none can run: starts the program of a unit and speaks sd_notify(3) with it.

    service-manager.py UNIT

Reads ExecStart, WatchdogSec, RestartSec and Environment of the unit. Prints a line for each message of
the program and for what it does itself: "started PID", "watchdog", "ended CODE". Ends with the program,
after SIGTERM or when it ended with 0.
"""
import os, select, shlex, signal, socket, subprocess, sys, tempfile, time

unit = {}
environment = dict(os.environ)
for line in open(sys.argv[1]):
    name, _, value = line.strip().partition("=")
    if name == "Environment":
        variable, _, text = shlex.split(value)[0].partition("=")
        environment[variable] = text
    else:
        unit[name] = value
seconds = float(unit["WatchdogSec"])

# In the abstract namespace, which systemd itself may use, too.
notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
name = f"peersync-{os.path.basename(tempfile.mktemp())}"
notify.bind("\0" + name)
environment |= {"NOTIFY_SOCKET": "@" + name, "WATCHDOG_USEC": str(int(seconds * 1e6))}
child = None
stopping = False


def say(*words):
    print(*words, flush=True)


def stop(*_):
    global stopping
    stopping = True
    child.terminate()


signal.signal(signal.SIGTERM, stop)
while True:
    child = subprocess.Popen(shlex.split(unit["ExecStart"]), env=environment)
    say("started", child.pid)
    deadline = None
    while child.poll() is None:
        if select.select([notify], [], [], 0.1)[0]:
            for line in notify.recv(4096).decode().split("\n"):
                say(line)
                if line in ("READY=1", "WATCHDOG=1"):
                    deadline = time.monotonic() + seconds
        if deadline and not stopping and time.monotonic() > deadline:
            say("watchdog")
            child.kill()
            child.wait()
    say("ended", child.returncode)
    if stopping or child.returncode == 0:
        sys.exit(0)
    time.sleep(float(unit["RestartSec"]))
