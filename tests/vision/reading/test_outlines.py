"""Contours of cards: what several masks show in one place is looked at once."""

import cv2
import numpy as np
import pytest

from vision.reading.outlines import (
    _distance_from_rim,
    _is_new_contour,
    _pose_each_once,
    _poses_of_quad,
    _sharpen_quad,
)
from vision.reading.views import PictureView, outline_of

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


@pytest.mark.parametrize("table", [(60, 90, 70), (200, 205, 210), (30, 30, 30)])
@pytest.mark.parametrize("card", [(80, 90, 70), (60, 60, 110), (150, 150, 150)])
def test_the_distance_from_the_table_is_twice_that_of_the_colours_with_less_for_light(
    table: tuple[int, int, int], card: tuple[int, int, int]
) -> None:
    picture = np.full((120, 160, 3), table, np.uint8)
    picture[40:80, 50:110] = card
    picture[:, :20] = card  # what lies over a part of the rim isn't taken for the table
    lab = cv2.cvtColor(np.array([[table, card]], np.uint8), cv2.COLOR_BGR2Lab).astype(float)[0]
    light, green, blue = lab[1] - lab[0]
    far = 2 * np.hypot(0.7 * light, np.hypot(green, blue))
    away = _distance_from_rim(picture)
    assert not away[20:36, 30:150].any()
    assert away[60, 80] == pytest.approx(min(far, 255), abs=1)
    assert away[60, 10] == away[60, 80]


@pytest.mark.parametrize("turn", [0, 7, 33, 45, 80])
def test_a_contour_with_cut_corners_is_sharpened_to_the_whole_card(turn: float) -> None:
    across, down, cut = 126.0, 176.0, 6.0
    card = np.array([(0, 0), (across, 0), (across, down), (0, down)])
    inward = np.sign(card.mean(axis=0) - card)
    near = np.stack((card + inward * (cut, 0), card + inward * (0, cut)), 1)
    hull = np.concatenate([pair[::-1] if place % 2 == 0 else pair for place, pair in enumerate(near)])
    spin = np.array(
        [
            (np.cos(np.radians(turn)), -np.sin(np.radians(turn))),
            (np.sin(np.radians(turn)), np.cos(np.radians(turn))),
        ]
    )
    rough = card + inward * cut / 2
    assert _sharpen_quad(hull @ spin.T, rough @ spin.T) == pytest.approx(card @ spin.T, abs=0.6)


def poses_of(quad: list[tuple[float, float]], size: tuple[float, float]) -> list[np.ndarray]:
    """Lay a card on four corners, and give its outlines."""
    grey = np.zeros((400, 400), np.uint8)
    view = PictureView(grey, grey, np.eye(3), size, grey, grey)
    return [np.array(outline_of(pose)) for pose in _poses_of_quad(np.array(quad, np.float64), view, size)]


def test_a_card_is_laid_on_four_corners_or_as_far_around_them_as_its_border_is_wide() -> None:
    corners = np.array([(100, 100), (226, 100), (226, 276), (100, 276)])
    itself, around = poses_of(corners.tolist(), (63.0, 88.0))
    assert itself == pytest.approx(corners, abs=1e-6)
    margins = np.abs(around - corners)
    assert margins == pytest.approx(np.full((4, 2), margins[0, 0]), abs=1e-6)
    assert margins[0, 0] > 1


@pytest.mark.parametrize(("shorter", "count"), [(126.0, 2), (72.0, 2), (68.0, 0)])
@pytest.mark.parametrize("is_across", [True, False])
def test_sides_across_from_each_other_differ_by_less_than_1_8_times(
    shorter: float, count: int, is_across: bool
) -> None:
    """A square, with a side of 126 that is seen shorter on one end."""
    aside = (126 - shorter) / 2
    quad = [(100 + aside, 100.0), (226 - aside, 100.0), (226.0, 226.0), (100.0, 226.0)]
    turned = quad if is_across else [(y, x) for x, y in (quad[0], quad[3], quad[2], quad[1])]
    assert bool(poses_of(turned, (70.0, 70.0))) == bool(count)


@pytest.mark.parametrize(
    "quad", [[(100, 50), (300, 50), (300, 150), (100, 150)], [(100, 50), (200, 50), (200, 250), (100, 250)]]
)
def test_a_card_may_be_twice_as_long_as_wide_whichever_way_it_lies(quad: list[tuple[float, float]]) -> None:
    assert len(poses_of(quad, (100.0, 200.0))) == 2


@pytest.mark.parametrize("at", range(12))
def test_corners_that_lie_three_pixels_further_are_another_card(at: int) -> None:
    grey = np.zeros((400, 400), np.uint8)
    view = PictureView(grey, grey, np.eye(3), None, grey, grey)
    quad = np.array([(0, 0), (63, 0), (63, 88), (0, 88)], np.float64) + 40 + at
    assert len(_pose_each_once([quad, quad + 3], view)) == 2
    assert len(_pose_each_once([quad, quad], view)) == 1
