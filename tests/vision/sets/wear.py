"""What happens to a card before it is photographed: edges wear, scratches, a sleeve that mirrors a lamp."""

from functools import cache

import cv2
import numpy as np
from numpy.random import Generator, default_rng

from hardware.twin.rendering.lens import Floats, Pixels, floats, pixels
from tests.vision.sets.drawn_decks import SHARP

MARK = "~"  # between a face's name and the number of the one card of it that lies there
BARE = np.array((200, 212, 220), np.float32)  # paper without ink


def worn_card(face: Pixels, seed: int, wear: float) -> Pixels:
    """Wear a card's edges down to the paper here and there, and soil it a little."""
    rng = default_rng([3, seed])
    rows, columns = face.shape[:2]
    inside = _depth(face.shape[:2]) / SHARP
    worn = wear * (1.2 + 0.8 * _clouds(rng, (rows, columns), 12))
    paper = np.clip(worn - inside, 0, 1)[..., None]
    dirt = 1 - 0.05 * wear * np.clip(_clouds(rng, (rows, columns), 40), 0, 2)[..., None]
    return pixels(np.clip((face * (1 - paper) + BARE * paper) * dirt, 0, 255).astype(np.uint8))


def sleeved_card(face: Pixels, seed: int, rim: float, table: tuple[float, float, float]) -> Pixels:
    """Put a card into a clear sleeve, a rim larger: a veil, scuffs, and streaks where it mirrors a lamp."""
    rng = default_rng([5, seed])
    edge = round(rim * SHARP)
    through = np.array(table, np.float32) * 0.85 + 22
    card = cv2.copyMakeBorder(
        face.astype(np.float32), edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=tuple(through.tolist())
    )
    seam = np.clip(1 - np.abs(_depth(card.shape[:2]) / SHARP - 0.4) / 0.35, 0, 1)
    shine = (
        float(rng.uniform(4, 20))
        + 45 * floats(seam)
        + _streaks(rng, card.shape[:2])
        + _scuffs(rng, card.shape[:2])
    )
    return pixels(np.clip(card * 0.95 + shine[..., None], 0, 255).astype(np.uint8))


def _streaks(rng: Generator, shape: tuple[int, int]) -> Floats:
    """Mirror a lamp in a film that is not quite flat: one or two bent bands."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) / np.float32(shape[0])
    light = np.zeros(shape, np.float32)
    for _band in range(int(rng.integers(0, 3))):
        turn, at, wide = rng.uniform(0, np.pi), rng.uniform(0.1, 0.8), rng.uniform(0.015, 0.06)
        bend = 0.04 * np.sin(rng.uniform(3, 9) * (x + y) + rng.uniform(0, 6))
        off = (x * np.cos(turn) + y * np.sin(turn) - at + bend) / wide
        light += (float(rng.uniform(40, 230)) * np.exp(-(off**2))).astype(np.float32)
    return floats(light)


def _scuffs(rng: Generator, shape: tuple[int, int]) -> Floats:
    light = np.zeros(shape, np.float32)
    for _scuff in range(int(rng.integers(3, 14))):
        start = rng.uniform(0, 1, 2) * shape[::-1]
        ends = [spot.round().astype(int).tolist() for spot in (start, start + rng.normal(0, 90, 2))]
        cv2.line(light, ends[0], ends[1], float(rng.uniform(8, 40)), 1)
    return floats(cv2.GaussianBlur(light, (0, 0), 0.8))


def _clouds(rng: Generator, shape: tuple[int, int], size: int) -> Floats:
    rough = rng.standard_normal((shape[0] // size + 3, shape[1] // size + 3)).astype(np.float32)
    return floats(cv2.resize(rough, shape[::-1], interpolation=cv2.INTER_CUBIC))


@cache
def _depth(shape: tuple[int, int]) -> Floats:
    """Measure how far each pixel is from the nearest edge, in pixels."""
    y, x = np.arange(shape[0], dtype=np.float32), np.arange(shape[1], dtype=np.float32)
    return np.minimum.outer(np.minimum(y, shape[0] - 1 - y), np.minimum(x, shape[1] - 1 - x))
