"""Which cells of a card the cards above it cover."""

import numpy as np
import pytest

from vision.reading.deciding import cell_middles
from vision.reading.identifying import COVER, cover_of, visible_cells
from vision.reading.views import Pose
from vision.table.plane import inverse, map_points

SHAPE, PICTURE = (22, 16), (2000, 2000)


def a_pose(rng: np.random.Generator) -> Pose:
    """Lay a card somewhere, at any angle, in some perspective."""
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    x, y = rng.uniform(900, 1100, 2)
    slant, lean = rng.uniform(-0.2, 0.2, 2)
    return np.array([(c, -s, x), (s, c, y), (0, 0, 1)]) @ np.array([
        (126 * rng.uniform(0.8, 1.2), rng.uniform(-9, 9), 0), (0, 176, 0), (slant, lean, 1),
    ])  # fmt: skip


@pytest.mark.parametrize("seed", range(60))
def test_a_cell_is_hidden_where_its_middle_lies_under_a_card_or_its_shadow(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pose, above = a_pose(rng), [a_pose(rng) for _card in range(int(rng.integers(1, 4)))]
    spots = map_points(pose, cell_middles(SHAPE))
    there = [np.abs(map_points(inverse(each), spots)).max(axis=1) for each in above]
    wanted = np.min(there, axis=0) >= 0.5 + COVER
    assert wanted.any()
    assert (visible_cells(pose, SHAPE, PICTURE, [cover_of(each) for each in above]) == wanted).all()


def test_an_upright_card_covers_whole_columns_and_rows() -> None:
    low = np.array([(126, 0, 500), (0, 176, 500), (0, 0, 1.0)])
    beside = low @ np.array([(1, 0, 0.5), (0, 1, 0), (0, 0, 1.0)])
    seen = visible_cells(low, (10, 10), PICTURE, [cover_of(beside)]).reshape(10, 10)
    assert seen[:, :5].sum() + seen[:, 4].size >= 50
    assert not seen[:, 5:].any()
    assert seen[:, :4].all()
    assert visible_cells(low, (10, 10), PICTURE, []).all()
