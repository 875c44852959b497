"""Read meshes in the form that 3D printers take."""

import re
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Mesh = NDArray[np.float64]
"""Triangles: three corners each, with three coordinates in millimetres."""

_VERTEX = re.compile(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)")


def mesh(stl: bytes) -> Mesh:
    """Read a mesh from STL text."""
    numbers = chain.from_iterable(_VERTEX.findall(stl))
    return np.array([float(number) for number in numbers]).reshape(-1, 3, 3)
