"""What a lamp does, as data: rhythm tells as much as colour, to eyes and lamps that know few colours."""

from typing import Literal

from msgspec import Struct

Light = Literal["", "green", "red", "amber"]
"""What a lamp shows; amber is green and red together."""


ROUND_STEP = 0.2
"""Seconds for which each lamp is lit while they go round."""


class Beat(Struct, frozen=True):
    """A light, and for how many seconds."""

    light: Light
    seconds: float


class Pattern(Struct, frozen=True):
    """Beats that are repeated for ever, or played once before another pattern."""

    beats: tuple[Beat, ...]
    then: "Pattern | None" = None


def length(pattern: Pattern) -> float:
    """Tell how many seconds all beats take once."""
    return sum(beat.seconds for beat in pattern.beats)


def level(pattern: Pattern, at: float) -> tuple[Light, float | None]:
    """Tell what a lamp shows so many seconds after the pattern began, and for how long; None is for ever."""
    if pattern.then is not None and at >= length(pattern):
        return level(pattern.then, at - length(pattern))
    if len(pattern.beats) == 1 and pattern.then is None:
        return pattern.beats[0].light, None
    left = at if pattern.then is not None else at % length(pattern)
    for beat in pattern.beats[:-1]:
        if left < beat.seconds:
            return beat.light, beat.seconds - left
        left -= beat.seconds
    return pattern.beats[-1].light, pattern.beats[-1].seconds - left


def play_once(flash: Pattern, then: Pattern) -> Pattern:
    """Play a pattern once, then another one."""
    return Pattern(flash.beats, then)


def going_round(place: int, places: int) -> Pattern:
    """Light one lamp of a round, each in its turn: the table waits for people."""
    before, after = place * ROUND_STEP, (places - place - 1) * ROUND_STEP
    beats = (Beat("", before), Beat("amber", ROUND_STEP), Beat("", after))
    return Pattern(tuple(beat for beat in beats if beat.seconds))


def _beats(text: str, light: Light) -> tuple[Beat, ...]:
    """Read beats in hundredths of a second, lit and dark in turn: "50 50"."""
    return tuple(
        Beat("" if place % 2 else light, int(length) / 100) for place, length in enumerate(text.split())
    )


_ONE_BY_ONE: tuple[Light, ...] = ("green", "red", "")
DARK = Pattern((Beat("", 1.0),))
TURN = Pattern((Beat("green", 1.0),))
"""Your turn: steady."""
TRIED = Pattern(_beats("30 20 30 20 30 20", "amber"))
"""Which lamp is this? Three times."""
LIT_GREEN, LIT_RED, LIT_NOT = (Pattern((Beat(light, 60.0),)) for light in _ONE_BY_ONE)
"""Do you see this one? Steady for a minute; all others are dark."""
MAY = Pattern(_beats("50 50", "green"))
"""You may react: slow and even."""
CALLED = Pattern(_beats("12 12 12 64", "amber"))
"""A call: two short ones."""
LOST = Pattern(_beats("60 20 60 20 60 40", "red"))
"""You take the loss: three long ones."""
OUT = Pattern(_beats("6 394", "red"))
"""Out of the match: a spark now and then."""
WON = Pattern((*_beats("10 10 10 10 10 10", "green"), *_beats("40 10", "amber")))
"""You have won: three quick ones, a long one."""
TOOK = Pattern(_beats("12 12 12 12 36 12", "green"))
"""The trick is yours: two quick ones, a longer one."""
HEARD = Pattern(_beats("15 5", "amber"))
"""Your press arrived."""
NOTHING = Pattern(_beats("5 5 5 5 5 5 5 15", "red"))
"""Your press means nothing now."""
POINTED = Pattern(_beats("15 15", "amber"))
"""You are meant by what is on the dial: quick and even, for as long as it is there."""
GOING = Pattern(_beats("90 15", "amber"))
"""The computer goes down: lit, with a wink now and then; dark once the table has ended."""
TROUBLE = Pattern(_beats("20 20", "red"))
"""Something is broken; the table's lamp only."""

PATTERNS = {
    "turn": TURN,
    "may": MAY,
    "called": CALLED,
    "lost": LOST,
    "out": OUT,
    "won": WON,
    "heard": HEARD,
    "nothing": NOTHING,
    "pointed": POINTED,
    "going": GOING,
    "trouble": TROUBLE,
}
"""All of them by name, for pages and legends."""
