"""The view from above, by the formula of its plane."""

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
