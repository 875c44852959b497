"""Find the cards that lie free in a picture, without knowing any face: a learning table needs no deck.

Cards of one picture lie on one plane and have one size. Outlines that fit the plane of most others are cards;
frames, pips and things on the table have other sizes.
"""

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from msgspec import Struct

from vision.pictures import Picture, shrink_picture
from vision.reading.views import plane_under, pose_of
from vision.sightings import Outline
from vision.table.plane import Reals, area_within, as_outline, inverse, map_points
from vision.teaching.card_edges import lengths_of
from vision.teaching.lone_card import FINE, LONGER, CardOutline, find_tilted_outlines, rectify_card
from vision.teaching.lone_card import upright as upright_shape

ODD_SIZE = 0.12
"""Largest difference of a card's sides from the deck's on the fitted plane, as a logarithm."""
LEAST_EDGE = 0.55  # smallest share of a free card's outline that is an edge
LEAST_SIDE = 38.0
"""Shortest side of a card that is learnt, in pixels: the reader needs `LEAST_CELL` pixels per millimetre."""


class FreeCard(Struct, frozen=True, eq=False):
    """An uncovered card: its corners, beginning with an upper left one, and the clearness of its edges."""

    corners: Reals
    edge: float
    shape: float  # measured width / height

    @property
    def outline(self) -> Outline:
        return as_outline(self.corners)


def find_free_cards(picture: Picture, shape: float) -> tuple[FreeCard, ...]:
    """Return the free cards of a picture in reading order; `shape` is the deck's width / height."""
    measured = shrink_picture(picture, FINE)
    whole = picture.shape[1] / measured.shape[1]
    found = find_tilted_outlines(measured, shape)
    near = (each for each in found if _is_near(each.corners) and each.edge >= LEAST_EDGE)
    clear = [each for each in near if _has_print(measured, each.corners)]
    upright = [_standing(each.corners, each.shape) for each in clear]
    fits = _largest_agreement(clear, upright, (shape, 1.0))
    cards = [
        FreeCard((upright[i] + 0.5) * whole - 0.5, clear[i].edge, upright_shape(clear[i].shape)) for i in fits
    ]
    return tuple(sorted(cards, key=lambda each: tuple(each.corners.mean(axis=0)[::-1])))


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
        back = plane_under([pose_of(upright[i]) for i in fit], size, clear[0].picture)
        now = _distinct([i for i, each in enumerate(upright) if _misfit(each, back, size) < ODD_SIZE], clear)
        if not now or now == fit:
            break
        fit = now
    return fit


def _worth(some: Sequence[int], clear: Sequence[CardOutline]) -> float:
    # many faint outlines are parts of a figure; the same edges are clearer around its card
    firm, share = sum(clear[i].edge ** 3 for i in some), sum(clear[i].share for i in some)
    return float(firm * np.power(share, 0.25))


def _is_near(corners: Reals) -> bool:
    return float(lengths_of(corners).min()) >= LEAST_SIDE


def _has_print(picture: Picture, corners: Reals) -> bool:
    """Return whether something is printed inside an outline; a pip is of one colour."""
    inside = np.asarray(rectify_card(picture, corners, 1.0)[_INSET:-_INSET:4, _INSET:-_INSET:4], np.float32)
    off = np.abs(inside - np.median(inside, axis=(0, 1))).max(axis=2)
    return bool((off > PRINTED).mean() > LEAST_PRINT)


_INSET = LONGER // 6
PRINTED, LEAST_PRINT = 24.0, 0.01
"""Smallest difference of print from paper in grey levels, and smallest share of a card's inside with print."""


def _misfit(corners: Reals, back: Reals, size: tuple[float, float]) -> float:
    sides = lengths_of(map_points(inverse(back), corners))
    return float(np.abs(np.log(np.maximum(sides, 1e-6) / np.tile(size, 2))).max())


def _distinct(some: Iterable[int], clear: Sequence[CardOutline]) -> list[int]:
    kept: list[int] = []
    for i in sorted(some, key=lambda i: -clear[i].score):
        if all(_common_area(clear[i].corners, clear[k].corners) < MOST_COMMON for k in kept):
            kept.append(i)
    return kept


MOST_COMMON = 0.1  # largest share of a free card that another outline overlaps


def _common_area(one: Reals, other: Reals) -> float:
    common, _corners = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return float(common) / area_within(one)
