"""The wiring picture: every used pin has a wire, no two wires cross, words don't run into each other."""

from functools import partial
from itertools import combinations, pairwise
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from firmware.cli.print import wiring_pictures
from hardware.board import picture as picture_module
from hardware.board.board import LampDrivers, Register, our_boards
from hardware.board.inks import COLOURS
from hardware.board.netlist import devices
from hardware.board.picture import WIDTH, PlacedDevice, picture, place_devices
from hardware.board.register_strips import strip_boards
from hardware.board.strip_picture import strip_picture
from hardware.decks.drawing import Drawing, Shape, fill
from tests.hardware.board.boards import buildable_board
from tests.hardware.board.labels import LabelBox, labels_of, overlaps

BOARDS = our_boards()
PICTURES = Path(__file__).parents[3] / "docs" / "pictures"
ARCADE = LampDrivers(green=(27, 9, 6, 23, 8, 16), red=(22, 11, 13, 24, 7, 20))
DRAWN = {**BOARDS, "arcade": replace(BOARDS["six"], lamps=ARCADE)}
FULL_ARCADE = replace(BOARDS["full"], lamps=Register(13, 19, 26, chips=2, volts=12))
LABELLED = {
    **DRAWN,
    "full arcade": FULL_ARCADE,
    **{f"any {number}": buildable_board(Random(number)) for number in range(40)},
}
every_board = pytest.mark.parametrize("name", DRAWN)


def wires(drawing: Drawing) -> list[Shape]:
    """Find the curved wires between terminals and pins."""
    return [
        item
        for item in drawing.items
        if isinstance(item, Shape) and item.stroke in COLOURS.values() and len(item.path[0].steps) == 2
    ]


@every_board
def test_every_used_pin_has_one_wire(name: str) -> None:
    ends = [wire.path[0].steps[-1][-1] for wire in wires(picture(DRAWN[name], name))]
    used = sum(end.gpio is not None for device in devices(DRAWN[name]) for end in device.terminals)
    assert len(set(ends)) == len(ends) == used


@every_board
def test_no_two_wires_cross(name: str) -> None:
    for left in (True, False):
        ends = [
            (wire.path[0].start[1], wire.path[0].steps[-1][-1][1])
            for wire in wires(picture(DRAWN[name], name))
            if (wire.path[0].start[0] < WIDTH / 2) == left
        ]
        for (start, end), (other_start, other_end) in combinations(ends, 2):
            assert (start < other_start) == (end < other_end)


@every_board
def test_nothing_is_drawn_outside_or_over_something_else(name: str) -> None:
    board = DRAWN[name]
    drawing = picture(board, name)
    for left in (True, False):
        column = place_devices(board, left=left)
        for upper, lower in pairwise(column):
            assert bottom(upper) <= lower.top
        assert all(bottom(device) < drawing.height for device in column)


@pytest.mark.parametrize("name", LABELLED)
def test_no_two_labels_lie_over_each_other_and_none_beyond_the_sheet(name: str) -> None:
    board = LABELLED[name]
    draw = [
        partial(picture, board, name),
        *(partial(strip_picture, each, name) for each in strip_boards(board)),
    ]
    for drawing, labels in map(labels_of, draw):
        assert len(labels) > 20
        assert overlaps(labels) == []
        sheet = LabelBox("sheet", 0, 0, drawing.width, drawing.height)
        assert [each.words for each in labels if not each.is_within(sheet)] == []


def test_a_label_over_another_would_be_noticed() -> None:
    def draw() -> Drawing:
        words = (picture_module.text("one", 50, 20, 3), picture_module.text("two", 53, 21, 3))
        return Drawing(100, 40, tuple(fill(each, "#000000") for each in words))

    assert overlaps(labels_of(draw)[1]) == [("one", "two")]


def bottom(device: PlacedDevice) -> float:
    return device.terminal(len(device.device.terminals) - 1)


@pytest.mark.parametrize("name", BOARDS)
def test_the_pictures_in_the_guide_are_of_today(name: str) -> None:
    kept = cv2.imread(str(PICTURES / f"wiring-{name}.png"))
    assert kept is not None
    drawn = cv2.imdecode(np.frombuffer(wiring_pictures()[f"wiring-{name}.png"], np.uint8), cv2.IMREAD_COLOR)
    assert drawn is not None
    assert kept.shape == drawn.shape, "coyote print guide docs/pictures"
    assert np.abs(kept.astype(int) - drawn.astype(int)).mean() < 0.5, "coyote print guide docs/pictures"
