"""Positions of the board's parts and pads, read from layout.toml, in millimetres, y upwards."""

from collections.abc import Mapping
from functools import cache
from math import cos, radians, sin
from pathlib import Path

import msgspec
from msgspec import Struct

from hardware.board.fab.components import MINUS, FabPart, fab_parts
from hardware.board.netlist import FUSED, GROUND, HIGH, LOW

STEP = 1.27  # millimetres per step in the file
Point = tuple[float, float]


class Widths(Struct, frozen=True, forbid_unknown_fields=True):
    """Millimetres: widths of tracks, vias and the ground pour, and distances."""

    line: float
    lamp: float
    rail: float
    via: float
    via_hole: float
    clearance: float
    gap: float
    spoke: float
    pour: float
    edge: float
    screw_head: float


class PartKind(Struct, frozen=True, forbid_unknown_fields=True):
    """Properties of a kind of part: legs or rows of them, hole and pad size, corners of the body."""

    package: str
    hole: float
    pad: float
    body: tuple[float, float, float, float]
    legs: tuple[Point, ...] = ()
    pitch: Point = (0, 0)
    rows: int = 1

    def leg_places(self, count: int) -> tuple[Point, ...]:
        across, up = self.pitch
        rows = range(count)
        return self.legs or tuple((leg // self.rows * across, leg % self.rows * up) for leg in rows)


class Layout(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of layout.toml."""

    size: Point
    holes: tuple[Point, ...]
    hole: float
    widths: Widths
    kinds: Mapping[str, PartKind]
    places: Mapping[str, tuple[float, float, float]]


LAYOUT = msgspec.toml.decode(Path(__file__).with_name("layout.toml").read_bytes(), type=Layout)
WIDTHS = LAYOUT.widths
SIZE: Point = (LAYOUT.size[0] * STEP, LAYOUT.size[1] * STEP)
HOLES: tuple[Point, ...] = tuple((x * STEP, y * STEP) for x, y in LAYOUT.holes)


class Pad(Struct, frozen=True):
    """A leg's plated hole: its part, net, position and size; the first pad of a part is square."""

    part: str
    leg: int
    net: str
    at: Point
    size: float
    hole: float


def at(part: FabPart, point: Point) -> Point:
    """Return a part's point, in steps from its first leg, in board coordinates."""
    x, y, turn = LAYOUT.places[part.name]
    c, s = round(cos(radians(turn))), round(sin(radians(turn)))
    across, up = x + c * point[0] - s * point[1], y + s * point[0] + c * point[1]
    return round(across * STEP, 4), round(up * STEP, 4)


def body(part: FabPart) -> tuple[Point, Point]:
    """Return two opposite corners of a part's body; a terminal's grows with its poles."""
    kind = LAYOUT.kinds[part.kind]
    left, low, right, top = kind.body
    more = kind.pitch[0] * (len(part.nets) - 1) if part.kind == "terminal" else 0
    return at(part, (left, low)), at(part, (right + more, top))


@cache
def pads() -> tuple[Pad, ...]:
    legs = [
        (part, LAYOUT.kinds[part.kind], *leg)
        for part in fab_parts()
        for leg in enumerate(LAYOUT.kinds[part.kind].leg_places(len(part.nets)))
    ]
    return tuple(
        Pad(part.name, leg + 1, part.nets[leg], at(part, place), kind.pad, kind.hole)
        for part, kind, leg, place in legs
    )


def net_width(net: str) -> float:
    if net in {LOW, FUSED, HIGH, GROUND, MINUS}:
        return WIDTHS.rail
    is_lamp = net == "attention" or {"green", "red"} & set(net.split())
    return WIDTHS.lamp if is_lamp else WIDTHS.line
