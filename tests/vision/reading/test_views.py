"""The view from above, by the formula of its plane."""

import cv2
import numpy as np
import pytest

from vision.reading.surroundings import Surroundings
from vision.reading.views import pyramid, view_of
from vision.table.plane import inverse, map_points

WIDE, HIGH = 400, 300
EDGES = np.array([(0, 0), (WIDE, 0), (WIDE, HIGH), (0, HIGH)], np.float64)


@pytest.mark.parametrize("turn", [0.3, 1.2, 2.5, 3.9, 5.5])
def test_the_view_of_a_turned_table_holds_the_whole_picture_and_no_more(turn: float) -> None:
    c, s = np.cos(turn), np.sin(turn)
    plane = np.array([(c, -s, 200), (s, c, 150), (0, 0, 1.0)])
    view = view_of(pyramid(np.zeros((HIGH, WIDE, 3), np.uint8)), (63, 63), Surroundings(plane))
    seen = map_points(inverse(view.back), EDGES)
    assert seen.min(axis=0) == pytest.approx((0, 0), abs=1e-6)
    beyond = view.grey.shape[::-1] - seen.max(axis=0)
    assert ((beyond > -1e-6) & (beyond < 1)).all()


@pytest.mark.parametrize(
    ("across", "down", "is_filled"), [(60, 84, True), (84, 60, True), (80, 90, False), (110, 62, False)]
)
def test_what_edges_enclose_is_filled_up_to_the_size_of_a_card(across: int, down: int, is_filled: bool) -> None:
    """Two pixels are a millimetre; a tenth more than 63 by 88 is still taken for a card."""
    picture = np.full((2 * HIGH, 2 * WIDE, 3), 60, np.uint8)
    left, top = 150, 150
    cv2.rectangle(picture, (left, top), (left + 2 * across, top + 2 * down), (220, 220, 220), 3)
    view = view_of(pyramid(picture), (63, 88), Surroundings(np.diag([2.0, 2.0, 1.0])))
    (x, y) = map_points(inverse(view.back), np.array([(left + across, top + down)], np.float64))[0]
    assert bool(view.solid[round(y), round(x)]) == is_filled
