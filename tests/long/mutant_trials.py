"""Whether tests notice a change: which tests come by a line, and what they say once it is another one."""

import importlib
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from coverage import CoverageData
from msgspec import Struct, json

from tests.long.mutating import ROOT, Mutant

SHARED = ("hypothesis", "numpy", "cv2", "flask", "click", "gpiozero", "PIL.Image", "pytest_cov.plugin")
"""What tests import that isn't ours: it is imported once, before the trials part."""
OURS = ("tests", "referee", "vision", "hardware", "firmware", "webui", "coyote_table")
QUIETLY = ("-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
"""How pytest is called here; it would say that hypothesis was imported before."""
GAME_DEPTH = 4
"""Parts of the path of a game's file."""
OF_ALL_GAMES = ("golden", "shown", "conformance", "summaries", "coaching")
"""Tests of the referee that play every game."""
PATIENCE, TIMES_SLOWER = 20, 4
"""Tests that go on for so many seconds more, and so many times longer, have noticed, too."""
ENOUGH = 60
"""Seconds of the nearest tests that are asked; the slowest ones are left to a wider circle."""
LIMIT = 900
"""Seconds after which tests of a wider circle have noticed."""


class FailsAlreadyError(Exception):
    """Tests fail without a change."""


class Circle(Struct, frozen=True):
    """Tests that stand around some code: how long each takes, and which of them come by a line."""

    seconds: Mapping[str, float]
    at_lines: Mapping[str, Mapping[int, frozenset[str]]]

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Choose the tests of a changed line: those named like its file first, then the quick ones.

        What is read when a module is imported belongs to no test, so all that come by the file may notice.
        """
        named = f"test_{Path(mutant.file).stem}"
        lines = self.at_lines.get(mutant.file, {})
        at_line, at_file = lines.get(mutant.line, frozenset()), frozenset[str]().union(*lines.values())
        chosen = at_line if at_line and "" not in at_line else at_file - {""} or frozenset(self.seconds)
        order = sorted(chosen, key=lambda test: (named not in test, self.seconds.get(test, 0), test))
        ended = accumulate(self.seconds.get(test, 0) for test in order)
        return [
            test for test, seconds in zip(order, ended, strict=True) if test == order[0] or seconds < ENOUGH
        ]


class Chosen:
    """A plug-in of pytest that runs some tests only, in a given order."""

    def __init__(self, tests: Iterable[str]) -> None:
        """Remember which."""
        self._order = {test: place for place, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out the others."""
        items[:] = sorted(
            (item for item in items if item.nodeid in self._order), key=lambda item: self._order[item.nodeid]
        )


class Timed:
    """A plug-in of pytest that writes down how long each test took."""

    def __init__(self, file: Path) -> None:
        """Begin with none."""
        self._file = file
        self._seconds: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a part of a test."""
        self._seconds[report.nodeid] = self._seconds.get(report.nodeid, 0) + report.duration

    def pytest_sessionfinish(self) -> None:
        """Write."""
        self._file.write_bytes(json.encode(self._seconds))


def nearest_tests(file: str) -> tuple[str, ...]:
    """Name the tests of the folder that mirrors a file's own, and for a game those that play it."""
    own = str(_mirror(file))
    playing = (f"tests/referee/test_{what}.py" for what in OF_ALL_GAMES)
    return (own, *playing, *_only_of(file)) if _only_of(file) else (own,)


def wider_tests(file: str) -> tuple[str, ...]:
    """Name for a game's file all tests of the referee that name the game; for others all that bear its name."""
    if _only_of(file):
        return ("tests/referee", *_only_of(file))
    named = (ROOT / "tests").rglob(f"test_{Path(file).stem}*.py")
    return (*nearest_tests(file), *sorted(str(test.relative_to(ROOT)) for test in named))


def _only_of(file: str) -> tuple[str, ...]:
    """Choose the tests of a game, if a file belongs to one."""
    parts = Path(file).parts
    if parts[:2] != ("referee", "games") or len(parts) < GAME_DEPTH:
        return ()
    return ("-k", f"{parts[2]} or {parts[2].replace('_', '-')}")


def _mirror(file: str) -> Path:
    """Find the folder of tests that mirrors a file's; the doors of pages are tested through them.

    What all games share is tested by playing them.
    """
    if Path(file).is_relative_to("referee/kit"):
        return Path("tests/referee")
    folder = Path("tests", *Path(file).parent.parts)
    if folder.is_relative_to("tests/webui"):
        return Path("tests/webui")
    while not (ROOT / folder).is_dir():
        folder = folder.parent
    return folder


def draw_circle(tests: tuple[str, ...], tree: Path) -> Circle:
    """Run tests on a copy of the tree as it is, and see which lines each of them comes by."""
    times, lines = tree / "times.json", tree / ".coverage"
    rooms = (f"--cov={room}" for room in ("referee", "vision", "webui", "firmware"))
    arguments = [*tests, *rooms, "--cov-context=test", "--cov-report="]
    if not run_tests(arguments, tree, [Timed(times)], limit=0):
        raise FailsAlreadyError((tree.parent / "said.txt").read_text())
    return Circle(json.decode(times.read_bytes(), type=dict[str, float]), dict(_read_lines(lines, tree)))


def _read_lines(lines: Path, tree: Path) -> Iterator[tuple[str, dict[int, frozenset[str]]]]:
    data = CoverageData(str(lines))
    data.read()
    for name in data.measured_files():
        tests = {
            line: frozenset(context.partition("|")[0] for context in contexts)
            for line, contexts in data.contexts_by_lineno(name).items()
        }
        yield str(Path(name).relative_to(tree)), tests


def is_noticed(mutant: Mutant, circle: Circle, tree: Path) -> bool:
    """Run a circle's tests of a mutant's line on a copy of the tree with the change."""
    tests = circle.tests_of(mutant)
    limit = PATIENCE + TIMES_SLOWER * sum(circle.seconds.get(test, 0) for test in tests)
    files = sorted({test.partition("::")[0] for test in tests})
    with changed(mutant, tree):
        return not run_tests(["-x", *files], tree, [Chosen(tests)], int(limit))


def is_noticed_wider(mutant: Mutant, tree: Path) -> bool:
    """Run all tests of a wider circle: a line that was read once for many tests counts for one of them only."""
    with changed(mutant, tree):
        return not run_tests(["-x", *wider_tests(mutant.file)], tree, [], LIMIT)


@contextmanager
def changed(mutant: Mutant, tree: Path) -> Iterator[None]:
    """Change a file of a copy of the tree, and put it back afterwards."""
    file = tree / mutant.file
    text = file.read_bytes()
    file.write_bytes(text[: mutant.start] + mutant.after.encode() + text[mutant.end :])
    try:
        yield
    finally:
        file.write_bytes(text)


def run_tests(arguments: list[str], tree: Path, plugins: list[Any], limit: int) -> bool:
    """Tell whether tests pass in a copy of the tree; they run in a process of their own."""
    command = [*arguments, *QUIETLY]
    return _in_a_child(lambda: _run_pytest(command, tree, plugins, limit)) == 0


def _in_a_child(work: Callable[[], int]) -> int:
    """Do work in a fork of this process, and end all that it has started."""
    child = os.fork()
    if child == 0:
        os.setsid()
        ended = 1
        try:
            ended = work()
        finally:
            os._exit(ended)
    try:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)


def _run_pytest(arguments: list[str], tree: Path, plugins: list[Any], limit: int) -> int:
    """Run pytest on the code of a copy of the tree, and on none of ours that was imported before."""
    os.chdir(tree)
    os.environ["PYTHONPATH"] = str(tree)
    os.environ["COVERAGE_FILE"] = str(tree / ".coverage")
    sys.path[:] = [str(tree), *(path for path in sys.path if Path(path or ".").resolve() != ROOT)]
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
        del sys.modules[name]
    importlib.invalidate_caches()
    with (tree.parent / "said.txt").open("w") as said:
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
        signal.alarm(limit)
        ended = int(pytest.main(arguments, plugins=plugins))
        sys.stdout.flush()
        sys.stderr.flush()
    return ended


def import_shared() -> None:
    """Import what isn't ours, as far as it is there."""
    for name in SHARED:
        try:
            importlib.import_module(name)
        except ImportError:
            continue


def copy_tree(folder: Path) -> Path:
    """Copy what is tested, without the environment."""
    left_out = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache", ".coverage")
    return Path(shutil.copytree(ROOT, folder / "tree", ignore=left_out))
