"""What a button that is held for five seconds, then let go, asks for: to switch off, or for the director.

It is the letting go that counts: a wire that touches ground never does, and is stuck after a while. Nothing is
answered by holding the dial, as a push of it counts when it ends, and a long one takes a step back. A seat that
isn't asked calls the director: one that is asked answers as soon as its button is down.
"""

from msgspec import Struct

from firmware.board.senses.presses import STUCK, ContactChange
from firmware.board_events import OffHeld
from hardware.board.board import Key
from referee.match import Match

HELD = 5.0
"""Seconds for which the dial is held."""


class OffHold(Struct, frozen=True, gc=False):
    """Since when the dial is held down, and whether people were told to let go."""

    since: float | None = None
    is_told: bool = False


HoldEvents = tuple[OffHold, tuple[OffHeld, ...]]


def change_hold(hold: OffHold, change: ContactChange) -> HoldEvents:
    """Hear that the dial's contact went down or up; what people weren't told of yet, they can't have meant."""
    if change.is_down:
        return OffHold(change.at), ()
    is_meant = hold.is_told and hold.since is not None and change.at < hold.since + STUCK
    return OffHold(), (OffHeld(change.at, is_let_go=True),) if is_meant else ()


def settle_hold(hold: OffHold, now: float) -> HoldEvents:
    """See whether it is held for long enough."""
    at = due(hold)
    if at is None or now < at:
        return hold, ()
    return OffHold(hold.since, is_told=True), (OffHeld(now),)


def due(hold: OffHold) -> float | None:
    """Return when to look again, if it stays down."""
    return None if hold.since is None or hold.is_told else hold.since + HELD


def asks_for_director(match: Match, key: Key, down: float, up: float) -> bool:
    """Return whether a button that was down for so long asks for the director; the match is that from then."""
    is_seat = key.role == "call" and key.seat is not None
    is_asked = any(key.seat in ask.seats for ask in match.asks)
    # when no seat is asked, the match is over, and a press begins the next one
    return is_seat and bool(match.asks) and not is_asked and HELD <= up - down < STUCK
