"""Geometry of the table in a picture: 3x3 matrices from millimetres to pixels, and lens distortion."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sightings import Outline, Point
from vision.table.values import Matrix, Size

Reals: TypeAlias = NDArray[np.float64]


def map_points(matrix: Reals, points: Reals) -> Reals:
    """Map points (n, 2) by a 3x3 matrix."""
    sent = matrix[:, :2] @ np.asarray(points, np.float64).T + matrix[:, 2:]
    depth = sent[2]
    depth[np.abs(depth) < 1e-9] = 1e-9
    return np.ascontiguousarray((sent[:2] / depth).T)


UNIT_SQUARE = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
"""Corners of the unit square, clockwise from the upper left."""


def area_within(corners: Reals) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def lengths_of(corners: Reals) -> Reals:
    """Return the lengths of the sides of outlines (..., 4, 2), each from its upper one on."""
    return np.asarray(np.linalg.norm(np.roll(corners, -1, axis=-2) - corners, axis=-1), np.float64)


def size_misfit(corners: Reals, size: tuple[float, float]) -> float:
    """Return the largest difference of an outline's sides from a card's, as a logarithm."""
    return float(np.abs(np.log(np.maximum(lengths_of(corners), 1e-6) / np.tile(size, 2))).max())


def covers(one: Outline | Reals, other: Outline | Reals) -> float:
    """Return the share of the second outline that the first one covers."""
    place = np.array(other, np.float32)
    common = cv2.intersectConvexConvex(np.array(one, np.float32), place)[0]
    return common / max(1e-9, cv2.contourArea(place))


def holds(outline: Sequence[Point] | Reals, at: Point) -> bool:
    """Return whether a point is within an outline."""
    corners = np.array(outline, np.float32)
    return cv2.pointPolygonTest(corners, (float(at[0]), float(at[1])), measureDist=False) >= 0


def as_outline(corners: Reals) -> Outline:
    a, b, c, d = ((float(x), float(y)) for x, y in corners)
    return a, b, c, d


def as_matrix(matrix: Reals) -> Matrix:
    one, two, three = (tuple(row) for row in (matrix / matrix[2, 2]).tolist())
    return one, two, three


def inverse(matrix: Reals) -> Reals:
    # for one small matrix, OpenCV is ten times as fast as NumPy
    regular, back = cv2.invert(np.asarray(matrix, np.float64))
    if not regular:
        raise np.linalg.LinAlgError("Singular matrix")
    return np.asarray(back, np.float64)


def line_through(points: Reals) -> Reals:
    """Fit a line to points, robust against outliers: a, b, c of ax + by + c = 0."""
    x, y, px, py = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
    return np.array((-y, x, y * px - x * py))


def meet(lines: Reals) -> Reals | None:
    """Intersect each line with the one before it; None if some are parallel."""
    met = np.cross(np.roll(lines, 1, axis=0), lines)
    return None if (np.abs(met[:, 2]) < 1e-9).any() else met[:, :2] / met[:, 2:]


def bend_points(points: Reals, lens: float, size: Size) -> Reals:
    """Apply radial lens distortion to points; the unit of distance is half the picture's width."""
    middle, unit = _frame(size)
    away = (points - middle) / unit
    out: Reals = away * (1 + lens * (away**2).sum(axis=1))[:, None] * unit + middle
    return out


def straighten_points(points: Reals, lens: float, size: Size) -> Reals:
    middle, unit = _frame(size)
    seen = (points - middle) / unit
    away = seen
    for _ in range(10):
        away = seen / (1 + lens * (away**2).sum(axis=1))[:, None]
    out: Reals = away * unit + middle
    return out


def _frame(size: Size) -> tuple[Reals, float]:
    return (np.array(size, np.float64) - 1) / 2, size[0] / 2


def pixels_per_mm(matrix: Reals, point: Reals) -> float:
    """Return the pixels per millimetre at a point of the table."""
    near = map_points(matrix, point + np.array([(0, 0), (1, 0), (0, 1)], np.float64))
    across, down = near[1] - near[0], near[2] - near[0]
    return float(np.sqrt(abs(across[0] * down[1] - across[1] * down[0])))


def sample_colours(picture: NDArray[Any], where: NDArray[np.floating[Any]]) -> NDArray[np.float32]:
    """Return a picture's colours at positions (..., 2); outside the picture, those of its edge."""
    shape, spots = where.shape[:-1], where.reshape(-1, where.shape[-2], 2).astype(np.float32)
    across, down = np.ascontiguousarray(spots[..., 0]), np.ascontiguousarray(spots[..., 1])
    seen = cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32).reshape(*shape, *picture.shape[2:])


def largest_channel(colours: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the largest channel of each colour (..., 3); faster than NumPy's `max` over an axis of three."""
    return np.maximum(np.maximum(colours[..., 0], colours[..., 1]), colours[..., 2])


def homography(mm: Reals, pixels: Reals) -> Reals:
    """Fit the matrix that maps points (n, 2) to pixels, by least squares."""
    found, _used = cv2.findHomography(mm, pixels)
    # no matrix exists for points on one line
    if found is None:
        return np.full((3, 3), np.nan)
    return np.asarray(found, np.float64)


def least_squares(wrong: Callable[[Reals], Reals], start: Reals) -> Reals:
    """Minimize an error by the Levenberg-Marquardt algorithm."""
    now, error, damping = start, wrong(start), 1e-3
    for _ in range(40):
        slope = _slope(wrong, now, error)
        square = slope.T @ slope
        step = np.linalg.solve(square + damping * np.diag(np.diag(square) + 1e-12), -slope.T @ error)
        tried = wrong(now + step)
        better = float(tried @ tried) < float(error @ error)
        damping = max(1e-9, damping / 5) if better else damping * 5
        if better:
            done = float(error @ error - tried @ tried) < 1e-10 * float(error @ error)
            now, error = now + step, tried
            if done:
                break
    return now


def _slope(wrong: Callable[[Reals], Reals], at: Reals, error: Reals) -> Any:
    columns = []
    for i, value in enumerate(at):
        nudge = 1e-6 * max(1.0, abs(value))
        near = at.copy()
        near[i] += nudge
        columns.append((wrong(near) - error) / nudge)
    return np.stack(columns, axis=1)
