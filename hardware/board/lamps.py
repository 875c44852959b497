"""The lamps of a board, and the way by which each is lit: what to look at where one stays dark."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from hardware.board.board import COLOURS, OUTPUTS, Board, LedRing
from hardware.board.netlist import chain, driven_lamps, driver_legs, lamp_counts
from hardware.board.uses import uses

Rgb = tuple[int, int, int]  # red, green and blue, of 255

LEAST_LIGHT, FULL = 8, 255  # with less light, amber would be red
GLOWS: Mapping[str, Rgb] = {"": (0, 0, 0), "green": (0, 255, 0), "red": (255, 0, 0), "amber": (255, 110, 0)}
"""What the lights are made of; green is the brightest to eyes, so amber has less of it."""
MOST_RING_LEDS = 64
CHANNEL_MILLIAMPS, QUIET_MILLIAMPS = 20.0, 1.0
"""What each colour of a WS2812 draws when it is full, and the LED when it is dark."""

BRIGHTEST = 15
LEAST_DIGITS, MOST_DIGITS = 4, 8
STROKES = 7
STROKE_MILLIAMPS, CHIP_MILLIAMPS = 40.0, 8.0
"""What a stroke draws while it is lit, with the 10 kΩ that modules have; what a MAX7219 draws by itself."""

RAIL_MILLIAMPS = 500.0
"""What the Pi's own supply of 3 A spares on the header's 5 V, beside the Pi, its camera and a loudspeaker."""

LampName = Literal["green", "red", "attention"]


class Lamp(Struct, frozen=True, order=True):
    """A lamp: what the program calls it, and its seat; the table's own has none."""

    what: LampName
    seat: int | None = None


class LampPath(Struct, frozen=True):
    """The way to a lamp: its pin, the chip and leg of a register, or LEDs of a ring; then a driver, if any."""

    gpio: int | None = None
    output: tuple[int, int] | None = None
    driver: tuple[int, int, int] | None = None  # its chip, the leg in, and the leg out
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
    """Give the number of a 74HC595, and the leg of an output; a chip's first one is on the other side."""
    chip, place = divmod(output, OUTPUTS)
    return chip + 1, place or 15


# LEDs in a ring and digits on SPI: their colours, and what they draw from 5 V


def glow(light: str, most: int) -> Rgb:
    red, green, blue = (part * most // FULL for part in GLOWS[light])
    return red, green, blue


def rail_milliamps(board: Board) -> float:
    """Add up what is drawn from 5 V at most: every LED in its brightest colour, every stroke lit."""
    total, ring = 0.0, board.lamps
    if isinstance(ring, LedRing):
        brightest = max(sum(glow(light, ring.light)) for light in GLOWS)
        total += board.seats * ring.each * (QUIET_MILLIAMPS + CHANNEL_MILLIAMPS * brightest / FULL)
    if board.max7219 is not None:
        # one digit is lit at a time, for 1 to 31 of 32 parts of its time
        total += CHIP_MILLIAMPS + STROKES * STROKE_MILLIAMPS * (2 * board.max7219.light + 1) / 32
    return total
