"""Decks and table tops that others have made, from Debian packages where they are installed.

`gnome-cards-data` (GPL-3+) has decks after printed ones of several makers and countries, `librsvg2-bin` draws
them, `gimp-data` (GPL-3+) has photographed cloth, cork, slate and wood. None of it is kept in this project.
"""

import shutil
import struct
import subprocess
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import cast

import cv2
import numpy as np
from numpy.random import Generator

from hardware.twin.rendering import surfaces
from hardware.twin.rendering.lens import Floats, Pixels, floats, pixels
from hardware.twin.rendering.scene import Colour, Surface
from tests.vision.sets.drawn_decks import DrawnDeck

DECKS = Path("/usr/share/aisleriot/cards")
PATTERNS = Path("/usr/share/gimp/2.0/patterns")
DRAWS = "rsvg-convert"
PACKAGES = "gnome-cards-data librsvg2-bin gimp-data"
HIGH = 88.0
"""Millimetres from a card's upper to its lower edge."""
SHARP = 8.0
"""Pixels per millimetre."""
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("c", "d", "h", "s")
"""Columns and rows of a deck's sheet; a fifth row has jokers and backs."""
COURTS = ("bellot", "dondorf", "lattmann", "slavic_costumes", "swiss-xvii", "tarocco")
"""Decks whose court cards are pictures of their own."""
TOPS = {
    "burlap": ("Fabric/burlap.pat", 0.0),
    "cork": ("Wood/corkboard.pat", 0.02),
    "slate": ("Stone/slate.pat", 0.08),
    "walnut": ("Wood/walnut.pat", 0.22),
}
"""Photographed tops: a file, and how much of a lamp's mirror picture it sends back."""
TILE = 90.0
"""Millimetres across a photographed piece, which is laid beside its mirror picture."""


class NotInstalledError(Exception):
    """A package is missing."""


def playing_deck(name: str) -> DrawnDeck:
    """Give the 52 cards of a deck."""
    faces = {f"{rank}{suit}": partial(_card, name, rank, suit) for suit, rank in product(SUITS, RANKS)}
    return DrawnDeck(_size(name), faces)


def court_cards() -> DrawnDeck:
    """Give the court cards of several decks as one."""
    faces = {
        f"{name} {rank}{suit}": partial(_card, name, rank, suit)
        for name, suit, rank in product(COURTS, SUITS, RANKS[-3:])
    }
    return DrawnDeck(_size(COURTS[0]), faces)


def _size(name: str) -> tuple[float, float]:
    high, wide = _sheet(name).shape[:2]
    return round(HIGH * (wide / len(RANKS)) / (high / 5), 1), HIGH


@cache
def _card(name: str, rank: str, suit: str) -> Pixels:
    sheet = _sheet(name)
    high, wide = sheet.shape[0] / 5, sheet.shape[1] / len(RANKS)
    row, column = SUITS.index(suit), RANKS.index(rank)
    whole = sheet[
        round(row * high) : round((row + 1) * high), round(column * wide) : round((column + 1) * wide)
    ]
    # the outermost line is the card's own edge, and half of it air
    cut = whole[3:-3, 3:-3]
    size = (round(_size(name)[0] * SHARP), round(HIGH * SHARP))
    return pixels(cv2.resize(cut, size, interpolation=cv2.INTER_AREA))


@cache
def _sheet(name: str) -> Pixels:
    """Draw all cards of a deck, on white."""
    draws, file = shutil.which(DRAWS), DECKS / f"{name}.svgz"
    if draws is None or not file.exists():
        raise NotInstalledError(f"these photographs need decks of others: apt install {PACKAGES}")
    asked = [draws, "-h", str(round(HIGH * SHARP * 5)), "-b", "white", str(file)]
    drawn = subprocess.run(asked, check=True, capture_output=True)
    return pixels(cv2.imdecode(np.frombuffer(drawn.stdout, np.uint8), cv2.IMREAD_COLOR))


# table tops


def photographed_top(name: str) -> tuple[Surface, Colour | None]:
    """Let the renderer know a photographed top, and give its name there."""
    file, gloss = TOPS[name]
    surface = cast(Surface, name)
    surfaces.DRAWN[surface] = partial(_tiled, PATTERNS / file)
    surfaces.GLOSS[surface], surfaces.OWN[surface] = gloss, (0.0, 0.0, 0.0)
    return surface, None


def _tiled(file: Path, rng: Generator, shape: tuple[int, int], _colour: Colour) -> Floats:
    """Lay a photographed piece beside its mirror pictures, lighter here and darker there."""
    side = round(TILE * surfaces.GRAIN)
    piece = cv2.resize(_pattern(file), (side, side), interpolation=cv2.INTER_CUBIC)
    pair = np.hstack((piece, piece[:, ::-1]))
    both = np.vstack((pair, pair[::-1]))
    laid = np.tile(both, (shape[0] // len(both) + 1, shape[1] // len(both) + 1, 1))[: shape[0], : shape[1]]
    shade = 1 + surfaces.cloud(rng, shape, 260, 200) * 0.04
    return floats(laid * shade[..., None])


@cache
def _pattern(file: Path) -> Floats:
    """Read a photographed piece: a head of big-endian numbers, a name, then colours."""
    if not file.exists():
        raise NotInstalledError(f"these photographs need table tops of others: apt install {PACKAGES}")
    raw = file.read_bytes()
    head, _version, wide, high, deep = struct.unpack(">5I", raw[:20])
    colours = np.frombuffer(raw, np.uint8, wide * high * deep, head).reshape(high, wide, deep)
    return floats(colours[..., 2::-1] if deep >= 3 else np.repeat(colours[..., :1], 3, axis=2))
