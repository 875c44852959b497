"""Play Coup in lockstep with coupml: `python -m tests.long.coup_lockstep 20000`; prints figures."""

import argparse
import sys

import msgspec

from tests.referee.games.coup.lockstep import Figures, play


def main() -> None:
    """Play with 2 to 6 players in turn, and print what was compared; a difference without a name stops it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int, help="how many matches")
    parser.add_argument("--seed", type=int, default=0, help="of the matches")
    wish = parser.parse_args()
    figures = Figures()
    for number in range(wish.games):
        play(number, wish.seed, figures)
    sys.stdout.write(msgspec.json.encode(figures).decode() + "\n")


if __name__ == "__main__":
    main()
