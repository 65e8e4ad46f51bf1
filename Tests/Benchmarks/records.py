"""Records of a schema of one's own: first syncs, writing meanwhile, and single ones among many."""

import os
import random
import sqlite3
import statistics
import threading
import time

import baselines
import table
from hosts import FOLDER, ROOT, Hosts, until

SCHEMA = ROOT / "examples" / "groceries" / "groceries.yaml"
PRODUCTS, PURCHASES = 1_000, 5_000
MANY = 100_000
PER_BATCH = 50_000
WORDS = "bread milk rye oat goat sheep dark light sweet salted fresh dried small large red blue".split()


class Groceries:
    """A space of Anna's that follows the groceries' schema, offered to Ben."""

    def __init__(self, hosts, name, products, is_encrypted=False):
        self.hosts = hosts
        document = SCHEMA.read_text()
        self.anna, self.ben = hosts.anna.api, hosts.ben.api
        draft = {"name": name, "document": document}
        if is_encrypted:
            draft["encrypted"] = True
        self.id = self.anna.call("POST", "/spaces", draft)["id"]
        self.chance = random.Random(7)
        self.rows = 0
        self.seconds = 0.0
        self.products = self.add("product", [self.product(number) for number in range(products)])

    def offer(self):
        self.anna.call("POST", f"/trips/{self.id}/members", {"person": "Ben", "role": "admin"})
        self.until_offered()

    def until_offered(self):
        until("the space is offered to Ben", lambda: any(
            space["id"] == self.id and space["membership"] == "granted"
            for space in self.ben.call("GET", "/spaces")))

    def product(self, number):
        words = self.chance.sample(WORDS, 3)
        return {"name": f"{words[0]} {words[1]} {number}", "note": f"the {words[2]} one",
                "labels": words[:2]}

    def purchase(self, number):
        return {
            "product": {"reference": {"id": self.chance.choice(self.products)}},
            "price": {"decimal": f"{self.chance.randint(10, 2000) / 100:.2f}"},
            "at": {"time": {"milliseconds": 1_700_000_000_000 + 60_000 * number,
                            "offsetMinutes": 60}}}

    def add(self, collection, rows, one_by_one=False):
        """In few commits, or each in a commit of its own. Returns the ids."""
        start = time.monotonic()
        ids = []
        if one_by_one:
            for fields in rows:
                ids.append(self.anna.call("POST", "/records", {
                    "space": self.id, "collection": collection, "fields": fields})["id"])
        else:
            for first in range(0, len(rows), PER_BATCH):
                ids += self.anna.call("POST", "/records/batch", {
                    "space": self.id, "collection": collection,
                    "records": [{"fields": fields} for fields in rows[first:first + PER_BATCH]]
                })["ids"]
        self.seconds += time.monotonic() - start
        self.rows += len(rows)
        return ids

    def purchases(self, count, one_by_one=False):
        return self.add("purchase", [self.purchase(n) for n in range(count)], one_by_one)

    def first_sync(self, of="records"):
        """Ben takes the space. Seconds until all of it is there, and the CPU seconds of both agents. As
        many rows of `of`, a table of the store, as were added one by one."""
        before = [host.cpu_seconds() for host in (self.hosts.anna, self.hosts.ben)]
        store = sqlite3.connect(f"file:{self.hosts.ben.home}/store.sqlite?mode=ro", uri=True)
        # No row is ever deleted here, so the greatest id counts them, and costs nothing.
        count = f"SELECT COALESCE(MAX(id), 0) FROM {of}"
        wanted = store.execute(count).fetchone()[0] + self.rows
        start = time.monotonic()
        self.hosts.ben.api.call("POST", f"/trips/{self.id}/accept")
        until("all records are on Ben's host",
              lambda: store.execute(count).fetchone()[0] >= wanted, 600, 0.005)
        seconds = time.monotonic() - start
        time.sleep(1)
        after = [host.cpu_seconds() for host in (self.hosts.anna, self.hosts.ben)]
        return seconds, [one - other for one, other in zip(after, before)]

    def check(self):
        """Both show the same, which is more than that as many rows are there."""
        anna, ben = (api.call("GET", f"/trips/{self.id}/digest") for api in (self.anna, self.ben))
        if anna["digest"] != ben["digest"]:
            raise SystemExit("the hosts show different records")


def report(what, space, seconds, cpu, limits):
    rate = space.rows / seconds
    table.line("records", f"{what}, added", space.rows / space.seconds, "records/s")
    table.line("records", f"{what}, first sync", seconds, "s")
    for than, value in limits:
        table.line("records", f"{what}, first sync", rate, "records/s", than, value)
    table.line("records", f"{what}, CPU of the sender", cpu[0], "s")
    table.line("records", f"{what}, CPU of the receiver", cpu[1], "s")


def records(many=int(os.environ.get("BENCHMARK_RECORDS", MANY))):
    """First syncs of 6,000 and of 100,000 records, in few commits and one by one."""
    with Hosts() as hosts:
        disk = 1000 * baselines.fsync_seconds()
        verified = baselines.verifications_per_second()
        plain = baselines.sqlite_rows_per_second()
        for what, one_by_one in (("6,000 in few commits", False), ("6,000 one by one", True)):
            space = Groceries(hosts, what, 0 if one_by_one else PRODUCTS)
            if one_by_one:
                space.products = space.add(
                    "product", [space.product(n) for n in range(PRODUCTS)], True)
            space.purchases(PURCHASES, one_by_one)
            space.offer()
            seconds, cpu = space.first_sync()
            space.check()
            limits = [("goal: in 1 s", space.rows), ("SQLite, rows of it", plain)]
            limits += [("Ed25519 verified", verified)] if one_by_one else []
            report(what, space, seconds, cpu, limits)
        large(hosts, many, plain, disk)


def large(hosts, many, plain, disk):
    what = f"{many:,} in few commits"
    for is_writing in (False, True):
        space = Groceries(hosts, f"{what}, {is_writing}", PRODUCTS)
        space.purchases(many - PRODUCTS)
        space.offer()
        if not is_writing:
            seconds, cpu = space.first_sync()
            space.check()
            report(what, space, seconds, cpu,
                   [("goal", 50_000), ("SQLite, rows of it", plain)])
            singles(hosts, space, disk)
            continue
        taken = write_meanwhile(hosts, space)
        table.line("records", f"writes during it ({len(taken)}), median",
                   statistics.median(taken), "ms", "fsync", disk)
        table.line("records", "writes during it, p99", table.percentile(taken, 0.99), "ms",
                   "limit B17", 50)
        table.line("records", "writes during it, max", max(taken), "ms", "limit B17", 50)


def write_meanwhile(hosts, space):
    """Milliseconds of each record that Ben adds to a space of his own while the sync goes on."""
    taken, is_over = [], threading.Event()
    api = hosts.ben.connection()
    own = api.call("POST", "/spaces", {"name": "Own", "document": SCHEMA.read_text()})["id"]

    def write():
        number = 0
        while not is_over.is_set():
            number += 1
            draft = {"space": own, "collection": "store", "fields": {"name": f"store {number}"}}
            taken.append(timed(api, "POST", "/records", draft))
            time.sleep(0.002)

    writer = threading.Thread(target=write)
    writer.start()
    time.sleep(0.2)
    taken.clear()
    space.first_sync()
    is_over.set()
    writer.join()
    return taken


def timed(api, method, path, body=None):
    """Milliseconds until a request is answered."""
    start = time.perf_counter()
    api.call(method, path, body)
    return 1000 * (time.perf_counter() - start)


def singles(hosts, space, disk, times=20):
    """One record among many, on the host that received them."""
    api, chance = hosts.ben.api, random.Random(3)
    scope = f"space={space.id}&collection="
    listed = api.call("GET", f"/records?{scope}product")["records"]
    names = [each["fields"]["name"].replace(" ", "%20") for each in listed]
    rest = f" of {space.rows:,}"

    def median(what, than, limit, call):
        taken = statistics.median(call() for _ in range(times))
        table.line("records", what, taken, "ms", than, limit)

    median("one by its name" + rest, "limit B17", 50, lambda: timed(
        api, "GET", f"/records/{chance.choice(names)}?{scope}product"))
    purchase = api.call("POST", "/records", {
        "space": space.id, "collection": "purchase", "fields": space.purchase(1)})["id"]
    median("one by its id" + rest, "limit B17", 50, lambda: timed(
        api, "GET", f"/records/{purchase}?{scope}purchase"))
    median("set one by its name" + rest, "fsync", disk, lambda: timed(
        api, "PATCH", f"/records/{chance.choice(names)}", {
            "space": space.id, "collection": "product",
            "fields": {"note": f"{chance.random()}"}}))
    median("add one that refers by name" + rest, "fsync", disk, lambda: timed(
        api, "POST", "/records", {
            "space": space.id, "collection": "purchase", "fields": space.purchase(2) | {
                "product": {"reference": {"id": chance.choice(names).replace("%20", " ")}}}}))
    times = 3
    median(f"list {PRODUCTS:,} with derived values", "one second", 1000, lambda: timed(
        api, "GET", f"/records?{scope}product"))
    ten = Groceries(hosts, "Ten thousand", 10_000)
    median("list 10,000", "one second", 1000, lambda: timed(
        ten.anna, "GET", f"/records?space={ten.id}&collection=product"))
