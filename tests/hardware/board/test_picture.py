"""The wiring picture: every used pin has a wire, no two wires cross, words don't run into each other."""

from collections.abc import Callable
from functools import partial
from itertools import combinations
from random import Random
from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from hardware.board.board import LampDrivers, Register, our_boards
from hardware.board.design import details, drawings_of, look, picture, plugged_picture, poster, strip_picture
from hardware.board.design.look import COLOURS
from hardware.board.design.register_strips import strip_boards
from hardware.board.drawings import kept_drawings
from hardware.board.netlist import devices
from hardware.decks import drawing
from hardware.decks.drawing import Drawing, Group, Shape
from tests.hardware.board.boards import buildable_board
from tests.tiers import tiered

BOARDS = our_boards()
ARCADE = LampDrivers(green=(27, 9, 6, 23, 8, 16), red=(22, 11, 13, 24, 7, 20))
DRAWN = {**BOARDS, "arcade": replace(BOARDS["six"], lamps=ARCADE)}
LABELLED = {
    **DRAWN,
    "four without solder": replace(BOARDS["two"], table=(5, 6)),
    "full arcade": replace(BOARDS["full"], lamps=Register(13, 19, 26, chips=2, volts=12)),
    **{f"any {number}": buildable_board(Random(number)) for number in range(tiered(3, 40))},
}
Box = tuple[float, float, float, float]
"""Left, top, right and bottom of the ink of a word."""


@pytest.mark.parametrize("name", DRAWN)
def test_every_used_pin_has_one_wire_and_no_two_cross(name: str) -> None:
    drawn = [
        (item.path[0].start, item.path[0].steps[-1][-1])
        for item in picture.picture(DRAWN[name], name).items
        if isinstance(item, Shape) and item.stroke in COLOURS.values() and len(item.path[0].steps) == 2
    ]
    used = sum(end.gpio is not None for device in devices(DRAWN[name]) for end in device.terminals)
    assert len({end for _start, end in drawn}) == len(drawn) == used
    for (start, end), (other, other_end) in combinations(drawn, 2):
        if (start[0] < picture.WIDTH / 2) == (other[0] < picture.WIDTH / 2):
            assert (start[1] < other[1]) == (end[1] < other_end[1])


def labels_of(
    draw: Callable[[], Drawing], monkeypatch: pytest.MonkeyPatch, *modules: ModuleType
) -> tuple[Drawing, dict[Box, str]]:
    """Draw, and give the boxes of all words that were set; handles of curves count as ink."""
    found: dict[Box, str] = {}
    usual = drawing.text

    def setting(words: str, *place: Any, **how: Any) -> drawing.Path:
        path = usual(words, *place, **how)
        points = [
            point for run in path for point in (run.start, *(each for step in run.steps for each in step))
        ]
        if words.strip():
            across, down = [x for x, _y in points], [y for _x, y in points]
            found[min(across), min(down), max(across), max(down)] = words
        return path

    for module in modules or (picture, details, look, strip_picture, plugged_picture):
        monkeypatch.setattr(module, "text", setting)
    return draw(), found


@pytest.mark.parametrize("name", LABELLED)
def test_no_two_labels_lie_over_each_other_and_none_beyond_the_sheet(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = LABELLED[name]
    draws = [
        partial(picture.picture, board, name),
        *(partial(strip_picture.strip_picture, each, name) for each in strip_boards(board)),
        *([partial(plugged_picture.plugged_picture, board, name)] if board.solderless else []),
    ]
    for draw in draws:
        sheet, labels = labels_of(draw, monkeypatch)
        assert len(labels) > 20
        for (left, top, right, bottom), words in labels.items():
            assert left >= 0 <= top, words
            assert right <= sheet.width, words
            assert bottom <= sheet.height, words
        for one, other in combinations(labels, 2):
            assert is_apart(one, other), (labels[one], labels[other])


@pytest.mark.parametrize("name", BOARDS)
def test_resistors_stand_beside_the_pi_as_the_text_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _sheet, labels = labels_of(partial(picture.picture, BOARDS[name], name), monkeypatch)
    header_ends = picture.TOP + 20 * picture.ROW
    in_wires = [box for box, words in labels.items() if words.endswith(" ohm") and box[3] < header_ends]
    assert in_wires
    for left, _top, right, _bottom in in_wires:
        assert abs((left + right - picture.WIDTH) / 2) < 30


def is_apart(one: Box, other: Box) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.parametrize("name", LABELLED)
def test_on_the_poster_nothing_lies_over_anything_else_and_all_is_on_a3(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = LABELLED[name]
    sheet, labels = labels_of(partial(poster.poster, board, name), monkeypatch, poster)
    assert sorted((sheet.width, sheet.height)) == [297, 420]
    shown = poster.pictures_of(board, name).values()
    places = [item.matrix for item in sheet.items if isinstance(item, Group)]
    pictures = {
        (x, y, x + scale * each.width, y + scale * each.height): "picture"
        for (scale, _b, _c, _d, x, y), each in zip(places, shown, strict=True)
    }
    for (left, top, right, bottom), words in {**labels, **pictures}.items():
        assert min(left, top) >= poster.EDGE - 0.1, words
        assert right <= sheet.width - poster.EDGE + 0.1, words
        assert bottom <= sheet.height - poster.EDGE + 0.1, words
    for one, other in combinations([*labels, *pictures], 2):
        assert is_apart(one, other), (labels.get(one), labels.get(other))


@pytest.mark.parametrize("name", BOARDS)
def test_the_drawings_that_are_kept_are_of_today(name: str) -> None:
    assert kept_drawings(name) == drawings_of(BOARDS[name], name), "python -m hardware.board.design"
