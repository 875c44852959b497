"""Whether tests notice a change: which tests come by a line, and what they say once it is another one."""

import ast
import importlib
import os
import re
import shutil
import signal
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from tests.long.mutating import ROOT, Mutant

SHARED = ("hypothesis", "numpy", "cv2", "flask", "click", "gpiozero", "PIL.Image")
"""What tests import that isn't ours: it is imported once, before the trials part."""
OURS = ("tests", "referee", "vision", "hardware", "firmware", "webui", "coyote_table")
QUIETLY = ("-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning", "-rfE")
"""How pytest is called here; it would say that hypothesis was imported before."""
PROBE = "getattr(__import__('builtins'), 'come_by', id)({})"
"""What a tree says that is watched; programs that see none of our paths say nothing."""
LISTENER = """
import builtins, os
said = set()
def come_by(number):
    line = f"{number} {os.environ.get('PYTEST_CURRENT_TEST', '')}\\n"
    if line not in said:
        said.add(line)
        with open(f"{FOLDER}/{os.getpid()}", "a") as file:
            file.write(line)
builtins.come_by = come_by
"""
PATIENCE, TIMES_SLOWER = 60, 8
"""Tests that go on for so many seconds more, and so many times longer, have noticed, too."""
ROUNDS = ((15.0, 40, 2), (90.0, 600, 600))
"""Seconds, tests and cases of one test that are asked at most: of the nearest ones, then of all others."""


class Reach(Struct, frozen=True):
    """Which tests come by which mutant, and how long each test takes."""

    tests: Mapping[str, frozenset[str]]
    seconds: Mapping[str, float]

    def rounds(self, mutant: Mutant) -> Iterator[list[str]]:
        """Give the tests of a mutant: the nearest first, a few cases of each, then the quickest others."""
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
    """Say how far a test is from a file: by its name, then by the folders that they share."""
    pairs = zip(Path(file).parts, Path(test).parts[1:], strict=False)
    shared = sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return f"test_{Path(file).stem}" not in test, -shared


class Chosen:
    """A plug-in of pytest that runs some tests only, in a given order."""

    def __init__(self, tests: Sequence[str]) -> None:
        self._order = {test: place for place, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._order), key=lambda item: self._order[item.nodeid]
        )


class Timed:
    """A plug-in of pytest that writes down how long each test took that passes."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" and report.passed:
            with self._file.open("a") as file:
                file.write(f"{report.duration:.3f} {report.nodeid}\n")


def nearest_tests(file: str) -> str:
    """Name the folder of tests that mirrors a file's own; what all games share is tested by playing them."""
    if Path(file).is_relative_to("referee"):
        return "tests/referee"
    folder = Path("tests", *Path(file).parent.parts[:2])
    return str(folder if (ROOT / folder).is_dir() else folder.parent)


def watch(mutants: Sequence[Mutant], tests: Sequence[str], tree: Path) -> Reach:
    """Run tests on a copy of the tree that says which of them come by the place of each mutant."""
    said, times = tree.parent / "come_by", tree.parent / "times.txt"
    shutil.rmtree(said, ignore_errors=True)
    said.mkdir()
    times.write_text("")
    (tree / "sitecustomize.py").write_text(f"FOLDER = {str(said)!r}\n{LISTENER}")
    with _probed(mutants, tree):
        run_tests([*tests], tree, [Timed(times)], limit=0)
    (tree / "sitecustomize.py").unlink()
    seconds = {test: float(time) for time, test in _pairs([times])}
    tests_of = defaultdict[str, set[str]](set)
    for number, test in _pairs(said.iterdir()):
        tests_of[mutants[int(number)].name].add(re.sub(r" \((setup|call|teardown)\)$", "", test))
    return Reach(
        {mutant.name: frozenset(tests_of[mutant.name] & seconds.keys()) for mutant in mutants}, seconds
    )


def _pairs(files: Iterable[Path]) -> Iterator[tuple[str, str]]:
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            first, _space, rest = line.partition(" ")
            yield first, rest


@contextmanager
def _probed(mutants: Sequence[Mutant], tree: Path) -> Iterator[None]:
    """Put a probe before the statement of each mutant, or, outside of functions, into all of its file."""
    places = defaultdict[str, list[int]](list)
    for number, mutant in enumerate(mutants):
        places[mutant.file].append(number)
    texts = {file: (tree / file).read_text(encoding="utf-8") for file in places}
    try:
        for file, numbers in places.items():
            lines = texts[file].splitlines(keepends=True)
            probes = _probes(texts[file], {number: mutants[number].line for number in numbers})
            for line, indent, number in sorted(probes, reverse=True):
                lines.insert(line - 1, " " * indent + PROBE.format(number) + "\n")
            (tree / file).write_text("".join(lines), encoding="utf-8")
        yield
    finally:
        for file, text in texts.items():
            (tree / file).write_text(text, encoding="utf-8")


def _probes(text: str, lines: Mapping[int, int]) -> Iterator[tuple[int, int, int]]:
    """Say at which lines, how far in, and for which mutants probes stand."""
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    for number, line in lines.items():
        inside = [node for node in functions if node.body[0].lineno <= line <= (node.end_lineno or 0)]
        for function in [max(inside, key=lambda node: node.lineno)] if inside else functions:
            body = (
                function.body[1:] if ast.get_docstring(function) and len(function.body) > 1 else function.body
            )
            statement = _statement_at(body, line if inside else 0)
            marks = getattr(statement, "decorator_list", [])
            yield min([statement.lineno, *(mark.lineno for mark in marks)]), statement.col_offset, number


def _statement_at(body: Sequence[ast.stmt], line: int) -> ast.stmt:
    """Find the innermost statement of a line that something can stand before, or the first one."""
    statement = ([node for node in body if node.lineno <= line] or [*body[:1]])[-1]
    below = [
        getattr(part, name, [])
        for part in (statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ()))
        for name in ("body", "orelse", "finalbody")
    ]
    for inner in below:
        is_elif = (
            len(inner) == 1 and isinstance(inner[0], ast.If) and inner[0].col_offset == statement.col_offset
        )
        if inner and not is_elif and inner[0].lineno <= line <= (inner[-1].end_lineno or 0):
            return _statement_at(inner, line)
    return statement


def killer_of(mutant: Mutant, tests: Sequence[str], tree: Path, seconds: float = 0) -> str | None:
    """Run tests on a copy of the tree with a change, and name the first that fails; "" if they don't end."""
    if not tests:
        return None
    with changed(mutant, tree):
        files = sorted({test.partition("::")[0] for test in tests})
        if run_tests(["-x", *files], tree, [Chosen(tests)], int(PATIENCE + TIMES_SLOWER * seconds)):
            return None
    said = (tree.parent / "said.txt").read_text(errors="replace").splitlines()
    failed = [line.partition(" ")[2] for line in said if line.startswith(("FAILED ", "ERROR "))]
    return next((test for test in tests if any(f"{line} - ".startswith(f"{test} - ") for line in failed)), "")


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
    command = [*arguments, *QUIETLY]
    passed = _in_a_child(lambda: _run_pytest(command, tree, plugins, limit))
    return passed in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}


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
    sys.path[:] = [str(tree), *(path for path in sys.path if Path(path or ".").resolve() != ROOT)]
    for name in [name for name in sys.modules if name.partition(".")[0] in (*OURS, "sitecustomize")]:
        del sys.modules[name]
    importlib.invalidate_caches()
    with suppress(ImportError):
        importlib.import_module("sitecustomize")
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
    """Copy what is tested, without the environment, which is linked."""
    left_out = shutil.ignore_patterns(".venv*", ".git", "__pycache__", ".*_cache", ".coverage")
    tree = Path(shutil.copytree(ROOT, folder / "tree", ignore=left_out))
    (tree / ".venv").symlink_to(ROOT / ".venv")
    return tree
