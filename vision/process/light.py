"""Changed pixels between two small grey pictures, apart from changes of the light.

A dimmed lamp, a cloud or a second lamp scales the picture by a smooth field: its logarithm is fitted to blocks,
robustly, because hands and cards change some of them.
"""

from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import Picture
from vision.reading.views import Floats

BLOCKS = (16, 9)  # blocks across and down whose mean brightness is compared
ORDERS = (1, 2, 4)
"""Orders of the fitted polynomials: higher ones only if the lower ones explain too few blocks."""
DARK = 2.0  # grey levels added to both pictures: ratios of dark blocks are mostly noise
SAME = 1.5  # mean difference in grey levels below which the light can't have changed noticeably
EXPLAINED, MOST = 0.035, 0.85
"""Error of the logarithm within which a block is explained, and share of blocks from which on all light is."""
LEAST_SPREAD = 0.02  # spread of the logarithm that is always tolerated
ROUNDS = 4  # fits, each with less weight for blocks that the one before doesn't explain


def difference_mask(before: Picture, after: Picture, least: int) -> NDArray[np.bool_]:
    """Return the pixels that differ by more than `least` grey levels."""
    return np.asarray(differences(before, after) > least)


def differences(before: Picture, after: Picture) -> NDArray[Any]:
    """Return by how many grey levels each pixel differs, in the brighter of the two lights."""
    difference = cv2.subtract(after, before, dtype=cv2.CV_16S)
    if _is_same_light(difference):
        return np.asarray(np.abs(difference))
    gain = gain_between(before, after)
    return np.asarray(np.abs(after - gain * before) / np.clip(gain, 0.5, 1.0))


def in_light_of(before: Picture, after: Picture) -> Picture:
    """Return the first picture as it would look in the light of the second one."""
    if _is_same_light(cv2.subtract(after, before, dtype=cv2.CV_16S)):
        return before
    return np.asarray(np.clip(gain_between(before, after) * before, 0, 255).round(), np.uint8)


def _is_same_light(difference: NDArray[Any]) -> bool:
    return bool(np.abs(difference[::4, ::4]).mean() < SAME)


def gain_between(before: Picture, after: Picture) -> Floats:
    """Return the factor by which the light has changed at each pixel."""
    one, other = (
        np.asarray(cv2.resize(each, BLOCKS, interpolation=cv2.INTER_AREA), np.float64).ravel() + DARK
        for each in (before, after)
    )
    ratios = np.log(other / one)
    fit = np.full_like(ratios, np.median(ratios))
    for order in ORDERS:
        if (np.abs(ratios - fit) < EXPLAINED).mean() > MOST:
            break
        fit = _fit_field(ratios, fit, _terms(order))
    field = fit.reshape(BLOCKS[::-1]).astype(np.float32)
    return np.exp(cv2.resize(field, before.shape[::-1], interpolation=cv2.INTER_CUBIC))


def _fit_field(
    ratios: NDArray[np.float64], fit: NDArray[np.float64], terms: NDArray[np.float64]
) -> NDArray[np.float64]:
    for _round in range(ROUNDS):
        off = np.abs(ratios - fit)
        spread = max(LEAST_SPREAD, 1.48 * float(np.median(off)))
        weights = np.clip(1 - (off / (4 * spread)) ** 2, 0, 1)
        if weights.sum() < ratios.size / 2:
            # no smooth field explains most blocks
            return fit
        fit = terms @ np.linalg.lstsq(terms * weights[:, None], ratios * weights, rcond=None)[0]
    return fit


@cache
def _terms(order: int) -> NDArray[np.float64]:
    """Return the values of a polynomial's terms at each block: one row a block."""
    x, y = np.meshgrid(*((np.arange(count) + 0.5) / count * 2 - 1 for count in BLOCKS))
    return np.stack([(x**i * y**j).ravel() for i in range(order + 1) for j in range(order + 1 - i)], axis=1)
