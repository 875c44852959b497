"""Look at several cards in one call: a glance settles whole cards that lie clearly, and most of it is the call.

What isn't settled so is looked at by itself, by `compare_card`, as if nobody had looked at it before.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.reading.deciding import THIRDS, Indices, Likeness, is_glared_on, labs_of, plain_likenesses
from vision.reading.glancing import CLOSE, is_clear_at_a_glance
from vision.reading.identifying import (
    ENOUGH_TO_ALIGN,
    STILL,
    Target,
    correlations,
    distance_moved,
    moved_by,
    patches_of,
    share_of_near,
    step_towards,
    target_of,
)
from vision.reading.templates import Floats, Templates, white_of
from vision.reading.views import Picture, Pose
from vision.table.plane import Reals

FREEDOM = 4


def glance_at_all(
    levels: Sequence[Picture], poses: Sequence[Pose], rows: Sequence[int], deck: Templates
) -> list[Likeness | None]:
    """Align whole cards with the rows they resemble, and name those that are clear; None for the others."""
    grid = deck.coarse
    poses = _align_all(levels, poses, [target_of(deck, grid, row, FREEDOM) for row in rows], deck)
    shown = patches_of(levels, poses, grid.shape)
    flat = _balanced(shown)
    whole = np.broadcast_to(grid.inside, (len(poses), len(grid.inside)))
    fits = correlations(grid, labs_of(flat).transpose(1, 0, 2), whole)
    orders = np.argsort(-fits, axis=1, kind="stable")
    close = [
        i
        for i, order in enumerate(orders)
        if fits[i, order[0]] >= CLOSE and not is_glared_on(shown[i], grid.inside)
    ]
    return _clear_among(close, flat, poses, deck, orders)


def _clear_among(
    close: Sequence[int], flat: Floats, poses: Sequence[Pose], deck: Templates, orders: Indices
) -> list[Likeness | None]:
    cards: list[Likeness | None] = [None] * len(poses)
    if close:
        some = [poses[i] for i in close]
        for i, card in zip(
            close, plain_likenesses(flat[close], some, deck, deck.coarse, list(orders[close])), strict=True
        ):
            if card is not None and is_clear_at_a_glance(card, deck):
                cards[i] = card
    return cards


def _balanced(shown: Floats) -> Floats:
    """Lay patches (n, rows, columns, channels) out as channels by cells, each one's brightest tenth white."""
    channels = np.ascontiguousarray(shown.reshape(len(shown), -1, 3).transpose(0, 2, 1))
    channels /= white_of(channels)
    return channels


def _align_all(
    levels: Sequence[Picture], poses: Sequence[Pose], targets: Sequence[Target], deck: Templates
) -> list[Pose]:
    """Align each card with its row by one step, and by another where that moved it."""
    first, moved = _step_all(levels, poses, targets, deck, np.zeros((len(poses), FREEDOM)))
    aligned = list(first)
    again = [i for i, pose in enumerate(poses) if distance_moved(pose, first[i]) >= STILL]
    if again:
        second, _moved = _step_all(
            levels, [first[i] for i in again], [targets[i] for i in again], deck, moved[again]
        )
        for i, pose in zip(again, second, strict=True):
            aligned[i] = pose
    return aligned


def _step_all(
    levels: Sequence[Picture], poses: Sequence[Pose], targets: Sequence[Target], deck: Templates, moved: Reals
) -> tuple[list[Pose], Reals]:
    """Take one alignment step with each card; give all that each was moved by now."""
    shape = deck.coarse.shape
    shown = patches_of(levels, poses, shape, ENOUGH_TO_ALIGN)
    grey = np.asarray(cv2.transform(shown.reshape(-1, 1, 3), THIRDS), np.float32).reshape(len(poses), -1)
    off = grey / white_of(grey) - np.stack([target.grey for target in targets])
    columns = np.stack([target.columns for target in targets])
    near = np.array([share_of_near(pose, shape) for pose in poses])
    changes = step_towards(off, columns, deck.coarse.inside, moved, near)
    after = [moved_by(pose, change, deck.size) for pose, change in zip(poses, changes, strict=True)]
    return after, moved + changes
