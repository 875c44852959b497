"""The case: closed parts of the right size, with screws and pipes that fit."""

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.board.board import Board, our_boards
from hardware.board.parts import CABLE_RINGS, CAMERA_CABLE, METRES_A_PLACE, parts, total
from hardware.case import pieces
from hardware.case.portrait import Mesh, grams, mesh, print_hours
from tests.given import present
from tests.tiers import release
from vision.table.framing import USUAL_APART
from vision.table.optics import CAMERAS, heights

Cells = NDArray[np.bool_]
CELL, LAYER = 0.2, 0.4  # raster cell in mm; twice a printer's layer
_ACROSS = np.hypot(*np.mgrid[-2:3, -2:3])
STEP = (_ACROSS <= 2.5).astype(np.uint8)
"""Maximum overhang of a layer in mm: its own height, which is 45 degrees."""


def layers(triangles: Mesh) -> Cells:
    low, high = triangles.reshape(-1, 3).min(axis=0), triangles.reshape(-1, 3).max(axis=0)
    size = np.array((CELL, CELL, LAYER))
    columns, rows, count = (np.ceil((high - low) / size).astype(int) + 2).tolist()
    surfaces = np.zeros((count, rows, columns), dtype=np.bool_)
    for triangle in (triangles - low) / size:
        _cross(triangle, surfaces)
    return np.logical_xor.accumulate(surfaces, axis=0)


def _cross(triangle: NDArray[np.float64], surfaces: Cells) -> None:
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangle.tolist()
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if abs(area) < 1e-9:
        return
    (left, top), (right, low) = np.floor(triangle[:, :2].min(axis=0)), np.ceil(triangle[:, :2].max(axis=0))
    row, column = np.mgrid[int(top) : int(low), int(left) : int(right)]
    # slightly off the middle of each cell, where there is no edge
    x, y = column + 0.5123, row + 0.5177
    b = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
    c = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
    met = (b >= 0) & (c >= 0) & (b + c <= 1)
    layer = np.ceil(az + b * (bz - az) + c * (cz - az) - 0.5).clip(0).astype(int)
    surfaces[layer[met], row[met], column[met]] ^= True


def widest_gap(cells: Cells) -> float:
    """Return the widest bridge in mm; infinite if only one side is supported."""
    return max((_gap(below, layer) for below, layer in pairwise(cells)), default=0.0)


def _gap(below: Cells, layer: Cells) -> float:
    hanging = layer & (cv2.dilate(below.astype(np.uint8), STEP) == 0)
    if not hanging.any():
        return 0.0
    return float(np.minimum(_widths(below), _widths(below.T).T)[hanging].max()) * CELL


def _widths(below: Cells) -> NDArray[np.float64]:
    places = np.arange(below.shape[1])
    start = np.maximum.accumulate(np.where(below, places, -np.inf), axis=1)
    end = np.minimum.accumulate(np.where(below, places, np.inf)[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(end - start - 1)


BED = 180.0  # the smallest common print bed, in mm
BRIDGED = 10.0  # bridge in mm that any printer prints without sagging; promised by hardware/case/README.md


with_openscad = pytest.mark.skipif(not pieces.is_renderable(), reason="OpenSCAD isn't installed")


@cache
def rendered(name: str) -> Mesh:
    return mesh(pieces.stl(pieces.PIECES[name]))


@release("it takes OpenSCAD long, and pieces change seldom")
@with_openscad
@pytest.mark.parametrize("name", pieces.PIECES)
def test_parts_are_solid_and_print_without_supports(name: str) -> None:
    triangles = rendered(name)
    # closed: each edge has two faces, once in each direction
    rounds = [list(map(tuple, triangle)) for triangle in triangles.tolist()]
    edges = Counter(edge for a, b, c in rounds for edge in ((a, b), (b, c), (c, a)))
    assert all(count == 1 == edges[end, start] for (start, end), count in edges.items())
    # cubic millimetres; negative if inside out
    assert np.linalg.det(triangles).sum() / 6 > 5_000
    assert np.ptp(triangles.reshape(-1, 3), axis=0).max() <= BED
    assert triangles[..., 2].min() == pytest.approx(0, abs=0.02), "it lies on the bed"
    assert widest_gap(layers(triangles)) <= BRIDGED


@release("it takes OpenSCAD long, and pieces change seldom")
@with_openscad
def test_pi_fits_into_its_box_from_above() -> None:
    (x, y), (wide, deep) = (numbers("pi_box", what) for what in ("pi_at", "pi"))
    wall, up = size("common", "wall"), size("pi_box", "pi_up")
    columns, rows = (
        slice(round((wall + at) / CELL), round((wall + at + length) / CELL))
        for at, length in ((x, wide), (y, deep))
    )
    box = layers(rendered("pi_box-base"))
    assert not box[round((wall + up) / LAYER) + 1 :, rows, columns].any()


# fittings


ROOT = Path(__file__).parents[3]
GUIDE = " ".join((ROOT / "hardware" / "case" / "README.md").read_text(encoding="utf-8").split())
PRICES = (ROOT / "docs" / "build.md").read_text(encoding="utf-8")
BOARDS = our_boards()
BUILT = ("fab", "two")
THINNEST_TABLE, BOARD_THICK, SLACK = 12, 1.4, 0.2
"""Thickness of a table top and a Pi's board in mm; cable length in m beyond the pipes."""


def source(name: str) -> str:
    return pieces.sources()[f"{name}.scad"].decode()


def size(name: str, what: str) -> float:
    """Return a size of a source, or else the one that all share."""
    texts = source(name), source("common")
    found = present(re.search(rf"^{what} = ([\d.]+);", "\n".join(texts), re.MULTILINE))
    return float(found[1])


def numbers(name: str, what: str) -> tuple[float, float]:
    found = present(re.search(rf"^{what} = \[([\d.]+), ([\d.]+)\];", source(name), re.MULTILINE))
    return float(found[1]), float(found[2])


def holes(name: str, what: str) -> int:
    found = present(re.search(rf"^{what} = \[(.*)\];", source(name), re.MULTILINE))
    return found[1].count("[")


def test_every_hole_has_a_screw() -> None:
    screws = {name: piece.screws for name, piece in pieces.PIECES.items()}
    pi, board = holes("pi_box", "pi_holes"), holes("pi_box", "board_holes")
    for name in ("two", "fab"):
        (through,) = [part.count for part in parts(BOARDS[name]) if part.value == "M2.5 x 20"] or [0]
        assert screws["pi_box-base"][pieces.PI_SCREW] + through == pi + (board if through else 0)
    # no current board has a second button
    assert size("seat_box", "second") == (24.2 if any(BOARDS[name].second for name in BUILT) else 0)
    assert screws["camera_arm-head_module"][pieces.CAMERA_SCREW] == holes("camera_arm", "camera_holes")
    assert screws["camera_arm-head_hq"][pieces.PI_SCREW] == holes("camera_arm", "hq_holes")
    # the elbow's hole is cut twice, and two heads share a source
    cut = len(re.findall("screw_core", source("camera_arm"))) + 2
    arm = [piece.screws for piece in pieces.PIECES.values() if piece.source == "camera_arm"]
    assert sum(count for screws in arm for screw, count in screws.items() if screw.thread == "M3") == cut


@release("it takes OpenSCAD long, and pieces change seldom")
@with_openscad
def test_guide_states_print_time_and_weight() -> None:
    counts = pieces.count_pieces(BOARDS["fab"].seats)
    weights = {name: grams(rendered(name)) for name in counts}
    hours = sum(count * print_hours(weights[name]) for name, count in counts.items())
    kilograms = sum(count * weights[name] for name, count in counts.items()) / 1000
    assert f"Six seats take **up to {hours:.0f} hours and {kilograms:.1f} kg**" in GUIDE


def test_pipe_and_camera_cable_are_long_enough() -> None:
    assert size("camera_arm", "tube") == pieces.PIPE_THICK
    assert pieces.UPRIGHT + pieces.ACROSS <= pieces.PIPE_SOLD
    assert CAMERA_CABLE >= (pieces.UPRIGHT + pieces.ACROSS) / 100 + SLACK
    assert f"one upright of {pieces.UPRIGHT} cm, one across of {pieces.ACROSS} cm" in source("camera_arm")
    # the guide lists the same screws and pipe
    sold = f"Pipe of {pieces.PIPE_THICK} mm, sold in {pieces.PIPE_SOLD // 100} m"
    assert f"{sold}: {pieces.UPRIGHT} cm upright, {pieces.ACROSS} cm across" in GUIDE
    assert all(f"{screw.thread} x {screw.length}" in GUIDE for screw in pieces.count_screws(1))


def test_each_lens_height_fits_the_pipe_in_the_guide() -> None:
    below = 12 + size("camera_arm", "table")  # mm from the table top to the lower end of the pipe
    arm = size("camera_arm", "tube") / 2 + size(
        "camera_arm", "thick"
    )  # from the elbow's pipe to the cross pipe
    uprights = {"imx708": pieces.UPRIGHT, "imx477": pieces.UPRIGHT, "usb 4k": pieces.UPRIGHT}
    uprights |= {"imx708_wide": 55, "imx219": 82, "usb 1080p": 92}
    for name, upright in uprights.items():
        low, high = present(heights(CAMERAS[name], USUAL_APART))
        # heads have the lens as far below the pipe as the elbow raises it; a USB camera hangs from its side
        lens = 10 * upright - below + (arm - 20 if "usb" in name else 0)
        assert low < lens < high
    assert "upright 55 cm for the Module 3 Wide, 82 for the Module 2, 92 for USB at 1920 x 1080" in GUIDE


@pytest.mark.parametrize("board", [BOARDS[name] for name in BUILT], ids=BUILT)
def test_parts_list_is_complete(board: Board) -> None:
    places = 0 if board.solderless else max(board.seats, len(board.table))
    bought = {(part.key, part.value): part.count for part in parts(board)}
    assert {
        ("pi", ""),
        ("camera", f"{CAMERA_CABLE} m"),
        ("loudspeaker", ""),
        ("light", ""),
        ("supply", ""),
    } <= bought.keys()
    for screw, count in pieces.count_screws(places).items():
        assert bought["screw", f"{screw.thread} x {screw.length}"] == count
    assert bought["pipe", f"{pieces.PIPE_SOLD // 100} m"] == 1
    assert bought.get(("seat box", ""), 0) == places
    assert bought.get(("cable tie", ""), 0) == 2 * places, "at both ends of a seat's cable"
    (cable,) = [part for part in parts(board) if part.key in {"cable", "bell wire"}]
    metres, needed = int(cable.value.split()[0]), METRES_A_PLACE * max(board.seats, len(board.table))
    assert (metres, cable.count) == (min(ring for ring in CABLE_RINGS if ring >= needed), 1)
    assert "| {:.0f} to {:.0f} € |".format(*total(parts(board))) in PRICES
