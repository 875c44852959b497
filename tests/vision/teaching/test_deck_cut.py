"""Where the cards of a deck end in pictures that were cut round them: art, grounds and cuts of three shapes."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.random import Generator, default_rng

from vision.table.plane import Reals, homography
from vision.teaching.lone_card import Picture
from vision.teaching.taught_decks import FolderLesson, teach_from

# art, as wide as told, in shapes that no usual card has

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


def court(rng: Generator, size: Size) -> Picture:
    """Print a picture that reaches the rim on two sides, with an index in the corner."""
    face = np.full((size[1], size[0], 3), 240, np.uint8)
    art = bleed(rng, (size[0] * 3 // 5, size[1]))
    face[:, size[0] // 5 : size[0] // 5 + art.shape[1]] = art
    cv2.putText(face, str(rng.integers(10)), (6, 40), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (30, 30, 160), 3)
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


ARTS = {"pips": pips, "court": court, "bleed": bleed, "bordered": bordered}

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
    """Photograph a card with round corners, and cut it out with so much round it; tell its corners, too."""
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


def lesson_of(folder: Path, pictures: dict[str, Picture]) -> FolderLesson:
    for name, picture in pictures.items():
        cv2.imwrite(str(folder / f"{name}.png"), picture)
    return teach_from(folder)


def off(found: Reals | None, truth: Reals) -> float:
    """Measure the worst corner's error as a share of the card's width."""
    assert found is not None
    return float(np.linalg.norm(found + 0.5 - truth, axis=1).max() / np.linalg.norm(truth[1] - truth[0]))


@pytest.mark.parametrize(
    ("art", "size", "ground", "cut"),
    [
        ("pips", SLIM, "black", "even"),
        ("pips", BROAD, "wood", "wide"),
        ("pips", BRIDGE, "white", "uneven"),
        ("pips", BRIDGE, "grey", "missing"),
        ("court", BRIDGE, "grey", "uneven"),
        ("court", BROAD, "black", "even"),
        ("bleed", SLIM, "wood", "even"),
        ("bleed", BRIDGE, "white", "wide"),
        ("bordered", SLIM, "grey", "even"),
        ("bordered", BROAD, "wood", "uneven"),
        ("bordered", BRIDGE, "white", "wide"),
    ],
)
def test_a_card_ends_where_the_ground_begins(
    tmp_path: Path, art: str, size: Size, ground: str, cut: str
) -> None:
    shown = {f"{art}{i}": laid(ARTS[art](default_rng(i), size), ground, cut, 70 + i) for i in range(10)}
    lesson = lesson_of(tmp_path, {name: picture for name, (picture, _corners) in shown.items()})
    errors = sorted(off(shot.corners, shown[shot.face][1]) for shot in lesson.shots)
    assert errors[-2] < 0.012, errors
    wide, high = lesson.taught.card
    assert wide / high == pytest.approx(size[0] / size[1], rel=0.02)


@pytest.mark.parametrize("size", [BRIDGE, SLIM, BROAD])
@pytest.mark.parametrize("art", ARTS)
def test_scans_of_nothing_but_cards_are_taken_whole(tmp_path: Path, art: str, size: Size) -> None:
    scans = {f"{art}{i}": ARTS[art](default_rng(i), size) for i in range(6)}
    for shot in lesson_of(tmp_path, scans).shots:
        high, wide = scans[shot.face].shape[:2]
        assert shot.corners == pytest.approx(np.array([(0, 0), (wide, 0), (wide, high), (0, high)]) - 0.5)
