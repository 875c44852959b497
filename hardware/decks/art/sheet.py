"""Artwork as data: reads a deck's colours, symbols, pictures and faces from TOML, and draws them.

A picture has a line for each item: how it is painted, its ink, and a shape. A line that starts with a space
continues the previous one.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path as File
from types import MappingProxyType
from typing import TypeVar

import msgspec
from msgspec import Struct

from hardware.decks import drawing
from hardware.decks.artwork import Artwork
from hardware.decks.card import (
    ARCH,
    BOW,
    CUT,
    TAB,
    WINDOW,
    CardFace,
    Sign,
    back,
    bold_text,
    caption,
    card,
    hatching,
    lettering,
    number_sign,
    place_symbol,
    rays,
)

WINDOWS: Mapping[str, drawing.Path] = {"whole": WINDOW, "arch": ARCH, "cut": CUT, "bow": BOW}
Symbols = Mapping[str, drawing.Path]
Kind = TypeVar("Kind")
Inks = Mapping[str, str]


class FaceArt(Struct, frozen=True):
    """A face as described in its file; its sign uses the inks `colour` and `ground`."""

    title: str
    small: str
    colour: str
    sign: str
    picture: str
    window: str = "whole"
    ground: str = "white"
    caption: tuple[str, ...] = ()
    below: str = ""  # items beside the lower index, if there is no caption
    tab: str = TAB


class ArtFile(Struct, frozen=True):
    """The possible content of a file; symbols are drawn about the origin, 20 wide."""

    inks: Inks = {}
    symbols: Mapping[str, str] = {}
    pictures: Mapping[str, str] = {}
    faces: Mapping[str, FaceArt] = {}


class ArtSheet:
    """A file of artwork, ready to draw."""

    def __init__(self, name: str, shared: Symbols = MappingProxyType({})) -> None:
        """Read a file of this folder; a symbol may use earlier and shared ones."""
        self.file = read_art(name, ArtFile)
        symbols = dict(shared)
        for symbol, lines in self.file.symbols.items():
            symbols[symbol] = tuple(run for words in _lines(lines) for run in _shape(words, symbols))
        self.symbols: Symbols = symbols

    def draw(self, lines: str, **inks: str) -> tuple[drawing.Item, ...]:
        """Draw a picture's lines; `inks` adds named inks."""
        known = {**self.file.inks, **inks}
        return tuple(item for words in _lines(lines) for item in self._items(words, known))

    def picture(self, name: str, **inks: str) -> tuple[drawing.Item, ...]:
        return self.draw(self.file.pictures[name], **inks)

    def sign(self, lines: str) -> Sign:
        def draw(colour: str, ground: str) -> tuple[drawing.Item, ...]:
            return self.draw(lines, colour=colour, ground=ground)

        return draw

    def face(self, name: str) -> CardFace:
        art, inks = self.file.faces[name], self.file.inks
        return CardFace(
            art.title,
            art.small,
            inks.get(art.colour, art.colour),
            self.sign(art.sign),
            self.draw(art.picture),
            WINDOWS[art.window],
            inks.get(art.ground, art.ground),
            caption(*art.caption) if art.caption else self.draw(art.below),
            tab=drawing.path(art.tab),
        )

    def _items(self, words: str, inks: dict[str, str]) -> Iterator[drawing.Item]:
        kind, first, rest = words.split(" ", 2)
        ink = inks.get(first, first)
        match kind:
            case "fill":
                yield drawing.fill(_shape(rest, self.symbols), ink)
            case "stroke":
                width, shape = rest.split(" ", 1)
                yield drawing.stroke(_shape(shape, self.symbols), ink, float(width))
            case "both":
                edge, width, shape = rest.split(" ", 2)
                drawn = _shape(shape, self.symbols)
                yield drawing.fill_and_stroke(drawn, ink, inks.get(edge, edge), float(width))
            case "put":
                yield drawing.group(*self.draw(self.file.pictures[first], **inks), matrix=_matrix(rest))
            case "rays":
                x, y, count, turn = map(float, rest.split(" "))
                yield from rays(x, y, int(count), ink, turn)
            case "hatching":
                yield from hatching(ink, *map(float, rest.split(" ")))
            case "number":
                yield from number_sign(rest)(ink, "")
            case _:
                side, across, down, height, letters = rest.split(" ", 4)
                yield bold_text(letters, float(across), float(down), float(height), ink, side=side)


def read_art(name: str, kind: type[Kind]) -> Kind:
    """Read a file of this folder, or of another package by its full path."""
    return msgspec.toml.decode((File(__file__).parent / f"{name}.toml").read_bytes(), type=kind)


def own_artwork(file: str, colour: str, dark: str) -> Artwork:
    """Return artwork from the .toml file beside `file`, with a striped back in two colours."""
    art = ArtSheet(str(File(file).with_suffix("")), SYMBOLS)
    stripes = hatching(dark, 1.2, 5, 35)
    return Artwork(lambda name: card(art.face(name)), lambda: back(colour, dark, stripes, ()))


def _lines(lines: str) -> list[str]:
    return lines.strip().replace("\n ", "").splitlines()


def _matrix(words: str) -> drawing.Matrix:
    """Parse a position, a scale and a rotation, or a full matrix."""
    numbers = tuple(map(float, words.split(" ")))
    if len(numbers) == 6:
        return numbers
    x, y, scale, turn = numbers
    return drawing.placement(x, y, scale, turn)


def _shape(words: str, symbols: Symbols) -> drawing.Path:
    """Return a shape: an SVG path, a figure with its numbers, letters, or a symbol."""
    kind, _space, rest = words.partition(" ")
    if kind in _FIGURES:
        return _FIGURES[kind](*map(float, rest.split(" ")))
    if kind in _LINES:
        numbers = list(map(float, rest.split(" ")))
        return _LINES[kind](*zip(numbers[::2], numbers[1::2], strict=True))
    match kind:
        case "text" | "lettering":
            x, y, height, letters = rest.split(" ", 3)
            draw = drawing.text if kind == "text" else lettering
            return draw(letters, float(x), float(y), float(height))
        case "turned":
            count, shape = rest.split(" ", 1)
            return _turned(_shape(shape, symbols), int(count))
        case "symbol" | "the" | "moved" | "matrix" | "mirrored":
            name, *where = rest.split(" ")
            return _symbol(kind, symbols[name], list(map(float, where)))
        case _:
            return drawing.path(words)


def _symbol(kind: str, symbol: drawing.Path, where: list[float]) -> drawing.Path:
    match kind, where:
        case "symbol", (x, y, size, *turn):
            return place_symbol(symbol, x, y, size, *turn)
        case "moved", (x, y, scale, turn):
            return drawing.transform_path(symbol, drawing.placement(x, y, scale, turn))
        case "matrix", (a, b, c, d, e, f):
            return drawing.transform_path(symbol, (a, b, c, d, e, f))
        case "mirrored", (x,):
            return drawing.transform_path(symbol, drawing.reflection(x))
        case _:
            return symbol


def _turned(shape: drawing.Path, count: int) -> drawing.Path:
    turns = (drawing.placement(0, 0, turn=360 * step / count) for step in range(count))
    return tuple(run for turn in turns for run in drawing.transform_path(shape, turn))


def _star(x: float, y: float, outer: float, inner: float, points: float, turn: float = 0) -> drawing.Path:
    return drawing.star(x, y, outer, inner, int(points), turn)


_FIGURES: Mapping[str, Callable[..., drawing.Path]] = {
    "circle": drawing.circle,
    "ellipse": drawing.ellipse,
    "box": drawing.box,
    "rounded": drawing.rounded_box,
    "star": _star,
}
_LINES: Mapping[str, Callable[..., drawing.Path]] = {
    "line": drawing.line,
    "polygon": drawing.polygon,
    "smooth": drawing.smooth_path,
    "open": partial(drawing.smooth_path, closed=False),
}
SYMBOLS = ArtSheet("symbols").symbols  # symbols that several games use
