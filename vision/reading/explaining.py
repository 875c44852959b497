"""Explain a picture card by card: name the clearest one, let it cover its neighbours, repeat.

Clear whole cards are compared first, several in one call, since the call is most of the cost. All others are
compared one by one with `compare_card`.
"""

from collections.abc import Sequence
from math import dist, isnan

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.reading.deciding import Likeness
from vision.reading.focus import cell_size
from vision.reading.identifying import (
    Cover,
    are_inside,
    chance_of,
    cover_of,
    distance_moved,
    doubt_of,
    is_supported,
    labs_of_spots,
    resemblances,
    spots_at,
    uncovered_places,
    visible_cells,
)
from vision.reading.looking import Glimpse, Seeing, compare_card, compare_finely, glance_at_all, glimpse_all
from vision.reading.own_light import Indices
from vision.reading.templates import BACK, CERTAIN, Floats, Templates
from vision.reading.thresholds import (
    BESIDE_DISTANCE,
    CARD_FIT,
    CARD_MISFIT,
    CERTAIN_LEAD,
    CLEARER_BY,
    COVERED_BACK_SCORE,
    COVERED_BACK_SHARE,
    COVERED_BELOW,
    DOUBLE_SHARE,
    DOUBTFUL_FIT,
    DOUBTFUL_LOOKS,
    DOUBTFUL_SHARE,
    FAIR_FIT,
    FOREIGN_DIFFERENCE,
    FRUITLESS_LOOKS,
    GLANCE_LIKELIHOOD,
    GLIMPSE_BATCH,
    LEAST_CELL,
    LEAST_INDEX_FIT,
    LEAST_MARGIN,
    LEAST_SHARE,
    LEAST_WIDTH,
    MOVED_PLACE_FIT,
    NEAR_CARD,
    NEARBY_SHARE,
    OTHER_BACK_DIFFERENCE,
    OTHER_BACK_FIT,
    PLACE_FIT,
    PLACED_DIFFERENCE,
    PLACED_FIT,
    PLACED_SCORE,
    SAME_CARD_SHARE,
    SAME_SPOT_DISTANCE,
    SLIVER_CERTAINTY,
    SLIVER_SHARE,
    TWICE_SHARE,
    WHOLE_PLACE_FIT,
)
from vision.reading.views import Pose, common_share, outline_of
from vision.sightings import PROBABLE


class Pool(Struct, frozen=True, eq=False):
    """Places where a card could lie, with their colours in the picture."""

    poses: tuple[Pose, ...]
    labs: Floats
    spots: Floats  # positions of each place's cells in the picture
    seen: Floats  # 1 for each place's cells inside the picture, else 0

    def only(self, some: Indices) -> "Pool":
        poses = tuple(self.poses[i] for i in some.tolist())
        return Pool(poses, self.labs[:, some], self.spots[some], self.seen[some])


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
    """Identify the card at the likeliest place, let it cover the others, and repeat; `above` covers all."""
    return explain_heap(seeing, pool, above)[0]


def explain_heap(
    seeing: Seeing, pool: Pool, above: Sequence[Pose], *, moved: bool = False
) -> tuple[tuple[Likeness, ...], tuple[Likeness, ...]]:
    """Return the cards of `explain_places`, and unnamed cards whose position is certain.

    An unnamed card covers others once no other place promises a name. Places that were `moved` onto the face
    they resemble must fit it better.
    """
    if not pool.poses:
        return (), ()
    places = _Places(seeing, pool, above, moved=moved)
    findings, goes_on = Findings(found=places.find_clear()), True
    places.cover([cover_of(card.pose) for card in findings.found])
    while goes_on:
        findings, goes_on = _explain_next(places, findings)
    under = (*above, *poses_of((*findings.found, *findings.placed)))
    cards = (*findings.found, *_keep_waiting(seeing, findings.waiting, under))
    doubtful = _keep_doubtful(seeing, findings.doubtful, (*above, *poses_of((*cards, *findings.placed))))
    return (*cards, *doubtful), findings.placed


class Findings(Struct, frozen=True, eq=False):
    """Cards found so far at a pool's places."""

    found: tuple[Likeness, ...] = ()  # cards with a certain name
    placed: tuple[Likeness, ...] = ()  # unnamed cards whose position is certain; they cover others
    waiting: tuple[Likeness, ...] = ()  # unnamed cards that get a second look at the end
    hinted: tuple[Likeness, ...] = ()  # candidates for `placed`
    doubtful: tuple[Likeness, ...] = ()  # covered things that could be cards


def _explain_next(places: "_Places", findings: Findings) -> tuple[Findings, bool]:
    """Look at the likeliest places until one holds a card. Returns whether there may be more."""
    for _fruitless in range(FRUITLESS_LOOKS):
        if (best := places.take_likeliest()) is None:
            break
        seems = places.look_at(best)
        if seems is not None and is_card(places.seeing, seems):
            return _with_card(places, findings, seems), True
        if seems is not None and _is_placed(seems):
            findings = replace(findings, hinted=(*findings.hinted, seems))
            continue
        places.deny(best)
        if seems is not None and _could_be_card(seems):
            findings = replace(findings, doubtful=(*findings.doubtful, seems))
    return _place_next(places, findings)


def _with_card(places: "_Places", findings: Findings, card: Likeness) -> Findings:
    """Add a card; if its name is certain, it covers the cards below it."""
    if is_certain(places.seeing, card):
        places.cover([cover_of(card.pose)])
        return replace(findings, found=(*findings.found, card))
    places.leave_out_under(cover_of(card.pose))
    return replace(findings, waiting=(*findings.waiting, card))


def _place_next(places: "_Places", findings: Findings) -> tuple[Findings, bool]:
    """Let the clearest unnamed card cover others. Returns whether there was one that nothing covers since."""
    hinted = tuple(each for each in findings.hinted if places.is_failed(each.pose))
    if not hinted:
        return replace(findings, hinted=()), False
    card = max(hinted, key=lambda each: each.fit)
    places.cover([cover_of(card.pose)])
    return replace(findings, hinted=hinted, placed=(*findings.placed, card)), True


def _is_placed(card: Likeness) -> bool:
    """Return whether the position of a partly covered card is certain, even if its name isn't."""
    return (
        LEAST_SHARE < card.visible < COVERED_BELOW
        and card.fit > PLACED_FIT
        and card.score > PLACED_SCORE
        and card.strange < PLACED_DIFFERENCE
        and card.index > LEAST_INDEX_FIT
    )


class _Places:
    """Places of a pool, with the visible cells of each and the likelihood of a card there."""

    def __init__(self, seeing: Seeing, pool: Pool, above: Sequence[Pose], *, moved: bool) -> None:
        self.seeing, self.pool, self.seen = seeing, pool, hide_places(pool, above)
        self.least = (MOVED_PLACE_FIT, MOVED_PLACE_FIT) if moved else (PLACE_FIT, WHOLE_PLACE_FIT)
        self.is_glimpsed = moved or seeing.plane
        self.covers = [cover_of(pose) for pose in above]
        self.glimpses: dict[int, Glimpse] = {}
        self.unclear: dict[int, Glimpse] = {}  # whole places compared at a glance
        self.failed: list[Glimpse] = []
        self.denied: list[Glimpse] = []
        self.likely, self.rows = self._rate(np.arange(len(self.seen)))

    def _rate(self, which: Indices) -> tuple[Floats, Indices]:
        return rate_places(self.seeing.deck, self.pool, self.seen, which, self.least)

    def cover(self, cards: Sequence[Cover]) -> None:
        """Cover places with cards, and rate the places again of which less is visible."""
        self.covers += cards
        changed = cover_places(self.pool, self.seen, cards)
        self.likely[changed], self.rows[changed] = self._rate(changed)
        for place in changed.tolist():
            self.glimpses.pop(place, None)
            self.unclear.pop(place, None)
        self.failed, self.denied = (
            [each for each in some if is_free(self.seeing, each.pose, cards)]
            for some in (self.failed, self.denied)
        )

    def leave_out_under(self, card: Cover) -> None:
        """Exclude places of which a card would leave too little visible."""
        free = self.seen.copy()
        changed = cover_places(self.pool, free, [card])
        least = LEAST_SHARE * self.pool.seen[changed].sum(axis=1)
        self.likely[changed[free[changed].sum(axis=1) < least]] = 0

    def take_likeliest(self) -> int | None:
        """Return the likeliest place and exclude it. Unlikely or covered places are compared coarsely first."""
        while self.likely[best := int(self.likely.argmax())] > 0:
            if self._needs_glimpse(best):
                self._glimpse_at_likeliest()
                continue
            self.likely[best] = 0
            glimpse = self.glimpses.get(best)
            if glimpse is None or not self._is_denied(glimpse):
                return best
        return None

    def _needs_glimpse(self, place: int) -> bool:
        if place in self.glimpses or not self.is_glimpsed:
            return False
        least = COVERED_BELOW * float(self.seeing.deck.rough.inside.sum())
        return bool(self.likely[place] < PLACE_FIT or self.seen[place].sum() < least)

    def _glimpse_at_likeliest(self) -> None:
        likeliest = np.argsort(-self.likely, kind="stable")[:GLIMPSE_BATCH].tolist()
        some = [i for i in likeliest if self.likely[i] > 0 and self._needs_glimpse(i)]
        poses, rows = [self.pool.poses[i] for i in some], self.rows[some].tolist()
        glimpses = glimpse_all(self.seeing, poses, rows, self.covers)
        for place, glimpse in zip(some, glimpses, strict=True):
            self.likely[place] = 0 if glimpse is None else glimpse.promise
            if glimpse is not None:
                self.glimpses[place] = glimpse

    def find_clear(self) -> tuple[Likeness, ...]:
        """Compare whole places that lie apart in one call; return the clear cards."""
        if not self.seeing.plane or self.seeing.deck.certainty.at_a_glance is None:
            return ()
        pool, likely = self.pool, self.likely
        whole = (self.seen == self.seeing.deck.rough.inside).all(axis=1)
        apart = _places_apart(
            pool, [i for i in np.argsort(-likely) if whole[i] and likely[i] > GLANCE_LIKELIHOOD]
        )
        if len(apart) < 2:
            return ()
        poses, likeliest = [pool.poses[i] for i in apart], [int(self.rows[i]) for i in apart]
        glances = dict(zip(apart, glance_at_all(self.seeing, poses, likeliest), strict=True))
        self.unclear = {i: each for i, each in glances.items() if isinstance(each, Glimpse)}
        cards = (each for each in glances.values() if isinstance(each, Likeness))
        return tuple(card for card in cards if is_card(self.seeing, card))

    def look_at(self, place: int) -> Likeness | None:
        if glimpse := self.glimpses.get(place):
            self.failed.append(glimpse)
            return compare_finely(self.seeing, glimpse, self.covers)
        if glimpse := self.unclear.get(place):
            return compare_finely(self.seeing, glimpse, self.covers)
        return compare_card(self.seeing, self.pool.poses[place], int(self.rows[place]), self.covers)

    def is_failed(self, pose: Pose) -> bool:
        """Return whether nearly the same place held no card, and nothing has covered that place since."""
        return any(distance_moved(pose, other.pose) < SAME_SPOT_DISTANCE for other in self.failed)

    def _is_denied(self, glimpse: Glimpse) -> bool:
        """Return whether this place held no card, or this face wasn't nearby, where it seemed as likely.

        Otherwise, looks at one wrong face use up FRUITLESS_LOOKS: on boards wider than the cards by 2.5 %, only
        two of three overlapping cards were named.
        """
        face, outline = self._face_of(glimpse), outline_of(glimpse.pose)
        return self.is_failed(glimpse.pose) or any(
            self._face_of(each) == face
            and glimpse.promise < each.promise + CLEARER_BY
            and common_share(outline, outline_of(each.pose)) > NEARBY_SHARE
            for each in self.denied
        )

    def deny(self, place: int) -> None:
        """Record that a place holds no card, or not the likeliest one."""
        if place in self.glimpses:
            self.denied.append(self.glimpses[place])

    def _face_of(self, glimpse: Glimpse) -> int:
        return int(self.seeing.deck.faces[glimpse.fits.argmax()])


def _places_apart(pool: Pool, places: Sequence[int]) -> list[int]:
    """Choose places, in their order, whose cards would lie beside each other."""
    apart: list[int] = []
    middles, first, last = (pool.spots[:, k] for k in (pool.spots.shape[1] // 2, 0, -1))
    for i in places:
        room = BESIDE_DISTANCE * float(np.hypot(*(last[i] - first[i])))
        if all(np.hypot(*(middles[i] - middles[other])) > room for other in apart):
            apart.append(int(i))
    return apart


def poses_of(cards: Sequence[Likeness]) -> tuple[Pose, ...]:
    return tuple(each.pose for each in cards)


def _keep_waiting(seeing: Seeing, waiting: Sequence[Likeness], above: Sequence[Pose]) -> tuple[Likeness, ...]:
    """Compare uncertain whole cards again; drop those that other cards explain by now."""
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
    """Return whether cards cover nothing of a place, as far as it is in the picture."""
    shape = seeing.deck.rough.shape
    free, whole = (visible_cells([pose], shape, seeing.shape, above) for above in (covering, ()))
    return bool((free == whole).all())


def without_doubles(seeing: Seeing, found: Sequence[Likeness]) -> tuple[Likeness, ...]:
    """Drop unnamed cards that are parts of a named one, and slivers that are a named card read twice."""
    certain = [each for each in found if is_certain(seeing, each)]
    dropped = [each for each in certain if _is_read_twice(seeing, each, certain)]
    sure = [each for each in certain if each not in dropped]
    doubtful = [each for each in found if each not in certain]
    again = dict[int, Likeness]()
    for doubt in doubtful:
        for i, card in enumerate(sure):
            share = _share_under(seeing, doubt, card)
            if share < DOUBLE_SHARE:
                continue
            if share > SAME_CARD_SHARE and seeing.deck.faces[doubt.row] == seeing.deck.faces[card.row]:
                dropped.append(doubt)
                break
            above = [cover_of(each.pose) for each in sure[:i]]
            seems = compare_card(seeing, card.pose, card.row, above)
            if seems is not None and is_certain(seeing, seems):
                again[id(card)] = seems
                dropped.append(doubt)
                break
    return tuple(again.get(id(each), each) for each in found if each not in dropped)


def _is_read_twice(seeing: Seeing, card: Likeness, sure: Sequence[Likeness]) -> bool:
    """Return whether a sliver is a certain card of its face: touching it, or far under it if two can lie."""
    faces, among = seeing.deck.faces, seeing.among
    are_several = among is not None and among.get(seeing.deck.name_of(card.row), 0) > 1
    return card.visible < SLIVER_SHARE and any(
        other.visible > SLIVER_SHARE
        and faces[other.row] == faces[card.row]
        and _share_under(seeing, card, other) > (TWICE_SHARE if are_several else 0)
        for other in sure
    )


def _share_under(seeing: Seeing, card: Likeness, other: Likeness) -> float:
    shape = seeing.deck.rough.shape
    free, whole = (
        float(visible_cells([card.pose], shape, seeing.shape, above).sum())
        for above in ([cover_of(other.pose)], [])
    )
    return 1 - free / max(1.0, whole)


def _keep_doubtful(seeing: Seeing, doubtful: Sequence[Likeness], above: Sequence[Pose]) -> tuple[Likeness, ...]:
    kept: list[Likeness] = []
    for card in sorted(doubtful, key=lambda each: -each.fit)[:DOUBTFUL_LOOKS]:
        covering = [cover_of(pose) for pose in (*above, *poses_of(kept))]
        again = compare_card(seeing, card.pose, card.row, covering)
        if again is not None and _could_be_card(again) and not is_certain(seeing, again):
            kept.append(again)
    return tuple(kept)


def _could_be_card(card: Likeness) -> bool:
    """Return whether an unnamed, covered thing is clearly a card."""
    has_sign = card.index > LEAST_INDEX_FIT or (
        isnan(card.index) and card.fit > PLACED_FIT and card.score > PLACED_SCORE
    )
    return bool(
        card.visible > DOUBTFUL_SHARE and card.fit > DOUBTFUL_FIT and has_sign and card.misfit < CARD_MISFIT
    )


def hide_places(pool: Pool, above: Sequence[Pose]) -> Floats:
    """Return the cells of each place that cards leave visible."""
    seen = pool.seen.copy()
    cover_places(pool, seen, [cover_of(pose) for pose in above])
    return seen


def enough_seen(deck: Templates, seen: Floats) -> Indices:
    """Return the places of which enough is visible to be examined."""
    return np.flatnonzero(seen.sum(axis=1) > LEAST_SHARE * deck.rough.inside.sum())


def cover_places(pool: Pool, seen: Floats, above: Sequence[Cover]) -> Indices:
    """Hide the cells that cards cover at each place; return the changed places."""
    if not above:
        return np.array([], np.intp)
    is_near = _places_near(pool, above)
    places = np.flatnonzero(is_near.any(axis=1))
    # most places near a card are its own, and have no visible cells left
    places = places[seen[places].any(axis=1)]
    spots, before = pool.spots[places], seen[places]
    free = before.copy()
    for card, near in zip(above, is_near[places].T, strict=True):
        free[near] *= uncovered_places(spots[near], card)
    seen[places] = free
    return np.asarray(places[(free != before).any(axis=1)])


def _places_near(pool: Pool, above: Sequence[Cover]) -> NDArray[np.bool_]:
    """Return a table of places (rows) and cards (columns): whether the card may cover some of the place."""
    boxes = np.array([card.box for card in above], np.float32)
    sides = boxes[:, 2:] - boxes[:, :2]
    off = pool.spots[:, pool.spots.shape[1] // 2, None] - (boxes[:, :2] + sides / 2)
    return np.asarray(np.hypot(off[..., 0], off[..., 1]) < NEAR_CARD * np.hypot(sides[:, 0], sides[:, 1]))


def rate_places(
    deck: Templates, pool: Pool, seen: Floats, which: Indices, least: tuple[float, float]
) -> tuple[Floats, Indices]:
    """Return the likelihood of a card at each place (0: not worth a look), and its likeliest row.

    Partly and fully visible places that fit a row less than `least` aren't worth a look.
    """
    value, row = np.zeros(len(which), np.float32), np.zeros(len(which), np.intp)
    share = seen[which].sum(axis=1) / deck.rough.inside.sum()
    enough = np.flatnonzero(share > LEAST_SHARE)
    if len(enough):
        fits = resemblances(deck.rough, pool.labs[:, which[enough]], seen[which[enough]])
        row[enough], best = fits.argmax(axis=1), fits.max(axis=1)
        needed = np.where(share[enough] < 1, *least)
        value[enough] = np.where(best > needed, best * share[enough] ** 0.25, 0)
    return value, row


def is_card(seeing: Seeing, card: Likeness) -> bool:
    """Return whether this is a card of the deck."""
    if card.visible < LEAST_SHARE or card.fit < CARD_FIT:
        return False
    if card.fit < FAIR_FIT and (card.misfit > CARD_MISFIT or card.strange > FOREIGN_DIFFERENCE):
        return False
    four = outline_of(card.pose)
    width = min(dist(four[0], four[1]), dist(four[1], four[2]))
    if not cv2.isContourConvex(np.array(four, np.float32)) or width < LEAST_WIDTH:
        return False
    if card.visible < COVERED_BELOW:
        return is_certain(seeing, card)
    return True


def is_certain(seeing: Seeing, card: Likeness) -> bool:
    if card.at_a_glance:  # stricter limits have been applied
        return True
    least = CERTAIN if card.visible > SLIVER_SHARE else SLIVER_CERTAINTY
    leads = card.visible < COVERED_BELOW or _margin(seeing, card) >= CERTAIN_LEAD
    return leads and certainty_of_name(seeing, card) >= least


def certainty_of_name(seeing: Seeing, card: Likeness) -> float:
    """Return the probability that a card's likeliest face is right; 0 if nothing visible decides it."""
    deck, name = seeing.deck, seeing.deck.name_of(card.row)
    if name in deck.untaught or (name == BACK and not _is_own_back(card)):
        return 0.0
    if cell_size(card.pose, deck.fine.shape) < LEAST_CELL or not is_supported(card, deck.certainty):
        return 0.0
    doubt = doubt_of(card, deck, seeing.strangers)
    chance = min(card.most, chance_of(card, _margin(seeing, card), deck.certainty, doubt))
    # only a whole card refutes that its face is badly cut
    return min(chance, PROBABLE) if name in deck.doubtful and card.visible < COVERED_BELOW else chance


def _is_own_back(card: Likeness) -> bool:
    if card.fit < OTHER_BACK_FIT and card.foreign > OTHER_BACK_DIFFERENCE:
        return False
    return card.visible > COVERED_BELOW or (
        card.score > COVERED_BACK_SCORE and card.visible > COVERED_BACK_SHARE
    )


def _margin(seeing: Seeing, card: Likeness) -> float:
    """Return the best face's lead over the others; faces that can't be on the table don't count."""
    deck, among = seeing.deck, seeing.among
    if among is None or not among.get(deck.name_of(card.row)) or card.margin < LEAST_MARGIN:
        return card.margin
    possible = [1 - near for row, near in card.rivals if among.get(deck.name_of(row))]
    return min(possible, default=1.0)
