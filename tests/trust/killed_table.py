"""Kill a whole table during play: `python -m tests.trust.killed_table 2000`, on two parallel tables.

Companion and eyes are real processes on the twin; people use buttons, cards and phones at once. It fails if an
acknowledged answer is lost or duplicated, if the table asks something else after a kill, or if anything is left
behind. Ctrl-C or SIGTERM ends it with the figures so far.
"""

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from threading import Event

from tests.firmware.start.killed_table import Figures, Kill, Stop, strike_tables
from tests.scripts import add_up, say, script

MINUTE = 60.0  # seconds between progress lines


def strike(folder: Path, strikes: int, seed: int, tables: int, those: Sequence[Kill | Stop] = ()) -> Figures:
    """Kill parallel tables until enough strikes are done, or until interrupted."""
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
            say(f"{sum(now.strikes.values())} so far, broken: {now.broken or 'nothing'}")
    return add_up(several)


@script
def main(points: int, scratch: Path, seed: int = 0, tables: int = 2) -> Iterator[Figures]:
    yield strike(scratch, -(-points // tables), seed, tables)
