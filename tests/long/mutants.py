"""Change a sign in the code, and see whether a test notices: `python -m tests.long.mutants referee --count 99`.

A mutant is a flipped comparison, a constant off by one, and for or, a lost not, or plus for minus. It is killed
if the nearest tests fail: those of the folder that mirrors its own, for a game its playthroughs and random
matches too. Survivors are listed: each is either the same by meaning, or a test is missing.
"""

import argparse
import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from queue import SimpleQueue
from random import Random
from tempfile import TemporaryDirectory

from msgspec import Struct

ROOT = Path(__file__).parents[2]
ROOMS = ("referee", "vision", "webui/access", "firmware/core")
LEFT_OUT = ("words", "book")
"""Files of texts: what they say is looked at by people."""
GAME_DEPTH = 4
"""Parts of the path of a game's file."""
OF_ALL_GAMES = ("golden", "conformance", "summaries")
"""Tests of the referee that play every game."""
LIMIT = 600.0
"""Seconds after which tests that go on for ever have noticed, too."""
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
SIGNS: dict[type[ast.operator], str] = {ast.Add: "-", ast.Sub: "+"}


class Mutant(Struct, frozen=True):
    """A change of one place in a file."""

    file: str
    line: int
    start: int
    end: int
    """Where the changed text stands in the file, in bytes."""
    before: str
    after: str

    def __str__(self) -> str:
        """Say where it is, and what was changed."""
        return f"{self.file}:{self.line}: “{self.after.strip()}” for “{self.before.strip()}”"


class Source:
    """A file, and where its signs stand."""

    def __init__(self, path: Path) -> None:
        """Read a file."""
        self.name = str(path.relative_to(ROOT))
        self.text = path.read_bytes()
        self._lines = [0]
        for line in self.text.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def mutants(self) -> Iterator[Mutant]:
        """List all the changes that can be made."""
        for node in ast.walk(ast.parse(self.text)):
            match node:
                case ast.Compare(left=left, ops=[op], comparators=[right]):
                    yield self._between(left, right, COMPARISONS[type(op)])
                case ast.BoolOp(op=op, values=values):
                    other = " or " if isinstance(op, ast.And) else " and "
                    yield from (self._between(one, two, other) for one, two in pairwise(values))
                case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                    yield self._between(left, right, SIGNS[type(op)])
                case ast.UnaryOp(op=ast.Not()):
                    start = self._start(node)
                    yield self._change(start, start + len("not"), node.lineno, " ")
                case ast.Constant(value=int() as value) if not isinstance(value, bool):
                    yield self._change(self._start(node), self._end(node), node.lineno, str(value + 1))
                case _:
                    pass

    def _between(self, left: ast.expr, right: ast.expr, after: str) -> Mutant:
        """Change the sign between two expressions; brackets around them stay."""
        start, end = self._end(left), self._start(right)
        while self.text[start : start + 1] in {b")", b" ", b"\n"} and start < end:
            start += 1
        while self.text[end - 1 : end] in {b"(", b" ", b"\n"} and end > start:
            end -= 1
        return self._change(start, end, left.lineno, after.strip())

    def _change(self, start: int, end: int, line: int, after: str) -> Mutant:
        return Mutant(self.name, line, start, end, self.text[start:end].decode(), after)

    def _start(self, node: ast.expr) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr) -> int:
        return self._lines[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)


def mutants_in(room: str) -> list[Mutant]:
    """List the mutants of a room."""
    files = sorted(
        path for path in (ROOT / room).rglob("*.py") if not any(word in path.stem for word in LEFT_OUT)
    )
    return [mutant for path in files for mutant in Source(path).mutants() if mutant.before.strip()]


def nearest_tests(file: str) -> list[str]:
    """Name the tests of a file by its name first, then all those of its room."""
    folder = _mirror(file)
    named = [str(path.relative_to(ROOT)) for path in (ROOT / folder).glob(f"test_{Path(file).stem}*.py")]
    return [*named, *tests_of_room(file)]


def tests_of_room(file: str) -> list[str]:
    """Name the tests of the folder that mirrors a file's own, and those that play a game."""
    return [str(_mirror(file)), *_tests_of_game(Path(file).parts)]


def _mirror(file: str) -> Path:
    folder = Path("tests", *Path(file).parent.parts)
    while not (ROOT / folder).is_dir():
        folder = folder.parent
    return folder


def _tests_of_game(parts: tuple[str, ...]) -> list[str]:
    """Name the tests of all games, and choose a game's own among them."""
    if parts[:2] != ("referee", "games") or len(parts) < GAME_DEPTH:
        return []
    folder = parts[2]
    wanted = f"{folder} or {folder.replace('_', '-')}"
    return [*(f"tests/referee/test_{what}.py" for what in OF_ALL_GAMES), "-k", wanted]


def is_noticed(mutant: Mutant, tree: Path) -> bool:
    """Run the nearest tests on a copy of the tree with the change; it is put back afterwards."""
    file = tree / mutant.file
    text = file.read_bytes()
    file.write_bytes(text[: mutant.start] + mutant.after.encode() + text[mutant.end :])
    try:
        return not passes(nearest_tests(mutant.file), tree)
    finally:
        file.write_bytes(text)


def passes(tests: list[str], tree: Path) -> bool:
    """Tell whether tests pass in a copy of the tree."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    surroundings = {**os.environ, "PYTHONPATH": str(tree)}
    try:
        ran = subprocess.run(
            command, cwd=tree, env=surroundings, capture_output=True, check=False, timeout=LIMIT
        )
    except subprocess.TimeoutExpired:
        return False
    return ran.returncode == 0


def try_mutants(mutants: list[Mutant], trees: list[Path]) -> Iterator[tuple[Mutant, bool]]:
    """Try them, as many beside each other as there are copies of the tree; each is told when it is done."""
    free: SimpleQueue[Path] = SimpleQueue()
    for tree in trees:
        free.put(tree)

    def attempt(mutant: Mutant) -> tuple[Mutant, bool]:
        tree = free.get()
        try:
            return mutant, is_noticed(mutant, tree)
        finally:
            free.put(tree)

    with ThreadPoolExecutor(len(trees)) as workers:
        yield from workers.map(attempt, mutants)


def copy_tree(folder: Path) -> Path:
    """Copy what is tested, without the environment."""
    left_out = shutil.ignore_patterns(".venv", ".git", "__pycache__", ".*_cache")
    return Path(shutil.copytree(ROOT, folder / "tree", ignore=left_out))


def main() -> None:
    """Try mutants of a room, list the survivors, and print the share that was killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("room", nargs="?", default="referee", help=f"a folder, such as {', '.join(ROOMS)}")
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--beside", type=int, default=1, metavar="N", help="so many beside each other")
    wish = parser.parse_args()
    all_of_them = mutants_in(wish.room)
    chosen = Random(wish.seed).sample(all_of_them, min(wish.count, len(all_of_them)))
    with TemporaryDirectory(prefix="mutants") as folder:
        trees = [copy_tree(Path(folder, str(number))) for number in range(wish.beside)]
        for tests in {tuple(tests_of_room(mutant.file)) for mutant in chosen}:
            if not passes(list(tests), trees[0]):
                sys.exit(f"without a change, these tests fail already: {' '.join(tests)}")
        killed = tried = 0
        for mutant, noticed in try_mutants(chosen, trees):
            killed, tried = killed + noticed, tried + 1
            if not noticed:
                sys.stdout.write(f"survived: {mutant} ({killed} of {tried} killed so far)\n")
                sys.stdout.flush()
    sys.stdout.write(f"{wish.room}: {killed} of {tried} killed, of {len(all_of_them)} that there are\n")


if __name__ == "__main__":
    main()
