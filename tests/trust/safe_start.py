"""Break what a table keeps or needs, and start it: `python -m tests.trust.safe_start`, or some of it by name.

Each case is a table of its own, started on the twin until it is ready, four times at most. It fails if a table
isn't ready then, doesn't say what it set aside, shows a traceback, or if anything is gone, the journal first.
`--beside` says how many are tried beside each other, `--said` prints all that was said.
"""

from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.firmware.start.safely import Came, Case, cases, try_case
from tests.trust.telling import finish, say, wishes


def main() -> None:
    def try_alone(case: Case) -> Came:
        with TemporaryDirectory(prefix="safe") as folder:
            return try_case(case, Path(folder, "home"))

    wish = wishes(__doc__, words="only", said=False, beside=4)
    wanted = [case for case in cases() if all(word in case.name for word in wish.only)]
    starts, wrong = defaultdict[str, Counter[int]](Counter), list[str]()
    with ThreadPoolExecutor(wish.beside) as tables:
        for number, (case, what) in enumerate(zip(wanted, tables.map(try_alone, wanted), strict=True), 1):
            starts[case.thing][what.starts] += 1
            wrong += [f"{case.name}: {each}" for each in what.wrong]
            say(f"{number}/{len(wanted)} {case.name}: ready after {what.starts} {' '.join(what.wrong)}")
            for line in what.said if wish.said or what.wrong else ():
                say(f"    {line}")
    say("| what | ways | ready after 1, 2, 3, 4 starts |\n|---|---|---|")
    for thing, counts in starts.items():
        say(f"| {thing} | {counts.total()} | {', '.join(str(counts[number]) for number in (1, 2, 3, 4))} |")
    finish(wrong=wrong)


if __name__ == "__main__":
    main()
