"""Remove the light on a card from its patch, assuming a face; exclude mirrored lamps.

Lab arrays here are channels x cells.
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
"""Largest difference that counts for one cell, so that glare weighs no more than a wrong colour."""
UNEVEN = 0.07  # misfit from which a patch may be in uneven light
FAINTER = 0.5
"""Share of the print's contrast from which a smaller misfit may also come from uneven light."""
THIRDS = np.full((1, 3), 1 / 3, np.float32)


GLARING, GLARED = 242.0, 0.6
"""Level from which cells are saturated, and the share of them from which a card is overexposed, not glared on.
"""


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
    """Return a patch as Lab, in the light that best matches some colours; `target` is the Lab of these colours.

    Where the fit is poor, as in a shadow, the light is also corrected locally.
    """
    # hidden cells, up to four fifths of a card in a fan, carry no information about the light
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
    """Spread values of selected cells over all cells, zero elsewhere."""
    every = np.zeros((len(channels), shape[0] * shape[1]), np.float32)
    every[:, some] = channels
    return every


def is_in_even_light(lab: Floats, row: Floats, seen: Floats) -> NDArray[np.bool_]:
    """Return whether a patch fits its row too well for uneven light."""
    return np.asarray(misfit(lab, row, seen) < np.minimum(UNEVEN, FAINTER * contrast(row, seen)))


def _even_out_light(patch: Floats, target: Floats, seen: Floats, shape: Shape) -> Floats:
    """Correct a patch's brightness locally; its colours don't change."""
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
    """Remove a sloping gain and a veil per colour from a patch, assuming that it shows the target."""
    some = np.flatnonzero(sample)
    wanted, weight = target.take(some, axis=-1), seen[some]
    patch = 1 - (1 - patch) / depth_of(patch.take(some, axis=-1), wanted, weight)
    fits = _gains_and_veils(patch.take(some, axis=-1), wanted, weight, light[:, some])
    gain = np.clip(fits[..., :3] @ light, 0.15, 1.6)
    veil = np.clip(fits[..., 3:], -0.1, 0.3)
    return np.asarray((patch - veil) / gain, np.float32)


def depth_of(shown: Floats, wanted: Floats, seen: Floats) -> Floats:
    """Return the ratio of the shown depth of print to the expected one, with outliers damped.

    An overexposed white card has paler print in light of any colour, so the ratio is the same for all colours.
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
"""Strength per cell of the prior that print is as deep as taught; it matters for little print."""
DEPTHS = 0.5, 2.0  # limits of the depth of print, relative to the taught card


@cache
def sampled(shape: Shape) -> Mask:
    """Return a mask of every third cell, enough to estimate the light."""
    high, wide = shape
    return np.asarray((np.arange(high)[:, None] + np.arange(wide)) % 3 == 0).ravel()


@cache
def light_shapes(shape: Shape) -> Floats:
    """Return the three shapes of light: even, sloping across, sloping down."""
    across, down = across_and_down(shape)
    return np.stack((np.ones_like(across), across, down))


def _gains_and_veils(shown: Floats, wanted: Floats, seen: Floats, light: Floats) -> Floats:
    """Fit a sloping gain and a constant veil for each colour, with outliers damped."""
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
"""Strength of the prior for even light without a veil; it matters when few cells are visible."""


# distance of a patch from a row


def misfit(lab: Floats, target: Floats, seen: Floats) -> Floats:
    return mean_distance(squares_apart(lab, target), seen)


def squares_apart(lab: Floats, target: Floats) -> Floats:
    apart = np.square(lab - target)
    return np.asarray(apart[..., 0, :] + apart[..., 1, :] + apart[..., 2, :], np.float32)


def mean_distance(apart: Floats, seen: Floats) -> Floats:
    """Return the mean distance of the visible cells, each clipped at CLIP, from their squares."""
    off = np.sqrt(np.minimum(apart, CLIP**2))
    return np.asarray((off * seen).sum(axis=-1) / np.maximum(1.0, seen.sum(axis=-1)))


def contrast(rows: Floats, seen: Floats) -> Floats:
    """Return the contrast of rows: how much their visible cells differ from the mean."""
    weight = weight_of(seen)
    spread = (np.square(rows) @ weight - np.square(rows @ weight))[..., 0].sum(axis=-1)
    # rounding may give a value just below zero for a uniform row
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
