"""Stop each process of a table in turn while people play: `python -m tests.trust.stopped 48`, so many stops.

It prints how soon there is a page again, or eyes that see: median, the slowest of twenty, the slowest. It
fails if that takes 15 seconds, if what needn't be is started again twice, or if the game isn't where it was.
A machine on which any start takes more than 7 seconds is allowed for. Ctrl-C ends it early.
"""

from tests.firmware.start.killed_table import STOPS
from tests.trust.killed_table import strike
from tests.trust.telling import finish, wishes

AGAIN, START = 15.0, 7.0
"""Seconds within which a process that is stopped is replaced, and the table as it was; of them, for a start."""
SLOW = ("page again", "new eyes", "going on")


def main() -> None:
    figures = strike(wishes(__doc__, "stops").stops, 0, 1, STOPS)
    most = AGAIN + max(0.0, max(figures.seconds["first page"]) - START)
    waits = [
        (what, max(seconds)) for what, seconds in figures.seconds.items() if any(word in what for word in SLOW)
    ]
    finish(figures, [f"{what}: {seconds:.3g} s" for what, seconds in waits if seconds >= most])


if __name__ == "__main__":
    main()
