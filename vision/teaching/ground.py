"""Tell a card from what it lies on in pictures that show little else: an even rim that all share is ground.

A scan on grey has such a rim, or a card that lay on a black table and was cut out. So have cards with a printed
border, but that is narrow, and the whole has a card's shape then.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.table.plane import Reals

Picture = NDArray[np.uint8]

_LEVELS = 26.0
"""How far a colour may be from the rim's, of 255, to be the rim's: cloth has a grain, paper a shade."""
_EVEN = 0.97
"""The least share of the outermost pixels that have the rim's colour."""
_ALONG = 0.85
"""The least share of each side along which something else begins."""
_ROUND = 0.12
"""The share of a side near its ends that isn't looked at: a card's corners are round."""
_DEEPEST = 0.35
"""How far in from a side a card may begin, as a share of the picture."""
_WIDEST_PRINT = 0.085
"""The widest printed border, as a share of a card's width."""
_FITS = 0.02
"""How far off a card's shape may be, as a logarithm."""


class EvenRim(Struct, frozen=True, eq=False):
    """A picture's even rim: its colour, and the corners of what it surrounds."""

    colour: Reals
    corners: Reals
    """Clockwise from the upper left, in shares of the picture's width and height."""


def even_rim(picture: Picture) -> EvenRim | None:
    """Measure the even rim round what a picture shows; None if there is none."""
    soft = np.asarray(cv2.GaussianBlur(picture, (5, 5), 1.0), np.float32)
    edge = max(2, min(picture.shape[:2]) // 100)
    ring = np.concatenate([
        part.reshape(-1, 3) for part in (soft[:edge], soft[-edge:], soft[:, :edge], soft[:, -edge:])
    ])  # fmt: skip
    colour = np.median(ring, axis=0)
    if (np.abs(ring - colour).max(axis=1) < _LEVELS).mean() < _EVEN:
        return None
    off = np.abs(soft - colour).max(axis=2)
    # halfway up the edge, so that blur moves it neither in nor out
    other = off >= max(_LEVELS, float(np.median(off[_inner(off.shape)])) / 2)
    lines = [_first_line(np.rot90(other, turn)) for turn in range(4)]
    if any(line is None for line in lines):
        return None
    return EvenRim(
        np.asarray(colour, np.float64), _corners_between([line for line in lines if line is not None])
    )


def _inner(shape: Sequence[int]) -> tuple[slice, slice]:
    """Choose the middle of a picture."""
    (top, low), (left, right) = ((round(side * _DEEPEST), round(side * (1 - _DEEPEST))) for side in shape)
    return slice(top, low), slice(left, right)


def _first_line(other: NDArray[np.bool_]) -> tuple[float, float] | None:
    """Find how deep below both ends of the upper side something else begins, in shares of the height."""
    high, wide = other.shape
    middle = np.arange(round(_ROUND * wide), round((1 - _ROUND) * wide))
    top = other[: round(_DEEPEST * high), middle]
    begins = top.any(axis=0)
    if begins.mean() < _ALONG:
        return None
    places, depths = middle[begins], top.argmax(axis=0)[begins]
    level = float(np.median(depths))
    near = np.abs(depths - level) < 0.03 * high
    if level < 1 or near.mean() * begins.mean() < _ALONG:
        return None
    slope, start = np.polyfit(places[near], depths[near], 1)
    return float(start) / high, float(start + slope * (wide - 1)) / high


def _corners_between(lines: Sequence[tuple[float, float]]) -> Reals:
    """Intersect the four sides; each is told as its picture is turned, a quarter further each time."""
    top, right, low, left = (np.array(((0.0, a), (1.0, b))) for a, b in lines)
    # np.rot90 turns anticlockwise: what is on top then was the right side, the lower, the left
    sides = (
        top,
        np.column_stack((1 - right[:, 1], right[:, 0])),
        1 - low,
        np.column_stack((left[:, 1], 1 - left[:, 0])),
    )
    whole = [np.cross(np.append(side[0], 1), np.append(side[1], 1)) for side in sides]
    met = [np.cross(whole[i - 1], whole[i]) for i in range(4)]
    return np.array([point[:2] / point[2] for point in met])


def are_grounds(rims: Sequence[EvenRim | None], shapes: Sequence[float], usual: Sequence[float]) -> bool:
    """Tell whether pictures of these shapes (width by height) show cards on one ground, and not just cards."""
    known = [(rim, shape) for rim, shape in zip(rims, shapes, strict=True) if rim is not None]
    if len(known) < max(2, 0.9 * len(rims)):
        return False
    colours = np.array([rim.colour for rim, _shape in known])
    if (np.abs(colours - np.median(colours, axis=0)).max(axis=1) < _LEVELS).mean() < 0.9:
        return False
    wide = float(np.median([_width(rim) for rim, _shape in known])) > _WIDEST_PRINT
    whole, inner = (
        _off(float(np.median(each)), usual)
        for each in ([shape for _rim, shape in known], [inner_shape(rim, shape) for rim, shape in known])
    )
    return inner < _FITS < whole or (wide and (inner < _FITS) == (whole < _FITS))


def usual_rim(rims: Sequence[EvenRim | None]) -> EvenRim:
    """Give the median of the rims that could be measured: for pictures whose own couldn't."""
    known = [rim for rim in rims if rim is not None]
    return EvenRim(
        *(np.median(each, axis=0) for each in zip(*((r.colour, r.corners) for r in known), strict=True))
    )


def _width(rim: EvenRim) -> float:
    """Measure a rim's narrowest side, as a share of the width of what it surrounds."""
    (left, top), (right, low) = rim.corners.min(axis=0), rim.corners.max(axis=0)
    return float(min(left, 1 - right, top, 1 - low) / max(1e-6, right - left))


def inner_shape(rim: EvenRim, shape: float) -> float:
    """Work out the width by height of what a rim surrounds, in a picture of this width by height."""
    four = rim.corners * (shape, 1.0)
    sides = np.hypot(*(np.roll(four, -1, axis=0) - four).T)
    return float((sides[0] + sides[2]) / (sides[1] + sides[3]))


def _off(shape: float, usual: Sequence[float]) -> float:
    """Measure how far a shape is from the nearest usual one, upright or across, as a logarithm."""
    return min(abs(float(np.log(min(shape, 1 / shape) / each))) for each in usual)
