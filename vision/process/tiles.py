"""Shifts of a picture's tiles against an earlier picture, by phase correlation.

Only the frequencies of things on a table count: coarser ones are light, finer ones noise, and those of JPEG's
blocks never move. A tile's peak, in standard deviations of its correlation, shows if the same texture is there.
"""

from functools import cache

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.pictures import Picture
from vision.reading.views import Floats
from vision.table.plane import Reals

ACROSS = 640  # pixels of the longer side of the small picture
TILE = 64  # pixels of a tile's side
FINEST, COARSEST = 0.2, 2.5 / TILE
"""Limits of the frequencies that count, in periods per pixel: finer ones fade, coarser ones are left out."""
BLOCK = 8  # pixels of the picture in a block of JPEG
BESIDE = 1.5 / TILE  # width of the frequencies left out around those of the blocks
SPECKLE, SHARE = 0.8, 0.015
"""Least contrast of a strong tile in grey levels, and as a share of its brightness: sensors have a pattern."""

Spectra = NDArray[np.complex64]


class Small(Struct, frozen=True, eq=False):
    """The green channel, which has the least noise, in a small picture; with its scale."""

    grey: Floats
    scale: float

    @property
    def size(self) -> tuple[int, int]:
        return self.grey.shape[1], self.grey.shape[0]


def scale_of(picture: Picture) -> float:
    return min(1.0, ACROSS / float(max(picture.shape[:2])))


def shrink(picture: Picture) -> Small:
    scale = scale_of(picture)
    green = np.ascontiguousarray(picture[..., 1])
    small = cv2.resize(green, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return Small(np.asarray(small, np.float32), scale)


def corners_of_tiles(size: tuple[int, int]) -> NDArray[np.int64]:
    """Return the upper left corners of tiles that cover a small picture: (n, 2)."""
    sides = (np.linspace(0, side - TILE, max(1, -(-side // TILE))).astype(int) for side in size)
    return np.stack(np.meshgrid(*sides), -1).reshape(-1, 2)


def _cut(grey: Floats, corners: NDArray[np.int64]) -> Floats:
    return np.stack([grey[y : y + TILE, x : x + TILE] for x, y in corners.tolist()])


def spectra_of(grey: Floats, corners: NDArray[np.int64]) -> Spectra:
    tiles = _cut(grey, corners)
    tiles = (tiles - tiles.mean(axis=(1, 2), keepdims=True)) * _window()
    return np.asarray(np.fft.rfft2(tiles), np.complex64)


def shifts_between(before: Spectra, after: Spectra, scale: float) -> tuple[Reals, Reals]:
    """Return each tile's shift in pixels of the small picture (n, 2), and its peak in standard deviations."""
    cross = before.conj() * after
    strength = np.abs(cross)
    cross /= strength + 1e-3 * strength.mean(axis=(1, 2), keepdims=True) + 1e-9
    found = np.fft.irfft2(cross * _passed(round(BLOCK * scale, 3)), s=(TILE, TILE))
    flat, each = found.reshape(len(found), -1), np.arange(len(found))
    at = flat.argmax(axis=1)
    peak = flat[each, at]
    y, x = np.divmod(at, TILE)

    def beside(down: int, across: int) -> Reals:
        return np.asarray(found[each, (y + down) % TILE, (x + across) % TILE])

    shifts = np.column_stack(
        (x + _top_of(beside(0, -1), peak, beside(0, 1)), y + _top_of(beside(-1, 0), peak, beside(1, 0)))
    )
    return (shifts + TILE / 2) % TILE - TILE / 2, peak / (flat.std(axis=1) + 1e-12)


def _top_of(before: Reals, peak: Reals, after: Reals) -> Reals:
    """Return how far a parabola's top is beside a peak, in pixels."""
    bend = before - 2 * peak + after
    return np.where(np.abs(bend) > 1e-12, (before - after) / 2 / np.where(bend == 0, 1, bend), 0.0)


def contrasts(grey: Floats, corners: NDArray[np.int64]) -> Reals:
    """Return each tile's contrast in grey levels, without light and noise."""
    clear = cv2.GaussianBlur(grey, (0, 0), 0.8) - cv2.GaussianBlur(grey, (0, 0), 5.0)
    return np.asarray(_cut(np.asarray(clear, np.float32), corners).std(axis=(1, 2)), np.float64)


def brightness(grey: Floats, corners: NDArray[np.int64]) -> Reals:
    """Return each tile's mean, in grey levels."""
    return np.asarray(_cut(grey, corners).mean(axis=(1, 2)), np.float64)


def are_strong(grey: Floats, corners: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return the tiles with more texture than a sensor's pattern: only these can show that nothing moved."""
    least = np.maximum(SPECKLE, SHARE * brightness(grey, corners))
    return np.asarray(contrasts(grey, corners) > least)


@cache
def _window() -> Floats:
    side = np.hanning(TILE)
    return np.asarray(np.outer(side, side), np.float32)


@cache
def _passed(period: float) -> Floats:
    """Return the weight of each frequency; `period` is the side of JPEG's blocks in the small picture."""
    down, across = np.abs(np.fft.fftfreq(TILE))[:, None], np.fft.rfftfreq(TILE)[None]
    far = np.hypot(down, across)
    weights = np.exp(-((far / FINEST) ** 2)) * (far > COARSEST)
    for multiple in range(1, int(period / 2) + 1):
        for one, other in ((down, across), (across, down)):
            weights[(np.abs(one - multiple / period) < 0.5 / TILE) & (other < BESIDE)] = 0
    return np.asarray(weights, np.float32)
