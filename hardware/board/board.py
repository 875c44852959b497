"""A board and its pin assignments, read from the profiles in a TOML file; independent of drivers."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

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
"""Forward voltages of LEDs; emerald is the bright green of newer ones."""
Role = Literal["call", "second", "push", "a", "b"]
Interface = Literal["i2c", "spi", "uart"]
Colour = Literal["green", "red"]
COLOURS: tuple[Colour, ...] = ("green", "red")
OUTPUTS = 8  # outputs of a 74HC595 or a ULN2803


class Trouble(Struct, frozen=True):
    """A kind of problem and its values: `Trouble("clash", {"gpio": 17, "first": "dial a", ...})`."""

    key: str
    values: Mapping[str, float | str] = {}


class BoardError(Exception):
    """A board can't be used; the caller puts the problem into words."""

    def __init__(self, key: str, **values: float | str) -> None:
        self.trouble = Trouble(key, values)
        super().__init__(key, values)


class Key(Struct, frozen=True, order=True):
    """An input wire: a seat's first or second button, a table button, or the dial's push, a or b."""

    role: Role
    seat: int | None = None


class LampLines(Struct, frozen=True, tag="lines", tag_field="kind", forbid_unknown_fields=True):
    """Lamps on their own pins; either colour may be missing."""

    green: tuple[int, ...] = ()
    red: tuple[int, ...] = ()


class LampDrivers(Struct, frozen=True, tag="drivers", tag_field="kind", forbid_unknown_fields=True):
    """Lamps with a separate supply, each behind a ULN2803 input on its own pin."""

    green: tuple[int, ...] = ()
    red: tuple[int, ...] = ()
    volts: float = 12.0
    milliamps: float = 20.0  # current of one lamp


LampPins = LampLines | LampDrivers  # lamps with a pin each; either colour may be missing


class Register(Struct, frozen=True, tag="register", tag_field="kind", forbid_unknown_fields=True):
    """Lamps on a chain of shift registers: green and red for each seat in turn."""

    data: int
    clock: int
    latch: int
    chips: int
    volts: float | None = None
    """Voltage of a separate lamp supply; each register then has a ULN2803."""
    milliamps: float | None = None  # current of one lamp from that supply


class UndrivenRing(Struct, frozen=True, tag="ring", tag_field="kind"):
    """A chain of LEDs in an owner's file; no pin is driven for it."""


class DialPins(Struct, frozen=True, forbid_unknown_fields=True):
    """A rotary encoder with a push button."""

    a: int
    b: int
    push: int


class DisplayPins(Struct, frozen=True, forbid_unknown_fields=True):
    """Four digits on a TM1637."""

    clock: int
    data: int


class SpiDigits(Struct, frozen=True, forbid_unknown_fields=True):
    """Digits on a MAX7219, on SPI."""

    digits: int = 8
    light: int = 4  # brightness of 15


class Ohms(Struct, frozen=True, forbid_unknown_fields=True):
    """Resistors of each kind of lamp, of the buzzer's transistor, and of lines that leave the box."""

    green: int = 470
    red: int = 470
    attention: int = 470
    buzzer: int = 1000
    line: int = 1000
    pulled: int = 330
    """For lines on pins with a strong pull-up on the Pi, where a larger resistor would hide a press."""
    pin: int = 0
    """A second resistor between a line's pin and its clamp array; 0 without an array.

    Boards with arrays also have a pull-up at each contact's terminal (`netlist.WETTING_OHMS`).
    """


class Leds(Struct, frozen=True, forbid_unknown_fields=True):
    """Colours of the LEDs used as green, red and the table's lamp."""

    green: LedColour = "green"
    red: LedColour = "red"
    attention: LedColour = "yellow"


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The assignments of GPIOs; lists have one pin per seat."""

    seats: int
    call: tuple[int, ...] = ()
    second: tuple[int, ...] = ()
    table: tuple[int, ...] = ()
    lamps: LampLines | LampDrivers | Register | UndrivenRing | None = None
    dial: DialPins | None = None
    display: DisplayPins | None = None
    max7219: SpiDigits | None = None
    attention: int | None = None
    buzzer: int | None = None
    ohms: Ohms = Ohms()
    leds: Leds = Leds()
    keeps: tuple[Interface, ...] = ()
    solderless: bool = False  # only buttons, on a breadboard


Boards = Mapping[str, Board]


def lamp_supply(board: Board) -> LampDrivers | None:
    """Return the separate lamp supply, if any, with its voltage and the current per lamp."""
    if not isinstance(board.lamps, Register):
        return board.lamps if isinstance(board.lamps, LampDrivers) else None
    named = {"volts": board.lamps.volts, "milliamps": board.lamps.milliamps}
    given = {name: value for name, value in named.items() if value is not None}
    return replace(LampDrivers(), **given) if given else None


def read_boards(text: str, file: str = "board.toml") -> Boards:
    try:
        return msgspec.convert(tomllib.loads(text), dict[str, Board])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, RecursionError) as error:
        raise BoardError("board unreadable", file=file, why=str(error)) from error


FAB = "fab"
"""Profile of the fabricated board."""


def our_boards() -> Boards:
    return read_boards(files("hardware").joinpath("board.toml").read_text(encoding="utf-8"))


def is_fab(board: Board) -> bool:
    """Return whether a board is the fabricated one, regardless of its name."""
    return board == our_boards()[FAB]


def keys(board: Board) -> Mapping[Key, int]:
    pressed = {Key("call", seat): gpio for seat, gpio in enumerate(board.call)}
    pressed |= {Key("second", seat): gpio for seat, gpio in enumerate(board.second)}
    pressed |= dict(zip((Key("call"), Key("second")), board.table, strict=False))
    return pressed | ({Key("push"): board.dial.push} if board.dial else {})


def wires(board: Board) -> Mapping[Key, int]:
    """Return the GPIO of each input: buttons, and the dial's two wires."""
    turned = {} if board.dial is None else {Key("a"): board.dial.a, Key("b"): board.dial.b}
    return {**keys(board), **turned}


# the 40 pins of a Raspberry Pi's header

_ROWS = """
3V3 5V    2 5V    3 GND   4 14    GND 15
17 18     27 GND  22 23   3V3 24  10 GND
9 25      11 8    GND 7   ID ID   5 GND
6 12      13 GND  19 16   26 20   GND 21
"""
"""Pins row by row, seen from above with the header at the Pi's right edge; numbers are GPIOs."""


class HeaderPin(Struct, frozen=True):
    """A pin: its number on the header, its name, and its GPIO if it has a usable one."""

    number: int
    name: str
    gpio: int | None


HEADER: tuple[HeaderPin, ...] = tuple(
    HeaderPin(number, f"GPIO{name}", int(name)) if name.isdecimal() else HeaderPin(number, name, None)
    for number, name in enumerate(_ROWS.split(), 1)
)
PIN_OF: Mapping[int, HeaderPin] = {pin.gpio: pin for pin in HEADER if pin.gpio is not None}

PULLED_UP = frozenset({2, 3})  # GPIOs with pull-up resistors on the Pi
INTERFACES: Mapping[str, frozenset[int]] = {
    "i2c": frozenset({2, 3}),
    "spi": frozenset({7, 8, 9, 10, 11}),
    "uart": frozenset({14, 15}),
}
SPI_DATA, SPI_CLOCK, DIGITS_SELECT = 10, 11, 7
"""SPI pins: data, clock, and the select line of the digits, low during writes."""
VOLTS = 3.3
INSIDE_OHMS, ON_PI_OHMS = 50_000, 1_800
"""Pull-up resistors: in the processor for inputs, and on the Pi's board at GPIO2 and GPIO3."""
PIN_MILLIAMPS = 16.0
ALL_MILLIAMPS = 50.0
