"""Coyote's cards: a desert day for positive cards, a striped dusk for negative ones."""

from math import cos, radians, sin

from hardware.decks.art.sheet import SYMBOLS, ArtSheet
from hardware.decks.artwork import Artwork
from hardware.decks.card import CardFace, back, card, lettering, number_sign, number_text, place_symbol, rays
from hardware.decks.drawing import Drawing, Item, circle, fill, line, path, stroke

DAY, SAND, CLAY, RUST, GOLD = "#fdf3df", "#eecf9a", "#d98b52", "#a9502f", "#f4b23c"
NIGHT, LEAF = "#23264f", "#5d7a52"

ART = ArtSheet("coyote", SYMBOLS)
_COYOTE, _PAW = (ART.symbols[name] for name in ("coyote", "paw"))

VALUES = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "15", "20")


def face(name: str) -> Drawing:
    return card(ART.face(name) if name in ART.file.faces else _points(name))


def reverse() -> Drawing:
    places = ((8 + 6.7 * k + 3.35 * (row % 2), 9 + 6.4 * row) for row in range(12) for k in range(8))
    dots = tuple(fill(place_symbol(_PAW, *place, 2.6, 45), "#c56f3d") for place in places)
    emblem = (
        fill(circle(0, -6, 5.2), GOLD),
        fill(place_symbol(_COYOTE, -0.6, -6.4, 10.5), NIGHT),
        stroke(line((-13.5, 0), (13.5, 0)), NIGHT, 0.8),
    )
    return back(RUST, NIGHT, dots, emblem)


def _points(name: str) -> CardFace:
    step, outline = VALUES.index(name), stroke(lettering(name, 31.5, 46.5, 24), DAY, 3.2)
    looks = ((1.5, RUST) if k == step else (0.55, CLAY) for k in range(12))
    places = (fill(circle(7.5 + 3.6 * k, 79, size), colour) for k, (size, colour) in enumerate(looks))
    return CardFace(
        "Coyote",
        f"vaut {name}",
        RUST,
        number_sign(name),
        (*_sky(step), *_land(step), *_prints(int(name)), outline, *number_text(name, 31.5, 46.5, 24, NIGHT)),
        ground=DAY,
        below=(stroke(line((7.5, 79), (47.1, 79)), SAND, 0.4), *places),
    )


def _sky(step: int) -> tuple[Item, ...]:
    angle = radians(190 + 160 * step / 11)
    x, y = 31.5 + 21 * cos(angle), 46 + 24 * sin(angle)
    sun = (fill(circle(x, y, 8.4), GOLD), stroke(circle(x, y, 10), GOLD, 0.5))
    return (*rays(x, y, 14, "#fbe8c3", step * 7), *sun)


_RIDGES = (
    "M4 60 L4 44 H9 L11 41 H18 L20 45 L23 60 Z",
    "M60 60 V42 H56 L54 39 H46 L44 43 L41 60 Z",
    "M4 60 V52 C12 42 20 44 26 52 C30 47 36 50 38 60 Z",
    "M60 60 V50 L52 40 L47 46 L43 42 L34 60 Z",
)


def _land(step: int) -> tuple[Item, ...]:
    """Draw hills that vary by number, a cactus and sand."""
    ridge = fill(path(_RIDGES[step % 4]), CLAY)
    plant = place_symbol(ART.symbols["cactus"], (50, 12, 47, 13)[step % 4], (48, 48, 50, 49)[step % 4], 11)
    ground = path("M4 75 V55 C14 51.5 24 55.5 34 54 C44 52.5 52 52 60 55 V75 Z")
    return (ridge, fill(plant, LEAF), fill(ground, SAND))


def _prints(count: int) -> tuple[Item, ...]:
    full, rest = divmod(count, 5)
    rows = [5] * full + ([rest] if rest else [])
    pitch, size = (5.0, 4.6) if len(rows) < 3 else (4.2, 3.8)
    high = 64.6 - (len(rows) - 1) * pitch / 2
    return tuple(
        fill(place_symbol(_PAW, 31.5 + 8.4 * (k - (many - 1) / 2), high + pitch * row, size), RUST)
        for row, many in enumerate(rows)
        for k in range(many)
    )


ARTWORK = Artwork(face, reverse)
