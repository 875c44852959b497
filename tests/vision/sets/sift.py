"""A reader of the usual kind, to compare with: SIFT's features, and RANSAC for the card's place."""

from collections.abc import Iterator, Mapping, Sequence

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from hardware.twin.rendering.lens import Pixels
from vision.sightings import Outline, Reading, Sighting
from vision.table.plane import Reals

RATIO = 0.8
"""How much nearer the best match must be than the second (Lowe's)."""
LEAST = 10
"""The fewest points that agree on a place."""
MOST_ALIKE = 3
"""The most cards of one face that are looked for."""
FEATURES = 5000

Floats = NDArray[np.float32]


class Points(Struct, frozen=True, eq=False):
    """A picture's features: where they are, and what they look like."""

    where: Floats
    looks: Floats


class FaceFeatures(Struct, frozen=True, eq=False):
    """A taught picture's features, and its size."""

    name: str
    points: Points
    size: tuple[int, int]


class SiftReader:
    """Names the cards of a deck in a picture; keeps its features between pictures."""

    def __init__(self, faces: Mapping[str, Sequence[Pixels]]) -> None:
        """Find the features of each taught picture."""
        self._sift = cv2.SIFT_create(FEATURES)
        self._matcher = cv2.BFMatcher(cv2.NORM_L2)
        self._faces = tuple(
            FaceFeatures(name, self._points(shot), (shot.shape[1], shot.shape[0]))
            for name, shots in faces.items()
            for shot in shots
        )

    def read(self, picture: Pixels) -> Reading:
        """Name the cards by the most points that agree; each place has one name."""
        points = self._points(picture)
        found = [each for face in self._faces for each in self._places(face, points)]
        kept: list[tuple[int, str, Reals]] = []
        for each in sorted(found, key=lambda one: -one[0]):
            if not any(_is_same_place(each[2], other[2]) for other in kept):
                kept.append(each)
        return Reading(tuple(_sighting(*each) for each in kept))

    def _points(self, picture: Pixels) -> Points:
        spots, looks = self._sift.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
        where = np.array([spot.pt for spot in spots], np.float32).reshape(-1, 2)
        return Points(where, np.zeros((0, 128), np.float32) if looks is None else np.asarray(looks, np.float32))

    def _places(self, face: FaceFeatures, points: Points) -> Iterator[tuple[int, str, Reals]]:
        """Find where a face lies, by points that agree on one homography; then look for one more."""
        # from the picture to the face, so that two cards of one face don't rule each other out
        if min(len(face.points.looks), len(points.looks)) < LEAST:
            return
        near = self._matcher.knnMatch(points.looks, face.points.looks, k=2)
        good = [one for one, other in near if one.distance < RATIO * other.distance]
        there, own = (
            np.array([points.where[each.queryIdx] for each in good], np.float32).reshape(-1, 2),
            np.array([face.points.where[each.trainIdx] for each in good], np.float32).reshape(-1, 2),
        )
        for _card in range(MOST_ALIKE):
            if len(there) < LEAST:
                return
            matrix, agrees = cv2.findHomography(own, there, cv2.RANSAC, 5.0)
            inside = np.asarray(agrees, np.bool_).ravel() if matrix is not None else np.zeros(0, np.bool_)
            if inside.sum() < LEAST:
                return
            wide, high = face.size
            corners = np.array([[(0, 0), (wide, 0), (wide, high), (0, high)]], np.float32)
            quad = np.asarray(cv2.perspectiveTransform(corners, np.asarray(matrix)), np.float64)[0]
            if _is_card_like(quad):
                yield int(inside.sum()), face.name, quad
            there, own = there[~inside], own[~inside]


def _is_card_like(quad: Reals) -> bool:
    sides = np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
    return bool(
        cv2.isContourConvex(quad.astype(np.float32)) and sides.min() > 20 and sides.max() < 3 * sides.min()
    )


def _is_same_place(one: Reals, other: Reals) -> bool:
    apart = np.hypot(*(one.mean(axis=0) - other.mean(axis=0)))
    return bool(apart < 0.25 * np.hypot(*(other[0] - other[1])))


def _sighting(points: int, name: str, quad: Reals) -> Sighting:
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    outline: Outline = (a, b, c, d)
    return Sighting(name, True, float(points), (), outline, "up", 1.0, None, True)
