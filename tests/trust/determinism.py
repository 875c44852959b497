"""The same matches on several Pythons: `python -m tests.trust.determinism all=2000 python3.11 python3.13`.

Each Python has its own hash seed. The first one plays and stores the records, which every second one replays;
the others play the matches, too. Each needs msgspec, numpy and pytest. Results are printed block by block, so
that an interrupted run has results; `--first` continues from a match. It prints the digests, and fails if they
differ.
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.referee.same_bytes import parse_wanted
from tests.scripts import say, script

ROOT = Path(__file__).parents[2]
VERSION = "import platform; print(platform.python_version(), platform.machine())"
BLOCK = 1000  # matches of a game that all Pythons play before the next block


def _digest(python: str, name: str, numbers: range, place: int, folder: Path) -> str:
    """Play a block on one Python, or replay the first one's records; return the digest."""
    environ = {**os.environ, "PYTHONHASHSEED": f"{place * 4711}", "PYTHONPATH": str(ROOT)}
    block = [f"{name}={len(numbers)}", "--first", str(numbers.start)]
    how = [] if place and place % 2 == 0 else ["--replay" if place else "--keep", str(folder)]
    command = [python, "-m", "tests.referee.same_bytes", *block, *how]
    return subprocess.check_output(command, cwd=ROOT, env=environ, text=True).split()[-1]


@script
def main(scratch: Path, *words: str, first: int = 0) -> Iterator[str]:
    matches = parse_wanted([word for word in words if "=" in word])
    pythons = [word for word in words if "=" not in word]
    versions = (subprocess.check_output([python, "-c", VERSION], text=True).strip() for python in pythons)
    say(f"Python {', '.join(versions)}")
    if len(pythons) < 2 or not any(matches.values()):
        yield "nothing to compare"
    for name, number in matches.items():
        for start in range(first, first + number, BLOCK):
            numbers = range(start, min(start + BLOCK, first + number))
            # one at a time, to leave a Pi's other cores free
            digests = {_digest(python, name, numbers, at, scratch) for at, python in enumerate(pythons)}
            told = " ".join(digest[:16] for digest in sorted(digests))
            block = f"{name} {numbers.start}-{numbers.stop - 1}"
            say(f"{block}: {told if len(digests) == 1 else 'PARTED ' + told}")
            yield from [] if len(digests) == 1 else [block]
