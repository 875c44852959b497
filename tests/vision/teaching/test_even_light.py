"""Pictures to teach from, each in light of its own: shadows go, and what is printed stays."""

import cv2
import numpy as np
import pytest

from tests.vision.teaching.cards import SIGNS, print_card
from vision.reading.templates import Picture
from vision.teaching.even_light import in_even_light


def in_shadow(card: Picture, deep: float) -> Picture:
    """Let a hand's shadow fall on the lower left corner of a card, soft at its edge, bluish within."""
    y, x = np.mgrid[0 : card.shape[0], 0 : card.shape[1]].astype(np.float32)
    share = 1 / (1 + np.exp((x - y + 180) / 12))
    light = 1 - deep * share[..., None] * np.array((0.8, 1.0, 1.1), np.float32)
    return np.asarray(card * light, np.uint8)


@pytest.mark.parametrize("deep", [0.15, 0.3, 0.45])
def test_removes_shadow_on_one_picture(deep: float) -> None:
    shaded = {**SIGNS, "C": (in_shadow(SIGNS["C"][0], deep),)}
    even = in_even_light(shaded)
    before, after = (np.abs(each["C"][0].astype(int) - SIGNS["C"][0]) for each in (shaded, even))
    assert after.mean() < 0.25 * before.mean()
    assert all(even[name][0] is SIGNS[name][0] for name in SIGNS if name != "C")


def test_printed_grey_panel_is_unchanged() -> None:
    moon = print_card("")
    cv2.circle(moon, (126, 176), 80, (150, 150, 150), cv2.FILLED)
    even = in_even_light({**SIGNS, "moon": (moon,)})
    assert even["moon"][0] is moon


def test_decks_without_common_paper_are_unchanged() -> None:
    rng = np.random.default_rng(5)
    scenes = {
        str(i): (
            cv2.resize(rng.integers(0, 255, (5, 4, 3), np.uint8), (252, 352), interpolation=cv2.INTER_CUBIC),
        )
        for i in range(6)
    }
    assert all(in_even_light(scenes)[name][0] is scenes[name][0] for name in scenes)
    few = {"A": (in_shadow(print_card("A"), 0.3),), "B": SIGNS["B"]}
    assert in_even_light(few)["A"][0] is few["A"][0]
