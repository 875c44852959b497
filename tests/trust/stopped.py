"""Stop each process of a table in turn during play: `python -m tests.trust.stopped 48`, for 48 stops.

It prints the time until pages load or the eyes see again: median, 95th percentile, maximum. It fails if that
takes 15 seconds, if a process is needlessly restarted twice, or if the game isn't where it was. Machines on
which a start takes more than 7 seconds get more time. Ctrl-C ends it early.
"""

from collections.abc import Iterator
from pathlib import Path

from tests.firmware.start.killed_table import STOPS
from tests.scripts import script
from tests.trust.killed_table import strike

AGAIN, START = 15.0, 7.0
"""Seconds to replace a stopped process and restore the table; the part of them for a start."""
SLOW = ("page again", "new eyes", "going on")


@script
def main(stops: int, scratch: Path) -> Iterator[object]:
    yield (figures := strike(scratch, stops, 0, 1, STOPS))
    most = AGAIN + max(0.0, max(figures.seconds["first page"]) - START)
    for what, seconds in figures.seconds.items():
        if any(word in what for word in SLOW) and max(seconds) >= most:
            yield f"{what}: {max(seconds):.3g} s"
