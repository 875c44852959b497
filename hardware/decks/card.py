"""The layout that all cards share: size, white border, thin line, title, and an index in two corners.

The top index is in a filled tab and the bottom one is open, which shows the card's orientation.
"""

from collections.abc import Callable
from math import cos, radians, sin
from typing import TypeAlias

from msgspec import Struct

from hardware.decks.drawing import (
    BOLD,
    PLAIN,
    Drawing,
    Item,
    Path,
    box,
    circle,
    fill,
    fill_and_stroke,
    fine_print,
    group,
    line,
    path,
    placement,
    rounded_box,
    stroke,
    text,
    text_width,
    transform_path,
)

WIDTH, HEIGHT, RADIUS = 63.0, 88.0, 3.0
BORDER = 3.0
INK = "#1d2030"
WHITE = "#ffffff"
WINDOW = rounded_box(6, 15, 51, 58, 2.2)
"""The picture's window, between the title and the lower index."""
ARCH = path("M6 73 V38 C6 24 17 15 31.5 15 C46 15 57 24 57 38 V73 Z")
CUT = path("M13 15 H50 L57 22 V66 L50 73 H13 L6 66 V22 Z")
BOW = path("M6 21 C16 15 47 15 57 21 V67 C47 73 16 73 6 67 Z")

TAB = "M3 5 Q3 3 5 3 H13.6 V11 Q13.6 13.6 11 13.6 H3 Z"

Sign: TypeAlias = Callable[[str, str], tuple[Item, ...]]
"""Draws an index between (4, 4) and (12, 12), in a colour, on a ground of another colour."""


class CardFace(Struct, frozen=True):
    """The parts of a card that differ from face to face."""

    title: str
    small: str  # the second line, in French
    colour: str
    sign: Sign
    picture: tuple[Item, ...]
    window: Path = WINDOW
    ground: str = WHITE
    below: tuple[Item, ...] = ()  # items under the picture, left of the lower index
    above: tuple[Item, ...] = ()  # items drawn over the window and its frame
    tab: Path = path(TAB)


def card(face: CardFace) -> Drawing:
    items = (
        blank(),
        fill(face.window, face.ground),
        group(*face.picture, window=face.window),
        stroke(face.window, face.colour, 0.5),
        *face.below,
        *face.above,
        fine_print(*_title(face)),
        fill(face.tab, face.colour),
        *face.sign(WHITE, face.colour),
        group(*face.sign(face.colour, WHITE), matrix=placement(WIDTH, HEIGHT, turn=180)),
        edge(),
    )
    return Drawing(WIDTH, HEIGHT, items)


def blank() -> Item:
    return fill(rounded_box(0, 0, WIDTH, HEIGHT, RADIUS), WHITE)


def edge() -> Item:
    """Draw the thin dark line inside the border, which makes white cards visible on white tables."""
    return stroke(rounded_box(BORDER, BORDER, WIDTH - 2 * BORDER, HEIGHT - 2 * BORDER, 2), INK, 0.35)


def _title(face: CardFace) -> tuple[Item, ...]:
    words = face.title.upper()
    height = min(2.9, 2.9 * 41 / text_width(words, 2.9, spread=0.25))
    name = text(words, 16, 8.3, height, side="left", spread=0.25)
    return (
        fill(name, INK),
        fill(text(face.small, 16, 12, 2.0, font=PLAIN, side="left", spread=0.1), "#6b6f80"),
    )


# indices


def bold_text(words: str, x: float, y: float, height: float, colour: str, *, side: str = "middle") -> Item:
    return fill_and_stroke(lettering(words, x, y, height, side=side), colour, colour, height * 0.035)


def lettering(words: str, x: float, y: float, height: float, *, side: str = "middle") -> Path:
    """Set text with a minus sign wider than the font's dash."""
    if not words.startswith("−"):
        return text(words, x, y, height, font=BOLD, side=side)
    bar, gap = 0.56 * height, 0.16 * height
    digits = text(words[1:], x + (bar + gap) / 2, y, height, font=BOLD, side="middle")
    left = min(point[0] for run in digits for step in run.steps for point in step) - gap - bar
    return (*box(left, y - 0.6 * height, bar, 0.21 * height), *digits)


def number_text(words: str, x: float, y: float, height: float, colour: str) -> tuple[Item, ...]:
    """Set a number; 6 and 9 are underlined, because one is the other upside down."""
    bar = fill(box(x - 0.32 * height, y + 0.14 * height, 0.64 * height, 0.12 * height), colour)
    number = bold_text(words, x, y, height, colour)
    return (number, bar) if words in ("6", "9") else (number,)


def number_sign(words: str) -> Sign:
    height = 6.2 if len(words) == 1 else 4.9

    def draw(colour: str, _ground: str) -> tuple[Item, ...]:
        return number_text(words, 8.2, 8.2 + height / 2 - (0.5 if words in ("6", "9") else 0), height, colour)

    return draw


def symbol_sign(symbol: Path, size: float = 8.4) -> Sign:
    """Return an index with a symbol that is drawn about the origin, 20 wide."""

    def draw(colour: str, _ground: str) -> tuple[Item, ...]:
        return (fill(place_symbol(symbol, 8.2, 8.2, size), colour),)

    return draw


def rank_sign(words: str, symbol: Path, *, symbol_first: bool = False) -> Sign:
    """Return an index with a number or letter above a symbol, or below it."""
    low, middle = (12.1, 6.0) if symbol_first else (7.8, 10.9)

    def draw(colour: str, _ground: str) -> tuple[Item, ...]:
        # the font's J descends below the baseline
        plain = (bold_text("J", 8.1, low - 0.7, 3.2, colour),)
        rank = plain if words == "J" else number_text(words, 8.1, low - 0.5 * symbol_first, 3.8, colour)
        return (*rank, fill(place_symbol(symbol, 8.1, middle, 3.4), colour))

    return draw


def place_symbol(symbol: Path, x: float, y: float, size: float, turn: float = 0) -> Path:
    """Move and scale a symbol that is drawn about the origin, 20 wide."""
    return transform_path(symbol, placement(x, y, size / 20, turn))


def seal(symbol: Path, x: float, y: float, colour: str, radius: float = 4.6) -> tuple[Item, ...]:
    return (
        fill_and_stroke(circle(x, y, radius), WHITE, colour, 0.6),
        fill(place_symbol(symbol, x, y, radius * 1.35), colour),
    )


# grounds


def hatching(colour: str, width: float, gap: float, turn: float) -> tuple[Item, ...]:
    count = int(110 / gap)
    stripes = (stroke(line((-55 + k * gap, -60), (-55 + k * gap, 60)), colour, width) for k in range(count))
    return (group(*stripes, matrix=placement(31.5, 44, turn=turn)),)


def rays(x: float, y: float, count: int, colour: str, turn: float = 0) -> tuple[Item, ...]:
    return tuple(fill(_wedge(x, y, turn + 360 * k / count, 180 / count), colour) for k in range(count))


def _wedge(x: float, y: float, angle: float, width: float) -> Path:
    corners = [(x + 90 * cos(radians(a)), y + 90 * sin(radians(a))) for a in (angle, angle + width)]
    return path(f"M{x} {y} L{corners[0][0]:.3f} {corners[0][1]:.3f} L{corners[1][0]:.3f} {corners[1][1]:.3f} Z")


def caption(*lines: str) -> tuple[Item, ...]:
    first = 80.0 - 1.6 * (len(lines) - 1)
    written = (
        fill(text(words, 6.5, first + 3.2 * row, 2.0, font=PLAIN, side="left"), "#4a4e60")
        for row, words in enumerate(lines)
    )
    return (fine_print(*written),)


def back(colour: str, dark: str, pattern: tuple[Item, ...], emblem: tuple[Item, ...]) -> Drawing:
    """Return a back that looks the same upside down, from the pattern and emblem of its upper half."""
    field = rounded_box(5, 5, WIDTH - 10, HEIGHT - 10, 2)
    half = (
        group(*pattern, window=box(5, 5, WIDTH - 10, HEIGHT / 2 - 5)),
        fill(path("M16.5 44 C16.5 35.7 23.2 29 31.5 29 C39.8 29 46.5 35.7 46.5 44 Z"), WHITE),
        stroke(path("M16.5 44 C16.5 35.7 23.2 29 31.5 29 C39.8 29 46.5 35.7 46.5 44"), dark, 0.8),
        stroke(path("M17.9 44 C17.9 36.5 24 30.4 31.5 30.4 C39 30.4 45.1 36.5 45.1 44"), dark, 0.3),
        group(*emblem, matrix=placement(31.5, 44)),
    )
    turned = group(*half, matrix=placement(WIDTH, HEIGHT, turn=180))
    return Drawing(
        WIDTH, HEIGHT, (blank(), group(fill(field, colour), group(*half), turned, window=field), edge())
    )
