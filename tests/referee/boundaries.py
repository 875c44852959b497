"""Boundaries that sentences of the rule books draw, and the tests that stand on their two sides."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypeVar

from referee.contract import Game, Rule

Test = TypeVar("Test", bound=Callable[..., None])
Side = Literal["within", "beyond"]
SIDES: dict[str, tuple[Side, ...]] = {
    "within": ("within",),
    "beyond": ("beyond",),
    "on_both_sides_of": ("within", "beyond"),
}
NUMBER = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d+)"
BOUNDARY = re.compile(
    r"\b(?:at least|at most|more|most|fewer|less|exactly|before|after|afterwards|up to|until|than|first|last"
    rf"|once|{NUMBER} to {NUMBER})\b|\d|\{{\w+\}}",
    re.IGNORECASE,
)
"""Words of a sentence that say where something begins or ends, and all numbers that are printed as such."""
GAMES_TESTS = Path(__file__).parent / "games"


def within(*_rules: str) -> Callable[[Test], Test]:
    """Mark a test of a position in which the boundary of some rules is just reached."""
    return lambda test: test


def beyond(*_rules: str) -> Callable[[Test], Test]:
    """Mark a test of a position in which it is just missed."""
    return lambda test: test


def on_both_sides_of(*_rules: str) -> Callable[[Test], Test]:
    """Mark a test of two positions, one on each side."""
    return lambda test: test


def boundary_rules(game: Game) -> list[Rule]:
    """List the rules whose sentence draws a boundary."""
    return [rule for chapter in game.book for rule in chapter.rules if BOUNDARY.search(rule.text.one)]


def sides_with_tests(game: Game) -> set[tuple[str, Side]]:
    """Tell which sides of which rules a game's tests say that they stand on."""
    files = (GAMES_TESTS / game.name.replace("-", "_")).glob("test_*.py")
    return {side for file in files for side in _sides_in(ast.parse(file.read_text(encoding="utf-8")))}


def _sides_in(module: ast.Module) -> Iterator[tuple[str, Side]]:
    """Read the marks of the tests of a file."""
    for test in module.body:
        if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
            for mark in test.decorator_list:
                if isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name):
                    rules = [argument.value for argument in mark.args if isinstance(argument, ast.Constant)]
                    yield from ((str(rule), side) for rule in rules for side in SIDES.get(mark.func.id, ()))
