"""Estimate the table's plane from cards of one known size."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.views import CORNERS, Pose, area_of
from vision.table.plane import Reals, inverse, map_points

FOCAL = 0.8
"""A typical focal length of phones and webcams, as a multiple of the picture's longer side."""
STEEPEST = np.radians(60)
COARSE, FINER = 8, 8
"""In how many steps leans are tried up to that, and how many times in all, in steps of half the length each."""
DOUBT_OF_TILT = 0.004
"""How far outlines may be off, as a share of a card's length, before the camera is taken to be tilted."""


def plane_under(poses: Sequence[Pose], size: tuple[float, float], shape: Sequence[int]) -> Reals:
    """Find the plane, millimetres to pixels, on which the posed cards all have the given size."""
    high, wide = shape[:2]
    unit = FOCAL * max(high, wide)
    lens = np.array([(unit, 0, (wide - 1) / 2), (0, unit, (high - 1) / 2), (0, 0, 1)])
    largest = sorted(poses, key=area_of)[-8:]
    seen = np.stack([map_points(inverse(lens), map_points(pose, CORNERS)) for pose in largest])
    card = (CORNERS * size) @ np.array([1, 1j])
    best, step, reach = np.zeros(2), float(STEEPEST) / COARSE, COARSE
    for _finer in range(FINER):
        around = np.stack(np.meshgrid(*[np.arange(-reach, reach + 1)] * 2), axis=-1).reshape(-1, 2)
        leans = (lean for lean in around * step + best if np.hypot(*lean) <= STEEPEST)
        best = min(leans, key=lambda lean: _misfit(_camera_rotation(lean), seen, card))
        step, reach = step / 2, 2
    level = _camera_rotation(best)
    return np.asarray(lens @ inverse(level) @ np.diag((1, 1, _scale_of(level, seen, card))))


def _camera_rotation(lean: Reals) -> Reals:
    """Rotate the camera to look straight down on a table that leans so far, across and down."""
    return np.asarray(cv2.Rodrigues(np.array([lean[0], lean[1], 0.0]))[0], np.float64)


def _misfit(level: Reals, seen: Reals, card: NDArray[np.complex128]) -> float:
    """Measure how much outlines differ from cards of one size on a table in this position."""
    flat = np.stack([map_points(level, each) for each in seen]) @ np.array([1, 1j])
    middles = flat.mean(axis=1, keepdims=True)
    turns = (flat - middles) @ card.conj() / (np.abs(card) ** 2).sum()
    scale = np.median(np.abs(turns))
    off = np.abs(flat - middles - scale * np.exp(1j * np.angle(turns))[:, None] * card) / (
        scale * np.abs(card).max()
    )
    tilt = float(np.arccos(np.clip(level[2, 2], -1, 1)))
    return float(np.minimum(off, 0.1).mean() ** 2 + (DOUBT_OF_TILT * tilt) ** 2)


def _scale_of(level: Reals, seen: Reals, card: NDArray[np.complex128]) -> float:
    """Measure a millimetre as a share of the table's distance; give its inverse."""
    flat = np.stack([map_points(level, each) for each in seen]) @ np.array([1, 1j])
    turns = (flat - flat.mean(axis=1, keepdims=True)) @ card.conj() / (np.abs(card) ** 2).sum()
    return float(1 / np.median(np.abs(turns)))


def has_card_size(pose: Pose, back: Reals, card: tuple[float, float]) -> bool:
    """Tell whether a place is as large as a card in a view from above; `back` leads to the picture."""
    corners = map_points(inverse(back) @ pose, CORNERS)
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    return bool((np.abs(np.log(np.maximum(sides, 1e-6) / np.tile(card, 2))) < ODD_SIZE).all())


ODD_SIZE = 0.15
"""By how much, as a share, a side is off before it is no card's: bends and outlines make 0.03."""
