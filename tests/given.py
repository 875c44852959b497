"""What a test begins with, or fails at once: a match that the referee allows, something that is there."""

from typing import Any, TypeVar

from msgspec.structs import fields, replace

from referee.contract import Game, Refusal
from referee.match import Match

T = TypeVar("T")


def allowed(match: object) -> Match:
    """Give a match that has begun or gone on, where a refusal would be the test's own mistake."""
    assert isinstance(match, Match), match
    return match


def refused(answer: object) -> Refusal:
    """Give a refusal, where anything else would break a rule."""
    assert isinstance(answer, Refusal), answer
    return answer


def present(thing: T | None) -> T:
    assert thing is not None
    return thing


class Clock:
    """Time that only a test moves on."""

    def __init__(self, seconds: float = 100.0) -> None:
        self.seconds = seconds

    def __call__(self) -> float:
        return self.seconds


# games with something changed


def altered(game: Game, **changes: Any) -> Game:
    """Change fields of a game or of its parts, each found by its name."""
    for name, value in changes.items():
        part = next((part for part in PARTS if hasattr(getattr(game, part), name)), None)
        whole = {name: value} if part is None else {part: replace(getattr(game, part), **{name: value})}
        game = replace(game, **whole)
    return game


PARTS = [each.name for each in fields(Game) if each.name in {"rules", "table", "shown", "feel", "book", "play"}]
