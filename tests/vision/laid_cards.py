"""Playing cards on a table seen from straight above, and a deck of a few faces."""

from functools import cache, lru_cache

import cv2
import numpy as np

from tests.vision.sets.drawn_decks import playing_cards
from vision.reading.templates import Picture, Templates, templates
from vision.reading.views import FOCALS, Pose, pyramid
from vision.sightings import Outline, Sighting

FACES = ("7c", "Jd", "Qc", "4h")
WIDE, HIGH = 130, 180  # a card's size in pixels
ACROSS, DOWN = 600, 500  # the table's
SHAPE = (960, 1280)  # a leaning table's picture


@cache
def few_cards() -> Templates:
    return templates({name: [playing_cards().face(name)] for name in FACES})


@cache
def small(name: str) -> Picture:
    return np.asarray(
        cv2.resize(playing_cards().face(name), (WIDE, HIGH), interpolation=cv2.INTER_AREA), np.uint8
    )


@cache
def one_card(name: str, hidden: float = 0) -> tuple[tuple[Picture, ...], Pose]:
    """Lay a card on cloth; a red object covers this share of its lower part."""
    picture = np.full((400, 400, 3), (60, 80, 50), np.uint8)
    picture[100 : 100 + HIGH, 150 : 150 + WIDE] = small(name)
    if hidden:
        picture[100 + round(HIGH * (1 - hidden)) :, 100:330] = (30, 30, 160)
    return pyramid(picture), np.array([(WIDE, 0, 149.5 + WIDE / 2), (0, HIGH, 99.5 + HIGH / 2), (0, 0, 1.0)])


def outline_at(x: float, y: float, turned: float = 0.0) -> Outline:
    into = cv2.getRotationMatrix2D((x + WIDE / 2, y + HIGH / 2), turned, 1.0)
    corners = np.array([(x, y, 1), (x + WIDE, y, 1), (x + WIDE, y + HIGH, 1), (x, y + HIGH, 1)]) @ into.T
    a, b, c, d = ((float(across), float(down)) for across, down in corners)
    return a, b, c, d


def card(face: str | None, x: float, y: float, turned: float = 0.0) -> Sighting:
    return Sighting(face, True, 0.9, (), outline_at(x, y, turned), "up", 1.0)


@cache
def wood(seed: int = 0) -> Picture:
    grain = np.random.default_rng(seed).normal(0, 40, (DOWN, ACROSS, 3)).astype(np.float32)
    return np.asarray((cv2.GaussianBlur(grain, (0, 0), 4) * 6 + 110).clip(0, 255), np.uint8)


def lay_onto(picture: Picture, face: Picture, outline: Outline) -> None:
    high, wide = face.shape[:2]
    corners, size = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32), picture.shape[1::-1]
    into = cv2.getPerspectiveTransform(corners, np.array(outline, np.float32))
    there = cv2.warpPerspective(np.ones((high, wide), np.uint8), into, size)
    laid = cv2.warpPerspective(face, into, size, flags=cv2.INTER_AREA)
    picture[there > 0] = laid[there > 0]


@lru_cache(maxsize=60)
def table(*cards: Sighting) -> Picture:
    """Lay cards on wood in this order; one without a face is grey."""
    picture = wood().copy()
    for each in cards:
        face = np.full((352, 252, 3), 120, np.uint8) if each.face is None else playing_cards().face(each.face)
        lay_onto(picture, face, each.outline)
    picture.flags.writeable = False
    return picture


def leaning_table(lean: tuple[float, float], focal: float = FOCALS[0]) -> np.ndarray:
    """Look at a table that leans so far, from 600 millimetres, or farther through a longer lens."""
    high, wide = SHAPE
    unit = focal * max(high, wide)
    lens = np.array([(unit, 0, (wide - 1) / 2), (0, unit, (high - 1) / 2), (0, 0, 1)])
    turn = np.asarray(cv2.Rodrigues(np.array([lean[0], lean[1], 0.0]))[0])
    return lens @ np.column_stack((turn[:, 0], turn[:, 1], (0.0, 0.0, 600.0 * focal / FOCALS[0])))


def noisy(picture: Picture, seed: int) -> Picture:
    noise = np.random.default_rng(seed).normal(0, 2.5, picture.shape)
    return np.asarray((picture + noise).clip(0, 255), np.uint8)


def in_other_light(picture: Picture) -> Picture:
    """Dim the light towards the right, as with a lamp on the left."""
    ramp = np.linspace(1.0, 0.4, picture.shape[1])[None, :, None]
    return np.asarray((picture * ramp).clip(0, 255), np.uint8)


def in_glare(picture: Picture, x: float, y: float) -> Picture:
    down, across = np.mgrid[: picture.shape[0], : picture.shape[1]]
    lamp = 0.4 * np.exp(-((across - x) ** 2 + (down - y) ** 2) / 80**2)[..., None]
    light = 0.4 * (picture / 255) ** 2.2 + lamp
    return np.asarray(np.minimum(light, 1) ** (1 / 2.2) * 255, np.uint8)
