"""Drawings of boards are current and show the connections, and their labels don't overlap."""

from itertools import combinations
from typing import Any

import pytest

from hardware.board.drawings import breadboard as picture
from hardware.board.drawings import drawings_of
from hardware.decks import drawing
from tests.hardware.board.design import PICTURES, docs_pictures
from tests.hardware.board.own_boards import BOARDS

Box = tuple[float, float, float, float]  # left, top, right and bottom of a word's ink


DESIGN = "python -m tests.hardware.board.design"


def test_drawings_in_the_docs_are_current_and_small() -> None:
    drawn = docs_pictures()
    assert drawn.keys() == {"board-fab.jpg", "plugged-two.svg"}
    assert {name: (PICTURES / name).read_bytes() for name in drawn} == drawn, DESIGN
    assert sum(map(len, drawn.values())) < 1_000_000


@pytest.mark.parametrize("name", ["two", "six"])
def test_labels_do_not_overlap_or_leave_the_sheet(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[Box, str] = {}
    usual = drawing.text

    def setting(words: str, *place: Any, **how: Any) -> drawing.Path:
        path = usual(words, *place, **how)
        points = [
            point for run in path for point in (run.start, *(each for step in run.steps for each in step))
        ]
        across, down = [x for x, _y in points], [y for _x, y in points]
        found[min(across), min(down), max(across), max(down)] = words
        return path

    monkeypatch.setattr(picture, "text", setting)
    assert drawings_of(BOARDS[name], name)
    assert len(found) > 90
    for left, top, right, bottom in found:
        assert 0 <= left < right <= picture.WIDE
        assert 0 <= top < bottom
    for one, other in combinations(found, 2):
        is_apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert is_apart, (found[one], found[other])
