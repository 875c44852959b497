"""Identify covered cards with inaccurate positions by aligning the likeliest ones with similar rows.

An identified card covers the cards below it. A back with little visible has no name, but its position is
certain, so it covers cards too. That way a search can continue down a fan.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from vision.reading.deciding import Likeness
from vision.reading.explaining import (
    Pool,
    cover_places,
    enough_seen,
    explain_heap,
    hide_places,
    is_certain,
    pool_of,
    poses_of,
)
from vision.reading.identifying import columns_of, cover_of, labs_at, map_points_by_all, moved_by, resemblances
from vision.reading.looking import Seeing
from vision.reading.own_light import Indices
from vision.reading.templates import Floats, Templates
from vision.reading.views import CORNERS, Picture, Pose, outline_of
from vision.table.plane import Reals, inverse

# all at once


def move_onto_rows(
    levels: Sequence[Picture], poses: Sequence[Pose], weights: Floats, deck: Templates, rows: Indices
) -> list[Pose]:
    """Shift, turn and scale each position to match its row, by the brightness of its weighted cells."""
    grid, moved = deck.rough, list(poses)
    there = grid.lab[rows][:, : weights.shape[1]]
    columns = np.stack([_columns_of_row(deck, row) for row in rows.tolist()])
    for _step in range(STEPS):
        shown = labs_at(levels, moved, grid.shape)[0]
        changes = _changes(columns, shown, there, weights)
        moved = [moved_by(pose, change, deck.size) for pose, change in zip(moved, changes, strict=True)]
    return moved


def _columns_of_row(deck: Templates, row: int) -> Floats:
    kept, grid = _COLUMNS.setdefault(deck, {}), deck.rough
    if row not in kept:
        bright = grid.lab[row, : len(grid.inside)].reshape(grid.shape)
        kept[row] = columns_of(bright, deck.size, FREEDOM)
    return kept[row]


_COLUMNS: WeakKeyDictionary[Templates, dict[int, Floats]] = WeakKeyDictionary()
"""Cached columns: ten kilobytes a row."""
STEPS = 2  # more steps would follow the moiré of fine print instead of the card
FREEDOM = 4
FARTHEST = 0.05  # largest move in one step, as a share of the card


def _changes(columns: Floats, shown: Floats, there: Floats, weights: Floats) -> Reals:
    """Solve for each position's motion and light."""
    off = shown - there
    weighted = columns * (weights / (1 + np.square(off / 0.15)))[:, None]
    squares = weighted @ columns.transpose(0, 2, 1) + np.eye(columns.shape[1], dtype=np.float32) * 1e-3
    solved = np.linalg.solve(squares.astype(np.float64), (weighted @ off[..., None]).astype(np.float64))
    return np.asarray(np.clip(solved[:, :FREEDOM, 0], -FARTHEST, FARTHEST))


# positions of covered cards

MOVED, ROWS = 60, 2  # most positions aligned at a time, and rows tried for each
HOPEFUL = 0.35  # smallest resemblance to a row for an alignment
FANNED = 0.6  # largest distance between the centres of neighbours in a fan, in card widths
MOST = 16  # most cards identified by this search


def explain_moved_places(
    seeing: Seeing, pool: Pool, above: Sequence[Pose]
) -> tuple[tuple[Likeness, ...], tuple[Likeness, ...]]:
    """Identify cards under other cards, from the top down; also return cards known by position only."""
    named, placed, newest = list[Likeness](), list[Likeness](), tuple(above)
    seen = hide_places(pool, above)
    # fully visible cards have outlines; one without a match may be another deck's
    changed: Indices = np.flatnonzero((seen != pool.seen).any(axis=1))
    while newest and len(named) + len(placed) < MOST:
        covers = (*above, *poses_of((*named, *placed)))
        near = pool_of(
            seeing, [*_move_places(seeing, pool, seen, changed), *_propose_next_in_fan(covers, newest)]
        )
        more, resting = explain_heap(seeing, near, covers, moved=True)
        named += (found := [each for each in more if is_certain(seeing, each)])
        placed += resting
        newest = poses_of((*found, *resting))
        changed = cover_places(pool, seen, [cover_of(pose) for pose in newest])
    return tuple(named), tuple(placed)


def _propose_next_in_fan(covers: Sequence[Pose], newest: Sequence[Pose]) -> list[Pose]:
    """Propose the next card of a fan, offset from the last one like that one from the card above it."""
    return [
        under @ inverse(over) @ under
        for under in newest
        for over in covers
        if over is not under and _overlap(over, under)
    ]


def _overlap(one: Pose, other: Pose) -> bool:
    corners, others = np.array(outline_of(one)), np.array(outline_of(other))
    apart = np.hypot(*(corners.mean(axis=0) - others.mean(axis=0)))
    return bool(apart < FANNED * np.hypot(*(corners[0] - corners[1])))


def _move_places(seeing: Seeing, pool: Pool, seen: Floats, places: Indices) -> list[Pose]:
    """Align the likeliest of some positions with the rows they resemble; return distinct poses."""
    grid = seeing.deck.rough
    some = places[enough_seen(seeing.deck, seen[places])]
    if not len(some):
        return []
    fits = resemblances(grid, pool.labs[:, some], seen[some])
    best = np.argsort(-fits.max(axis=1), kind="stable")[:MOVED]
    best = np.repeat(best[fits[best].max(axis=1) > HOPEFUL], ROWS)
    if not len(best):
        return []
    rows = np.argsort(-fits[best[::ROWS]], axis=1, kind="stable")[:, :ROWS].ravel()
    near = [pool.poses[i] for i in some[best]]
    return distinct_poses(move_onto_rows(seeing.levels, near, seen[some[best]], seeing.deck, rows))


# distinct positions: the first of nearly equal poses is used

Pairs: TypeAlias = tuple[Indices, Indices]

MOST_PLACES = 2500  # most distinct positions returned


def distinct_poses(poses: Sequence[Pose]) -> list[Pose]:
    return [poses[i] for i in first_of_each(poses)]


def first_of_each(poses: Sequence[Pose]) -> list[int]:
    if not poses:
        return []
    corners = map_points_by_all(np.stack(poses), CORNERS)
    near = 0.02 * np.hypot(*(corners[:, 0] - corners[:, 2]).T)
    middles = corners.mean(axis=1)

    def nearly_equal(some: Indices, others: Indices) -> Pairs:
        i, j = pairs_near(middles, some, others, 2 * near[some])
        is_near = _corner_distances(corners[i], corners[j]) < near[i]
        return i[is_near], j[is_near]

    return keep_distinct(len(poses), MOST_PLACES, nearly_equal)


def keep_distinct(count: int, most: int, alike: Callable[[Indices, Indices], Pairs]) -> list[int]:
    """Return the indices of distinct items, `most` at most; `alike` pairs some items with similar ones."""
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


TOGETHER = 64  # items compared at once with those before them


def pairs_near(
    places: NDArray[np.floating[Any]], some: Indices, others: Indices, reach: float | Floats
) -> Pairs:
    """Pair each of some positions with others closer than `reach` along every axis."""
    # axis by axis: numpy is slow along a last axis of two or three
    here, there, far = places[some].T, places[others].T, np.reshape(reach, (-1, 1))
    near = np.logical_and.reduce(
        [np.abs(one[:, None] - other) < far for one, other in zip(here, there, strict=True)]
    )
    first, second = np.nonzero(near)
    return some[first], others[second]


def _corner_distances(ones: Floats, others: Floats) -> Floats:
    """Return the largest corner distance of each pair of quads, whichever way up."""
    unturned, turned = (
        np.abs(others - np.roll(ones, turn, axis=1)).max(axis=(1, 2), initial=0) for turn in (0, 2)
    )
    return np.asarray(np.minimum(unturned, turned))
