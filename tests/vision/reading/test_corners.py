"""Where covered cards are sought: boxes that overlap are searched as one."""

from itertools import permutations

import numpy as np
import pytest

from vision.reading.corners import EdgeLines, _join_boxes, _meetings, _square, lines_in, mask_left_over
from vision.reading.views import PictureView, grey_of, pyramid

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


def test_lines_are_found_in_their_part_alone_and_where_they_are() -> None:
    picture = np.full((300, 400, 3), 60, np.uint8)
    picture[120:200, 150:260] = 220
    picture[220:290, 150:260] = 220
    view = PictureView(picture, grey_of(picture), np.eye(3), (63.0, 88.0), picture[..., 0], picture[..., 0])
    found = lines_in(pyramid(picture), view, [(130, 100, 280, 210)], 1.0, 88.0, view.solid)
    ends = np.concatenate((found.starts, found.ends))
    assert len(found.starts) >= 4
    assert ends[:, 0].min() == pytest.approx(150, abs=4)
    assert ends[:, 0].max() == pytest.approx(260, abs=4)
    assert ends[:, 1].min() == pytest.approx(120, abs=4)
    assert ends[:, 1].max() == pytest.approx(200, abs=4)


def test_what_a_card_explains_is_left_out_with_a_narrow_rim_and_so_are_specks() -> None:
    solid = np.zeros((300, 400), np.uint8)
    solid[20:280, 20:300] = 255
    solid[100:112, 340:352] = 255
    view = PictureView(solid, solid, np.eye(3), (63.0, 88.0), solid, solid)
    card = ((100.0, 80.0), (226.0, 80.0), (226.0, 256.0), (100.0, 256.0))
    rest = mask_left_over(view, [card], (63.0, 88.0))
    middle, half = np.array((163, 168)), np.array((63, 88))
    for way in np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (0, 1), (1, 0), (0, 0)]):
        within, beyond = ((middle + way * half * much).astype(int) for much in (1.04, 1.12))
        assert rest[within[1], within[0]] == 0
        assert not way.any() or rest[beyond[1], beyond[0]] == 255
    assert rest[30, 30] == 255
    assert not rest[:, 320:].any()


@pytest.mark.parametrize("turn", [0.0, 0.5, 1.9, 4.0])
@pytest.mark.parametrize(("first", "second"), [(88.0, 63.0), (63.0, 88.0)])
@pytest.mark.parametrize("hand", [1, -1])
def test_two_edges_that_are_square_make_a_corner_that_looks_into_the_card(
    turn: float, first: float, second: float, hand: int
) -> None:
    """The edges end a little before the corner, as where a card is rounded."""
    along = np.array((np.cos(turn), np.sin(turn)))
    across = hand * np.array((-np.sin(turn), np.cos(turn)))
    corner = np.array((200.0, 150.0))
    starts = np.stack((corner + 3 * along, corner + 3 * across))
    lines = EdgeLines(starts, np.stack((corner + first * along, corner + second * across)))
    (where,), (way,) = _meetings(lines, 1.0)
    assert where == pytest.approx(corner)
    assert way[:2] == pytest.approx(along)
    assert way[2] == hand
    apart = EdgeLines(starts + np.stack((8 * along, 0 * across)), lines.ends)
    assert len(_meetings(apart, 1.0)[0]) == 0


def lines_on_a_table(noise: float) -> np.ndarray:
    """Find the lines of a card's print and of a scratch far from it, on a table in a camera's noise."""
    rng = np.random.default_rng(1)
    picture = np.full((300, 500, 3), 120.0)
    picture[120:200, 60:120] = 230
    picture[40:260, 430:433] = 40
    picture = np.clip(picture + rng.normal(0, noise, (*picture.shape[:2], 1)), 0, 255).astype(np.uint8)
    rest = np.zeros(picture.shape[:2], np.uint8)
    rest[120:200, 60:120] = 255
    view = PictureView(picture, grey_of(picture), np.eye(3), (63.0, 88.0), rest, rest)
    found = lines_in(pyramid(picture), view, [(0, 0, 500, 300)], 1.0, 88.0, rest)
    return np.concatenate((found.starts, found.ends))


def test_in_noise_lines_are_searched_near_leftover_print_alone() -> None:
    ends = lines_on_a_table(noise=25)
    near = (np.abs(ends - (90, 160)) < (45, 55)).all(axis=1)
    assert near.any()
    beside = ~near & (ends[:, 0] < 410)
    assert beside.sum() < 3


def test_without_noise_a_picture_is_searched_as_it_is() -> None:
    ends = lines_on_a_table(noise=2)
    assert (np.abs(ends[:, 0] - 431) < 4).any()
    assert (np.abs(ends[:, 0] - 60) < 3).any()
