"""The figures that stand in the repository, and what a measurement says against them."""

import dataclasses
import datetime

DEFAULT_PERCENT = 5.0
COLUMNS = ["work", "figure", "value", "percent", "reason"]
HISTORY_COLUMNS = ["date", "parent", "work", "figure", "before", "after"]
HEADING = """\
# What fixed works cost, and by how many percent more a figure may cost before the check fails.
# Tests/Benchmarks/costs update writes this file; .github/CONTRIBUTING.md says how to read it.
"""
PLATFORM = "# platform: "


class Unreadable(Exception):
    """The file of the figures is not one."""


@dataclasses.dataclass
class Figure:
    value: int
    percent: float = DEFAULT_PERCENT
    # Why `percent` is not the usual one.
    reason: str = ""


@dataclasses.dataclass
class Ledger:
    platform: str
    figures: dict

    def text(self):
        rows = ["\t".join(COLUMNS)]
        for (work, name), figure in self.figures.items():
            row = [work, name, str(figure.value), f"{figure.percent:g}", figure.reason]
            rows.append("\t".join(row).rstrip("\t"))
        return HEADING + PLATFORM + self.platform + "\n" + "\n".join(rows) + "\n"


def read(text):
    """A ledger, or `Unreadable` with the line's number."""
    platform, figures, has_header = None, {}, False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            platform = line[len(PLATFORM):] if line.startswith(PLATFORM) else platform
        elif not has_header:
            has_header = line.split("\t") == COLUMNS
            if not has_header:
                raise Unreadable(f"line {number} should name the columns {' '.join(COLUMNS)}")
        else:
            key, figure = read_row(line, number)
            if key in figures:
                raise Unreadable(f"line {number} has {' / '.join(key)} a second time")
            figures[key] = figure
    if platform is None or not figures:
        raise Unreadable("it has no line with the platform, or no figures")
    return Ledger(platform, figures)


def read_row(line, number):
    fields = line.split("\t")
    try:
        work, name, value, percent = fields[:4]
        figure = Figure(int(value), float(percent), "\t".join(fields[4:]))
    except ValueError:
        raise Unreadable(f"line {number} is no row of {' '.join(COLUMNS)}: {line!r}") from None
    if not work or not name or figure.value < 0 or not 0 <= figure.percent < 1000:
        raise Unreadable(f"line {number} has an impossible value: {line!r}")
    if figure.percent != DEFAULT_PERCENT and not figure.reason:
        raise Unreadable(f"line {number} has a tolerance of its own without a reason")
    return (work, name), figure


@dataclasses.dataclass
class Verdict:
    grown: list
    fallen: list
    # Measured but not in the file, and the reverse.
    new: list
    gone: list

    @property
    def holds(self):
        return not self.grown and not self.new and not self.gone

    @property
    def changed(self):
        return self.grown + self.fallen + self.new + self.gone


def compare(ledger, measured, is_compared=lambda key: True):
    """What `measured`, values by work and figure, says against the ledger. Figures that are not compared
    here stand in none of the lists."""
    found = Verdict([], [], [], [])
    for key, value in measured.items():
        figure = ledger.figures.get(key)
        if figure is None:
            found.new.append(key)
        elif is_compared(key):
            share = figure.percent / 100
            if value > figure.value * (1 + share):
                found.grown.append(key)
            elif value < figure.value * (1 - share):
                found.fallen.append(key)
    found.gone = [key for key in ledger.figures if key not in measured]
    return found


def describe(key, before, after, percent=None):
    """One line for people."""
    text = f"{key[0]}, {key[1]}: {number(before)} → {number(after)}"
    if before:
        text += f" ({100 * (after - before) / before:+.1f} %"
        text += f", tolerance {percent:g} %)" if percent is not None else ")"
    return text


def number(value):
    return f"{value:,}"


def updated(ledger, measured, platform, parent):
    """The ledger and the rows of the history after a change of the figures. A figure within its tolerance
    stays as it is, so that small steps add up until somebody has to say why. Another platform changes all of
    them, and then the history has no value before, as that would compare what cannot be compared."""
    verdict = compare(ledger, measured)
    is_alike = ledger.platform == platform
    changed = set(verdict.changed) if is_alike else {*measured, *verdict.gone}
    today = datetime.date.today().isoformat()
    figures, rows = {}, []
    for key in [*measured, *verdict.gone]:
        old = ledger.figures.get(key)
        if key not in changed:
            figures[key] = old
            continue
        if key in measured:
            figures[key] = dataclasses.replace(old or Figure(0), value=measured[key])
        before, after = old.value if old and is_alike else "", measured.get(key, "")
        rows.append("\t".join([today, parent, *key, str(before), str(after)]))
    return Ledger(platform, figures), rows
