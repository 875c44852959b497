"""Cards composed of others' icons and letters, as SVG in millimetres."""

import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from itertools import product
from pathlib import Path
from textwrap import wrap

Size = tuple[float, float]
Icons = Mapping[str, str]  # what is inside of an icon's SVG, by its name

PLAYING, SLIM = (63.0, 88.0), (56.0, 87.0)
INK = "#1b1b1f"


def outline_icons(home: Path, names: tuple[str, ...]) -> Icons:
    """Read icons that are lines, 24 units wide."""
    return {name: _inside((home / "icons" / f"{name}.svg").read_text(encoding="utf-8")) for name in names}


def _inside(svg: str) -> str:
    return re.sub(r"(?s).*?<svg[^>]*>|</svg>", "", svg)


def figure_icons(home: Path, names: tuple[str, ...]) -> Icons:
    """Read icons that are areas, 512 units wide."""
    every = json.loads((home / "icons.json").read_text(encoding="utf-8"))["icons"]
    return {name: every[name]["body"] for name in names}


def words_of(home: Path) -> Mapping[str, tuple[str, ...]]:
    """Read what an icon may mean, in words, by the icon's name."""
    tags = json.loads((home / "tags.json").read_text(encoding="utf-8"))
    return {name: tuple(words) for name, words in tags.items()}


def _card(size: Size, *items: str, ground: str = "#ffffff") -> str:
    wide, high = size
    paper = f'<rect width="{wide}" height="{high}" fill="{ground}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}">{paper}{"".join(items)}</svg>'


def _twice(size: Size, items: str) -> str:
    return f'{items}<g transform="rotate(180 {size[0] / 2} {size[1] / 2})">{items}</g>'


def _lines(
    inside: str, at: tuple[float, float], side: float, colour: str, wide: float, fill: str = "none"
) -> str:
    scale = side / 24
    moved = f"translate({at[0] - side / 2} {at[1] - side / 2}) scale({scale})"
    style = f'stroke="{colour}" stroke-width="{wide / scale}" stroke-linecap="round" stroke-linejoin="round"'
    return f'<g transform="{moved}" fill="{fill}" {style}>{inside}</g>'


def _figure(inside: str, at: tuple[float, float], side: float, colour: str) -> str:
    moved = f"translate({at[0] - side / 2} {at[1] - side / 2}) scale({side / 512})"
    return f'<g transform="{moved}" color="{colour}" fill="{colour}">{inside}</g>'


def _text(words: str, at: tuple[float, float], size: float, font: str, style: str) -> str:
    place = f'x="{at[0]}" y="{at[1]}" font-size="{size}" font-family="{font}"'
    return f"<text {place} {style}>{escape(words)}</text>"


# thin shapes, alike up to number, colour, filling and shape

SHAPES = ("droplet", "leaf", "cloud")
INKS = {"red": "#d2232a", "green": "#00843d", "violet": "#5c2d91"}
FILLINGS = ("open", "pale", "solid")


def thin_shapes(icons: Icons) -> Iterator[tuple[str, str]]:
    """Compose one to three of three shapes, in three colours, open, pale or solid: 81 cards."""
    for count, colour, filling, shape in product((1, 2, 3), INKS, FILLINGS, SHAPES):
        ink = INKS[colour]
        fill = {"open": "none", "pale": _paler(ink), "solid": ink}[filling]
        places = [(SLIM[0] / 2, SLIM[1] / 2 + 22.0 * (k - (count - 1) / 2)) for k in range(count)]
        drawn = (_lines(icons[shape], at, 21.0, ink, 0.6, fill) for at in places)
        yield f"{count}-{colour}-{filling}-{shape}", _card(SLIM, *drawn)


def _paler(colour: str) -> str:
    tones = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(255 - 0.3 * (255 - tone)):02x}" for tone in tones)


# big figures on coloured fields with a white border

FIELDS = {"red": "#d72600", "yellow": "#ecd407", "green": "#379711", "blue": "#0956bf"}
ACTIONS = {"skip": "ban", "turn": "refresh-cw", "draw": "copy-plus"}


def coloured_figures(icons: Icons) -> Iterator[tuple[str, str]]:
    """Compose digits and three signs on four colours: 52 cards."""
    for colour, sign in product(FIELDS, (*map(str, range(10)), *ACTIONS)):
        field = f'<rect x="3.5" y="3.5" width="49" height="80" rx="4" fill="{FIELDS[colour]}"/>'
        oval = (
            '<ellipse cx="28" cy="43.5" rx="19" ry="34" transform="rotate(24 28 43.5)" fill="none" '
            'stroke="#fff" stroke-width="1.2"/>'
        )
        middle = _sign(icons, sign, (28.0, 43.5), 36.0)
        yield (
            f"{colour}-{sign}",
            _card(SLIM, field, oval, middle, _twice(SLIM, _sign(icons, sign, (10.0, 11.5), 9.0))),
        )


def _sign(icons: Icons, sign: str, at: tuple[float, float], size: float) -> str:
    if sign in ACTIONS:
        return _lines(icons[ACTIONS[sign]], at, 0.8 * size, "#fff", size / 12)
    style = f'text-anchor="middle" fill="#fff" stroke="{INK}" stroke-width="{size / 40}"'
    drawn = _text(sign, (at[0], at[1] + 0.37 * size), size, "Alfa Slab One", style)
    if sign not in {"6", "9"}:
        return drawn
    wide = 0.5 * size
    bar = f'x="{at[0] - wide / 2}" y="{at[1] + 0.45 * size}" width="{wide}" height="{size / 14}"'
    return f'{drawn}<rect {bar} fill="#fff"/>'


# look-alikes, which differ in one corner

FIGURES = {
    "dragon": "dragon-head",
    "castle": "castle",
    "ship": "galleon",
    "owl": "owl",
    "knight": "chess-knight",
}
GROUNDS = {"dragon": "#e9d9b5", "castle": "#cfdbe6", "ship": "#d5e4d0", "owl": "#e6d3dd", "knight": "#f2efe6"}
CORNERS = ("crown", "key", "anchor", "trefoil-lily", "broadsword", "shield", "sun", "candle-light", "feather")


def one_corner(icons: Icons) -> Iterator[tuple[str, str]]:
    """Compose five figures with nine signs each, in the upper left corner alone: 45 cards."""
    for figure, corner in product(FIGURES, CORNERS):
        inks = f'fill="{GROUNDS[figure]}" stroke="{INK}" stroke-width=".4"'
        frame = f'<rect x="3" y="3" width="57" height="82" rx="3" {inks}/>'
        body = _figure(icons[FIGURES[figure]], (31.5, 47.0), 44.0, "#4a3b2f")
        sign = _figure(icons[corner], (10.5, 11.0), 10.0, "#8c1c13")
        yield f"{figure}-{corner}", _card(PLAYING, frame, body, sign)


# words

WORDY = 48


def wordy_cards(words: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """Compose cards of a title and a paragraph, nothing else: 48 cards."""
    long = [name for name, some in sorted(words.items()) if len(" ".join(some)) > 110 and len(name) < 16]
    for name in long[:: max(1, len(long) // WORDY)][:WORDY]:
        lines = wrap((", ".join(words[name])).capitalize() + ".", 28)[:8]
        title = _text(
            name.replace("-", " ").title(), (6.0, 13.0), 6.0, "Lora", f'font-weight="700" fill="{INK}"'
        )
        told = [
            _text(line, (6.0, 24.0 + 5.2 * k), 3.8, "Lora", f'fill="{INK}"') for k, line in enumerate(lines)
        ]
        yield name, _card(PLAYING, title, *told)
