"""Look at a place: align what lies there with a face by coarse cells; if that promises a name, compare it.

Most places of covered cards promise none: several are glimpsed at in one call, which is most of a glimpse.
"""

from collections.abc import Sequence
from math import dist

import cv2
import numpy as np
from msgspec import Struct

from vision.reading.deciding import Likeness, balanced, likeness
from vision.reading.identifying import (
    CLOSE,
    ENOUGH_TO_ALIGN,
    WHOLE,
    Cover,
    Target,
    align_once,
    correlations,
    is_clear_at_a_glance,
    labs_at,
    moved_by,
    patch_of,
    patches_of,
    resemblances,
    share_of_near,
    step_towards,
    target_of,
    visible_cells,
)
from vision.reading.own_light import THIRDS
from vision.reading.templates import Floats, TemplateGrid, Templates, lab_of, white_of
from vision.reading.views import CORNER_SPOTS, Picture, Pose, map_each
from vision.table.plane import Reals

# one by one


def compare_card(
    levels: Sequence[Picture],
    pose: Pose,
    row: int,
    deck: Templates,
    above: Sequence[Cover] = (),
    plane: bool = False,
) -> Likeness | None:
    """Align a card with the row it resembles and compare it with the deck; None if it clearly isn't a card."""
    picture = levels[0].shape[0], levels[0].shape[1]
    seen = _seen_cells(pose, deck.coarse, picture, above)
    visible = float(seen.sum() / deck.coarse.inside.sum())
    if visible < LEAST_SEEN:
        return None
    free = _freedom(visible)
    if plane:
        pose = _align_card(levels, pose, target_of(deck, deck.coarse, row, free), seen, deck.size, 2)
        seen = _seen_cells(pose, deck.coarse, picture, above)
        if (card := _glance_at(levels, pose, deck, seen)) is not None:
            return card
        fits = _fits_at(levels, [pose], deck, seen)[0]
    else:
        pose, fits = _align_with_likeliest(levels, pose, row, deck, seen, free)
    return compare_finely(levels, Glimpse(pose, fits, seen, visible), deck, above, plane=plane)


class Glimpse(Struct, frozen=True, eq=False):
    """What the coarse cells tell of a card, aligned with the row that it resembled."""

    pose: Pose
    fits: Floats  # how well it correlates with each row
    seen: Floats
    visible: float

    @property
    def promise(self) -> float:
        """Say how likely a face is told here; 0 is not worth a closer look."""
        fit = float(self.fits.max())
        return fit * self.visible**0.25 if fit >= (NO_CARD if self.visible > PART else NO_PART) else 0.0


def compare_finely(
    levels: Sequence[Picture], glimpse: Glimpse, deck: Templates, above: Sequence[Cover], *, plane: bool
) -> Likeness | None:
    """Align a card exactly, and compare it with the deck; None if it clearly isn't a card."""
    if not glimpse.promise:
        return None
    picture, pose, visible = (levels[0].shape[0], levels[0].shape[1]), glimpse.pose, glimpse.visible
    order = np.argsort(-glimpse.fits, kind="stable")
    best, seen = int(order[0]), _seen_cells(pose, deck.fine, picture, above)
    target = target_of(deck, deck.fine, best, 3 if visible < 0.35 else 6 if plane or visible < 0.8 else 8)
    after = _align_card(levels, pose, target, seen, deck.size, 1 if plane else STEPS)
    fits = glimpse.fits[best]
    if not plane and _fits_at(levels, [after], deck, glimpse.seen)[0, best] < fits - WORSE:
        after = _align_less_freely(levels, glimpse, best, deck, seen)
    seen = _seen_cells(after, deck.fine, picture, above)
    if not seen.any():
        return None
    return likeness(patch_of(levels, after, deck.fine.shape), after, deck, deck.fine, order, seen)


def _freedom(visible: float) -> int:
    return 3 if visible < 0.5 else 4


def _fits_at(levels: Sequence[Picture], poses: Sequence[Pose], deck: Templates, seen: Floats) -> Floats:
    cells = np.broadcast_to(seen, (len(poses), len(seen)))
    return resemblances(deck.coarse, labs_at(levels, poses, deck.coarse.shape), cells)


def _align_with_likeliest(
    levels: Sequence[Picture], start: Pose, row: int, deck: Templates, seen: Floats, freedom: int
) -> tuple[Pose, Floats]:
    """Align a card with a row, and with those that then seem likelier; keep what resembles a row most.

    Alignment with another face's row may lead away from the card: each begins where the outline lies.
    """
    poses, tried = [start], set[int]()
    while True:
        tried.add(row)
        target = target_of(deck, deck.coarse, row, freedom)
        poses.append(_align_card(levels, start, target, seen, deck.size, STEPS))
        fits = _fits_at(levels, poses, deck, seen)
        row = int(fits.max(axis=0).argmax())
        if row in tried:
            best = int(fits.max(axis=1).argmax())
            return poses[best], fits[best]


def _align_less_freely(
    levels: Sequence[Picture], glimpse: Glimpse, row: int, deck: Templates, seen: Floats
) -> Pose:
    """Align a card that followed one of its signs away; it stays where that finds nothing better."""
    after = _align_card(levels, glimpse.pose, target_of(deck, deck.fine, row, 4), seen, deck.size, STEPS)
    then = _fits_at(levels, [after], deck, glimpse.seen)[0, row]
    return after if then > glimpse.fits[row] - WORSE else glimpse.pose


WORSE = 0.02  # how much less an aligned card may resemble its face than it did before


def _glance_at(levels: Sequence[Picture], pose: Pose, deck: Templates, seen: Floats) -> Likeness | None:
    """Compare a whole card by coarse cells; None if that doesn't settle its name."""
    if deck.certainty.at_a_glance is None or seen.sum() < WHOLE * deck.coarse.inside.sum():
        return None
    shown = patch_of(levels, pose, deck.coarse.shape)
    fits = correlations(deck.coarse, lab_of(balanced(shown))[:, None], seen[None])[0]
    order = np.argsort(-fits, kind="stable")
    if fits[order[0]] < CLOSE:
        return None
    card = likeness(shown, pose, deck, deck.coarse, order, seen)
    return card if is_clear_at_a_glance(card, deck) else None


STEPS, STILL = 6, 0.002
"""The most alignment steps for a card on an unknown table, and the movement below which it has settled."""
LEAST_SEEN = 0.08  # the least visible share of a card that is compared
NO_CARD = 0.65  # an aligned card that correlates less with its face is not compared further
PART, NO_PART = 0.4, 0.85
"""Of a card of which no more is seen, its face is told only where this part correlates more."""


def _seen_cells(pose: Pose, grid: TemplateGrid, picture: tuple[int, int], above: Sequence[Cover]) -> Floats:
    """Weigh a posed card's cells: 1 where visible and compared, else 0."""
    return np.asarray(visible_cells(pose, grid.shape, picture, above) * grid.inside, np.float32)


# several at once


def glimpse_all(
    levels: Sequence[Picture],
    poses: Sequence[Pose],
    rows: Sequence[int],
    deck: Templates,
    above: Sequence[Cover],
) -> list[Glimpse | None]:
    """Align cards of which parts are seen with the rows they resemble; None for those that are hidden."""
    grid, picture = deck.coarse, (levels[0].shape[0], levels[0].shape[1])
    seen = [_seen_cells(pose, grid, picture, above) for pose in poses]
    visible = [float(each.sum() / grid.inside.sum()) for each in seen]
    glimpses: list[Glimpse | None] = [None] * len(poses)
    for free in (3, 4):
        some = [i for i, share in enumerate(visible) if share >= LEAST_SEEN and _freedom(share) == free]
        if not some:
            continue
        targets = [target_of(deck, grid, rows[i], free) for i in some]
        aligned = align_all(levels, [poses[i] for i in some], targets, deck, np.stack([seen[i] for i in some]))
        left = np.stack([_seen_cells(pose, grid, picture, above) for pose in aligned])
        fits = resemblances(grid, labs_at(levels, aligned, grid.shape), left)
        for i, pose, fit, cells in zip(some, aligned, fits, left, strict=True):
            glimpses[i] = Glimpse(pose, fit, cells, visible[i])
    return glimpses


# aligning


def _align_card(
    levels: Sequence[Picture], pose: Pose, target: Target, seen: Floats, size: tuple[float, float], steps: int
) -> Pose:
    moved = np.zeros(target.freedom)
    for left in reversed(range(steps)):
        before = pose
        pose, moved = align_once(levels, pose, target, seen, size, moved)
        if left and distance_moved(before, pose) < STILL:
            break
    return pose


def align_all(
    levels: Sequence[Picture], poses: Sequence[Pose], targets: Sequence[Target], deck: Templates, seen: Floats
) -> list[Pose]:
    """Align each card with its row by one step, and by another where that moved it."""
    first, moved = _step_all(levels, poses, targets, deck, seen, np.zeros((len(poses), targets[0].freedom)))
    aligned = list(first)
    again = [i for i, pose in enumerate(poses) if distance_moved(pose, first[i]) >= STILL]
    if again:
        second, _moved = _step_all(
            levels, [first[i] for i in again], [targets[i] for i in again], deck, seen[again], moved[again]
        )
        for i, pose in zip(again, second, strict=True):
            aligned[i] = pose
    return aligned


def _step_all(
    levels: Sequence[Picture],
    poses: Sequence[Pose],
    targets: Sequence[Target],
    deck: Templates,
    seen: Floats,
    moved: Reals,
) -> tuple[list[Pose], Reals]:
    """Take one alignment step with each card; give all that each was moved by now."""
    shape = deck.coarse.shape
    shown = patches_of(levels, poses, shape, ENOUGH_TO_ALIGN)
    grey = np.asarray(cv2.transform(shown.reshape(-1, 1, 3), THIRDS), np.float32).reshape(len(poses), -1)
    off = grey / white_of(grey) - np.stack([target.grey for target in targets])
    columns = np.stack([target.columns for target in targets])
    near = np.array([share_of_near(pose, shape) for pose in poses])
    changes = step_towards(off, columns, seen, moved, near)
    after = [moved_by(pose, change, deck.size) for pose, change in zip(poses, changes, strict=True)]
    return after, moved + changes


def distance_moved(before: Pose, after: Pose) -> float:
    """Measure how far a card moved, as a share of its diagonal."""
    here, there = map_each(before, CORNER_SPOTS), map_each(after, CORNER_SPOTS)
    most = max(max(abs(x - u), abs(y - v)) for (x, y), (u, v) in zip(here, there, strict=True))
    return most / max(1e-6, dist(here[0], here[2]))
