"""Cut cards that are worth learning: sharp, and without a reflection."""

import cv2
import numpy as np
import pytest

from tests.vision.teaching.cards import card
from vision.teaching.clear_cuts import has_glare, is_clear, sharpness

FACES = ("7h", "Qs", "As", "Kd")


@pytest.mark.parametrize("face", FACES)
def test_a_sharp_card_is_clear_and_a_blurred_one_is_not(face: str) -> None:
    cut = card(face)
    assert is_clear(cut)
    blurred = [np.asarray(cv2.GaussianBlur(cut, (0, 0), spread), np.uint8) for spread in (3, 8)]
    assert sharpness(cut) > sharpness(blurred[0]) > sharpness(blurred[1])
    assert not is_clear(blurred[1])


@pytest.mark.parametrize("face", FACES)
def test_a_reflection_is_noticed_on_print_and_not_on_paper_that_is_as_light(face: str) -> None:
    dim = np.asarray(card(face) * 0.6, np.uint8)
    lit = dim.copy()
    cv2.ellipse(lit, (110, 140), (60, 45), 0, 0, 360, (255, 255, 255), -1)
    assert (has_glare(dim), has_glare(lit)) == (False, True)
    # paper in bright light is saturated everywhere
    assert not has_glare(np.asarray(np.clip(card(face) * 1.3, 0, 255), np.uint8))
