"""Kill a table so many times while it plays: `python -m tests.long.kill 100000`; prints what was counted."""

import argparse
import sys

import msgspec

from tests.firmware.storage.killing import kill_often


def main() -> None:
    """Kill, print the figures, and fail if an acknowledged answer was lost, doubled or replayed wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("points", type=int, help="how many kills")
    parser.add_argument("--seed", type=int, default=0, help="of the matches and the moments")
    wish = parser.parse_args()
    figures = kill_often(wish.points, wish.seed)
    sys.stdout.write(msgspec.json.encode(figures).decode() + "\n")
    sys.exit(figures.lost + figures.doubled + figures.wrong_state > 0)


if __name__ == "__main__":
    main()
