"""Preconditions of tests: each returns the expected value, or fails at once."""

from typing import Any, TypeVar

from msgspec.structs import fields, replace

from referee.contract import Game, Refusal
from referee.match import Match

T = TypeVar("T")


def allowed(match: object) -> Match:
    """Return the match; a refusal would be a mistake of the test."""
    assert isinstance(match, Match), match
    return match


def refused(answer: object) -> Refusal:
    """Return the refusal; anything else would break a rule."""
    assert isinstance(answer, Refusal), answer
    return answer


def present(thing: T | None) -> T:
    assert thing is not None
    return thing


class Clock:
    """A clock that only a test advances."""

    def __init__(self, seconds: float = 100.0) -> None:
        self.seconds = seconds

    def __call__(self) -> float:
        return self.seconds


# changed games


def altered(game: Game, **changes: Any) -> Game:
    """Return a game with changed fields of its own or of its parts, found by name."""
    for name, value in changes.items():
        part = next((part for part in PARTS if hasattr(getattr(game, part), name)), None)
        whole = {name: value} if part is None else {part: replace(getattr(game, part), **{name: value})}
        game = replace(game, **whole)
    return game


PARTS = [each.name for each in fields(Game) if each.name in {"rules", "table", "shown", "feel", "book", "play"}]
