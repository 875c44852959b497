"""Measure a part on this machine: `python -m tests.bench NAME`, or `all [NAME ...]`.

With `all --write` it renews the sections of docs/dev/measured.md.
"""

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from tests.bench.measured import Measured
from tests.bench.page import PAGE, page_with, section_text
from tests.scripts import call, say

BESIDE = {"__init__", "__main__", "instructions", "measured", "page", "test_benches"}
NAMES = tuple(path.stem for path in sorted(Path(__file__).parent.glob("*.py")) if path.stem not in BESIDE)


def bench_of(name: str) -> Callable[..., Measured]:
    """Return a benchmark; its module is imported only now."""
    bench: Callable[..., Measured] = getattr(import_module(f"tests.bench.{name}"), name)
    return bench


def run(name: str, words: Sequence[str] = ()) -> Measured:
    measured = call(bench_of(name), words)
    for line in (*(f"{what}: {figure}" for what, figure in measured.ratios.items()), *measured.notes):
        say(line)
    return measured


def run_all(*names: str, write: bool = False) -> None:
    """Run all benches, or those that are named, one after the other, as they are by themselves."""
    for name in names or NAMES:
        load = os.getloadavg()[0]
        try:
            measured = run(name)
        except SystemExit as fault:
            sys.stderr.write(f"{name} wasn't measured, its figures stay: {fault}\n")
            continue
        if write:
            section = section_text(name, bench_of(name).__doc__ or "", load, measured.ratios)
            # write after each benchmark, so that its results survive if a later one is stopped
            PAGE.write_text(page_with(PAGE.read_text(encoding="utf-8"), name, section), encoding="utf-8")


def main(words: Sequence[str]) -> str:
    """Run a bench by the command line; return its fault, if any."""
    parser = ArgumentParser("python -m tests.bench", description=__doc__)
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.add_argument("name", choices=("all", *NAMES))
    name = parser.parse_args(words[:1] or ["--help"]).name
    if name == "all":
        call(run_all, words[1:])
        return ""
    return run(name, words[1:]).fault


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) or None)
