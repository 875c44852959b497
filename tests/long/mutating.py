"""Mutations of the code: comparisons, constants, and/or, not, plus and minus."""

import ast
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

ROOT = Path(__file__).parents[2]
LEFT_OUT = ("words", "book")  # text files, which are reviewed by people
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
    """A change at one position of a file."""

    file: str
    line: int
    start: int
    end: int  # end of the changed text in the file, in bytes
    before: str
    after: str
    code: str  # the line with the change
    nth: int = 0  # number of identical changes earlier in the file

    @property
    def name(self) -> str:
        """A name that is stable while other lines move."""
        return f"{self.file}: {self.code}" + (f" #{self.nth}" if self.nth else "")

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: “{self.after.strip()}” for “{self.before.strip()}”"


class Source:
    """A source file and its possible mutations."""

    def __init__(self, path: Path) -> None:
        self.name = str(path.relative_to(ROOT))
        self.text = path.read_bytes()
        self._lines = [0]
        for line in self.text.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def mutants(self) -> Iterator[Mutant]:
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
        """Change the operator between two expressions; parentheses around them stay."""
        start, end = self._end(left), self._start(right)
        while self.text[start : start + 1] in {b")", b" ", b"\n"} and start < end:
            start += 1
        while self.text[end - 1 : end] in {b"(", b" ", b"\n"} and end > start:
            end -= 1
        return self._change(start, end, left.end_lineno or left.lineno, after.strip())

    def _change(self, start: int, end: int, line: int, after: str) -> Mutant:
        before = self.text[start:end].decode()
        first, last = self._lines[line - 1], self.text.find(b"\n", end)
        code = self.text[first:start].decode() + after + self.text[end:last].decode()
        return Mutant(self.name, line, start, end, before, after, " ".join(code.split()))

    def _start(self, node: ast.expr) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr) -> int:
        return self._lines[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)


def mutants_in(room: str) -> list[Mutant]:
    """Return the mutants of a package or of one file."""
    whole = ROOT / room
    paths = [whole] if whole.is_file() else sorted(whole.rglob("*.py"))
    files = (path for path in paths if not any(word in path.stem for word in LEFT_OUT))
    return [mutant for path in files for mutant in _numbered(Source(path).mutants())]


def _numbered(mutants: Iterator[Mutant]) -> Iterator[Mutant]:
    """Number identical mutants, in the order of the file."""
    alike = Counter[str]()
    for mutant in sorted(mutants, key=lambda mutant: mutant.start):
        if mutant.before.strip():
            yield replace(mutant, nth=alike[mutant.code])
            alike[mutant.code] += 1
