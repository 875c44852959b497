"""Stop each process of a table in turn while people play: `python -m tests.trust.stopped 48`, so many stops.

It prints how soon there is a page again, or eyes that see: median, the slowest of twenty, the slowest. It
fails if that takes 15 seconds, if what needn't be is started again twice, or if the game isn't where it was.
A machine on which any start takes more than 7 seconds is allowed for. Ctrl-C ends it early.
"""

import argparse
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.firmware.start.failing_cameras import Waits
from tests.firmware.start.stopped_table import Figures, settings, stop_often

AGAIN, START = 15.0, 7.0
"""Seconds within which a process that is stopped is replaced, and the table as it was; of them, for a start."""


def main() -> None:
    """Stop, print the figures, and fail if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stops", type=int, help="how many stops")
    wish, figures = parser.parse_args(), Figures()
    with TemporaryDirectory() as folder, suppress(KeyboardInterrupt):
        stop_often(Path(folder), wish.stops, figures)
    for who, seconds in sorted(figures.again.items()):
        sys.stdout.write(f"{who}: all as it was again after {Waits(seconds).summary()} s\n")
    for who, seconds in sorted(figures.dead.items()):
        sys.stdout.write(f"{who}: what was stopped is dead after {Waits(seconds).summary()} s\n")
    sys.stdout.write(f"a start, from nothing to its page: {Waits(figures.starts).summary()} s\n")
    kept = figures.kept
    sys.stdout.write(f"started again without need: {figures.restarts}\n")
    sys.stdout.write(f"moments told: {kept.told}, answers of phones that counted: {kept.counted}; ")
    sys.stdout.write(f"lost {kept.lost}, doubled {kept.doubled}, changed {kept.changed}, left {kept.left}\n")
    sys.stdout.write(
        f"the unit: WatchdogSec={settings()['WatchdogSec']} RestartSec={settings()['RestartSec']}\n"
    )
    most = AGAIN + max(0.0, max(figures.starts) - START)
    slow = [f"{who}: {max(each):.3g} s" for who, each in figures.again.items() if max(each) >= most]
    wrong = [*figures.wrong, *kept.wrong, *slow]
    sys.stdout.write("".join(f"  wrong: {each}\n" for each in wrong[:20]))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
