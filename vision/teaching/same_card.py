"""Compare two pictures of cards, to find out whether they show the same face: a second judge beside the reader.

The pictures are aligned both ways up at two pixels per millimetre, their light and depth of print are matched,
and the most different part counts: a pip, a fill, an index, a colour.
"""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.pictures import Picture
from vision.reading.templates import Floats, lab_of
from vision.teaching.likeness import SIZE, find_warp, grey_of, shrink_and_whiten

SAME = 0.5
"""Largest difference of two pictures that join cards without a name."""
SAME_TINT = 0.25
"""The same for the colour of print."""
OTHER = 1.0
"""Difference above which a name that the reader gives isn't accepted."""
SPOT, LIGHT = 0.12, 0.35
"""Sides of a compared part and of its surroundings, whose mean is light, as shares of a card's width."""
RIM = 0.04  # width of the edge that isn't compared, as a share of a card's width
ROUGHLY = 0.35  # smallest correlation of two pictures that are aligned
DEEPER = 0.45  # largest difference of two cameras' depth of print, as a logarithm


class Comparison(NamedTuple):
    """The difference in the most different part, from 0."""

    apart: float
    tint: float = 1.0  # difference in the colour of print, where it is largest

    @property
    def is_same(self) -> bool:
        """Whether both pictures certainly show the same face."""
        return self.apart < SAME and self.tint < SAME_TINT


def compare_cards(one: Picture, other: Picture) -> Comparison:
    """Compare two pictures in the way up that fits; 1 if they don't look alike at all."""
    first, second = shrink_and_whiten(one), shrink_and_whiten(other)
    turned = np.ascontiguousarray(second[::-1, ::-1])
    up, down = (_correlation(grey_of(first), grey_of(each)) for each in (second, turned))
    ways = ((up, second), (down, turned))
    likely = [each for fit, each in ways if fit > max(ROUGHLY, max(up, down) - NEARLY)]
    compared = (Comparison(*_difference(first, each)) for each in likely)
    return min(compared, default=Comparison(1.0))


NEARLY = 0.1  # largest lag of the other way up that is compared exactly, too


def _difference(one: Floats, other: Floats) -> tuple[float, float]:
    small = SIZE[0] // 2, SIZE[1] // 2
    here, there = (cv2.resize(grey_of(each), small, interpolation=cv2.INTER_AREA) for each in (one, other))
    half = find_warp(np.asarray(there, np.float32), np.asarray(here, np.float32), cv2.MOTION_HOMOGRAPHY, 25, 3)
    if half is None:
        return 1.0, 1.0
    twice = np.array([(2, 0, 0.5), (0, 2, 0.5), (0, 0, 1)])
    warp = twice @ half @ np.linalg.inv(twice)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = cv2.warpPerspective(other, warp, SIZE, flags=how, borderMode=cv2.BORDER_REPLICATE)
    labs = (_inner(_lab(each)) for each in (one, np.asarray(moved, np.float32)))
    here, there = map(_without_light, labs)
    return _most_different(here, there), _tint(here, there)


def most_alike(picture: Picture, others: Sequence[Picture], most: int) -> list[int]:
    """Return which pictures are most similar at a glance, the best first."""
    small = grey_of(shrink_and_whiten(picture))
    each = [grey_of(shrink_and_whiten(other)) for other in others]
    ways = ((grey, np.ascontiguousarray(grey[::-1, ::-1])) for grey in each)
    fits = [max(_correlation(small, way) for way in both) for both in ways]
    return sorted(range(len(fits)), key=lambda i: -fits[i])[:most]


def _correlation(one: Floats, other: Floats) -> float:
    few = [cv2.resize(each, (21, 30), interpolation=cv2.INTER_AREA).ravel() for each in (one, other)]
    first, second = (each - each.mean() for each in few)
    return float(first @ second / max(1e-6, float(np.linalg.norm(first) * np.linalg.norm(second))))


def _lab(picture: Floats) -> Floats:
    soft = cv2.GaussianBlur(picture, (0, 0), 1.0)
    channels = np.asarray(soft, np.float32).reshape(-1, 3).T
    return np.asarray(lab_of(np.ascontiguousarray(channels)).reshape(3, *picture.shape[:2]), np.float32)


def _inner(lab: Floats) -> Floats:
    rim = round(RIM * SIZE[0])
    return lab[:, rim:-rim, rim:-rim]


def _most_different(here: Floats, there: Floats) -> float:
    """Return the difference in the most different part, as a share of the print there."""
    depth = _spread(here) / max(_spread(there), 1e-6)
    there = there * np.float32(np.clip(depth, np.exp(-DEEPER), np.exp(DEEPER)))
    both = np.concatenate((here, there))
    off, ink = (_around(np.square(each).sum(axis=0)) for each in (here - there, both))
    return float(np.sqrt((off / (ink + NOISE**2)).max()))


def _tint(here: Floats, there: Floats) -> float:
    """Return the largest difference in the colour of print, as a share of its strength.

    Print is weighed by its darkness, so a thin line counts like a solid sign.
    """
    weights = [np.abs(each[0]) for each in (here, there)]
    weight = np.minimum(*weights)
    ink = _around(weight, WIDE_SPOT)
    one, other = (
        np.stack([_around(each[i] * weight, WIDE_SPOT) / (ink + 1e-4) for i in (1, 2)])
        for each in (here, there)
    )
    strong, as_strong = (np.hypot(*each) for each in (one, other))
    vivid = np.clip(strong / np.maximum(as_strong, 1e-4), np.exp(-DEEPER), np.exp(DEEPER))
    off = np.hypot(*(one - vivid * other)) / (np.maximum(strong, vivid * as_strong) + GREY)
    return float(np.where(ink > LEAST_INK, off, 0.0).max())


WIDE_SPOT = 0.25  # side of a part whose colour is compared, as a share of a card's width
GREY = 0.1  # strength of colour that cameras add to grey
LEAST_INK = 0.01  # smallest mean darkness of print in such a part

NOISE = 0.05
"""Spread of cells that hold no print: fainter print counts less, since cameras and paper differ as much."""


def _spread(lab: Floats) -> float:
    return float(np.sqrt(np.square(lab[0]).mean()))


def _around(plane: Floats, share: float = SPOT) -> Floats:
    side = round(share * SIZE[0]) | 1
    return np.asarray(cv2.blur(plane, (side, side)), np.float32)


def _without_light(lab: Floats) -> Floats:
    """Subtract the mean around each pixel from each channel: lamps and shadows change slowly."""
    side = round(LIGHT * SIZE[0]) | 1
    return np.stack([np.asarray(each - cv2.blur(each, (side, side)), np.float32) for each in lab])
