"""The lamps of a board, and the connection of each, for finding faults."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from hardware.board.board import COLOURS, OUTPUTS, Board, LedRing
from hardware.board.netlist import chain, driven_lamps, driver_legs, lamp_counts
from hardware.board.uses import uses

Rgb = tuple[int, int, int]  # red, green and blue, 0 to 255

LEAST_LIGHT, FULL = 8, 255  # below this brightness, amber would turn red
GLOWS: Mapping[str, Rgb] = {"": (0, 0, 0), "green": (0, 255, 0), "red": (255, 0, 0), "amber": (255, 110, 0)}
"""Colours of lights; amber has less green because eyes are most sensitive to it."""
MOST_RING_LEDS = 64
CHANNEL_MILLIAMPS, QUIET_MILLIAMPS = 20.0, 1.0
"""Milliamperes of a WS2812: per colour at full brightness, and of a dark LED."""

BRIGHTEST = 15
LEAST_DIGITS, MOST_DIGITS = 4, 8
STROKES = 7
STROKE_MILLIAMPS, CHIP_MILLIAMPS = 40.0, 8.0
"""Milliamperes of a lit stroke with a module's 10 kΩ, and of a MAX7219 itself."""

RAIL_MILLIAMPS = 500.0
"""Milliamperes that a Pi with a 3 A supply, camera and loudspeaker can spare on the header's 5 V."""

LampName = Literal["green", "red", "attention"]


class Lamp(Struct, frozen=True, order=True):
    """A lamp: its name in the program, and its seat; the table's lamp has none."""

    what: LampName
    seat: int | None = None


class LampPath(Struct, frozen=True):
    """The connection of a lamp: its pin, register output or ring LEDs, and its driver, if any."""

    gpio: int | None = None
    output: tuple[int, int] | None = None
    driver: tuple[int, int, int] | None = None  # chip, input leg and output leg
    leds: tuple[int, int] | None = None
    """First and last LED of a seat, counted from 1 at the data input."""


def all_lamps(board: Board) -> tuple[Lamp, ...]:
    """Return all lamps: those of each seat, then the table's."""
    counts = lamp_counts(board)
    if isinstance(board.lamps, LedRing):
        counts = {**counts, **dict.fromkeys(COLOURS, board.seats)}
    seats = (Lamp(what, seat) for seat in range(board.seats) for what in COLOURS if seat < counts[what])
    return (*seats, *([Lamp("attention")] if counts["attention"] else []))


def lamp_path(board: Board, lamp: Lamp) -> LampPath:
    here, ring = (lamp.what, lamp.seat), board.lamps if isinstance(board.lamps, LedRing) else None
    gpios = {(use.what, use.number): use.gpio for use in uses(board)}
    inputs = {(what, seat): place for place, (seat, what) in enumerate(driven_lamps(board))}
    outputs = {(what, seat): place for place, (seat, what) in enumerate(chain(board))}
    return LampPath(
        gpios.get(here),
        register_leg(outputs[here]) if here in outputs else None,
        driver_legs(board, inputs[here]) if here in inputs else None,
        None if ring is None or lamp.seat is None else (lamp.seat * ring.each + 1, (lamp.seat + 1) * ring.each),
    )


def register_leg(output: int) -> tuple[int, int]:
    """Return the number of an output's 74HC595 and its leg; the first output is on the other side."""
    chip, place = divmod(output, OUTPUTS)
    return chip + 1, place or 15


# rings and digits on SPI: colours, and current from 5 V


def glow(light: str, most: int) -> Rgb:
    red, green, blue = (part * most // FULL for part in GLOWS[light])
    return red, green, blue


def rail_milliamps(board: Board) -> float:
    """Return the maximum current from 5 V: all LEDs in the brightest colour, all strokes lit."""
    total, ring = 0.0, board.lamps
    if isinstance(ring, LedRing):
        brightest = max(sum(glow(light, ring.light)) for light in GLOWS)
        total += board.seats * ring.each * (QUIET_MILLIAMPS + CHANNEL_MILLIAMPS * brightest / FULL)
    if board.max7219 is not None:
        # digits are lit one at a time, for 1 to 31 parts of 32
        total += CHIP_MILLIAMPS + STROKES * STROKE_MILLIAMPS * (2 * board.max7219.light + 1) / 32
    return total
