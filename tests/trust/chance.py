"""Find flaky tests: `python -m tests.trust.chance 50`, with half of the runs under a load of 8.

It repeats every test whose file imports processes, threads, sockets or browsers, itself or through helpers.
Paths on the command line select among them. It fails if a test fails once.
"""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from time import monotonic

import pytest

from tests.trust.telling import say, wishes

TESTS = Path(__file__).parent.parent
CHANCY = {
    *("asyncio", "concurrent", "http", "multiprocessing", "playwright"),
    *("signal", "socket", "subprocess", "threading", "urllib"),
}
"""Modules that make a test depend on the machine's load."""


def main() -> None:
    wish = wishes(__doc__, "times", words="paths", load=8)
    files = [path for path in find_tests([*map(Path, wish.paths)] or [TESTS]) if depends_on_chance(path)]
    quiet = repeat(files, wish.times - wish.times // 2, "quiet")
    with busy(wish.load):
        beside = repeat(files, wish.times // 2, f"beside a load of {wish.load}")
    sys.exit(quiet or beside)


def find_tests(paths: list[Path]) -> list[Path]:
    found = (file for path in paths for file in ([path] if path.is_file() else path.rglob("test_*.py")))
    return sorted(file.resolve() for file in found)


@cache
def depends_on_chance(file: Path) -> bool:
    """Return whether a file imports one of these modules, itself or through helpers in tests."""
    modules = set(imported(file))
    helpers = (TESTS.parent.joinpath(*module.split(".")).with_suffix(".py") for module in modules)
    return any(module.split(".")[0] in CHANCY for module in modules) or any(
        depends_on_chance(helper) for helper in helpers if helper.is_file() and TESTS in helper.parents
    )


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Import(names=names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield module
                yield from (f"{module}.{name.name}" for name in names)


def repeat(files: list[Path], times: int, how: str) -> int:
    if not times:
        return 0
    begun = monotonic()
    command = [sys.executable, "-m", "pytest", "-p", "tests.trust.chance", "--repeat", str(times), "-q"]
    parallel = ["--numprocesses", str(os.cpu_count() or 1), "--dist", "worksteal", "-p", "no:cacheprovider"]
    done = subprocess.run([*command, *parallel, *files], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    for line in lines:
        if line.startswith(("FAILED", "ERROR")):
            say(line)
    summary = lines[-1] if lines else done.stderr
    say(f"{len(files)} files, {times} times, {how}: {summary} ({monotonic() - begun:.0f} s)")
    return done.returncode


@contextmanager
def busy(processes: int) -> Iterator[None]:
    load = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _process in range(processes)]
    try:
        yield
    finally:
        for process in load:
            process.kill()
            process.wait()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the number of runs, as a pytest plug-in."""
    parser.addoption("--repeat", type=int, default=1, metavar="TIMES", help="run each test so often")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeat each test."""
    times = metafunc.config.getoption("--repeat")
    metafunc.fixturenames.append("_repetition")
    metafunc.parametrize("_repetition", range(times), ids="repetition {}".format)


if __name__ == "__main__":
    main()
