"""The 40 pins of a Raspberry Pi's header, and what is special about some."""

from collections.abc import Mapping

from msgspec import Struct

_ROWS = """
3V3 5V
2 5V
3 GND
4 14
GND 15
17 18
27 GND
22 23
3V3 24
10 GND
9 25
11 8
GND 7
ID ID
5 GND
6 12
13 GND
19 16
26 20
GND 21
"""
"""The pins row by row, seen from above with the header at the Pi's right edge; a number is a GPIO."""


class HeaderPin(Struct, frozen=True):
    """A pin: its number on the header, its name, and its GPIO number if it has one that may be used."""

    number: int
    name: str
    gpio: int | None


def _pin(number: int, name: str) -> HeaderPin:
    return HeaderPin(number, f"GPIO{name}", int(name)) if name.isdecimal() else HeaderPin(number, name, None)


HEADER: tuple[HeaderPin, ...] = tuple(_pin(number, name) for number, name in enumerate(_ROWS.split(), 1))
PIN_OF: Mapping[int, HeaderPin] = {pin.gpio: pin for pin in HEADER if pin.gpio is not None}
"""The header pin of each GPIO."""

EEPROM = frozenset({0, 1})
"""The pins with which an add-on board identifies itself."""
PULLED_UP = frozenset({2, 3})
"""GPIOs that resistors on the Pi pull up."""
INTERFACES: Mapping[str, frozenset[int]] = {
    "i2c": frozenset({2, 3}),
    "spi": frozenset({7, 8, 9, 10, 11}),
    "uart": frozenset({14, 15}),
}
SPI_DATA, SPI_CLOCK = 10, 11
RING_SELECT, DIGITS_SELECT = 8, 7
"""What the board has on SPI: its data, its clock, and what is low while a ring or digits are written to."""
VOLTS = 3.3
LOW_VOLTS = 0.8
"""The highest voltage that a pin surely takes for low."""
INSIDE_OHMS, ON_PI_OHMS = 50_000, 1_800
"""What pulls a pin up: inside the processor for inputs, and on the Pi's board at GPIO2 and GPIO3."""
PIN_MILLIAMPS = 16.0
"""The most milliamperes from one pin."""
ALL_MILLIAMPS = 50.0
"""The most milliamperes from all pins together."""
