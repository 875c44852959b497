"""Why a picture may show no card that can be read: its size, its light, its focus, or nothing in it."""

import cv2
import numpy as np

from vision.table.calibration import Picture, find_markers, light_and_focus_problems, light_problems
from vision.troubles import Problem

LEAST = 50
"""Pixels along a picture's shorter side in which a card could be told at all."""
EVEN = 12.0
"""Grey levels between the darkest and the lightest parts of a picture that shows nothing."""


def legibility_problems(picture: Picture) -> tuple[Problem, ...]:
    """Tell why no card may be read in a picture; nothing if it is as good as others."""
    high, wide = picture.shape[:2]
    if min(high, wide) < LEAST:
        return (Problem("tiny", {"width": wide, "height": high}),)
    if _is_even(picture):
        return light_problems(picture) or (Problem("one colour"),)
    return light_and_focus_problems(picture, find_markers(picture))


def _is_even(picture: Picture) -> bool:
    """Tell whether a picture is of one colour all over, but for its grain."""
    soft = cv2.GaussianBlur(picture, (0, 0), 2.0)
    low, high = np.percentile(soft, (0.5, 99.5), axis=(0, 1))
    return bool((high - low).max() < EVEN)
