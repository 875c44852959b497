"""Screws and pipe: every piece has its own, they fit the holes, and the guide names the same."""

import re
from pathlib import Path

import pytest

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
from hardware.case.pieces import PIECES, sources

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


def test_every_piece_has_its_screws() -> None:
    assert list(SCREWS) == list(PIECES)


def test_there_is_a_screw_for_every_hole() -> None:
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


def test_the_guide_names_the_same_screws_and_pipe() -> None:
    for screw in count_screws(1):
        assert f"{screw.thread} x {screw.length}" in GUIDE
    told = f"Pipe of {PIPE_THICK} mm, sold in {PIPE_SOLD // 100} m: {UPRIGHT} cm upright, {ACROSS} cm across"
    assert told in GUIDE


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_a_parts_list_is_whole(board: Board) -> None:
    places = max(board.seats, len(board.table))
    bought = {(part.key, part.value): part.count for part in parts(board)}
    assert {("pi", ""), ("camera", ""), ("loudspeaker", ""), ("light", ""), ("supply", "")} <= bought.keys()
    for screw, count in count_screws(places).items():
        assert bought["screw", f"{screw.thread} x {screw.length}"] == count
    assert bought["pipe", f"{PIPE_SOLD // 100} m"] == 1
    assert bought["seat box", ""] == places


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_cable_is_bought_in_rings_that_are_sold_and_suffice(board: Board) -> None:
    (cable,) = [part for part in parts(board) if part.key == "cable"]
    metres = int(cable.value.split()[0])
    assert metres in CABLE_RINGS
    assert cable.count == 1
    needed = METRES_A_PLACE * max(board.seats, len(board.table))
    assert metres >= needed
    assert not [ring for ring in CABLE_RINGS if needed <= ring < metres]
