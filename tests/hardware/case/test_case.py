"""The case: pieces that are closed and of the right size, with screws and pipe that fit."""

import re
from collections import Counter
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.cli.print import case_picture
from hardware.board.board import Board, our_boards
from hardware.board.parts import CABLE_RINGS, CAMERA_CABLE, METRES_A_PLACE, parts
from hardware.case.fittings import (
    ACROSS,
    CLAMP_BOLT,
    PI_SCREW,
    PIPE_SOLD,
    PIPE_THICK,
    SCREWS,
    UPRIGHT,
    count_screws,
)
from hardware.case.pieces import PIECES, is_renderable, sources, stl
from hardware.case.solid import Mesh, mesh
from tests.tiers import release

# case


PICTURE = Path(__file__).parents[3] / "docs" / "pictures" / "case.png"
BED = 180.0
"""Millimetres of the smallest common printer's bed."""

with_openscad = pytest.mark.skipif(not is_renderable(), reason="OpenSCAD isn't installed")


@cache
def render_piece(name: str) -> bytes:
    return stl(PIECES[name])


def loose_edges(triangles: Mesh) -> int:
    """Count the edges that don't lie between exactly two faces, one each way: none if the mesh is closed."""
    edges: Counter[tuple[tuple[float, ...], tuple[float, ...]]] = Counter()
    for triangle in triangles.tolist():
        a, b, c = map(tuple, triangle)
        edges.update(((a, b), (b, c), (c, a)))
    return sum(count != 1 or edges[end, start] != 1 for (start, end), count in edges.items())


def volume(triangles: Mesh) -> float:
    """Weigh a mesh in cubic millimetres; inside out it is negative."""
    return float(np.linalg.det(triangles).sum() / 6)


def extent(triangles: Mesh) -> tuple[float, ...]:
    """Measure a mesh along each axis."""
    corners = triangles.reshape(-1, 3)
    return tuple((corners.max(axis=0) - corners.min(axis=0)).tolist())


def cube(*, lid: bool = True) -> bytes:
    """Write a cube of 10 mm as STL, with or without its upper side."""
    square = [(0, 0), (1, 0), (1, 1), (0, 1)]
    bottom, top = [(x, y, 0) for x, y in square], [(x, y, 1) for x, y in square]
    sides = [(bottom[a], bottom[b], top[b], top[a]) for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))]
    faces = [tuple(reversed(bottom)), *sides, *([tuple(top)] if lid else [])]
    triangles = [corners for a, b, c, d in faces for corners in ((a, b, c), (a, c, d))]
    return "".join(
        f"vertex {10 * x} {10 * y} {10 * z}\n" for corners in triangles for x, y, z in corners
    ).encode()


def test_a_cube_is_closed_and_one_without_a_lid_is_not() -> None:
    assert loose_edges(mesh(cube())) == 0
    assert volume(mesh(cube())) == pytest.approx(1000)
    assert extent(mesh(cube())) == (10, 10, 10)
    assert loose_edges(mesh(cube(lid=False))) == 4
    turned: Mesh = mesh(cube()).copy()
    turned[0] = turned[0][::-1]
    assert loose_edges(turned) > 0
    assert loose_edges(np.concatenate([mesh(cube()), turned[:1]])) > 0


@release("it takes OpenSCAD long, and pieces change seldom")
@with_openscad
@pytest.mark.parametrize("name", PIECES)
def test_a_piece_is_solid_and_fits_a_printer(name: str) -> None:
    triangles = mesh(render_piece(name))
    assert loose_edges(triangles) == 0
    assert volume(triangles) > 10_000
    assert max(extent(triangles)) <= BED
    assert triangles[..., 2].min() == pytest.approx(0, abs=0.02), "it lies on the bed"


@release("drawings of the guide that are a little old harm nobody")
@with_openscad
def test_the_picture_in_the_guide_is_of_today() -> None:
    kept = cv2.imread(str(PICTURE))
    drawn = cv2.imdecode(
        np.frombuffer(case_picture({name: render_piece(name) for name in PIECES}), np.uint8), 1
    )
    assert kept is not None
    assert drawn is not None
    assert kept.shape == drawn.shape, "coyote print guide docs/pictures"
    assert np.abs(kept.astype(int) - drawn.astype(int)).mean() < 2, "coyote print guide docs/pictures"


# fittings


ROOT = Path(__file__).parents[3]
GUIDE = " ".join((ROOT / "docs" / "build.md").read_text(encoding="utf-8").split())
BOARDS = our_boards()
THINNEST_TABLE, BOARD_THICK, SLACK = 12, 1.4, 0.2
"""Millimetres of a table's top and of a Pi's board; metres of cable beyond the pipes."""


def source(name: str) -> str:
    return sources()[f"{name}.scad"].decode()


def size(name: str, what: str) -> float:
    found = re.search(rf"^{what} = ([\d.]+);", source(name), re.MULTILINE)
    assert found is not None
    return float(found[1])


def holes(name: str, what: str) -> int:
    found = re.search(rf"^{what} = \[(.*)\];", source(name), re.MULTILINE)
    assert found is not None
    return found[1].count("[")


def test_there_is_a_screw_for_every_hole() -> None:
    assert list(SCREWS) == list(PIECES)
    assert dict(SCREWS["pi_box-base"])[PI_SCREW] == holes("pi_box", "pi_holes")
    arm = [dict(SCREWS[f"camera_arm-{part}"]) for part in ("clamp", "elbow", "head")]
    assert sum(count for screws in arm for screw, count in screws.items() if screw.thread == "M2") == holes(
        "camera_arm", "camera_holes"
    )
    # the elbow's hole is cut twice
    cut = len(re.findall("screw_core", source("camera_arm"))) + 1
    assert sum(count for screws in arm for screw, count in screws.items() if screw.thread == "M3") == cut


def test_screws_are_as_long_as_their_holes_need() -> None:
    assert size("pi_box", "pi_up") > PI_SCREW.length - BOARD_THICK > 3
    thick, table = size("camera_arm", "thick"), size("camera_arm", "table")
    assert CLAMP_BOLT.length >= thick + 12 + table - THINNEST_TABLE


def test_screws_are_added_up_for_a_table() -> None:
    told = {f"{screw.thread} x {screw.length}": count for screw, count in count_screws(6).items()}
    assert told == {"M2 x 6": 4, "M2.5 x 6": 4, "M3 x 10": 28, "M3 x 12": 4, "M8 x 60": 1}


def test_a_pipe_as_sold_is_long_enough_and_a_camera_cable_runs_along_it() -> None:
    assert size("camera_arm", "tube") == PIPE_THICK
    assert UPRIGHT + ACROSS <= PIPE_SOLD
    assert CAMERA_CABLE >= (UPRIGHT + ACROSS) / 100 + SLACK
    assert f"one upright of {UPRIGHT} cm, one across of {ACROSS} cm" in source("camera_arm")
    # the guide names the same screws and pipe
    told = f"Pipe of {PIPE_THICK} mm, sold in {PIPE_SOLD // 100} m: {UPRIGHT} cm upright, {ACROSS} cm across"
    assert told in GUIDE
    assert all(f"{screw.thread} x {screw.length}" in GUIDE for screw in count_screws(1))


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_a_parts_list_is_whole(board: Board) -> None:
    places = max(board.seats, len(board.table))
    bought = {(part.key, part.value): part.count for part in parts(board)}
    assert {("pi", ""), ("camera", ""), ("loudspeaker", ""), ("light", ""), ("supply", "")} <= bought.keys()
    for screw, count in count_screws(places).items():
        assert bought["screw", f"{screw.thread} x {screw.length}"] == count
    assert bought["pipe", f"{PIPE_SOLD // 100} m"] == 1
    assert bought["seat box", ""] == places
    (cable,) = [part for part in parts(board) if part.key == "cable"]
    metres, needed = int(cable.value.split()[0]), METRES_A_PLACE * places
    assert (metres, cable.count) == (min(ring for ring in CABLE_RINGS if ring >= needed), 1)
