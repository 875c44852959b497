"""Find cards whose outlines can't be seen: in corners between straight edges, and by their print alone.

Covered cards are sought where print is left that no card explains. On a table as light as paper, as much print
as is a card's, and no card explains, proposes one round its middle, turned each way.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.reading.outlines import outlines_in, rigid_pose
from vision.reading.views import (
    Floats,
    Picture,
    PictureView,
    Pose,
    along_sides,
    blank_out,
    grey_of,
    rectify_part,
)
from vision.sightings import Outline
from vision.table.plane import Reals

Box = tuple[int, int, int, int]  # left, top, right, bottom, in pixels of the picture
Hits: TypeAlias = NDArray[np.bool_]
Spot: TypeAlias = tuple[tuple[float, float], float]  # the middle of a card in a view, and its angle


# leftover print


def mask_left_over(view: PictureView, explained: Sequence[Outline], card: tuple[float, float]) -> Picture:
    """Mark the edges that no card explains; leave out specks."""
    rest = view.solid.copy()
    blank_out(rest, view.back, explained, 1.06)
    if not cv2.countNonZero(rest):
        return rest
    opened = np.asarray(cv2.morphologyEx(rest, cv2.MORPH_OPEN, _square(7, card)), np.uint8)
    for contour in outlines_in(opened):
        if cv2.contourArea(contour) < LEFT_OVER * card[0] * card[1]:
            cv2.drawContours(opened, [contour], -1, 0, cv2.FILLED)
    return opened


def find_printed_parts(view: PictureView, rest: Picture, card: tuple[float, float]) -> list[Box]:
    """Find the leftover parts that have print in them, or lie under or over other cards."""
    if not rest.any():
        return []
    mask, heaped = rest.copy(), []
    for contour in outlines_in(rest):
        if _is_one_thing(contour, card, view.solid):
            cv2.drawContours(mask, [contour], -1, 0, cv2.FILLED)
        elif (
            cv2.contourArea(contour) > LARGER * card[0] * card[1]
            or _share_touching(contour, view.solid) > TOUCHING
        ):
            # it is more than a card, or lies under or over something
            heaped.append(_with_room(cv2.boundingRect(contour), view.solid.shape, card))
    print_ = cv2.bitwise_and(view.edges, cv2.erode(mask, _square(5, card)))
    printed = list(_spots(np.asarray(print_, np.uint8), card))
    # where there is print, a narrower search is also the better one
    apart = (box for box in heaped if not any(has_overlap(box, each) for each in printed))
    return join_boxes([*printed, *apart])


def _spots(print_: Picture, card: tuple[float, float]) -> Iterator[Box]:
    """Group nearby print, with room for the cards that it may be part of."""
    # single lines on a table or a mat aren't print
    wider = cv2.erode(cv2.dilate(print_, _square(9, card)), _square(15, card))
    contours, _tree = cv2.findContours(wider, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for left, top, across, down in map(cv2.boundingRect, contours):
        inside = print_[top : top + down, left : left + across]
        if np.count_nonzero(inside) > PRINT * card[0] * card[1]:
            yield _with_room((left, top, across, down), print_.shape, card)


def _with_room(box: Sequence[int], shape: Sequence[int], card: tuple[float, float]) -> Box:
    left, top, across, down = box
    pad = round(0.45 * max(card))
    right, bottom = min(shape[1], left + across + pad), min(shape[0], top + down + pad)
    return max(0, left - pad), max(0, top - pad), right, bottom


def _square(side: float, card: tuple[float, float]) -> Picture:
    pixels = max(3, round(side * max(card) / 88) | 1)
    return np.ones((pixels, pixels), np.uint8)


PRINT = 0.02  # the share of a card's area that is edges, in a part that is worth searching
LEFT_OVER = 0.1  # the least size of a part that can hold a card, as a share of a card


def _is_one_thing(contour: NDArray[np.integer], card: tuple[float, float], solid: Picture) -> bool:
    """Return whether a part is a single thing no larger than a card: then no card hides in it."""
    area, (_middle, (first, second), _angle) = float(cv2.contourArea(contour)), cv2.minAreaRect(contour)
    if area > LARGER * card[0] * card[1] or area < 0.8 * first * second:
        return False
    return _share_touching(contour, solid) < TOUCHING


def _share_touching(contour: NDArray[np.integer], solid: Picture) -> float:
    """Measure how much of a part's surroundings other things take."""
    around = np.zeros_like(solid)
    cv2.drawContours(around, [contour], -1, 255, 7)
    cv2.drawContours(around, [contour], -1, 0, cv2.FILLED)
    touching = np.count_nonzero(cv2.bitwise_and(around, solid))
    return float(touching / np.count_nonzero(around))


LARGER = 1.08  # the size of a thing that is more than a card, in cards
TOUCHING = 0.1
"""The least share of a part's surroundings that another thing takes which it lies under or over."""


def has_overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def join_boxes(boxes: Iterable[Box]) -> list[Box]:
    """Join what overlaps, so that nothing does any more."""
    joined = list[Box]()
    for box in boxes:
        grown = box
        while meets := [other for other in joined if has_overlap(grown, other)]:
            joined = [other for other in joined if other not in meets]
            lefts, tops, rights, lows = zip(grown, *meets, strict=True)
            grown = min(lefts), min(tops), max(rights), max(lows)
        joined.append(grown)
    return joined


# corners among lines


class EdgeLines(Struct, frozen=True, eq=False):
    """Straight edges in a view, by their ends."""

    starts: Reals
    ends: Reals


MEETING = 7.0  # how far before their corner two sides may end, in 88ths of a card's length
SHORTEST = 6.0
LEAN = np.radians(4)  # how far the angle at a corner may be from square
LINES = 800  # the number of longest lines that are kept
MANY = 6000  # the most corners that are examined


def lines_in(
    levels: Sequence[Picture], view: PictureView, boxes: Sequence[Box], unit: float, long: float, rest: Picture
) -> EdgeLines:
    """Find straight edges near leftover print, in parts of a view in which a card is `long` pixels long."""
    detector, share = cv2.createLineSegmentDetector(), 88 * unit / long
    near = np.asarray(cv2.dilate(rest, _square(NEAR, (88 * unit, 88 * unit))), np.uint8)
    pieces = [np.zeros((0, 4))]
    for left, top, right, bottom in boxes:
        finer = view.back @ np.array([(share, 0, left), (0, share, top), (0, 0, 1)])
        shape = round((right - left) / share), round((bottom - top) / share)
        grey = grey_of(rectify_part(levels, finer, shape))
        found = detector.detect(_smooth_beside(grey, near[top:bottom, left:right]))[0]
        if found is not None:
            pieces.append(np.asarray(found, np.float64).reshape(-1, 4) * share + (left, top, left, top))
    every = np.concatenate(pieces)
    length = np.hypot(every[:, 2] - every[:, 0], every[:, 3] - every[:, 1])
    longest = np.argsort(-length, kind="stable")[:LINES]
    enough = longest[length[longest] >= SHORTEST * unit]
    return EdgeLines(every[enough, :2], every[enough, 2:])


NEAR = 21  # how wide what is looked at round leftover print is, in 88ths of a card's length


NOISY = 8.0  # how much grey differs from that of its surroundings at most places of a noisy picture


def _smooth_beside(grey: Picture, near: Picture) -> Picture:
    """Smooth what isn't near leftover print where a camera's noise would end in many short lines."""
    smooth = np.asarray(cv2.blur(grey, (9, 9)), np.uint8)
    if np.median(cv2.absdiff(grey, smooth)[::4, ::4]) <= NOISY:
        return grey
    cv2.copyTo(grey, cv2.resize(near, grey.shape[::-1], interpolation=cv2.INTER_NEAREST), smooth)
    return smooth


def corners_among(lines: EdgeLines, view: PictureView, unit: float) -> list[Spot]:
    """Find where two lines meet like a card's sides; give the middles and angles of the cards that fit."""
    if view.card is None or len(lines.starts) < 2:
        return []
    where, along = _meetings(lines, unit)
    if not len(where):
        return []
    return _cards_at_corners(where, along, view.card)


def _meetings(lines: EdgeLines, unit: float) -> tuple[Reals, Reals]:
    """Intersect lines that are square to each other; give the points and the directions into the card."""
    way = lines.ends - lines.starts
    length = np.hypot(*way.T)
    unit_way = way / length[:, None]
    cross = unit_way[:, None, 0] * unit_way[None, :, 1] - unit_way[:, None, 1] * unit_way[None, :, 0]
    first, second = np.nonzero(np.triu(np.abs(cross) > np.cos(LEAN), 1))
    apart = lines.starts[second] - lines.starts[first]
    denominator = cross[first, second]
    reach_first = (apart[:, 0] * unit_way[second, 1] - apart[:, 1] * unit_way[second, 0]) / denominator
    reach_second = (apart[:, 0] * unit_way[first, 1] - apart[:, 1] * unit_way[first, 0]) / denominator
    near = MEETING * unit
    good = (_distance_to_end(reach_first, length[first]) < near) & (
        _distance_to_end(reach_second, length[second]) < near
    )
    first, second, reach_first, reach_second = (
        each[good] for each in (first, second, reach_first, reach_second)
    )
    where = lines.starts[first] + reach_first[:, None] * unit_way[first]
    inward = np.where(reach_first < length[first] / 2, 1.0, -1.0)[:, None] * unit_way[first]
    inward_second = np.where(reach_second < length[second] / 2, 1.0, -1.0)[:, None] * unit_way[second]
    # the longer of the two tells the angle better
    longer = (length[first] >= length[second])[:, None]
    square = np.column_stack((-inward_second[:, 1], inward_second[:, 0]))
    square *= np.sign((square * inward).sum(axis=1))[:, None]
    axis = np.where(longer, inward, square)
    side = np.sign(axis[:, 0] * inward_second[:, 1] - axis[:, 1] * inward_second[:, 0])
    best = np.argsort(-(length[first] + length[second]), kind="stable")[:MANY]
    return where[best], np.column_stack((axis, side))[best]


def _distance_to_end(reach: Reals, length: Reals) -> Reals:
    return np.asarray(np.minimum(np.abs(reach), np.abs(reach - length)))


def _cards_at_corners(where: Reals, along: Reals, card: tuple[float, float]) -> list[Spot]:
    """Lay a card into each corner, its short side along one line or along the other."""
    axis, side = along[:, :2], along[:, 2]
    other = np.column_stack((-axis[:, 1], axis[:, 0])) * side[:, None]
    found = []
    for across, down in ((axis, other), (other, axis)):
        middles = where + across * (card[0] / 2) + down * (card[1] / 2)
        turns = np.arctan2(across[:, 1], across[:, 0]) % np.pi
        found.append(np.column_stack((middles, turns)))
    return [((float(x), float(y)), float(turn)) for x, y, turn in np.concatenate(found)]


# how well edges support a quad

BINS = 8
STEPS = 22


def edge_bits(grey: Picture) -> Picture:
    """Mark each place with the directions of nearby edges: one bit for each of eight."""
    across, down = cv2.spatialGradient(grey)
    strength = cv2.convertScaleAbs(across) // 2 + cv2.convertScaleAbs(down) // 2
    least = 10 + float(np.median(strength[::4, ::4])) * 2
    # running numbers of places are found and used several times as fast as rows and columns
    strong = np.flatnonzero(strength > least)
    angle = np.arctan2(down.ravel()[strong], across.ravel()[strong], dtype=np.float32)
    bits = np.zeros_like(grey)
    bits.ravel()[strong] = NEAR_BINS[np.floor(angle * np.float32(BINS / np.pi)).astype(np.intp) % BINS]
    return _spread_by_one(bits)


NEAR_BINS = np.array([(1 << k) | (1 << (k + 1) % BINS) | (1 << (k - 1) % BINS) for k in range(BINS)], np.uint8)
"""The bits of each direction and of those beside it."""


def _spread_by_one(bits: Picture) -> Picture:
    """Give each place the bits of the places beside it, too."""
    for first, second in (
        ((slice(1, None), slice(None)), (slice(None, -1), slice(None))),
        ((slice(None), slice(1, None)), (slice(None), slice(None, -1))),
    ):
        wider = bits.copy()
        wider[first] |= bits[second]
        wider[second] |= bits[first]
        bits = wider
    return bits


def support(bits: Picture, places: Sequence[Spot], card: tuple[float, float]) -> Floats:
    """Measure how much of each of a card's four sides lies on edges: places x sides."""
    spots = np.array([(x, y, turn) for (x, y), turn in places], np.float32).reshape(-1, 3)
    # in batches of a thousand, to save memory
    parts = [on_edges(bits, spots[i : i + 1000], card)[0].mean(axis=2) for i in range(0, len(spots), 1000)]
    return np.asarray(np.concatenate(parts) if parts else np.zeros((0, 4)), np.float32)


def on_edges(bits: Picture, spots: Floats, card: tuple[float, float]) -> tuple[Hits, Floats]:
    """Return which places along each card's four sides lie on edges: cards x sides x places; and where."""
    own = along_sides(0.5, 0.44, STEPS) * card
    c, s = np.cos(spots[:, 2])[:, None, None], np.sin(spots[:, 2])[:, None, None]
    x = np.rint(own[None, :, :, 0] * c - own[None, :, :, 1] * s + spots[:, 0, None, None]).astype(np.intp)
    y = np.rint(own[None, :, :, 0] * s + own[None, :, :, 1] * c + spots[:, 1, None, None]).astype(np.intp)
    high, wide = bits.shape
    seen = (x >= 0) & (y >= 0) & (x < wide) & (y < high)
    normal = spots[:, 2, None] + np.array([np.pi / 2, 0, np.pi / 2, 0])
    bins = np.minimum((normal % np.pi * (BINS / np.pi)).astype(np.intp), BINS - 1)
    hit = (bits[np.where(seen, y, 0), np.where(seen, x, 0)] >> bins[..., None]) & 1
    return hit.astype(bool) & seen, np.stack((x, y), axis=-1).astype(np.float32)


# print alone

LIGHT = 170  # the grey of a table that is as light as paper; on darker ones cards show their sides
TOGETHER = 0.2
"""How far apart the parts of a card's print lie that belong to one group, in lengths of a card."""
SHORT, LEAST, MOST = 0.28, 0.65, 1.4
"""How long a group must be, and how long one or two that are a card's, as far round them as groups reach."""
TURNS = 18  # in how many ways a card is tried to lie, up to half a turn
GROUPS, MIDDLES = 24, 30
"""The most groups that are looked at, the largest first, and the most places where a card may lie."""


def find_cards_by_print(
    view: PictureView, card: tuple[float, float], explained: Sequence[Outline]
) -> Iterator[Pose]:
    """Lay cards, turned each way, round the middles of print that no card explains."""
    if np.median(view.grey[::4, ::4]) < LIGHT:
        return
    for middle in _middles_of_print(view, card, explained):
        for turn in range(TURNS):
            yield view.back @ rigid_pose(middle, np.pi * turn / TURNS, card)


def _middles_of_print(
    view: PictureView, card: tuple[float, float], explained: Sequence[Outline]
) -> list[tuple[float, float]]:
    """Give the middles of print that lies together, if it is as long as a card's: a group's, or between two."""
    long = max(card)
    rest = view.edges.copy()
    blank_out(rest, view.back, explained, 1.06)
    joined = _join(rest, TOGETHER * long)
    groups = sorted(((_length(each), each) for each in outlines_in(joined)), key=lambda each: -each[0])
    groups = [(length, each) for length, each in groups if SHORT * long < length < MOST * long][:GROUPS]
    pairs = [np.concatenate((one, other)) for (_, one), (_, other) in combinations(groups, 2)]
    longest = sorted(((_length(each), each) for each in pairs), key=lambda each: -each[0])
    found = [each for length, each in (*groups, *longest) if LEAST * long < length < MOST * long]
    return [(x, y) for (x, y), *_sides in map(cv2.minAreaRect, found[:MIDDLES])]


def _length(points: NDArray[np.int32]) -> float:
    return max(cv2.minAreaRect(points)[1])


def _join(edges: Picture, reach: float) -> Picture:
    around = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(reach) | 1,) * 2)
    return np.asarray(cv2.dilate(edges, around), np.uint8)
