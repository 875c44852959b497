"""A contact's line on the fabricated board: the current through the contact, and the voltage at the pin.

Each value is a range over all tolerances of the resistors and over the Pi's own pull-up or pull-down.
"""

from collections.abc import Callable, Iterator
from itertools import product

from msgspec import Struct

from hardware.board.board import VOLTS
from hardware.board.netlist import Terminal

TOLERANCE = 0.05  # of bought resistors
PI_PULL_OHMS = 18_000.0, 73_000.0
"""A Pi's inner pull-up or pull-down: lowest and highest value of the data sheets."""
HIGH_VOLTS = 2.0  # lowest voltage that a pin reliably reads as high
_COPPER, _CORE = 0.0175, 0.14  # ohms of a metre of 1 mm²; area of a cable's core in mm²
OPEN_OHMS = 1e9  # a released contact

Range = tuple[float, float]  # lowest and highest


class Pull(Struct, frozen=True):
    """A resistor to 3V3 or to ground."""

    ohms: Range
    is_up: bool = True


class ContactLine(Struct, frozen=True):
    """The resistors between contact and pin, and the pulls at either end."""

    series: Range
    at_terminal: Pull | None = None
    at_pin: Pull | None = None


INNER_UP, INNER_DOWN = Pull(PI_PULL_OHMS), Pull(PI_PULL_OHMS, is_up=False)
"""A program switches a pin's pull-up on. Until then most pins have a pull-down."""


def bought(ohms: float) -> Range:
    return ohms * (1 - TOLERANCE), ohms * (1 + TOLERANCE)


def contact_line(end: Terminal, inner: Pull | None = INNER_UP) -> ContactLine:
    """Return the line of a contact at a terminal."""
    return ContactLine(bought(end.ohms), Pull(bought(end.pull)) if end.pull else None, inner)


def cable_ohms(metres: float) -> float:
    """Return the resistance of a cable to a seat, there and back."""
    return 2 * metres * _COPPER / _CORE


def milliamps(line: ContactLine, contact: float) -> Range:
    """Return the current through a contact of a resistance, its cable included."""
    return _range(line, lambda each: 1000 * _terminal_volts(each, contact) / contact)


def pin_volts(line: ContactLine, contact: float = OPEN_OHMS) -> Range:
    return _range(line, lambda each: _pin_volts(each, contact))


# one combination of values; levels and currents are monotonic in each, so extremes are at the corners


class _Corner(Struct, frozen=True):
    """Ohms in series, and conductance and voltage of the pull at the terminal and of the path over the pin."""

    series: float
    terminal: float
    pin: float
    pin_level: float


def _range(line: ContactLine, value: Callable[[_Corner], float]) -> Range:
    found = [value(corner) for corner in _corners(line)]
    return min(found), max(found)


def _corners(line: ContactLine) -> Iterator[_Corner]:
    terminal = (0.0,) if line.at_terminal is None else tuple(1 / ohms for ohms in line.at_terminal.ohms)
    pin = (0.0,) if line.at_pin is None else tuple(1 / ohms for ohms in line.at_pin.ohms)
    level = VOLTS if line.at_pin is None or line.at_pin.is_up else 0.0
    for series, at_terminal, at_pin in product(line.series, terminal, pin):
        yield _Corner(series, at_terminal, at_pin, level)


def _terminal_volts(corner: _Corner, contact: float) -> float:
    over_pin = corner.pin / (1 + corner.series * corner.pin)
    fed = VOLTS * corner.terminal + corner.pin_level * over_pin
    return fed / (corner.terminal + over_pin + 1 / contact)


def _pin_volts(corner: _Corner, contact: float) -> float:
    at_terminal = _terminal_volts(corner, contact)
    share = corner.series * corner.pin / (1 + corner.series * corner.pin)
    return at_terminal + (corner.pin_level - at_terminal) * share
