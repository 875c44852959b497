"""A board, what is on which pin, read from the profiles in a TOML file; no driver is known here."""

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
"""What is across a LED while it is lit; emerald is the bright green of newer ones."""
Role = Literal["call", "second", "push", "a", "b"]
Interface = Literal["i2c", "spi", "uart"]
Colour = Literal["green", "red"]
COLOURS: tuple[Colour, ...] = ("green", "red")
OUTPUTS = 8  # the outputs of a 74HC595, and those of a ULN2803


class Trouble(Struct, frozen=True):
    """A kind of trouble and its values: `Trouble("clash", {"gpio": 17, "first": "dial a", ...})`."""

    key: str
    values: Mapping[str, float | str] = {}


class BoardError(Exception):
    """A board can't be used; the caller puts the trouble into words."""

    def __init__(self, key: str, **values: float | str) -> None:
        self.trouble = Trouble(key, values)
        super().__init__(key, values)


class Key(Struct, frozen=True, order=True):
    """An input wire: a seat's button or second one, one of the table's, or the dial's push, a or b."""

    role: Role
    seat: int | None = None


class LampLines(Struct, frozen=True, tag="lines", tag_field="kind", forbid_unknown_fields=True):
    """Lamps on pins of their own; either colour may be left out."""

    green: tuple[int, ...] = ()
    red: tuple[int, ...] = ()


class LampDrivers(Struct, frozen=True, tag="drivers", tag_field="kind", forbid_unknown_fields=True):
    """Lamps with a supply of their own, each behind an input of a ULN2803 on a pin of its own."""

    green: tuple[int, ...] = ()
    red: tuple[int, ...] = ()
    volts: float = 12.0
    milliamps: float = 20.0  # what one lamp draws


LampPins = LampLines | LampDrivers  # lamps that each have a pin; either colour may be left out


class Register(Struct, frozen=True, tag="register", tag_field="kind", forbid_unknown_fields=True):
    """Lamps behind a chain of shift registers: green and red for each seat in turn."""

    data: int
    clock: int
    latch: int
    chips: int
    volts: float | None = None
    """Of a supply of the lamps' own: then each register has a ULN2803 beside it."""
    milliamps: float | None = None  # what one lamp draws from it


class LedRing(Struct, frozen=True, tag="ring", tag_field="kind", forbid_unknown_fields=True):
    """WS2812 LEDs one behind the other, seat after seat, on SPI."""

    each: int = 1  # how many a seat has
    light: int = 64  # how bright they are at most, of 255: that bounds what they draw


class DialPins(Struct, frozen=True, forbid_unknown_fields=True):
    """A rotary encoder with a push button."""

    a: int
    b: int
    push: int


class DisplayPins(Struct, frozen=True, forbid_unknown_fields=True):
    """Four digits behind a TM1637."""

    clock: int
    data: int


class SpiDigits(Struct, frozen=True, forbid_unknown_fields=True):
    """Digits behind a MAX7219, on SPI."""

    digits: int = 8
    light: int = 4  # how bright they are, of 15


class Ohms(Struct, frozen=True, forbid_unknown_fields=True):
    """The resistors: of each kind of lamp, of the buzzer's transistor, and of lines that leave the box."""

    green: int = 470
    red: int = 470
    attention: int = 470
    buzzer: int = 1000
    line: int = 1000
    pulled: int = 330
    """Of a line at a pin that the Pi pulls up so strongly that a larger resistor would hide a press."""
    pin: int = 0
    """One more, between the pin of a line and the array that clamps it there; none where there is no array."""


class Leds(Struct, frozen=True, forbid_unknown_fields=True):
    """The colours of the LEDs that are there for what the program calls green, red and the table's lamp."""

    green: LedColour = "green"
    red: LedColour = "red"
    attention: LedColour = "yellow"


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is on which GPIO; lists have a pin for each seat."""

    seats: int
    call: tuple[int, ...] = ()
    second: tuple[int, ...] = ()
    table: tuple[int, ...] = ()
    lamps: LampLines | LampDrivers | Register | LedRing | None = None
    dial: DialPins | None = None
    display: DisplayPins | None = None
    max7219: SpiDigits | None = None
    attention: int | None = None
    buzzer: int | None = None
    ohms: Ohms = Ohms()
    leds: Leds = Leds()
    keeps: tuple[Interface, ...] = ()
    solderless: bool = False  # only buttons, plugged together on a breadboard


def has_spi(board: Board) -> bool:
    return isinstance(board.lamps, LedRing) or board.max7219 is not None


Boards = Mapping[str, Board]


def lamp_supply(board: Board) -> LampDrivers | None:
    """Give the lamps' own supply, if they have one: its volts, and what one lamp draws."""
    if not isinstance(board.lamps, Register):
        return board.lamps if isinstance(board.lamps, LampDrivers) else None
    named = {"volts": board.lamps.volts, "milliamps": board.lamps.milliamps}
    given = {name: value for name, value in named.items() if value is not None}
    return replace(LampDrivers(), **given) if given else None


def read_boards(text: str, file: str = "board.toml") -> Boards:
    try:
        return msgspec.convert(tomllib.loads(text), dict[str, Board])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, RecursionError) as error:
        raise BoardError("unreadable", file=file, why=str(error)) from error


def our_boards() -> Boards:
    return read_boards(files("hardware").joinpath("board.toml").read_text(encoding="utf-8"))


def keys(board: Board) -> Mapping[Key, int]:
    pressed = {Key("call", seat): gpio for seat, gpio in enumerate(board.call)}
    pressed |= {Key("second", seat): gpio for seat, gpio in enumerate(board.second)}
    pressed |= dict(zip((Key("call"), Key("second")), board.table, strict=False))
    return pressed | ({Key("push"): board.dial.push} if board.dial else {})


def wires(board: Board) -> Mapping[Key, int]:
    """Map all inputs to their GPIOs: what can be pressed, and the dial's two wires."""
    turned = {} if board.dial is None else {Key("a"): board.dial.a, Key("b"): board.dial.b}
    return {**keys(board), **turned}


# the 40 pins of a Raspberry Pi's header, and what is special about some

_ROWS = """
3V3 5V    2 5V    3 GND   4 14    GND 15
17 18     27 GND  22 23   3V3 24  10 GND
9 25      11 8    GND 7   ID ID   5 GND
6 12      13 GND  19 16   26 20   GND 21
"""
"""The pins row by row, seen from above with the header at the Pi's right edge; a number is a GPIO."""


class HeaderPin(Struct, frozen=True):
    """A pin: its number on the header, its name, and its GPIO number if it has one that may be used."""

    number: int
    name: str
    gpio: int | None


HEADER: tuple[HeaderPin, ...] = tuple(
    HeaderPin(number, f"GPIO{name}", int(name)) if name.isdecimal() else HeaderPin(number, name, None)
    for number, name in enumerate(_ROWS.split(), 1)
)
PIN_OF: Mapping[int, HeaderPin] = {pin.gpio: pin for pin in HEADER if pin.gpio is not None}

PULLED_UP = frozenset({2, 3})  # GPIOs that resistors on the Pi pull up
INTERFACES: Mapping[str, frozenset[int]] = {
    "i2c": frozenset({2, 3}),
    "spi": frozenset({7, 8, 9, 10, 11}),
    "uart": frozenset({14, 15}),
}
SPI_DATA, SPI_CLOCK = 10, 11
RING_SELECT, DIGITS_SELECT = 8, 7
"""What the board has on SPI: its data, its clock, and what is low while a ring or digits are written to."""
VOLTS = 3.3
INSIDE_OHMS, ON_PI_OHMS = 50_000, 1_800
"""What pulls a pin up: inside the processor for inputs, and on the Pi's board at GPIO2 and GPIO3."""
PIN_MILLIAMPS = 16.0
ALL_MILLIAMPS = 50.0
