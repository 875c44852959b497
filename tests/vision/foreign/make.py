"""Make the sheets anew, from the packages: `.ci/judge -m tests.vision.foreign.make` needs npm and a network."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
from fontTools.ttLib import TTFont  # type: ignore[import-untyped]
from msgspec import Struct

from hardware.twin.rendering.lens import Pixels, floats, pixels
from tests.vision.foreign import cards, packages
from tests.vision.foreign.sheets import SHEETS, Sheet, face_shape, keep_sheet

Homes = Mapping[str, Path]  # where the packages' files lie, by their names
Size = tuple[float, float]
Shape = tuple[int, int]  # a card's width and height in pixels
BRIDGE = (61.0, 88.0)
SUITS = {"s": "spade", "h": "heart", "d": "diamond", "c": "club"}
RANKS = {"a": 1, **{str(k): k for k in range(2, 11)}, "j": 11, "q": 12, "k": 13}
COURTS = {11: "jack", 12: "queen", 13: "king"}
FONTS = {
    packages.ALFA_SLAB: ("alfa-slab-one-latin-400-normal",),
    packages.LORA: ("lora-latin-400-normal", "lora-latin-700-normal"),
}


class Made(Struct, frozen=True):
    """How a deck is made: its cards' size, what it is made of, and the pictures of its faces."""

    size: Size
    made_of: tuple[packages.Package, ...]
    faces: Callable[[Homes, Shape], Iterator[tuple[str, Pixels]]]
    fine: float = 6.0  # pixels per millimetre


def _svg_cards(homes: Homes, shape: Shape) -> Iterator[tuple[str, Pixels]]:
    for suit, sign in SUITS.items():
        for rank, number in RANKS.items():
            file = homes[packages.SVG_CARDS.name] / "png" / "2x" / f"{sign}_{COURTS.get(number, number)}.png"
            yield f"{rank}{suit}", _on_white(file.read_bytes(), shape, OUTLINED)


def _standard_deck(homes: Homes, shape: Shape) -> Iterator[tuple[str, Pixels]]:
    for suit in SUITS:
        for rank, number in RANKS.items():
            file = homes[packages.STANDARD_DECK.name] / "cards" / f"{number}{suit}.svg"
            yield f"{rank}{suit}", _drawn(file.read_text(encoding="utf-8"), (), shape)


def _composed(
    composed: Callable[[Homes], Iterator[tuple[str, str]]], homes: Homes, shape: Shape
) -> Iterator[tuple[str, Pixels]]:
    with TemporaryDirectory() as folder:
        fonts = tuple(_fonts(homes, Path(folder)))
        for name, svg in composed(homes):
            yield name, _drawn(svg, fonts, shape)


def _fonts(homes: Homes, folder: Path) -> Iterator[str]:
    """Unpack the fonts of the web into such as are read elsewhere."""
    for package, files in FONTS.items():
        for name in files:
            font = TTFont(homes[package.name] / "files" / f"{name}.woff")
            font.flavor = None
            font.save(folder / f"{name}.ttf")
            yield str(folder / f"{name}.ttf")


def _drawn(svg: str, fonts: tuple[str, ...], shape: Shape) -> Pixels:
    """Draw an SVG, twice as fine as it is kept."""
    resvg: Any = import_module("resvg_py")
    wide, high = shape
    png = resvg.svg_to_bytes(
        svg_string=svg, width=2 * wide, height=2 * high, font_files=list(fonts), skip_system_fonts=True
    )
    return _on_white(bytes(png), shape)


OUTLINED = 4  # pixels at the rim of some cards that only show, on a screen, where a card ends


def _on_white(png: bytes, shape: Shape, rim: int = 0) -> Pixels:
    """Print a picture on white paper, as large as its card."""
    whole = np.asarray(cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED), np.float32)
    drawn = whole[rim : whole.shape[0] - rim, rim : whole.shape[1] - rim]
    share = drawn[..., 3:] / 255 if drawn.shape[2] == 4 else np.float32(1)
    printed = floats(drawn[..., :3] * share + 255 * (1 - share))
    way = cv2.INTER_AREA if printed.shape[1] > shape[0] else cv2.INTER_CUBIC
    return pixels(np.clip(cv2.resize(printed, shape, interpolation=way), 0, 255).round().astype(np.uint8))


COMPOSED: Mapping[str, Callable[[Homes], Iterator[tuple[str, str]]]] = {
    "thin": lambda homes: cards.thin_shapes(cards.outline_icons(homes[packages.LUCIDE.name], cards.SHAPES)),
    "coloured": lambda homes: cards.coloured_figures(
        cards.outline_icons(homes[packages.LUCIDE.name], tuple(cards.ACTIONS.values()))
    ),
    "corner": lambda homes: cards.one_corner(
        cards.figure_icons(homes[packages.GAME_ICONS.name], (*cards.FIGURES.values(), *cards.CORNERS))
    ),
    "wordy": lambda homes: cards.wordy_cards(cards.words_of(homes[packages.LUCIDE.name])),
}
DECKS = {
    "bridge": Made(BRIDGE, (packages.SVG_CARDS,), _svg_cards, 5.0),
    "poker": Made(cards.PLAYING, (packages.STANDARD_DECK,), _standard_deck, 5.0),
    "thin": Made(cards.SLIM, (packages.LUCIDE,), partial(_composed, COMPOSED["thin"])),
    "coloured": Made(
        cards.SLIM, (packages.LUCIDE, packages.ALFA_SLAB), partial(_composed, COMPOSED["coloured"])
    ),
    "corner": Made(cards.PLAYING, (packages.GAME_ICONS,), partial(_composed, COMPOSED["corner"])),
    "wordy": Made(cards.PLAYING, (packages.LUCIDE, packages.LORA), partial(_composed, COMPOSED["wordy"]), 5.0),
}


def main() -> None:
    with TemporaryDirectory() as folder:
        homes = {package.name: packages.fetch_package(package, Path(folder)) for package in packages.PACKAGES}
        for package in packages.PACKAGES:
            if packages.stated_licence(homes[package.name]) != package.licence:
                raise SystemExit(f"{package.name} states another licence than we do.")
            packages.keep_licence(package, homes[package.name])
        for name, made in DECKS.items():
            faces = dict(made.faces(homes, face_shape(made.size, made.fine)))
            sheet = Sheet(made.size, made.fine, tuple(each.name for each in made.made_of), tuple(faces))
            quality = keep_sheet(name, sheet, faces)
            size = (SHEETS / f"{name}.webp").stat().st_size
            print(f"{name}: {len(faces)} faces, quality {quality}, {size} bytes")


if __name__ == "__main__":
    main()
