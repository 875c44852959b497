"""Decks drawn for the sets: playing cards, pictured cards and line drawings.

All of it is drawn here from nothing, so that it may be shared freely; the letters are Cabin's, as in our decks.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import product

import cv2
import numpy as np
from msgspec import Struct
from numpy.random import Generator, default_rng

from hardware.decks.art.sheet import SYMBOLS
from hardware.decks.card import place_symbol
from hardware.decks.drawing import (
    Drawing,
    Item,
    Path,
    ellipse,
    fill,
    fill_and_stroke,
    group,
    line,
    placement,
    polygon,
    rounded_box,
    smooth_path,
    stroke,
    text,
)
from hardware.decks.print.raster import picture
from hardware.twin.rendering.lens import Pixels, pixels

SHARP = 8.0  # pixels per millimetre
RED, BLACK = "#c4161c", "#16161a"
HALF_TURN = -180.0

Size = tuple[float, float]


class DrawnDeck(Struct, frozen=True):
    """A deck's card size, and a picture of each face by its name."""

    size: Size
    faces: Mapping[str, Callable[[], Pixels]]

    def face(self, name: str) -> Pixels:
        return self.faces[name]()


def _deck(size: Size, drawings: Mapping[str, Callable[[], Pixels]]) -> DrawnDeck:
    return DrawnDeck(size, {name: cache(draw) for name, draw in drawings.items()})


def _print(size: Size, items: list[Item]) -> Pixels:
    return pixels(picture(Drawing(*size, items=tuple(items)), SHARP))


def _twice(items: list[Item], size: Size) -> list[Item]:
    """Draw items, and again turned half round."""
    return [*items, group(*items, matrix=placement(size[0], size[1], turn=HALF_TURN))]


PLAYING = (63.0, 88.0)
SUITS = {
    "s": (SYMBOLS["spade"], BLACK),
    "h": (SYMBOLS["heart"], RED),
    "d": (SYMBOLS["diamond"], RED),
    "c": (SYMBOLS["club"], BLACK),
}
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
COURTS = ("J", "Q", "K")
LEFT, MIDDLE, RIGHT = 20.0, 31.5, 43.0
SIDES = {
    "4": (17.0,), "5": (17.0,), "6": (17.0, 44.0), "7": (17.0, 44.0), "8": (17.0, 44.0),
    "9": (17.0, 35.0), "10": (17.0, 35.0),
}  # fmt: skip
MIDDLES = {
    "A": (44.0,), "2": (17.0, 71.0), "3": (17.0, 44.0, 71.0), "5": (44.0,), "7": (30.5,), "8": (30.5, 57.5),
    "9": (44.0,), "10": (26.0, 62.0),
}  # fmt: skip


@cache
def playing_cards() -> DrawnDeck:
    names = {rank + suit: partial(_playing_card, rank, suit) for rank, suit in product(RANKS, SUITS)}
    return _deck(PLAYING, names)


def _playing_card(rank: str, suit: str) -> Pixels:
    symbol, colour = SUITS[suit]
    index: list[Item] = [
        fill(text(rank, 5.4, 10.5, 6.5), colour),
        fill(place_symbol(symbol, 5.4, 15.5, 5.5), colour),
    ]
    middle = _court(rank, suit) if rank in COURTS else _pips(rank, symbol, colour)
    return _print(PLAYING, [*_twice(index, PLAYING), *middle])


def _pips(rank: str, symbol: Path, colour: str) -> list[Item]:
    rows = [(x, y) for y in SIDES.get(rank, ()) for x in (LEFT, RIGHT)]
    rows += [(PLAYING[0] - x, PLAYING[1] - y) for x, y in rows if y != PLAYING[1] / 2]
    places = [*rows, *((MIDDLE, y) for y in MIDDLES.get(rank, ()))]
    size = 22.0 if rank == "A" else 10.5
    return [
        fill(place_symbol(symbol, x, y, size, turn=HALF_TURN if y > PLAYING[1] / 2 else 0), colour)
        for x, y in places
    ]


def _court(rank: str, suit: str) -> list[Item]:
    """Draw a double figure: a head with a crown, and a robe of stripes."""
    rng = default_rng([RANKS.index(rank), ord(suit)])
    symbol, colour = SUITS[suit]
    frame = stroke(rounded_box(12, 8, 39, 72, 1), "#20305c", 0.5)
    robe: list[Item] = [fill(polygon((13, 44), (50, 44), (42, 27), (22, 27)), _tone(rng))]
    for _stripe in range(5):
        x = float(rng.uniform(16, 44))
        robe.append(stroke(line((x, 44), (31.5 + (x - 31.5) / 3, 27)), _tone(rng), float(rng.uniform(0.6, 2))))
    peaks = tuple((24 + 3 * k, 12 + 3 * (k % 2) + float(rng.uniform(-1, 1))) for k in range(6))
    head: list[Item] = [
        fill_and_stroke(ellipse(31.5, 21, 5.5, 6.5), "#f2d9bd", BLACK, 0.4),
        fill_and_stroke(polygon((25, 18), *peaks, (38, 18)), "#e8b73a", BLACK, 0.4),
        stroke(line((29, 21), (30, 21)), BLACK, 0.7),
        stroke(line((33, 21), (34, 21)), BLACK, 0.7),
        fill(place_symbol(symbol, 18, 14.5, 8), colour),
    ]
    return [frame, *_twice([*robe, *head], PLAYING)]


def _tone(rng: Generator) -> str:
    return ("#c4161c", "#20305c", "#e8b73a", "#16161a", "#4b7a3a")[int(rng.integers(5))]


# pictured cards, as collectors have them

PICTURED = (63.0, 88.0)
FRAMES = ("#8f2f24", "#2c5a86", "#3d6b3a", "#2a2a2e", "#b9a465")
PICTURES = 60
SYLLABLES = ("ka", "ro", "min", "tel", "ash", "vor", "lu", "the", "dra", "gol", "fen", "is", "mar", "quo")


@cache
def pictured_cards() -> DrawnDeck:
    """Draw cards that share frames and a box of text, each with a picture of its own."""
    return _deck(PICTURED, {f"p{number:02}": partial(_pictured_card, number) for number in range(PICTURES)})


def _pictured_card(number: int) -> Pixels:
    rng = default_rng([7, number])
    card = _print(PICTURED, _frame(rng, FRAMES[number % len(FRAMES)]))
    left, top, right, bottom = (round(edge * SHARP) for edge in (5.5, 11.5, 57.5, 49.5))
    card[top:bottom, left:right] = _painting(rng, (bottom - top, right - left))
    return card


def _frame(rng: Generator, colour: str) -> list[Item]:
    items: list[Item] = [
        fill(rounded_box(0, 0, 63, 88, 0.1), "#121214"),
        fill(rounded_box(2.5, 2.5, 58, 83, 2), colour),
        fill(rounded_box(4.5, 4.5, 54, 6, 1), "#efe8d6"),
        fill(text(_words(rng, 2).title(), 6, 9, 2.6, side="left"), BLACK),
        fill(rounded_box(4.5, 51, 54, 5, 1), "#efe8d6"),
        fill(text(_words(rng, 3), 6, 54.8, 2.2, side="left"), BLACK),
        fill(rounded_box(5.5, 57.5, 52, 24, 0.5), "#e9e2cf"),
    ]
    for row in range(int(rng.integers(3, 7))):
        words = _words(rng, int(rng.integers(3, 6)))
        items.append(fill(text(words, 7, 61.5 + 3.4 * row, 1.8, side="left"), BLACK))
    return items


def _words(rng: Generator, count: int) -> str:
    words = ("".join(rng.choice(SYLLABLES, int(rng.integers(1, 4)))) for _word in range(count))
    return " ".join(words)


def _painting(rng: Generator, shape: tuple[int, int]) -> Pixels:
    """Paint clouds of colour, and a few creatures of curves before them."""
    ground = np.zeros((*shape, 3), np.float32)
    for size, strength in ((3, 70), (7, 40), (19, 22), (60, 10)):
        rough = rng.standard_normal((size, round(size * 1.4) + 1, 3)).astype(np.float32)
        ground += strength * cv2.resize(rough, shape[::-1], interpolation=cv2.INTER_CUBIC)
    grey = ground.mean(axis=2, keepdims=True)
    painted = np.clip(0.55 * grey + 0.45 * ground + rng.uniform(70, 160, 3), 0, 255).astype(np.uint8)
    for _creature in range(int(rng.integers(2, 6))):
        around = np.linspace(0, 2 * np.pi, 14, endpoint=False)
        far = rng.uniform(0.06, 0.28) * shape[1] * rng.uniform(0.5, 1.3, 14)
        middle = rng.uniform(0.15, 0.85, 2) * shape[::-1]
        points = np.column_stack((np.cos(around), np.sin(around))) * far[:, None] + middle
        colour = tuple(float(tone) for tone in rng.uniform(10, 245, 3))
        cv2.fillPoly(painted, [points.round().astype(np.int32)], colour, cv2.LINE_AA)
        edge = tuple(float(tone) / 3 for tone in colour)
        cv2.polylines(painted, [points.round().astype(np.int32)], True, edge, 3, cv2.LINE_AA)
    return pixels(painted)


# line drawings, alike up to number, colour and shading

LINED = (57.0, 87.0)
THREE = {"red": "#cf2030", "green": "#1c8a45", "violet": "#5b2d8c"}
FILLS = ("open", "striped", "solid")


@cache
def line_drawings() -> DrawnDeck:
    """Draw one, two or three of three shapes, in three colours, open, striped or solid: 81 cards."""
    every = product((1, 2, 3), THREE, FILLS, OUTLINES)
    return _deck(LINED, {"-".join(map(str, each)): partial(_line_drawing, *each) for each in every})


def _line_drawing(count: int, colour: str, filled: str, shape: str) -> Pixels:
    step = 20.0
    first = LINED[1] / 2 - step * (count - 1) / 2
    return _print(
        LINED,
        [
            each
            for k in range(count)
            for each in _sign(OUTLINES[shape], first + k * step, THREE[colour], filled)
        ],
    )


def _sign(outline: Path, y: float, colour: str, filled: str) -> list[Item]:
    matrix = placement(LINED[0] / 2, y, 0.8)
    if filled == "solid":
        return [group(fill(outline, colour), matrix=matrix)]
    lines: list[Item] = [stroke(outline, colour, 0.5)]
    if filled == "striped":
        stripes = [stroke(line((x, -8), (x, 8)), colour, 0.2) for x in np.arange(-16, 16.1, 1.5).tolist()]
        lines.append(group(*stripes, window=outline))
    return [group(*lines, matrix=matrix)]


OUTLINES: dict[str, Path] = {
    "lozenge": polygon((-16, 0), (0, -8), (16, 0), (0, 8)),
    "oval": rounded_box(-16, -8, 32, 16, 7.9),
    "wave": smooth_path(
        (-15, 4), (-10, -6), (-2, -4), (6, -3), (13, -7), (15, -2), (10, 6), (2, 4), (-6, 3), (-12, 7)
    ),
}
