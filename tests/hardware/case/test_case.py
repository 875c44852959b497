"""The case: pieces that are closed and of the right size, with screws and pipe that fit."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from hardware.board.board import Board, our_boards
from hardware.board.parts import CABLE_RINGS, CAMERA_CABLE, METRES_A_PLACE, parts
from hardware.case.pieces import (
    ACROSS,
    CLAMP_BOLT,
    PI_SCREW,
    PIECES,
    PIPE_SOLD,
    PIPE_THICK,
    SCREWS,
    UPRIGHT,
    count_screws,
    is_renderable,
    sources,
    stl,
)
from hardware.case.portrait import mesh
from tests.tiers import release

BED = 180.0
"""Millimetres of the smallest common printer's bed."""


def test_a_mesh_has_the_corners_of_its_triangles() -> None:
    text = b"facet\n vertex 0 0 0\n vertex 1e1 0 0\n vertex 0 10.0 0\nendfacet"
    assert mesh(text).tolist() == [[[0, 0, 0], [10, 0, 0], [0, 10, 0]]]


@release("it takes OpenSCAD long, and pieces change seldom")
@pytest.mark.skipif(not is_renderable(), reason="OpenSCAD isn't installed")
@pytest.mark.parametrize("name", PIECES)
def test_a_piece_is_solid_and_fits_a_printer(name: str) -> None:
    triangles = mesh(stl(PIECES[name]))
    # it is closed: each edge lies between two faces, once each way
    rounds = [list(map(tuple, triangle)) for triangle in triangles.tolist()]
    edges = Counter(edge for a, b, c in rounds for edge in ((a, b), (b, c), (c, a)))
    assert all(count == 1 == edges[end, start] for (start, end), count in edges.items())
    # in cubic millimetres; inside out it is negative
    assert np.linalg.det(triangles).sum() / 6 > 10_000
    assert np.ptp(triangles.reshape(-1, 3), axis=0).max() <= BED
    assert triangles[..., 2].min() == pytest.approx(0, abs=0.02), "it lies on the bed"


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
