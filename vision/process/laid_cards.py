"""What was laid on a table since a picture of it: print of the ground is in both, and cards only in one."""

import numpy as np
from numpy.typing import NDArray

from vision.pictures import Picture
from vision.sightings import Outline
from vision.table.card_plane import enlarged_mask
from vision.table.plane import as_outline
from vision.teaching.free_cards import find_free_cards

LINEAR = (np.square(np.arange(256) / 255) * 255).astype(np.float32)
"""Light by the values of a picture: between values as they are, edges seem shifted towards the dark side."""
UNCHANGED = 128.0  # grey level of a place that looks as before
CHANGED, NOISE = 10.0, 5.0
"""Least difference of a changed place in grey levels, and as a multiple of the usual one."""
MOSTLY = (
    0.5  # least share of a card's inside that changed: a shifted camera changes the edges of printed places
)
INSIDE = 0.9  # size of the inside
STEP = 4  # pixels between those that show the usual difference


def find_laid_cards(picture: Picture, empty: Picture, shape: float, least: float, most: float) -> list[Outline]:
    """Return the outlines of cards that a picture of the same camera didn't show; see `find_free_cards`."""
    now, then = LINEAR[picture], LINEAR[empty]
    # another exposure changes all light by one factor
    then *= np.median(now[::STEP, ::STEP].sum(2) / np.maximum(then[::STEP, ::STEP].sum(2), 8))
    off = now - then
    change = np.abs(off).max(2)
    is_changed = change > max(CHANGED, NOISE * float(np.median(change[::STEP, ::STEP])))
    between = np.asarray(np.clip(UNCHANGED + off, 0, 255), np.uint8)
    found = (as_outline(each) for each in find_free_cards(between, shape, least, most))
    return [each for each in found if _share_within(is_changed, each) > MOSTLY]


def _share_within(mask: NDArray[np.bool_], outline: Outline) -> float:
    inside = enlarged_mask(mask.shape, [np.array(outline)], INSIDE) > 0
    return float(mask[inside].mean()) if inside.any() else 0.0
