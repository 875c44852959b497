"""The view from above, by the formula of its plane."""

import cv2
import numpy as np
import pytest

from vision.reading.surroundings import Surroundings, surroundings
from vision.reading.views import Picture, pyramid, rectify_part, to_level, view_of
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


def table_with_a_card(noise: float, seed: int) -> Picture:
    """Photograph a dark table with one light card, in bad light or in good."""
    picture = np.full((2 * HIGH, 2 * WIDE, 3), 60.0)
    picture[200:376, 300:426] = 190
    return np.clip(picture + np.random.default_rng(seed).normal(0, noise, picture.shape), 0, 255).astype(
        np.uint8
    )


@pytest.mark.parametrize("noise", [0.0, 8.0, 25.0, 40.0])
def test_noise_is_no_edge_of_anything_and_a_card_stands_out_from_it(noise: float) -> None:
    plane, bare = np.diag([2.0, 2.0, 1.0]), np.full((2 * HIGH, 2 * WIDE, 3), 60, np.uint8)
    view = view_of(pyramid(table_with_a_card(noise, 1)), (63, 88), surroundings(plane, (), bare))
    corners = map_points(inverse(view.back), np.array([(300.0, 200.0), (426.0, 376.0)]))
    (left, top), (right, low) = corners.round().astype(int).tolist()
    assert view.solid[top + 3 : low - 3, left + 3 : right - 3].all()
    away = view.solid.copy()
    away[top - 8 : low + 8, left - 8 : right + 8] = 0
    assert np.count_nonzero(away) < 0.002 * away.size
    assert np.count_nonzero(view.edges) < 0.03 * away.size


@pytest.mark.parametrize("noise", [0.0, 8.0, 16.0, 25.0])
def test_lines_of_the_table_are_no_edges_of_anything_in_bad_light_either(noise: float) -> None:
    bare = np.full((2 * HIGH, 2 * WIDE, 3), 50, np.uint8)
    for inset in (20, 32, 60, 100):
        cv2.rectangle(bare, (inset, inset), (2 * WIDE - inset, 2 * HIGH - inset), (80, 95, 110), 3)
    unclear = np.random.default_rng(2).normal(0, noise, bare.shape)
    seen = np.clip(bare + unclear, 0, 255).astype(np.uint8)
    view = view_of(pyramid(seen), (63, 88), surroundings(np.diag([2.0, 2.0, 1.0]), (), bare))
    assert np.count_nonzero(view.edges) < 0.01 * view.edges.size


def test_a_faint_card_on_a_quiet_table_has_edges() -> None:
    plane, bare = np.diag([2.0, 2.0, 1.0]), np.full((2 * HIGH, 2 * WIDE, 3), 200, np.uint8)
    picture = bare.copy()
    picture[200:376, 300:426] = 216
    view = view_of(pyramid(picture), (63, 88), surroundings(plane, (), bare))
    (x, y), *_others = map_points(inverse(view.back), np.array([(363.0, 288.0)])).round().astype(int).tolist()
    assert view.solid[y, x]


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
