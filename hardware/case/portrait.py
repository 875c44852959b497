"""Draws meshes from above at an angle, with shading and edges."""

import re
from collections.abc import Mapping
from itertools import chain
from math import cos, radians, sin

import cv2
import numpy as np
from numpy.typing import NDArray

Mesh = NDArray[np.float64]  # triangles of three corners in millimetres

_VERTEX = re.compile(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)")


def mesh(stl: bytes) -> Mesh:
    numbers = chain.from_iterable(_VERTEX.findall(stl))
    return np.array([float(number) for number in numbers]).reshape(-1, 3, 3)


GRAMS_A_MILLILITRE, GRAMS_AN_HOUR = 1.24, 25.0
"""Density of PLA, and throughput of a common printer at 0.2 mm layers."""


def grams(triangles: Mesh) -> float:
    """Return the weight of a solid mesh; thick pieces weigh less, because of their infill."""
    return float(np.linalg.det(triangles).sum()) / 6000 * GRAMS_A_MILLILITRE


def print_hours(weight: float) -> float:
    return weight / GRAMS_AN_HOUR


Picture = NDArray[np.uint8]
Array = NDArray[np.float64]

SIZE = (480, 360)
FINER = 3
COLUMNS = 4
MARGIN = 0.06
PAPER = (246, 250, 251)
PLASTIC = (196, 150, 72)  # blue, green, red
LIGHT = np.array([-0.35, 0.5, 0.8]) / np.linalg.norm([-0.35, 0.5, 0.8])


def portrait(triangles: Mesh, turn: float = 30, tilt: float = 35) -> Picture:
    """Draw a mesh, turned about its vertical axis and tilted, in degrees."""
    seen = _fit_to_picture(triangles @ _view(turn, tilt).T)
    depth = np.full((SIZE[1] * FINER, SIZE[0] * FINER), -np.inf)
    faced = np.zeros((*depth.shape, 3))
    for triangle in seen:
        _draw(triangle, depth, faced)
    lit = 0.35 + 0.65 * np.clip(faced @ LIGHT, 0, 1)
    picture = np.where(np.isfinite(depth)[..., None], lit[..., None] * PLASTIC, PAPER)
    across, down = (np.diff(faced, axis=axis, append=faced.take([-1], axis=axis)) for axis in (0, 1))
    picture[np.abs(across).sum(axis=2) + np.abs(down).sum(axis=2) > 0.6] *= 0.45
    return np.asarray(cv2.resize(picture, SIZE, interpolation=cv2.INTER_AREA), np.uint8)


def sheet(portraits: Mapping[str, Picture]) -> Picture:
    pictures = [picture.copy() for picture in portraits.values()]
    for name, picture in zip(portraits, pictures, strict=True):
        at = (12, SIZE[1] - 14)
        cv2.putText(picture, name, at, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (70, 60, 50), 1, cv2.LINE_AA)
    empty = np.full_like(pictures[0], PAPER)
    pictures += [empty] * (-len(pictures) % COLUMNS)
    rows = [np.hstack(pictures[start : start + COLUMNS]) for start in range(0, len(pictures), COLUMNS)]
    return np.vstack(rows)


def _view(turn: float, tilt: float) -> Array:
    """Return the view's rotation: turn, then tilt; x is right, y up, z towards the viewer."""
    c, s, up, out = cos(radians(turn)), sin(radians(turn)), sin(radians(tilt)), cos(radians(tilt))
    return np.array([[c, -s, 0], [s * up, c * up, out], [-s * out, -c * out, up]])


def _fit_to_picture(seen: Mesh) -> Mesh:
    low, high = seen.reshape(-1, 3).min(axis=0), seen.reshape(-1, 3).max(axis=0)
    size = np.array(SIZE) * FINER
    scale = ((1 - 2 * MARGIN) * size / (high - low)[:2]).min()
    moved: Mesh = (seen - (low + high) / 2) * scale
    moved[..., 1] *= -1
    moved[..., :2] += size / 2
    return moved


def _draw(triangle: Array, depth: Array, faced: Array) -> None:
    (x0, y0), (x1, y1) = np.floor(triangle[:, :2].min(axis=0)), np.ceil(triangle[:, :2].max(axis=0))
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangle
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if abs(area) < 1e-9:
        return
    rows, columns = slice(int(y0), int(y1) + 1), slice(int(x0), int(x1) + 1)
    y, x = np.mgrid[rows, columns]
    b = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
    c = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
    z = az + b * (bz - az) + c * (cz - az)
    nearer = (b >= 0) & (c >= 0) & (b + c <= 1) & (z > depth[rows, columns])
    depth[rows, columns][nearer] = z[nearer]
    normal = np.cross(triangle[1] - triangle[0], triangle[2] - triangle[0]) * (1, -1, 1)
    faced[rows, columns][nearer] = (normal if normal[2] > 0 else -normal) / np.linalg.norm(normal)
