"""The lamps of a board, and the connection of each, for finding faults."""

from typing import Literal

from msgspec import Struct

from hardware.board.board import COLOURS, OUTPUTS, Board
from hardware.board.netlist import chain, driven_lamps, driver_legs, lamp_counts
from hardware.board.uses import uses

BRIGHTEST = 15
LEAST_DIGITS, MOST_DIGITS = 4, 8
STROKES = 7

LampName = Literal["green", "red", "attention"]


class Lamp(Struct, frozen=True, order=True):
    """A lamp: its name in the program, and its seat; the table's lamp has none."""

    what: LampName
    seat: int | None = None


class LampPath(Struct, frozen=True):
    """The connection of a lamp: its pin or register output, and its driver, if any."""

    gpio: int | None = None
    output: tuple[int, int] | None = None
    driver: tuple[int, int, int] | None = None  # chip, input leg and output leg


def all_lamps(board: Board) -> tuple[Lamp, ...]:
    """Return all lamps: those of each seat, then the table's."""
    counts = lamp_counts(board)
    seats = (Lamp(what, seat) for seat in range(board.seats) for what in COLOURS if seat < counts[what])
    return (*seats, *([Lamp("attention")] if counts["attention"] else []))


def lamp_path(board: Board, lamp: Lamp) -> LampPath:
    here = lamp.what, lamp.seat
    gpios = {(use.what, use.number): use.gpio for use in uses(board)}
    inputs = {(what, seat): place for place, (seat, what) in enumerate(driven_lamps(board))}
    outputs = {(what, seat): place for place, (seat, what) in enumerate(chain(board))}
    return LampPath(
        gpios.get(here),
        register_leg(outputs[here]) if here in outputs else None,
        driver_legs(board, inputs[here]) if here in inputs else None,
    )


def register_leg(output: int) -> tuple[int, int]:
    """Return the number of an output's 74HC595 and its leg; the first output is on the other side."""
    chip, place = divmod(output, OUTPUTS)
    return chip + 1, place or 15
