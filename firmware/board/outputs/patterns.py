"""Lamp patterns as data, and the pattern of each lamp for a moment.

Rhythm carries as much meaning as colour, for colour-blind people and for one-colour lamps.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from hardware.board.lamps import Lamp
from referee.contract import TABLE, Choice, Done, Mood
from referee.match import Match
from referee.showing import moods_at

Light = Literal["", "green", "red", "amber"]  # colour of a lamp; amber is green and red together
ROUND_STEP = 0.2  # seconds for each lamp of a running light


Beat = tuple[Light, float]
"""A light and its seconds."""


class Pattern(Struct, frozen=True):
    """Beats that repeat forever, or play once before the pattern `then`."""

    beats: tuple[Beat, ...]
    then: "Pattern | None" = None


def length(pattern: Pattern) -> float:
    return sum(seconds for _light, seconds in pattern.beats)


def level(pattern: Pattern, at: float) -> tuple[Light, float | None]:
    """Return a lamp's light `at` seconds into the pattern, and its remaining seconds; None is forever."""
    if pattern.then is not None and at >= length(pattern):
        return level(pattern.then, at - length(pattern))
    if len(pattern.beats) == 1 and pattern.then is None:
        return pattern.beats[0][0], None
    left = at if pattern.then is not None else at % length(pattern)
    for light, seconds in pattern.beats[:-1]:
        if left < seconds:
            return light, seconds - left
        left -= seconds
    light, seconds = pattern.beats[-1]
    return light, seconds - left


def going_round(place: int, places: int) -> Pattern:
    """Return one lamp's pattern of a running light, which means that the table waits for people."""
    before, after = place * ROUND_STEP, (places - place - 1) * ROUND_STEP
    beats: tuple[Beat, ...] = (("", before), ("amber", ROUND_STEP), ("", after))
    return Pattern(tuple((light, seconds) for light, seconds in beats if seconds))


def _beats(text: str, light: Light) -> tuple[Beat, ...]:
    """Parse beats in hundredths of a second, alternately lit and dark: "50 50"."""
    return tuple(("" if place % 2 else light, int(length) / 100) for place, length in enumerate(text.split()))


_ONE_BY_ONE: tuple[Light, ...] = ("green", "red", "")
DARK = Pattern((("", 1.0),))
TURN = Pattern((("green", 1.0),))  # your turn: steady
IDENTIFY = Pattern(_beats("30 20 30 20 30 20", "amber"))  # identify a lamp: three flashes
LIT_GREEN, LIT_RED, LIT_NOT = (Pattern(((light, 60.0),)) for light in _ONE_BY_ONE)
"""Lamp test: one lamp steady for a minute, all others dark."""
MAY_REACT = Pattern(_beats("50 50", "green"))  # you may react: slow and even
CALLED = Pattern(_beats("12 12 12 64", "amber"))  # a call: two short flashes
LOST = Pattern(_beats("60 20 60 20 60 40", "red"))  # you take the loss: three long flashes
OUT = Pattern(_beats("6 394", "red"))  # out of the match: a short flash every four seconds
WON = Pattern((*_beats("10 10 10 10 10 10", "green"), *_beats("40 10", "amber")))
"""You have won: three quick flashes, a long one."""
TOOK = Pattern(_beats("12 12 12 12 36 12", "green"))
"""You won the trick: two quick flashes, a longer one."""
CONFIRMED = Pattern(_beats("15 5", "amber"))  # your press arrived
REJECTED = Pattern(_beats("5 5 5 5 5 5 5 15", "red"))  # your press means nothing now
POINTED = Pattern(_beats("15 15", "amber"))
"""Fast blink: the dial answers for this seat."""
SHUTTING_DOWN = Pattern(_beats("90 15", "amber"))
"""Shutting down: lit with short gaps; dark once the table has ended."""
TROUBLE = Pattern(_beats("20 20", "red"))  # a fault; only on the table's lamp

MOODS: Mapping[Mood, Pattern] = {
    **dict.fromkeys((Mood.LOSS, Mood.OUT, Mood.LIE), LOST),
    **dict.fromkeys((Mood.TRICK, Mood.TRUTH, Mood.GAIN), TOOK),
    **dict.fromkeys((Mood.CALL, Mood.COUNTER), CALLED),
}
"""Pattern for a mood at a seat; of several moods, the first in this order."""


class Lights(Struct, frozen=True):
    """Patterns of all seat lamps and of the table's lamp."""

    seats: tuple[Pattern, ...]
    attention: Pattern = DARK
    flash: tuple[int | None, Pattern] | None = None
    """A pattern played once over the current one, at a seat or (None) at the table's lamp."""


def lights(match: Match, *, is_in_trouble: bool = False) -> Lights:
    seats = tuple(_seat_pattern(match, seat) for seat in range(len(match.setup.names)))
    asked = TURN if any(ask.seats == TABLE for ask in match.asks) else DARK
    return Lights(seats, TROUBLE if is_in_trouble else asked)


def with_flash(shown: Lights, seat: int | None, pattern: Pattern) -> Lights:
    """Return the lights with a flash that confirms a press, at a seat or at the table's lamp."""
    place = None if seat is None or seat >= len(shown.seats) else seat
    return replace(shown, flash=(place, pattern))


def going_down(shown: Lights) -> Lights:
    return Lights(tuple(SHUTTING_DOWN for _pattern in shown.seats), SHUTTING_DOWN)


def only_lamp(shown: Lights, lamp: Lamp, seats: int) -> Lights:
    """Light one lamp with all others dark; after a while the previous lights return."""
    resting = (*shown.seats, *(DARK for _seat in range(seats - len(shown.seats))))
    lit = LIT_RED if lamp.what == "red" else LIT_GREEN
    return Lights(
        tuple(
            replace(lit if seat == lamp.seat else LIT_NOT, then=pattern) for seat, pattern in enumerate(resting)
        ),
        replace(lit if lamp.seat is None else LIT_NOT, then=shown.attention),
    )


def sign_lights(seat: int | None, seats: int) -> Lights:
    """Blink one seat's lamp with all others dark; without a seat, show a running light."""
    if seat is None:
        return Lights(tuple(going_round(place, seats) for place in range(seats)))
    return Lights(tuple(POINTED if place == seat else DARK for place in range(seats)))


def with_seat_pointed(shown: Lights, seat: int | None) -> Lights:
    return replace(
        shown,
        seats=tuple(POINTED if place == seat else pattern for place, pattern in enumerate(shown.seats)),
        flash=None,
    )


def _seat_pattern(match: Match, seat: int) -> Pattern:
    """Return a seat's pattern: first the mood of rulings about it, then its ask."""
    resting = _resting_pattern(match, seat)
    moods = moods_at(match, seat)
    pattern = next((pattern for mood, pattern in MOODS.items() if mood in moods), None)
    if pattern is None:
        return resting
    # a call's pattern stays during the call, unless the seat itself is asked
    is_call_standing = pattern == CALLED and resting not in {TURN, MAY_REACT}
    return pattern if is_call_standing else replace(pattern, then=resting)


def _resting_pattern(match: Match, seat: int) -> Pattern:
    if match.outcome is not None:
        return WON if seat in match.outcome.winners else DARK
    standings = match.setup.game.rules.standings(match.state)
    if any(standing.seat == seat and standing.out for standing in standings):
        return OUT
    if match.asks and match.asks[0].seats == (seat,):
        return TURN
    may = (seat in ask.seats or (ask.seats == TABLE and isinstance(ask, Choice | Done)) for ask in match.asks)
    return MAY_REACT if any(may) else DARK
