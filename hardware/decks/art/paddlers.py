"""Ogallala's paddlers, in two crews.

The crews differ in their symbol and its side, in the pattern of the hull and in the sky.
"""

from hardware.decks.art.canoe import (
    ART,
    BARK,
    CARDS,
    CREAM,
    DEEP,
    HULLS,
    NIGHT,
    WATER,
    WOOD,
    Crew,
    draw_hull,
    draw_person,
    draw_water,
)
from hardware.decks.art.sheet import WINDOWS
from hardware.decks.card import WHITE, CardFace, Sign, number_text, place_symbol, rays, seal
from hardware.decks.drawing import (
    Item,
    Path,
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


def draw_paddler(crew: Crew, name: str) -> CardFace:
    """Draw a paddler, a bow or a stern of a crew."""
    paddler = CARDS.paddlers[name]
    strength, symbol = paddler.strength, ART.symbols[crew.symbol]
    part = name if name in HULLS else "middle"
    picture = (
        *_crew_sky(crew, name),
        *_behind_hull(crew, name),
        *draw_hull(part, crew.hull, _crew_pattern(crew)),
        *(draw_water() if crew.name == "Red" else draw_water(DEEP, WATER)),
        *ART.draw(paddler.sinking),
        *_buoy(crew, strength),
    )
    return CardFace(
        f"{crew.name} {paddler.title}",
        f"équipe {crew.small}, {paddler.small}",
        crew.colour,
        _sign(crew, paddler.mark, strength),
        picture,
        WINDOWS[paddler.window],
        ground=crew.pale,
        below=_paddles(crew, strength),
        above=seal(symbol, *crew.place, crew.colour),
    )


def _sign(crew: Crew, mark: str, strength: int) -> Sign:
    symbol = ART.symbols[mark] if mark else _dots(strength)

    def draw(colour: str, _ground: str) -> tuple[Item, ...]:
        return (
            *number_text(str(strength), 5.7, 7.7, 3.6, colour),
            fill(place_symbol(symbol, 10.4, 6.2, 3.5), colour),
            fill(place_symbol(ART.symbols[crew.symbol], 8.1, 10.9, 3.4), colour),
        )

    return draw


def _dots(count: int) -> Path:
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
    step = list(CARDS.paddlers).index(name)
    x, y = 31.5 + 4.4 * ((step * 5) % 7 - 3), 22.0 + 3.4 * (step * 7 % 5)
    hill = path(_HILLS[step % 4])
    if crew.name == "Red":
        return (*rays(x, y, 24, "#fdebe0", 7), fill(circle(x, y, 5.5), "#f0a04b"), fill(hill, "#eeb394"))
    stars = ((10, 33), (16, 21), (24, 27), (35, 19), (44, 30), (54, 36), (29, 36), (11, 44), (50, 46), (42, 41))
    return (
        fill(box(4, 13, 56, 62), NIGHT),
        *(fill(star(*spot, 1.4, 0.5, 4), CREAM) for spot in stars),
        fill(place_symbol(ART.symbols["crescent"], x, y + 2, 13, 25), "#f6e7b4"),
        fill(hill, "#4a5680"),
    )


def _behind_hull(crew: Crew, name: str) -> tuple[Item, ...]:
    paddler = CARDS.paddlers[name]
    if name.startswith("warrior"):
        many = paddler.strength
        return tuple(item for k in range(many) for item in _seated_paddler(crew, k, many))
    scale = 1.32 if name == "chief" else 1.12
    sitting = (
        *ART.draw(paddler.props, pale=crew.pale),
        *draw_person(paddler.sits, 54, scale, crew.coat, crew.trim, paddler.hat),
        *ART.draw(paddler.in_hand),
    )
    # the archer faces the other way than the lasso thrower
    return (group(*sitting, matrix=reflection(31.5)),) if name == "archer" else sitting


def _seated_paddler(crew: Crew, k: int, count: int) -> tuple[Item, ...]:
    x = 31.5 + (k - (count - 1) / 2) * {1: 0, 2: 17, 3: 15, 4: 11.4, 5: 10.6}[count]
    scale = {1: 1.25, 2: 1.05, 3: 0.95, 4: 0.7, 5: 0.66}[count]
    turn = {1: 4, 2: 24, 3: -14, 4: 14, 5: -42}[count]
    paddle = group(*_paddle(0, -23, 10), matrix=placement(x + 6 * scale, 56, 0.92, turn))
    coat, trim = (crew.trim, crew.coat) if k % 2 else (crew.coat, crew.trim)
    return (paddle, *draw_person(x, 54, scale, coat, trim, "sailor"))


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


def _paddles(crew: Crew, strength: int) -> tuple[Item, ...]:
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
