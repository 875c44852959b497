"""Set a table's clock by hours and years while people play: `python -m tests.trust.clocks 4`, so many matches.

The whole program on the twin, with its processes, by a clock on the wall that is set while windows are open,
between starts, between a backup and its restoring, in time zones around the world. It fails if an answer gets
out of order, if the clock that answers for people is early or never comes, or if another match goes on. Without
libfaketime (Debian: faketime) it says so and ends with 77.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from tests.firmware.start.jumping_clock import Clocks, is_kept, library, play

STARTS, TURNS = 3, 3
"""Starts of each match, and turns after each; then the players are so rich that they have to strike."""


def main() -> None:
    """Play, print the figures, and fail if anything isn't as promised."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", type=int, help="how many matches")
    wish = parser.parse_args()
    if library() is None:
        sys.stdout.write("not tried: there is no libfaketime (Debian: apt install faketime)\n")
        sys.exit(77)
    figures = Clocks()
    for number in range(wish.matches):
        with TemporaryDirectory() as folder:
            play(Path(folder), STARTS, TURNS, number, figures)
        sys.stdout.write(f"{msgspec.json.encode(figures).decode()}\n")
        sys.stdout.flush()
    sys.exit(not is_kept(figures))


if __name__ == "__main__":
    main()
