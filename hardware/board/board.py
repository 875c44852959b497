"""A board: what is on which pin. Read from TOML, by profiles; nothing here knows a driver."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

from hardware.board.troubles import BoardError

Role = Literal["call", "second", "push", "a", "b"]
Interface = Literal["i2c", "spi", "uart"]
Colour = Literal["green", "red"]
COLOURS: tuple[Colour, ...] = ("green", "red")
OUTPUTS = 8
"""Outputs of a 74HC595."""


class Key(Struct, frozen=True, order=True):
    """A wire that is listened to: a seat's button or second one, one of the table's, the dial's push, a, b."""

    role: Role
    seat: int | None = None


class LampLines(Struct, frozen=True, tag="lines", tag_field="kind", forbid_unknown_fields=True):
    """Lamps on pins of their own; with one colour only, the other is left out."""

    green: tuple[int, ...] = ()
    red: tuple[int, ...] = ()


class Register(Struct, frozen=True, tag="register", tag_field="kind", forbid_unknown_fields=True):
    """Lamps behind a chain of shift registers: green and red of seat after seat."""

    data: int
    clock: int
    latch: int
    chips: int


class DialPins(Struct, frozen=True, forbid_unknown_fields=True):
    """A rotary encoder that can be pushed."""

    a: int
    b: int
    push: int


class DisplayPins(Struct, frozen=True, forbid_unknown_fields=True):
    """Four digits behind a TM1637."""

    clock: int
    data: int


class Ohms(Struct, frozen=True, forbid_unknown_fields=True):
    """The resistor before each kind of lamp, and before the buzzer's transistor."""

    green: int = 470
    red: int = 470
    attention: int = 470
    buzzer: int = 1000


class Board(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is on which GPIO; the lists have a pin for each seat."""

    seats: int
    call: tuple[int, ...] = ()
    second: tuple[int, ...] = ()
    table: tuple[int, ...] = ()
    lamps: LampLines | Register | None = None
    dial: DialPins | None = None
    display: DisplayPins | None = None
    attention: int | None = None
    buzzer: int | None = None
    ohms: Ohms = Ohms()
    keeps: tuple[Interface, ...] = ()


Boards = Mapping[str, Board]


def read_boards(text: str, file: str = "board.toml") -> Boards:
    """Read profiles from TOML."""
    try:
        return msgspec.convert(tomllib.loads(text), dict[str, Board])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, RecursionError) as error:
        raise BoardError("unreadable", file=file, why=str(error)) from error


def our_boards() -> Boards:
    """Read the profiles that come with the program."""
    return read_boards(files("hardware").joinpath("board.toml").read_text(encoding="utf-8"))


def keys(board: Board) -> Mapping[Key, int]:
    """List what can be pressed, each with its GPIO."""
    pressed = {Key("call", seat): gpio for seat, gpio in enumerate(board.call)}
    pressed |= {Key("second", seat): gpio for seat, gpio in enumerate(board.second)}
    pressed |= dict(zip((Key("call"), Key("second")), board.table, strict=False))
    return pressed | ({Key("push"): board.dial.push} if board.dial else {})


def wires(board: Board) -> Mapping[Key, int]:
    """List all that is listened to: what can be pressed, and the two wires of the dial."""
    turned = {} if board.dial is None else {Key("a"): board.dial.a, Key("b"): board.dial.b}
    return {**keys(board), **turned}
