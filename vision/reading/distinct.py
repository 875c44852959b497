"""Look at each place once: of nearly equal poses the first is kept."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.reading.deciding import Indices
from vision.reading.identifying import map_points_by_all
from vision.reading.templates import Floats
from vision.reading.views import CORNERS, Pose

Pairs: TypeAlias = tuple[Indices, Indices]

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

    def nearly_equal(some: Indices, others: Indices) -> Pairs:
        i, j = pairs_near(middles, some, others, 2 * near[some])
        is_near = _corner_distances(corners[i], corners[j]) < near[i]
        return i[is_near], j[is_near]

    return keep_distinct(len(poses), MOST, nearly_equal)


def keep_distinct(count: int, most: int, alike: Callable[[Indices, Indices], Pairs]) -> list[int]:
    """Keep the first of each group of things, so many at most; `alike` pairs some with others like them."""
    kept: list[int] = []
    for start in range(0, count, TOGETHER):
        some = np.arange(start, min(start + TOGETHER, count))
        like = defaultdict[int, set[int]](set)
        ones, others = alike(some, np.concatenate((np.array(kept, np.intp), some)))
        for one, other in zip(ones.tolist(), others.tolist(), strict=True):
            like[one].add(other)
        for i in some.tolist():
            if like[i].isdisjoint(kept):
                kept.append(i)
                if len(kept) == most:
                    return kept
    return kept


TOGETHER = 64
"""How many things are compared with those before them at once."""


def pairs_near(
    places: NDArray[np.floating[Any]], some: Indices, others: Indices, reach: float | Floats
) -> Pairs:
    """Pair some places with others that are nearer than so much along every axis."""
    # axis by axis: numpy is slow along a last axis of two or three
    here, there, far = places[some].T, places[others].T, np.reshape(reach, (-1, 1))
    near = np.logical_and.reduce(
        [np.abs(one[:, None] - other) < far for one, other in zip(here, there, strict=True)]
    )
    first, second = np.nonzero(near)
    return some[first], others[second]


def _corner_distances(ones: Floats, others: Floats) -> Floats:
    """Measure the largest distances between quads' corners and those of others, pair by pair, either way up."""
    as_it_is, turned = (
        np.abs(others - np.roll(ones, turn, axis=1)).max(axis=(1, 2), initial=0) for turn in (0, 2)
    )
    return np.asarray(np.minimum(as_it_is, turned))
