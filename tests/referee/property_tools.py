"""How properties are marked, and what several of them use."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeVar

from firmware.language.catalogues import language, languages
from referee import sentences
from referee.contract import Refusal
from referee.match import Match, Position, standing_answers


class Property(NamedTuple):
    """A property, and the interval of moments at which it is checked."""

    check: Callable[..., None]
    every: int


Check = TypeVar("Check", bound=Callable[..., None])


def holds_of(properties: list[Property], every: int = 1) -> Callable[[Check], Check]:
    def note(check: Check) -> Check:
        properties.append(Property(check, every))
        return check

    return note


@cache
def spoken() -> tuple[Any, ...]:
    return tuple(map(language, languages()))


def listeners(match: Match) -> tuple[sentences.Listener, ...]:
    return tuple(sentences.listener_at(match.setup, spoken) for spoken in spoken())


def assert_worded(match: Match, refusal: Refusal) -> None:
    for listener in listeners(match):
        told = sentences.refusal_text(listener, refusal)
        assert told
        assert "{" not in told, told


def positions(match: Match) -> list[Position]:
    return [*(step.before for step in standing_answers(match)), match.position]
