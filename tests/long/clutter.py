"""Photograph clutter without a card of the deck, and count what is named: `python -m tests.long.clutter 2000`.

Printed paper with pieces of the deck's own faces, hands, cards of other decks, and halves of those at the
picture's edge, in the light of an evening. Every second table is calibrated. No name may be sure.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache

import cv2
import numpy as np
from msgspec import Struct, field
from numpy.random import Generator, default_rng

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.lens import Pixels, pixels
from hardware.twin.rendering.scene import CARD, Scene, SceneCamera, SceneCard
from tests.hardware.twin.levels import (
    LEVELS,
    around_zero,
    between,
    random_camera,
    random_hand,
    random_light,
    random_table,
)
from tests.hardware.twin.truth import frame_of
from tests.scripts import script
from tests.vision.rendered_tables import DECKS, faces_of_cached, templates_from_artwork
from vision.reading.reader import read
from vision.reading.templates import Templates
from vision.reading.views import Surroundings
from vision.sightings import likely_face

HIGH, FOCAL, RESOLUTION = 520.0, 780.0, (1014, 760)
"""A low camera with small pictures: 95 pixels across a card, as a whole table has in a large one."""
ACROSS, DOWN = 300.0, 215.0  # millimetres from the table's middle to the picture's edges
MOST = 9  # most things in a picture
SHARP = 4  # pixels per millimetre of a drawn thing
PAPER = (148.0, 210.0)  # millimetres
FONT, LETTERS = cv2.FONT_HERSHEY_SIMPLEX, "AKQJ 2345 6789 10 abcdefghijklmnopqrstuvwxyz"
FIRST = 7000  # lower seeds were used to tune the thresholds


class Clutter(Struct):
    """Number of pictures read, and the names in them."""

    pictures: int = 0
    likely: Counter[str] = field(default_factory=Counter[str])
    wrong: list[str] = field(default_factory=list[str])


def draw_sheet(rng: Generator, deck: str) -> Pixels:
    """Draw printed paper: text, and pieces of the deck's faces in any size."""
    wide, high = (round(SHARP * side) for side in PAPER)
    sheet = np.full((high, wide, 3), between(rng, (215, 252)), np.uint8)
    for row in range(40, high - 20, int(rng.integers(24, 60))):
        words = "".join(LETTERS[i] for i in rng.integers(0, len(LETTERS), int(rng.integers(3, 20))))
        cv2.putText(sheet, words, (24, row), FONT, between(rng, (0.4, 1.4)), (40, 36, 34), 2)
    names = tuple(PRINTED[deck].faces)
    for _piece in range(int(rng.integers(1, 6))):
        piece = _piece_of(faces_of_cached(deck)(names[int(rng.integers(len(names)))]), rng)
        y, x = (
            int(rng.integers(0, 1 + room - side))
            for room, side in zip(sheet.shape, piece.shape[:2], strict=False)
        )
        sheet[y : y + piece.shape[0], x : x + piece.shape[1]] = piece
    return pixels(sheet)


def _piece_of(face: Pixels, rng: Generator) -> Pixels:
    """Cut at most a third of a face out, and scale it."""
    high, wide = face.shape[:2]
    down, across = (round(each * between(rng, (0.2, 0.55))) for each in (high, wide))
    y, x = int(rng.integers(high - down)), int(rng.integers(wide - across))
    scale = between(rng, (0.5, 1.6))
    size = max(8, round(across * scale)), max(8, round(down * scale))
    return pixels(cv2.resize(face[y : y + down, x : x + across], size, interpolation=cv2.INTER_AREA))


KINDS = ("printed paper", "hands", "other decks", "half cards")


# scenes


def scene_of(kind: str, deck: str, seed: int) -> Scene:
    rng = default_rng([seed, KINDS.index(kind)])
    usual = random_camera(LEVELS["L1"], rng)
    camera = SceneCamera(
        at=(0.0, 0.0, HIGH), tilt=usual.tilt, roll=usual.roll, focal=FOCAL, resolution=RESOLUTION,
        exposure=usual.exposure, white_balance=usual.white_balance, noise=usual.noise,
    )  # fmt: skip
    hands = tuple(random_hand(rng) for _hand in range(int(rng.integers(1, 4)))) if kind == "hands" else ()
    cards = tuple(_things(kind, deck, rng))
    return Scene(camera, random_table(rng), random_light(LEVELS["L1"], rng), cards, hands, seed)


def _things(kind: str, deck: str, rng: Generator) -> Iterator[SceneCard]:
    for _thing in range(int(rng.integers(1, MOST))):
        x, y, angle = around_zero(rng, ACROSS), around_zero(rng, DOWN), around_zero(rng, 180)
        if kind == "printed paper":
            yield SceneCard(str(rng.integers(40)), x, y, angle, 0.2, deck=kind, size=PAPER, corner=0.5)
        else:
            if kind == "half cards":
                side = 1 if rng.random() < 0.5 else -1
                x, y = (side * ACROSS, y) if rng.random() < 0.5 else (x, side * DOWN)
            other = [each for each in DECKS if each != deck][int(rng.integers(len(DECKS) - 1))]
            names = tuple(PRINTED[other].faces)
            yield SceneCard(names[int(rng.integers(len(names)))], x, y, angle, deck=other, size=CARD)


def _faces(deck: str) -> Callable[[str], Pixels]:
    def face(name: str) -> Pixels:
        kind, _slash, each = name.partition("/")
        if not each:
            return faces_of_cached(deck)(name)
        return _sheet(int(each), deck) if kind == "printed paper" else faces_of_cached(kind)(each)

    return face


@cache
def _sheet(number: int, deck: str) -> Pixels:
    return draw_sheet(default_rng(number), deck)


# reading


def read_clutter(kind: str, deck: str, seed: int, known: Templates, so_far: Clutter) -> None:
    frame = frame_of(scene_of(kind, deck, seed), _faces(deck))
    table: Surroundings | None = Surroundings(frame.plane) if seed % 2 else None
    so_far.pictures += 1
    for card in read(frame.picture, known, None, table).cards:
        if card.sure and card.face is not None:
            so_far.wrong.append(f"{deck}, {kind}, {seed}: {card.face}")
        elif likely_face(card) is not None:
            so_far.likely[kind] += 1


@script
def main(pictures: int, first: int = FIRST) -> Iterator[Clutter]:
    cv2.setNumThreads(1)
    yield (so_far := Clutter())
    for number in range(pictures):
        deck = DECKS[number % len(DECKS)]
        kind = KINDS[number // len(DECKS) % len(KINDS)]
        read_clutter(kind, deck, first + number, templates_from_artwork(deck), so_far)
