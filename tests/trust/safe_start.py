"""Break a table's files or resources, and start it: `python -m tests.trust.safe_start`, or cases by name.

Each case is a separate table, started on the twin up to four times until it is ready. It fails if a table never
becomes ready, doesn't report the state it set aside, shows a traceback, or loses data, above all its journal.
`--beside` sets the number of parallel cases, `--said` prints all output.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.firmware.start.safely import Case, CaseResult, cases, try_case
from tests.scripts import say, script


def try_alone(case: Case) -> CaseResult:
    with TemporaryDirectory(prefix="safe") as folder:
        return try_case(case, Path(folder, "home"))


@script
def main(*only: str, said: bool = False, beside: int = 4) -> Iterator[str]:
    wanted = [case for case in cases() if all(word in case.name for word in only)]
    starts = defaultdict[str, Counter[int]](Counter)
    with ThreadPoolExecutor(beside) as tables:
        for number, (case, what) in enumerate(zip(wanted, tables.map(try_alone, wanted), strict=True), 1):
            starts[case.thing][what.starts] += 1
            yield from (f"{case.name}: {each}" for each in what.wrong)
            say(f"{number}/{len(wanted)} {case.name}: ready after {what.starts} {' '.join(what.wrong)}")
            for line in what.said if said or what.wrong else ():
                say(f"    {line}")
    say("| what | ways | ready after 1, 2, 3, 4 starts |\n|---|---|---|")
    for thing, counts in starts.items():
        say(f"| {thing} | {counts.total()} | {', '.join(str(counts[number]) for number in (1, 2, 3, 4))} |")
