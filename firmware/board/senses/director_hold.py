"""Asking for the director by hand: the button of a seat that isn't asked, held for five seconds, then let go.

Where the seat is asked, a button answers as soon as it is down, so holding it there calls no director. A wire
that touches ground is never let go, or stuck by then.
"""

from firmware.board.senses.off_hold import HELD
from firmware.board.senses.presses import STUCK
from hardware.board.board import Key
from referee.match import Match


def asks_for_director(match: Match, key: Key, down: float, up: float) -> bool:
    """Tell whether a button that was down for so long asks for the director; the match is that from then."""
    is_seat = key.role == "call" and key.seat is not None
    is_asked = any(key.seat in ask.seats for ask in match.asks)
    # when no seat is asked, the match is over, and a press begins the next one
    return is_seat and bool(match.asks) and not is_asked and HELD <= up - down < STUCK
