"""Look at each place once: of nearly equal poses the first is kept."""

from collections.abc import Sequence

import numpy as np

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
    middles = corners.mean(axis=1)
    kept = np.zeros(min(len(poses), MOST), np.intp)
    count = 0
    for i, four in enumerate(corners):
        beside = kept[:count][np.abs(middles[kept[:count]] - middles[i]).max(axis=1) < 2 * near[i]]
        if not len(beside) or _corner_distances(four, corners[beside]).min() >= near[i]:
            kept[count] = i
            count += 1
            if count == len(kept):
                break
    return list(map(int, kept[:count]))


def _corner_distances(one: Floats, others: Floats) -> Floats:
    """Measure the largest distance between a quad's corners and those of others, either way up."""
    as_it_is, turned = (np.abs(others - np.roll(one, turn, axis=0)).max(axis=(1, 2)) for turn in (0, 2))
    return np.asarray(np.minimum(as_it_is, turned))
