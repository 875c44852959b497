"""Fit straight sides to ragged outlines."""

import numpy as np

from vision.table.plane import Reals, line_through


def points_along(hull: Reals) -> Reals:
    """List points along a hull, about a pixel apart."""
    along = np.roll(hull, -1, axis=0) - hull
    counts = np.maximum(1, np.hypot(*along.T).astype(np.intp))
    firsts = np.cumsum(counts) - counts
    which = np.repeat(np.arange(len(hull)), counts)
    far = (np.arange(len(which)) - firsts[which]) / counts[which]
    return np.asarray(hull[which] + along[which] * far[:, None])


def line_along(points: Reals, start: Reals, end: Reals) -> Reals | None:
    """Fit a line to the points along the middle of a side; None if there are too few."""
    along = end - start
    length = np.hypot(*along)
    if length < 4:
        return None
    unit = along / length
    far = (points - start) @ unit / length
    off = np.abs((points - start) @ np.array([-unit[1], unit[0]]))
    near = points[(far > 0.15) & (far < 0.85) & (off < 0.06 * length)]
    return line_through(near) if len(near) >= 5 else None
