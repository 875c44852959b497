"""Read a picture: name every card, with its certainty and alternatives."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from math import atan2, degrees, floor
from typing import Literal

import cv2
import numpy as np
from msgspec.structs import replace

from vision.reading.corners import (
    PRINT,
    Spot,
    corners_among,
    edge_bits,
    find_cards_by_print,
    find_printed_parts,
    lines_in,
    mask_left_over,
    support,
)
from vision.reading.deciding import Likeness
from vision.reading.explaining import (
    Pool,
    certainty_of_name,
    enough_seen,
    explain_heap,
    explain_places,
    hide_places,
    is_certain,
    join_pools,
    pool_of,
    poses_of,
    without_doubles,
)
from vision.reading.focus import cell_size
from vision.reading.identifying import resemblances
from vision.reading.looking import Seeing
from vision.reading.moved_places import (
    HOPEFUL,
    distinct_poses,
    explain_moved_places,
    keep_distinct,
    move_onto_rows,
    pairs_near,
)
from vision.reading.outlines import (
    find_lone_cards,
    find_lone_cards_in_mask,
    find_more_lone_cards,
    outlines_in,
    rigid_pose,
)
from vision.reading.templates import BACK, STRANGERS, Floats, Templates
from vision.reading.thresholds import CLEAR_CERTAINTY, LARGEST_SHARE, NEARBY_SHARE
from vision.reading.views import (
    Picture,
    PictureView,
    Pose,
    Surroundings,
    along_sides,
    common_share,
    has_card_size,
    map_each,
    outline_of,
    plane_under,
    pyramid,
    view_of,
)
from vision.sightings import Outline, Reading, RunnerUp, Sighting, UnexplainedThing
from vision.table.plane import as_outline, inverse, map_points

POOL = 200  # most positions compared with the deck


def read(
    frame: Picture,
    deck: Templates,
    among: Mapping[str, int] | None = None,
    table: Surroundings | None = None,
    strangers: float = STRANGERS,
) -> Reading:
    """Read every card of a deck in a picture.

    `among` counts the cards that can be on the table; `table` describes the empty table. `strangers` is the
    expected number of untaught cards per taught one, besides those of `among` that the deck lacks.
    """
    picture = _colour(frame)
    if picture is None:
        return Reading(())
    levels = pyramid(picture)
    view = view_of(levels, deck.size, table)
    seeing = Seeing(levels, deck, among, table is not None, strangers + _lacking_share(deck, among))
    poses = distinct_poses(find_lone_cards(view, deck.size))
    pools = [pool_of(seeing, poses)]
    found = explain_places(seeing, pools[0], ())
    if view.card is None:
        found = _without_scraps(seeing, found)
        # one sure card gives the plane, on which a search takes a hundredth of the time
        if (above := _view_by(seeing, found)) is None:
            poses = distinct_poses([*poses, *find_more_lone_cards(view, deck.size)])
            pools = [pool_of(seeing, poses)]
            found = _without_scraps(seeing, explain_places(seeing, pools[0], ()))
            above = _view_by(seeing, found)
        if above is not None:
            again = distinct_poses(find_lone_cards(above, deck.size))
            sure = [each for each in found if is_certain(seeing, each)]
            doubted = [each for each in sure if certainty_of_name(seeing, each) < CLEAR_CERTAINTY]
            found = tuple(each for each in found if each not in doubted)
            more = explain_places(seeing, pool_of(seeing, again), poses_of(found))
            found = (*found, *_best_looks(seeing, doubted, more))
            view = _view_by(seeing, found) or above
            found = _leave_out_odd_sizes(seeing, found, view)
    if view.card is not None:
        found = _with_covered(seeing, view, view.card, found, pools)
    cards = _mark_impossible([_sighting(seeing, each) for each in found], among)
    return Reading(cards, _find_unexplained(view, poses[:POOL], found, table))


def _lacking_share(deck: Templates, among: Mapping[str, int] | None) -> float:
    """Return the number of cards of `among` without a taught face, per taught one."""
    if among is None:
        return 0.0
    taught = sum(count for face, count in among.items() if face in deck.names and face not in deck.untaught)
    return (sum(among.values()) - taught) / max(1, taught)


def read_places(seeing: Seeing, poses: Sequence[Pose]) -> tuple[Sighting, ...]:
    """Return cards that are certainly on top at the proposed positions."""
    pool = _pool_moved(seeing, poses)
    sightings = (_sighting(seeing, each) for each in explain_places(seeing, pool, ()))
    return tuple(each for each in sightings if each.sure)


def _pool_moved(seeing: Seeing, poses: Sequence[Pose]) -> Pool:
    """Sample the picture at positions that resemble a row, after aligning each with it."""
    first = pool_of(seeing, poses)
    fits = resemblances(seeing.deck.rough, first.labs, first.seen)
    some = np.flatnonzero(fits.max(axis=1) > HOPEFUL)
    if not len(some):
        return pool_of(seeing, ())
    near, rows = [first.poses[i] for i in some], fits[some].argmax(axis=1)
    return pool_of(seeing, move_onto_rows(seeing.levels, near, first.seen[some], seeing.deck, rows))


def _colour(frame: Picture) -> Picture | None:
    array = np.asarray(frame)
    if array.ndim not in {2, 3} or min(array.shape[:2]) < 24 or array.size == 0:
        return None
    if array.dtype != np.uint8:
        array = np.clip(np.nan_to_num(array.astype(np.float64)), 0, 255).astype(np.uint8)
    if array.ndim == 2 or array.shape[2] == 1:
        return np.asarray(cv2.cvtColor(np.ascontiguousarray(array), cv2.COLOR_GRAY2BGR), np.uint8)
    return np.ascontiguousarray(array[..., :3]) if array.shape[2] >= 3 else None


def _view_by(seeing: Seeing, found: Sequence[Likeness]) -> PictureView | None:
    sure = [each.pose for each in found if is_certain(seeing, each) and each.visible > 0.9]
    if not sure:
        return None
    size = seeing.deck.size
    view = view_of(seeing.levels, size, Surroundings(plane_under(sure, size, seeing.shape)))
    return view if view.card is not None else None


def _best_looks(seeing: Seeing, first: Sequence[Likeness], again: Sequence[Likeness]) -> tuple[Likeness, ...]:
    """Keep the better fitting of two looks at one place.

    The second look may find a better pose, but it is no second picture: the same face gets no more probable.
    """
    best = list[Likeness]()
    for look in sorted((*first, *again), key=lambda each: -each.fit):
        outline = outline_of(look.pose)
        near = [
            i for i, each in enumerate(best) if common_share(outline, outline_of(each.pose)) >= NEARBY_SHARE
        ]
        if not near:
            best.append(look)
        for i in near if look in first else ():
            if seeing.deck.faces[best[i].row] == seeing.deck.faces[look.row]:
                best[i] = replace(best[i], most=certainty_of_name(seeing, look))
    return tuple(best)


def _without_scraps(seeing: Seeing, found: Sequence[Likeness]) -> tuple[Likeness, ...]:
    """Remove certain cards much smaller than the largest: print or grain that resembles a face."""
    widths = [cell_size(each.pose, (1, 1)) if is_certain(seeing, each) else np.inf for each in found]
    largest = max((width for width in widths if width < np.inf), default=0.0)
    return tuple(each for each, width in zip(found, widths, strict=True) if width >= LARGEST_SHARE * largest)


def _leave_out_odd_sizes(
    seeing: Seeing, found: tuple[Likeness, ...], view: PictureView
) -> tuple[Likeness, ...]:
    """Remove cards of another size than the sure ones, if enough of these agree. Half of a six is a three."""
    card = view.card
    if card is None:
        return found
    fitting = tuple(each for each in found if has_card_size(each.pose, view.back, card))
    agreed = sum(is_certain(seeing, each) for each in fitting)
    odd = sum(is_certain(seeing, each) for each in found) - agreed
    return fitting if agreed >= AGREED and agreed > 2 * odd else found


AGREED = 3  # fewest sure cards that define the size of a card


# covered cards


def _with_covered(
    seeing: Seeing, view: PictureView, card: tuple[float, float], found: tuple[Likeness, ...], pools: list[Pool]
) -> tuple[Likeness, ...]:
    """Search unexplained print for covered cards, coarsely, then finely; add the positions to the pools."""
    rest = _mask_left_over(view, card, found)
    again = find_lone_cards_in_mask(view, rest, card)
    pools.append(pool_of(seeing, distinct_poses(again)))
    more = explain_places(seeing, pools[-1], poses_of(found))
    if bare := list(find_cards_by_print(view, card, [outline_of(each.pose) for each in (*found, *more)])):
        pools.append(_pool_moved(seeing, bare))
        more = (*more, *explain_places(seeing, pools[-1], poses_of((*found, *more))))
    bits, placed = None, tuple[Likeness, ...]()
    for fine in FINE:
        found = (*found, *more)
        rest = _mask_left_over(view, card, (*found, *placed)) if more or placed else rest
        if not (boxes := find_printed_parts(view, rest, card)):
            break
        bits = edge_bits(view.grey) if bits is None else bits
        unit = max(card) / 88
        corners = corners_among(lines_in(seeing.levels, view, boxes, unit, fine, rest), view, unit)
        spots = _best_supported(bits, corners, card)
        poses = [view.back @ rigid_pose(middle, turn, card) for middle, turn in spots]
        pools.append(pool_of(seeing, poses))
        more, resting = explain_heap(seeing, pools[-1], poses_of((*found, *placed)))
        placed = (*placed, *resting)
    else:
        found = (*found, *more)
    # what unsure cards explain may be a card under the rim of another
    sure = (*(each for each in found if is_certain(seeing, each)), *placed)
    if find_printed_parts(view, _mask_left_over(view, card, sure), card):
        named, placed = explain_moved_places(seeing, join_pools(pools), poses_of(sure))
        above = poses_of((*sure, *named, *placed))
        found = (*found, *named, *_explain_under_rims(seeing, join_pools(pools), above))
    return without_doubles(seeing, found)


def _explain_under_rims(seeing: Seeing, pool: Pool, above: Sequence[Pose]) -> tuple[Likeness, ...]:
    """Identify cards under cards that are wider than taught, such as in sleeves or on board."""
    named, pool = tuple[Likeness, ...](), pool.only(enough_seen(seeing.deck, hide_places(pool, above)))
    for rim in RIMS:
        covering = (*above, *poses_of(named))
        wider = [pose @ np.diag((1 + 2 * rim, 1 + 2 * rim, 1)) for pose in covering]
        is_changed = (hide_places(pool, covering) != hide_places(pool, wider)).any(axis=1)
        cards = explain_places(seeing, pool.only(np.flatnonzero(is_changed)), wider)
        named = (*named, *(each for each in cards if is_certain(seeing, each)))
    return named


RIMS = (0.05, 0.09)
"""Margins tried around named cards, as shares of a card.

Without them, only the topmost of three cards on a board wider by 3 % was named.
"""


def _mask_left_over(view: PictureView, card: tuple[float, float], found: Sequence[Likeness]) -> Picture:
    return _mask_beside(view, card, frozenset(outline_of(each.pose) for each in found))


@lru_cache(maxsize=1)
def _mask_beside(view: PictureView, card: tuple[float, float], outlines: frozenset[Outline]) -> Picture:
    """Return a mask of print outside the outlines; cached, because an unsuccessful search asks again."""
    return mask_left_over(view, sorted(outlines), card)


FINE = (110, 176)
"""Card lengths in pixels of the two line searches.

With the first one alone, 25 fewer of 599 rendered cards were named; with the second alone, 8.
"""


def _best_supported(bits: Picture, corners: Sequence[Spot], card: tuple[float, float]) -> list[Spot]:
    """Select the corner cards whose sides follow edges best, one per group of nearly equal ones."""
    if not corners:
        return []
    total = support(bits, corners, card).sum(axis=1)
    spots = np.array([(x, y, turn * min(card) / 2) for (x, y), turn in corners])
    best = np.argsort(-total, kind="stable")[:4000]
    best = best[total[best] >= BORNE_OUT]
    # a larger distance makes it another position, even along one axis only
    near = partial(pairs_near, spots[best], reach=1.5 * max(card) / 88)
    return [corners[best[i]] for i in keep_distinct(len(best), POOL, near)]


BORNE_OUT = 1.2  # smallest sum of the four sides' shares on edges; hidden sides have none


# the sightings


def _sighting(seeing: Seeing, card: Likeness) -> Sighting:
    deck, among, name = seeing.deck, seeing.among, seeing.deck.name_of(card.row)
    sure = is_certain(seeing, card)
    facing: Literal["up", "down"] = "down" if name == BACK else "up"
    own = card.pose @ HALF_TURN if deck.turned[card.row] else card.pose
    rivals = _runners_up(card, deck)
    return Sighting(
        face=name if sure and name != BACK else None,
        sure=sure,
        score=round(card.score, 3),
        runners_up=rivals if sure or name in deck.untaught else (RunnerUp(name, round(card.score, 3)), *rivals),
        outline=outline_of(own),
        facing=facing,
        visible=round(card.visible, 3),
        turned=None if name in deck.symmetric or card.way < UPRIGHT else _turn_degrees(own),
        possible=among is None or not sure or name == BACK or among.get(name, 0) > 0,
        chance=floor(certainty_of_name(seeing, card) * 1000) / 1000,
    )


HALF_TURN = np.diag((-1.0, -1.0, 1.0))
UPRIGHT = 0.35  # smallest lead of one orientation over the opposite one for it to be reported


def _runners_up(card: Likeness, deck: Templates) -> tuple[RunnerUp, ...]:
    best: dict[str, float] = {}
    for row, near in card.rivals:
        if (name := deck.name_of(row)) not in deck.untaught:
            best.setdefault(name, near)
    return tuple(RunnerUp(name, round(card.score * min(1.0, near), 3)) for name, near in list(best.items())[:3])


def _turn_degrees(pose: Pose) -> float:
    (top_x, top_y), (bottom_x, bottom_y) = map_each(pose, ((0, -0.5), (0, 0.5)))
    return degrees(atan2(top_x - bottom_x, bottom_y - top_y)) % 360


def _mark_impossible(cards: Sequence[Sighting], among: Mapping[str, int] | None) -> tuple[Sighting, ...]:
    if among is None:
        return tuple(cards)
    counted, out = Counter[str](), []
    for card in cards:
        counted[card.face or ""] += card.face is not None
        extra = card.face is not None and counted[card.face] > among.get(card.face, 0)
        out.append(replace(card, possible=False) if extra else card)
    return tuple(out)


def _find_unexplained(
    view: PictureView, poses: Sequence[Pose], found: Sequence[Likeness], table: Surroundings | None
) -> tuple[UnexplainedThing, ...]:
    """Return objects other than the deck's cards that stand out from the table or have print."""
    if view.card is None:
        return ()
    explained = (*(outline_of(each.pose) for each in found), *(table.things if table else ()))
    known = [np.array(outline, np.float32) for outline in explained]
    # without a picture of the empty table, a mat's print would be reported
    printed = _printed_outlines(view, view.card, found) if table and table.lines is not None else ()
    cards = ((outline_of(pose), 1.0, pose) for pose in poses)
    out: list[UnexplainedThing] = []
    for outline, area, pose in [*cards, *((outline, area, None) for outline, area in printed)]:
        x, y = (sum(each) / len(outline) for each in zip(*outline, strict=True))
        if any(cv2.pointPolygonTest(each, (x, y), False) >= 0 for each in known):
            continue
        if pose is None or _stands_out(view, pose):
            out.append(UnexplainedThing(outline, area))
            known.append(np.array(outline, np.float32))
    return tuple(out)


def _printed_outlines(
    view: PictureView, card: tuple[float, float], found: Sequence[Likeness]
) -> Iterator[tuple[Outline, float]]:
    """Yield outlines of leftover areas with as much print as a partly visible card."""
    whole = card[0] * card[1]
    for contour in outlines_in(_mask_left_over(view, card, found)):
        area = cv2.contourArea(contour) / whole
        if area <= A_PART:
            continue
        inside = np.zeros_like(view.solid)
        cv2.drawContours(inside, [contour], -1, 255, cv2.FILLED)
        if np.count_nonzero(cv2.bitwise_and(inside, view.edges)) > PRINT * whole:
            corners = np.array(cv2.boxPoints(cv2.minAreaRect(contour)), np.float64)
            yield as_outline(map_points(view.back, corners)), round(area, 2)


A_PART = 0.3  # smallest leftover area reported, as a share of a card


def _stands_out(view: PictureView, pose: Pose) -> bool:
    inner, outer = (_colours_round(view, pose, reach) for reach in (0.44, 0.56))
    return bool((np.abs(inner - outer).max(axis=1) > 12).all())


def _colours_round(view: PictureView, pose: Pose, reach: float) -> Floats:
    """Return the median colour along each of a card's four sides, inside or outside it."""
    ring = along_sides(reach, 0.4, 15).reshape(-1, 2)
    spots = np.rint(map_points(inverse(view.back) @ pose, ring)).astype(np.intp)
    x, y = np.clip(spots, 0, (view.grey.shape[1] - 1, view.grey.shape[0] - 1)).T
    return np.asarray(np.median(view.picture[y, x].reshape(4, 15, 3).astype(np.float32), axis=1), np.float32)
