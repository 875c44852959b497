"""Of nearly equal places the first is kept, as if each were compared with all those kept before it."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest

from vision.reading.distinct import TOGETHER, first_of_each, keep_distinct, pairs_near
from vision.reading.views import CORNERS, Pose
from vision.table.plane import map_points


def places(seed: int, count: int) -> list[Pose]:
    """Lay cards in groups, some of them turned round."""
    rng = np.random.default_rng(seed)
    middles = rng.uniform(0, 400, (count // 6 + 1, 2))
    return [
        np.array([(63, 0, x), (0, 88, y), (0, 0, 1)]) @ np.diag((turn, turn, 1))
        for x, y in middles[rng.integers(0, len(middles), count)] + rng.normal(0, 1.5, (count, 2))
        for turn in (int(rng.choice((-1, 1))),)
    ]


def kept_one_by_one(poses: Sequence[Pose]) -> list[int]:
    """Compare each place with all those kept before it."""
    kept: list[int] = []
    four = [map_points(pose, CORNERS).astype(np.float32) for pose in poses]
    for i, own in enumerate(four):
        near = 0.02 * float(np.hypot(*(own[0] - own[2])))
        ways = (own, np.roll(own, 2, axis=0))
        if all(np.abs(four[k] - way).max() >= near for k in kept for way in ways):
            kept.append(i)
    return kept


@pytest.mark.parametrize("count", [0, 1, TOGETHER, TOGETHER + 1, 5 * TOGETHER])
@pytest.mark.parametrize("seed", range(5))
def test_the_first_of_each_group_of_places_is_kept(seed: int, count: int) -> None:
    poses = places(seed, count)
    assert first_of_each(poses) == kept_one_by_one(poses)


def test_no_more_are_kept_than_asked_for() -> None:
    spots = np.arange(300, dtype=np.float64)[:, None]
    near = partial(pairs_near, spots, reach=1.5)
    assert keep_distinct(300, 20, near) == list(range(0, 40, 2))
    assert keep_distinct(300, 1000, near) == list(range(0, 300, 2))
