"""Examine a position: align it with a face by coarse cells, and compare it finely if a name is likely.

Most positions of covered cards lead to no name. Several are examined per call, because the call itself costs
most of the time.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from vision.reading.deciding import Likeness, balanced, labs_of, likeness, plain_likenesses
from vision.reading.identifying import (
    CLOSE,
    WHOLE,
    Cover,
    align_all,
    correlations,
    is_clear_at_a_glance,
    labs_at,
    patches_of,
    resemblances,
    target_of,
    visible_cells,
)
from vision.reading.own_light import is_glared_on
from vision.reading.templates import STRANGERS, Floats, TemplateGrid, Templates, lab_of
from vision.reading.views import Picture, Pose


class Seeing(Struct, frozen=True, eq=False):
    """Shared input of all steps of a reading: the picture, the deck and the table."""

    levels: tuple[Picture, ...]
    deck: Templates
    among: Mapping[str, int] | None = None  # how often each card can be on the table
    plane: bool = False  # whether the table's plane is known
    strangers: float = STRANGERS  # expected number of untaught cards per taught one

    @property
    def shape(self) -> tuple[int, int]:
        high, wide = self.levels[0].shape[:2]
        return high, wide


# one by one


def compare_card(seeing: Seeing, pose: Pose, row: int, above: Sequence[Cover] = ()) -> Likeness | None:
    """Align a card with the row it resembles and compare it with the deck; None if it clearly isn't a card."""
    levels, deck = seeing.levels, seeing.deck
    seen = seen_cells(seeing, [pose], deck.coarse, above)
    visible = float(seen.sum() / deck.coarse.inside.sum())
    if visible < LEAST_SEEN:
        return None
    free = _freedom(visible)
    if seeing.plane:
        (pose,) = align_all(levels, [pose], [target_of(deck, deck.coarse, row, free)], seen, deck.size, GLANCES)
        seen = seen_cells(seeing, [pose], deck.coarse, above)
        if (card := _glance_at(seeing, pose, seen[0])) is not None:
            return card
        fits = _fits_at(seeing, [pose], seen)[0]
    else:
        pose, fits = _align_with_likeliest(seeing, pose, row, seen, free)
    return compare_finely(seeing, Glimpse(pose, fits, seen[0], visible), above)


class Glimpse(Struct, frozen=True, eq=False):
    """Result of a coarse comparison after alignment with the row that the card resembled."""

    pose: Pose
    fits: Floats  # correlation with each row
    seen: Floats
    visible: float

    @property
    def promise(self) -> float:
        """Return how likely a fine comparison is to identify a face; 0 if it isn't worthwhile."""
        fit = float(self.fits.max())
        return fit * self.visible**0.25 if fit >= (NO_CARD if self.visible > PART else NO_PART) else 0.0


def compare_finely(seeing: Seeing, glimpse: Glimpse, above: Sequence[Cover]) -> Likeness | None:
    """Align a card exactly and compare it with the deck; None if it clearly isn't a card."""
    if not glimpse.promise:
        return None
    levels, deck, plane, visible = seeing.levels, seeing.deck, seeing.plane, glimpse.visible
    order = np.argsort(-glimpse.fits, kind="stable")
    best, seen = int(order[0]), seen_cells(seeing, [glimpse.pose], deck.fine, above)
    target = target_of(deck, deck.fine, best, 3 if visible < 0.35 else 6 if plane or visible < 0.8 else 8)
    (after,) = align_all(levels, [glimpse.pose], [target], seen, deck.size, 1 if plane else STEPS)
    fits = glimpse.fits[best]
    if not plane and _fits_at(seeing, [after], glimpse.seen[None])[0, best] < fits - WORSE:
        after = _align_less_freely(seeing, glimpse, best, seen)
    seen = seen_cells(seeing, [after], deck.fine, above)
    if not seen.any():
        return None
    return likeness(patches_of(levels, [after], deck.fine.shape)[0], after, deck, deck.fine, order, seen[0])


def _freedom(visible: float) -> int:
    return 3 if visible < 0.5 else 4


def _fits_at(seeing: Seeing, poses: Sequence[Pose], seen: Floats) -> Floats:
    grid = seeing.deck.coarse
    cells = np.broadcast_to(seen, (len(poses), seen.shape[1]))
    return resemblances(grid, labs_at(seeing.levels, poses, grid.shape), cells)


def _align_with_likeliest(
    seeing: Seeing, start: Pose, row: int, seen: Floats, freedom: int
) -> tuple[Pose, Floats]:
    """Align a card with a row and with those of the likeliest faces; return the best result.

    A wrong face may move the outline so far away that the right one is no longer likely.
    """
    deck = seeing.deck
    order = np.argsort(-_fits_at(seeing, [start], seen)[0], kind="stable")
    _faces, first = np.unique(deck.faces[order], return_index=True)
    rows = dict.fromkeys([row, *order[np.sort(first)[:LIKELIEST]].tolist()])
    targets = [target_of(deck, deck.coarse, each, freedom) for each in rows]
    poses, cells = [start] * len(targets), np.repeat(seen, len(targets), axis=0)
    poses = [start, *align_all(seeing.levels, poses, targets, cells, deck.size, STEPS)]
    fits = _fits_at(seeing, poses, seen)
    best = int(fits.max(axis=1).argmax())
    return poses[best], fits[best]


LIKELIEST = 8
"""Faces with which a card is aligned at once; of photographed cards, the right one was among them."""


def _align_less_freely(seeing: Seeing, glimpse: Glimpse, row: int, seen: Floats) -> Pose:
    """Realign, with less freedom, a card that one symbol pulled away; keep the old pose if that fits better."""
    deck = seeing.deck
    target = target_of(deck, deck.fine, row, 4)
    (after,) = align_all(seeing.levels, [glimpse.pose], [target], seen, deck.size, STEPS)
    then = _fits_at(seeing, [after], glimpse.seen[None])[0, row]
    return after if then > glimpse.fits[row] - WORSE else glimpse.pose


WORSE = 0.02  # largest loss of resemblance through alignment


def _glance_at(seeing: Seeing, pose: Pose, seen: Floats) -> Likeness | None:
    """Compare a fully visible card by coarse cells; None if that isn't conclusive."""
    deck = seeing.deck
    if deck.certainty.at_a_glance is None or seen.sum() < WHOLE * deck.coarse.inside.sum():
        return None
    (shown,) = patches_of(seeing.levels, [pose], deck.coarse.shape)
    fits = correlations(deck.coarse, lab_of(balanced(shown))[:, None], seen[None])[0]
    order = np.argsort(-fits, kind="stable")
    if fits[order[0]] < CLOSE:
        return None
    card = likeness(shown, pose, deck, deck.coarse, order, seen)
    return card if is_clear_at_a_glance(card, deck, seeing.strangers) else None


GLANCES, STEPS = 2, 6  # most alignment steps at a glance, and on a table whose plane is unknown
LEAST_SEEN = 0.08  # smallest visible share of a card that is compared
NO_CARD = 0.65  # smallest correlation of an aligned card with its face for a fine comparison
PART, NO_PART = 0.4, 0.85
"""Up to this visible share, the second value is the smallest correlation for a fine comparison."""


def seen_cells(seeing: Seeing, poses: Sequence[Pose], grid: TemplateGrid, above: Sequence[Cover]) -> Floats:
    """Return weights of posed cards' cells (n x cells): 1 if visible and compared, else 0."""
    return np.asarray(visible_cells(poses, grid.shape, seeing.shape, above) * grid.inside, np.float32)


# several at once


def glimpse_all(
    seeing: Seeing, poses: Sequence[Pose], rows: Sequence[int], above: Sequence[Cover]
) -> list[Glimpse | None]:
    """Align partly visible cards with the rows they resemble; None for each hidden card."""
    levels, deck, grid = seeing.levels, seeing.deck, seeing.deck.coarse
    seen = seen_cells(seeing, poses, grid, above)
    visible: list[float] = (seen.sum(axis=1) / grid.inside.sum()).tolist()
    glimpses: list[Glimpse | None] = [None] * len(poses)
    for free in (3, 4):
        some = [i for i, share in enumerate(visible) if share >= LEAST_SEEN and _freedom(share) == free]
        if not some:
            continue
        targets = [target_of(deck, grid, rows[i], free) for i in some]
        aligned = align_all(levels, [poses[i] for i in some], targets, seen[some], deck.size, GLANCES)
        left = seen_cells(seeing, aligned, grid, above)
        fits = resemblances(grid, labs_at(levels, aligned, grid.shape), left)
        for i, pose, fit, cells in zip(some, aligned, fits, left, strict=True):
            glimpses[i] = Glimpse(pose, fit, cells, visible[i])
    return glimpses


def glance_at_all(
    seeing: Seeing, poses: Sequence[Pose], rows: Sequence[int]
) -> list[Likeness | Glimpse | None]:
    """Align fully visible cards with the rows they resemble, and name them if that is clear.

    Others give a glimpse for `compare_finely`, or None where only `compare_card` can decide.
    """
    deck, grid = seeing.deck, seeing.deck.coarse
    whole = np.broadcast_to(grid.inside, (len(poses), len(grid.inside)))
    targets = [target_of(deck, grid, row, _freedom(1)) for row in rows]
    poses = align_all(seeing.levels, poses, targets, whole, deck.size, GLANCES)
    shown = patches_of(seeing.levels, poses, grid.shape)
    flat = balanced(shown)
    fits = correlations(grid, labs_of(flat).transpose(1, 0, 2), whole)
    orders = np.argsort(-fits, axis=1, kind="stable")
    close = [
        i
        for i, order in enumerate(orders)
        if fits[i, order[0]] >= CLOSE and not is_glared_on(shown[i], grid.inside)
    ]
    cards: list[Likeness | Glimpse | None] = [None] * len(poses)
    if close:
        compared = plain_likenesses(flat[close], [poses[i] for i in close], deck, grid, list(orders[close]))
        for i, card in zip(close, compared, strict=True):
            if card is not None:
                is_clear = is_clear_at_a_glance(card, deck, seeing.strangers)
                cards[i] = card if is_clear else _glimpse_of_whole(seeing, poses[i])
    return cards


def _glimpse_of_whole(seeing: Seeing, pose: Pose) -> Glimpse | None:
    """Return the coarse comparison of an aligned card; None if it isn't fully in the picture."""
    grid = seeing.deck.coarse
    seen = seen_cells(seeing, [pose], grid, ())
    whole = bool((seen[0] == grid.inside).all())
    return Glimpse(pose, _fits_at(seeing, [pose], seen)[0], seen[0], 1.0) if whole else None
