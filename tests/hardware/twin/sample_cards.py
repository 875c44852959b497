"""Test cards: plain ones in unique colours, and printed ones with a number in two corners."""

from functools import cache

import cv2
import numpy as np

from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneLight, SceneTable

SMALL = (1024, 768)
FLAT = {
    "red": (20, 20, 220),
    "green": (20, 220, 20),
    "blue": (220, 20, 20),
    "yellow": (20, 220, 220),
    "violet": (220, 20, 220),
    "back": (220, 220, 20),
}
# a perfect lens and sensor over an evenly lit black table
PERFECT = SceneCamera(
    at=(0, 0, 754), focal=788, resolution=SMALL, defocus=0, noise=0, sharpening=0, fringe=0, vignette=0, jpeg=0
)
EVEN = SceneLight(lamp=(0, 0, 5000), daylight=1.0, day_colour=(1, 1, 1), day_fall=0)
BLACK = SceneTable("felt", (0, 0, 0), plates=())
PLAIN = Scene(PERFECT, BLACK, EVEN)


@cache
def colour_card(name: str) -> Pixels:
    return np.full((44, 32, 3), FLAT[name.rpartition("/")[2]], np.uint8)


@cache
def print_card(name: str) -> Pixels:
    card = np.full((352, 252, 3), (236, 240, 240), np.uint8)
    if name == "back":
        card[16:-16, 16:-16] = (120, 50, 40)
        return card
    cv2.putText(card, name, (14, 50), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 160), 3)
    cv2.circle(card, (126, 176), 60, (30, 30, 30), -1)
    card[-60:, -90:] = card[:60, :90][::-1, ::-1]
    return card
