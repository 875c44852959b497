"""Blur a deck's rows like the picture, because a distant or unfocused card has less contrast.

A blurred picture lies between its own sharp row and that row's rivals. Against blurred rows, it is as distinct
as a sharp picture would be. It stays ambiguous only if the blur removed the difference between faces. Lenses
and pixels mix linear light, not pixel values, so blurred black print also gets thinner.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import dist, sqrt
from typing import TypeAlias

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from vision.reading.own_light import Relit
from vision.reading.templates import Floats, Shape, TemplateGrid, channels_of, lab_of
from vision.reading.views import Point, map_each
from vision.table.plane import Reals, inverse, map_points

Window: TypeAlias = tuple[slice, slice]  # rows and columns of a grid

SOFTER = (0.7, 1.0, 1.4, 2.0)
"""Blurs tried: standard deviations in pixels of the picture."""
SOMETHING_ELSE = 0.12
"""Root mean square distance from the blurred row, beyond which the picture shows something else."""
TOO_LITTLE = 0.3  # smallest blur that has an effect, in cells
REACH = 2.5  # kernel radius in standard deviations
FARTHEST = 8  # largest kernel radius in cells


def soften_rows(
    grid: TemplateGrid, first: int, shown: Floats, pose: Reals, seen: Floats, relit: Callable[[Floats], Relit]
) -> TemplateGrid:
    """Blur a grid's rows like the picture of its likeliest row; return the same grid if it is as sharp.

    `shown` is the picture as Lab in that row's light; `relit` returns it in another row's.
    """
    row, window = grid.lab[first].reshape(3, -1), _window_of(seen, grid.shape)
    best, off = None, _distance(shown, row, seen)
    light = _light_in(grid, first, window)
    for kernel in _kernels(pose, grid.shape):
        # beside a blurred picture, sharp print seems lighter and less black than it is
        soft, lab = _softened(grid, first, window, light, kernel)
        softer = _distance(relit(soft).lab, lab, seen)
        if softer >= off:
            break
        best, off = kernel, softer
    # a poor fit is another card, and a blur would only make it look more like this face
    is_match = off <= SOMETHING_ELSE**2 * float(seen.sum())
    if best is None or not is_match:
        return grid
    every = [_softened(grid, row, window, _light_in(grid, row, window), best) for row in range(len(grid.bgr))]
    return replace(
        grid, bgr=[soft for soft, _lab in every], lab=np.stack([lab.ravel() for _soft, lab in every])
    )


def _window_of(seen: Floats, shape: Shape) -> Window:
    """Return the window of visible cells, extended by the radius of the largest blur."""
    framed = (np.flatnonzero(seen.reshape(shape).any(axis=axis)).tolist() for axis in (1, 0))
    rows, columns = (slice(max(0, each[0] - FARTHEST), each[-1] + FARTHEST + 1) for each in framed)
    return rows, columns


def _light_in(grid: TemplateGrid, row: int, window: Window) -> Floats:
    """Return a row within a window as linear light, rows x columns x channels."""
    here = grid.bgr[row].reshape(3, *grid.shape)[:, *window]
    return to_light(np.ascontiguousarray(here.transpose(1, 2, 0)))


def _softened(
    grid: TemplateGrid, row: int, window: Window, light: Floats, kernel: Floats
) -> tuple[Floats, Floats]:
    """Blur a row's light within a window. Return its colours and Lab values, channels x cells."""
    colours, lab = grid.bgr[row].copy(), grid.lab[row].reshape(3, -1).copy()
    here, there = (each.reshape(3, *grid.shape)[:, *window] for each in (colours, lab))
    soft = channels_of(to_colours(np.asarray(cv2.filter2D(light, -1, kernel), np.float32)))
    here[:], there[:] = soft.reshape(here.shape), lab_of(soft).reshape(there.shape)
    return colours, lab


def _kernels(pose: Reals, shape: Shape) -> Iterator[Floats]:
    """Yield kernels of increasing blur in the picture, in cells of a posed card."""
    spread = _spread_in_cells(pose, shape)
    for pixels in SOFTER:
        # rounded so that cards with similar poses share cached kernels
        across, down, both = np.round(spread[[0, 1, 0], [0, 1, 1]] * pixels**2, 2).tolist()
        kernel = _kernel(across, down, both)
        if kernel is not None:
            yield kernel


def _distance(lab: Floats, row: Floats, seen: Floats) -> float:
    apart = np.square(lab - row)
    return float((apart[0] + apart[1] + apart[2]) @ seen)


TONE = 2.2  # gamma exponent from pixel values to linear light


def to_light(colours: Floats) -> Floats:
    return np.asarray(cv2.pow(np.maximum(colours, 0), TONE), np.float32)


def to_colours(light: Floats) -> Floats:
    return np.asarray(cv2.pow(light, 1 / TONE), np.float32)


def _spread_in_cells(pose: Reals, shape: Shape) -> Reals:
    """Return the covariance, in cells of a posed card, of a round blur of one picture pixel."""
    high, wide = shape
    middle, right, below = map_points(pose, np.array([(0, 0), (1 / wide, 0), (0, 1 / high)]))
    (a, b), (c, d) = (right - middle).tolist(), (below - middle).tolist()
    size = max(1e-9, (a * d - b * c) ** 2)
    spread = np.array([(c * c + d * d, -a * c - b * d), (-a * c - b * d, a * a + b * b)])
    return np.asarray(spread / size, np.float64)


def is_afar(pose: Reals, shape: Shape) -> bool:
    """Return whether a card is too small in the picture to be sharp: hardly a pixel per cell."""
    return cell_size(pose, shape) < AFAR


AFAR = 1.25  # smallest cell of a near card, on its shorter side, in pixels


def cell_size(pose: Reals, shape: Shape) -> float:
    """Return a cell's shorter side in pixels. Plain numbers are ten times as fast as arrays for one pose."""
    left, right, top, bottom = map_each(pose, AXES_OF_ONE)
    return min(dist(left, right) / shape[1], dist(top, bottom) / shape[0])


AXES_OF_ONE: tuple[Point, ...] = ((-0.5, 0), (0.5, 0), (0, -0.5), (0, 0.5))


@lru_cache(maxsize=256)
def _kernel(across: float, down: float, both: float) -> Floats | None:
    """Return a blur kernel by its covariance in cells; None if it is too small to have an effect."""
    reach = sqrt(across), sqrt(down)
    if max(reach) < TOO_LITTLE:
        return None
    x, y = (np.arange(-each, each + 1) for each in map(_reach, reach))
    spots: NDArray[np.float64] = np.stack(np.meshgrid(x, y), axis=-1)
    # each cell already averages over its own width
    spread = np.array([(across + FLAT, both), (both, down + FLAT)])
    weights = np.exp(-0.5 * np.einsum("yxi,ij,yxj->yx", spots, inverse(spread), spots))
    return np.asarray(weights / weights.sum(), np.float32)


FLAT = 0.04  # smallest kernel variance in cells; a narrower kernel would miss its own cell


def _reach(spread: float) -> int:
    return max(1, min(FARTHEST, round(REACH * spread)))
