"""Ogallala's cards: bows, sterns and middles that lie side by side as a canoe, and what it carries."""

from collections.abc import Callable

from hardware.decks.art.canoe import (
    BARK,
    CREAM,
    DEEP,
    ENDS,
    GOLD,
    PLANKS,
    WOOD,
    draw_hull,
    draw_ripple,
    draw_water,
)
from hardware.decks.art.cargo import CARGO, EYE, HALVES
from hardware.decks.art.paddlers import CREWS, draw_paddler
from hardware.decks.art.people import Outfit, person
from hardware.decks.art.symbols import PINE, SHIELD
from hardware.decks.artwork import Artwork
from hardware.decks.card import (
    ARCH,
    BOW,
    CUT,
    WHITE,
    WINDOW,
    CardFace,
    back,
    caption,
    card,
    hatching,
    place_symbol,
    rank_sign,
    rays,
    seal,
    symbol_sign,
)
from hardware.decks.drawing import (
    Drawing,
    Item,
    Path,
    Point,
    box,
    circle,
    ellipse,
    fill,
    fill_and_stroke,
    group,
    line,
    path,
    placement,
    star,
    stroke,
)

_WINDOWS: dict[str, Path] = {
    "soldier": CUT,
    "bear-hunter": ARCH,
    "bison-hunter": BOW,
    "lumberjack": WINDOW,
    "gold-digger": ARCH,
    "cowboy": CUT,
}

_GOODS: dict[str, tuple[str, str]] = {
    "companion": ("Companion", "passagère"),
    "dynamite": ("Dynamite", "dynamite"),
    "eagle": ("Eagle", "aigle"),
    "fur": ("Fur", "fourrure"),
    "tobacco": ("Tobacco", "tabac"),
    "tent": ("Tent", "tente"),
    "keg": ("Keg", "tonnelet"),
    "cannon": ("Cannon", "canon"),
    "bear": ("Bear", "ours"),
    "bison": ("Bison", "bison"),
    "wood": ("Wood", "bois"),
    "gold": ("Gold", "or"),
    "horse": ("Horse", "cheval"),
}

_CHARACTERS: dict[str, tuple[str, str, str, str]] = {
    "soldier": ("Soldier", "soldat", "cannon", "#3f5d8a"),
    "bear-hunter": ("Bear hunter", "chasseur d'ours", "bear", "#6b4a2f"),
    "bison-hunter": ("Bison hunter", "chasseur de bison", "bison", "#8a6a2a"),
    "lumberjack": ("Lumberjack", "bûcheron", "wood", "#a8392f"),
    "gold-digger": ("Gold digger", "chercheur d'or", "gold", "#9a7a10"),
    "cowboy": ("Cowboy", "cow-boy", "horse", "#2f6e62"),
}


def face(name: str) -> Drawing:
    """Draw one face."""
    first, _, rest = name.partition("-")
    if first in CREWS:
        return card(draw_paddler(CREWS[first], rest))
    if first == "empty":
        return card(_empty_end(rest))
    if name in _CHARACTERS:
        return card(_character(name))
    if rest in ("left", "right"):
        return card(_half(first, rest))
    return card(_guardian() if name == "guardian" else _prize(name))


def reverse() -> Drawing:
    """Draw the back."""
    waves = tuple(draw_ripple(9 + 5.2 * row, row, "#5d9bb4", 1.1) for row in range(9))
    emblem = (
        fill(path("M-11 -5 C-8 -2.6 8 -2.6 11 -5 C10 -1.2 7 0 0 0 C-7 0 -10 -1.2 -11 -5 Z"), BARK),
        *(stroke(line((x + 2, -10.6), (x - 1.6, -1)), WOOD, 0.9) for x in (-4.5, 0, 4.5)),
        stroke(line((-13.5, 0), (13.5, 0)), DEEP, 0.8),
    )
    return back(DEEP, "#1f4c60", waves, emblem)


# ends


def _empty_end(part: str) -> CardFace:
    name, french = {"bow": ("Empty bow", "proue vide"), "stern": ("Empty stern", "poupe vide")}[part]
    reeds = tuple(
        item
        for k, x in enumerate((14, 18, 23) if part == "stern" else (42, 46, 51))
        for item in (
            stroke(path(f"M{x} 54 Q{x + 1} 40 {x + (k - 1) * 2} {27 + 3 * k}"), "#5c7a45", 1),
            fill_and_stroke(ellipse(x + (k - 1) * 2, 27 + 3 * k, 1.3, 4), BARK, "#3b2616", 0.3),
        )
    )
    picture = (
        *hatching("#e4efe0", 1.6, 5, 0),
        *reeds,
        *draw_hull(part, WOOD, PLANKS),
        *draw_water(),
    )
    return CardFace(
        name,
        french,
        BARK,
        symbol_sign(ENDS[part], 7.4),
        picture,
        ground="#f2f7ef",
        below=caption("Leftmost card" if part == "bow" else "Rightmost card", "of a canoe."),
    )


# cargo


def _prize(name: str) -> CardFace:
    title, french = _GOODS[name]
    cargo = CARGO[name]
    picture = (
        *rays(31.5, 40, 26, cargo.pale),
        group(*cargo.items, matrix=placement(31.5, 36.5, 1.72)),
        *draw_hull("middle", WOOD, PLANKS),
        *draw_water(),
    )
    return CardFace(
        title,
        french,
        cargo.colour,
        symbol_sign(cargo.symbol, 7.6),
        picture,
        BOW,
        CREAM,
        caption("A prize: 10 points."),
    )


def _half(name: str, side: str) -> CardFace:
    title, french = _GOODS[name]
    cargo = HALVES[name]
    middle = 57 if side == "left" else 6
    arrow = path("M46 79 L41 76 V82 Z") if side == "left" else path("M7 79 L12 76 V82 Z")
    texts = caption("Prize, left half.") if side == "left" else ()
    picture = (
        *hatching(cargo.pale, _STRIPES[name], 7, _SLANTS[name] if side == "left" else _SLANTS[name] + 60),
        group(*cargo.items, matrix=placement(middle, 34.6, 1.85)),
        *draw_hull("middle", WOOD, PLANKS),
        *draw_water(),
    )
    return CardFace(
        f"{title}, {side}",
        f"{french}, {'gauche' if side == 'left' else 'droite'}",
        cargo.colour,
        rank_sign("L" if side == "left" else "R", cargo.symbol),
        picture,
        ground=_GROUNDS[name],
        below=(fill(arrow, cargo.colour), *(texts or _right_caption())),
    )


_GROUNDS = {
    "cannon": CREAM,
    "bear": "#9cb894",
    "bison": "#e8c873",
    "wood": CREAM,
    "gold": "#b9c3d6",
    "horse": CREAM,
}
_STRIPES = {"cannon": 3, "bear": 0.7, "bison": 0.7, "wood": 3, "gold": 0.7, "horse": 3}
_SLANTS = {"cannon": 0, "bear": 30, "bison": -30, "wood": 0, "gold": 60, "horse": 90}


def _right_caption() -> tuple[Item, ...]:
    return tuple(group(item, matrix=(1, 0, 0, 1, 8, 0)) for item in caption("Prize, right half."))


def _character(name: str) -> CardFace:
    title, french, prize, colour = _CHARACTERS[name]
    cargo = HALVES[prize]
    picture = (
        *_SCENES[name](cargo.pale),
        *_TOOLS[name],
        *person(_STANDS[name], 56, 1.62, Outfit(colour, CREAM, _HATS[name])),
        *draw_hull("middle", WOOD, PLANKS),
        *draw_water(),
    )
    return CardFace(
        title,
        french,
        colour,
        rank_sign("+", cargo.symbol),
        picture,
        _WINDOWS[name],
        CREAM,
        caption("Worth more beside", f"the {prize}."),
        seal(cargo.symbol, *_PLACES[name], colour, 5.2),
    )


_HATS = {
    "soldier": "kepi",
    "bear-hunter": "fur",
    "bison-hunter": "wide",
    "lumberjack": "knitted",
    "gold-digger": "slouch",
    "cowboy": "brim",
}
_SCENES: dict[str, Callable[[str], tuple[Item, ...]]] = {
    "soldier": lambda pale: rays(31.5, 34, 16, pale, 5),
    "bear-hunter": lambda pale: hatching(pale, 5, 10, 0),
    "bison-hunter": lambda pale: (fill(box(4, 34, 56, 30), pale), fill(circle(47, 33, 6), GOLD)),
    "lumberjack": lambda pale: tuple(
        fill(place_symbol(PINE, 11 + 13 * k, 38 + 6 * (k % 2), 30), pale) for k in range(4)
    ),
    "gold-digger": lambda pale: (fill(path("M3 60 L20 24 L31 42 L43 20 L62 60 Z"), pale),),
    "cowboy": lambda pale: (*hatching(pale, 2, 5, 90), fill(circle(22, 24, 7), GOLD)),
}
_STANDS = {
    "soldier": 37.0,
    "bear-hunter": 32.5,
    "bison-hunter": 31.0,
    "lumberjack": 27.0,
    "gold-digger": 28.0,
    "cowboy": 36.0,
}
_PLACES: dict[str, Point] = {
    "soldier": (13, 46),
    "bear-hunter": (50, 47),
    "bison-hunter": (13, 24),
    "lumberjack": (50, 24),
    "gold-digger": (13, 36),
    "cowboy": (50, 36),
}


_TOOLS: dict[str, tuple[Item, ...]] = {
    "soldier": (
        stroke(line((20.5, 57), (20.5, 23)), BARK, 2),
        stroke(line((20.5, 34), (20.5, 18)), "#8b93a0", 1.2),
    ),
    "bear-hunter": (
        stroke(line((17, 30), (24, 57)), BARK, 1.6),
        fill(path("M15.2 22.6 L19.6 29.4 L14.6 30.8 Z"), "#8b93a0"),
    ),
    "bison-hunter": (
        stroke(path("M47 19 C57 28 57 44 47 54"), BARK, 1.8),
        stroke(line((47, 19), (47, 54)), BARK, 0.5),
    ),
    "lumberjack": (
        stroke(line((45, 57), (45, 33)), BARK, 2),
        fill_and_stroke(
            path("M44.4 33 H49 C52 34 52.6 38 52.6 42 C50 39.6 47 39.4 44.4 39.6 Z"), "#9aa3b0", BARK, 0.6
        ),
    ),
    "gold-digger": (
        stroke(line((48, 57), (48, 25)), BARK, 2),
        stroke(path("M39.6 29 C43 23 53 23 56.4 29"), "#7e8896", 2),
    ),
    "cowboy": (stroke(ellipse(14, 41, 6, 9), BARK, 2.6), stroke(ellipse(14, 41, 6, 9), GOLD, 1.4)),
}
"""What a character carries."""


def _guardian() -> CardFace:
    picture = (
        *hatching("#d9c9e6", 1.6, 5, 45),
        *(stroke(circle(31.5, 38, 21 + 3.4 * k), "#c3abd6", 0.8) for k in range(4)),
        fill_and_stroke(place_symbol(SHIELD, 31.5, 38.5, 36), "#6a4487", BARK, 1),
        stroke(place_symbol(SHIELD, 31.5, 38.5, 30), GOLD, 0.8),
        *(fill_and_stroke(place_symbol(EYE, 31.5, 34.5, 22), WHITE, GOLD, 0.5),),
        *(fill(star(x, 48, 2.6, 1.1, 5), GOLD) for x in (31.5,)),
        *draw_hull("middle", WOOD, PLANKS),
        *draw_water(),
    )
    return CardFace(
        "Guardian",
        "gardien",
        "#5b3a78",
        symbol_sign(SHIELD, 7.6),
        picture,
        ARCH,
        "#efe6f5",
        caption("Protects its canoe", "from attacks."),
    )


ARTWORK = Artwork(face, reverse)
