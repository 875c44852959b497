"""Weigh a card's difference from a face in one spot: another face's print, or light that fell on it.

What is lighter than the face, and no other face's print, is a mirrored lamp, a scratch or a worn place: it says
nothing against the face. Anything else does: it may be another deck's card. Lab arrays are channels by cells.
"""

from collections.abc import Callable
from functools import partial, reduce

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.reading.templates import Floats, Shape, TemplateGrid

SPOT, AROUND = 0.18, 0.35
"""The sides of a spot, about as large as an index, and of its surroundings, as shares of a card's width."""
TINTED = 0.08  # the side of the least part of a card that shows its colour, as a share of its width
SOME = 0.5  # the least visible share of a spot
LIGHTER = 0.8
"""The least share of a spot's difference that light would make: lighter, and no more colourful."""
EXPLAINED = 0.15  # a smaller difference is no more than noise, blur and small shifts make
SPOTS = 6  # the most spots that are excused: a card that is strange all over is a strange card


class Spot(Struct, frozen=True):
    """A window of a grid: rows and columns."""

    rows: slice
    columns: slice


def strangeness(
    labs: Floats, targets: Floats, seen: Floats, shape: Shape, soft: Floats | None = None
) -> Floats:
    """Measure at each cell of cards how much the place round it, sharp or soft, differs from a row.

    Cards, and their rows, are channels by cells; what comes of them is rows by columns. `soft` are the rows as
    soft as the picture is, if that is known. The average difference over a wider area is light, a veil of glare
    or a shadow, and doesn't count.
    """
    near, far = (partial(mean_round, shape=shape, side=_side(share, shape)) for share in (SPOT, AROUND))
    even = labs - far((labs - targets) * seen[:, None]) / np.maximum(far(seen), 0.2)[:, None]
    softer = _filter_planes(targets[:, 0], shape, lambda light: cv2.GaussianBlur(light, (0, 0), 1.0))
    tinted = _tint(np.asarray(even - (targets if soft is None else soft), np.float32), seen, shape)
    lights = (targets[:, 0], softer) if soft is None else (targets[:, 0], softer, soft[:, 0])
    least = reduce(np.minimum, (near(np.square(even[:, 0] - light) * seen + tinted) for light in lights))
    share = near(seen)
    # running sums leave a little less than nothing where nothing differs
    mean = np.maximum(least, 0) / np.maximum(share, SOME)
    return np.asarray(np.sqrt(np.where(share > SOME, mean, 0)), np.float32).reshape(-1, *shape)


def _tint(apart: Floats, seen: Floats, shape: Shape) -> Floats:
    """Measure at each cell how much a difference is one of colour, squared.

    Of four pixels a camera measures one's red and one's blue, and guesses the rest: at thin lines it sees
    colours that aren't there, now one, now its opposite.
    """
    tint = mean_round(apart[:, 1:] * seen[:, None], shape, _side(TINTED, shape))
    return np.asarray((np.square(tint[:, 0]) + np.square(tint[:, 1])) * seen, np.float32)


def mean_round(planes: Floats, shape: Shape, side: int) -> Floats:
    return _filter_planes(planes, shape, lambda some: cv2.blur(some, (side, side)))


def _filter_planes(planes: Floats, shape: Shape, smooth: Callable[[Floats], object]) -> Floats:
    """Filter planes (..., cells) as the channels of few pictures: most of a small one's cost is the call."""
    flat = planes.reshape(-1, planes.shape[-1])
    several = [
        np.asarray(smooth(np.asarray(cv2.transpose(some), np.float32).reshape(*shape, len(some))), np.float32)
        for some in (flat[first : first + CHANNELS] for first in range(0, len(flat), CHANNELS))
    ]
    back = [np.asarray(cv2.transpose(each.reshape(flat.shape[1], -1)), np.float32) for each in several]
    return np.concatenate(back).reshape(planes.shape)


CHANNELS = 64  # the most channels of a picture that is filtered: OpenCV takes no more than 128


def without_light(
    strange: Floats, lab: Floats, grid: TemplateGrid, row: int, others: NDArray[np.intp], seen: Floats
) -> Floats:
    """Take out the worst spots, one by one, whose difference light on the row's face explains."""
    left = strange.copy()
    for _spot in range(SPOTS):
        y, x = divmod(int(left.argmax()), left.shape[1])
        if left[y, x] < EXPLAINED:
            break
        if not _is_light(lab, grid, row, seen, _window(y, x, SPOT, grid.shape)):
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


def _is_light(lab: Floats, grid: TemplateGrid, row: int, seen: Floats, spot: Spot) -> bool:
    """Return whether a spot is lighter than the face there, and no more colourful."""
    here, there = (_part(each, spot, grid.shape)[0] for each in (lab, grid.lab[row]))
    shown = seen.reshape(grid.shape)[spot.rows, spot.columns]
    size = np.square(here - there).sum(axis=0) * shown
    pale = np.hypot(here[1], here[2]) < np.hypot(there[1], there[2]) + GREY
    lit = (here[0] > there[0]) & pale
    return bool((size * lit).sum() > LIGHTER * size.sum())


GREY = 0.06  # how much more colourful light may leave a place: no lamp is quite white


def _another_explains(
    lab: Floats, grid: TemplateGrid, row: int, others: NDArray[np.intp], seen: Floats, at: tuple[int, int]
) -> bool:
    """Return whether a row of another face explains a spot better, each in light of its own."""
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
