"""The table that was found, as it is kept: where it is, how it looks with nothing on it, how its seats lie."""

from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from firmware.storage.table_zones import mat_zones, seat_zones
from referee.contract import TableLayout
from referee.match import Match
from vision.files import make_folder, read_json, write_whole
from vision.table.calibration import Calibration, Picture
from vision.table.empty_table import flatten_table, save_empty_table
from vision.table.zones import Zones

Length = Annotated[float, Meta(gt=20, lt=10_000)]


class Layout(Struct, frozen=True):
    """How the seats lie at this table, if it was set by hand."""

    apart: tuple[Length, Length] | None = None
    """How far apart the markers' middles are, in millimetres: across and down."""
    first: Annotated[int, Meta(ge=0, lt=100)] = 0
    """By how many places seat 1 is farther on, clockwise, than it would be."""


class _KeptLayout(Struct, frozen=True):
    """What a kept table says of its seats; the calibration stands beside it."""

    layout: Layout = Layout()


def keep_table(file: Path, found: Calibration, layout: Layout, bare: Picture | None) -> None:
    """Keep a table and how its seats lie, in one file; beside it how it looks with nothing on it, if given."""
    make_folder(file.parent)
    write_whole(file, msgspec.json.encode({**msgspec.to_builtins(found), "layout": layout}))
    if bare is not None:
        save_empty_table(file.with_suffix(".png"), flatten_table(bare, found))


def load_layout(file: Path) -> Layout:
    """Load how the seats of a table lie; what can't be read is as good as nothing said."""
    try:
        return read_json(file, _KeptLayout).layout
    except OSError:
        return Layout()


def parting_of(match: Match) -> TableLayout:
    """Say how the table is parted for a match."""
    return match.setup.game.table.parting(len(match.setup.names))


def divide_table(layout: Layout, parting: TableLayout, usual: tuple[float, float], *, mat: bool) -> Zones:
    """Part a table: as its mat has it, or into as many places as a game needs."""
    zones = mat_zones(parting.parts) if mat else seat_zones(parting, *(layout.apart or usual))
    return turn_places(zones, layout.first)


def turn_places(zones: Zones, first: int) -> Zones:
    """Let every place be so many places farther on."""
    count = sum(1 for name in zones if name.startswith("seat "))
    return {_turned_name(name, first, count): outline for name, outline in zones.items()}


def _turned_name(name: str, first: int, count: int) -> str:
    """Name a part of a place anew; the first one is what the one so many places farther on was."""
    part, _space, number = name.partition(" ")
    return f"{part} {(int(number) - 1 - first) % count + 1}" if number else name
