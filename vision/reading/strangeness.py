"""Rate a card's local differences from a face: other print, or light on the card.

Light is brighter than the face and isn't another face's print, like a mirrored lamp, a scratch or a worn part.
It doesn't count against the face. Anything else does: the card may be of another deck. Lab arrays are channels
x cells.
"""

from collections.abc import Callable
from functools import partial, reduce

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.reading.templates import Floats, Shape, TemplateGrid

SPOT, AROUND = 0.18, 0.35
"""Sides of a spot, about the size of an index, and of its surroundings, as shares of a card's width."""
TINTED = 0.08  # side of the smallest part with a measurable colour, as a share of the card's width
SOME = 0.5  # smallest visible share of a spot
LIGHTER = 0.8
"""Smallest share of a spot's difference that light would explain: brighter, and no more colourful."""
EXPLAINED = 0.15  # difference that noise, blur and small shifts cause
SPOTS = 6  # most spots excused: a card that differs everywhere belongs to another deck


class Spot(Struct, frozen=True):
    """Rows and columns of a window in a grid."""

    rows: slice
    columns: slice


def strangeness(
    labs: Floats, targets: Floats, seen: Floats, shape: Shape, soft: Floats | None = None
) -> Floats:
    """Return how much the area around each cell differs from a row, sharp or blurred: rows x columns.

    Cards and rows are channels x cells. `soft` are the rows blurred like the picture, if that is known. The
    mean difference over a wider area is light, a veil of glare or a shadow, and is subtracted.
    """
    near, far = (partial(mean_round, shape=shape, side=_side(share, shape)) for share in (SPOT, AROUND))
    even = labs - far((labs - targets) * seen[:, None]) / np.maximum(far(seen), 0.2)[:, None]
    softer = _filter_planes(targets[:, 0], shape, lambda light: cv2.GaussianBlur(light, (0, 0), 1.0))
    tinted = _tint(np.asarray(even - (targets if soft is None else soft), np.float32), seen, shape)
    lights = (targets[:, 0], softer) if soft is None else (targets[:, 0], softer, soft[:, 0])
    least = reduce(np.minimum, (near(np.square(even[:, 0] - light) * seen + tinted) for light in lights))
    share = near(seen)
    # running sums may end just below zero where nothing differs
    mean = np.maximum(least, 0) / np.maximum(share, SOME)
    return np.asarray(np.sqrt(np.where(share > SOME, mean, 0)), np.float32).reshape(-1, *shape)


def _tint(apart: Floats, seen: Floats, shape: Shape) -> Floats:
    """Return the squared difference in colour around each cell.

    A camera measures red and blue at one pixel in four and interpolates the rest. Thin lines therefore show
    false colours that alternate with their opposites.
    """
    tint = mean_round(apart[:, 1:] * seen[:, None], shape, _side(TINTED, shape))
    return np.asarray((np.square(tint[:, 0]) + np.square(tint[:, 1])) * seen, np.float32)


def mean_round(planes: Floats, shape: Shape, side: int) -> Floats:
    return _filter_planes(planes, shape, lambda some: cv2.blur(some, (side, side)))


def _filter_planes(planes: Floats, shape: Shape, smooth: Callable[[Floats], object]) -> Floats:
    """Filter planes (..., cells) as channels of few pictures; for small ones, the call costs most."""
    flat = planes.reshape(-1, planes.shape[-1])
    several = [
        np.asarray(smooth(np.asarray(cv2.transpose(some), np.float32).reshape(*shape, len(some))), np.float32)
        for some in (flat[first : first + CHANNELS] for first in range(0, len(flat), CHANNELS))
    ]
    back = [np.asarray(cv2.transpose(each.reshape(flat.shape[1], -1)), np.float32) for each in several]
    return np.concatenate(back).reshape(planes.shape)


CHANNELS = 64  # most channels filtered at once; OpenCV's limit is 128


def without_light(
    strange: Floats, lab: Floats, grid: TemplateGrid, row: int, others: NDArray[np.intp], seen: Floats
) -> Floats:
    """Remove the worst spots, one by one, if light on the row's face explains them.

    Without it, 8 fewer of 208 photographed playing cards with a third of the deck untaught had a certain name.
    """
    left, paper = strange.copy(), _paper_light(lab, grid.lab[row].reshape(3, -1), seen)
    for _spot in range(SPOTS):
        y, x = divmod(int(left.argmax()), left.shape[1])
        if left[y, x] < EXPLAINED:
            break
        if not _is_light(lab, grid, row, seen, _window(y, x, SPOT, grid.shape), paper):
            break
        if _another_explains(lab, grid, row, others, seen, (y, x)):
            break
        around = _window(y, x, AROUND, grid.shape)
        left[around.rows, around.columns] = 0
    return left


def _side(share: float, shape: tuple[int, ...]) -> int:
    return max(3, round(share * shape[1])) | 1


def _window(y: int, x: int, share: float, shape: tuple[int, ...]) -> Spot:
    reach = _side(share, shape) // 2
    return Spot(slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1))


def _part(labs: Floats, spot: Spot, shape: Shape) -> Floats:
    return np.asarray(labs.reshape(-1, 3, *shape)[:, :, spot.rows, spot.columns])


def _paper_light(lab: Floats, row: Floats, seen: Floats) -> float:
    """Return a card's lightness where its face is lightest."""
    light = row[0][seen > 0]
    return float(np.median(lab[0][seen > 0][light >= np.quantile(light, UNPRINTED)]))


UNPRINTED = 0.9  # share of a face's cells that are darker than its paper
BARE = 0.05  # largest difference in lightness from the paper where no print is


def _is_light(lab: Floats, grid: TemplateGrid, row: int, seen: Floats, spot: Spot, paper: float) -> bool:
    """Return whether a spot is brighter than the face there, no more colourful, and not bare paper.

    Where print is missing, a spot has the lightness of the card's `paper`.
    """
    here, there = (_part(each, spot, grid.shape)[0] for each in (lab, grid.lab[row]))
    shown = seen.reshape(grid.shape)[spot.rows, spot.columns]
    size = np.square(here - there).sum(axis=0) * shown
    pale = np.hypot(here[1], here[2]) < np.hypot(there[1], there[2]) + GREY
    lit = (here[0] > there[0]) & (np.abs(here[0] - paper) > BARE) & pale
    return bool((size * lit).sum() > LIGHTER * size.sum())


GREY = 0.06  # tolerated increase in colourfulness: no lamp is exactly white


def _another_explains(
    lab: Floats, grid: TemplateGrid, row: int, others: NDArray[np.intp], seen: Floats, at: tuple[int, int]
) -> bool:
    """Return whether another face's row explains a spot better, each fitted to its own light."""
    far, near = (_window(*at, share, grid.shape) for share in (AROUND, SPOT))
    shown = seen.reshape(grid.shape)
    weight = shown[far.rows, far.columns] / max(1.0, float(shown[far.rows, far.columns].sum()))
    rows = np.concatenate(([row], others))
    off = _part(lab, far, grid.shape) - _part(grid.lab, far, grid.shape)[rows]
    veil = (off * weight).sum(axis=(2, 3))
    apart = _part(lab, near, grid.shape) - _part(grid.lab, near, grid.shape)[rows] - veil[:, :, None, None]
    size = (np.square(apart).sum(axis=1) * shown[near.rows, near.columns]).sum(axis=(1, 2))
    enough = EXPLAINED**2 * float(shown[near.rows, near.columns].sum())
    return bool(len(others) and size[1:].min() < min(enough, float(size[0])))
