"""The colours of LEDs, and the voltage that each needs."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

LedColour = Literal["red", "orange", "yellow", "green", "emerald", "blue", "white"]

FORWARD_VOLTS: Mapping[LedColour, float] = {
    "red": 1.9,
    "orange": 2.0,
    "yellow": 2.0,
    "green": 2.1,
    "emerald": 3.0,
    "blue": 3.1,
    "white": 3.1,
}
"""What is across a LED while it is lit; emerald is the bright green of newer ones."""
SPREAD_VOLTS = 0.3
"""How much more one LED may need than another of its colour."""
LEAST_MILLIAMPS = 0.1
"""The current from which on even a bright LED is seen in a lit room."""


class Leds(Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of the LEDs that are there for what the program calls green, red and the table's lamp."""

    green: LedColour = "green"
    red: LedColour = "red"
    attention: LedColour = "yellow"
