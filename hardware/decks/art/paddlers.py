"""Ogallala's paddlers, in two crews.

The crews differ in their symbol and its side, in the pattern of the hull and in the sky.
"""

from msgspec import Struct

from hardware.decks.art.canoe import (
    BARK,
    CREAM,
    DEEP,
    ENDS,
    GOLD,
    HULLS,
    NIGHT,
    WATER,
    WOOD,
    draw_hull,
    draw_water,
)
from hardware.decks.art.people import Outfit, person
from hardware.decks.art.symbols import CRESCENT, CROWN, SUN
from hardware.decks.card import (
    ARCH,
    BOW,
    CUT,
    INK,
    WHITE,
    WINDOW,
    CardFace,
    Sign,
    number_text,
    place_symbol,
    rays,
    seal,
)
from hardware.decks.drawing import (
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
    star,
    stroke,
)


class Crew(Struct, frozen=True):
    """The features of a crew's cards."""

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
CREWS = {
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
}


def draw_paddler(crew: Crew, name: str) -> CardFace:
    """Draw a paddler, a bow or a stern of a crew."""
    title, french, strength = _PADDLERS[name]
    part = name if name in HULLS else "middle"
    picture = (
        *_crew_sky(crew, name),
        *_behind_hull(crew, name, strength),
        *draw_hull(part, crew.hull, _crew_pattern(crew)),
        *(draw_water() if crew.name == "Red" else draw_water(DEEP, WATER)),
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
    """Make an index of the strength, a mark for named characters, and the crew's symbol."""
    mark = _MARKS[name] if name in _MARKS else _dots(strength)

    def draw(colour: str, _ground: str) -> tuple[Item, ...]:
        return (
            *number_text(str(strength), 5.7, 7.7, 3.6, colour),
            fill(place_symbol(mark, 10.4, 6.2, 3.5), colour),
            fill(place_symbol(crew.symbol, 8.1, 10.9, 3.4), colour),
        )

    return draw


def _dots(count: int) -> Path:
    """Draw dots as on a die."""
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
    """Draw day for the red crew and night for the black one; sun and moon move from card to card."""
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
    """Draw the people in the canoe."""
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
    # the archer faces the other way than the lasso thrower
    return (group(*sitting, matrix=reflection(31.5)),) if name == "archer" else sitting


def _seated_paddler(crew: Crew, k: int, count: int) -> tuple[Item, ...]:
    """Draw one of several evenly seated paddlers, with a paddle."""
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
    """Draw the props behind a person."""
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
"""The things that people hold."""


def _sinking(name: str) -> tuple[Item, ...]:
    if name != "saboteur":
        return ()
    hole = star(17.5, 58, 5.4, 2.6, 9, 8)
    drops = ((10, 49), (13, 45.5), (17, 44), (20.5, 46))
    return (fill_and_stroke(hole, WATER, INK, 0.7), *(fill(ellipse(x, y, 0.9, 1.5), DEEP) for x, y in drops))


def _paddles(crew: Crew, strength: int) -> tuple[Item, ...]:
    """Draw as many paddles as the strength at the bottom."""
    blade: Path = (*path("M-0.7 10 V-1 H0.7 V10 Z"), *ellipse(0, -5.4, 2.6, 4.6))
    return (
        *(fill(place_symbol(blade, 9 + 5.4 * k, 80, 7), crew.colour) for k in range(strength)),
        *(stroke(circle(9 + 5.4 * k, 80, 0.6), crew.colour, 0.3) for k in range(strength, 7)),
    )


def _buoy(crew: Crew, strength: int) -> tuple[Item, ...]:
    """Write the strength on a buoy, farther right for greater ones."""
    x = 15.5 + 5.0 * strength
    return (
        fill_and_stroke(circle(x, 67, 4.9), crew.colour, WHITE, 0.7),
        *number_text(str(strength), x, 69.4 if strength != 6 else 69, 4.8, WHITE),
    )


def _crew_pattern(crew: Crew) -> tuple[Item, ...]:
    if crew.name == "Red":
        return tuple(fill(circle(8 + 7.8 * k, 57.4, 1.9), crew.pale) for k in range(7))
    return tuple(
        fill(path(f"M{4 + 6.8 * k} 60.6 L{7.4 + 6.8 * k} 55.4 L{10.8 + 6.8 * k} 60.6 Z"), crew.colour)
        for k in range(9)
    )


_MARKS: dict[str, Path] = {
    **ENDS,
    "healer": (*path("M0 10 C-8 5 -8.6 -3 0 -11 C8.6 -3 8 5 0 10 Z"), *box(-0.8, -7, 1.6, 15)),
    "chief": CROWN,
    "lasso": (*ellipse(0, -2, 10, 7), *ellipse(0, -2, 6.6, 3.8), *path("M-6 3 L-2 10 H-6 L-9 4 Z")),
    "archer": path("M-6 -10 C8 -8 8 8 -6 10 C2 6 2 2 2 1.4 H-10 V-1.4 H2 C2 -2 2 -6 -6 -10 Z"),
    "saboteur": star(0, 0, 10, 4.6, 9),
}
