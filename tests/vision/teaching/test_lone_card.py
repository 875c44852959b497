"""The one card of a photograph, wherever it lies."""

import cv2
import numpy as np
import pytest

from hardware.twin.rendering.levels import L0, L1, LEVELS
from hardware.twin.rendering.scene import Surface
from tests.vision.photographs import faces, off_by, photograph
from vision.teaching.lone_card import _height, _measure_outline, find_card_outlines, rectify_card, true_aspect


@pytest.mark.parametrize(
    ("face", "seed", "level", "surface"),
    [("7h", 1, "L0", "mat"), ("Qs", 2, "L1", "wood"), ("coup", 3, "L0", "felt"), ("Kd", 4, "L1", "mat")],
)
def test_a_card_is_found_to_a_millimetre(face: str, seed: int, level: str, surface: Surface) -> None:
    frame = photograph(face, seed, surface, LEVELS[level])
    best = find_card_outlines(frame.picture)[0]
    assert off_by(best.corners, frame.truth[0].outline) < 1.2


def test_a_white_card_on_a_white_table_is_among_what_is_found() -> None:
    frame = photograph("Qs", 5, "light", L0)
    assert min(off_by(each.corners, frame.truth[0].outline) for each in find_card_outlines(frame.picture)) < 1.5


def test_its_shape_is_told_from_aside() -> None:
    for seed in range(3):
        frame = photograph("Ah", seed + 20, "felt")
        shape = true_aspect(np.array(frame.truth[0].outline), frame.picture.shape)
        assert shape == pytest.approx(63 / 88, rel=0.04)


def test_what_is_rectified_looks_like_the_print() -> None:
    frame = photograph("Kd", 4, "wood", L1)
    flat = rectify_card(frame.picture, frame.truth[0].outline)
    assert flat.shape == (352, 252, 3)
    print_ = cv2.resize(faces()("Kd"), (252, 352), interpolation=cv2.INTER_AREA)
    assert cv2.matchTemplate(flat, print_, cv2.TM_CCOEFF_NORMED)[0, 0] > 0.8


def test_large_pictures_and_square_cards_are_rectified() -> None:
    large = np.zeros((3000, 3000, 3), np.uint8)
    corners = ((100.0, 100.0), (2900.0, 100.0), (2900.0, 2900.0), (100.0, 2900.0))
    assert rectify_card(large, corners, 1.0).shape == (352, 352, 3)
    assert rectify_card(large, corners, 2.0).shape == (176, 352, 3)


@pytest.mark.parametrize(("wide", "high"), [(1800, 2900), (3600, 2400)])
def test_a_card_of_a_large_photograph_is_rectified_whatever_shape_the_photograph_has(
    wide: int, high: int
) -> None:
    """Each corner of the card has a colour of its own, and so it has afterwards."""
    picture = np.zeros((high, wide, 3), np.uint8)
    left, top, across, down = 301, 203, 1260, 1760
    colours = np.array([[(255, 0, 0), (0, 255, 0)], [(0, 0, 255), (255, 255, 0)]], np.uint8)
    card = cv2.resize(colours, (across, down), interpolation=cv2.INTER_NEAREST)
    picture[top : top + down, left : left + across] = card
    edge = np.array([(0, 0), (across, 0), (across, down), (0, down)]) + np.array((left, top)) - 0.5
    flat = rectify_card(picture, edge)
    assert (
        np.abs(flat.astype(int) - cv2.resize(colours, (252, 352), interpolation=cv2.INTER_NEAREST)).mean() < 2
    )


def test_nothing_is_found_on_a_bare_ground() -> None:
    grain = np.random.default_rng(1).normal(128, 4, (600, 800, 3)).clip(0, 255).astype(np.uint8)
    assert [each for each in find_card_outlines(grain) if each.score > 0.3] == []


def test_a_printed_frame_is_straight() -> None:
    scan = cv2.resize(faces()("7h"), (504, 704), interpolation=cv2.INTER_AREA)
    assert find_card_outlines(scan)[0].straight
    assert not find_card_outlines(photograph("7h", 6).picture)[0].straight


PLAIN = np.array([(89.5, 59.5), (189.5, 59.5), (189.5, 199.5), (89.5, 199.5)])


@pytest.mark.parametrize("reach", [0.01, 0.02, 0.03])
@pytest.mark.parametrize(("off", "within"), [(0.0, 0.001), (1.2, 0.3), (-1.2, 0.3)])
def test_an_outline_is_moved_onto_the_edges_and_stays_there(reach: float, off: float, within: float) -> None:
    picture = np.full((240, 320, 3), 60, np.uint8)
    picture[60:200, 90:190] = 220
    soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8)
    measured = _measure_outline(soft, PLAIN + off, (reach,))
    assert measured is not None
    assert measured.corners == pytest.approx(PLAIN, abs=within)
    assert measured.edge == 1


@pytest.mark.parametrize(("wide", "high"), [(60, 80), (80, 60), (1, 300)])
def test_the_height_of_corners_is_that_between_the_upper_and_the_lower_side(wide: float, high: float) -> None:
    corners = np.array([(5, 9), (5 + wide, 9), (5 + wide, 9 + high), (5, 9 + high)])
    assert _height(corners) == pytest.approx(high)
