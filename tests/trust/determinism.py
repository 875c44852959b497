"""The same matches on several Pythons: `python -m tests.trust.determinism all=2000 python3.11 python3.13`.

Each of them plays with a hash seed of its own, every second one from the records; each needs msgspec, numpy and
pytest. It prints the digests, and fails if they differ or if one of them isn't there.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
VERSION = "import platform; print(platform.python_version(), platform.machine())"


def main() -> None:
    """Play on each Python at the same time, and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="+", help="GAME=NUMBER or all=NUMBER, and interpreters")
    wish = parser.parse_args()
    matches = [word for word in wish.words if "=" in word]
    pythons = [word for word in wish.words if "=" not in word]
    # one after the other: a Pi has other things to do
    digests = [_digests(python, matches, place) for place, python in enumerate(pythons)]
    sys.exit(len(pythons) < 2 or any(each != digests[0] for each in digests) or not digests[0])


def _digests(python: str, matches: list[str], place: int) -> Mapping[str, str]:
    """Play on one of them; give each game's digest."""
    environ = {**os.environ, "PYTHONHASHSEED": f"{place * 4711}", "PYTHONPATH": str(ROOT)}
    how = ["--replayed"] if place % 2 else []
    version = _said([python, "-c", VERSION], environ).strip()
    lines = _said([python, "-m", "tests.referee.same_bytes", *matches, *how], environ).splitlines()
    told = "replayed" if how else "played"
    sys.stdout.write("".join(f"Python {version}, {told}: {line}\n" for line in lines))
    sys.stdout.flush()
    return {line.rsplit(" ", 1)[0]: line.rsplit(" ", 1)[1] for line in lines}


def _said(command: list[str], environ: Mapping[str, str]) -> str:
    return subprocess.run(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True, check=True).stdout


if __name__ == "__main__":
    main()
