"""Measure meshes, and check them for holes."""

from collections import Counter

import numpy as np

from hardware.case.solid import Mesh


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
