"""The named parts of a table: those printed on the mat, or for a bare table as many seats as there are."""

from math import cos, radians, sin

from hardware.decks.markers import MARKER, MARKER_AT, PLATE_HEIGHT
from hardware.decks.playmat import HEIGHT, WIDTH, ZONES
from vision.sightings import Point
from vision.zones import Zones

EDGE = 8.0
"""Millimetres from the mat's edge to the plates that are glued on it."""
CENTRE, SIDE = (0.34, 0.40), (0.38, 0.60, 0.34)
"""Shares of the way to the markers: half the centre's size; proof and discard from, to, half height."""
RING = (0.64, 0.52)
"""Where the seats' parts begin; they reach as far as the camera sees."""
FAR = 3.0
STEPS = 8
"""Corners along an arc of a seat's part."""


def mat_zones() -> Zones:
    """Give the zones of the printed mat, in millimetres from the middle of the plates that are glued on it."""
    across = WIDTH / 2
    top = EDGE + MARKER_AT[1] + MARKER / 2
    down = (top + HEIGHT - EDGE - PLATE_HEIGHT + MARKER_AT[1] + MARKER / 2) / 2
    return {
        name: _box(left - across, upper - down, left + width - across, upper + height - down)
        for name, (left, upper, width, height) in ZONES.items()
    }


def seat_zones(seats: int, across: float, down: float) -> Zones:
    """Divide a bare table whose markers are so far apart: centre, proof, discard, a part for each seat.

    Seat 1 is at the picture's lower edge, the others follow clockwise.
    """
    wide, high = across / 2, down / 2
    near, far, tall = SIDE[0] * wide, SIDE[1] * wide, SIDE[2] * high
    return {
        "centre": _box(-CENTRE[0] * wide, -CENTRE[1] * high, CENTRE[0] * wide, CENTRE[1] * high),
        "proof": _box(-far, -tall, -near, tall),
        "discard": _box(near, -tall, far, tall),
        **{f"seat {number}": _part(number, seats, wide, high) for number in range(1, seats + 1)},
    }


def _box(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _part(number: int, seats: int, wide: float, high: float) -> tuple[Point, ...]:
    """Cut a seat's part out of the ring around the centre."""
    middle, half = 90 + 360 * (number - 1) / seats, 180 / seats
    turns = [radians(middle - half + 2 * half * step / STEPS) for step in range(STEPS + 1)]
    inner = [(RING[0] * wide * cos(turn), RING[1] * high * sin(turn)) for turn in turns]
    outer = [(FAR * wide * cos(turn), FAR * high * sin(turn)) for turn in reversed(turns)]
    return (*inner, *outer)
