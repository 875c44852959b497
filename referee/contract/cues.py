"""How a ruling feels, and how an option is pressed: lamps, tunes, screens and buttons derive theirs from it."""

from enum import StrEnum
from typing import Literal

from msgspec import Struct


class Mood(StrEnum):
    """How a ruling feels to the table: a small closed set."""

    CALL = "call"
    """A shout that stops the table: Coyote!, a challenge."""
    CLAIM = "claim"
    """A claim that others may doubt, or an attack that they may meet."""
    COUNTER = "counter"
    """A claim or an attack is met."""
    TRUTH = "truth"
    LIE = "lie"
    GAIN = "gain"
    LOSS = "loss"
    OUT = "out"
    TRICK = "trick"
    SEASON = "season"
    """A new round, contract or season begins."""
    REVERSAL = "reversal"
    """What was said before no longer holds."""
    WIN = "win"


class Cue(Struct, frozen=True, gc=False):
    """The mood of a ruling, and which of its values names the seat that it is about; none for the table."""

    mood: Mood
    seat: str = "seat"


Gesture = Literal["short", "long", "double"]
"""How a button is pressed; what has no gesture is chosen on the dial."""
