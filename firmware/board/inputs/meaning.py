"""The meaning of a press, from the asks and the game's gestures alone.

A press at a seat is that seat's answer. A button of the table answers for the only seat that is asked. The dial
has its own menu (`menus.py`). A press without a meaning gets a reason, so that lamp and sound can reject it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from firmware.board.inputs.presses import Press
from firmware.board_events import VoidPress, VoidReason
from hardware.board.board import Key
from referee.contract import TABLE, Answer, Ask, Choice, Done, Gesture, Value
from referee.match import Match

Gestures = Mapping[str, Gesture]
SeatValue = tuple[int | None, Value]  # a seat (None is the table) and its answer


class ButtonMeaning(Struct, frozen=True):
    """The meaning of each gesture of a button, fixed by the match at the time it went down."""

    match: Match
    answers: Mapping[Gesture, Answer]
    rivalled: frozenset[Gesture]
    """Gestures that another seat may answer at the same moment, so that the order of presses matters."""
    wanted: frozenset[Gesture]
    """Gestures with a meaning, or with several; others need not be waited for."""


def meaning_of(match: Match, key: Key) -> ButtonMeaning:
    if key.role == "push":
        return ButtonMeaning(match, {}, frozenset(), frozenset({"short", "long"}))
    meant = answers(match, key)
    rivalled = frozenset(gesture for gesture, answer in meant.items() if has_rivals(match, answer))
    return ButtonMeaning(match, meant, rivalled, frozenset((*meant, *ambiguous_gestures(match, key))))


def void_press(match: Match, press: Press) -> VoidPress:
    return VoidPress(press.key, press.at, _why(match, press))


def has_rivals(match: Match, answer: Answer) -> bool:
    """Return whether another seat may answer at the same moment, so that the order of presses matters."""
    return any(ask.seats == TABLE or set(ask.seats) - {answer.seat} for ask in match.asks)


def answers(match: Match, key: Key) -> Mapping[Gesture, Answer]:
    """Return a button's current answers; a gesture belongs to the first ask that uses it."""
    gestures = match.setup.game.feel.gestures
    return {
        gesture: Answer(match.number, ask.key, value, seat, "button")
        for ask in reversed(match.asks)
        for gesture, (seat, value) in _gesture_values(gestures, ask, key)
    }


def seat_answers(match: Match, seat: int, role: Literal["call", "second"]) -> Mapping[Gesture, Answer]:
    """Return the current answers of a seat's button: of a short press first, then a double, then a long one."""
    meant = answers(match, Key(role, seat))
    gestures: tuple[Gesture, ...] = ("short", "double", "long")
    return {gesture: meant[gesture] for gesture in gestures if gesture in meant}


def ambiguous_gestures(match: Match, key: Key) -> frozenset[Gesture]:
    """Return gestures for a word with several options, such as blocks by two characters."""
    if key.role != "call":
        return frozenset()
    gestures = match.setup.game.feel.gestures
    return frozenset(
        gestures[word]
        for ask in match.asks
        if isinstance(ask, Choice) and _speaker(ask, key) is not None
        for word, count in Counter(option.word for option in ask.options).items()
        if count > 1 and word in gestures
    )


def _gesture_values(gestures: Gestures, ask: Ask, key: Key) -> Iterator[tuple[Gesture, SeatValue]]:
    who = _speaker(ask, key)
    if who is None or key.role == "push":
        return
    for gesture, value in _values(gestures, ask, who[0]):
        if key.role != "second":
            yield gesture, (who[0], value)
        elif gesture == "double":
            yield "short", (who[0], value)


def _speaker(ask: Ask, key: Key) -> tuple[int | None] | None:
    """Return the seat that a button answers for: its own or the only one asked; None if ambiguous."""
    if key.seat is not None:
        return (key.seat,) if ask.seats == TABLE or key.seat in ask.seats else None
    if ask.seats == TABLE:
        return (None,)
    return (ask.seats[0],) if len(ask.seats) == 1 else None


def _values(gestures: Gestures, ask: Ask, seat: int | None) -> Iterator[tuple[Gesture, Value]]:
    """Yield a gesture for each option that one press can select."""
    if isinstance(ask, Done):
        yield "short", None
    if not isinstance(ask, Choice):
        return
    own = [option for option in ask.options if option.seat == seat and seat is not None]
    if len({option.word for option in ask.options}) == 1 and len(own) == 1:
        yield "short", own[0]
        return
    words = [option.word for option in ask.options]
    for option in ask.options:
        if words.count(option.word) == 1 and option.word in gestures:
            yield gestures[option.word], option
    # a short press selects the first option without a gesture, if its word is unique
    first = next((option for option in ask.options if option.word not in gestures), None)
    if first and words.count(first.word) == 1 and "short" not in {gestures.get(word) for word in words}:
        yield "short", first


def _why(match: Match, press: Press) -> VoidReason:
    if not match.asks:
        return "over"
    if press.key.role == "push":
        return "turn-first"
    if press.gesture in ambiguous_gestures(match, press.key):
        return "phone-only"
    return "other-sense" if any(_speaker(ask, press.key) is not None for ask in match.asks) else "not-you"
