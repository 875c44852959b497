"""Find cards without a visible outline, by corners between straight edges or by print alone.

Covered cards are searched near print that no known card explains. On a table as light as paper, outlines don't
show. There, each group of unexplained print as large as a card's proposes cards at its centre, in every
direction.
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
Spot: TypeAlias = tuple[tuple[float, float], float]  # centre of a card in a view, and its angle in radians


# unexplained print


def mask_left_over(view: PictureView, explained: Sequence[Outline], card: tuple[float, float]) -> Picture:
    """Return a mask of the edges that no known card explains, without specks."""
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
    """Return boxes around unexplained parts that contain print."""
    if not rest.any():
        return []
    mask = rest.copy()
    for contour in outlines_in(rest):
        if _is_single_object(contour, card, view.solid):
            cv2.drawContours(mask, [contour], -1, 0, cv2.FILLED)
    print_ = cv2.bitwise_and(view.edges, cv2.erode(mask, _square(5, card)))
    return join_boxes(_spots(np.asarray(print_, np.uint8), card))


def _spots(print_: Picture, card: tuple[float, float]) -> Iterator[Box]:
    """Group nearby print into boxes, each padded for the cards that the print may belong to."""
    # single lines on a table or a mat aren't print
    wider = cv2.erode(cv2.dilate(print_, _square(9, card)), _square(15, card))
    contours, _tree = cv2.findContours(wider, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    pad, (high, wide) = round(0.45 * max(card)), print_.shape
    for left, top, across, down in map(cv2.boundingRect, contours):
        inside = print_[top : top + down, left : left + across]
        if np.count_nonzero(inside) > PRINT * card[0] * card[1]:
            right, bottom = min(wide, left + across + pad), min(high, top + down + pad)
            yield max(0, left - pad), max(0, top - pad), right, bottom


def _square(side: float, card: tuple[float, float]) -> Picture:
    pixels = max(3, round(side * max(card) / 88) | 1)
    return np.ones((pixels, pixels), np.uint8)


PRINT = 0.02  # smallest share of a card's area that edges must cover for a part to be searched
LEFT_OVER = 0.1  # smallest part that can contain a card, in card areas


def _is_single_object(contour: NDArray[np.integer], card: tuple[float, float], solid: Picture) -> bool:
    """Return whether a part is a single object no larger than a card, so that no card can hide in it."""
    area, (_middle, (first, second), _angle) = float(cv2.contourArea(contour)), cv2.minAreaRect(contour)
    if area > LARGER * card[0] * card[1] or area < 0.8 * first * second:
        return False
    return _share_touching(contour, solid) < TOUCHING


def _share_touching(contour: NDArray[np.integer], solid: Picture) -> float:
    """Return the share of a part's border that touches other objects."""
    around = np.zeros_like(solid)
    cv2.drawContours(around, [contour], -1, 255, 7)
    cv2.drawContours(around, [contour], -1, 0, cv2.FILLED)
    touching = np.count_nonzero(cv2.bitwise_and(around, solid))
    return float(touching / np.count_nonzero(around))


LARGER = 1.08  # smallest object that is larger than one card, in card areas
TOUCHING = 0.1
"""Share of a part's border touching another object, from which the two overlap."""


def has_overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def join_boxes(boxes: Iterable[Box]) -> list[Box]:
    """Merge overlapping boxes until none overlap."""
    joined = list[Box]()
    for box in boxes:
        grown = box
        while meets := [other for other in joined if has_overlap(grown, other)]:
            joined = [other for other in joined if other not in meets]
            lefts, tops, rights, lows = zip(grown, *meets, strict=True)
            grown = min(lefts), min(tops), max(rights), max(lows)
        joined.append(grown)
    return joined


# corners between lines


class EdgeLines(Struct, frozen=True, eq=False):
    """Endpoints of straight edges in a view."""

    starts: Reals
    ends: Reals


MEETING = 7.0  # largest gap between a corner and the end of its side, in 88ths of a card's length
SHORTEST = 6.0
LEAN = np.radians(4)  # largest deviation of a corner from a right angle
LINES = 800  # most lines used, the longest first
MANY = 6000  # most corners examined


def lines_in(
    levels: Sequence[Picture], view: PictureView, boxes: Sequence[Box], unit: float, long: float, rest: Picture
) -> EdgeLines:
    """Find straight edges near unexplained print.

    `long` is the length of a card in pixels at the resolution searched.
    """
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


NEAR = 21  # width of the margin searched around unexplained print, in 88ths of a card's length


NOISY = 8.0  # median difference between a pixel and its blurred surroundings in a noisy picture, in grey levels


def _smooth_beside(grey: Picture, near: Picture) -> Picture:
    """Blur a noisy picture except near unexplained print; its noise would produce many short lines."""
    smooth = np.asarray(cv2.blur(grey, (9, 9)), np.uint8)
    if np.median(cv2.absdiff(grey, smooth)[::4, ::4]) <= NOISY:
        return grey
    cv2.copyTo(grey, cv2.resize(near, grey.shape[::-1], interpolation=cv2.INTER_NEAREST), smooth)
    return smooth


def corners_among(lines: EdgeLines, view: PictureView, unit: float) -> list[Spot]:
    """Find corners where two lines meet like a card's sides; return the centres and angles of the cards."""
    if view.card is None or len(lines.starts) < 2:
        return []
    where, along = _meetings(lines, unit)
    if not len(where):
        return []
    return _cards_at_corners(where, along, view.card)


def _meetings(lines: EdgeLines, unit: float) -> tuple[Reals, Reals]:
    """Intersect lines at right angles. Return the corners, and the directions from them into the card."""
    direction = lines.ends - lines.starts
    length = np.hypot(*direction.T)
    unit_direction = direction / length[:, None]
    x, y = unit_direction.T
    cross = x[:, None] * y[None, :] - y[:, None] * x[None, :]
    first, second = np.nonzero(np.triu(np.abs(cross) > np.cos(LEAN), 1))
    apart = lines.starts[second] - lines.starts[first]
    denominator = cross[first, second]
    reach_first = (
        apart[:, 0] * unit_direction[second, 1] - apart[:, 1] * unit_direction[second, 0]
    ) / denominator
    reach_second = (
        apart[:, 0] * unit_direction[first, 1] - apart[:, 1] * unit_direction[first, 0]
    ) / denominator
    near = MEETING * unit
    good = (_distance_to_end(reach_first, length[first]) < near) & (
        _distance_to_end(reach_second, length[second]) < near
    )
    first, second, reach_first, reach_second = (
        each[good] for each in (first, second, reach_first, reach_second)
    )
    where = lines.starts[first] + reach_first[:, None] * unit_direction[first]
    inward = np.where(reach_first < length[first] / 2, 1.0, -1.0)[:, None] * unit_direction[first]
    inward_second = np.where(reach_second < length[second] / 2, 1.0, -1.0)[:, None] * unit_direction[second]
    # the longer line gives the more accurate angle
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
    """Fit a card into each corner in both orientations."""
    axis, side = along[:, :2], along[:, 2]
    other = np.column_stack((-axis[:, 1], axis[:, 0])) * side[:, None]
    found = []
    for across, down in ((axis, other), (other, axis)):
        middles = where + across * (card[0] / 2) + down * (card[1] / 2)
        turns = np.arctan2(across[:, 1], across[:, 0]) % np.pi
        found.append(np.column_stack((middles, turns)))
    return [((float(x), float(y)), float(turn)) for x, y, turn in np.concatenate(found)]


# support of a quad by edges

BINS = 8
STEPS = 22


def edge_bits(grey: Picture) -> Picture:
    """Set one bit per direction of the nearby edges at each pixel. There are eight directions."""
    across, down = cv2.spatialGradient(grey)
    strength = cv2.convertScaleAbs(across) // 2 + cv2.convertScaleAbs(down) // 2
    least = 10 + float(np.median(strength[::4, ::4])) * 2
    # flat indices are several times as fast here as rows and columns
    strong = np.flatnonzero(strength > least)
    angle = np.arctan2(down.ravel()[strong], across.ravel()[strong], dtype=np.float32)
    bits = np.zeros_like(grey)
    bits.ravel()[strong] = NEAR_BINS[np.floor(angle * np.float32(BINS / np.pi)).astype(np.intp) % BINS]
    return _spread_by_one(bits)


NEAR_BINS = np.array([(1 << k) | (1 << (k + 1) % BINS) | (1 << (k - 1) % BINS) for k in range(BINS)], np.uint8)
"""Bits of each direction and its two neighbours."""


def _spread_by_one(bits: Picture) -> Picture:
    """Merge each pixel's bits with those of its neighbours."""
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
    """Return how much of each card's four sides follows edges, as cards x sides."""
    spots = np.array([(x, y, turn) for (x, y), turn in places], np.float32).reshape(-1, 3)
    # batches of a thousand limit memory
    parts = [_on_edges(bits, spots[i : i + 1000], card).mean(axis=2) for i in range(0, len(spots), 1000)]
    return np.asarray(np.concatenate(parts) if parts else np.zeros((0, 4)), np.float32)


def _on_edges(bits: Picture, spots: Floats, card: tuple[float, float]) -> Hits:
    """Sample each card's four sides. Return whether each is on an edge, as cards x sides x samples."""
    own = along_sides(0.5, 0.44, STEPS) * card
    c, s = np.cos(spots[:, 2])[:, None, None], np.sin(spots[:, 2])[:, None, None]
    x = np.rint(own[None, :, :, 0] * c - own[None, :, :, 1] * s + spots[:, 0, None, None]).astype(np.intp)
    y = np.rint(own[None, :, :, 0] * s + own[None, :, :, 1] * c + spots[:, 1, None, None]).astype(np.intp)
    high, wide = bits.shape
    seen = (x >= 0) & (y >= 0) & (x < wide) & (y < high)
    normal = spots[:, 2, None] + np.array([np.pi / 2, 0, np.pi / 2, 0])
    bins = np.minimum((normal % np.pi * (BINS / np.pi)).astype(np.intp), BINS - 1)
    hit = (bits[np.where(seen, y, 0), np.where(seen, x, 0)] >> bins[..., None]) & 1
    return np.asarray(hit.astype(np.bool_) & seen)


# print alone

LIGHT = 170  # grey level of a table as light as paper; on a darker table, cards show their outlines
TOGETHER = 0.2
"""Largest gap between parts of one group of print, in card lengths."""
SHORT, LEAST, MOST = 0.28, 0.65, 1.4
"""Shortest group, shortest print of a whole card, and longest print, in card lengths.

Both include the margin added by joining.
"""
TURNS = 18  # directions tried for a card, over half a turn
GROUPS, MIDDLES = 24, 30
"""Most groups examined, the largest first, and most card centres proposed."""


def find_cards_by_print(
    view: PictureView, card: tuple[float, float], explained: Sequence[Outline]
) -> Iterator[Pose]:
    """Propose cards in all directions at the centres of unexplained print.

    Without it, none of 15 cards in five pictures of a white table was found.
    """
    if np.median(view.grey[::4, ::4]) < LIGHT:
        return
    for middle in _middles_of_print(view, card, explained):
        for turn in range(TURNS):
            yield view.back @ rigid_pose(middle, np.pi * turn / TURNS, card)


def _middles_of_print(
    view: PictureView, card: tuple[float, float], explained: Sequence[Outline]
) -> list[tuple[float, float]]:
    """Return the centres of unexplained print as long as a card's.

    The print is one group or a pair of groups.
    """
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
