"""Change a table's clock by hours and years during play: `python -m tests.trust.clocks 4` plays 4 matches.

The whole program runs on the twin. Its wall clock is changed before each start and during play, in time zones
around the world. It fails if an answer is out of order, lost or duplicated, if a game stops, or if the wrong
match is resumed. Without libfaketime (Debian: faketime) it reports that and exits with 77.
"""

import sys

from tests.firmware.start.jumping_clock import library
from tests.trust.killed_table import strike
from tests.trust.telling import SKIPPED, finish, say, wishes

STARTS = 6  # starts per match


def main() -> None:
    wish = wishes(__doc__, "matches")
    if library() is None:
        say("not tried: there is no libfaketime (Debian: apt install faketime)")
        sys.exit(SKIPPED)
    finish(strike(STARTS * wish.matches, 0, 1, ("clock",)))


if __name__ == "__main__":
    main()
