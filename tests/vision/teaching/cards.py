"""Cards to teach: seen by a noisy camera, cut out with ground around them, or printed with one large sign."""

from collections.abc import Callable
from functools import cache

import cv2
import numpy as np
from numpy.random import Generator, default_rng

from hardware.twin.rendering.renderer import faces_of
from vision.pictures import Picture
from vision.table.plane import Reals, homography
from vision.teaching.draft_deck import LearntCard, Origin
from vision.teaching.kept_cuts import CutCard


@cache
def card(face: str, seed: int = 0) -> Picture:
    """Return a picture of a card by a camera with some noise."""
    drawn = cv2.resize(np.asarray(faces_of("piquet")(face), np.uint8), (252, 352), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(seed).normal(0, 3, (352, 252, 3))
    return np.asarray(np.clip(drawn + noise, 0, 255), np.uint8)


def learnt(face: str, source: str = "1", seed: int = 0) -> LearntCard:
    return LearntCard(CutCard(card(face, seed)), Origin(source, (0, 0)))


# large signs


def print_card(text: str, colour: tuple[int, int, int] = (30, 30, 30)) -> Picture:
    """Print a large sign, and small ones in two corners."""
    card = np.full((352, 252, 3), 245, np.uint8)
    cv2.putText(card, text, (60, 230), cv2.FONT_HERSHEY_SIMPLEX, 5, colour, 14)
    for turn in range(2):
        card = np.ascontiguousarray(np.rot90(card, 2)) if turn else card
        cv2.putText(card, text, (12, 48), cv2.FONT_HERSHEY_SIMPLEX, 1.4, colour, 4)
    return card


SIGNS = {sign: (print_card(sign),) for sign in "ABCDE2"}

# faces of a given size; no usual card has these shapes

Size = tuple[int, int]
BRIDGE, SLIM, BROAD = (216, 330), (190, 330), (250, 320)


def pips(rng: Generator, size: Size) -> Picture:
    """Print thin shapes on white."""
    face = np.full((size[1], size[0], 3), 238, np.uint8)
    for k in range(int(rng.integers(1, 4))):
        middle = (size[0] // 2, size[1] * (2 + 3 * k) // 10)
        colour = tuple(float(tone) for tone in rng.integers(20, 180, 3))
        cv2.ellipse(face, middle, (size[0] // 4, size[1] // 12), 0, 0, 360, colour, int(rng.choice((2, -1))))
    return face


def bleed(rng: Generator, size: Size) -> Picture:
    """Print all of a card with a scene."""
    tones = rng.uniform(10, 240, (5, 4, 3)).astype(np.float32)
    face = np.clip(cv2.resize(tones, size, interpolation=cv2.INTER_CUBIC), 0, 255).astype(np.uint8)
    for _blot in range(8):
        colour = tuple(float(tone) for tone in rng.integers(0, 255, 3))
        middle = int(rng.integers(size[0])), int(rng.integers(size[1]))
        cv2.circle(face, middle, int(rng.integers(8, 40)), colour, cv2.FILLED)
    return face


def bordered(rng: Generator, size: Size) -> Picture:
    """Print a dark border round a white panel with a scene and some lines."""
    face = np.full((size[1], size[0], 3), 28, np.uint8)
    edge = size[0] // 18
    face[edge:-edge, edge:-edge] = 236
    wide, high = size[0] - 4 * edge, size[1] // 2
    face[2 * edge : 2 * edge + high, 2 * edge : 2 * edge + wide] = bleed(rng, (wide, high))
    for row in range(high + 4 * edge, size[1] - 2 * edge, 16):
        cv2.line(
            face, (2 * edge, row), (int(rng.integers(size[0] // 2, size[0] - 2 * edge)), row), (60, 60, 60), 2
        )
    return face


ARTS = {"pips": pips, "bleed": bleed, "bordered": bordered}

# grounds and cuts


def even(level: float, grain: float) -> Callable[[Generator, tuple[int, int]], Reals]:
    return lambda rng, shape: level + rng.normal(0, grain, (*shape, 1)) * np.ones(3)


def planks(rng: Generator, shape: tuple[int, int]) -> Reals:
    rows = cv2.GaussianBlur(rng.normal(0, 60, (shape[0], 1)), (1, 9), 0)
    return np.array((60, 90, 130)) + (rows + rng.normal(0, 9, shape))[..., None]


GROUNDS = {"black": even(24, 2), "grey": even(128, 3), "white": even(214, 2), "wood": planks}
CUTS = {
    "even": lambda rng: rng.normal(0.06, 0.004, 4),
    "uneven": lambda rng: rng.uniform(0.02, 0.12, 4),
    "wide": lambda rng: rng.normal(0.13, 0.01, 4),
    "missing": lambda rng: np.array((0.06, 0.06, 0.06, 0.0)) + rng.normal(0, 0.004, 4),
}


def laid(face: Picture, ground: str, cut: str, seed: int) -> tuple[Picture, Reals]:
    """Return a photograph of a card, cut out with some ground around it, and the card's corners."""
    rng = default_rng(seed)
    high, wide = face.shape[:2]
    room = wide // 2
    shape = high + 2 * room, wide + 2 * room
    tilt = np.radians(float(rng.uniform(-1.5, 1.5)))
    turn = np.array([(np.cos(tilt), np.sin(tilt)), (-np.sin(tilt), np.cos(tilt))])
    half = np.array([(-wide, -high), (wide, -high), (wide, high), (-wide, high)]) / 2
    corners = half @ turn + (shape[1] / 2, shape[0] / 2)
    onto = homography(half + np.array((wide - 1, high - 1)) / 2, corners - 0.5)
    mask = np.zeros((high, wide), np.uint8)
    radius = wide // 18
    cv2.rectangle(mask, (radius, radius), (wide - 1 - radius, high - 1 - radius), 255, cv2.FILLED)
    mask = np.asarray(cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1,) * 2)))
    card, here = (cv2.warpPerspective(each, onto, shape[::-1]) for each in (face, mask))
    share = cv2.GaussianBlur(here, (3, 3), 0)[..., None] / 255
    seen = (card * share + GROUNDS[ground](rng, shape) * (1 - share)) * rng.uniform(0.85, 1.0)
    top, right, low, left = np.maximum(0, CUTS[cut](rng)) * wide
    (x, y), (far_x, far_y) = corners.min(axis=0), corners.max(axis=0)
    x, y, far_x, far_y = (round(each) for each in (x - left, y - top, far_x + right, far_y + low))
    noisy = np.clip(seen + rng.normal(0, 2, seen.shape), 0, 255).astype(np.uint8)
    return noisy[y:far_y, x:far_x], corners - (x, y)
