"""Kill a whole table that plays: `python -m tests.trust.killed_table 2000`, two tables side by side.

Its companion and its eyes are real processes on the twin; people play with buttons, cards and phones at once.
It fails if an acknowledged answer is lost or doubled, if the table asks something else after a kill, or if
something is left behind. Ctrl-C or SIGTERM ends it with the figures so far.
"""

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from threading import Event, Thread

from tests.firmware.start.kill_figures import Figures, together
from tests.firmware.start.killed_table import kill_tables

LIMIT = 3.0
"""Seconds in which a table should be ready again."""
MINUTE, MOST = 60.0, 30
"""Seconds from one word about the figures to the next, and faults that are told at the end."""


def main() -> None:
    """Kill, print the figures, and fail if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("points", type=int, help="how many kills")
    parser.add_argument("--seed", type=int, default=0, help="of the people and the moments")
    parser.add_argument("--tables", type=int, default=2, help="how many play side by side")
    wish = parser.parse_args()
    over = Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_signal: over.set())
    share, several = -(-wish.points // wish.tables), [Figures() for _table in range(wish.tables)]
    with TemporaryDirectory(prefix="killed") as folder:
        tables = [
            Thread(target=kill_tables, args=(Path(folder), share, wish.seed + place, figures, over))
            for place, figures in enumerate(several)
        ]
        for table in tables:
            table.start()
        while any(table.is_alive() for table in tables):
            for table in tables:
                table.join(MINUTE / len(tables))
            sys.stderr.write(f"{_line(together(several))}\n")
            sys.stderr.flush()
    figures = together(several)
    sys.stdout.write("".join(f"{line}\n" for line in _figure_lines(figures)))
    sys.exit(figures.is_broken)


def _figure_lines(figures: Figures) -> Iterator[str]:
    yield f"killed: {_counts(figures.kills)}"
    yield f"by game: {_counts(figures.games)}; entered: {_counts(figures.senses)}"
    yield f"moments told: {figures.told}; answers that a phone was told to count: {figures.counted}"
    yield f"new matches told to be on: {figures.begun}; kills with more kept than told: {figures.untold}"
    yield f"starts with the cards of the last answer where others were asked for: {figures.lay_still}"
    yield f"answers of phones that heard nothing: {figures.unheard}, kept all the same: {figures.found}"
    yield _times("ready", figures.ready)
    yield _times("first page", figures.pages)
    yield _times("processors busy in the companion for that", figures.work)
    yield _times("page again below a supervisor", figures.again)
    yield _times("eyes lived on without their companion", figures.alone)
    yield _times("new eyes", figures.blind)
    yield _line(figures)
    yield from (f"  {each}" for each in figures.wrong[:MOST])


def _line(figures: Figures) -> str:
    return (
        f"{sum(figures.kills.values())} kills: lost {figures.lost}, doubled {figures.doubled},"
        f" changed {figures.changed}, left {figures.left}, given up {figures.fell}"
    )


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items(), key=lambda each: -each[1]))


def _times(what: str, seconds: Sequence[float]) -> str:
    if len(seconds) < 2:
        return f"{what}: {len(seconds)} times"
    late = sum(each > LIMIT for each in seconds)
    p95 = quantiles(seconds, n=20, method="inclusive")[-1]
    return (
        f"{what}: median {median(seconds):.2f} s, p95 {p95:.2f} s, at most {max(seconds):.2f} s,"
        f" {late} of {len(seconds)} over {LIMIT:g} s"
    )


if __name__ == "__main__":
    main()
