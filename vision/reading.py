"""Read a picture: every card on the table, how sure, and what else it could be."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import atan2, degrees
from typing import Literal

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from vision.finding import (
    CORNERS,
    Picture,
    Pose,
    Reals,
    View,
    alone,
    area_of,
    busy,
    corners_among,
    edge_bits,
    lines_in,
    outline_of,
    rigid,
    support,
    through,
    view_of,
)
from vision.identifying import (
    Indices,
    Likeness,
    coarse_labs,
    compared,
    correlations,
    places,
    pyramid,
    uncovered,
)
from vision.sightings import Reading, RunnerUp, Sighting, Unexplained
from vision.templates import BACK, Floats, Templates

CLEAR, DOUBT = 0.35, 2.0
"""A face is told when its margin is over CLEAR and DOUBT times its misfit."""
SCORE = 0.6
"""It must have so much of what sets it apart from other cards."""
INDEX = 0.5
"""One corner with an index must fit so well."""
COVERED_SCORE, COVERED_INDEX = 0.88, 0.75
"""Both must be better where a part is covered: what seems to be the card may belong to its neighbour."""
LIKELY = 0.6
"""What correlates less with every face isn't looked at more closely."""
FIT = 0.6
"""A card's cells must correlate so well with the face's."""
A_CARD = 0.16
"""What misfits more than this is no card of the deck."""
HINT = 0.15
"""A face that fits best by less isn't told, whatever else can be on the table."""
COVERED_BACK = 0.94
"""A back's pattern fits in many places."""
WHOLE = 0.97
"""The visible share of a card on which nothing lies."""
LEAST = 0.13
"""The least visible share of a card that is looked at."""
POOL = 200
"""So many places are compared with the deck."""


class Pool(Struct, frozen=True, eq=False):
    """Places where a card could lie, and how each looks."""

    poses: tuple[Pose, ...]
    labs: Floats
    spots: Floats
    """Where each place's cells are in the picture."""
    seen: Floats
    """Which of its cells are in the picture."""


def read(
    frame: Picture,
    deck: Templates,
    among: Mapping[str, int] | None = None,
    plane: Reals | None = None,
) -> Reading:
    """Read every card of a deck in a picture.

    `plane` brings the table's millimetres to pixels, where it is known. `among` says what can be on the table.
    """
    picture = _colour(frame)
    if picture is None:
        return Reading(())
    view = view_of(picture, deck.size, plane)
    levels = pyramid(picture)
    seeing = _Seeing(picture.shape[:2], levels, deck, among, plane is not None)
    poses = _distinct(alone(view, deck.size))
    found = _explained(seeing, _pool(seeing, poses), ())
    if view.card is None and found:
        view = _view_by(picture, deck, found) or view
        again = alone(view, deck.size) if view.card is not None else []
        found = (*found, *_explained(seeing, _pool(seeing, _distinct(again)), found))
    if view.card is not None:
        found = (*found, *_explained(seeing, _pool(seeing, _behind(picture, view, view.card, found)), found))
    cards = _counted(tuple(_sighting(each, deck, among) for each in found), among)
    return Reading(cards, _unexplained(view, poses, found))


class _Seeing(Struct, frozen=True, eq=False):
    """What every step of one reading needs."""

    shape: tuple[int, ...]
    levels: tuple[Picture, ...]
    deck: Templates
    among: Mapping[str, int] | None
    plane: bool


def _colour(frame: Picture) -> Picture | None:
    """Bring any picture to blue, green, red; none if there is nothing to see in it."""
    array = np.asarray(frame)
    if array.ndim not in {2, 3} or min(array.shape[:2]) < 24 or array.size == 0:
        return None
    if array.dtype != np.uint8:
        array = np.clip(np.nan_to_num(array.astype(np.float64)), 0, 255).astype(np.uint8)
    if array.ndim == 2 or array.shape[2] == 1:
        return np.asarray(cv2.cvtColor(np.ascontiguousarray(array), cv2.COLOR_GRAY2BGR), np.uint8)
    return np.ascontiguousarray(array[..., :3]) if array.shape[2] >= 3 else None


def _view_by(picture: Picture, deck: Templates, found: Sequence[Likeness]) -> View | None:
    """Take the plane of the table from the largest card that was told."""
    sure = [each for each in found if _told(each, deck) and each.visible > 0.9]
    if not sure:
        return None
    largest = max(sure, key=lambda each: area_of(each.pose))
    unit = np.diag((1 / deck.size[0], 1 / deck.size[1], 1.0))
    view = view_of(picture, deck.size, _flat(largest.pose) @ unit)
    return view if view.card is not None else None


def _flat(pose: Pose) -> Pose:
    """Take the perspective out of a pose: one card is too small to tell it for the whole table."""
    middle, across, down = through(pose, np.array([(0, 0), (0.5, 0), (0, 0.5)]))
    left, above = through(pose, np.array([(-0.5, 0), (0, -0.5)]))
    flat = np.eye(3)
    flat[:2] = np.column_stack((across - left, down - above, middle))
    return flat


# places to look at


def _distinct(poses: Sequence[Pose]) -> list[Pose]:
    """Keep one of several places that are nearly the same."""
    kept: list[Pose] = []
    corners: list[Reals] = []
    for pose in poses:
        four = through(pose, CORNERS)
        near = 0.02 * np.hypot(*(four[0] - four[2]))
        if not corners or _as_far(four, np.array(corners)).min() >= near:
            kept.append(pose)
            corners.append(four)
    return kept


def _as_far(one: Reals, others: Reals) -> Reals:
    """Tell how far the corners of a quad are from others' at most, either way up."""
    as_it_is, turned = (np.abs(others - np.roll(one, turn, axis=0)).max(axis=(1, 2)) for turn in (0, 2))
    return np.asarray(np.minimum(as_it_is, turned))


def _behind(picture: Picture, view: View, card: tuple[float, float], found: Sequence[Likeness]) -> list[Pose]:
    """Look for corners among the lines where print is that no card explains."""
    unit = max(card) / 88
    boxes = busy(view, [outline_of(each.pose) for each in found], card)
    corners = corners_among(lines_in(picture, view, boxes, unit), view, unit) if boxes else []
    if not corners:
        return []
    held = support(edge_bits(view.grey), corners, card)
    total = held.sum(axis=1)
    order = np.argsort(-total, kind="stable")
    spots = np.array([(x, y, turn * min(card) / 2) for (x, y), turn in corners])
    kept: list[int] = []
    for i in order[:4000].tolist():
        if total[i] < 1.2 or len(kept) >= POOL:
            break
        if kept and (np.abs(spots[kept] - spots[i]).max(axis=1) < 1.5 * unit).any():
            continue
        kept.append(i)
    return [view.back @ rigid(corners[i][0], corners[i][1], card) for i in kept]


def _pool(seeing: _Seeing, poses: Sequence[Pose]) -> Pool:
    """Look at all places at once."""
    grid = seeing.deck.coarse
    cells = places(grid.shape)
    spots = np.stack([through(pose, cells) for pose in poses]) if poses else np.zeros((0, len(cells), 2))
    high, wide = seeing.shape[:2]
    inside = ((spots > 1) & (spots < (wide - 2, high - 2))).all(axis=2)
    labs = coarse_labs(seeing.levels, poses, grid.shape)
    return Pool(tuple(poses), labs, spots.astype(np.float32), (inside * grid.inside).astype(np.float32))


# explaining what lies there, the clearest first


def _explained(seeing: _Seeing, pool: Pool, above: Sequence[Likeness]) -> tuple[Likeness, ...]:
    """Take the likeliest place, tell what lies there, let it cover the others; and again."""
    if not pool.poses:
        return ()
    found: list[Likeness] = []
    doubtful: list[Likeness] = []
    seen = pool.seen.copy()
    for card in above:
        _cover(pool, seen, card.pose)
    likely = _likely(seeing.deck, pool, seen, np.arange(len(seen)))
    while likely[best := int(likely.argmax())] > 0:
        likely[best] = 0
        covering = [each.pose for each in (*above, *found)]
        told = compared(seeing.levels, pool.poses[best], seeing.deck, covering, plane=seeing.plane)
        if told is not None and _is_card(told, seeing):
            found.append(told)
            changed = _cover(pool, seen, told.pose)
            likely[changed] = _likely(seeing.deck, pool, seen, changed)
        elif told is not None and _could_be_card(told):
            doubtful.append(told)
    return (*found, *_doubted(seeing, doubtful, (*above, *found)))


def _doubted(seeing: _Seeing, doubtful: list[Likeness], above: Sequence[Likeness]) -> tuple[Likeness, ...]:
    """Keep of the covered cards that couldn't be told those that nothing else explains."""
    kept: list[Likeness] = []
    for card in sorted(doubtful, key=lambda each: -each.fit)[:DOUBTFUL]:
        covering = [each.pose for each in (*above, *kept)]
        again = compared(seeing.levels, card.pose, seeing.deck, covering, plane=seeing.plane)
        if again is not None and _could_be_card(again) and not _told(again, seeing.deck, seeing.among):
            kept.append(again)
    return tuple(kept)


DOUBTFUL = 8
"""So many covered cards that couldn't be told are looked at once more."""


def _could_be_card(card: Likeness) -> bool:
    """Tell whether most of a covered card is seen so well that it must be one, whichever it is."""
    return bool(card.visible > 0.4 and card.fit > 0.8 and card.index > COVERED_INDEX and card.misfit < A_CARD)


def _cover(pool: Pool, seen: Floats, pose: Pose) -> Indices:
    """Take away what a card covers of each place; tell which places that concerns."""
    four = np.array(outline_of(pose))
    middles = pool.spots[:, pool.spots.shape[1] // 2]
    near = np.flatnonzero(np.hypot(*(middles - four.mean(axis=0)).T) < 1.2 * np.hypot(*(four[0] - four[2])))
    free = seen[near] * uncovered(pool.spots[near], pose)
    changed = near[(free != seen[near]).any(axis=1)]
    seen[near] = free
    return np.asarray(changed)


def _likely(deck: Templates, pool: Pool, seen: Floats, which: Indices) -> Floats:
    """Correlate what is visible at some places with all faces; 0 for what isn't worth a look."""
    value = np.zeros(len(which), np.float32)
    share = seen[which].sum(axis=1) / deck.coarse.inside.sum()
    enough = np.flatnonzero(share > LEAST)
    if len(enough):
        best = correlations(deck.coarse, pool.labs[which[enough]], seen[which[enough]]).max(axis=1)
        value[enough] = np.where(best > LIKELY, best * share[enough] ** 0.25, 0)
    return value


def _is_card(card: Likeness, seeing: _Seeing) -> bool:
    """Tell whether a card of the deck lies there at all."""
    if card.visible < LEAST or card.misfit > A_CARD or card.fit < FIT:
        return False
    four = np.array(outline_of(card.pose))
    width = min(np.hypot(*(four[0] - four[1])), np.hypot(*(four[1] - four[2])))
    if not cv2.isContourConvex(four.astype(np.float32)) or width < 20:
        return False
    if card.visible < WHOLE:
        return _told(card, seeing.deck, seeing.among)
    return True


def _told(card: Likeness, deck: Templates, among: Mapping[str, int] | None = None) -> bool:
    """Tell whether its face is beyond doubt."""
    whole = card.visible > WHOLE
    if _margin(card, deck, among) < CLEAR + DOUBT * card.misfit or card.score < (
        SCORE if whole else COVERED_SCORE
    ):
        return False
    if deck.names[deck.faces[card.row]] == BACK:
        return whole or card.score > COVERED_BACK
    index = INDEX if whole else COVERED_INDEX
    return bool(card.index >= index) or (bool(np.isnan(card.index)) and card.visible > 0.45)


def _margin(card: Likeness, deck: Templates, among: Mapping[str, int] | None) -> float:
    """Tell how clearly a face fits best; if it can be there, those that can't be count less against it."""
    name = deck.names[deck.faces[card.row]]
    if among is None or not among.get(name) or card.margin < HINT:
        return card.margin
    possible = [1 - near for row, near in card.rivals if among.get(deck.names[deck.faces[row]])]
    return min(possible, default=1.0)


# telling it


def _sighting(card: Likeness, deck: Templates, among: Mapping[str, int] | None) -> Sighting:
    name = deck.names[deck.faces[card.row]]
    told = _told(card, deck, among)
    facing: Literal["up", "down"] = "down" if name == BACK else "up"
    own = card.pose @ np.diag((-1.0, -1.0, 1.0)) if deck.turned[card.row] else card.pose
    rivals = _runners_up(card, deck)
    return Sighting(
        face=name if told and name != BACK else None,
        sure=told,
        score=round(card.score, 3),
        runners_up=rivals if told else (RunnerUp(name, round(card.score, 3)), *rivals),
        outline=outline_of(own),
        facing=facing,
        visible=round(card.visible, 3),
        turned=None if name in deck.symmetric or card.way < CLEAR else _turned(own),
        possible=among is None or not told or name == BACK or among.get(name, 0) > 0,
    )


def _runners_up(card: Likeness, deck: Templates) -> tuple[RunnerUp, ...]:
    best: dict[str, float] = {}
    for row, near in card.rivals:
        best.setdefault(deck.names[deck.faces[row]], near)
    return tuple(RunnerUp(name, round(card.score * min(1.0, near), 3)) for name, near in list(best.items())[:3])


def _turned(pose: Pose) -> float:
    """Measure by how many degrees a card's upper edge points away from the picture's."""
    top, bottom = through(pose, np.array([(0, -0.5), (0, 0.5)]))
    return degrees(atan2(top[0] - bottom[0], bottom[1] - top[1])) % 360


def _counted(cards: Sequence[Sighting], among: Mapping[str, int] | None) -> tuple[Sighting, ...]:
    """Say of cards that are seen more often than they exist that they can't all be there."""
    if among is None:
        return tuple(cards)
    told, out = Counter[str](), []
    for card in cards:
        told[card.face or ""] += card.face is not None
        extra = card.face is not None and told[card.face] > among.get(card.face, 0)
        out.append(replace(card, possible=False) if extra else card)
    return tuple(out)


def _unexplained(view: View, poses: Sequence[Pose], found: Sequence[Likeness]) -> tuple[Unexplained, ...]:
    """Report what has a card's outline and looks unlike the table round it, but is no card of the deck."""
    if view.card is None:
        return ()
    told = [np.array(outline_of(each.pose), np.float32) for each in found]
    out: list[Unexplained] = []
    for pose in poses:
        middle = through(pose, np.zeros((1, 2)))[0]
        spot = (float(middle[0]), float(middle[1]))
        known = [*told, *(np.array(each.outline, np.float32) for each in out)]
        if any(cv2.pointPolygonTest(each, spot, False) >= 0 for each in known) or not _stands_out(view, pose):
            continue
        out.append(Unexplained(outline_of(pose), 1.0))
    return tuple(out)


def _stands_out(view: View, pose: Pose) -> bool:
    """Tell whether what is just inside an outline differs from what is just outside, on every side."""
    inner, outer = (_colours_round(view, pose, reach) for reach in (0.44, 0.56))
    return bool((np.abs(inner - outer).max(axis=1) > 12).all())


def _colours_round(view: View, pose: Pose, reach: float) -> Floats:
    """Take the middle colour along each of four sides, inside or outside a card."""
    steps, edge = np.linspace(-0.4, 0.4, 15), np.full(15, reach)
    sides = ((steps, -edge), (edge, steps), (steps, edge), (-edge, steps))
    ring = np.concatenate([np.column_stack(side) for side in sides])
    spots = np.rint(through(np.linalg.inv(view.back) @ pose, ring)).astype(np.intp)
    x, y = np.clip(spots, 0, (view.grey.shape[1] - 1, view.grey.shape[0] - 1)).T
    return np.asarray(np.median(view.picture[y, x].reshape(4, 15, 3).astype(np.float32), axis=1), np.float32)
