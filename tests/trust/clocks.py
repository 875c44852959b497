"""Set a table's clock by hours and years while people play: `python -m tests.trust.clocks 4`, so many matches.

The whole program on the twin, with its processes, by a clock on the wall that is set before each start and
while people play, in time zones around the world. It fails if an answer gets out of order, is lost or
doubled, if a game stands still, or if another match goes on. Without libfaketime (Debian: faketime) it says
so and ends with 77.
"""

import sys

from tests.firmware.start.jumping_clock import library
from tests.trust.killed_table import strike
from tests.trust.telling import SKIPPED, finish, say, wishes

STARTS = 6  # starts for each match


def main() -> None:
    wish = wishes(__doc__, "matches")
    if library() is None:
        say("not tried: there is no libfaketime (Debian: apt install faketime)")
        sys.exit(SKIPPED)
    finish(strike(STARTS * wish.matches, 0, 1, ("clock",)))


if __name__ == "__main__":
    main()
