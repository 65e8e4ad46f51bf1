"""Measures the works and compares them with the figures in the repository, or writes these: see costs."""

import os
import pathlib
import platform
import shutil
import subprocess
import sqlite3
import sys
import time

import ledger
import works
from hosts import BINARY, FOLDER, ROOT

IS_LARGE = os.environ["COSTS_SIZE"] == "large"
FILE = pathlib.Path(__file__).with_name("costs-large.tsv" if IS_LARGE else "costs.tsv")
HISTORY = FILE.with_name("history.tsv")
COMMAND = "Tests/Benchmarks/costs" + (" large" if IS_LARGE else "")


def note(text):
    print(f"{time.monotonic():.0f} … {text}", file=sys.stderr, flush=True)


def said_by(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def this_platform():
    """What instruction counts depend on besides the program: libraries, and what valgrind says that the
    processor can do."""
    system = platform.freedesktop_os_release()
    has_avx2 = " avx2 " in pathlib.Path("/proc/cpuinfo").read_text()
    return ", ".join([
        platform.machine() + (" with AVX2" if has_avx2 else ""),
        f"{system['ID']} {system.get('VERSION_ID', '?')}", f"SQLite {sqlite3.sqlite_version}",
        said_by("valgrind", "--version"), swift_version(), build_kind()])


def build_kind():
    """The compiler links the support for unoptimised code only where there is such code."""
    needed = said_by("readelf", "--dynamic", BINARY)
    if "libswiftSwiftOnoneSupport" in needed:
        return "debug build"
    return "optimised build" if "libswiftCore" in needed else "static build"


def swift_version():
    words = said_by("swift", "--version").split()
    return f"Swift {words[words.index('version') + 1]}"


def read_ledger():
    try:
        return ledger.read(FILE.read_text())
    except FileNotFoundError:
        return ledger.Ledger("none", {})
    except ledger.Unreadable as error:
        raise SystemExit(f"{FILE.relative_to(ROOT)} cannot be read: {error}") from None


# How often a work is counted that seems to have become dearer.
TRIES = 3


def measured(known, is_compared):
    """What all works cost. A work that seems to have become dearer is counted again, and the smallest figure
    holds: what timers and other chance bring is always more."""
    found = works.measure(list(works.WORKS), note)
    for _ in range(TRIES - 1):
        suspects = ledger.compare(known, found, is_compared).grown
        if not suspects or not known.figures:
            break
        again = works.measure(list(dict.fromkeys(work for work, _ in suspects)), note)
        found |= {key: min(found[key], value) for key, value in again.items() if key in found}
    return found


def check():
    known, here = read_ledger(), this_platform()
    is_alike = known.platform == here

    def is_compared(key):
        return is_alike or not key[1].endswith("instructions")

    if not is_alike:
        print(f"Instructions are not compared: the figures are of {known.platform}, this is {here}.")
    found = measured(known, is_compared)
    verdict = ledger.compare(known, found, is_compared)
    report(verdict, known, found)
    if verdict.holds:
        print(f"{len(found)} figures are within their tolerance.")
        return 0
    print(
        f"\nIf the change is worth that: run `{COMMAND} update`, commit {FILE.name} and history.tsv\n"
        "together with the change, and say in its message why it costs more.")
    return 1


def report(verdict, known, found):
    for key in verdict.grown:
        figure = known.figures[key]
        print("dearer   " + ledger.describe(key, figure.value, found[key], figure.percent))
    for key in verdict.fallen:
        print("cheaper  " + ledger.describe(key, known.figures[key].value, found[key]))
    for key in verdict.new:
        print(f"new      {' / '.join(key)}: {found[key]:,}, not in {FILE.name}")
    for key in verdict.gone:
        print(f"gone     {' / '.join(key)}: in {FILE.name}, but not measured")
    if verdict.fallen:
        print(f"Good news. `{COMMAND} update` holds on to it.")


def update():
    known = read_ledger()
    found = measured(known, lambda key: True)
    parent = said_by("git", "-C", str(ROOT), "rev-parse", "--short", "HEAD")
    fresh, rows = ledger.updated(known, found, this_platform(), parent)
    if not HISTORY.exists():
        HISTORY.write_text("\t".join(ledger.HISTORY_COLUMNS) + "\n")
    with open(HISTORY, "a", encoding="utf-8") as file:
        file.writelines(row + "\n" for row in rows)
    FILE.write_text(fresh.text())
    print(f"{len(rows)} figures have changed. Say in the commit why.")
    return 0


def show(times="1"):
    known = read_ledger()
    columns = [works.measure(list(works.WORKS), note) for _ in range(int(times))]
    for key in columns[0]:
        figure = known.figures.get(key)
        values = [f"{column[key]:>15,}" for column in columns]
        print(f"{key[0]:20}{key[1]:24}{figure.value if figure else '-':>15}  {' '.join(values)}")
    return 0


def keep():
    """What callgrind wrote, for whoever wants to know where the instructions went."""
    folder = pathlib.Path(os.environ["COSTS_KEEP"])
    folder.mkdir(parents=True, exist_ok=True)
    for path in FOLDER.glob("*.callgrind*"):
        shutil.copy(path, folder)


if __name__ == "__main__":
    code = {"check": check, "update": update, "show": show}[sys.argv[1]](*sys.argv[2:])
    if "COSTS_KEEP" in os.environ:
        keep()
    sys.exit(code)
