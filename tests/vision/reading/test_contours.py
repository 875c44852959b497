"""The view from above and what stands out in it: contours, corners and sides that cards may have."""

from itertools import permutations

import cv2
import numpy as np
import pytest

from vision.reading.corners import EdgeLines, _join_boxes, _meetings, lines_in, mask_left_over
from vision.reading.outlines import (
    _poses_of_quad,
)
from vision.reading.sides import _corner, _straight_sides, quads_by_side
from vision.reading.surroundings import Surroundings, surroundings
from vision.reading.views import (
    Picture,
    PictureView,
    grey_of,
    outline_of,
    pyramid,
    rectify_part,
    to_level,
    view_of,
)
from vision.table.plane import Reals, inverse, map_points

WIDE, HIGH = 400, 300
DOUBLE = np.diag([2.0, 2.0, 1.0])


def spin_by(turn: float) -> Reals:
    return np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])


def flat_view(picture: Picture, size: tuple[float, float] | None) -> PictureView:
    """View a picture as it is."""
    grey = grey_of(picture) if picture.ndim == 3 else picture
    return PictureView(picture, grey, np.eye(3), size, grey, grey)


NOTHING = np.zeros((400, 400), np.uint8)

# the view


@pytest.mark.parametrize(
    ("across", "down", "is_filled"), [(60, 84, True), (84, 60, True), (80, 90, False), (110, 62, False)]
)
def test_what_edges_enclose_is_filled_up_to_the_size_of_a_card(across: int, down: int, is_filled: bool) -> None:
    """Two pixels are a millimetre; a tenth more than 63 by 88 is still taken for a card."""
    picture = np.full((2 * HIGH, 2 * WIDE, 3), 60, np.uint8)
    left, top = 150, 150
    cv2.rectangle(picture, (left, top), (left + 2 * across, top + 2 * down), (220, 220, 220), 3)
    view = view_of(pyramid(picture), (63, 88), Surroundings(DOUBLE))
    (x, y) = map_points(inverse(view.back), np.array([(left + across, top + down)], np.float64))[0]
    assert bool(view.solid[round(y), round(x)]) == is_filled


def table_with_a_card(noise: float, seed: int) -> Picture:
    """Photograph a dark table with one light card, in bad light or in good."""
    picture = np.full((2 * HIGH, 2 * WIDE, 3), 60.0)
    picture[200:376, 300:426] = 190
    return np.clip(picture + np.random.default_rng(seed).normal(0, noise, picture.shape), 0, 255).astype(
        np.uint8
    )


@pytest.mark.parametrize("noise", [0.0, 40.0])
def test_noise_is_no_edge_of_anything_and_a_card_stands_out_from_it(noise: float) -> None:
    plane, bare = DOUBLE, np.full((2 * HIGH, 2 * WIDE, 3), 60, np.uint8)
    view = view_of(pyramid(table_with_a_card(noise, 1)), (63, 88), surroundings(plane, (), bare))
    corners = map_points(inverse(view.back), np.array([(300.0, 200.0), (426.0, 376.0)]))
    (left, top), (right, low) = corners.round().astype(int).tolist()
    assert view.solid[top + 3 : low - 3, left + 3 : right - 3].all()
    away = view.solid.copy()
    away[top - 8 : low + 8, left - 8 : right + 8] = 0
    assert np.count_nonzero(away) < 0.002 * away.size
    assert np.count_nonzero(view.edges) < 0.03 * away.size


BACKS = {
    "inside": ((1.3, 0.1, 90), (-0.1, 1.2, 80), (0, 0, 1)),
    "in perspective": ((1.4, 0.2, 60), (0.1, 1.5, 40), (2e-4, 6e-4, 1)),
    "beyond the edges": ((3.0, 0.4, -70), (-0.3, 3.1, -90), (0, 0, 1)),
    "quite outside": ((1.0, 0, 900), (0, 1.0, -700), (0, 0, 1)),
    "over the horizon": ((1.4, 0.2, 60), (0.1, 1.5, 40), (0, -8e-3, 1)),
    "finer than the picture": ((0.3, 0.05, 200), (-0.05, 0.3, 120), (0, 0, 1)),
}


@pytest.mark.parametrize("where", BACKS)
def test_a_part_is_rectified_as_in_the_whole_picture(where: str) -> None:
    noise = np.random.default_rng(3).integers(0, 255, (2 * HIGH, 2 * WIDE, 3))
    picture = cv2.GaussianBlur(noise.astype(np.uint8), (0, 0), 3)
    back, shape, levels = np.array(BACKS[where], np.float64), (210, 160), pyramid(picture)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    each = [
        cv2.warpPerspective(level, to_level(i) @ back, shape, flags=how, borderMode=cv2.BORDER_REPLICATE)
        for i, level in enumerate(levels)
    ]
    off = [np.abs(rectify_part(levels, back, shape).astype(int) - whole).max() for whole in each]
    assert min(off) <= 2


# contours


def poses_of(quad: list[tuple[float, float]], size: tuple[float, float]) -> list[np.ndarray]:
    """Lay a card on four corners, and give its outlines."""
    view = flat_view(NOTHING, size)
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


# corners


LEFT, MIDDLE, RIGHT = (0, 40, 30, 90), (20, 10, 60, 50), (50, 30, 100, 70)
AWAY = (10, 200, 40, 230)


def test_boxes_that_overlap_in_a_chain_are_joined_in_any_order() -> None:
    for boxes in permutations((LEFT, MIDDLE, RIGHT, AWAY)):
        assert sorted(_join_boxes(list(boxes))) == [(0, 10, 100, 90), AWAY]


def test_lines_are_found_in_their_part_alone_and_where_they_are() -> None:
    picture = np.full((300, 400, 3), 60, np.uint8)
    picture[120:200, 150:260] = 220
    picture[220:290, 150:260] = 220
    view = flat_view(picture, (63.0, 88.0))
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
    view = flat_view(solid, (63.0, 88.0))
    card = ((100.0, 80.0), (226.0, 80.0), (226.0, 256.0), (100.0, 256.0))
    rest = mask_left_over(view, [card], (63.0, 88.0))
    middle, half = np.array((163, 168)), np.array((63, 88))
    for way in np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (0, 1), (1, 0), (0, 0)]):
        within, beyond = ((middle + way * half * much).astype(int) for much in (1.04, 1.12))
        assert rest[within[1], within[0]] == 0
        assert not way.any() or rest[beyond[1], beyond[0]] == 255
    assert rest[30, 30] == 255
    assert not rest[:, 320:].any()


@pytest.mark.parametrize("turn", [0.0, 1.9])
@pytest.mark.parametrize(("first", "second"), [(88.0, 63.0), (63.0, 88.0)])
@pytest.mark.parametrize("hand", [1, -1])
def test_two_edges_that_are_square_make_a_corner_that_looks_into_the_card(
    turn: float, first: float, second: float, hand: int
) -> None:
    """The edges end a little before the corner, as where a card is rounded."""
    along, across = spin_by(turn) * np.array([[1], [hand]])
    corner = np.array((200.0, 150.0))
    starts = np.stack((corner + 3 * along, corner + 3 * across))
    lines = EdgeLines(starts, np.stack((corner + first * along, corner + second * across)))
    (where,), (way,) = _meetings(lines, 1.0)
    assert where == pytest.approx(corner)
    assert way[:2] == pytest.approx(along)
    assert way[2] == hand
    apart = EdgeLines(starts + np.stack((8 * along, 0 * across)), lines.ends)
    assert len(_meetings(apart, 1.0)[0]) == 0


# sides

START, END = np.array((0.0, 0.0)), np.array((126.0, 0.0))


def stepped(step: int) -> Reals:
    """Outline a square of 100 with a step of so many pixels in its lower side, half-way along."""
    return np.array([(0, 0), (100, 0), (100, 100), (50, 100), (50, 100 - step), (0, 100 - step)], np.float64)


@pytest.mark.parametrize(("step", "sides"), [(11, 5), (12, 6)])
def test_a_side_counts_from_twelve_hundredths_of_the_root_of_the_area(step: int, sides: int) -> None:
    assert len(_straight_sides(stepped(step), 100.0**2)) == sides


@pytest.mark.parametrize("turn", [0.0, 2.0])
@pytest.mark.parametrize(("gap", "is_corner"), [(0.0, True), (17.0, True), (19.0, False)])
def test_two_sides_meet_where_their_lines_cross_if_that_is_near_both(
    turn: float, gap: float, is_corner: bool
) -> None:
    """Near is within three tenths of the shorter one, which is 60 here."""
    spin = spin_by(turn)
    one = np.array([(-80.0 - gap, 5.0), (-gap, 5.0)]) @ spin + (30, 10)
    following = np.array([(0.0, 5.0 + gap), (0.0, 65.0 + gap)]) @ spin + (30, 10)
    found = _corner(one, following)
    assert (found is not None) == is_corner
    if is_corner:
        assert found == pytest.approx(np.array((0.0, 5.0)) @ spin + (30, 10))


@pytest.mark.parametrize("turn", [0.0, 0.3, 1.2])
def test_a_card_is_laid_along_each_side_of_its_own_outline(turn: float) -> None:
    spin = spin_by(turn)
    card = np.array([(-63, -88), (63, -88), (63, 88), (-63, 88)]) @ spin + (200, 200)
    view = flat_view(NOTHING, (126.0, 176.0))
    contour = card.round().astype(np.int32)[:, None]
    laid = list(quads_by_side(contour, view, (126.0, 176.0), 1))
    fits = [quad for quad in laid if np.abs(quad[:, None] - card).max(axis=2).min(axis=1).max() < 3]
    assert len(fits) >= 4
