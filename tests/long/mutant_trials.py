"""Trials of mutants: find the tests that reach a line, and run them on the changed line."""

import ast
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path

import pytest
from coverage import CoverageData
from msgspec import Struct

from tests.long.mutating import ROOT, Mutant

QUIETLY = ("-q", "-p", "no:cacheprovider", "-rfE")
WATCHED = ("--cov", "--cov-context=test", "--cov-report=", "--durations=0", "--durations-min=0")
TIMED = re.compile(r"^([0-9.]+)s call +((?:tests|plugins)/.+)$", re.MULTILINE)
TRIAL_TIMEOUT, TIMES_SLOWER = 60, 8
"""Timeout of a trial: extra seconds, plus a multiple of the usual time. A timeout kills the mutant, too."""
GONE = re.compile("^ERROR: (file or directory )?not found: ", re.MULTILINE)
ROUNDS = ((15.0, 40, 2), (90.0, 600, 600))
"""Maximum seconds, tests, and cases per test: of the nearest tests, then of all others."""


class Reach(Struct, frozen=True):
    """The tests that reach each mutant, and the duration of each test."""

    tests: Mapping[str, frozenset[str]]
    seconds: Mapping[str, float]

    def rounds(self, mutant: Mutant) -> Iterator[list[str]]:
        """Yield a mutant's tests: first the nearest with a few cases each, then the fastest others."""
        asked = set[str]()
        near = sorted(
            self.tests[mutant.name], key=lambda test: (_distance(mutant.file, test), self.seconds[test])
        )
        quick = sorted(near, key=lambda test: self.seconds[test])
        for order, (seconds, most, cases) in zip((near, quick), ROUNDS, strict=True):
            chosen = list(self._choose((test for test in order if test not in asked), seconds, most, cases))
            asked.update(chosen)
            if chosen:
                yield chosen

    def _choose(self, order: Iterable[str], seconds: float, most: int, cases: int) -> Iterator[str]:
        seen = defaultdict[str, int](int)
        spent = 0.0
        for test in order:
            name = test.partition("[")[0]
            if seen[name] < cases and spent < seconds and sum(seen.values()) < most:
                seen[name] += 1
                spent += self.seconds[test]
                yield test


def _distance(file: str, test: str) -> tuple[bool, int]:
    """Return a test's distance from a file, by its name and then by their shared folders."""
    pairs = zip(Path(file).parts, Path(test).parts[1:], strict=False)
    shared = sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return f"test_{Path(file).stem}" not in test, -shared


def nearest_tests(file: str) -> str:
    """Return the test folder that mirrors a file's folder; shared game code is tested by playing games."""
    if Path(file).is_relative_to("referee"):
        return "tests/referee"
    if Path(file).is_relative_to("plugins/club"):
        return "plugins/club/tests"
    folder = Path("tests", *Path(file).parent.parts[:2])
    return str(folder if (ROOT / folder).is_dir() else folder.parent)


def watch(mutants: Sequence[Mutant], tests: Sequence[str], tree: Path) -> Reach:
    """Run tests on a copy of the tree, and record which of them reach each mutant."""
    _passed, said = run_tests([*tests, *WATCHED], tree)
    seconds = {test: float(time) for time, test in TIMED.findall(said)}
    data = CoverageData(str(tree / ".coverage"))
    data.read()
    reach = {mutant.name: frozenset(_tests_at(mutant, data, tree) & seconds.keys()) for mutant in mutants}
    return Reach(reach, seconds)


def _tests_at(mutant: Mutant, data: CoverageData, tree: Path) -> set[str]:
    """Return the tests that reach a statement; outside of functions, any line of its file counts."""
    path = tree / mutant.file
    nodes = [node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.stmt)]
    around = [node for node in nodes if node.lineno <= mutant.line <= (node.end_lineno or 0)]
    is_inside = any(isinstance(node, ast.FunctionDef) and node.body[0].lineno <= mutant.line for node in around)
    first = max((node.lineno for node in around), default=0) if is_inside else 0
    last = min((node.end_lineno or 0 for node in around), default=0) if is_inside else sys.maxsize
    contexts = data.contexts_by_lineno(str(path))
    found = (each for line, some in contexts.items() if first <= line <= last for each in some)
    return {test.rpartition("|")[0] for test in found}


def killer_of(mutant: Mutant, tests: Sequence[str], tree: Path, seconds: float = 0) -> str | None:
    """Run tests on a changed copy of the tree; return the first that fails, or "" at a timeout."""
    if not tests:
        return None
    with changed(mutant, tree):
        passed, said = run_tests(["-x", *tests], tree, TRIAL_TIMEOUT + TIMES_SLOWER * seconds)
    failed = [line.partition(" ")[2] for line in said.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    # a missing test kills nothing; an import error kills the mutant
    if passed or (GONE.search(said) and not failed):
        return None
    return next((test for test in tests if any(f"{line} - ".startswith(f"{test} - ") for line in failed)), "")


@contextmanager
def changed(mutant: Mutant, tree: Path) -> Iterator[None]:
    """Change a file of a copy of the tree, and restore it afterwards."""
    file = tree / mutant.file
    text = file.read_bytes()
    file.write_bytes(text[: mutant.start] + mutant.after.encode() + text[mutant.end :])
    try:
        yield
    finally:
        file.write_bytes(text)


def run_tests(arguments: list[str], tree: Path, limit: float | None = None) -> tuple[bool, str]:
    """Return whether tests pass in a copy of the tree, and their output; their child processes are killed."""
    command = (sys.executable, "-m", "pytest", *QUIETLY, *arguments)
    environ = {
        **os.environ,
        "PYTHONPATH": f"{tree}:{tree / 'plugins' / 'club'}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    with subprocess.Popen(
        command, cwd=tree, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", start_new_session=True,
    ) as tests:  # fmt: skip
        try:
            said, _nothing = tests.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            said = ""
        finally:
            with suppress(ProcessLookupError):
                os.killpg(tests.pid, signal.SIGKILL)
    return tests.returncode in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}, said


def copy_tree(folder: Path) -> Path:
    """Copy the tested tree, with a link to the environment."""
    left_out = shutil.ignore_patterns(".venv*", ".git", "__pycache__", ".*_cache", ".coverage")
    tree = Path(shutil.copytree(ROOT, folder / "tree", ignore=left_out))
    (tree / ".venv").symlink_to(ROOT / ".venv")
    return tree
