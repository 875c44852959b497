"""A mesh as a printer lays it down, layer upon layer: what would hang in the air without a support."""

from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.case.portrait import Mesh

Cells = NDArray[np.bool_]
CELL, LAYER = 0.2, 0.4
"""Millimetres of a cell's side, and of two of a printer's layers."""
_ACROSS = np.hypot(*np.mgrid[-2:3, -2:3])
STEP = (_ACROSS <= 2.5).astype(np.uint8)
"""By so much a layer may reach beyond the one below: its own height, which is 45 degrees."""


def layers(triangles: Mesh) -> Cells:
    """Fill a mesh with cells, by layer from below, row and column."""
    low, high = triangles.reshape(-1, 3).min(axis=0), triangles.reshape(-1, 3).max(axis=0)
    size = np.array((CELL, CELL, LAYER))
    columns, rows, count = (np.ceil((high - low) / size).astype(int) + 2).tolist()
    surfaces = np.zeros((count, rows, columns), dtype=np.bool_)
    for triangle in (triangles - low) / size:
        _cross(triangle, surfaces)
    return np.logical_xor.accumulate(surfaces, axis=0)


def _cross(triangle: NDArray[np.float64], surfaces: Cells) -> None:
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangle.tolist()
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if abs(area) < 1e-9:
        return
    (left, top), (right, low) = np.floor(triangle[:, :2].min(axis=0)), np.ceil(triangle[:, :2].max(axis=0))
    row, column = np.mgrid[int(top) : int(low), int(left) : int(right)]
    # a little beside the middle of each cell, where no edge lies
    x, y = column + 0.5123, row + 0.5177
    b = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
    c = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
    met = (b >= 0) & (c >= 0) & (b + c <= 1)
    layer = np.ceil(az + b * (bz - az) + c * (cz - az) - 0.5).clip(0).astype(int)
    surfaces[layer[met], row[met], column[met]] ^= True


def widest_gap(cells: Cells) -> float:
    """Give the widest gap under anything, in millimetres; it is infinite where only one side holds."""
    return max((_gap(below, layer) for below, layer in pairwise(cells)), default=0.0)


def _gap(below: Cells, layer: Cells) -> float:
    hanging = layer & (cv2.dilate(below.astype(np.uint8), STEP) == 0)
    if not hanging.any():
        return 0.0
    return float(np.minimum(_widths(below), _widths(below.T).T)[hanging].max()) * CELL


def _widths(below: Cells) -> NDArray[np.float64]:
    """Give for each cell how wide the gap is in which it lies, along its row."""
    places = np.arange(below.shape[1])
    start = np.maximum.accumulate(np.where(below, places, -np.inf), axis=1)
    end = np.minimum.accumulate(np.where(below, places, np.inf)[:, ::-1], axis=1)[:, ::-1]
    return np.asarray(end - start - 1)
