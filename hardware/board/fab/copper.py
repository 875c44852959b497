"""The board's copper: routed tracks, pads, vias, and the ground pour around them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from hardware.board.fab.layout import HOLES, LAYOUT, SIZE, WIDTHS, Point, net_width, pads
from hardware.board.netlist import GROUND

Side = Literal["top", "low"]
SIDES: tuple[Side, ...] = ("top", "low")
TRACKS, POUR = (Path(__file__).with_name(name) for name in ("tracks.toml", "pour.toml"))


class Routed(Struct, frozen=True):
    """A net's routed copper: polylines on each side, and vias, in millimetres."""

    top: tuple[tuple[Point, ...], ...] = ()
    low: tuple[tuple[Point, ...], ...] = ()
    vias: tuple[Point, ...] = ()


Nets = Mapping[str, Routed]
Area = tuple[Point, ...]


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
    """Return one side's marks: the ground pour, then tracks, vias and pads."""
    poured = (Mark(area, is_dark=is_counterclockwise(area), net=GROUND) for area in pour()[side])
    return (*poured, *own_copper(side, nets))


@cache
def pour() -> Mapping[Side, tuple[Area, ...]]:
    """Return the ground pour's areas on each side, larger ones first; a hole's corners run clockwise."""
    return msgspec.toml.decode(POUR.read_bytes(), type=dict[Side, tuple[Area, ...]])


def is_counterclockwise(corners: Sequence[Point]) -> bool:
    turns = (a * d - b * c for (a, b), (c, d) in zip(corners, (*corners[1:], corners[0]), strict=True))
    return sum(turns) > 0


def outline() -> Area:
    wide, high = SIZE
    return (0, 0), (wide, 0), (wide, high), (0, high), (0, 0)


def own_copper(side: Side, nets: Nets) -> Iterator[Mark]:
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
