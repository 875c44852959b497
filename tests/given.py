"""What a test begins with, or fails at once: a match that the referee allows, something that is there."""

from typing import TypeVar

from referee.match import Match

T = TypeVar("T")


def allowed(match: object) -> Match:
    """Give a match that has begun or gone on, where a refusal would be the test's own mistake."""
    assert isinstance(match, Match), match
    return match


def present(thing: T | None) -> T:
    """Give what has to be there."""
    assert thing is not None
    return thing
