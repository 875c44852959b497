"""Change a table's clock by hours and years during play: `python -m tests.trust.clocks 4` plays 4 matches.

The whole program runs on the twin. Its wall clock is changed before each start and during play, in time zones
around the world. It fails if an answer is out of order, lost or duplicated, if a game stops, or if the wrong
match is resumed. Without libfaketime (Debian: faketime) it reports that and exits with 77.
"""

from collections.abc import Iterator
from pathlib import Path

from tests.firmware.start.jumping_clock import library
from tests.firmware.start.killed_table import Figures
from tests.scripts import script, skip
from tests.trust.killed_table import strike

STARTS = 6  # starts per match


@script
def main(matches: int, scratch: Path) -> Iterator[Figures]:
    if library() is None:
        skip("not tried: there is no libfaketime (Debian: apt install faketime)")
    yield strike(scratch, STARTS * matches, 0, 1, ("clock",))
