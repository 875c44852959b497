"""The same matches on several Pythons: `python -m tests.trust.determinism all=2000 python3.11 python3.13`.

Each Python has its own hash seed. The first one plays and stores the records, which every second one replays;
the others play the matches, too. Each needs msgspec, numpy and pytest. Results are printed block by block, so
that an interrupted run has results; `--first` continues from a match. It prints the digests, and fails if they
differ.
"""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.referee.same_bytes import parse_wanted
from tests.trust.telling import say, wishes

ROOT = Path(__file__).parents[2]
VERSION = "import platform; print(platform.python_version(), platform.machine())"
BLOCK = 1000  # matches of a game that all Pythons play before the next block


def main() -> None:
    wish = wishes(__doc__, words="words", first=0)
    matches = parse_wanted([word for word in wish.words if "=" in word])
    pythons = [word for word in wish.words if "=" not in word]
    versions = (_run_command([python, "-c", VERSION], os.environ).strip() for python in pythons)
    say(f"Python {', '.join(versions)}")
    same = [
        _is_same(pythons, name, range(first, min(first + BLOCK, wish.first + number)))
        for name, number in matches.items()
        for first in range(wish.first, wish.first + number, BLOCK)
    ]
    sys.exit(len(pythons) < 2 or not same or not all(same))


def _is_same(pythons: list[str], name: str, numbers: range) -> bool:
    """Play a block of a game on each Python; print and compare the digests."""
    with TemporaryDirectory(prefix="same") as folder:
        # one at a time, to leave a Pi's other cores free
        digests = {_digest(python, name, numbers, place, folder) for place, python in enumerate(pythons)}
    told = " ".join(digest[:16] for digest in sorted(digests))
    say(f"{name} {numbers.start}-{numbers.stop - 1}: {told if len(digests) == 1 else 'PARTED ' + told}")
    return len(digests) == 1


def _digest(python: str, name: str, numbers: range, place: int, folder: str) -> str:
    """Play a block on one Python, or replay the first one's records; return the digest."""
    environ = {**os.environ, "PYTHONHASHSEED": f"{place * 4711}", "PYTHONPATH": str(ROOT)}
    block = [f"{name}={len(numbers)}", "--first", str(numbers.start)]
    how = [] if place and place % 2 == 0 else ["--replay" if place else "--keep", folder]
    return _run_command([python, "-m", "tests.referee.same_bytes", *block, *how], environ).split()[-1]


def _run_command(command: list[str], environ: Mapping[str, str]) -> str:
    return subprocess.run(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True, check=True).stdout


if __name__ == "__main__":
    main()
