"""Seek a face in a part of a picture, turned any way.

What is local in brightness is compared, small, so that light counts for little. A place that is found so is
only proposed: the reader judges it as strictly as any.
"""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.templates import Floats, Templates, picture_of
from vision.reading.views import Picture, Pose, grey_of, pose_of
from vision.table.plane import Reals, inverse, map_points

LEVEL = 2
"""The level of the pyramid in which a face is sought."""
TURN = 10
"""Degrees from one way of lying to the next."""
MIDDLE = 0.7
"""The side of the square in a card's middle that is compared, as a share of its width."""
LOCAL = 9
"""The side of the surroundings that light is even in, in pixels."""
FAINT = 3.0
"""Grey levels of print that count as noise."""
LEAST = 0.5
"""How well a place must correlate to be proposed."""
BEST = 3
"""The most places that are proposed."""
APART = 8
"""Degrees, and pixels, by which two of them differ."""
PAPER = 200
"""The grey of a face's white."""

Found = tuple[float, int, float, float]
"""How well a face correlates, how it is turned, and where its middle is."""


def seek_face(levels: Sequence[Picture], row: int, deck: Templates, plane: Reals) -> list[Pose]:
    """Propose where a row of the deck may lie in a picture of a table, the likeliest first."""
    level = min(LEVEL, len(levels) - 1)
    local = _local(grey_of(levels[level]).astype(np.float32))
    shrunk = np.diag((0.5**level, 0.5**level, 1.0)) @ plane
    card = _card_there(shrunk, deck.size, local.shape)
    side = round(MIDDLE * min(card))
    if side < LOCAL or side >= min(local.shape):
        return []
    face = grey_of(
        np.clip(picture_of(deck.coarse.bgr[row], deck.coarse.shape) * PAPER, 0, 255).astype(np.uint8)
    )
    found = sorted(_correlate(local, face.astype(np.float32), card, side), reverse=True)
    return [_pose_at(x, y, turn, shrunk, plane, deck.size) for _fit, turn, x, y in _distinct(found)]


def pose_on_table(middle: Reals, turn: float, plane: Reals, size: tuple[float, float]) -> Pose:
    """Pose a card on the table: where its middle is, in millimetres, and how many degrees it is turned."""
    along = np.array((np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn)))) / 2
    down = np.array((-along[1], along[0])) * size[1]
    across = along * size[0]
    corners = np.array([-across - down, across - down, across + down, -across + down])
    return pose_of(map_points(plane, middle + corners))


def _card_there(plane: Reals, size: tuple[float, float], shape: Sequence[int]) -> tuple[float, float]:
    """Measure a card's width and length in the middle of a picture."""
    middle = map_points(inverse(plane), np.array([(shape[1] / 2, shape[0] / 2)]))[0]
    one, other = map_points(plane, np.array([middle, (middle[0], middle[1] + 1)]))
    scale = float(np.linalg.norm(other - one))
    return size[0] * scale, size[1] * scale


def _correlate(local: Floats, face: Floats, card: tuple[float, float], side: int) -> Iterator[Found]:
    """Compare the middle of a face with all of a picture, turned each way."""
    for turn in range(0, 360, TURN):
        there = cv2.matchTemplate(local, _turned_middle(face, card, turn, side), cv2.TM_CCOEFF_NORMED)
        _least, best, _where, (x, y) = cv2.minMaxLoc(there)
        yield float(best), turn, x + side / 2, y + side / 2


def _turned_middle(face: Floats, card: tuple[float, float], turn: float, side: int) -> Floats:
    """Draw the local print in the middle of a face, turned."""
    high, wide = face.shape
    room = round(float(np.hypot(*card))) + LOCAL
    scaled = np.diag((card[0] / wide, card[1] / high))
    way = np.deg2rad(turn)
    turning = np.array(((np.cos(way), -np.sin(way)), (np.sin(way), np.cos(way)))) @ scaled
    shift = room / 2 - turning @ (wide / 2, high / 2)
    drawn = cv2.warpAffine(
        face, np.column_stack((turning, shift)), (room, room), borderValue=float(face.mean())
    )
    first = (room - side) // 2
    return np.ascontiguousarray(
        _local(np.asarray(drawn, np.float32))[first : first + side, first : first + side]
    )


def _local(grey: NDArray[np.float32]) -> Floats:
    """Take out the light and its strength: what is even over some pixels."""
    print_ = grey - cv2.blur(grey, (LOCAL, LOCAL))
    # running sums leave a little less than nothing where nothing is printed
    power = np.maximum(cv2.blur(print_**2, (LOCAL, LOCAL)), 0)
    return np.asarray(print_ / (np.sqrt(power) + FAINT), np.float32)


def _distinct(found: Sequence[Found]) -> list[Found]:
    """Choose the best places that aren't nearly the same."""
    chosen = list[Found]()
    for each in found:
        _fit, turn, x, y = each
        is_known = any(
            abs((turn - other + 180) % 360 - 180) <= TURN and np.hypot(x - left, y - top) < APART
            for _its, other, left, top in chosen
        )
        if each[0] > LEAST and not is_known and len(chosen) < BEST:
            chosen.append(each)
    return chosen


def _pose_at(x: float, y: float, turn: float, shrunk: Reals, plane: Reals, size: tuple[float, float]) -> Pose:
    """Pose a card where its middle was found in the small picture."""
    there = np.array([(x, y), (x + np.cos(np.deg2rad(turn)), y + np.sin(np.deg2rad(turn)))])
    middle, beside = map_points(inverse(shrunk), there)
    across = beside - middle
    return pose_on_table(middle, float(np.degrees(np.arctan2(across[1], across[0]))), plane, size)
