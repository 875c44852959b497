"""Pictures for people: every face of a deck, and a table of each game as the camera would see it."""

from collections.abc import Mapping

import cv2
import numpy as np
from msgspec import Struct

from hardware.decks.catalogue import PrintedDeck
from hardware.decks.print.raster import picture
from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.lens import Pixels
from hardware.twin.rendering.renderer import render
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
    """Lay all faces of a deck side by side, and its back at the end."""
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
    """A table to show: the deck on it, how its cards lie, on what and in what light."""

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
    """Stack cards face down, not too neatly."""
    return tuple(
        SceneCard(None, x + 1.3 * (i % 3), y + 0.9 * (i % 2), angle + 1.5 * (i % 4), 0.3 * (i + 1))
        for i in range(count)
    )


def row(faces: str, x: float, y: float, step: float = 67.0) -> tuple[SceneCard, ...]:
    """Lay cards in a row from the left."""
    return tuple(
        SceneCard(face, x + step * i, y + (-1) ** i * 0.8, (-1) ** i * 0.9)
        for i, face in enumerate(faces.split())
    )


def _coyote() -> ShowTable:
    """A reveal: five cards in the middle, the pile, and a hand that has just laid the last one."""
    cards = (
        *pile(9, -330, -150, 4),
        SceneCard("15", -150, 12, -11),
        SceneCard("?", -62, -22, 6),
        SceneCard("-5", 34, 18, -4),
        SceneCard("20", 118, -14, 13),
        SceneCard("max0", 214, 26, -7),
        SceneCard("4", 330, -160, 3),
    )
    return ShowTable(
        "coyote-gigamic", cards, SceneTable("felt", grain=1), EVENING, (Hand(252, 150, -12, spread=0.5),)
    )


def _coup() -> ShowTable:
    """Four courts of two on the printed mat, some turned up; the proof lies in its place."""
    cards = (
        SceneCard(None, 104, 212, 2),
        SceneCard("duke", 178, 213, -1),
        SceneCard(None, -322, -70, 92),
        SceneCard(None, -322, 4, 88),
        SceneCard("assassin", -188, -212, 181),
        SceneCard("contessa", -114, -211, 178),
        SceneCard(None, 322, 70, -91),
        SceneCard(None, 322, -4, -88),
        SceneCard("captain", -200, 0, 5),
        *pile(5, 10, -6, -3),
    )
    return ShowTable("coup", cards, SceneTable("paper", grain=2), AFTERNOON)


def _coup_d_etat() -> ShowTable:
    """A trick of four as people lay them, and tricks taken before."""
    cards = (
        *pile(8, -320, 130, 20),
        *pile(4, 318, -120, -75),
        SceneCard("Kh", 12, 62, 3, 0.3),
        SceneCard("10h", -58, 4, 97, 0.6),
        SceneCard("Ah", 6, -56, 176, 0.9),
        SceneCard("9s", 66, 2, -84, 1.2),
    )
    return ShowTable("piquet", cards, SceneTable("felt", (70.0, 60.0, 34.0), grain=3), EVENING)


def _plenty_coups() -> ShowTable:
    """The display of four, raids before two camps, the discards."""
    cards = (
        *row("red-3 horse weapon-2 blue-4", -104, -20, 69),
        *pile(7, -330, -20, -2),
        SceneCard("staff", 300, -18, 5),
        SceneCard("green-4", -230, 200, -12),
        SceneCard("green-2", -184, 206, 8, 0.6),
        SceneCard("black-1", 210, -208, 170),
        SceneCard("weapon-3", 260, -204, 186, 0.6),
    )
    return ShowTable("plenty-coups", cards, SceneTable("light", grain=1), AFTERNOON)


def _ogallala() -> ShowTable:
    """Two canoes under way, and the card just drawn."""
    cards = (
        *row("red-bow red-warrior-3 bear-left bear-right bear-hunter red-stern", -200, -110),
        *row("empty-bow black-archer keg guardian", -200, 20),
        *pile(8, 300, 30, 3),
        *pile(8, 375, 34, -2),
        SceneCard("black-chief", 90, 178, 4),
    )
    return ShowTable("ogallala", cards, SceneTable("wood", grain=0), GLOSSY)


TABLES: Mapping[str, ShowTable] = {
    "coyote": _coyote(),
    "coup": _coup(),
    "coup-d-etat": _coup_d_etat(),
    "plenty-coups": _plenty_coups(),
    "ogallala": _ogallala(),
}


def table(shown: ShowTable) -> Pixels:
    """Take a picture of a table, half as large as the camera's."""
    camera = SceneCamera(tilt=1.5, roll=-1.0, k1=-0.02, noise=2.0, jpeg=0)
    scene = Scene(camera, shown.table, shown.light, shown.cards, shown.hands, seed=5)
    taken = render(scene, faces_of(shown.deck)).picture
    half = cv2.resize(taken, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    return np.asarray(half, np.uint8)
