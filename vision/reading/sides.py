"""Find cards by one whole visible side, as cards that touch or cross still show."""

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.straight_edges import line_along, points_along
from vision.reading.views import SMALLEST, PictureView
from vision.table.plane import Reals

SIDED = 1500
"""The most sides that are tried."""
PARTS = 3
"""The most cards that may touch along one side."""
DEPTHS = (0.88, 1.0, 1.12)
"""How much perspective may lengthen or shorten a side."""


def quads_by_side(
    contour: NDArray[np.int32], view: PictureView, size: tuple[float, float], fewest: int
) -> Iterator[Reals]:
    """Lay cards, `fewest` or more, along each straight side of a contour that has a corner at both ends."""
    scale = float(view.back[0, 0])
    area = float(cv2.contourArea(contour))
    if area * scale**2 < SMALLEST or area > 0.9 * view.grey.size:
        return
    sides = _straight_sides(np.asarray(contour, np.float64)[:, 0], area)
    if len(sides) < 3:
        return
    corners = [_corner(sides[i - 1], sides[i]) for i in range(len(sides))]
    for i, side in enumerate(sides):
        start, end = corners[i], corners[(i + 1) % len(sides)]
        if start is None or end is None:
            continue
        before, after = sides[i - 1], sides[(i + 1) % len(sides)]
        down_start, down_end = _unit(before[0] - before[1]), _unit(after[1] - after[0])
        length = float(np.hypot(*(end - start)))
        if length * scale < SHORTEST_SIDE or length < 0.6 * float(np.hypot(*(side[1] - side[0]))):
            continue
        known = [float(np.hypot(*(each[1] - each[0]))) for each in (before, after)]
        yield from _cards_along(size, start, end, (down_start, down_end), known, fewest)


SHORTEST_SIDE = 30.0
"""The shortest side of a card, in pixels of the picture."""


def _cards_along(
    size: tuple[float, float],
    start: Reals,
    end: Reals,
    down: tuple[Reals, Reals],
    known: Sequence[float],
    fewest: int,
) -> Iterator[Reals]:
    """Lay one card or several touching ones along a side; give the corners of the first and the last."""
    for parts in range(fewest, PARTS + 1):
        step = (end - start) / parts
        share = float(np.hypot(*step))
        for ratio, turned in ((size[1] / size[0], False), (size[0] / size[1], True)):
            depths = [share * ratio * much for much in (DEPTHS if parts == 1 else (1.0,))]
            depths += [each for each in known if abs(each / (share * ratio) - 1) < 0.2]
            for depth in depths:
                first = np.array([start, start + step, start + step + down[1] * depth, start + down[0] * depth])
                last = np.array([end - step, end, end + down[1] * depth, end - step + down[0] * depth])
                for quad in (first, last)[:parts]:
                    yield np.roll(quad, -1, axis=0) if turned else quad


def _straight_sides(points: Reals, area: float) -> list[Reals]:
    """List a contour's straight sides, clockwise, each by its two ends on the fitted line."""
    if cv2.contourArea(points.astype(np.float32), oriented=True) < 0:
        points = points[::-1]
    slack = float(np.clip(0.015 * np.sqrt(area), 1.5, 5.0))
    near = np.asarray(cv2.approxPolyDP(points.astype(np.float32)[:, None], slack, True), np.float64)[:, 0]
    if not 3 < len(near) < 60:
        return []
    least = 0.12 * float(np.sqrt(area))
    following = np.roll(near, -1, axis=0)
    dense = points_along(points)
    sides = []
    for start, end in zip(near, following, strict=True):
        if np.hypot(*(end - start)) < least:
            continue
        line = line_along(dense, start, end)
        sides.append(
            np.array([start, end])
            if line is None
            else np.array([_point_on_line(line, start), _point_on_line(line, end)])
        )
    return sides


def _point_on_line(line: Reals, point: Reals) -> Reals:
    return np.asarray(point - line[:2] * (point @ line[:2] + line[2]))


def _unit(way: Reals) -> Reals:
    return np.asarray(way / max(1e-9, float(np.hypot(*way))))


def _corner(one: Reals, following: Reals) -> Reals | None:
    """Find where two sides meet, if that is a card's corner: convex, about square, near both ends."""
    way, after = one[1] - one[0], following[1] - following[0]
    long, next_long = float(np.hypot(*way)), float(np.hypot(*after))
    cross = float(way[0] * after[1] - way[1] * after[0])
    if cross < 0.8 * long * next_long:
        return None
    apart = following[0] - one[0]
    reach = float(apart[0] * after[1] - apart[1] * after[0]) / cross
    corner = one[0] + reach * way
    near = 0.3 * min(long, next_long)
    if np.hypot(*(corner - one[1])) > near or np.hypot(*(corner - following[0])) > near:
        return None
    return np.asarray(corner)
