"""Cards along one whole side: where they are laid by what the contour shows at its two ends."""

import numpy as np
import pytest

from vision.reading.sides import _cards_along, _corner, _straight_sides, quads_by_side
from vision.reading.views import PictureView
from vision.table.plane import Reals

SIZE = (63.0, 88.0)
START, END = np.array((0.0, 0.0)), np.array((126.0, 0.0))
LEANING = np.array((-0.28, 0.96)), np.array((0.28, 0.96))
"""Which way the sides at both ends run, spread by perspective."""


def laid_by_two() -> list[tuple[Reals, Reals]]:
    """Lay two and three cards along a side, upright and turned; give the first and the last of each."""
    laid = list(_cards_along(SIZE, START, END, LEANING, [], 2))
    return list(zip(laid[::2], laid[1::2], strict=True))


def test_the_last_of_touching_cards_has_the_shape_of_the_first() -> None:
    shifts = [(last - first).round(9).tolist() for first, last in laid_by_two()]
    assert shifts == [[[63, 0]] * 4] * 2 + [[[84, 0]] * 4] * 2


def test_touching_cards_take_up_a_side_from_end_to_end() -> None:
    for both in laid_by_two():
        corners = np.concatenate(both)
        on_side = corners[corners[:, 1] == 0].tolist()
        assert (min(on_side), max(on_side)) == (START.tolist(), END.tolist())


def stepped(step: int) -> Reals:
    """Outline a square of 100 with a step of so many pixels in its lower side, half-way along."""
    return np.array([(0, 0), (100, 0), (100, 100), (50, 100), (50, 100 - step), (0, 100 - step)], np.float64)


@pytest.mark.parametrize(("step", "sides"), [(11, 5), (12, 6)])
def test_a_side_counts_from_twelve_hundredths_of_the_root_of_the_area(step: int, sides: int) -> None:
    assert len(_straight_sides(stepped(step), 100.0**2)) == sides


@pytest.mark.parametrize("turn", [0.0, 0.4, 2.0])
@pytest.mark.parametrize(
    ("gap", "is_corner"), [(0.0, True), (8.0, True), (17.0, True), (19.0, False), (30.0, False)]
)
def test_two_sides_meet_where_their_lines_cross_if_that_is_near_both(
    turn: float, gap: float, is_corner: bool
) -> None:
    """Near is within three tenths of the shorter one, which is 60 here."""
    spin = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    one = np.array([(-80.0 - gap, 5.0), (-gap, 5.0)]) @ spin + (30, 10)
    following = np.array([(0.0, 5.0 + gap), (0.0, 65.0 + gap)]) @ spin + (30, 10)
    found = _corner(one, following)
    assert (found is not None) == is_corner
    if is_corner:
        assert found == pytest.approx(np.array((0.0, 5.0)) @ spin + (30, 10))


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.2])
def test_a_card_is_laid_along_each_side_of_its_own_outline(turn: float) -> None:
    spin = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    card = np.array([(-63, -88), (63, -88), (63, 88), (-63, 88)]) @ spin + (200, 200)
    grey = np.zeros((400, 400), np.uint8)
    view = PictureView(grey, grey, np.eye(3), (126.0, 176.0), grey, grey)
    contour = card.round().astype(np.int32)[:, None]
    laid = list(quads_by_side(contour, view, (126.0, 176.0), 1))
    fits = [quad for quad in laid if np.abs(quad[:, None] - card).max(axis=2).min(axis=1).max() < 3]
    assert len(fits) >= 4
