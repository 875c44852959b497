"""Ogallala's cards: bows, sterns and middles that lie side by side as a canoe, and what it carries.

The two crews differ in their symbol, the side it sits on, the pattern of the hull and the sky.
"""

from collections.abc import Callable

from msgspec import Struct

from hardware.decks.art.cargo import CARGO, EYE, HALVES
from hardware.decks.art.people import Outfit, person
from hardware.decks.art.symbols import CRESCENT, CROWN, PINE, SHIELD, SUN
from hardware.decks.card import (
    ARCH,
    BOW,
    CUT,
    INK,
    WHITE,
    WINDOW,
    CardFace,
    Sign,
    back,
    caption,
    card,
    hatching,
    number_text,
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
    reflection,
    smooth_path,
    star,
    stroke,
)

CREAM, NIGHT, WATER, DEEP, WOOD, BARK, GOLD = (
    "#fbf5e8",
    "#66739b",
    "#8fc1d4",
    "#3c7f9c",
    "#c0884e",
    "#5b3a22",
    "#e5ad3c",
)


class Crew(Struct, frozen=True):
    """What tells a crew's cards from the other's."""

    name: str
    french: str
    symbol: Path
    colour: str
    pale: str
    place: Point
    coat: str
    trim: str
    hull: str


LOZENGE: Path = (*path("M0 -10 L8 0 L0 10 L-8 0 Z"), *path("M0 -5 L4 0 L0 5 L-4 0 Z"))
_CREWS = {
    "red": Crew("Red", "rouge", SUN, "#b5362c", "#fbdccb", (11.2, 20.2), "#b5362c", "#fbdccb", "#b5362c"),
    "black": Crew(
        "Black", "noire", LOZENGE, "#2b2f3d", "#d9dfe8", (51.8, 20.2), "#e6e9ef", "#2b2f3d", "#d9dfe8"
    ),
}

_PADDLERS: dict[str, tuple[str, str, int]] = {
    "bow": ("bow", "à la proue", 2),
    "stern": ("stern", "à la poupe", 2),
    "warrior-1": ("paddler 1", "pagayeur", 1),
    "warrior-2": ("paddlers 2", "pagayeurs", 2),
    "warrior-3": ("paddlers 3", "pagayeurs", 3),
    "warrior-4": ("paddlers 4", "pagayeurs", 4),
    "warrior-5": ("paddlers 5", "pagayeurs", 5),
    "healer": ("healer", "guérisseuse", 6),
    "chief": ("chief", "cheffe", 7),
    "lasso": ("lasso", "lasso", 3),
    "archer": ("archer", "archère", 3),
    "saboteur": ("saboteur", "saboteur", 0),
}

_WINDOWS: dict[str, Path] = {
    "healer": ARCH,
    "chief": ARCH,
    "lasso": BOW,
    "archer": CUT,
    "saboteur": CUT,
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
    if first in _CREWS:
        return card(_paddler(_CREWS[first], rest))
    if first == "empty":
        return card(_empty_end(rest))
    if name in _CHARACTERS:
        return card(_character(name))
    if rest in ("left", "right"):
        return card(_half(first, rest))
    return card(_guardian() if name == "guardian" else _prize(name))


def reverse() -> Drawing:
    """Draw the back."""
    waves = tuple(_ripple(9 + 5.2 * row, row, "#5d9bb4", 1.1) for row in range(9))
    emblem = (
        fill(path("M-11 -5 C-8 -2.6 8 -2.6 11 -5 C10 -1.2 7 0 0 0 C-7 0 -10 -1.2 -11 -5 Z"), BARK),
        *(stroke(line((x + 2, -10.6), (x - 1.6, -1)), WOOD, 0.9) for x in (-4.5, 0, 4.5)),
        stroke(line((-13.5, 0), (13.5, 0)), DEEP, 0.8),
    )
    return back(DEEP, "#1f4c60", waves, emblem)


# canoe and water

_MIDDLE = path("M3 53 C20 54 43 54 60 53 V64 H3 Z")
_BOW = path("M60 53 C42 54 28 53 20 48 C16 45.4 14 42 13 38 C9 43 9.6 53 15 58.6 C18 62 22 64 28 64 H60 Z")
_STERN = path("M3 53 C21 54 35 53 43 48 C47 45.4 49 42 50 38 C54 43 53.4 53 48 58.6 C45 62 41 64 35 64 H3 Z")
_HULLS = {"bow": _BOW, "stern": _STERN}


def _ripple(y: float, row: int, colour: str, width: float) -> Item:
    points = ((5 * k, y + (1 if (k + row) % 2 else -1)) for k in range(14))
    return stroke(smooth_path(*points, closed=False), colour, width)


def _water(light: str = WATER, dark: str = DEEP) -> tuple[Item, ...]:
    """Draw the water that the canoe lies in."""
    y = 60
    surface = smooth_path(
        (-3, 80), (-2, y), *((5 * k, y + (0.9 if k % 2 else -0.9)) for k in range(14)), (66, y), (67, 80)
    )
    return (fill(surface, light), *(_ripple(y + 4.6 + 4 * k, k, dark, 0.7) for k in range(3)))


def _hull(part: str, colour: str, pattern: tuple[Item, ...]) -> tuple[Item, ...]:
    outline = _HULLS.get(part, _MIDDLE)
    rim = {"bow": "M60 53 C42 54 28 53 20 48", "stern": "M3 53 C21 54 35 53 43 48"}.get(
        part, "M3 53 C20 54 43 54 60 53"
    )
    return (
        fill(outline, colour),
        group(*pattern, window=outline),
        stroke(outline, BARK, 0.7),
        stroke(path(rim), BARK, 1.6),
    )


def _crew_pattern(crew: Crew) -> tuple[Item, ...]:
    if crew.name == "Red":
        return tuple(fill(circle(8 + 7.8 * k, 57.4, 1.9), crew.pale) for k in range(7))
    return tuple(
        fill(path(f"M{4 + 6.8 * k} 60.6 L{7.4 + 6.8 * k} 55.4 L{10.8 + 6.8 * k} 60.6 Z"), crew.colour)
        for k in range(9)
    )


_PLANKS = (stroke(line((3, 57), (60, 57)), BARK, 0.4), stroke(line((3, 60), (60, 60)), BARK, 0.4))


# paddlers


def _paddler(crew: Crew, name: str) -> CardFace:
    title, french, strength = _PADDLERS[name]
    part = name if name in _HULLS else "middle"
    picture = (
        *_crew_sky(crew, name),
        *_behind_hull(crew, name, strength),
        *_hull(part, crew.hull, _crew_pattern(crew)),
        *(_water() if crew.name == "Red" else _water(DEEP, WATER)),
        *_sinking(name),
        *_buoy(crew, strength),
    )
    return CardFace(
        f"{crew.name} {title}",
        f"équipe {crew.french}, {french}",
        crew.colour,
        _sign(crew, name, strength),
        picture,
        _WINDOWS.get(name, WINDOW),
        ground=crew.pale,
        below=_paddles(crew, strength),
        above=seal(crew.symbol, *crew.place, crew.colour),
    )


def _sign(crew: Crew, name: str, strength: int) -> Sign:
    """Show the strength, a mark for those who have a name, and the crew's symbol."""
    mark = _MARKS[name] if name in _MARKS else _dots(strength)

    def draw(colour: str, _ground: str) -> tuple[Item, ...]:
        return (
            *number_text(str(strength), 5.7, 7.7, 3.6, colour),
            fill(place_symbol(mark, 10.4, 6.2, 3.5), colour),
            fill(place_symbol(crew.symbol, 8.1, 10.9, 3.4), colour),
        )

    return draw


def _dots(count: int) -> Path:
    """Lay dots as on a die."""
    low = ((-6, 6), (6, -6), (0, 0)) if count % 2 else ((-6, 6), (6, -6))
    places = {1: low[2:], 2: low, 3: low, 4: (*low, (-6, -6), (6, 6)), 5: (*low, (-6, -6), (6, 6))}[count]
    return tuple(run for x, y in places for run in circle(x, y, 3.4))


_HILLS = (
    "M3 60 V42 L14 30 L22 40 L30 46 V60 Z",
    "M60 60 V36 C50 30 40 36 34 48 V60 Z",
    "M3 60 V46 C12 38 24 38 32 46 C40 38 52 38 60 46 V60 Z",
    "M60 60 V44 L52 27 L43 41 L37 35 L28 50 V60 Z",
)


def _crew_sky(crew: Crew, name: str) -> tuple[Item, ...]:
    """Let the red crew paddle by day and the black one by night; sun and moon move on from card to card."""
    step = list(_PADDLERS).index(name)
    x, y = 31.5 + 4.4 * ((step * 5) % 7 - 3), 22.0 + 3.4 * (step * 7 % 5)
    hill = path(_HILLS[step % 4])
    if crew.name == "Red":
        return (*rays(x, y, 24, "#fdebe0", 7), fill(circle(x, y, 5.5), "#f0a04b"), fill(hill, "#eeb394"))
    stars = ((10, 33), (16, 21), (24, 27), (35, 19), (44, 30), (54, 36), (29, 36), (11, 44), (50, 46), (42, 41))
    return (
        fill(box(4, 13, 56, 62), NIGHT),
        *(fill(star(*spot, 1.4, 0.5, 4), CREAM) for spot in stars),
        fill(place_symbol(CRESCENT, x, y + 2, 13, 25), "#f6e7b4"),
        fill(hill, "#4a5680"),
    )


def _behind_hull(crew: Crew, name: str, strength: int) -> tuple[Item, ...]:
    """Seat the people in the canoe."""
    if name.startswith("warrior"):
        return tuple(item for k in range(strength) for item in _seated_paddler(crew, k, strength))
    x = {"bow": 39.0, "stern": 24.0, "lasso": 17.0, "archer": 24.0, "healer": 20.0}.get(name, 31.5)
    hat = {"healer": "scarf", "chief": "tall", "saboteur": "mask", "archer": "hood", "lasso": "brim"}.get(
        name, "sailor"
    )
    scale = 1.32 if name == "chief" else 1.12
    sitting = (
        *_props(crew, name),
        *person(x, 54, scale, Outfit(crew.coat, crew.trim, hat)),
        *_IN_HAND.get(name, ()),
    )
    # the archer looks the other way than the thrower of the lasso
    return (group(*sitting, matrix=reflection(31.5)),) if name == "archer" else sitting


def _seated_paddler(crew: Crew, k: int, count: int) -> tuple[Item, ...]:
    """Seat one of several, evenly, each with a paddle."""
    x = 31.5 + (k - (count - 1) / 2) * {1: 0, 2: 17, 3: 15, 4: 11.4, 5: 10.6}[count]
    scale = {1: 1.25, 2: 1.05, 3: 0.95, 4: 0.7, 5: 0.66}[count]
    turn = {1: 4, 2: 24, 3: -14, 4: 14, 5: -42}[count]
    paddle = group(*_paddle(0, -23, 10), matrix=placement(x + 6 * scale, 56, 0.92, turn))
    look = Outfit(crew.trim, crew.coat, "sailor") if k % 2 else Outfit(crew.coat, crew.trim, "sailor")
    return (paddle, *person(x, 54, scale, look))


def _paddle(x: float, top: float, low: float) -> tuple[Item, ...]:
    return (
        stroke(line((x + 2, top), (x - 2, low)), BARK, 1.3),
        fill_and_stroke(
            path(
                f"M{x + 2.2} {top + 2} C{x + 5.4} {top - 2} {x + 5.6} {top - 7} {x + 3.6}"
                f" {top - 9} C{x + 0.6} {top - 8} {x - 0.2} {top - 3} {x + 1.4} {top + 2} Z"
            ),
            WOOD,
            BARK,
            0.5,
        ),
    )


def _props(crew: Crew, name: str) -> tuple[Item, ...]:
    """Draw what stands behind a person."""
    return rays(31.5, 54, 12, crew.pale, 10) if name == "saboteur" else _PROPS.get(name, ())


def _leaves(colour: str) -> tuple[Item, ...]:
    leaf = path("M0 0 C4 -4 9 -4 11 -1 C8 2 4 2.4 0 0 Z")
    spots = (
        (44, 48, -20),
        (43.6, 48, 200),
        (43.6, 40, -25),
        (43.4, 40, 205),
        (44, 32, -30),
        (43.8, 32, 210),
        (45, 24, -70),
    )
    return tuple(
        group(fill_and_stroke(leaf, colour, "#2e5230", 0.4), matrix=placement(x, y, 1, turn))
        for x, y, turn in spots
    )


_PROPS: dict[str, tuple[Item, ...]] = {
    "chief": (fill(circle(31.5, 33, 15.5), GOLD), stroke(circle(31.5, 33, 17.6), GOLD, 0.8)),
    "healer": (stroke(path("M44 54 C43 44 43 34 45 22"), "#3f6b3a", 1.3), *_leaves("#4f8a48")),
    "stern": (stroke(line((30, 40), (52, 71)), BARK, 1.6),),
    "bow": _paddle(49, 34, 66),
    "lasso": (stroke(ellipse(41, 31, 14, 9), BARK, 3), stroke(ellipse(41, 31, 14, 9), GOLD, 1.8)),
}
_IN_HAND: dict[str, tuple[Item, ...]] = {
    "lasso": (stroke(path("M24 45 C27 42 28 40 28.4 35"), BARK, 1.4),),
    "archer": (
        stroke(path("M39 24 C49 31 49 45 39 52"), BARK, 1.9),
        stroke(line((39, 24), (34.4, 38), (39, 52)), BARK, 0.5),
        stroke(line((34.4, 38), (52, 38)), BARK, 1.1),
        fill(path("M57 38 L51 35.4 V40.6 Z"), INK),
    ),
    "chief": (
        stroke(line((47.5, 25), (47.5, 56)), BARK, 1.7),
        fill_and_stroke(star(47.5, 23, 5, 2.2, 6), GOLD, BARK, 0.6),
    ),
    "saboteur": (
        stroke(line((44, 52), (50, 27)), BARK, 1.9),
        fill_and_stroke(
            path("M47 30 C43 30 40.6 27.4 40 24 C45 24 49 23.4 51.4 24.6 L50 30.8 Z"), "#9aa3b0", BARK, 0.6
        ),
    ),
    "healer": (
        fill_and_stroke(path("M27 46 H37 C37 50.6 35 52.6 32 52.6 C29 52.6 27 50.6 27 46 Z"), GOLD, BARK, 0.6),
    ),
}
"""What a person holds."""


def _sinking(name: str) -> tuple[Item, ...]:
    if name != "saboteur":
        return ()
    hole = star(17.5, 58, 5.4, 2.6, 9, 8)
    drops = ((10, 49), (13, 45.5), (17, 44), (20.5, 46))
    return (fill_and_stroke(hole, WATER, INK, 0.7), *(fill(ellipse(x, y, 0.9, 1.5), DEEP) for x, y in drops))


def _paddles(crew: Crew, strength: int) -> tuple[Item, ...]:
    """Show the strength as so many paddles below."""
    blade: Path = (*path("M-0.7 10 V-1 H0.7 V10 Z"), *ellipse(0, -5.4, 2.6, 4.6))
    return (
        *(fill(place_symbol(blade, 9 + 5.4 * k, 80, 7), crew.colour) for k in range(strength)),
        *(stroke(circle(9 + 5.4 * k, 80, 0.6), crew.colour, 0.3) for k in range(strength, 7)),
    )


def _buoy(crew: Crew, strength: int) -> tuple[Item, ...]:
    """Write the strength on a buoy, farther right the greater it is."""
    x = 15.5 + 5.0 * strength
    return (
        fill_and_stroke(circle(x, 67, 4.9), crew.colour, WHITE, 0.7),
        *number_text(str(strength), x, 69.4 if strength != 6 else 69, 4.8, WHITE),
    )


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
        *_hull(part, WOOD, _PLANKS),
        *_water(),
    )
    return CardFace(
        name,
        french,
        BARK,
        symbol_sign(_END[part], 7.4),
        picture,
        ground="#f2f7ef",
        below=caption("Leftmost card" if part == "bow" else "Rightmost card", "of a canoe."),
    )


_HULL_SIGN = path("M10 -1 C2 0 -4 -2 -6 -9 C-11 -3 -9 7 0 8 H10 Z")
_END: dict[str, Path] = {
    "bow": (*_HULL_SIGN, *path("M-1 -5 H10 V-3 H-1 Z")),
    "stern": tuple(run for run in path("M-10 -1 C-2 0 4 -2 6 -9 C11 -3 9 7 0 8 H-10 Z M-10 -9 V-6 H-2 V-9 Z")),
}


_MARKS: dict[str, Path] = {
    **_END,
    "healer": (*path("M0 10 C-8 5 -8.6 -3 0 -11 C8.6 -3 8 5 0 10 Z"), *box(-0.8, -7, 1.6, 15)),
    "chief": CROWN,
    "lasso": (*ellipse(0, -2, 10, 7), *ellipse(0, -2, 6.6, 3.8), *path("M-6 3 L-2 10 H-6 L-9 4 Z")),
    "archer": path("M-6 -10 C8 -8 8 8 -6 10 C2 6 2 2 2 1.4 H-10 V-1.4 H2 C2 -2 2 -6 -6 -10 Z"),
    "saboteur": star(0, 0, 10, 4.6, 9),
}


# what canoes carry


def _prize(name: str) -> CardFace:
    title, french = _GOODS[name]
    cargo = CARGO[name]
    picture = (
        *rays(31.5, 40, 26, cargo.pale),
        group(*cargo.items, matrix=placement(31.5, 36.5, 1.72)),
        *_hull("middle", WOOD, _PLANKS),
        *_water(),
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
        *_hull("middle", WOOD, _PLANKS),
        *_water(),
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
        *_hull("middle", WOOD, _PLANKS),
        *_water(),
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
        *_hull("middle", WOOD, _PLANKS),
        *_water(),
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
