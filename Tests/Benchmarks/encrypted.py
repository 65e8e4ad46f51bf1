"""What encryption costs: the same records, each in a commit of its own, in a space that is not
encrypted, in an encrypted one, and in one that the other host carries as a vault."""

import os
import statistics
import time
import urllib.parse

import table
from big import command
from hosts import Hosts, until
from records import Groceries

COMMITS = int(os.environ.get("BENCHMARK_COMMITS", 10_000))
# One that is not encrypted first and last: a store that is fuller is slower.
KINDS = os.environ.get("BENCHMARK_KINDS", "plain encrypted vault plain").split()


def encrypted():
    taken = {}
    with Hosts() as hosts:
        for number, kind in enumerate(KINDS):
            taken.setdefault(kind, []).append(measure(hosts, f"{kind} {number}", kind))
        bare = command(hosts.ben, ["--version"], 20)
        for words in (["status"], ["vault", "list"]):
            table.line("encrypted", f"{' '.join(words)}, of {len(KINDS)} times {COMMITS:,} commits",
                       command(hosts.ben, words, 10), "ms", "peersync --version", bare)
    plain = {}
    if "plain" in taken:
        plain = {what: statistics.mean(one[what] for one in taken["plain"])
                 for what in taken["plain"][0]}
    for kind in dict.fromkeys(KINDS):
        for what, value in taken[kind][0].items():
            unit = "ms" if what.startswith("edit") else "s" if "CPU" in what else "records/s"
            if kind == "plain":
                table.line("encrypted", f"not encrypted, {what}", plain[what], unit)
            elif what in plain:
                table.line("encrypted", f"{kind}, {what}", value, unit, "not encrypted", plain[what])
            else:
                table.line("encrypted", f"{kind}, {what}", value, unit)


def measure(hosts, name, kind):
    """Figures of one space of its own."""
    space = Groceries(hosts, name, 1, is_encrypted=kind != "plain")
    space.purchases(COMMITS, one_by_one=True)
    # Nothing refers to it: what shows it is as little as can be.
    edited = space.add("product", [space.product(1)], one_by_one=True)[0]
    found = {"added": space.rows / space.seconds}
    if kind == "vault":
        hosts.anna.api.call("POST", "/vaults", {"device": "ben-host", "trip": space.id})
        space.until_offered()
    else:
        space.offer()
    seconds, cpu = space.first_sync(of="commits")
    found["first sync"] = space.rows / seconds
    found["first sync, CPU of the sender"], found["first sync, CPU of the receiver"] = cpu
    if kind != "vault":
        space.check()
        found["edit to other host, median"] = edits(hosts, space, edited)
    return found


def edits(hosts, space, product, times=60):
    """Milliseconds from an edit on one host until the other host's local API shows it."""
    taken = []
    record = f"/records/{product}"
    place = {"space": space.id, "collection": "product"}
    shown = f"{record}?{urllib.parse.urlencode(place)}"
    for turn in range(times + 3):
        time.sleep(0.1)
        text = f"edit {turn}"
        start = time.perf_counter()
        hosts.anna.api.ask("PATCH", record, place | {"fields": {"note": text}})
        until("the edit is there", lambda: text in str(hosts.ben.api.call("GET", shown)), 20, 0)
        taken.append(1000 * (time.perf_counter() - start))
        hosts.anna.api.answer()
    return statistics.median(taken[3:])
