"""Soften a deck's rows as much as the picture is: a far or unsharp card shows its face with less contrast.

Compared with a sharp row, a soft picture lies between that row and its rivals. Compared with softened rows it
is one of them as clearly as a sharp picture would be, and in doubt only where the blur took away what sets them
apart.
"""

from functools import lru_cache
from math import sqrt

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.reading.templates import Floats, Shape, TemplateGrid
from vision.table.plane import Reals, inverse, map_points

SOFTER = (0.7, 1.0, 1.4, 2.0)
"""How soft pictures are tried to be: standard deviations in pixels of the picture."""
SOMETHING_ELSE = 0.12
"""A picture whose cells are farther from the softened row, as a root mean square, doesn't show its face."""
TOO_LITTLE = 0.3
"""A blur of fewer cells changes nothing."""
REACH = 2.5
"""How far a blur reaches, in standard deviations."""


def soften_rows(grid: TemplateGrid, lab: Floats, first: int, pose: Reals, seen: Floats) -> TemplateGrid:
    """Soften a grid's rows as much as the picture (channels by cells) of its first likely row is."""
    best, off = None, _distance(lab, grid.lab[first], seen)
    spread = _spread_in_cells(pose, grid.shape)
    for pixels in SOFTER:
        # rounded, so that cards that lie alike share kernels
        across, down, both = np.round(spread[[0, 1, 0], [0, 1, 1]] * pixels**2, 2).tolist()
        kernel = _kernel(across, down, both)
        if kernel is None:
            continue
        softer = _distance(lab, soft_row(grid.lab[first], grid.shape, kernel), seen)
        if softer >= off:
            break
        best, off = kernel, softer
    # what fits badly even so is something else, and softness would only make it look more like this face
    is_it = off <= SOMETHING_ELSE**2 * float(seen.sum())
    return _soft_grid(grid, best) if best is not None and is_it else grid


def _distance(lab: Floats, row: Floats, seen: Floats) -> float:
    apart = np.square(lab - row.reshape(3, -1))
    return float((apart[0] + apart[1] + apart[2]) @ seen)


def _soft_grid(grid: TemplateGrid, kernel: Floats) -> TemplateGrid:
    return replace(grid, lab=np.stack([soft_row(row, grid.shape, kernel) for row in grid.lab]), blur=kernel)


def soft_row(row: Floats, shape: Shape, kernel: Floats) -> Floats:
    """Soften a row, channel by channel."""
    planes = np.asarray(row, np.float32).reshape(3, *shape)
    return np.asarray(np.stack([cv2.filter2D(plane, -1, kernel) for plane in planes]).ravel(), np.float32)


def _spread_in_cells(pose: Reals, shape: Shape) -> Reals:
    """Map a round blur of one pixel of the picture to a posed card's cells: the blur's covariance."""
    high, wide = shape
    middle, right, below = map_points(pose, np.array([(0, 0), (1 / wide, 0), (0, 1 / high)]))
    (a, b), (c, d) = (right - middle).tolist(), (below - middle).tolist()
    size = max(1e-9, (a * d - b * c) ** 2)
    spread = np.array([(c * c + d * d, -a * c - b * d), (-a * c - b * d, a * a + b * b)])
    return np.asarray(spread / size, np.float64)


@lru_cache(maxsize=256)
def _kernel(across: float, down: float, both: float) -> Floats | None:
    """Make the kernel of a blur, by its covariance in cells; None if it is too small to change anything."""
    reach = sqrt(across), sqrt(down)
    if max(reach) < TOO_LITTLE:
        return None
    x, y = (np.arange(-each, each + 1) for each in map(_reach, reach))
    spots: NDArray[np.float64] = np.stack(np.meshgrid(x, y), axis=-1)
    # a cell is as wide as a blur of its own
    spread = np.array([(across + FLAT, both), (both, down + FLAT)])
    weights = np.exp(-0.5 * np.einsum("yxi,ij,yxj->yx", spots, inverse(spread), spots))
    return np.asarray(weights / weights.sum(), np.float32)


FLAT = 0.04
"""The least variance of a kernel, in cells: narrower ones would miss their own cells."""


def _reach(spread: float) -> int:
    return max(1, min(8, round(REACH * spread)))
