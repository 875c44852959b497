"""LEDs in a ring and digits on SPI: their colours and numbers, and the milliamperes that they draw from 5 V."""

from collections.abc import Mapping

from hardware.board.board import Board, LedRing, SpiDigits

Rgb = tuple[int, int, int]
"""Red, green and blue, of 255."""

LEAST_LIGHT, FULL = 8, 255
"""With less light, amber would be red."""
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


def glow(light: str, most: int) -> Rgb:
    """Give the colour of a light, as bright as the board lets it be."""
    red, green, blue = (part * most // FULL for part in GLOWS[light])
    return red, green, blue


def rail_milliamps(board: Board) -> float:
    """Add up what is drawn from 5 V at most: every LED in its brightest colour, every stroke lit."""
    ring = _ring_milliamps(board.lamps, board.seats) if isinstance(board.lamps, LedRing) else 0.0
    return ring + (0.0 if board.max7219 is None else _digit_milliamps(board.max7219))


def _ring_milliamps(ring: LedRing, seats: int) -> float:
    brightest = max(sum(glow(light, ring.light)) for light in GLOWS)
    return seats * ring.each * (QUIET_MILLIAMPS + CHANNEL_MILLIAMPS * brightest / FULL)


def _digit_milliamps(display: SpiDigits) -> float:
    """One digit is lit at a time, for 1 to 31 of 32 parts of its time."""
    return CHIP_MILLIAMPS + STROKES * STROKE_MILLIAMPS * (2 * display.light + 1) / 32
