"""Layouts of cards on a table: each places faces (None is face down) in order, with a generator."""

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.random import Generator
from numpy.typing import NDArray

from hardware.twin.rendering.scene import CARD, SceneCard

Faces = tuple[str | None, ...]
Cards = tuple[SceneCard, ...]
Layout = Callable[[Faces, Generator], Cards]

AREA = (770.0, 440.0)  # all cards are in this middle part of the table, inside the plates
THICK = 0.3
AIR = 3.0  # least distance between groups of cards
TRIES = 400


class CrowdedError(Exception):
    """The table has no room for so many cards."""


def polygon(card: SceneCard) -> NDArray[np.float32]:
    c, s = np.cos(np.radians(card.angle)), np.sin(np.radians(card.angle))
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(card.size) / 2
    return np.asarray(half @ np.array([[c, s], [-s, c]]) + (card.x, card.y), np.float32)


def overlap_area(one: SceneCard, other: SceneCard) -> float:
    """Return the overlap of two cards in square millimetres."""
    if np.hypot(one.x - other.x, one.y - other.y) > np.hypot(*one.size) / 2 + np.hypot(*other.size) / 2:
        return 0.0
    return float(cv2.intersectConvexConvex(polygon(one), polygon(other))[0])


def is_inside_area(cards: Cards) -> bool:
    return all(bool((np.abs(polygon(card)) <= np.array(AREA) / 2).all()) for card in cards)


def stack_cards(cards: Cards) -> Cards:
    """Stack each card on the previous ones."""
    return tuple(replace(card, height=THICK * i) for i, card in enumerate(cards, 1))


def move_cards(cards: Cards, x: float, y: float, angle: float) -> Cards:
    """Rotate a group about the table's middle, then shift it."""
    c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    return tuple(
        replace(
            card,
            x=float(c * card.x - s * card.y + x),
            y=float(s * card.x + c * card.y + y),
            angle=(card.angle + angle) % 360,
        )
        for card in cards
    )


def random_pose(rng: Generator) -> tuple[float, float, float]:
    across, down = AREA
    x, y = float(rng.uniform(-across, across) / 2), float(rng.uniform(-down, down) / 2)
    return x, y, float(rng.uniform(0, 360))


def lay_separate(faces: Faces, rng: Generator) -> Cards:
    return scatter_groups([(SceneCard(face, 0, 0),) for face in faces], rng)


def scatter_groups(groups: list[Cards], rng: Generator) -> Cards:
    """Place groups of cards so that none touch; start over if one finds no room."""
    for _ in range(20):
        there = try_scatter(groups, rng)
        if there is not None:
            return there
    raise CrowdedError(f"{len(groups)} groups of cards don't fit")


def try_scatter(groups: list[Cards], rng: Generator) -> Cards | None:
    lying: Cards = ()
    for group in groups:
        place = find_free_place(lying, group, rng)
        if place is None:
            return None
        lying += place
    return lying


def find_free_place(lying: Cards, group: Cards, rng: Generator) -> Cards | None:
    airy = [replace(card, size=(card.size[0] + 2 * AIR, card.size[1] + 2 * AIR)) for card in lying]
    for _ in range(TRIES):
        there = move_cards(group, *random_pose(rng))
        if is_inside_area(there) and not any(overlap_area(a, b) for a in airy for b in there):
            return there
    return None


def split_faces(faces: Faces, rng: Generator, least: int, most: int) -> list[Faces]:
    """Split cards into small groups; the last may be smaller."""
    parts, rest = [], faces
    while rest:
        size = int(rng.integers(least, most + 1))
        parts.append(rest[:size])
        rest = rest[size:]
    return parts


def _card(face: str | None, x: Any, y: Any, angle: Any) -> SceneCard:
    return SceneCard(face, float(x), float(y), float(angle % 360))


def row(faces: Faces, rng: Generator) -> Cards:
    step = CARD[0]
    first = -step * (len(faces) - 1) / 2
    gaps = np.cumsum(rng.uniform(0, 0.8, len(faces)))
    places = (first + i * step + gap for i, gap in enumerate(gaps))
    return tuple(
        _card(face, x, rng.uniform(-6, 6), 180.0 * rng.integers(2))
        for face, x in zip(faces, places, strict=True)
    )


def trick(faces: Faces, rng: Generator) -> Cards:
    seats, start = max(3, len(faces)), rng.uniform(0, 360)
    cards = []
    for i, face in enumerate(faces):
        side = start + 360 * i / seats
        out = rng.uniform(14, 34)
        x, y = -out * np.sin(np.radians(side)), out * np.cos(np.radians(side))
        cards.append(_card(face, x, y, side + rng.normal(0, 9)))
    return stack_cards(tuple(cards))


def one_fan(faces: Faces, rng: Generator) -> Cards:
    step, turn = rng.uniform(13, 20), rng.uniform(3, 9)
    reach = step / np.radians(turn)
    cards = []
    for i, face in enumerate(faces):
        a = (i - (len(faces) - 1) / 2) * turn
        x = float(reach * np.sin(np.radians(a)) + rng.uniform(-0.6, 0.6))
        y = float(reach - reach * np.cos(np.radians(a)) + rng.uniform(-1, 1))
        cards.append(SceneCard(face, x, y, float(a + rng.uniform(-0.7, 0.7))))
    return stack_cards(tuple(cards))


def column(faces: Faces, rng: Generator) -> Cards:
    step, half = rng.uniform(18, 25), (len(faces) - 1) / 2
    places = ((i - half) * step for i in range(len(faces)))
    return stack_cards(
        tuple(
            _card(face, rng.uniform(-1.5, 1.5), y, rng.normal(0, 1.2))
            for face, y in zip(faces, places, strict=True)
        )
    )


def heap(faces: Faces, rng: Generator) -> Cards:
    way = rng.uniform(0, 360)
    cards = []
    for i, face in enumerate(faces):
        far = i * rng.uniform(26, 44)
        x, y = far * np.sin(np.radians(way)), far * np.cos(np.radians(way))
        cards.append(_card(face, x, y, rng.uniform(0, 360)))
    return stack_cards(tuple(cards))


def lay_mixed(faces: Faces, rng: Generator) -> Cards:
    kinds = (row, trick, one_fan, column, heap)
    turned = tuple(None if rng.random() < 0.1 else face for face in faces)
    groups = []
    for part in split_faces(turned, rng, 1, 5):
        kind = kinds[int(rng.integers(len(kinds)))]
        groups.append(kind(part, rng))
    return scatter_groups(groups, rng)


def _in_groups(lay: Layout, least: int, most: int) -> Layout:
    """Place cards in groups of this size, apart from each other."""

    def layout(faces: Faces, rng: Generator) -> Cards:
        return scatter_groups([lay(part, rng) for part in split_faces(faces, rng, least, most)], rng)

    return layout


LAYOUTS: dict[str, Layout] = {
    "separate": lay_separate,
    # rows edge to edge, as neat as people's: gaps up to 1 mm, no overlap
    "touching": _in_groups(row, 2, 5),
    # tricks: crossed cards, each thrown from its player's side
    "crossing": _in_groups(trick, 2, 5),
    # each card is turned a little further and shows a strip of 13 to 20 mm
    "fan": _in_groups(one_fan, 4, 7),
    # columns in which each card leaves 18 to 25 mm of the previous one visible
    "cascade": _in_groups(column, 3, 6),
    # loose heaps: any angle, the first partly covered
    "overlapping": _in_groups(heap, 2, 4),
    "face down": lambda faces, rng: lay_separate((None,) * len(faces), rng),
    "mixed": lay_mixed,
}
