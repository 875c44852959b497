"""Kill a whole table during play: `python -m tests.trust.killed_table 2000`, on two parallel tables.

`48 stops` stops each process in turn instead, and `24 clock` changes the wall clock by hours and years before
each start and during play, in time zones around the world.

Companion and eyes are real processes on the twin; people use buttons, cards and phones at once. It fails if an
acknowledged answer is lost or duplicated, if the table asks something else afterwards, if anything is left
behind, or if a stopped process isn't replaced within 15 seconds; machines on which a start takes more than 7
seconds get more time. Ctrl-C or SIGTERM ends it with the figures so far.
"""

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from threading import Event
from typing import Literal

from tests.firmware.start.jumping_clock import library
from tests.firmware.start.killed_table import STOPS, Figures, Kill, Stop, strike_tables
from tests.scripts import add_up, say, script, skip

MINUTE = 60.0  # seconds between progress lines
AGAIN, START = 15.0, 7.0
"""Seconds to replace a stopped process and restore the table; the part of them for a start."""
SLOW = ("page again", "new eyes", "going on")
KINDS: dict[str, Sequence[Kill | Stop]] = {"kills": (), "stops": STOPS, "clock": ("clock",)}
"""What happens to the tables; any kind of kill if nothing is named."""


def strike(folder: Path, strikes: int, seed: int, tables: int, those: Sequence[Kill | Stop]) -> Figures:
    """Strike parallel tables often enough, or until interrupted."""
    over, several = Event(), [Figures() for _table in range(tables)]
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_signal: over.set())
    with ThreadPoolExecutor(tables) as pool:
        running = [
            pool.submit(strike_tables, folder, strikes, seed + place, figures, over, those)
            for place, figures in enumerate(several)
        ]
        while wait(running, MINUTE).not_done:
            now = add_up(several)
            say(f"{sum(now.strikes.values())} so far, wrong: {len(now.wrong)}")
    return add_up(several)


@script
def main(
    points: int, scratch: Path, kind: Literal["kills", "stops", "clock"] = "kills", /, seed: int = 0
) -> Iterator[object]:
    if kind == "clock" and library() is None:
        skip("not tried: there is no libfaketime (Debian: apt install faketime)")
    tables = 2 if kind == "kills" else 1
    yield (figures := strike(scratch, -(-points // tables), seed, tables, KINDS[kind]))
    if kind == "stops":
        most = AGAIN + max(0.0, max(figures.seconds["first page"]) - START)
        for what, seconds in figures.seconds.items():
            if any(word in what for word in SLOW) and max(seconds) >= most:
                yield f"{what}: {max(seconds):.3g} s"
