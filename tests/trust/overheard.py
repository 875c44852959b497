"""Listen to log and output for secrets: `python -m tests.trust.overheard 100`, so many matches of each game."""

import argparse
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from referee.games.catalogue import GAMES
from tests.firmware.start.overheard import cards_in_log, secrets_written
from tests.firmware.start.safely import free_port


def main() -> None:
    """Listen, print the figures, and fail if a secret is told."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", type=int, help="how many of each game")
    wish = parser.parse_args()
    told = 0
    for name, game in GAMES.items():
        named = 0
        for number in range(wish.matches):
            with TemporaryDirectory() as folder:
                named += len(cards_in_log(game, Random(f"{number} {name}"), Path(folder)))
        sys.stdout.write(f"{name}: {wish.matches} matches, cards in the log that hadn't been shown: {named}\n")
        told += named
    with TemporaryDirectory() as folder, free_port() as taken:
        port = int(taken.getsockname()[1])
        taken.close()
        found, learnt = secrets_written(Path(folder, "home"), port)
    sys.stdout.write(f"a table: {learnt} form tokens and cookies learnt, secrets written down: {len(found)}\n")
    sys.stdout.write("".join(f"  {each}\n" for each in found))
    sys.exit(told > 0 or bool(found))


if __name__ == "__main__":
    main()
