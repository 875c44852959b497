"""What a press means: that is said by the asks, and by nothing else.

A press at a seat is the answer of that seat; a button of the table is that of the one seat that is asked. What
means nothing now is said to mean nothing, and why, so that lamp and sound can answer it.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from firmware.senses.presses import Gesture, Press
from hardware.board.board import Key
from referee.contract import TABLE, Answer, Ask, Choice, Done, Number, Option, Value
from referee.legal import refusal
from referee.match import Match

GESTURES: Mapping[str, Gesture] = {"challenge": "short", "block": "long", "pass": "double", "concede": "long"}
"""Gestures for words that stand beside each other; any other first option is a short press."""

Why = Literal["over", "not-you", "other-sense", "turn-first"]


class Nothing(Struct, frozen=True):
    """A press that means nothing now: it is over, others are asked, or another sense is."""

    key: Key
    at: float
    why: Why


Said = tuple[int | None, Value]
"""Who says what."""


def meant(match: Match, press: Press, dialled: int | None = None) -> Answer | Nothing:
    """Make an answer of a press; the match is the one that stood when the button went down."""
    answer = answers(match, press.key, dialled).get(press.gesture)
    return answer if answer is not None else Nothing(press.key, press.at, _why(match, press.key, dialled))


def wanted(match: Match, key: Key) -> frozenset[Gesture]:
    """Tell which gestures mean something now."""
    return frozenset(answers(match, key))


def has_rivals(match: Match, answer: Answer) -> bool:
    """Tell whether somebody else could answer in the same moment, so that the order of presses matters."""
    return any(ask.seats == TABLE or set(ask.seats) - {answer.seat} for ask in match.asks)


def answers(match: Match, key: Key, dialled: int | None = None) -> Mapping[Gesture, Answer]:
    """List what can be said with a button now; the first ask that takes a gesture has it."""
    found: dict[Gesture, Answer] = {}
    for ask in match.asks:
        for gesture, (seat, value) in _said(ask, key, dialled):
            sense: Literal["dial", "button"] = "dial" if key.role == "push" else "button"
            answer = Answer(match.number, ask.key, value, seat, sense)
            if refusal(match.asks, answer) is None:
                found.setdefault(gesture, answer)
    return found


def _said(ask: Ask, key: Key, dialled: int | None) -> Iterator[tuple[Gesture, Said]]:
    """List what a button says to one ask."""
    who = _speaker(ask, key)
    if who is None:
        return
    (seat,) = who
    if key.role == "push":
        if isinstance(ask, Number) and dialled is not None:
            yield "short", (seat, dialled)
        return
    values = _values(ask, seat)
    if key.role == "second":
        values = {"short": values["double"]} if "double" in values else {}
    for gesture, value in values.items():
        yield gesture, (seat, value)


def _speaker(ask: Ask, key: Key) -> tuple[int | None] | None:
    """Say for whom a button speaks: its seat, or the only one that is asked; nobody if that isn't clear."""
    if key.seat is not None:
        return (key.seat,) if ask.seats == TABLE or key.seat in ask.seats else None
    if ask.seats == TABLE:
        return (None,)
    return (ask.seats[0],) if len(ask.seats) == 1 else None


def _values(ask: Ask, seat: int | None) -> dict[Gesture, Value]:
    match ask:
        case Done():
            return {"short": None}
        case Choice():
            return dict(_options(ask, seat))
        case _:
            return {}


def _options(ask: Choice, seat: int | None) -> Iterator[tuple[Gesture, Value]]:
    """Give each option that a press can name its gesture: its word's, the first one's, or one's own place."""
    own = [option for option in ask.options if option.seat == seat and seat is not None]
    if len({option.word for option in ask.options}) == 1 and len(own) == 1:
        yield "short", own[0]
        return
    words = [option.word for option in ask.options]
    for option in ask.options:
        if words.count(option.word) == 1 and option.word in GESTURES:
            yield GESTURES[option.word], option
    first = _first(ask, words)
    if first is not None and "challenge" not in words:
        yield "short", first


def _first(ask: Choice, words: list[str]) -> Option | None:
    """Give the first option that has no gesture of its own, if its word alone says it."""
    first = next((option for option in ask.options if option.word not in GESTURES), None)
    return first if first is not None and words.count(first.word) == 1 else None


def _why(match: Match, key: Key, dialled: int | None) -> Why:
    if not match.asks:
        return "over"
    mine = [ask for ask in match.asks if _speaker(ask, key) is not None]
    if key.role == "push" and dialled is None and any(isinstance(ask, Number) for ask in mine):
        return "turn-first"
    return "other-sense" if mine else "not-you"


def number_asked(match: Match) -> Number | None:
    """Give the number that the dial is for: the only one that is asked of one seat."""
    numbers = [ask for ask in match.asks if isinstance(ask, Number) and len(ask.seats) == 1]
    return numbers[0] if len(numbers) == 1 else None


def dialled(ask: Number, number: int | None, steps: int) -> int:
    """Turn the dial: from nothing to the least, then up and down, past what is barred, within the range."""
    if number is None:
        return _allowed(ask, ask.least, 1)
    return _allowed(ask, min(max(number + steps, ask.least), ask.most), 1 if steps > 0 else -1)


def _allowed(ask: Number, number: int, way: int) -> int:
    """Give the next number that isn't barred, or else the next one the other way."""
    for step in (way, -way):
        here = number
        while here in ask.barred:
            here += step
        if ask.least <= here <= ask.most:
            return here
    return number
