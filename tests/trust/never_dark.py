"""Start tables where nothing can be kept, or something is missing: `python -m tests.trust.never_dark 5`.

In each world so many tables: the seconds until a page says what is wrong; then people play, the table is killed
and goes on from memory, and the match is taken along. Disks are filled while people play, cards are lost and
come back from a stick, copying is killed at any moment. It fails if a page doesn't come, or anything is lost;
what can't be had here is named.
"""

import argparse
import sys
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from tests.firmware.start.dark_figures import DarkFigures, fill_while_playing, lose_card, start_dark
from tests.firmware.start.dark_starts import FILLING, LACKING, PLUGGED, UNSAVED, DarkStart
from tests.firmware.storage.second_copy.killed_copies import kill_copies

SKIPPED = 77


def main() -> None:
    """Start, print a line for each world, and fail if anything is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("times", type=int, help="how many tables in each world")
    parser.add_argument("--only", default="", help="words that the name of a world has")
    parser.add_argument("--kills", type=int, default=200, help="how often copying is killed")
    wish = parser.parse_args()
    wrong, skipped = 0, 0
    for world in (each for each in (*UNSAVED, *LACKING, FILLING, PLUGGED) if wish.only in each.name):
        figures, why = DarkFigures(), world.needs()
        if why:
            skipped += 1
            sys.stdout.write(f"{world.name}: skipped, {why}\n")
            continue
        for time in range(wish.times):
            with TemporaryDirectory(prefix="dark") as folder:
                Path(folder).chmod(0o755)
                rng, home = Random(f"{world.name} {time}"), Path(folder, "home")
                _live(home, world, rng, figures)
        sys.stdout.write(f"{world.name}: {_line(figures)}\n")
        sys.stdout.flush()
        wrong += len(figures.wrong)
    with TemporaryDirectory() as folder:
        killed = kill_copies(Path(folder), wish.kills, Random(1))
    sys.stdout.write(f"copying, killed: {killed.line()}\n")
    sys.exit(1 if wrong or killed.wrong else SKIPPED if skipped else 0)


def _live(home: Path, world: DarkStart, rng: Random, figures: DarkFigures) -> None:
    if world is FILLING:
        fill_while_playing(home, rng, figures)
    elif world is PLUGGED:
        lose_card(home, rng, figures)
    else:
        start_dark(home, world, rng, figures)


def _line(figures: DarkFigures) -> str:
    pages, moved, copied = map(_spread, (figures.pages, figures.moved, figures.copied))
    counts = f"{figures.answers} answers, {figures.taken} matches taken along, {len(figures.wrong)} wrong"
    return "\n  ".join([f"page {pages}, moved {moved}, copied {copied}, {counts}", *figures.wrong])


def _spread(seconds: list[float]) -> str:
    return f"{median(seconds):.1f} to {max(seconds):.1f} s ({len(seconds)})" if seconds else "-"


if __name__ == "__main__":
    main()
