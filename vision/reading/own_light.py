"""Remove the light on a card from its patch, assuming a face; exclude mirrored lamps.

Lab arrays here are channels x cells.
"""

from functools import cache
from typing import NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.templates import Floats, Shape, lab_of

Indices: TypeAlias = NDArray[np.intp]
Mask: TypeAlias = NDArray[np.bool_]

CLIP = 0.3
"""Largest difference that counts for one cell, so that glare weighs no more than a wrong colour."""


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


class Relit(NamedTuple):
    """A patch without its light: its Lab values, 0 where hidden, and its depth of print as a ratio."""

    lab: Floats
    depth: float


def relight(patch: Floats, shape: Shape, seen: Floats, colours: Floats) -> Relit:
    """Remove the light under which a patch matches some colours best."""
    # hidden cells, up to four fifths of a card in a fan, carry no information about the light
    some = np.flatnonzero(seen)
    even, depth = take_out_light(
        patch[:, some], colours[:, some], seen[some], across_and_down(shape)[:, some], sampled(shape)[some]
    )
    every = np.zeros((3, len(seen)), np.float32)
    every[:, some] = lab_of(even)
    return Relit(every, depth.item())


def take_out_light(
    patch: Floats, target: Floats, seen: Floats, sloping: Floats, sample: Mask
) -> tuple[Floats, Floats]:
    """Remove the light from a patch, assuming that it shows the target. Also return its depth of print."""
    some = np.flatnonzero(sample)
    fits = _fit_light(patch.take(some, axis=-1), target.take(some, axis=-1), seen[some], sloping[:, some])
    pale = np.clip(fits[..., PALE, None, None], *PALENESS)
    gain = np.clip(fits[..., GAINS, None] + (fits[..., SLOPES] @ sloping)[..., None, :], *GAIN) - pale
    veil = np.clip(fits[..., VEILS, None], *VEIL) + pale
    return np.asarray((patch - veil) / np.maximum(gain, FAINTEST), np.float32), 1 - pale


def _fit_light(shown: Floats, wanted: Floats, seen: Floats, sloping: Floats) -> Floats:
    """Fit gains, their slopes, veils and the paleness of print together, with outliers damped.

    Print is equally paler in all colours, because an overexposed white card is so in light of any colour. This
    one fit replaced three in turn (depth of print, then gains and veils, then a local gain where these fitted
    badly): 531 of 552 photographed cards with a third of their deck untaught had a certain name, before 527. Of
    drawn foreign cards, it was 314 of 348 before and after: five more with thin lines, four fewer in sleeves.
    More waves of the gain than two slopes absorb print: with eleven, six untaught shapes were named.
    """
    columns = np.empty((*wanted.shape[:-1], len(OF_COLOUR[0]), wanted.shape[-1]), np.float32)
    columns[..., 0, :] = wanted
    columns[..., 1:3, :] = wanted[..., None, :] * sloping
    columns[..., 3, :] = 1
    columns[..., 4, :] = 1 - wanted
    loosely = np.append(LOOSELY, AS_DEEP * seen.sum()).astype(np.float32)
    fits = np.broadcast_to(NO_CHANGE, (*wanted.shape[:-2], len(NO_CHANGE)))
    for _again in range(3):
        off = (shown - (fits[..., OF_COLOUR][..., None, :] @ columns)[..., 0, :]) / OUTLYING
        squares = columns * (seen / (1 + off * off))[..., None, :]
        each, sums = squares @ columns.swapaxes(-1, -2), (squares @ shown[..., None])[..., 0]
        joint = np.broadcast_to(np.diag(loosely), (*fits.shape, len(NO_CHANGE))).copy()
        there = np.broadcast_to(NO_CHANGE * loosely, fits.shape).copy()
        for colour, which in enumerate(OF_COLOUR):
            joint[..., which[:, None], which] += each[..., colour, :, :]
            there[..., which] += sums[..., colour, :]
        fits = np.asarray(np.linalg.solve(joint, there[..., None])[..., 0], np.float32)
    return fits


GAINS, SLOPES, VEILS, PALE = slice(3), slice(3, 5), slice(5, 8), 8
"""Positions of the fitted values: a gain for each colour, its slopes across and down, veils, paleness."""
OF_COLOUR = np.array([(colour, 3, 4, 5 + colour, PALE) for colour in range(3)])
"""Positions of the values on which each colour depends, in the order of its columns."""
NO_CHANGE = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0], np.float32)
LOOSELY = np.array([1, 1, 1, 3, 3, 30, 30, 30], np.float32) / 3
"""Strength of the prior for even light without a veil; it matters when few cells are visible."""
AS_DEEP = 0.002
"""The same per cell for print as deep as taught; it matters for little print."""
OUTLYING = np.float32(0.1)  # difference from which a cell counts less than half
GAIN, VEIL, PALENESS, FAINTEST = (0.3, 1.6), (-0.1, 0.3), (-1.0, 0.5), 0.15
"""Limits of the fitted values, and smallest factor of the target's colours."""


@cache
def sampled(shape: Shape) -> Mask:
    """Return a mask of every third cell, enough to estimate the light."""
    high, wide = shape
    return np.asarray((np.arange(high)[:, None] + np.arange(wide)) % 3 == 0).ravel()


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
