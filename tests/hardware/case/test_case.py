"""The pieces of the case: closed, of the right size, and as the guide shows them."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.cli.print import case_picture
from hardware.case.pieces import PIECES, is_renderable, sources, stl
from hardware.case.solid import Mesh, mesh
from tests.hardware.case.solidity import extent, loose_edges, volume

PICTURE = Path(__file__).parents[3] / "docs" / "pictures" / "case.png"
BED = 180.0
"""Millimetres of the smallest common printer's bed."""

with_openscad = pytest.mark.skipif(not is_renderable(), reason="OpenSCAD isn't installed")


@cache
def render_piece(name: str) -> bytes:
    return stl(PIECES[name])


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


def test_a_face_that_is_turned_round_or_doubled_is_found() -> None:
    closed: Mesh = mesh(cube())
    turned = closed.copy()
    turned[0] = turned[0][::-1]
    assert loose_edges(turned) > 0
    assert loose_edges(np.concatenate([closed, closed[:1]])) > 0


def test_every_source_is_used() -> None:
    assert {f"{piece.source}.scad" for piece in PIECES.values()} | {"common.scad"} == set(sources())


@with_openscad
@pytest.mark.parametrize("name", PIECES)
def test_a_piece_is_solid_and_fits_a_printer(name: str) -> None:
    triangles = mesh(render_piece(name))
    assert len(triangles) > 100
    assert loose_edges(triangles) == 0
    assert volume(triangles) > 10_000
    assert max(extent(triangles)) <= BED
    assert triangles[..., 2].min() == pytest.approx(0, abs=0.02), "it lies on the bed"


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
