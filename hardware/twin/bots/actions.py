"""What a bot can do, and the short ways to say it."""

from msgspec import Struct

from referee.contract import Answer, Ask, Choice, Option, Value
from referee.match import Match


class BotAction(Struct, frozen=True):
    """Something to say, or cards of one's own to lay."""

    answer: Answer | None = None
    lays: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    """How the hand is held while it is said; the last cards are the ones that are given away."""
    waits: bool = False
    """First the others may speak."""


def say_action(match: Match, ask: str, value: Value, seat: int) -> BotAction:
    """Say something."""
    return BotAction(Answer(match.number, ask, value, seat, "twin"))


def asks_by_key(match: Match, seat: int) -> dict[str, Ask]:
    """Give what a seat is asked, by key."""
    return {ask.key: ask for ask in match.asks if seat in ask.seats}


def options_of(ask: Ask | None) -> dict[str, tuple[Option, ...]]:
    """Give the options of a choice, by word."""
    options = ask.options if isinstance(ask, Choice) else ()
    return {option.word: tuple(one for one in options if one.word == option.word) for option in options}
