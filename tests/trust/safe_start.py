"""Break what a table keeps or needs, and start it: `python -m tests.trust.safe_start`, or some of it by name.

Each case is a table of its own, started on the twin until it is ready, four times at most. It fails if a table
isn't ready then, doesn't say what it set aside, shows a traceback, or if anything is gone, the journal first.
"""

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.firmware.start.safely import Came, Case, came, cases


def main() -> None:
    """Break one after the other, print what came of it, and fail if a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", help="words that the name of a case has")
    parser.add_argument("--said", action="store_true", help="print all that was said, too")
    parser.add_argument("--beside", type=int, default=4, metavar="N", help="so many tables beside each other")
    wish = parser.parse_args()
    wanted = [case for case in cases() if all(word in f"{case.thing} {case.way}" for word in wish.only)]
    found: list[tuple[Case, Came]] = []
    with ThreadPoolExecutor(wish.beside) as tables:
        for number, each in enumerate(tables.map(_try_case, wanted), 1):
            found.append(each)
            sys.stdout.write(f"{number}/{len(wanted)} {_line(*each, all_of_it=wish.said)}\n")
            sys.stdout.flush()
    sys.stdout.write("\n".join(_table(found)) + "\n")
    sys.exit(any(each.wrong for _case, each in found))


def _try_case(case: Case) -> tuple[Case, Came]:
    with TemporaryDirectory(prefix="safe") as folder:
        return case, came(case, Path(folder, "home"))


def _line(case: Case, what: Came, *, all_of_it: bool) -> str:
    said = "".join(f"\n    {line}" for line in what.said) if all_of_it or what.wrong else ""
    wrong = "".join(f"\n  WRONG {each}" for each in what.wrong)
    return f"{case.thing}, {case.way}: ready after {what.starts}{wrong}{said}"


def _table(found: list[tuple[Case, Came]]) -> Iterator[str]:
    """Sum up: for each thing its ways, how many were ready after one start, two, three, and what is wrong."""
    yield "| what | ways | ready after 1, 2, 3, 4 starts | wrong |"
    yield "|---|---|---|---|"
    for thing, group in groupby(found, lambda each: each[0].thing):
        cames = [each for _case, each in group]
        counts = ", ".join(str(sum(each.starts == number for each in cames)) for number in (1, 2, 3, 4))
        yield f"| {thing} | {len(cames)} | {counts} | {sum(bool(each.wrong) for each in cames)} |"


if __name__ == "__main__":
    main()
