"""The actions of bots, and helpers to make them."""

from msgspec import Struct

from referee.contract import Answer, Ask, Choice, Option, Value
from referee.match import Match


class BotAction(Struct, frozen=True):
    """An answer to give, or own cards to lay."""

    answer: Answer | None = None
    lays: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    """Order of the hand for this action; the last cards are the ones to give away."""
    waits: bool = False  # let the other players answer first


def say_action(match: Match, ask: str, value: Value, seat: int) -> BotAction:
    return BotAction(Answer(match.number, ask, value, seat, "twin"))


def asks_by_key(match: Match, seat: int) -> dict[str, Ask]:
    return {ask.key: ask for ask in match.asks if seat in ask.seats}


def options_of(ask: Ask | None) -> dict[str, tuple[Option, ...]]:
    options = ask.options if isinstance(ask, Choice) else ()
    return {option.word: tuple(one for one in options if one.word == option.word) for option in options}
