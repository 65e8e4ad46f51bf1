"""The table: one line per number, with what it is compared with."""

import json
import math

from hosts import FOLDER

FILE = FOLDER / "lines.json"


def line(benchmark, measure, value, unit, than=None, than_value=None):
    """Keeps a line for the table; `than_value` has the same unit."""
    lines = json.loads(FILE.read_text()) if FILE.exists() else []
    lines.append([benchmark, measure, value, unit, than, than_value])
    FILE.write_text(json.dumps(lines))


def percentile(values, share):
    """The value that `share` of all are not above."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def number(value):
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def show():
    rows = [["", "what", "peersync", "", "compared with", "", "ratio"]]
    before = None
    for benchmark, measure, value, unit, than, than_value in json.loads(FILE.read_text()):
        row = ["" if benchmark == before else benchmark, measure, number(value), unit]
        row += [than, number(than_value), f"{value / than_value:.3g}"] if than else ["", "", ""]
        rows.append(row)
        before = benchmark
    widths = [max(len(row[column]) for row in rows) for column in range(7)]
    for row in rows:
        cells = [
            cell.rjust(width) if column in (2, 5, 6) else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths))]
        print("  ".join(cells).rstrip())
