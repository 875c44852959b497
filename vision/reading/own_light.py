"""Take the light that lies on a card out of its patch, as if its face were known; leave out mirrored lamps.

Lab arrays here are channels by cells.
"""

from functools import cache
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.templates import Floats, Shape, lab_of

Indices: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]

CLIP = 0.3
"""The most that one cell counts as different, so that glare weighs no more than a wrong colour."""
UNEVEN = 0.07  # a patch with a larger misfit may lie in uneven light
FAINTER = 0.5
"""So does one with a smaller misfit, if its face's print is no more than twice as strong as that."""
THIRDS = np.full((1, 3), 1 / 3, np.float32)


GLARING, GLARED = 242.0, 0.6
"""Cells above GLARING are saturated; if most of a card is, it is overexposed paper and not glare."""


def is_glared_on(shown: Floats, seen: Floats) -> bool:
    return without_glare(shown, seen) is not seen


def without_glare(shown: Floats, seen: Floats) -> Floats:
    bright = np.asarray(cv2.inRange(shown, (GLARING,) * 3, (256.0,) * 3), np.uint8) // 255
    if not bright.any():
        return seen
    solid = cv2.morphologyEx(bright, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    around = cv2.dilate(solid, np.ones((7, 7), np.uint8)).ravel()
    share = float(around @ seen / max(1.0, float(seen.sum())))
    return np.asarray(seen * (1 - around), np.float32) if 0 < share < GLARED else seen


def lab_in_light(patch: Floats, shape: Shape, seen: Floats, colours: Floats, target: Floats) -> Floats:
    """Turn a patch into Lab in the light of some colours, whose own Lab is the target.

    Where that fits badly, as in a shadow, the light is evened out locally.
    """
    # hidden cells, of a card in a fan four fifths, tell nothing of the light
    some = np.flatnonzero(seen)
    weight, wanted = seen[some], target[:, some]
    even = take_out_light(
        patch[:, some], colours[:, some], weight, light_shapes(shape)[:, some], sampled(shape)[some]
    )
    lab = lab_of(even)
    if not is_in_even_light(lab, wanted, weight):
        evened = _even_out_light(_laid_out(even, some, shape), colours, seen, shape)
        again = lab_of(np.ascontiguousarray(evened[:, some]))
        lab = again if misfit(again, wanted, weight) < misfit(lab, wanted, weight) else lab
    return _laid_out(lab, some, shape)


def _laid_out(channels: Floats, some: Indices, shape: Shape) -> Floats:
    """Put some cells where they are among all, and nothing in the others."""
    every = np.zeros((len(channels), shape[0] * shape[1]), np.float32)
    every[:, some] = channels
    return every


def is_in_even_light(lab: Floats, row: Floats, seen: Floats) -> NDArray[np.bool_]:
    """Return whether a patch fits its row so well that no uneven light can lie on it."""
    return np.asarray(misfit(lab, row, seen) < np.minimum(UNEVEN, FAINTER * contrast(row, seen)))


def _even_out_light(patch: Floats, target: Floats, seen: Floats, shape: Shape) -> Floats:
    """Even out a patch's brightness locally; keep its colours."""
    bright, wanted = THIRDS[0] @ patch, THIRDS[0] @ target
    weight = seen * wanted * (wanted > 0.25)
    spread = 0.08 * shape[1]
    above, below = (
        cv2.GaussianBlur(each.reshape(shape).astype(np.float32), (0, 0), spread)
        for each in (bright * weight, wanted * weight)
    )
    gain = np.clip((above + 0.02) / (below + 0.02), 0.3, 2.5).ravel()
    return np.asarray(patch / gain, np.float32)


def take_out_light(patch: Floats, target: Floats, seen: Floats, light: Floats, sample: Mask) -> Floats:
    """Remove the light from a patch, assuming it is the target: a sloping gain and a veil for each colour."""
    some = np.flatnonzero(sample)
    wanted, weight = target.take(some, axis=-1), seen[some]
    patch = 1 - (1 - patch) / depth_of(patch.take(some, axis=-1), wanted, weight)
    fits = _gains_and_veils(patch.take(some, axis=-1), wanted, weight, light[:, some])
    gain = np.clip(fits[..., :3] @ light, 0.15, 1.6)
    veil = np.clip(fits[..., 3:], -0.1, 0.3)
    return np.asarray((patch - veil) / gain, np.float32)


def depth_of(shown: Floats, wanted: Floats, seen: Floats) -> Floats:
    """Measure how much deeper print is shown than it is wanted, the same in all colours; outliers count less.

    A white card that is exposed too long is printed paler, by light of any colour: no hue changes.
    """
    ink, wanted_ink = 1 - shown, 1 - wanted
    depth: Floats = np.ones(1, np.float32)
    for _again in range(3):
        off = (ink - depth * wanted_ink) / np.float32(0.15)
        weight = wanted_ink * seen / (1 + off * off)
        usual = np.float32(AS_DEEP) * seen.sum()
        deep = ((weight * ink).sum(axis=(-2, -1), keepdims=True) + usual) / (
            (weight * wanted_ink).sum(axis=(-2, -1), keepdims=True) + usual
        )
        depth = np.clip(deep, *DEPTHS).astype(np.float32)
    return depth


AS_DEEP = 0.003
"""How strongly print is thought to be as deep as taught, for each cell: it matters where there is little."""
DEPTHS = 0.5, 2.0  # how much paler and deeper than it was taught print may be shown


@cache
def sampled(shape: Shape) -> Mask:
    """Choose a third of the cells, all over the card: enough to estimate the light."""
    high, wide = shape
    return np.asarray((np.arange(high)[:, None] + np.arange(wide)) % 3 == 0).ravel()


@cache
def light_shapes(shape: Shape) -> Floats:
    """List the three shapes of light: even, sloping across, sloping down."""
    across, down = across_and_down(shape)
    return np.stack((np.ones_like(across), across, down))


def _gains_and_veils(shown: Floats, wanted: Floats, seen: Floats, light: Floats) -> Floats:
    """Fit a sloping gain and a constant veil for each colour; outliers count less."""
    columns = np.empty((*shown.shape[:-1], len(light) + 1, shown.shape[-1]), np.float32)
    columns[..., :-1, :] = light * wanted[..., None, :]
    columns[..., -1, :] = 1
    across = columns.swapaxes(-1, -2)
    fits = np.broadcast_to(NO_CHANGE, (*shown.shape[:-1], len(NO_CHANGE)))
    for _again in range(2):
        off = (shown - (fits[..., None, :] @ columns)[..., 0, :]) / np.float32(0.1)
        squares = columns * (seen / (1 + off * off))[..., None, :]
        there = (squares @ shown[..., None])[..., 0] + NO_CHANGE / 3
        fits = np.linalg.solve(squares @ across + LOOSELY, there[..., None])[..., 0]
    return np.asarray(fits, np.float32)


NO_CHANGE = np.array([1, 0, 0, 0], np.float32)
LOOSELY = np.diag(np.array([1, 3, 3, 30], np.float32)) / 3
"""How strongly the fit prefers even light without a veil; it matters when few cells are visible."""


# how far a patch is from a row


def misfit(lab: Floats, target: Floats, seen: Floats) -> Floats:
    return mean_distance(squares_apart(lab, target), seen)


def squares_apart(lab: Floats, target: Floats) -> Floats:
    apart = np.square(lab - target)
    return np.asarray(apart[..., 0, :] + apart[..., 1, :] + apart[..., 2, :], np.float32)


def mean_distance(apart: Floats, seen: Floats) -> Floats:
    """Average the visible cells' distances, given their squares, each clipped at CLIP."""
    off = np.sqrt(np.minimum(apart, CLIP**2))
    return np.asarray((off * seen).sum(axis=-1) / np.maximum(1.0, seen.sum(axis=-1)))


def contrast(rows: Floats, seen: Floats) -> Floats:
    """Measure how much the visible cells of rows differ from their mean."""
    weight = weight_of(seen)
    spread = (np.square(rows) @ weight - np.square(rows @ weight))[..., 0].sum(axis=-1)
    # what is even all over may come out a little below nothing
    return np.asarray(np.sqrt(np.maximum(0, spread)))


def weight_of(seen: Floats) -> Floats:
    return np.asarray(seen / np.maximum(1.0, seen.sum(axis=-1, keepdims=True)), np.float32)[..., None]


# cells


@cache
def cell_middles(shape: Shape) -> NDArray[np.float64]:
    high, wide = shape
    across, down = (np.arange(wide) + 0.5) / wide - 0.5, (np.arange(high) + 0.5) / high - 0.5
    return np.column_stack((np.tile(across, high), np.repeat(down, wide)))


@cache
def across_and_down(shape: Shape) -> Floats:
    return np.ascontiguousarray(cell_middles(shape).T, np.float32)
