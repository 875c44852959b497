"""Measure a part on this machine: `python -m tests.bench NAME`.

It prints a section for docs/dev/measured.md, then notes; options are the bench's parameters.
"""

import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from tests.bench.measured import Measured
from tests.scripts import call, say

BESIDE = {"__init__", "__main__", "instructions", "measured", "test_benches"}
NAMES = tuple(path.stem for path in sorted(Path(__file__).parent.glob("*.py")) if path.stem not in BESIDE)


def section_lines(name: str, about: str, measured: Measured, load: float) -> Iterator[str]:
    """Yield a section with date, version, machine and load before the bench, because speeds depend on them."""
    date, machine = datetime.now(UTC).date().isoformat(), f"{platform.machine()}, {os.cpu_count()} cores"
    yield f"### {name}\n\n{about}"
    yield (
        f"Measured {date} with {version('coyote-table')}, {machine}, Python {platform.python_version()},"
        f" load {load:.1f}.\n\n| | |\n|---|---|"
    )
    yield from (f"| {what} | {figure} |" for what, figure in measured.ratios.items())


def run(name: str, words: Sequence[str]) -> str:
    """Run a bench, which is imported only now; return its fault, if any."""
    bench: Callable[..., Measured] = getattr(import_module(f"tests.bench.{name}"), name)
    load = os.getloadavg()[0]
    measured = call(bench, words)
    for line in (*section_lines(name, bench.__doc__ or "", measured, load), "", *measured.notes):
        say(line)
    return measured.fault


if __name__ == "__main__":
    wanted, *options = sys.argv[1:] or ["--help"]
    if wanted not in NAMES:
        sys.exit(f"{__doc__}\nNames: {', '.join(NAMES)}")
    sys.exit(run(wanted, options) or None)
