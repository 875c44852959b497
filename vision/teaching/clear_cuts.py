"""Find out whether a cut card is worth learning: sharp, and without a lamp's reflection on its print."""

import cv2
import numpy as np

from vision.pictures import Picture

FINE, COARSE = 0.012, 0.05
"""Spreads of blurs whose differences from the picture hold fine print, and all print, in card widths."""
RIM = 0.06  # width of the edge that isn't looked at, as a share of a card's width
SHARP = 0.15
"""Smallest sharpness: cards 60 pixels wide have it in focus, but not with a blur of 2 mm.

Of cards of eight decks, 60 and 220 pixels wide (2026-11-30), 98 % had 0.163 or more in focus, and half had
0.112 or more with that blur.
"""
ACROSS = 42  # cells across a card in which reflections are sought
SATURATED = 253  # smallest level of all channels in a reflection
LIT_PAPER = 205  # level of paper from which its white may be saturated without a reflection
GLARE = 0.01
"""Smallest share of a card that a reflection takes.

In the same trials, none was noticed on cards without one, and 53 % of those a quarter of a card wide.
"""


def is_clear(cut: Picture) -> bool:
    return sharpness(cut) >= SHARP and not has_glare(cut)


def sharpness(cut: Picture) -> float:
    """Return the share of print that is fine, from 0 to 1; blur removes fine print first."""
    grey = np.asarray(cv2.cvtColor(cut, cv2.COLOR_BGR2GRAY), np.float32)
    across, rim = min(grey.shape), round(RIM * min(grey.shape))
    fine, coarse = (
        (grey - cv2.GaussianBlur(grey, (0, 0), spread * across))[rim:-rim, rim:-rim]
        for spread in (FINE, COARSE)
    )
    return float(fine.std() / max(1e-6, float(coarse.std())))


def has_glare(cut: Picture) -> bool:
    """Return whether a spot is saturated on a card whose paper isn't."""
    size = ACROSS, round(ACROSS * cut.shape[0] / cut.shape[1])
    small = cv2.resize(cut, size, interpolation=cv2.INTER_AREA)
    bright = np.asarray(small.min(axis=2) >= SATURATED, np.uint8)
    spots = cv2.morphologyEx(bright, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    if spots.mean() < GLARE:
        return False
    elsewhere = small[cv2.dilate(spots, np.ones((7, 7), np.uint8)) == 0]
    # paper that is nearly as bright everywhere is just well lit
    return bool(len(elsewhere)) and float(np.quantile(elsewhere.min(axis=1), PAPER)) < LIT_PAPER


PAPER = 0.9  # share of a card's levels that are darker than most of its paper
