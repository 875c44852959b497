"""Change a sign in the code, and see whether a test notices: `python -m tests.long.mutants referee --count 99`.

A mutant is a flipped comparison, a constant off by one, and for or, a lost not, or plus for minus. It is
killed if one of the nearest tests that come by its line fails: those of the folder that mirrors its own, and
for a game those that play it. A survivor meets a wider circle of tests afterwards. Who is left is listed: a
test is missing, or it is the same by meaning and belongs in `equivalent_mutants.py`, with the reason.
"""

import argparse
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.long.equivalent_mutants import REASONS
from tests.long.mutant_trials import (
    Circle,
    copy_tree,
    draw_circle,
    import_shared,
    is_noticed,
    is_noticed_wider,
    nearest_tests,
)
from tests.long.mutating import Mutant, mutants_in

ROOMS = ("referee", "vision", "webui/access", "firmware/core")


def survivors_of(mutants: list[Mutant], tree: Path, *, wide: bool) -> Iterator[tuple[int, Mutant]]:
    """Try mutants one after the other, and tell of each survivor how many were tried up to it."""

    @cache
    def circle(tests: tuple[str, ...]) -> Circle:
        return draw_circle(tests, tree)

    for number, mutant in enumerate(mutants, start=1):
        if is_noticed(mutant, circle(nearest_tests(mutant.file)), tree):
            continue
        if wide and is_noticed_wider(mutant, tree):
            continue
        yield number, mutant


def survivors_in(printed: str, mutants: list[Mutant]) -> list[Mutant]:
    """Choose the mutants that a list of survivors names by file and code: their lines may have moved."""
    named = {tuple(line.split("   ")[:2]) for line in printed.splitlines() if line.startswith("survived: ")}
    places = {(where.removeprefix("survived: ").partition(":")[0], code) for where, code in named}
    return [mutant for mutant in mutants if (mutant.file, mutant.code) in places]


def main() -> None:
    """Try mutants of a room, list the survivors, and print the share that was killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "room", nargs="*", default=["referee"], help=f"folders or files, such as {', '.join(ROOMS)}"
    )
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--near", action="store_true", help="ask the nearest tests only")
    parser.add_argument("--again", type=Path, help="try only those that survived by a printed list")
    wish = parser.parse_args()
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import_shared()
    all_of_them = [mutant for room in wish.room for mutant in mutants_in(room)]
    if wish.again:
        all_of_them = survivors_in(wish.again.read_text(), all_of_them)
    chosen = Random(wish.seed).sample(all_of_them, min(wish.count, len(all_of_them)))
    differing = [mutant for mutant in chosen if (mutant.file, mutant.code) not in REASONS]
    survived = 0
    with TemporaryDirectory(prefix="mutants") as folder:
        for number, mutant in survivors_of(differing, copy_tree(Path(folder)), wide=not wish.near):
            survived += 1
            print(
                f"survived: {mutant}   {mutant.code}   ({number - survived} of {number} killed so far)",
                flush=True,
            )
    print(
        f"{' '.join(wish.room)}, seed {wish.seed}: {len(differing) - survived} of {len(differing)} killed;"
        f" {len(chosen) - len(differing)} equivalent, of {len(all_of_them)} that there are"
    )


if __name__ == "__main__":
    main()
