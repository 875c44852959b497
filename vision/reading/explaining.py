"""Explain a picture card by card: name the clearest one, let it cover its neighbours, repeat.

Whole cards that lie clearly are glanced at first, several in one call, which is most of a glance. What isn't
settled so is looked at by itself, by `compare_card`, as if it had never been looked at.
"""

from collections.abc import Mapping, Sequence
from math import dist

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.reading.deciding import THIRDS, Indices, Likeness, is_glared_on, labs_of, plain_likenesses
from vision.reading.identifying import (
    CLOSE,
    COVERED,
    ENOUGH_TO_ALIGN,
    STILL,
    Cover,
    Target,
    compare_card,
    correlations,
    cover_of,
    distance_moved,
    figures_of,
    is_clear_at_a_glance,
    labs_of_spots,
    moved_by,
    patches_of,
    resemblances,
    share_of_near,
    spots_at,
    step_towards,
    target_of,
    uncovered_places,
    visible_cells,
)
from vision.reading.templates import BACK, CERTAIN, Floats, Templates, probability, white_of
from vision.reading.views import Picture, Pose, outline_of
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


# card by card

COVERED_INDEX = 0.75
"""How well a corner of a covered card that can't be named must fit to be one."""
LIKELY = 0.6
"""A place that correlates less with every face is not examined further."""
FIT = 0.6
"""How well a card's cells must correlate with the face's."""
A_CARD = 0.16
"""A misfit above this means that the card is not of this deck."""
FOREIGN, FAIR = 0.3, 0.7
"""A card that differs more, or so much in one place, and fits only fairly, is not of this deck either. One that
fits better may be far from its face, as cameras lift strong colours."""
LEAD, STRANGER = 0.2, 0.27
"""How clearly a face must lead, and the most that a place of it may differ, whatever trials taught."""
SLIVER, CERTAIN_OF_SLIVERS = 0.3, 0.95
"""A card of which no more is seen must be named with more certainty: what covers it isn't known as exactly as
in trials."""
HINT = 0.15
"""A face whose margin is smaller is never named, even if the others can't be on the table."""
COVERED_BACK, SEEN_BACK = 0.94, 0.25
"""Stricter limits for backs: their pattern fits in many places."""
OTHER_BACK = (0.85, 0.17)
"""A back that fits less, and differs more in one place, is another deck's: patterns look alike."""
LEAST = 0.13
"""The least visible share of a card that is examined."""
FRUITLESS = 60
"""Stop comparing after this many places in a row without a card: the rest is even less likely."""


class Seeing(Struct, frozen=True, eq=False):
    """What every step of one reading needs."""

    shape: tuple[int, ...]
    levels: tuple[Picture, ...]
    deck: Templates
    among: Mapping[str, int] | None
    plane: bool


class Pool(Struct, frozen=True, eq=False):
    """Places where a card could lie, and what each looks like."""

    poses: tuple[Pose, ...]
    labs: Floats
    spots: Floats
    """Where each place's cells are in the picture."""
    seen: Floats
    """Which of each place's cells are in the picture."""


def pool_of(seeing: Seeing, poses: Sequence[Pose]) -> Pool:
    """Sample the picture at all places at once."""
    grid = seeing.deck.rough
    spots = spots_at(poses, grid.shape)
    (high, wide), x, y = seeing.shape[:2], spots[..., 0], spots[..., 1]
    inside = (x > 1) & (y > 1) & (x < wide - 2) & (y < high - 2)
    labs = labs_of_spots(seeing.levels, poses, spots, grid.shape)
    return Pool(tuple(poses), labs, spots, (inside * grid.inside).astype(np.float32))


def join_pools(pools: Sequence[Pool]) -> Pool:
    """Put places together."""
    return Pool(
        tuple(pose for each in pools for pose in each.poses),
        np.concatenate([each.labs for each in pools], axis=1),
        np.concatenate([each.spots for each in pools]),
        np.concatenate([each.seen for each in pools]),
    )


# explain the clearest card first


def explain_places(seeing: Seeing, pool: Pool, above: Sequence[Pose]) -> tuple[Likeness, ...]:
    """Identify the card at the likeliest place, let it cover the others, and repeat; all lie under `above`."""
    if not pool.poses:
        return ()
    doubtful: list[Likeness] = []
    waiting: list[Likeness] = []
    seen, covers = pool.seen.copy(), [cover_of(pose) for pose in above]
    cover_places(pool, seen, covers)
    likely, rows = rate_places(seeing.deck, pool, seen, np.arange(len(seen)))
    found = _find_clear(seeing, pool, seen, likely, rows)
    clear = [cover_of(pose) for pose in poses_of(found)]
    covers += clear
    changed = cover_places(pool, seen, clear)
    likely[changed], rows[changed] = rate_places(seeing.deck, pool, seen, changed)
    fruitless = 0
    while likely[best := int(likely.argmax())] > 0 and fruitless < FRUITLESS:
        likely[best] = 0
        fruitless += 1
        seems = compare_card(
            seeing.levels, pool.poses[best], int(rows[best]), seeing.deck, covers, plane=seeing.plane
        )
        if seems is not None and is_card(seems, seeing):
            fruitless = 0
            if not is_certain(seems, seeing.deck, seeing.among):
                waiting.append(seems)
                likely[_places_under(pool, seen, cover_of(seems.pose))] = 0
                continue
            found.append(seems)
            covers.append(cover_of(seems.pose))
            changed = cover_places(pool, seen, covers[-1:])
            likely[changed], rows[changed] = rate_places(seeing.deck, pool, seen, changed)
        elif seems is not None and _could_be_card(seems):
            doubtful.append(seems)
    found += _keep_waiting(seeing, waiting, (*above, *poses_of(found)))
    return (*found, *_keep_doubtful(seeing, doubtful, (*above, *poses_of(found))))


def _find_clear(seeing: Seeing, pool: Pool, seen: Floats, likely: Floats, rows: Indices) -> list[Likeness]:
    """Glance at once at places where whole cards may lie beside each other; give those that are clear."""
    if not seeing.plane or seeing.deck.certainty.at_a_glance is None:
        return []
    whole = (seen == seeing.deck.rough.inside).all(axis=1)
    apart = _places_apart(pool, [i for i in np.argsort(-likely) if whole[i] and likely[i] > PROMISING])
    if len(apart) < 2:
        return []
    poses, likeliest = [pool.poses[i] for i in apart], [int(rows[i]) for i in apart]
    cards = glance_at_all(seeing.levels, poses, likeliest, seeing.deck)
    return [card for card in cards if card is not None and is_card(card, seeing)]


PROMISING = 0.9
"""How likely a card lies at a place at which it is worth glancing before its turn comes."""


def _places_apart(pool: Pool, places: Sequence[int]) -> list[int]:
    """Choose places, the first first, whose cards would lie beside each other."""
    apart: list[int] = []
    middles, first, last = (pool.spots[:, k] for k in (pool.spots.shape[1] // 2, 0, -1))
    for i in places:
        room = BESIDE * float(np.hypot(*(last[i] - first[i])))
        if all(np.hypot(*(middles[i] - middles[other])) > room for other in apart):
            apart.append(int(i))
    return apart


BESIDE = 0.5
"""How far apart the middles of two cards are at least that lie beside each other, in diagonals of a card."""


def poses_of(cards: Sequence[Likeness]) -> tuple[Pose, ...]:
    """List where cards lie."""
    return tuple(each.pose for each in cards)


def _keep_waiting(seeing: Seeing, waiting: Sequence[Likeness], above: Sequence[Pose]) -> tuple[Likeness, ...]:
    """Look once more at the whole cards without a certain name; drop those that others explain by now."""
    kept: list[Likeness] = []
    for card in sorted(waiting, key=lambda each: -each.fit):
        covering = [cover_of(pose) for pose in (*above, *poses_of(kept))]
        again = compare_card(seeing.levels, card.pose, card.row, seeing.deck, covering, plane=seeing.plane)
        if again is not None and is_card(again, seeing):
            kept.append(again)
        elif _is_free(card, seeing, covering):
            kept.append(card)
    return tuple(kept)


def _is_free(card: Likeness, seeing: Seeing, covering: Sequence[Cover]) -> bool:
    shape, (high, wide) = seeing.deck.rough.shape, seeing.shape[:2]
    free, all_cells = (visible_cells(card.pose, shape, (high, wide), above) for above in (covering, ()))
    return bool((free == all_cells).all())


def _places_under(pool: Pool, seen: Floats, card: Cover) -> Indices:
    """Find the places of which a card would leave too little to look at."""
    free = seen.copy()
    changed = cover_places(pool, free, [card])
    return np.asarray(changed[free[changed].sum(axis=1) < LEAST * pool.seen[changed].sum(axis=1)])


def without_doubles(seeing: Seeing, found: Sequence[Likeness]) -> tuple[Likeness, ...]:
    """Drop the cards without a name where one with a name shows: what seemed to cover it was a part of it."""
    sure = [each for each in found if is_certain(each, seeing.deck, seeing.among)]
    doubtful = [each for each in found if each not in sure]
    again = dict[int, Likeness]()
    dropped = list[Likeness]()
    for doubt in doubtful:
        for i, card in enumerate(sure):
            share = _share_under(doubt, card, seeing)
            if share < DOUBLE:
                continue
            if share > SAME_PLACE and seeing.deck.faces[doubt.row] == seeing.deck.faces[card.row]:
                dropped.append(doubt)
                break
            above = [cover_of(each.pose) for each in sure[:i]]
            seems = compare_card(seeing.levels, card.pose, card.row, seeing.deck, above, plane=seeing.plane)
            if seems is not None and is_certain(seems, seeing.deck, seeing.among):
                again[id(card)] = seems
                dropped.append(doubt)
                break
    return tuple(again.get(id(each), each) for each in found if each not in dropped)


SAME_PLACE = 0.9
"""A card without a name that lies so much under its own face with a name is that card."""
DOUBLE = 0.35
"""How much of a card without a name must be under one with a name for both to be one card."""


def _share_under(card: Likeness, other: Likeness, seeing: Seeing) -> float:
    shape, (high, wide) = seeing.deck.rough.shape, seeing.shape[:2]
    free, all_cells = (
        visible_cells(card.pose, shape, (high, wide), above).sum() for above in ([cover_of(other.pose)], [])
    )
    return 1 - float(free) / max(1.0, float(all_cells))


def _keep_doubtful(seeing: Seeing, doubtful: list[Likeness], above: Sequence[Pose]) -> tuple[Likeness, ...]:
    """Keep the unidentified covered cards that no other card explains."""
    kept: list[Likeness] = []
    for card in sorted(doubtful, key=lambda each: -each.fit)[:DOUBTFUL]:
        covering = [cover_of(pose) for pose in (*above, *poses_of(kept))]
        again = compare_card(seeing.levels, card.pose, card.row, seeing.deck, covering, plane=seeing.plane)
        if again is not None and _could_be_card(again) and not is_certain(again, seeing.deck, seeing.among):
            kept.append(again)
    return tuple(kept)


DOUBTFUL = 8
"""The most unidentified covered cards that get a second look."""


def _could_be_card(card: Likeness) -> bool:
    """Return whether enough of a covered card is visible to be sure that it is a card, if not which one."""
    return bool(card.visible > 0.4 and card.fit > 0.8 and card.index > COVERED_INDEX and card.misfit < A_CARD)


def hide_places(pool: Pool, above: Sequence[Pose]) -> Floats:
    """Give what cards leave in sight of each place's cells."""
    seen = pool.seen.copy()
    cover_places(pool, seen, [cover_of(pose) for pose in above])
    return seen


def cover_places(pool: Pool, seen: Floats, above: Sequence[Cover]) -> Indices:
    """Hide the cells that cards cover at each place; return the places concerned."""
    if not above:
        return np.array([], np.intp)
    is_near = _places_near(pool, above)
    places = np.flatnonzero(is_near.any(axis=1))
    # most places near a card are that card's own, and nothing of them is left
    places = places[seen[places].any(axis=1)]
    spots, before = pool.spots[places], seen[places]
    free = before.copy()
    for card, near in zip(above, is_near[places].T, strict=True):
        free[near] *= uncovered_places(spots[near], card)
    seen[places] = free
    return np.asarray(places[(free != before).any(axis=1)])


def _places_near(pool: Pool, above: Sequence[Cover]) -> NDArray[np.bool_]:
    """Return which places (rows) are so near which cards (columns) that these may cover some of them."""
    boxes = np.array([card.box for card in above], np.float32)
    sides = boxes[:, 2:] - boxes[:, :2]
    off = pool.spots[:, pool.spots.shape[1] // 2, None] - (boxes[:, :2] + sides / 2)
    return np.asarray(np.hypot(off[..., 0], off[..., 1]) < 1.2 * np.hypot(sides[:, 0], sides[:, 1]))


def rate_places(
    deck: Templates, pool: Pool, seen: Floats, which: Indices, least: float = LIKELY
) -> tuple[Floats, Indices]:
    """Rate how likely a card lies at each place (0: not worth a look), and give its likeliest rows."""
    value, row = np.zeros(len(which), np.float32), np.zeros(len(which), np.intp)
    share = seen[which].sum(axis=1) / deck.rough.inside.sum()
    enough = np.flatnonzero(share > LEAST)
    if len(enough):
        fits = resemblances(deck.rough, pool.labs[:, which[enough]], seen[which[enough]])
        row[enough], best = fits.argmax(axis=1), fits.max(axis=1)
        value[enough] = np.where(best > least, best * share[enough] ** 0.25, 0)
    return value, row


def is_card(card: Likeness, seeing: Seeing) -> bool:
    """Return whether this is a card of the deck at all."""
    if card.visible < LEAST or card.fit < FIT:
        return False
    if card.fit < FAIR and (card.misfit > A_CARD or card.strange > FOREIGN):
        return False
    four = outline_of(card.pose)
    width = min(dist(four[0], four[1]), dist(four[1], four[2]))
    if not cv2.isContourConvex(np.array(four, np.float32)) or width < 20:
        return False
    if card.visible < COVERED:
        return is_certain(card, seeing.deck, seeing.among)
    return True


def is_certain(card: Likeness, deck: Templates, among: Mapping[str, int] | None = None) -> bool:
    """Return whether a card's face is beyond doubt."""
    # what is told at a glance is so by stricter limits
    least = CERTAIN if card.visible > SLIVER else CERTAIN_OF_SLIVERS
    return card.at_a_glance or certainty_of_name(card, deck, among) >= least


def certainty_of_name(card: Likeness, deck: Templates, among: Mapping[str, int] | None = None) -> float:
    """Give the probability that a card's likeliest face is right; 0 where it can't be told by anything seen."""
    margin = _margin(card, deck, among)
    is_back = deck.names[deck.faces[card.row]] == BACK
    if margin < LEAD or card.foreign > STRANGER or (is_back and not _is_own_back(card)):
        return 0.0
    return probability(deck.certainty.weights, figures_of(card, margin))


def _is_own_back(card: Likeness) -> bool:
    """Return whether a back can be the deck's: patterns look alike, and fit in many places."""
    fit, foreign = OTHER_BACK
    if card.fit < fit and card.foreign > foreign:
        return False
    return card.visible > COVERED or (card.score > COVERED_BACK and card.visible > SEEN_BACK)


def _margin(card: Likeness, deck: Templates, among: Mapping[str, int] | None) -> float:
    """Measure how clearly the best face fits; faces that can't be on the table count less against it."""
    name = deck.names[deck.faces[card.row]]
    if among is None or not among.get(name) or card.margin < HINT:
        return card.margin
    possible = [1 - near for row, near in card.rivals if among.get(deck.names[deck.faces[row]])]
    return min(possible, default=1.0)
