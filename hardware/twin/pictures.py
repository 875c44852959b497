"""Pictures for people: every face of a deck, and a table of each game as the camera would see it."""

import cv2
import numpy as np
from msgspec import Struct

from hardware.decks.catalogue import PrintedDeck
from hardware.decks.print.raster import picture
from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import (
    Glare,
    Hand,
    Scene,
    SceneCamera,
    SceneCard,
    SceneLight,
    SceneTable,
    Shadow,
)

COLUMNS = {"coup": 4, "piquet": 9, "plenty-coups": 8, "ogallala": 9}
SHEET_SHARPNESS = 2.4
GAP = 10
FELT = (64, 92, 56)


def sheet(printed: PrintedDeck) -> Pixels:
    cards = [picture(face, SHEET_SHARPNESS) for face in (*printed.faces.values(), printed.back)]
    columns = COLUMNS.get(printed.name, 7)
    height, width = cards[0].shape[0] + GAP, cards[0].shape[1] + GAP
    rows = -(-len(cards) // columns)
    paper = np.full((rows * height + GAP, columns * width + GAP, 3), FELT, np.uint8)
    for place, card in enumerate(cards):
        top, left = GAP + place // columns * height, GAP + place % columns * width
        paper[top : top + card.shape[0], left : left + card.shape[1]] = card
    return paper


class ShowTable(Struct, frozen=True):
    """A table to show: its deck, the layout of its cards, its surface and its light."""

    deck: str
    cards: tuple[SceneCard, ...]
    table: SceneTable
    light: SceneLight
    hands: tuple[Hand, ...] = ()


EVENING = SceneLight(colour=(0.72, 0.88, 1.0), daylight=0.35, lamp=(-260.0, -320.0, 1300.0), day_fall=0.2)
AFTERNOON = SceneLight(
    daylight=0.75, lamp=(240.0, -260.0, 1800.0), shadows=(Shadow(Hand(300, 330), 0.75, 40.0),)
)
GLOSSY = SceneLight(
    colour=(0.8, 0.92, 1.0), daylight=0.45, lamp=(200.0, -300.0, 1200.0), glares=(Glare(150, -120, 55, 0.16),)
)


def pile(count: int, x: float, y: float, angle: float = 0.0) -> tuple[SceneCard, ...]:
    return tuple(
        SceneCard(None, x + 1.3 * (i % 3), y + 0.9 * (i % 2), angle + 1.5 * (i % 4), 0.3 * (i + 1))
        for i in range(count)
    )


def row(faces: str, x: float, y: float, step: float = 67.0) -> tuple[SceneCard, ...]:
    return tuple(
        SceneCard(face, x + step * i, y + (-1) ** i * 0.8, (-1) ** i * 0.9)
        for i, face in enumerate(faces.split())
    )


def table(shown: ShowTable) -> Pixels:
    """Render a table at half the camera's size."""
    camera = SceneCamera(tilt=1.5, roll=-1.0, k1=-0.02, noise=2.0, jpeg=0)
    scene = Scene(camera, shown.table, shown.light, shown.cards, shown.hands, seed=5)
    taken = render(scene, faces_of(shown.deck))
    half = cv2.resize(taken, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(half, np.uint8)
