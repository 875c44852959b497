"""Look at each place once: of nearly equal poses the first is kept."""

from collections.abc import Sequence

import numpy as np

from vision.reading.deciding import Indices
from vision.reading.identifying import map_points_by_all
from vision.reading.templates import Floats
from vision.reading.views import CORNERS, Pose

MOST = 2500
"""The most places that are kept."""


def distinct_poses(poses: Sequence[Pose]) -> list[Pose]:
    """Keep one of each group of nearly equal places."""
    return [poses[i] for i in first_of_each(poses)]


def first_of_each(poses: Sequence[Pose]) -> list[int]:
    """Number the first of each group of nearly equal places."""
    if not poses:
        return []
    corners = map_points_by_all(np.stack(poses), CORNERS)
    near = 0.02 * np.hypot(*(corners[:, 0] - corners[:, 2]).T)
    kept: list[int] = []
    for start in range(0, len(poses), TOGETHER):
        some = np.arange(start, min(start + TOGETHER, len(poses)))
        alike = _nearly_equal(corners, near, some, np.concatenate((np.array(kept, np.intp), some)))
        for i in some.tolist():
            if alike[i].isdisjoint(kept):
                kept.append(i)
                if len(kept) == MOST:
                    return kept
    return kept


TOGETHER = 64
"""How many places are compared with those before them at once."""


def _nearly_equal(corners: Floats, near: Floats, some: Indices, others: Indices) -> dict[int, set[int]]:
    """List for each of some places which others are nearly equal, itself among them."""
    middles = corners.mean(axis=1)
    apart = np.abs(middles[some][:, None] - middles[others]).max(axis=2)
    first, second = np.nonzero(apart < 2 * near[some, None])
    i, j = some[first], others[second]
    is_near = _corner_distances(corners[i], corners[j]) < near[i]
    alike: dict[int, set[int]] = {each: set() for each in some.tolist()}
    for one, other in zip(i[is_near].tolist(), j[is_near].tolist(), strict=True):
        alike[one].add(other)
    return alike


def _corner_distances(ones: Floats, others: Floats) -> Floats:
    """Measure the largest distances between quads' corners and those of others, pair by pair, either way up."""
    as_it_is, turned = (
        np.abs(others - np.roll(ones, turn, axis=1)).max(axis=(1, 2), initial=0) for turn in (0, 2)
    )
    return np.asarray(np.minimum(as_it_is, turned))
