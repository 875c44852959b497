"""Measure a part on this machine: `python -m tests.bench NAME`.

It prints a section for docs/dev/measured.md, then notes; options are the bench's parameters.
"""

import os
import platform
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from tests.bench.measured import Measured
from tests.scripts import call, say

BESIDE = {"__init__", "__main__", "instructions", "measured", "test_benches"}
NAMES = tuple(path.stem for path in sorted(Path(__file__).parent.glob("*.py")) if path.stem not in BESIDE)


def run(name: str, *words: str) -> str:
    """Run a bench, which is imported only now; return its fault, if any."""
    bench: Callable[..., Measured] = getattr(import_module(f"tests.bench.{name}"), name)
    # date, version, machine and the load before the bench: speeds depend on them
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    when = f"{datetime.now(UTC).date().isoformat()} with {version('coyote-table')}"
    load = os.getloadavg()[0]
    measured = call(bench, words)
    say(f"### {name}\n\n{bench.__doc__}\nMeasured {when}, {machine}, load {load:.1f}.\n\n| | |\n|---|---|")
    for line in (*(f"| {what} | {figure} |" for what, figure in measured.ratios.items()), "", *measured.notes):
        say(line)
    return measured.fault


if __name__ == "__main__":
    wanted = sys.argv[1:] or ["--help"]
    if wanted[0] not in NAMES:
        sys.exit(f"{__doc__}\nNames: {', '.join(NAMES)}")
    sys.exit(run(*wanted) or None)
