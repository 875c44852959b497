"""Take the light out of a deck's pictures: a hand's shadow or a lamp on one of them isn't print.

Where most cards of a deck show bare paper, one that is darker there from its rim on, without a sharp step, lay
in a shadow. Its paper is made as white there as elsewhere, and its print with it.
"""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.templates import Floats, Picture, channels_of, white_of

SIZE = 48, 66  # the cells, across and down, in which light is measured
FEWEST = 4  # of fewer pictures it can't be told what most show
PAPER, LEAST_PAPER = 0.85, 0.2
"""How light most cards are where they show paper, and the least share of a card that must be paper."""
STEP, TINT = 0.06, 0.2
"""By how much light changes from cell to cell, and the channels of paper from each other, at most."""
SHADED = 0.9  # a picture that is lighter everywhere is left as it is
DEEPEST = 0.3  # the deepest shadow that is taken out
REACHES = 1.5, 4.0, 16.0
"""How far light is carried on, in cells, from the paper where it was measured."""


def in_even_light(pictures: Mapping[str, Sequence[Picture]]) -> dict[str, tuple[Picture, ...]]:
    """Take shadows and lamps out of pictures of one deck."""
    small = [white_cells(shot, SIZE) for some in pictures.values() for shot in some]
    bare = np.median([each.min(axis=2) for each in small], axis=0) > PAPER if len(small) >= FEWEST else None
    if bare is None or bare.mean() < LEAST_PAPER:
        return {name: tuple(some) for name, some in pictures.items()}
    lights = (_light_on(each, bare) for each in small)
    return {name: tuple(_evened(shot, next(lights)) for shot in some) for name, some in pictures.items()}


def white_cells(shot: Picture, size: tuple[int, int]) -> Floats:
    """Shrink a picture to so many cells, its white to 1."""
    few = np.asarray(cv2.resize(shot, size, interpolation=cv2.INTER_AREA), np.float32)
    return np.asarray(few / white_of(channels_of(few)).T, np.float32)


def _light_on(card: Floats, bare: NDArray[np.bool_]) -> Floats:
    """Measure the light on a card, by its paper; 1 is white."""
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
