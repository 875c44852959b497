"""Card moves, and fair play for the simulated table."""

from collections.abc import Mapping

from hearts.rules import (
    FIRST,
    HAND,
    ORDER,
    PASSED,
    SEATS,
    State,
    asks,
    barred_now,
    direction,
    trick_of,
    turn_of,
)
from referee.contract import Answer, Move, Ruling, Show, Zone, hand_of
from referee.kit.french_cards import SUIT
from referee.kit.hidden_hands import moves_of_tricks
from referee.kit.tricks import follows


def moves(state: State, ruling: Ruling) -> tuple[Move, ...]:
    """Deal, pass three cards, lay a card in the middle, clear a trick."""
    if ruling.key != "passed":
        return moves_of_tricks(SEATS, HAND, ruling)
    given = {seat: Zone("passed", seat) for seat in range(SEATS)}
    away = tuple(Move(hand_of(seat), zone, PASSED) for seat, zone in given.items())
    to = direction(state)
    return (*away, *(Move(zone, hand_of((seat + to) % SEATS)) for seat, zone in given.items()))


def is_fair(state: State, answer: Answer, places: Mapping[Zone, tuple[str, ...]]) -> bool:
    """Return whether a fair player may give this answer: they follow suit if they can."""
    seat = answer.seat if answer.seat is not None else turn_of(state)
    held = places.get(hand_of(seat), ()) if seat is not None else ()
    trick, show = trick_of(state), asks(state)[0]
    if answer.ask == "first":
        return FIRST in held
    if answer.ask == "only":
        return barred_now(state).keys() >= set(held)
    if not isinstance(answer.value, tuple) or not isinstance(show, Show):
        return True
    (card,) = answer.value
    return bool(show.among[card]) and follows(ORDER, card, SUIT[trick[0]] if trick else "", held)
