"""Soften a deck's rows as much as the picture is: a far or unsharp card shows its face with less contrast.

Compared with a sharp row, a soft picture lies between that row and its rivals. Compared with softened rows it
is one of them as clearly as a sharp picture would be, and in doubt only where the blur took away what sets them
apart. Lenses and pixels mix light, not a picture's steps: black print grows thinner as it grows softer.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import dist, sqrt
from typing import TypeAlias

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.reading.templates import Floats, Shape, TemplateGrid, channels_of, lab_of
from vision.reading.views import Point, map_each
from vision.table.plane import Reals, inverse, map_points

Window: TypeAlias = tuple[slice, slice]  # rows and columns of a grid
Relit: TypeAlias = Callable[[Floats, Floats], Floats]
"""Gives the picture as Lab, in the light that makes it most like some colours, which come with their Lab."""

SOFTER = (0.7, 1.0, 1.4, 2.0)
"""How soft pictures are tried to be: standard deviations in pixels of the picture."""
SOMETHING_ELSE = 0.12
"""A picture whose cells are farther from the softened row, as a root mean square, doesn't show its face."""
TOO_LITTLE = 0.3  # a blur of fewer cells changes nothing
REACH = 2.5  # how far a blur reaches, in standard deviations
FARTHEST = 8  # how far it reaches at most, in cells


def soften_rows(grid: TemplateGrid, first: int, pose: Reals, seen: Floats, seen_in: Relit) -> TemplateGrid:
    """Soften a grid's rows as much as the picture of its first likely row is; `seen_in` gives it as Lab."""
    row, window = grid.lab[first].reshape(3, -1), _window_of(seen, grid.shape)
    best, off = None, _distance(seen_in(grid.bgr[first], row), row, seen)
    for kernel in _kernels(pose, grid.shape):
        # sharp print seems lighter and less black than it is beside a soft picture of it
        soft, lab = _softened(grid, first, window, kernel)
        softer = _distance(seen_in(soft, lab), lab, seen)
        if softer >= off:
            break
        best, off = kernel, softer
    # what fits badly even so is something else, and softness would only make it look more like this face
    is_it = off <= SOMETHING_ELSE**2 * float(seen.sum())
    if best is None or not is_it:
        return grid
    every = [_softened(grid, row, window, best) for row in range(len(grid.bgr))]
    return replace(
        grid, bgr=[soft for soft, _lab in every], lab=np.stack([lab.ravel() for _soft, lab in every])
    )


def _window_of(seen: Floats, shape: Shape) -> Window:
    """Frame the visible cells, with those that a blur mixes into them."""
    framed = (np.flatnonzero(seen.reshape(shape).any(axis=axis)).tolist() for axis in (1, 0))
    rows, columns = (slice(max(0, each[0] - FARTHEST), each[-1] + FARTHEST + 1) for each in framed)
    return rows, columns


def _softened(grid: TemplateGrid, row: int, window: Window, kernel: Floats) -> tuple[Floats, Floats]:
    """Soften a row in a window, as light; give its colours and Lab, channels by cells."""
    colours, lab = grid.bgr[row].copy(), grid.lab[row].reshape(3, -1).copy()
    here, there = (each.reshape(3, *grid.shape)[:, *window] for each in (colours, lab))
    light = to_light(np.ascontiguousarray(here.transpose(1, 2, 0)))
    soft = channels_of(to_colours(np.asarray(cv2.filter2D(light, -1, kernel), np.float32)))
    here[:], there[:] = soft.reshape(here.shape), lab_of(soft).reshape(there.shape)
    return colours, lab


def _kernels(pose: Reals, shape: Shape) -> Iterator[Floats]:
    """List the kernels of ever wider blurs of the picture, in the cells of a posed card."""
    spread = _spread_in_cells(pose, shape)
    for pixels in SOFTER:
        # rounded, so that cards that lie alike share kernels
        across, down, both = np.round(spread[[0, 1, 0], [0, 1, 1]] * pixels**2, 2).tolist()
        kernel = _kernel(across, down, both)
        if kernel is not None:
            yield kernel


def _distance(lab: Floats, row: Floats, seen: Floats) -> float:
    apart = np.square(lab - row)
    return float((apart[0] + apart[1] + apart[2]) @ seen)


TONE = 2.2  # the power that turns a picture's steps to light


def to_light(colours: Floats) -> Floats:
    return np.asarray(cv2.pow(np.maximum(colours, 0), TONE), np.float32)


def to_colours(light: Floats) -> Floats:
    return np.asarray(cv2.pow(light, 1 / TONE), np.float32)


def _spread_in_cells(pose: Reals, shape: Shape) -> Reals:
    """Map a round blur of one pixel of the picture to a posed card's cells: the blur's covariance."""
    high, wide = shape
    middle, right, below = map_points(pose, np.array([(0, 0), (1 / wide, 0), (0, 1 / high)]))
    (a, b), (c, d) = (right - middle).tolist(), (below - middle).tolist()
    size = max(1e-9, (a * d - b * c) ** 2)
    spread = np.array([(c * c + d * d, -a * c - b * d), (-a * c - b * d, a * a + b * b)])
    return np.asarray(spread / size, np.float64)


def is_afar(pose: Reals, shape: Shape) -> bool:
    """Return whether the picture has hardly a pixel for a cell of a posed card: it is soft, however sharp."""
    return cell_size(pose, shape) < AFAR


AFAR = 1.25  # how many pixels a cell has at least, on its shorter side, of a card that is not far


def cell_size(pose: Reals, shape: Shape) -> float:
    """Measure the shorter side of a cell in pixels; for one pose plain numbers are ten times as fast."""
    left, right, top, bottom = map_each(pose, AXES_OF_ONE)
    return min(dist(left, right) / shape[1], dist(top, bottom) / shape[0])


AXES_OF_ONE: tuple[Point, ...] = ((-0.5, 0), (0.5, 0), (0, -0.5), (0, 0.5))


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


FLAT = 0.04  # the least variance of a kernel, in cells: narrower ones would miss their own cells


def _reach(spread: float) -> int:
    return max(1, min(FARTHEST, round(REACH * spread)))
