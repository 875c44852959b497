"""Measure how similar two cards look to the reader, to find look-alikes before play.

Pictures are upright, rectified cards in BGR. Both are white-balanced, aligned and converted to Lab. Then their
zero-mean, unit-norm patches are compared: the whole card, and the corner with the index. Pairs of a deck are
compared in the light that makes them most similar: daylight, a warm lamp, grey, or without one colour.

The same comparison finds pictures cut along a wrong side or a printed line. A deck's cards share a frame, and
look-alikes differ only in a corner. The median of the most similar pictures shows the correct position. A badly
cut picture attracts all other cards cut like it to its name.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import Picture
from vision.reading.templates import Floats
from vision.table.plane import UNIT_SQUARE, Reals, map_points

Name = TypeVar("Name")
Lights: TypeAlias = Mapping[str, Callable[[Floats], Floats]]

SIZE = (126, 176)
"""Size of the pictures compared: 2 pixels per millimetre, the resolution of a camera above a table."""
WHOLE = (40, 56)  # cells for comparing the whole card
INDEX = (20, 20)  # cells for comparing the corner with the index
_INDEX_SHARE = (13.5 / 63, 13.5 / 88)
_WEIGHTS = (1.0, 0.7, 0.7)  # weights of L, a and b: a lamp changes colours more than shapes

LIMIT = 0.25
"""Cards closer than this look alike.

Two pictures of one card, 0.8 mm apart, blurred, with noise of 5 levels and JPEG at quality 85, differ by 0.084
at most over all our decks; the limit is three times that.
"""


class FacePair(NamedTuple):
    """Two faces and their distance; the second may be rotated by half a turn."""

    distance: float
    first: str
    second: str
    turned: bool


def distance(picture_a: Picture, picture_b: Picture) -> float:
    return _distance_in({"daylight": _daylight}, picture_a, picture_b)


def _distance_in(lights: Lights, picture_a: Picture, picture_b: Picture) -> float:
    """Return the distance of two pictures in the light that makes them most similar."""
    small_a, small_b = shrink_and_whiten(picture_a), shrink_and_whiten(picture_b)
    near = np.stack([_features(small_b, lights), _features(_aligned(small_b, small_b, small_a), lights)])
    return float(np.min(_distances_between(_features(small_a, lights)[None], near)))


def closest_pairs(pictures: Mapping[str, Picture]) -> list[FacePair]:
    """Return pairs of faces, the closest first: all pairs, both ways up, and each face with its own half turn.

    They are compared in all lights, because a printed deck must work for warm lamps and colour-blind eyes.
    """
    names = list(pictures)
    if not names:
        return []
    small = [shrink_and_whiten(pictures[name]) for name in names]
    upright = np.stack([_features(each, LIGHTS) for each in small])
    turned = np.stack([_features(np.ascontiguousarray(each[::-1, ::-1]), LIGHTS) for each in small])
    pairs = sorted(_pairs(names, _distances_between(upright, upright), _distances_between(upright, turned)))
    again = _AGAIN * len(names)
    return sorted([*(_compare_again(pair, pictures) for pair in pairs[:again]), *pairs[again:]])


_AGAIN = 1  # pairs per face that are compared again after exact alignment


def _pairs(names: list[str], as_they_lie: Floats, half_turned: Floats) -> Iterator[FacePair]:
    for (i, first), (j, second) in combinations(enumerate(names), 2):
        yield FacePair(float(as_they_lie[i, j]), first, second, turned=False)
        yield FacePair(float(half_turned[i, j]), first, second, turned=True)
    for i, name in enumerate(names):
        yield FacePair(float(half_turned[i, i]), name, name, turned=True)


def _compare_again(pair: FacePair, pictures: Mapping[str, Picture]) -> FacePair:
    second = pictures[pair.second]
    other = np.ascontiguousarray(second[::-1, ::-1]) if pair.turned else second
    apart = _distance_in(LIGHTS, pictures[pair.first], other)
    return pair._replace(distance=min(apart, pair.distance))


# features


def shrink_and_whiten(picture: Picture) -> Floats:
    small = cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA)
    return _whiten(np.asarray(small, np.float32) / np.float32(255))


def align_picture(picture: Picture, onto: Picture) -> Picture:
    """Align a picture with another of the same face, like the reader; return it unchanged if that fails."""
    return np.asarray(_aligned(picture, shrink_and_whiten(picture), shrink_and_whiten(onto)), np.uint8)


def _aligned(picture: NDArray[Any], small: Floats, onto: Floats) -> NDArray[Any]:
    """Align a picture by the shift and turn that align its small version with another small picture."""
    warp = find_warp(grey_of(small), grey_of(onto), cv2.MOTION_EUCLIDEAN)
    if warp is None:
        return picture
    high, wide = picture.shape[:2]
    scale = np.diag((wide / SIZE[0], high / SIZE[1], 1.0))
    whole = scale @ np.vstack((warp, (0, 0, 1))) @ np.linalg.inv(scale)
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpAffine(picture, whole[:2], (wide, high), flags=how, borderMode=cv2.BORDER_REPLICATE)


def grey_of(small: Floats) -> Floats:
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.float32)


def find_warp(grey: Floats, onto: Floats, motion: int, steps: int = 40, blur: int = 5) -> Floats | None:
    """Return the motion that aligns a small grey picture with another; None if that fails."""
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, steps, 1e-4)
    warp = np.eye(3 if motion == cv2.MOTION_HOMOGRAPHY else 2, 3, dtype=np.float32)
    try:
        cv2.findTransformECC(onto, grey, warp, motion, stop, np.full(onto.shape, 255, np.uint8), blur)
    except cv2.error:
        return None
    return warp


def _features(small: Floats, lights: Lights) -> Floats:
    return np.stack([np.concatenate(_patches(light(small))) for light in lights.values()])


def _distances_between(these: Floats, those: Floats) -> Floats:
    split = WHOLE[0] * WHOLE[1] * 3
    likeness = [
        np.einsum("ilf,jlf->ijl", these[:, :, part], those[:, :, part], optimize=True)
        for part in (slice(0, split), slice(split, None))
    ]
    apart = [np.sqrt(np.maximum(0, 1 - likeness_of_part)) for likeness_of_part in likeness]
    least: Floats = ((apart[0] + apart[1]) / 2).min(axis=2)
    return least


def _patches(picture: Floats) -> tuple[Floats, Floats]:
    lab = cv2.cvtColor(np.clip(picture, 0, 1).astype(np.float32), cv2.COLOR_BGR2Lab) * np.array(
        _WEIGHTS, np.float32
    )
    high, wide = lab.shape[:2]
    corner = lab[: round(high * _INDEX_SHARE[1]), : round(wide * _INDEX_SHARE[0])]
    return _normal(lab, WHOLE), _normal(corner, INDEX)


def _normal(lab: NDArray[np.generic], size: tuple[int, int]) -> Floats:
    patch = cv2.resize(np.asarray(lab, np.float32), size, interpolation=cv2.INTER_AREA)
    patch = patch - patch.mean(axis=(0, 1))
    flat: Floats = (patch / (np.linalg.norm(patch) + 1e-6)).astype(np.float32).ravel()
    return flat


def _whiten(picture: Floats) -> Floats:
    white = np.percentile(picture.reshape(-1, 3), 90, axis=0)
    return np.clip(picture / np.maximum(white, 0.05), 0, 1).astype(np.float32)


# lights


def _daylight(picture: Floats) -> Floats:
    return picture


def _lamp(picture: Floats) -> Floats:
    """Light a picture with a warm lamp, R to B about 2.5 to 1; balancing removes only half of that."""
    linear = picture**2.2 * np.array([0.4, 0.72, 1.0], np.float32)
    halfway = linear / np.array([0.4, 0.72, 1.0], np.float32) ** 0.5
    return np.clip(halfway, 0, 1).astype(np.float32) ** np.float32(1 / 2.2)


def _grey(picture: Floats) -> Floats:
    one = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.cvtColor(one, cv2.COLOR_GRAY2BGR), np.float32)


def _colour_blindness(matrix: tuple[tuple[float, float, float], ...]) -> Callable[[Floats], Floats]:
    """Simulate a missing type of cone (Machado 2009, RGB in linear light)."""
    swapped = np.array(matrix, np.float32)[::-1, ::-1]

    def see(picture: Floats) -> Floats:
        linear = np.clip(picture**2.2 @ swapped.T, 0, 1)
        return (linear ** (1 / 2.2)).astype(np.float32)

    return see


LIGHTS: Lights = {
    "daylight": _daylight,
    "lamp": _lamp,
    "grey": _grey,
    "protanopia": _colour_blindness(
        ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998))
    ),
    "deuteranopia": _colour_blindness(
        ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))
    ),
    "tritanopia": _colour_blindness(
        ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900))
    ),
}
"""Simulated lights and types of colour blindness."""


# badly cut pictures

FEWEST, ALIKE = 3, 5  # fewest other pictures for a comparison, and most used
HALF, FAR = 0.5, 0.015
"""Largest ratio of a bad cut's difference after alignment to before, and smallest move, as a share of a side.

Of 255 pictures of other people's decks, five were badly cut: ratios up to 0.38 and moves from 0.029. The others
had ratios from 0.65 and moves up to 0.01.
"""


def find_askew(pictures: Mapping[Name, Picture]) -> Mapping[Name, Reals]:
    """Return the correct corners of badly cut pictures, as shares of each picture."""
    greys = [grey_of(shrink_and_whiten(each)) for each in pictures.values()]
    if len(greys) <= FEWEST:
        return {}
    # each picture is most similar to itself
    others = np.argsort(-np.corrcoef([grey.ravel() for grey in greys]))[:, 1 : ALIKE + 1].tolist()
    moved = (_moved_onto(grey, greys, some) for grey, some in zip(greys, others, strict=True))
    return {name: corners for name, corners in zip(pictures, moved, strict=True) if corners is not None}


def _moved_onto(grey: Floats, greys: Sequence[Floats], others: Sequence[int]) -> Reals | None:
    """Return the card's corners by similar, correctly cut pictures; None if its own cut is correct."""
    usual = np.asarray(np.median([greys[i] for i in others], axis=0), np.float32)
    warp = find_warp(grey, usual, cv2.MOTION_HOMOGRAPHY)
    if warp is None:
        return None
    corners = (map_points(np.asarray(warp, np.float64), UNIT_SQUARE * SIZE - 0.5) + 0.5) / SIZE
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = cv2.warpPerspective(grey, warp, SIZE, flags=how, borderMode=cv2.BORDER_REPLICATE)
    before, after = (1 - np.corrcoef(each.ravel(), usual.ravel())[0, 1] for each in (grey, moved))
    return corners if after < HALF * before and np.abs(corners - UNIT_SQUARE).max() > FAR else None
