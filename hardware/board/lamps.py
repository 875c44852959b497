"""The lamps of a board, and the way by which each is lit: what to look at where one stays dark."""

from typing import Literal

from msgspec import Struct

from hardware.board.board import COLOURS, OUTPUTS, Board, LedRing, Register, lamp_supply
from hardware.board.netlist import chain, driven_lamps, driver_legs, lamp_counts
from hardware.board.uses import uses

LampName = Literal["green", "red", "attention"]


class Lamp(Struct, frozen=True, order=True):
    """A lamp: what the program calls it, and its seat; the table's own has none."""

    what: LampName
    seat: int | None = None


class LampPath(Struct, frozen=True):
    """The way to a lamp: its pin, the chip and leg of a register, or LEDs of a ring; then a driver, if any."""

    gpio: int | None = None
    output: tuple[int, int] | None = None
    driver: tuple[int, int, int] | None = None
    """Its chip, the leg in, and the leg out."""
    leds: tuple[int, int] | None = None
    """The first and the last LED of a seat, counted from 1 where the data come in."""


def all_lamps(board: Board) -> tuple[Lamp, ...]:
    """List the lamps: seat after seat, then the table's own."""
    counts = lamp_counts(board)
    if isinstance(board.lamps, LedRing):
        counts = {**counts, **dict.fromkeys(COLOURS, board.seats)}
    seats = (Lamp(what, seat) for seat in range(board.seats) for what in COLOURS if seat < counts[what])
    return (*seats, *([Lamp("attention")] if counts["attention"] else []))


def lamp_path(board: Board, lamp: Lamp) -> LampPath:
    """Follow the way to a lamp from the Pi."""
    here = lamp.what, lamp.seat
    gpios = {(use.what, use.number): use.gpio for use in uses(board)}
    inputs = {(what, seat): place for place, (seat, what) in enumerate(driven_lamps(board))}
    outputs = {(what, seat): place for place, (seat, what) in enumerate(chain(board))}
    return LampPath(
        gpios.get(here),
        _output(outputs[here]) if here in outputs else None,
        driver_legs(board, inputs[here]) if here in inputs else None,
        _ring_leds(board, lamp),
    )


def _ring_leds(board: Board, lamp: Lamp) -> tuple[int, int] | None:
    if not isinstance(board.lamps, LedRing) or lamp.seat is None:
        return None
    return lamp.seat * board.lamps.each + 1, (lamp.seat + 1) * board.lamps.each


def _output(place: int) -> tuple[int, int]:
    chip, output = divmod(place, OUTPUTS)
    return chip + 1, register_leg(output)


def register_leg(output: int) -> int:
    """Give the leg of a 74HC595's output; the first one is alone on the other side."""
    return output or 15


class LampOutput(Struct, frozen=True):
    """An output of a register: its place over all chips, the driver's legs behind it, its lamp, if any."""

    place: int
    driver: tuple[int, int, int] | None = None
    lamp: tuple[int, str] | None = None

    @property
    def register(self) -> int:
        """Give the register's number, counted from 1."""
        return self.place // OUTPUTS + 1

    @property
    def leg(self) -> int:
        """Give its leg."""
        return register_leg(self.place % OUTPUTS)


def lamp_outputs(board: Board) -> tuple[LampOutput, ...]:
    """List the outputs of all registers, also those that are left."""
    if not isinstance(board.lamps, Register):
        return ()
    lamps = dict(enumerate(chain(board)))
    # a register without a lamp needs no driver
    driven = driver_count(board) * OUTPUTS
    return tuple(
        LampOutput(place, driver_legs(board, place) if place < driven else None, lamps.get(place))
        for place in range(board.lamps.chips * OUTPUTS)
    )


def driver_count(board: Board) -> int:
    """Count the drivers beside registers."""
    return 0 if lamp_supply(board) is None else -(-len(chain(board)) // OUTPUTS)
