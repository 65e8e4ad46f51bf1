"""Whether costs would notice: faults planted in the figures, and a program whose counts are known."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import ledger

KEY, OTHER = ("start", "command instructions"), ("1,000 edits", "agent fsyncs")
NOTHING = ("start", "command processes")

# Three transactions that write, one that is rolled back and one that only reads; two fsyncs and one child;
# two records of TLS in five pieces to a TCP socket, and as much to a unix socket, which is not counted.
KNOWN_PROGRAM = """
import os, socket, sqlite3, subprocess
database = sqlite3.connect(":memory:", isolation_level=None)
for statement in (
    "CREATE VIRTUAL TABLE one USING fts5 (a)", "BEGIN", "INSERT INTO one VALUES ('a')",
    "INSERT INTO one VALUES ('b')", "COMMIT", "INSERT INTO one VALUES ('c')", "BEGIN",
    "INSERT INTO one VALUES ('d')", "ROLLBACK", "BEGIN", "SELECT * FROM one", "COMMIT",
):
    database.execute(statement).fetchall()
file = os.open(os.environ["SCRATCH"], os.O_CREAT | os.O_WRONLY)
os.fsync(file)
os.fdatasync(file)
subprocess.run(["/bin/true"], check=True, close_fds=False)
listener = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(listener.getsockname())
local, _ = socket.socketpair()
record = b"\\x17\\x03\\x03\\x00\\x0a" + bytes(10)
for to in (client, local):
    to.sendall(record[:3])
    os.write(to.fileno(), record[3:9])
    to.sendmsg([record[9:], record[:5]])
    os.writev(to.fileno(), [record[5:7], record[7:]])
"""
KNOWN_COUNTS = {
    "statements": 12, "transactions": 3, "fsyncs": 2, "processes": 1, "wire_bytes": 30,
    "TLS_records": 2,
}


def example(**changes):
    figures = {KEY: ledger.Figure(1_000), OTHER: ledger.Figure(100, 20, "batches"),
               NOTHING: ledger.Figure(0)}
    return ledger.Ledger(changes.get("platform", "here"), figures)


def values(**changes):
    found = {KEY: 1_000, OTHER: 100, NOTHING: 0}
    return found | changes.get("to", {})


class Comparing(unittest.TestCase):
    def test_what_is_as_it_was_holds(self):
        verdict = ledger.compare(example(), values(to={KEY: 1_050, OTHER: 119}))
        self.assertTrue(verdict.holds)
        self.assertEqual(verdict.changed, [])

    def test_growth_beyond_the_tolerance_fails(self):
        for key, value in ((KEY, 1_051), (OTHER, 121), (NOTHING, 1)):
            verdict = ledger.compare(example(), values(to={key: value}))
            self.assertFalse(verdict.holds)
            self.assertEqual(verdict.grown, [key])

    def test_figures_lowered_by_a_tenth_fail(self):
        lowered = ledger.read(example().text().replace("\t1000\t", "\t900\t"))
        self.assertEqual(ledger.compare(lowered, values()).grown, [KEY])

    def test_savings_are_told_and_do_not_fail(self):
        verdict = ledger.compare(example(), values(to={KEY: 900}))
        self.assertTrue(verdict.holds)
        self.assertEqual(verdict.fallen, [KEY])

    def test_a_figure_too_many_or_too_few_fails(self):
        self.assertFalse(ledger.compare(example(), {KEY: 1_000, OTHER: 100}).holds)
        self.assertFalse(ledger.compare(example(), values(to={("a", "b"): 1})).holds)

    def test_instructions_of_another_platform_are_not_compared(self):
        verdict = ledger.compare(
            example(), values(to={KEY: 9_000, OTHER: 500}), lambda key: key != KEY)
        self.assertEqual(verdict.grown, [OTHER])


class Keeping(unittest.TestCase):
    def test_what_is_written_is_read_again(self):
        self.assertEqual(ledger.read(example().text()), example())

    def test_what_cannot_be_read_says_its_line(self):
        good = example().text()
        for bad, said in (
            (good.replace("\t1000\t", "\tmany\t"), "line 5"),
            (good.replace("\t1000\t", "\t-1\t"), "line 5"),
            (good.replace("\tbatches", ""), "line 6"),
            (good + "start\tcommand instructions\t1\t5\n", "line 8"),
            (good + "start\n", "line 8"),
            (good.replace("percent", "per mille"), "line"),
            (good.replace(ledger.PLATFORM, "# "), "platform"),
            ("", "platform"),
        ):
            with self.assertRaisesRegex(ledger.Unreadable, said):
                ledger.read(bad)

    def test_an_update_keeps_what_is_within_its_tolerance(self):
        fresh, rows = ledger.updated(
            example(), values(to={KEY: 1_040, OTHER: 150}), "here", "abc1234")
        self.assertEqual(fresh.figures[KEY].value, 1_000)
        self.assertEqual(fresh.figures[OTHER], ledger.Figure(150, 20, "batches"))
        self.assertEqual(len(rows), 1)
        self.assertEqual(
            rows[0].split("\t")[1:], ["abc1234", "1,000 edits", "agent fsyncs", "100", "150"])

    def test_an_update_on_another_platform_writes_all(self):
        fresh, rows = ledger.updated(example(), values(to={KEY: 1_001}), "there", "abc1234")
        self.assertEqual((fresh.platform, fresh.figures[KEY].value), ("there", 1_001))
        self.assertEqual(fresh.figures[OTHER].reason, "batches")
        self.assertEqual([row.split("\t")[4:] for row in rows], [["", "1001"], ["", "100"], ["", "0"]])


class Counting(unittest.TestCase):
    def test_counts_of_a_known_program_are_exact(self):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder, "report")
            # Python opens SQLite later than the counters look for it.
            libraries = os.environ["COSTS_COUNTERS"] + ":libsqlite3.so.0"
            subprocess.run(
                ["/usr/bin/python3", "-c", KNOWN_PROGRAM], check=True,
                env=os.environ | {"LD_PRELOAD": libraries, "COUNTERS_FILE": str(report),
                                  "SCRATCH": folder + "/file"})
            found = dict(word.split("=") for word in report.read_text().split())
        self.assertEqual({name: int(value) for name, value in found.items()}, KNOWN_COUNTS)


if __name__ == "__main__":
    unittest.main()
