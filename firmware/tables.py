"""The table that was found, as it is kept: where it is, how it looks with nothing on it, how its seats lie."""

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from firmware.zones import mat_zones, seat_zones
from vision.calibration import Calibration, Picture
from vision.empty_table import flat, keep_empty
from vision.files import write_whole
from vision.zones import Zones

Length = Annotated[float, Meta(gt=20, lt=10_000)]


class Layout(Struct, frozen=True):
    """How the seats lie, where somebody has said it of this table."""

    apart: tuple[Length, Length] | None = None
    """How far apart the markers' middles are, in millimetres: across and down."""
    first: Annotated[int, Meta(ge=0, lt=100)] = 0
    """By how many places seat 1 is farther on, clockwise, than it would be."""


class _Laid(Struct, frozen=True):
    """What a kept table says of its seats; the calibration stands beside it."""

    layout: Layout = Layout()


def keep_table(file: Path, found: Calibration, layout: Layout, bare: Picture | None) -> None:
    """Keep a table and how its seats lie, in one file; beside it how it looks with nothing on it, if given."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, msgspec.json.encode({**msgspec.to_builtins(found), "layout": layout}))
    if bare is not None:
        keep_empty(file.with_suffix(".png"), flat(bare, found))


def layout_kept(file: Path) -> Layout:
    """Load how the seats of a table lie; what can't be read is as good as nothing said."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Laid).layout
    except (OSError, msgspec.DecodeError):
        return Layout()


def parted(layout: Layout, seats: int, usual: tuple[float, float], *, mat: bool) -> Zones:
    """Part a table: as its mat has it, or into as many seats as there are."""
    zones = mat_zones() if mat else seat_zones(seats, *(layout.apart or usual))
    return turned(zones, layout.first)


def turned(zones: Zones, first: int) -> Zones:
    """Let every seat be so many places farther on."""
    seats = [name for name in zones if name.startswith("seat ")]
    others = {name: outline for name, outline in zones.items() if name not in seats}
    moved = {name: zones[seats[(number + first) % len(seats)]] for number, name in enumerate(seats)}
    return {**others, **moved}
