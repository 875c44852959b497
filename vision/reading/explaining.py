"""Explain a picture card by card: name the clearest one, let it cover its neighbours, repeat.

Whole cards that lie clearly are glanced at first, several in one call, which is most of a glance. What isn't
settled so is looked at by itself, by `compare_card`, as if it had never been looked at.
"""

from collections.abc import Sequence
from math import dist, isnan

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.reading.deciding import COVERED, Likeness
from vision.reading.identifying import (
    Cover,
    are_inside,
    chance_of,
    cover_of,
    distance_moved,
    labs_of_spots,
    resemblances,
    spots_at,
    uncovered_places,
    visible_cells,
)
from vision.reading.looking import Glimpse, Seeing, compare_card, compare_finely, glance_at_all, glimpse_all
from vision.reading.own_light import Indices
from vision.reading.templates import BACK, CERTAIN, Floats, Templates
from vision.reading.views import Pose, common_share, outline_of

COVERED_INDEX = 0.75  # how well a corner of a covered card that can't be named must fit to be one
LIKELY, LIKELIER = 0.6, 0.8
"""A place that correlates less with every face, also once it was moved onto one, is not examined further."""
FIT = 0.6  # how well a card's cells must correlate with the face's
A_CARD = 0.16  # a misfit above this means that the card is not of this deck
FOREIGN, FAIR = 0.3, 0.7
"""A card that differs more, or so much in one place, and fits only fairly, is not of this deck either. One that
fits better may be far from its face, as cameras lift strong colours."""
SLIVER, CERTAIN_OF_SLIVERS = 0.3, 0.95
"""A card of which no more is seen must be named with more certainty: what covers it isn't known as exactly as
in trials."""
HINT = 0.15
"""A face whose margin is smaller is never named, even if the others can't be on the table."""
COVERED_BACK, SEEN_BACK = 0.94, 0.25  # stricter limits for backs: their pattern fits in many places
OTHER_BACK = (0.85, 0.17)
"""A back that fits less, and differs more in one place, is another deck's: patterns look alike."""
LEAST = 0.13  # the least visible share of a card that is examined
FRUITLESS = 12
"""Stop comparing after this many places in a row without a card: the rest is even less likely."""


class Pool(Struct, frozen=True, eq=False):
    """Places where a card could lie, and what each looks like."""

    poses: tuple[Pose, ...]
    labs: Floats
    spots: Floats  # where each place's cells are in the picture
    seen: Floats  # which of each place's cells are in the picture


def pool_of(seeing: Seeing, poses: Sequence[Pose]) -> Pool:
    """Sample the picture at all places at once."""
    grid = seeing.deck.rough
    spots = spots_at(poses, grid.shape)
    labs = labs_of_spots(seeing.levels, poses, spots, grid.shape)
    seen = (are_inside(spots, seeing.shape) * grid.inside).astype(np.float32)
    return Pool(tuple(poses), labs, spots, seen)


def join_pools(pools: Sequence[Pool]) -> Pool:
    return Pool(
        tuple(pose for each in pools for pose in each.poses),
        np.concatenate([each.labs for each in pools], axis=1),
        np.concatenate([each.spots for each in pools]),
        np.concatenate([each.seen for each in pools]),
    )


# explain the clearest card first


def explain_places(seeing: Seeing, pool: Pool, above: Sequence[Pose]) -> tuple[Likeness, ...]:
    """Identify the card at the likeliest place, let it cover the others, and repeat; all lie under `above`."""
    return explain_heap(seeing, pool, above)[0]


def explain_heap(
    seeing: Seeing, pool: Pool, above: Sequence[Pose], *, moved: bool = False
) -> tuple[tuple[Likeness, ...], tuple[Likeness, ...]]:
    """Identify cards as `explain_places`; give those, too, that lie there beyond doubt, whichever they are.

    Such a card covers what lies under it, once nothing else promises a name. Places that were `moved` onto
    what they resemble must resemble it more.
    """
    if not pool.poses:
        return (), ()
    places = _Places(seeing, pool, above, moved=moved)
    told = _Told(_find_clear(seeing, places))
    places.cover([cover_of(card.pose) for card in told.found])
    while _find_next(places, told) or _place_next(places, told):
        pass
    under = (*above, *poses_of((*told.found, *told.placed)))
    cards = (*told.found, *_keep_waiting(seeing, told.waiting, under))
    doubtful = _keep_doubtful(seeing, told.doubtful, (*above, *poses_of((*cards, *told.placed))))
    return (*cards, *doubtful), tuple(told.placed)


class _Told:
    """What looks at places have told so far."""

    def __init__(self, found: list[Likeness]) -> None:
        self.found, self.placed = found, list[Likeness]()
        self.waiting, self.hinted, self.doubtful = (list[Likeness]() for _kind in range(3))


def _find_next(places: "_Places", told: _Told) -> bool:
    """Look at the likeliest places until one is a card's; return whether there was any."""
    for _fruitless in range(FRUITLESS):
        if (best := places.take_likeliest()) is None:
            return False
        seems = places.look_at(best)
        if seems is not None and is_card(places.seeing, seems):
            if is_certain(places.seeing, seems):
                told.found.append(seems)
                places.cover([cover_of(seems.pose)])
            else:
                told.waiting.append(seems)
                places.leave_out_under(cover_of(seems.pose))
            return True
        if seems is not None and _is_placed(seems):
            told.hinted.append(seems)
            continue
        places.deny(best)
        if seems is not None and _could_be_card(seems):
            told.doubtful.append(seems)
    return False


def _place_next(places: "_Places", told: _Told) -> bool:
    """Let the clearest card without a name cover others; return whether any is seen as it was looked at."""
    told.hinted = [each for each in told.hinted if places.is_failed(each.pose)]
    if not told.hinted:
        return False
    card = max(told.hinted, key=lambda each: each.fit)
    told.placed.append(card)
    places.cover([cover_of(card.pose)])
    return True


def _is_placed(card: Likeness) -> bool:
    """Return whether a card lies here without doubt, partly covered, whichever it is."""
    return (
        LEAST < card.visible < COVERED
        and card.fit > PLACED
        and card.score > OWN
        and card.strange < UNLIKE
        and card.index > COVERED_INDEX
    )


PLACED, OWN, UNLIKE = 0.9, 0.88, 0.15
"""How well a card without a name, and what sets it apart, must fit so that its place is beyond doubt, and
the most that one spot of it may differ."""


class _Places:
    """Places of a pool, with what cards above leave in sight of each, and how likely a card lies there."""

    def __init__(self, seeing: Seeing, pool: Pool, above: Sequence[Pose], *, moved: bool) -> None:
        self.seeing, self.pool, self.seen = seeing, pool, hide_places(pool, above)
        self.least, self.is_glimpsed = LIKELIER if moved else LIKELY, moved or seeing.plane
        self.covers = [cover_of(pose) for pose in above]
        self.glimpses: dict[int, Glimpse] = {}
        self.failed: list[Glimpse] = []
        self.denied: list[Glimpse] = []
        self.likely, self.rows = self._rate(np.arange(len(self.seen)))

    def _rate(self, which: Indices) -> tuple[Floats, Indices]:
        return rate_places(self.seeing.deck, self.pool, self.seen, which, self.least)

    def cover(self, cards: Sequence[Cover]) -> None:
        """Lay cards on the places, and rate those anew of which less is in sight."""
        self.covers += cards
        changed = cover_places(self.pool, self.seen, cards)
        self.likely[changed], self.rows[changed] = self._rate(changed)
        for place in changed.tolist():
            self.glimpses.pop(place, None)
        self.failed, self.denied = (
            [each for each in some if is_free(self.seeing, each.pose, cards)]
            for some in (self.failed, self.denied)
        )

    def leave_out_under(self, card: Cover) -> None:
        """Look no more at places of which a card would leave too little."""
        free = self.seen.copy()
        changed = cover_places(self.pool, free, [card])
        least = LEAST * self.pool.seen[changed].sum(axis=1)
        self.likely[changed[free[changed].sum(axis=1) < least]] = 0

    def take_likeliest(self) -> int | None:
        """Choose where to look next; where only a part would be seen, several places are glimpsed at first."""
        while self.likely[best := int(self.likely.argmax())] > 0:
            glimpse = self.glimpses.get(best)
            if glimpse is None and self._is_part(best):
                self._glimpse_at_likeliest()
                continue
            self.likely[best] = 0
            if glimpse is None or not self._is_denied(glimpse):
                return best
        return None

    def _is_part(self, place: int) -> bool:
        whole = float(self.seeing.deck.rough.inside.sum())
        return self.is_glimpsed and float(self.seen[place].sum()) < COVERED * whole

    def _glimpse_at_likeliest(self) -> None:
        likeliest = np.argsort(-self.likely, kind="stable")[:GLIMPSES].tolist()
        some = [i for i in likeliest if self.likely[i] > 0 and i not in self.glimpses and self._is_part(i)]
        poses, rows = [self.pool.poses[i] for i in some], self.rows[some].tolist()
        told = glimpse_all(self.seeing, poses, rows, self.covers)
        for place, glimpse in zip(some, told, strict=True):
            self.likely[place] = 0 if glimpse is None else glimpse.promise
            if glimpse is not None:
                self.glimpses[place] = glimpse

    def look_at(self, place: int) -> Likeness | None:
        if glimpse := self.glimpses.get(place):
            self.failed.append(glimpse)
            return compare_finely(self.seeing, glimpse, self.covers)
        return compare_card(self.seeing, self.pool.poses[place], int(self.rows[place]), self.covers)

    def is_failed(self, pose: Pose) -> bool:
        """Return whether a look at nearly the same place gave no card, and nothing was laid on that since."""
        return any(distance_moved(pose, other.pose) < SAME_SPOT for other in self.failed)

    def _is_denied(self, glimpse: Glimpse) -> bool:
        """Return whether a look gave no card here, or not this face nearby, where it seemed as likely."""
        face, outline = self._face_of(glimpse), outline_of(glimpse.pose)
        return self.is_failed(glimpse.pose) or any(
            self._face_of(each) == face
            and glimpse.promise < each.promise + CLEARER
            and common_share(outline, outline_of(each.pose)) > NEARBY
            for each in self.denied
        )

    def deny(self, place: int) -> None:
        """Note that what was seen at a place is no card, or not this one."""
        if place in self.glimpses:
            self.denied.append(self.glimpses[place])

    def _face_of(self, glimpse: Glimpse) -> int:
        return int(self.seeing.deck.faces[glimpse.fits.argmax()])


CLEARER, NEARBY = 0.03, 0.6
"""How much more likely a face must be than where it was looked for in vain, and what the two places share."""
SAME_SPOT = 0.02
"""How far apart, in diagonals of a card, places are at which the same would be seen."""
GLIMPSES = 10  # how many parts of cards are glimpsed at in one call


def _find_clear(seeing: Seeing, places: _Places) -> list[Likeness]:
    """Glance at once at places where whole cards may lie beside each other; give those that are clear."""
    if not seeing.plane or seeing.deck.certainty.at_a_glance is None:
        return []
    pool, likely = places.pool, places.likely
    whole = (places.seen == seeing.deck.rough.inside).all(axis=1)
    apart = _places_apart(pool, [i for i in np.argsort(-likely) if whole[i] and likely[i] > PROMISING])
    if len(apart) < 2:
        return []
    poses, likeliest = [pool.poses[i] for i in apart], [int(places.rows[i]) for i in apart]
    cards = glance_at_all(seeing, poses, likeliest)
    return [card for card in cards if card is not None and is_card(seeing, card)]


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
    return tuple(each.pose for each in cards)


def _keep_waiting(seeing: Seeing, waiting: Sequence[Likeness], above: Sequence[Pose]) -> tuple[Likeness, ...]:
    """Look once more at the whole cards without a certain name; drop those that others explain by now."""
    kept: list[Likeness] = []
    for card in sorted(waiting, key=lambda each: -each.fit):
        covering = [cover_of(pose) for pose in (*above, *poses_of(kept))]
        again = compare_card(seeing, card.pose, card.row, covering)
        if again is not None and is_card(seeing, again):
            kept.append(again)
        elif is_free(seeing, card.pose, covering):
            kept.append(card)
    return tuple(kept)


def is_free(seeing: Seeing, pose: Pose, covering: Sequence[Cover]) -> bool:
    """Return whether cards leave all of a place in sight that is in the picture."""
    shape = seeing.deck.rough.shape
    free, whole = (visible_cells([pose], shape, seeing.shape, above) for above in (covering, ()))
    return bool((free == whole).all())


def without_doubles(seeing: Seeing, found: Sequence[Likeness]) -> tuple[Likeness, ...]:
    """Drop the cards without a name where one with a name shows: what seemed to cover it was a part of it."""
    sure = [each for each in found if is_certain(seeing, each)]
    doubtful = [each for each in found if each not in sure]
    again = dict[int, Likeness]()
    dropped = list[Likeness]()
    for doubt in doubtful:
        for i, card in enumerate(sure):
            share = _share_under(seeing, doubt, card)
            if share < DOUBLE:
                continue
            if share > SAME_PLACE and seeing.deck.faces[doubt.row] == seeing.deck.faces[card.row]:
                dropped.append(doubt)
                break
            above = [cover_of(each.pose) for each in sure[:i]]
            seems = compare_card(seeing, card.pose, card.row, above)
            if seems is not None and is_certain(seeing, seems):
                again[id(card)] = seems
                dropped.append(doubt)
                break
    return tuple(again.get(id(each), each) for each in found if each not in dropped)


SAME_PLACE = 0.9
"""A card without a name that lies so much under its own face with a name is that card."""
DOUBLE = 0.35
"""How much of a card without a name must be under one with a name for both to be one card."""


def _share_under(seeing: Seeing, card: Likeness, other: Likeness) -> float:
    shape = seeing.deck.rough.shape
    free, whole = (
        float(visible_cells([card.pose], shape, seeing.shape, above).sum())
        for above in ([cover_of(other.pose)], [])
    )
    return 1 - free / max(1.0, whole)


def _keep_doubtful(seeing: Seeing, doubtful: list[Likeness], above: Sequence[Pose]) -> tuple[Likeness, ...]:
    kept: list[Likeness] = []
    for card in sorted(doubtful, key=lambda each: -each.fit)[:DOUBTFUL]:
        covering = [cover_of(pose) for pose in (*above, *poses_of(kept))]
        again = compare_card(seeing, card.pose, card.row, covering)
        if again is not None and _could_be_card(again) and not is_certain(seeing, again):
            kept.append(again)
    return tuple(kept)


DOUBTFUL = 8  # the most unidentified covered cards that get a second look


def _could_be_card(card: Likeness) -> bool:
    """Return whether enough of a covered card is visible to be sure that it is a card, if not which one."""
    has_sign = card.index > COVERED_INDEX or (isnan(card.index) and card.fit > PLACED and card.score > OWN)
    return bool(card.visible > 0.4 and card.fit > 0.8 and has_sign and card.misfit < A_CARD)


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


def is_card(seeing: Seeing, card: Likeness) -> bool:
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
        return is_certain(seeing, card)
    return True


def is_certain(seeing: Seeing, card: Likeness) -> bool:
    # what is told at a glance is so by stricter limits
    least = CERTAIN if card.visible > SLIVER else CERTAIN_OF_SLIVERS
    return card.at_a_glance or certainty_of_name(seeing, card) >= least


def certainty_of_name(seeing: Seeing, card: Likeness) -> float:
    """Give the probability that a card's likeliest face is right; 0 where it can't be told by anything seen."""
    deck, name = seeing.deck, seeing.deck.name_of(card.row)
    if name in deck.untaught or (name == BACK and not _is_own_back(card)):
        return 0.0
    doubt = deck.certainty.doubts.get(name, 0.0)
    return chance_of(card, _margin(seeing, card), deck.certainty, doubt)


def _is_own_back(card: Likeness) -> bool:
    fit, foreign = OTHER_BACK
    if card.fit < fit and card.foreign > foreign:
        return False
    return card.visible > COVERED or (card.score > COVERED_BACK and card.visible > SEEN_BACK)


def _margin(seeing: Seeing, card: Likeness) -> float:
    """Measure how clearly the best face fits; faces that can't be on the table count less against it."""
    deck, among = seeing.deck, seeing.among
    if among is None or not among.get(deck.name_of(card.row)) or card.margin < HINT:
        return card.margin
    possible = [1 - near for row, near in card.rivals if among.get(deck.name_of(row))]
    return min(possible, default=1.0)
