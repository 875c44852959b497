"""Find the cards that lie free in a picture, without knowing any face: a learning table needs no deck.

Cards of one picture lie on one plane and have one size. Outlines that fit the plane of most others are cards;
frames, pips and things on the table have other sizes.
"""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from vision.pictures import Picture, shrink_picture
from vision.reading.moved_places import distinct_poses
from vision.reading.outlines import find_lone_cards, find_more_lone_cards
from vision.reading.views import PictureView, Surroundings, outline_of, plane_under, pose_of, pyramid, view_of
from vision.sightings import Outline, Point
from vision.table.plane import Reals, area_within, covers, holds, inverse, lengths_of, map_points, size_misfit
from vision.table.plates import Millimetres
from vision.teaching.lone_card import (
    FINE,
    LONGER,
    CardOutline,
    find_tilted_outlines,
    measure_outline,
    rectify_card,
)
from vision.teaching.taught_decks import CARD

ODD_SIZE = 0.12
"""Largest difference of a card's sides from the deck's on the fitted plane, as a logarithm."""
LEAST_EDGE = 0.55  # smallest share of a free card's outline that is an edge
LEAST_SIDE = 38.0
"""Shortest side of a card that is learnt, in pixels: the reader needs `LEAST_CELL` pixels per millimetre."""


def find_free_cards(
    picture: Picture, shape: float, least: float = LEAST_SIDE, most: float = 1.0
) -> tuple[Reals, ...]:
    """Return the corners of the free cards of a picture in reading order, each from an upper left one on.

    `shape` is the deck's width / height, `least` the shortest side of a card in pixels, `most` the largest
    share of the picture that a card covers.
    """
    clear, upright, whole = _clear_outlines(picture, shape, least, most)
    fits = _largest_agreement(clear, upright, (shape, 1.0))
    return tuple(sorted((upright[i] * whole + (whole - 1) / 2 for i in fits), key=_reading_order))


def find_card_at(picture: Picture, shape: float, at: Point, least: float, most: float) -> Reals | None:
    """Return the same for one card, whose place a person has shown."""
    clear, upright, whole = _clear_outlines(picture, shape, least, most)
    there = tuple((each + 0.5) / whole - 0.5 for each in at)
    around = [i for i, each in enumerate(upright) if holds(each, (there[0], there[1]))]
    best = max(around, key=lambda i: clear[i].score, default=None)
    return None if best is None else upright[best] * whole + (whole - 1) / 2


def _clear_outlines(
    picture: Picture, shape: float, least: float, most: float
) -> tuple[list[CardOutline], list[Reals], float]:
    """Return outlines that may be free cards, their corners, and pixels of the picture per pixel of theirs."""
    measured = shrink_picture(picture, FINE)
    largest = most * measured.shape[0] * measured.shape[1]
    clear = [
        each
        for each in find_tilted_outlines(measured, shape)
        if area_within(each.corners) < largest
        and _is_near(each.corners, least)
        and each.edge >= LEAST_EDGE
        and _has_print(measured, each.corners)
    ]
    upright = [_standing(each.corners, each.shape) for each in clear]
    return clear, upright, picture.shape[1] / measured.shape[1]


def find_free_cards_on(picture: Picture, size: Millimetres, around: Surroundings) -> tuple[Reals, ...]:
    """Return the same for a picture of a table whose plane is known."""
    view, back = view_of(pyramid(picture), size, around), inverse(around.plane)
    if view.card is None:
        return ()
    light = np.asarray(cv2.GaussianBlur(picture, (0, 0), 1.0), np.uint8)
    # no face is known that would find cards beside each other by their corners
    poses = distinct_poses([*find_lone_cards(view, size), *find_more_lone_cards(view, size)])
    rough = [np.array(outline_of(pose)) for pose in poses]
    found = [each for quad in rough if (each := measure_outline(light, quad, CLOSER)) is not None]
    upright = [_standing_on(each.corners, back, size) for each in found]
    fits = [
        i
        for i, corners in enumerate(upright)
        if found[i].edge >= LEAST_EDGE
        and _is_near(corners)
        and size_misfit(map_points(back, corners), size) < ODD_ON_PLANE
        and _share_on_edges(view, corners) > NEW_EDGES
        and _has_print(picture, corners)
    ]
    return tuple(sorted((upright[i] for i in _distinct(fits, found)), key=_reading_order))


def find_free_cards_of_any_size(picture: Picture, shape: float, around: Surroundings) -> tuple[Reals, ...]:
    """Return the same for cards that have one size, but an unknown one; print on the table isn't a card."""
    found = find_free_cards(picture, shape)
    view = view_of(pyramid(picture), CARD, around)
    return tuple(each for each in found if _share_on_edges(view, each) > NEW_EDGES)


CLOSER = (0.03, 0.02, 0.01)  # distances at which an outline's edges are sought, in card sizes
ODD_ON_PLANE = 0.05
"""The same as ODD_SIZE on a table whose plane is known: errors of good outlines reach 0.025."""
NEW_EDGES = 0.4
"""Smallest share of an outline that is an edge which the empty table doesn't have; print on it has none."""


def measure_free_card(
    picture: Picture, outline: Outline, size: Millimetres, plane: Reals | None
) -> Reals | None:
    """Return the corners of the free card at an outline, by its edges; None if parts are hidden."""
    corners = np.array(outline, np.float64)
    if (corners < 1).any() or (corners > np.subtract(picture.shape[1::-1], 2)).any():
        return None
    room = ROOM * float(lengths_of(corners).max())
    low = np.maximum(np.floor(corners.min(axis=0) - room), 0).astype(int)
    high = np.ceil(corners.max(axis=0) + room).astype(int)
    part = np.ascontiguousarray(picture[low[1] : high[1], low[0] : high[0]])
    light = np.asarray(cv2.GaussianBlur(part, (0, 0), 1.0), np.uint8)
    found = measure_outline(light, corners - low, CLOSER)
    if found is None or found.edge < LEAST_EDGE or not _is_near(found.corners):
        return None
    there = found.corners + low
    # without a plane, the outline itself is the measure
    size, back = ((1.0, 1.0), inverse(pose_of(corners))) if plane is None else (size, inverse(plane))
    return there if size_misfit(map_points(back, there), size) < ODD_ON_PLANE else None


ROOM = 0.2  # surroundings in which a card's edges are measured, in card lengths


def _standing_on(corners: Reals, back: Reals, size: Millimetres) -> Reals:
    flat = map_points(back, corners)
    is_upright = size_misfit(flat, size) <= size_misfit(np.roll(flat, 1, axis=0), size)
    return corners if is_upright else np.roll(corners, 1, axis=0)


def _share_on_edges(view: PictureView, corners: Reals) -> float:
    """Return the share of an outline's faintest side that is an edge in the view from above."""
    along = np.linspace(0.1, 0.9, 40)[:, None]
    there = map_points(inverse(view.back), corners)
    sides = np.stack(
        [one + along * (other - one) for one, other in zip(there, np.roll(there, -1, 0), strict=True)]
    )
    edges = cv2.dilate(view.edges, np.ones((5, 5), np.uint8))
    x, y = np.clip(np.rint(sides).astype(int), 0, np.subtract(edges.shape[::-1], 1)).reshape(-1, 2).T
    return float((edges[y, x].reshape(4, -1) > 0).mean(axis=1).min())


def _reading_order(corners: Reals) -> tuple[float, ...]:
    return tuple(corners.mean(axis=0)[::-1].tolist())


def _standing(corners: Reals, shape: float) -> Reals:
    return corners if shape <= 1 else np.roll(corners, 1, axis=0)


def _largest_agreement(
    clear: Sequence[CardOutline], upright: Sequence[Reals], size: tuple[float, float]
) -> list[int]:
    """Return the outlines that agree best on one size: most of them, then the largest."""
    areas = np.log([area_within(each) for each in upright])
    groups = {
        tuple(_distinct([i for i, each in enumerate(areas) if abs(each - area) < AS_LARGE], clear))
        for area in areas
    }
    likely = sorted(filter(None, groups), key=lambda some: -_worth(some, clear))[:GROUPS]
    fitted = [_fitted(some, clear, upright, size) for some in likely]
    return max(fitted, key=lambda some: _worth(some, clear), default=[])


AS_LARGE, GROUPS = 0.5, 4
"""Largest difference of cards' areas in one picture, as a logarithm, and most sizes whose plane is fitted."""


def _fitted(
    some: Sequence[int], clear: Sequence[CardOutline], upright: Sequence[Reals], size: tuple[float, float]
) -> list[int]:
    """Fit the plane to some outlines; return all outlines with the deck's size on it."""
    fit = list(some)
    for _again in range(2):
        back = inverse(plane_under([pose_of(upright[i]) for i in fit], size, clear[0].picture))
        off = (size_misfit(map_points(back, each), size) for each in upright)
        now = _distinct([i for i, each in enumerate(off) if each < ODD_SIZE], clear)
        if not now or now == fit:
            break
        fit = now
    return fit


def _worth(some: Sequence[int], clear: Sequence[CardOutline]) -> float:
    # many faint outlines are parts of a figure; the same edges are clearer around its card
    firm, share = sum(clear[i].edge ** 3 for i in some), sum(clear[i].share for i in some)
    return float(firm * np.power(share, 0.25))


def _is_near(corners: Reals, least: float = LEAST_SIDE) -> bool:
    return float(lengths_of(corners).min()) >= least


def _has_print(picture: Picture, corners: Reals) -> bool:
    """Return whether something is printed inside an outline; a pip is of one colour."""
    inside = np.asarray(rectify_card(picture, corners, 1.0)[_INSET:-_INSET:4, _INSET:-_INSET:4], np.float32)
    off = np.abs(inside - np.median(inside, axis=(0, 1))).max(axis=2)
    return bool((off > PRINTED).mean() > LEAST_PRINT)


_INSET = LONGER // 6
PRINTED, LEAST_PRINT = 24.0, 0.01
"""Smallest difference of print from paper in grey levels, and smallest share of a card's inside with print."""


def _distinct(some: Iterable[int], clear: Sequence[CardOutline]) -> list[int]:
    kept: list[int] = []
    for i in sorted(some, key=lambda i: -clear[i].score):
        if all(covers(clear[k].corners, clear[i].corners) < MOST_COMMON for k in kept):
            kept.append(i)
    return kept


MOST_COMMON = 0.1  # largest share of a free card that another outline overlaps
