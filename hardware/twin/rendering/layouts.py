"""Layouts of cards on a table: each takes faces (None is face down) and a generator, and lays them in order."""

from collections.abc import Callable

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.random import Generator
from numpy.typing import NDArray

from hardware.twin.rendering.scene import CARD, SceneCard

Layout = Callable[[tuple[str | None, ...], Generator], tuple[SceneCard, ...]]

AREA = (770.0, 440.0)  # all cards lie in this middle part of the table, inside the plates
THICK = 0.3
AIR = 3.0  # the least distance between groups of cards
TRIES = 400


class CrowdedError(Exception):
    """The table has no room for so many cards."""


def polygon(card: SceneCard) -> NDArray[np.float32]:
    c, s = np.cos(np.radians(card.angle)), np.sin(np.radians(card.angle))
    half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(card.size) / 2
    return np.asarray(half @ np.array([[c, s], [-s, c]]) + (card.x, card.y), np.float32)


def overlap_area(one: SceneCard, other: SceneCard) -> float:
    """Measure the overlap of two cards in square millimetres."""
    if np.hypot(one.x - other.x, one.y - other.y) > np.hypot(*one.size) / 2 + np.hypot(*other.size) / 2:
        return 0.0
    return float(cv2.intersectConvexConvex(polygon(one), polygon(other))[0])


def is_inside_area(cards: tuple[SceneCard, ...]) -> bool:
    return all(bool((np.abs(polygon(card)) <= np.array(AREA) / 2).all()) for card in cards)


def stack_cards(cards: tuple[SceneCard, ...], under: int = 0) -> tuple[SceneCard, ...]:
    """Let each card lie on those before it."""
    return tuple(replace(card, height=THICK * (under + i + 1)) for i, card in enumerate(cards))


def move_cards(cards: tuple[SceneCard, ...], x: float, y: float, angle: float) -> tuple[SceneCard, ...]:
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


def lay_separate(faces: tuple[str | None, ...], rng: Generator) -> tuple[SceneCard, ...]:
    return scatter_groups([(SceneCard(face, 0, 0),) for face in faces], rng)


def scatter_groups(groups: list[tuple[SceneCard, ...]], rng: Generator) -> tuple[SceneCard, ...]:
    """Lay groups of cards so that no two touch; start over if one finds no room."""
    for _ in range(20):
        there = try_scatter(groups, rng)
        if there is not None:
            return there
    raise CrowdedError(f"{len(groups)} groups of cards don't fit")


def try_scatter(groups: list[tuple[SceneCard, ...]], rng: Generator) -> tuple[SceneCard, ...] | None:
    lying: tuple[SceneCard, ...] = ()
    for group in groups:
        place = find_free_place(lying, group, rng)
        if place is None:
            return None
        lying += place
    return lying


def find_free_place(
    lying: tuple[SceneCard, ...], group: tuple[SceneCard, ...], rng: Generator
) -> tuple[SceneCard, ...] | None:
    for _ in range(TRIES):
        there = move_cards(group, *random_pose(rng))
        if is_inside_area(there) and not any(overlap_area(with_air(a), b) for a in lying for b in there):
            return there
    return None


def with_air(card: SceneCard) -> SceneCard:
    return replace(card, size=(card.size[0] + 2 * AIR, card.size[1] + 2 * AIR))


def lay_touching(faces: tuple[str | None, ...], rng: Generator) -> tuple[SceneCard, ...]:
    """Lay rows of cards edge to edge, as neatly as people do: gaps up to 1 mm, no overlap."""
    rows = [row(part, rng) for part in split_faces(faces, rng, 2, 5)]
    return scatter_groups(rows, rng)


def split_faces(
    faces: tuple[str | None, ...], rng: Generator, least: int, most: int
) -> list[tuple[str | None, ...]]:
    """Split cards into small groups; the last may be smaller."""
    parts, rest = [], faces
    while rest:
        size = int(rng.integers(least, most + 1))
        parts.append(rest[:size])
        rest = rest[size:]
    return parts


def row(faces: tuple[str | None, ...], rng: Generator) -> tuple[SceneCard, ...]:
    step = CARD[0]
    first = -step * (len(faces) - 1) / 2
    gaps = np.cumsum(rng.uniform(0, 0.8, len(faces)))
    return tuple(
        SceneCard(
            face, float(first + i * step + gaps[i]), float(rng.uniform(-6, 6)), 180.0 * float(rng.integers(2))
        )
        for i, face in enumerate(faces)
    )


def lay_crossing(faces: tuple[str | None, ...], rng: Generator) -> tuple[SceneCard, ...]:
    """Lay tricks: two to five cards that cross, each thrown from its player's side."""
    return scatter_groups([trick(part, rng) for part in split_faces(faces, rng, 2, 5)], rng)


def trick(faces: tuple[str | None, ...], rng: Generator) -> tuple[SceneCard, ...]:
    seats, start = max(3, len(faces)), rng.uniform(0, 360)
    cards = []
    for i, face in enumerate(faces):
        side = start + 360 * i / seats
        out = rng.uniform(14, 34)
        x, y = -out * np.sin(np.radians(side)), out * np.cos(np.radians(side))
        cards.append(SceneCard(face, float(x), float(y), float(side + rng.normal(0, 9)) % 360))
    return stack_cards(tuple(cards))


def fan(faces: tuple[str | None, ...], rng: Generator) -> tuple[SceneCard, ...]:
    """Spread cards in fans: each card is turned a little further and shows a strip of 13 to 20 mm."""
    return scatter_groups([one_fan(part, rng) for part in split_faces(faces, rng, 4, 7)], rng)


def one_fan(faces: tuple[str | None, ...], rng: Generator) -> tuple[SceneCard, ...]:
    step, turn = rng.uniform(13, 20), rng.uniform(3, 9)
    reach = step / np.radians(turn)
    angles = (np.arange(len(faces)) - (len(faces) - 1) / 2) * turn
    return stack_cards(
        tuple(
            SceneCard(
                face,
                float(reach * np.sin(np.radians(a)) + rng.uniform(-0.6, 0.6)),
                float(reach - reach * np.cos(np.radians(a)) + rng.uniform(-1, 1)),
                float(a + rng.uniform(-0.7, 0.7)),
            )
            for face, a in zip(faces, angles, strict=True)
        )
    )


def cascade(faces: tuple[str | None, ...], rng: Generator) -> tuple[SceneCard, ...]:
    """Lay columns in which each card leaves 18 to 25 mm of the one before it visible."""
    return scatter_groups([column(part, rng) for part in split_faces(faces, rng, 3, 6)], rng)


def column(faces: tuple[str | None, ...], rng: Generator) -> tuple[SceneCard, ...]:
    step = rng.uniform(18, 25)
    return stack_cards(
        tuple(
            SceneCard(
                face,
                float(rng.uniform(-1.5, 1.5)),
                float((i - (len(faces) - 1) / 2) * step),
                float(rng.normal(0, 1.2) % 360),
            )
            for i, face in enumerate(faces)
        )
    )


def lay_overlapping(faces: tuple[str | None, ...], rng: Generator) -> tuple[SceneCard, ...]:
    """Drop cards in loose heaps of two to four: any angle, the first partly covered."""
    return scatter_groups([heap(part, rng) for part in split_faces(faces, rng, 2, 4)], rng)


def heap(faces: tuple[str | None, ...], rng: Generator) -> tuple[SceneCard, ...]:
    way = rng.uniform(0, 360)
    cards = []
    for i, face in enumerate(faces):
        far = i * rng.uniform(26, 44)
        x, y = far * np.sin(np.radians(way)), far * np.cos(np.radians(way))
        cards.append(SceneCard(face, float(x), float(y), float(rng.uniform(0, 360))))
    return stack_cards(tuple(cards))


def lay_face_down(faces: tuple[str | None, ...], rng: Generator) -> tuple[SceneCard, ...]:
    return lay_separate((None,) * len(faces), rng)


def lay_mixed(faces: tuple[str | None, ...], rng: Generator) -> tuple[SceneCard, ...]:
    kinds = (row, trick, one_fan, column, heap)
    turned = tuple(None if rng.random() < 0.1 else face for face in faces)
    groups = []
    for part in split_faces(turned, rng, 1, 5):
        kind = kinds[int(rng.integers(len(kinds)))]
        groups.append(kind(part, rng))
    return scatter_groups(groups, rng)


LAYOUTS: dict[str, Layout] = {
    "separate": lay_separate,
    "touching": lay_touching,
    "crossing": lay_crossing,
    "fan": fan,
    "cascade": cascade,
    "overlapping": lay_overlapping,
    "face down": lay_face_down,
    "mixed": lay_mixed,
}
