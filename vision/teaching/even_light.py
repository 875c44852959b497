"""Remove uneven light from a deck's pictures: shadows and lamps that aren't print.

Most cards of a deck show bare paper in the same cells. If these are darker on one card, gradually and from the
rim on, it was in a shadow. Its paper is brightened to match, and its print with it.
"""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.templates import Floats, Picture, channels_of, white_of

Faces = Mapping[str, Sequence[Picture]]
"""A deck's pictures, one or more of each face."""

SIZE = 48, 66  # cells, across and down, in which light is measured
FEWEST = 4  # fewest pictures for finding common paper
PAPER, LEAST_PAPER = 0.85, 0.2
"""Smallest brightness of most cards in a paper cell, and smallest share of paper cells."""
STEP, TINT = 0.06, 0.2
"""Largest change of light from cell to cell, and largest difference between the channels of paper."""
SHADED = 0.9  # a picture brighter than this everywhere isn't changed
DEEPEST = 0.3  # deepest shadow that is removed
REACHES = 1.5, 4.0, 16.0
"""Ranges, in cells, over which light is extrapolated from the measured paper."""


def in_even_light(pictures: Faces) -> dict[str, tuple[Picture, ...]]:
    """Remove shadows and lamps from pictures of one deck."""
    small = [white_cells(shot, SIZE) for some in pictures.values() for shot in some]
    bare = np.median([each.min(axis=2) for each in small], axis=0) > PAPER if len(small) >= FEWEST else None
    if bare is None or bare.mean() < LEAST_PAPER:
        return {name: tuple(some) for name, some in pictures.items()}
    lights = (_light_on(each, bare) for each in small)
    return {name: tuple(_evened(shot, next(lights)) for shot in some) for name, some in pictures.items()}


def white_cells(shot: Picture, size: tuple[int, int]) -> Floats:
    """Shrink a picture to `size` cells and scale its white to 1."""
    few = np.asarray(cv2.resize(shot, size, interpolation=cv2.INTER_AREA), np.float32)
    return np.asarray(few / white_of(channels_of(few)).T, np.float32)


def _light_on(card: Floats, bare: NDArray[np.bool_]) -> Floats:
    """Measure the light on a card by its paper; 1 is white."""
    grey = card.mean(axis=2)
    step = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) / 2
    plain = bare & (step < STEP * grey) & (np.ptp(card, axis=2) < TINT) & (grey > DEEPEST)
    _count, parts = cv2.connectedComponents(plain.astype(np.uint8))
    rim = np.concatenate((parts[:3].ravel(), parts[-3:].ravel(), parts[:, :3].ravel(), parts[:, -3:].ravel()))
    weight = (np.isin(parts, np.unique(rim[rim > 0]))).astype(np.float32)
    light = np.ones_like(card)
    for reach in reversed(REACHES):
        share = cv2.GaussianBlur(weight, (0, 0), reach)
        mean = cv2.GaussianBlur(card * weight[..., None], (0, 0), reach)
        light = (mean + 0.05 * light) / (share + 0.05)[..., None]
    return np.asarray(np.clip(light, DEEPEST, None), np.float32)


def _evened(shot: Picture, light: Floats) -> Picture:
    if light.min() > SHADED:
        return shot
    high, wide = shot.shape[:2]
    gain = cv2.resize(light, (wide, high), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(shot / gain, 0, 255), np.uint8)
