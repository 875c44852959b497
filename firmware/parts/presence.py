"""How a phone proves that it is at the table: by a code that only the table tells, or by its buttons; pure.

A code stands on the computer's own screen or on the digits, or is said aloud; the first phone that sends it
has used it up. Where nothing can tell a code, a button is drawn at random: its lamp blinks for one phone, which
waits for three presses. A press of any other button is meant for the game, and ends that.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from firmware.storage.people.links import is_same

WRONG = 5
"""Wrong codes, by all phones together, after which another one is drawn."""
DRAWS, HOUR = 20, 3600.0
"""Codes and buttons that are drawn within an hour, at most."""
CODE_STANDS, BUTTON_STANDS = 600.0, 60.0
"""Seconds after which a code, or a button, is none any more."""
PRESSES, IN_A_ROW = 3, 10.0
"""Presses of the drawn button, and seconds within which they have to come."""
QUIET = 60.0
"""Seconds for which no button may have been pressed before one is drawn: people who play press theirs."""
RESTS = 60.0
"""Seconds for which a network leaves the buttons to others after a claim of its own."""


class Draw(Struct, frozen=True):
    """When something was drawn, and for which network; none for a code, which is for all."""

    at: float
    network: str = ""


class Presence(Struct, frozen=True):
    """What the table tells now, and what was drawn within the last hour."""

    code: str = ""
    seat: int | None = None
    """The seat of the drawn button."""
    phone: str = ""
    """The browser for which a button was drawn."""
    presses: tuple[float, ...] = ()
    until: float = 0.0
    wrong: int = 0
    draws: tuple[Draw, ...] = ()
    played_at: float = float("-inf")
    """When a button was pressed last that wasn't drawn: for the game, as it seems."""

    @property
    def is_open(self) -> bool:
        """Tell whether a code or a button is drawn."""
        return bool(self.code) or self.seat is not None

    @property
    def is_pressed(self) -> bool:
        """Tell whether the button was pressed as often as it has to be."""
        return self.seat is not None and len(self.presses) >= PRESSES


def closed(presence: Presence) -> Presence:
    """Tell nothing any more; what was drawn stays counted."""
    return Presence(draws=presence.draws, played_at=presence.played_at)


def at_time(presence: Presence, now: float) -> Presence:
    """Give what still holds at a time."""
    draws = tuple(draw for draw in presence.draws if now - draw.at < HOUR)
    if presence.is_open and now >= presence.until:
        return closed(replace(presence, draws=draws))
    return presence if draws == presence.draws else replace(presence, draws=draws)


def seconds_to_wait(presence: Presence, now: float, network: str = "") -> float:
    """Give the seconds until something may be drawn, for a network; 0 if it may be now."""
    draws = at_time(presence, now).draws
    of_network = [draw.at + BUTTON_STANDS + RESTS for draw in draws if network and draw.network == network]
    of_game = [presence.played_at + QUIET] if network else []
    of_all = [draws[-DRAWS].at + HOUR] if len(draws) >= DRAWS else []
    return max(0.0, max((*of_network, *of_game, *of_all), default=0.0) - now)


# a code


def with_code(presence: Presence, now: float, draw: Callable[[], str]) -> Presence:
    """Tell a code: the one that stands, or another one if it may be drawn."""
    presence = at_time(presence, now)
    if presence.code or seconds_to_wait(presence, now):
        return presence
    counted = replace(closed(presence), draws=(*presence.draws, Draw(now)))
    return replace(counted, code=draw(), until=now + CODE_STANDS)


def try_code(presence: Presence, said: str, now: float, draw: Callable[[], str]) -> tuple[Presence, bool]:
    """Compare a code: one that is right is used up, and after so many wrong ones another one is drawn."""
    presence = at_time(presence, now)
    if not presence.code:
        return presence, False
    if is_same(presence.code, "".join(said.split())):
        return closed(presence), True
    counted = replace(presence, wrong=presence.wrong + 1)
    return (with_code(closed(counted), now, draw) if counted.wrong >= WRONG else counted), False


# a button


def with_button(presence: Presence, phone: str, network: str, now: float, seat: int) -> Presence:
    """Let a button's lamp blink for a phone, unless another one has its turn or buttons are in use."""
    presence = at_time(presence, now)
    if presence.is_open or not phone or seconds_to_wait(presence, now, network):
        return presence
    counted = replace(presence, draws=(*presence.draws, Draw(now, network)))
    return replace(counted, seat=seat, phone=phone, until=now + BUTTON_STANDS)


def with_press(presence: Presence, seat: int | None, now: float) -> Presence:
    """Count a press of the drawn button; one of any other button is meant for the game, and ends it."""
    presence = at_time(presence, now)
    if presence.is_pressed:
        return presence
    if seat is None or seat != presence.seat:
        return replace(closed(presence) if presence.seat is not None else presence, played_at=now)
    row = tuple(at for at in presence.presses if now - at < IN_A_ROW)
    pressed = replace(presence, presses=(*row, now))
    # the phone has as long again to say that it was there
    return replace(pressed, until=now + BUTTON_STANDS) if pressed.is_pressed else pressed


def is_drawn_for(presence: Presence, phone: str) -> bool:
    """Tell whether the drawn button is this phone's to have pressed."""
    return presence.seat is not None and bool(phone) and is_same(presence.phone, phone)


def take_presses(presence: Presence, phone: str, now: float) -> tuple[Presence, bool]:
    """Let the phone for which the button was drawn have what its presses prove, once."""
    presence = at_time(presence, now)
    if not (is_drawn_for(presence, phone) and presence.is_pressed):
        return presence, False
    return closed(presence), True
