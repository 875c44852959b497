"""Which lamp shows what, by the moment alone."""

from msgspec import Struct
from msgspec.structs import replace

from firmware.board.voices.patterns import (
    CALLED,
    DARK,
    GOING,
    LIT_GREEN,
    LIT_NOT,
    LIT_RED,
    LOST,
    MAY,
    OUT,
    POINTED,
    TOOK,
    TROUBLE,
    TURN,
    WON,
    Pattern,
    going_round,
    play_once,
)
from hardware.board.lamps import Lamp
from referee.contract import TABLE, Choice, Done, Mood
from referee.cues import moods_at
from referee.match import Match

MOODS: tuple[tuple[Mood, Pattern], ...] = (
    (Mood.LOSS, LOST),
    (Mood.OUT, LOST),
    (Mood.LIE, LOST),
    (Mood.TRICK, TOOK),
    (Mood.TRUTH, TOOK),
    (Mood.GAIN, TOOK),
    (Mood.CALL, CALLED),
    (Mood.COUNTER, CALLED),
)
"""What a lamp tells of the moods at its seat; of several, the first."""
PASSING = frozenset({LOST, TOOK})
"""Patterns that are played once."""


class Flash(Struct, frozen=True):
    """A pattern that is played once, over what a lamp shows: at a seat, or None for the table's own lamp."""

    seat: int | None
    pattern: Pattern


class Lights(Struct, frozen=True):
    """All lamps of the table: one at each seat, the table's own; a flash plays when they are given."""

    seats: tuple[Pattern, ...]
    attention: Pattern = DARK
    flash: Flash | None = None


def lights(match: Match, *, is_in_trouble: bool = False) -> Lights:
    """Light the lamps for a moment."""
    seats = tuple(_seat_pattern(match, seat) for seat in range(len(match.setup.names)))
    return Lights(seats, TROUBLE if is_in_trouble else _attention(match))


def with_flash(shown: Lights, seat: int | None, pattern: Pattern) -> Lights:
    """Answer a press at once: a flash over what is shown at the seat, or at the table's lamp."""
    place = None if seat is None or seat >= len(shown.seats) else seat
    return replace(shown, flash=Flash(place, pattern))


def going_down(shown: Lights) -> Lights:
    """Let every lamp say that the computer goes down."""
    return Lights(tuple(GOING for _pattern in shown.seats), GOING)


def only_lamp(shown: Lights, lamp: Lamp, seats: int) -> Lights:
    """Light one lamp of so many seats, with all others dark; after a while all is shown as before."""
    resting = (*shown.seats, *(DARK for _seat in range(seats - len(shown.seats))))
    lit = LIT_RED if lamp.what == "red" else LIT_GREEN
    return Lights(
        tuple(
            play_once(lit if seat == lamp.seat else LIT_NOT, pattern) for seat, pattern in enumerate(resting)
        ),
        play_once(lit if lamp.seat is None else LIT_NOT, shown.attention),
    )


def sign_lights(seat: int | None, seats: int) -> Lights:
    """Let the lamp of one seat blink and no other; without one, let all go round."""
    if seat is None:
        return Lights(tuple(going_round(place, seats) for place in range(seats)))
    return Lights(tuple(POINTED if place == seat else DARK for place in range(seats)))


def with_seat_pointed(shown: Lights, seat: int | None) -> Lights:
    """Point out the seat of the dial's choice."""
    return replace(
        shown,
        seats=tuple(POINTED if place == seat else pattern for place, pattern in enumerate(shown.seats)),
        flash=None,
    )


def _attention(match: Match) -> Pattern:
    """Light the table's lamp while it is the table that is asked."""
    return TURN if any(ask.seats == TABLE for ask in match.asks) else DARK


def _seat_pattern(match: Match, seat: int) -> Pattern:
    """Choose a seat's pattern: the mood of the rulings about it first, then what is asked of it."""
    resting = _resting_pattern(match, seat)
    moods = moods_at(match, seat)
    pattern = next((pattern for mood, pattern in MOODS if mood in moods), None)
    if pattern is None:
        return resting
    return play_once(pattern, resting) if pattern in PASSING else pattern


def _resting_pattern(match: Match, seat: int) -> Pattern:
    if match.outcome is not None:
        return WON if seat in match.outcome.winners else DARK
    standings = match.setup.game.rules.standings(match.state)
    if any(standing.seat == seat and standing.out for standing in standings):
        return OUT
    if match.asks and match.asks[0].seats == (seat,):
        return TURN
    return MAY if any(_may_answer(match, place, seat) for place in range(len(match.asks))) else DARK


def _may_answer(match: Match, place: int, seat: int) -> bool:
    ask = match.asks[place]
    return seat in ask.seats or (ask.seats == TABLE and isinstance(ask, Choice | Done))
