"""The calibrated table: its position, its picture when empty, and its division into zones."""

import os
from collections.abc import Sequence
from math import cos, radians, sin
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from firmware.state_folder import EVIDENCE, FOUND_TABLE, TRIED, state_directory
from firmware.storage.configuration import CameraSettings
from firmware.storage.files import write_private
from hardware.decks.print.markers import MARKER, MARKER_AT, PLATE_HEIGHT
from hardware.decks.print.playmat import HEIGHT, SEAT, WIDTH, zones
from referee.contract import TableLayout
from referee.match import Match
from vision.files import read_json_or
from vision.pictures import Picture
from vision.process.messages import EyesSettings
from vision.sightings import Point
from vision.table.calibration import is_sound, save_empty_table
from vision.table.thrift import PLENTY, SMALL, Thrift
from vision.table.values import Calibration, Zones

Length = Annotated[float, Meta(gt=20, lt=10_000)]


class Layout(Struct, frozen=True):
    """The arrangement of seats, if set by hand."""

    apart: tuple[Length, Length] | None = None
    """Distance between the markers' centres in millimetres, across and down."""
    first: Annotated[int, Meta(ge=0, lt=100)] = 0
    """Number of places by which seat 1 is moved clockwise."""


class _KeptLayout(Struct, frozen=True):
    """The seat layout in a stored table file, beside the calibration."""

    layout: Layout = Layout()


def keep_table(file: Path, found: Calibration, layout: Layout, bare: Picture | None) -> None:
    """Store a calibration and its seat layout in one file, and the empty table's picture beside it."""
    write_private(file, msgspec.json.encode({**msgspec.to_builtins(found), "layout": layout}))
    if bare is not None:
        save_empty_table(file.with_suffix(".png"), bare, found)


def load_layout(file: Path) -> Layout:
    """Load a table's seat layout; the default one if it can't be read."""
    return read_json_or(file, _KeptLayout, _KeptLayout()).layout


def parting_of(match: Match) -> TableLayout:
    return match.setup.game.table.parting(len(match.setup.names))


def divide_table(layout: Layout, parting: TableLayout, usual: tuple[float, float], *, mat: bool) -> Zones:
    """Divide a table: by its mat, or into the places that a game needs."""
    zones = mat_zones(parting.parts) if mat else seat_zones(parting, *(layout.apart or usual))
    return turn_places(zones, layout.first)


def turn_places(zones: Zones, first: int) -> Zones:
    """Move every place clockwise by a number of places."""
    count, turned = sum(1 for name in zones if name.startswith("seat ")), dict[str, tuple[Point, ...]]()
    for name, outline in zones.items():
        part, _space, number = name.partition(" ")
        turned[f"{part} {(int(number) - 1 - first) % count + 1}" if number else name] = outline
    return turned


EDGE = 8.0  # millimetres from the mat's edge to the plates glued onto it
CENTRE, SIDE = (0.34, 0.40), (0.38, 0.60, 0.34)
"""Shares of the markers' distance: half the centre's size; start, end and half height of proof and discard."""
RING, BEHIND, FAR = (0.64, 0.52), (0.83, 0.83), (3.0, 3.0)
"""Distances at which the players' places and their rear parts begin, and end beyond the camera's view."""
STEPS = 8  # corners along an arc of a place


def mat_zones(parts: Sequence[str] = SEAT) -> Zones:
    """Return the zones of the printed mat, in millimetres from the centre of the plates glued onto it."""
    across = WIDTH / 2
    top = EDGE + MARKER_AT[1] + MARKER / 2
    down = (top + HEIGHT - EDGE - PLATE_HEIGHT + MARKER_AT[1] + MARKER / 2) / 2
    return {
        name: _box(left - across, upper - down, left + width - across, upper + height - down)
        for name, (left, upper, width, height) in zones(parts).items()
    }


def seat_zones(parting: TableLayout, across: float, down: float) -> Zones:
    """Divide a bare table by its markers' distances: centre, proof, discard, a place for each player.

    Place 1 is at the picture's lower edge, the others follow clockwise.
    """
    wide, high = across / 2, down / 2
    near, far, tall = SIDE[0] * wide, SIDE[1] * wide, SIDE[2] * high
    return {
        "centre": _box(-CENTRE[0] * wide, -CENTRE[1] * high, CENTRE[0] * wide, CENTRE[1] * high),
        "proof": _box(-far, -tall, -near, tall),
        "discard": _box(near, -tall, far, tall),
        **{
            f"{part} {number}": _part(parting, number, part, (wide, high))
            for part in parting.parts
            for number in range(1, parting.count + 1)
        },
    }


def _box(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _part(parting: TableLayout, number: int, part: str, half: Point) -> tuple[Point, ...]:
    rows = _rows(parting.parts)
    row = next(row for row in rows if part in row)
    span, column = 360 / parting.count, row.index(part)
    # a player's left is clockwise, because all face the centre
    last = 90 + span * (number - 1) + span / 2 - span * column / len(row)
    inner, outer = ((RING, BEHIND) if row is rows[0] else (BEHIND, FAR)) if len(rows) > 1 else (RING, FAR)
    turns = (last - span / len(row), last)
    return (*_arc(inner, turns, half), *_arc(outer, turns[::-1], half))


def _rows(parts: Sequence[str]) -> list[Sequence[str]]:
    """Split the parts of a place into a front row and a rear row."""
    front = (len(parts) + 1) // 2
    return [row for row in (parts[:front], parts[front:]) if row]


def _arc(reach: Point, turns: tuple[float, float], half: Point) -> list[Point]:
    steps = [radians(turns[0] + (turns[1] - turns[0]) * step / STEPS) for step in range(STEPS + 1)]
    return [(reach[0] * half[0] * cos(turn), reach[1] * half[1] * sin(turn)) for turn in steps]


# the vision process's initial settings: the camera, the last table and the storage limits


def settings(camera: str, sight: CameraSettings) -> EyesSettings:
    """Return the vision process's settings for any game, with the last table.

    The camera may differ from that of the settings.
    """
    state = state_directory()
    kept = state / FOUND_TABLE
    return EyesSettings(
        camera=camera,
        table=load_calibration(kept),
        empty=str(kept.with_suffix(".png")),
        tried=str(state / TRIED),
        evidence=str(state / EVIDENCE),
        mains=sight.mains,
        thrift=chosen_thrift(sight.small),
    )


def load_calibration(file: Path) -> Calibration | None:
    """Load the last table; an unreadable one counts as missing and is calibrated again."""
    table = read_json_or(file, Calibration, None)
    return table if table is not None and is_sound(table) else None


def total_memory() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def chosen_thrift(small: bool | None) -> Thrift:
    # whole pictures fit on a Pi with 1 GB of memory, but not with 512 MB
    is_small = total_memory() < 700_000_000 if small is None else small
    return SMALL if is_small else PLENTY
