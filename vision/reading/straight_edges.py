"""Fit straight sides to ragged outlines."""

import cv2
import numpy as np

from vision.table.plane import Reals


def points_along(hull: Reals) -> Reals:
    """List points along a hull, about a pixel apart."""
    along = np.roll(hull, -1, axis=0) - hull
    counts = np.maximum(1, np.hypot(*along.T).astype(np.intp))
    firsts = np.cumsum(counts) - counts
    which = np.repeat(np.arange(len(hull)), counts)
    far = (np.arange(len(which)) - firsts[which]) / counts[which]
    return np.asarray(hull[which] + along[which] * far[:, None])


def line_along(points: Reals, start: Reals, end: Reals) -> Reals | None:
    """Fit a line a, b, c (ax + by + c = 0) to the points along the middle of a side."""
    along = end - start
    length = np.hypot(*along)
    if length < 4:
        return None
    unit = along / length
    far = (points - start) @ unit / length
    off = np.abs((points - start) @ np.array([-unit[1], unit[0]]))
    near = points[(far > 0.15) & (far < 0.85) & (off < 0.06 * length)]
    if len(near) < 5:
        return None
    vx, vy, x, y = np.asarray(
        cv2.fitLine(near.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01), np.float64
    ).ravel()
    return np.array([-vy, vx, vy * x - vx * y])
