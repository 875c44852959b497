"""Where covered cards are sought: boxes that overlap are searched as one."""

from itertools import permutations

import pytest

from vision.reading.corners import _join_boxes, _square

LEFT, MIDDLE, RIGHT = (0, 40, 30, 90), (20, 10, 60, 50), (50, 30, 100, 70)
AWAY = (10, 200, 40, 230)


def test_boxes_that_overlap_in_a_chain_are_joined_in_any_order() -> None:
    for boxes in permutations((LEFT, MIDDLE, RIGHT, AWAY)):
        assert sorted(_join_boxes(list(boxes))) == [(0, 10, 100, 90), AWAY]


def test_boxes_that_only_touch_stay_apart() -> None:
    boxes = [(0, 0, 10, 10), (10, 0, 20, 10), (0, 10, 10, 20)]
    assert sorted(_join_boxes(boxes)) == sorted(boxes)


@pytest.mark.parametrize("side", [5, 7, 9, 15])
def test_a_kernel_measures_so_many_88ths_of_a_card_and_has_a_middle(side: int) -> None:
    for times in range(1, 11):
        assert _square(side, (63 * times, 88 * times)).shape == (side * times | 1, side * times | 1)
    assert _square(side, (6.3, 8.8)).shape == (3, 3)
