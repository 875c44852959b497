"""Contours of cards: what several masks show in one place is looked at once."""

import numpy as np
import pytest

from vision.reading.outlines import _is_new_contour

SQUARE = np.array([[(0, 0)], [(60, 0)], [(60, 60)], [(0, 60)]])


def test_a_contour_that_another_mask_gave_a_pixel_beside_is_not_new() -> None:
    met: set[tuple[int, ...]] = set()
    assert _is_new_contour(SQUARE + 30, met)
    assert [_is_new_contour(SQUARE + 30 + off, met) for off in (-1, 0, 1)] == [False, False, False]


@pytest.mark.parametrize("at", range(12))
@pytest.mark.parametrize("way", [(3, 0), (0, 3)])
def test_a_contour_three_pixels_away_is_new_wherever_it_lies(at: int, way: tuple[int, int]) -> None:
    met: set[tuple[int, ...]] = set()
    assert _is_new_contour(SQUARE + at, met)
    assert _is_new_contour(SQUARE + at + way, met)


def test_a_contour_that_takes_less_of_the_same_box_is_new() -> None:
    met: set[tuple[int, ...]] = set()
    assert _is_new_contour(SQUARE, met)
    assert _is_new_contour(np.concatenate((SQUARE, [[(30, 30)]])), met)
