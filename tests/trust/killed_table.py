"""Kill a whole table during play: `python -m tests.trust.killed_table 2000`, on two parallel tables.

Companion and eyes are real processes on the twin; people use buttons, cards and phones at once. It fails if an
acknowledged answer is lost or duplicated, if the table asks something else after a kill, or if anything is left
behind. Ctrl-C or SIGTERM ends it with the figures so far.
"""

import signal
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from tests.firmware.start.killed_table import Figures, Kill, Stop, strike_tables
from tests.trust.telling import add_up, finish, say, wishes

MINUTE = 60.0  # seconds between progress lines


def main() -> None:
    wish = wishes(__doc__, "points", seed=0, tables=2)
    finish(strike(-(-wish.points // wish.tables), wish.seed, wish.tables))


def strike(strikes: int, seed: int, tables: int, those: Sequence[Kill | Stop] = ()) -> Figures:
    """Kill parallel tables until enough strikes are done, or until interrupted."""
    over, several = Event(), [Figures() for _table in range(tables)]
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_signal: over.set())
    with TemporaryDirectory(prefix="killed") as folder, ThreadPoolExecutor(tables) as pool:
        running = [
            pool.submit(strike_tables, Path(folder), strikes, seed + place, figures, over, those)
            for place, figures in enumerate(several)
        ]
        while wait(running, MINUTE).not_done:
            now = add_up(several)
            say(f"{sum(now.strikes.values())} so far, broken: {now.broken or 'nothing'}")
    return add_up(several)


if __name__ == "__main__":
    main()
