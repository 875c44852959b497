"""Meshes as a 3D printer gets them: read, weighed, and checked for holes."""

import re
from collections import Counter
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Mesh = NDArray[np.float64]
"""Triangles: for each, three corners with three coordinates, in millimetres."""

_VERTEX = re.compile(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)")


def mesh(stl: bytes) -> Mesh:
    """Read a mesh from STL text."""
    numbers = chain.from_iterable(_VERTEX.findall(stl))
    return np.array([float(number) for number in numbers]).reshape(-1, 3, 3)


def loose_edges(triangles: Mesh) -> int:
    """Count the edges that don't lie between exactly two faces, one each way: none if the mesh is closed."""
    edges: Counter[tuple[tuple[float, ...], tuple[float, ...]]] = Counter()
    for triangle in triangles.tolist():
        a, b, c = map(tuple, triangle)
        edges.update(((a, b), (b, c), (c, a)))
    return sum(count != 1 or edges[end, start] != 1 for (start, end), count in edges.items())


def volume(triangles: Mesh) -> float:
    """Weigh a mesh in cubic millimetres; inside out it is negative."""
    return float(np.linalg.det(triangles).sum() / 6)


def extent(triangles: Mesh) -> tuple[float, float, float]:
    """Measure a mesh along each axis."""
    corners = triangles.reshape(-1, 3)
    x, y, z = corners.max(axis=0) - corners.min(axis=0)
    return float(x), float(y), float(z)
