"""The board's copper: routed tracks, pads, vias, and a ground pour around them."""

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from hardware.board.fab.layout import HOLES, LAYOUT, SIZE, WIDTHS, Pad, Point, net_width, pads
from hardware.board.netlist import GROUND

Side = Literal["top", "low"]
GAP, SPOKE, EDGE = 0.3, 0.5, 0.5
"""Millimetres: clearance of the ground pour, width of its thermal spokes, distance to the board's edge."""
SCREW_HEAD = 5.5
TRACKS = Path(__file__).with_name("tracks.toml")


class Routed(Struct, frozen=True):
    """A net's routed copper: polylines on each side, and vias, in millimetres."""

    top: tuple[tuple[Point, ...], ...] = ()
    low: tuple[tuple[Point, ...], ...] = ()
    vias: tuple[Point, ...] = ()


Nets = Mapping[str, Routed]


class Mark(Struct, frozen=True):
    """A disc, a line or an area of copper or ink; or a clear area if not dark."""

    points: tuple[Point, ...]
    size: float = 0.0  # diameter of a disc or width of a line; 0 for an area
    is_dark: bool = True
    net: str = ""
    leg: str = ""  # part and leg of a pad, such as R7,1


@cache
def routed() -> Nets:
    return msgspec.toml.decode(TRACKS.read_bytes(), type=dict[str, Routed])


def copper(side: Side, nets: Nets) -> tuple[Mark, ...]:
    """Return one side's marks: the ground pour, clearances, then tracks, vias and pads."""
    own = tuple(_own(side, nets))
    grounded = [pad for pad in pads() if pad.net == GROUND]
    return (
        Mark(outline(EDGE), net=GROUND),
        *(mark for pad in grounded for mark in _spokes(pad)),
        *(Mark((hole,), SCREW_HEAD, is_dark=False) for hole in HOLES),
        *(Mark(mark.points, mark.size + 2 * GAP, is_dark=False) for mark in own if mark.net != GROUND),
        *own,
    )


def outline(by: float = 0.0) -> tuple[Point, ...]:
    """Return the board's outline, inset by some millimetres."""
    (wide, high), low = SIZE, by
    return (low, low), (wide - by, low), (wide - by, high - by), (low, high - by), (low, low)


def _spokes(pad: Pad) -> Iterator[Mark]:
    """Yield four thermal spokes that connect a leg to ground but can be soldered."""
    (x, y), reach = pad.at, pad.size / 2 + GAP
    yield Mark((pad.at,), 2 * reach, is_dark=False)
    yield Mark(((x - reach, y), (x + reach, y)), SPOKE, net=GROUND)
    yield Mark(((x, y - reach), (x, y + reach)), SPOKE, net=GROUND)


def _own(side: Side, nets: Nets) -> Iterator[Mark]:
    for net, each in nets.items():
        yield from (Mark(line, net_width(net), net=net) for line in (each.top if side == "top" else each.low))
        yield from (Mark((via,), WIDTHS.via, net=net) for via in each.vias)
    yield from (Mark((pad.at,), pad.size, net=pad.net, leg=f"{pad.part},{pad.leg}") for pad in pads())


def mask() -> tuple[Mark, ...]:
    """Return the openings of the solder mask, slightly larger than each pad."""
    return tuple(Mark((pad.at,), pad.size + 0.1) for pad in pads())


class Drill(Struct, frozen=True):
    """A hole: its position, diameter, and plating."""

    at: Point
    size: float
    is_plated: bool = True


def drills(nets: Nets) -> tuple[Drill, ...]:
    return (
        *(Drill(pad.at, pad.hole) for pad in pads()),
        *(Drill(via, WIDTHS.via_hole) for each in nets.values() for via in each.vias),
        *(Drill(hole, LAYOUT.hole, is_plated=False) for hole in HOLES),
    )
