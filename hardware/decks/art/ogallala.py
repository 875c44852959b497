"""Ogallala's cards: bows, sterns and middles that form a canoe side by side, and its cargo."""

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from hardware.decks import drawing
from hardware.decks.art.sheet import SYMBOLS, WINDOWS, ArtSheet, read_art
from hardware.decks.artwork import Artwork
from hardware.decks.card import (
    BOW,
    WHITE,
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


def face(name: str) -> drawing.Drawing:
    first, _, rest = name.partition("-")
    if first in CARDS.crews:
        return card(draw_paddler(CARDS.crews[first], rest))
    if name in CARDS.characters:
        return card(_character(name))
    if rest in ("left", "right"):
        return card(_half(first, rest))
    if name in ART.file.faces:
        drawn, canoe = ART.face(name), draw_canoe(rest if first == "empty" else "middle")
        return card(replace(drawn, picture=(*drawn.picture, *canoe)))
    return card(_prize(name))


def reverse() -> drawing.Drawing:
    waves = tuple(draw_ripple(9 + 5.2 * row, row, "#5d9bb4", 1.1) for row in range(9))
    hull = drawing.path("M-11 -5 C-8 -2.6 8 -2.6 11 -5 C10 -1.2 7 0 0 0 C-7 0 -10 -1.2 -11 -5 Z")
    emblem = (
        drawing.fill(hull, BARK),
        drawing.stroke(drawing.path("M-2.5 -10.6 L-6.1 -1 M2 -10.6 L-1.6 -1 M6.5 -10.6 L2.9 -1"), WOOD, 0.9),
        drawing.stroke(drawing.line((-13.5, 0), (13.5, 0)), DEEP, 0.8),
    )
    return back(DEEP, "#1f4c60", waves, emblem)


# cargo


def _prize(name: str) -> CardFace:
    cargo = CARDS.cargo[name]
    picture = (
        *rays(31.5, 40, 26, cargo.pale),
        drawing.group(*ART.draw(cargo.picture), matrix=drawing.placement(31.5, 36.5, 1.72)),
        *draw_canoe(),
    )
    return CardFace(
        cargo.title,
        cargo.small,
        cargo.colour,
        symbol_sign(ART.symbols[cargo.sign], 7.6),
        picture,
        BOW,
        CREAM,
        caption("A prize: 10 points."),
    )


def _half(name: str, side: str) -> CardFace:
    cargo = CARDS.cargo[name]
    middle = 57 if side == "left" else 6
    arrow = drawing.path("M46 79 L41 76 V82 Z") if side == "left" else drawing.path("M7 79 L12 76 V82 Z")
    words = caption(f"Prize, {side} half.")
    if side == "right":
        words = tuple(drawing.group(item, matrix=(1, 0, 0, 1, 8, 0)) for item in words)
    picture = (
        *hatching(cargo.pale, cargo.stripe, 7, cargo.slant if side == "left" else cargo.slant + 60),
        drawing.group(*ART.draw(cargo.picture), matrix=drawing.placement(middle, 34.6, 1.85)),
        *draw_canoe(),
    )
    return CardFace(
        f"{cargo.title}, {side}",
        f"{cargo.small}, {'gauche' if side == 'left' else 'droite'}",
        cargo.colour,
        rank_sign("L" if side == "left" else "R", ART.symbols[cargo.sign]),
        picture,
        ground=ART.file.inks.get(cargo.ground, cargo.ground),
        below=(drawing.fill(arrow, cargo.colour), *words),
    )


def _character(name: str) -> CardFace:
    person = CARDS.characters[name]
    cargo = CARDS.cargo[person.prize]
    symbol = ART.symbols[cargo.sign]
    picture = (
        *ART.draw(person.scene, pale=cargo.pale),
        *ART.draw(person.tools),
        *draw_person(person.stands, 56, 1.62, person.colour, CREAM, person.hat),
        *draw_canoe(),
    )
    return CardFace(
        person.title,
        person.small,
        person.colour,
        rank_sign("+", symbol),
        picture,
        WINDOWS[person.window],
        CREAM,
        caption("Worth more beside", f"the {person.prize}."),
        seal(symbol, *person.seal, person.colour, 5.2),
    )


ARTWORK = Artwork(face, reverse)


# shared parts of Ogallala's cards: the canoe across cards, the water below it, its crew

ART = ArtSheet("ogallala", SYMBOLS)
CREAM, NIGHT, WATER, DEEP, WOOD, BARK = (
    ART.file.inks[name] for name in ("cream", "night", "water", "deep", "wood", "bark")
)
HULLS = {part: ART.symbols[f"hull-{part}"] for part in ("bow", "stern", "middle")}
RIMS = {
    "bow": "M60 53 C42 54 28 53 20 48",
    "stern": "M3 53 C21 54 35 53 43 48",
    "middle": "M3 53 C20 54 43 54 60 53",
}
PLANKS = ART.picture("planks")
LONG_HAIR = {"scarf", "tall"}  # hats that show hair below


class Crew(Struct, frozen=True):
    """The features of a crew's cards."""

    name: str
    small: str
    symbol: str
    colour: str
    pale: str
    place: tuple[float, float]
    coat: str
    trim: str
    hull: str


class Paddler(Struct, frozen=True):
    """A card of each crew."""

    title: str
    small: str
    strength: int
    window: str = "whole"
    mark: str = ""
    hat: str = "sailor"
    sits: float = 31.5
    props: str = ""
    in_hand: str = ""
    sinking: str = ""


class Cargo(Struct, frozen=True):
    """A prize of one or two cards, drawn about the origin with its base at y = 10; pairs meet at x = 0."""

    title: str
    small: str
    colour: str
    pale: str
    sign: str
    picture: str
    ground: str = "cream"
    stripe: float = 0
    slant: float = 0


class Character(Struct, frozen=True):
    """A person, who counts more next to a prize."""

    title: str
    small: str
    prize: str
    colour: str
    hat: str
    stands: float
    seal: tuple[float, float]
    scene: str
    tools: str
    window: str = "whole"


class Cards(Struct, frozen=True):
    """The content of Ogallala's file."""

    crews: Mapping[str, Crew]
    paddlers: Mapping[str, Paddler]
    cargo: Mapping[str, Cargo]
    characters: Mapping[str, Character]


CARDS = read_art("ogallala", Cards)


def draw_ripple(y: float, row: int, colour: str, width: float) -> drawing.Item:
    points = ((5 * k, y + (1 if (k + row) % 2 else -1)) for k in range(14))
    return drawing.stroke(drawing.smooth_path(*points, closed=False), colour, width)


def draw_water(light: str = WATER, dark: str = DEEP) -> tuple[drawing.Item, ...]:
    waves = ((5 * k, 60 + (0.9 if k % 2 else -0.9)) for k in range(14))
    surface = drawing.smooth_path((-3, 80), (-2, 60), *waves, (66, 60), (67, 80))
    return (drawing.fill(surface, light), *(draw_ripple(64.6 + 4 * k, k, dark, 0.7) for k in range(3)))


def draw_hull(part: str, colour: str, pattern: tuple[drawing.Item, ...]) -> tuple[drawing.Item, ...]:
    outline = HULLS[part]
    return (
        drawing.fill(outline, colour),
        drawing.group(*pattern, window=outline),
        drawing.stroke(outline, BARK, 0.7),
        drawing.stroke(drawing.path(RIMS[part]), BARK, 1.6),
    )


def draw_canoe(part: str = "middle") -> tuple[drawing.Item, ...]:
    return (*draw_hull(part, WOOD, PLANKS), *draw_water())


def draw_person(x: float, y: float, scale: float, coat: str, trim: str, hat: str) -> tuple[drawing.Item, ...]:
    """Draw a person without facial features, with the waist at a point."""
    parts = ("hair",) * (hat in LONG_HAIR) + ("body", f"hat-{hat}")
    items = (item for part in parts for item in ART.picture(part, coat=coat, trim=trim))
    return (drawing.group(*items, matrix=drawing.placement(x, y, scale)),)


# Ogallala's paddlers, in two crews.
#
# The crews differ in their symbol and its side, the pattern of the hull and the sky.


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

    def draw(colour: str, _ground: str) -> tuple[drawing.Item, ...]:
        return (
            *number_text(str(strength), 5.7, 7.7, 3.6, colour),
            drawing.fill(place_symbol(symbol, 10.4, 6.2, 3.5), colour),
            drawing.fill(place_symbol(ART.symbols[crew.symbol], 8.1, 10.9, 3.4), colour),
        )

    return draw


def _dots(count: int) -> drawing.Path:
    low = ((-6, 6), (6, -6), (0, 0)) if count % 2 else ((-6, 6), (6, -6))
    places = {1: low[2:], 2: low, 3: low, 4: (*low, (-6, -6), (6, 6)), 5: (*low, (-6, -6), (6, 6))}[count]
    return tuple(run for x, y in places for run in drawing.circle(x, y, 3.4))


_HILLS = (
    "M3 60 V42 L14 30 L22 40 L30 46 V60 Z",
    "M60 60 V36 C50 30 40 36 34 48 V60 Z",
    "M3 60 V46 C12 38 24 38 32 46 C40 38 52 38 60 46 V60 Z",
    "M60 60 V44 L52 27 L43 41 L37 35 L28 50 V60 Z",
)


def _crew_sky(crew: Crew, name: str) -> tuple[drawing.Item, ...]:
    """Draw day for the red crew and night for the black one; sun and moon move from card to card."""
    step = list(CARDS.paddlers).index(name)
    x, y = 31.5 + 4.4 * ((step * 5) % 7 - 3), 22.0 + 3.4 * (step * 7 % 5)
    hill = drawing.path(_HILLS[step % 4])
    if crew.name == "Red":
        return (
            *rays(x, y, 24, "#fdebe0", 7),
            drawing.fill(drawing.circle(x, y, 5.5), "#f0a04b"),
            drawing.fill(hill, "#eeb394"),
        )
    stars = ((10, 33), (16, 21), (24, 27), (35, 19), (44, 30), (54, 36), (29, 36), (11, 44), (50, 46), (42, 41))
    return (
        drawing.fill(drawing.box(4, 13, 56, 62), NIGHT),
        *(drawing.fill(drawing.star(*spot, 1.4, 0.5, 4), CREAM) for spot in stars),
        drawing.fill(place_symbol(ART.symbols["crescent"], x, y + 2, 13, 25), "#f6e7b4"),
        drawing.fill(hill, "#4a5680"),
    )


def _behind_hull(crew: Crew, name: str) -> tuple[drawing.Item, ...]:
    paddler, many = CARDS.paddlers[name], CARDS.paddlers[name].strength
    if name.startswith("warrior"):
        return tuple(item for k in range(many) for item in _seated_paddler(crew, k, many))
    scale = 1.32 if name == "chief" else 1.12
    sitting = (
        *ART.draw(paddler.props, pale=crew.pale),
        *draw_person(paddler.sits, 54, scale, crew.coat, crew.trim, paddler.hat),
        *ART.draw(paddler.in_hand),
    )
    # the archer faces away from the lasso thrower
    return (drawing.group(*sitting, matrix=drawing.reflection(31.5)),) if name == "archer" else sitting


def _seated_paddler(crew: Crew, k: int, count: int) -> tuple[drawing.Item, ...]:
    x = 31.5 + (k - (count - 1) / 2) * {1: 0, 2: 17, 3: 15, 4: 11.4, 5: 10.6}[count]
    scale = {1: 1.25, 2: 1.05, 3: 0.95, 4: 0.7, 5: 0.66}[count]
    turn = {1: 4, 2: 24, 3: -14, 4: 14, 5: -42}[count]
    paddle = drawing.group(*_paddle(0, -23, 10), matrix=drawing.placement(x + 6 * scale, 56, 0.92, turn))
    coat, trim = (crew.trim, crew.coat) if k % 2 else (crew.coat, crew.trim)
    return (paddle, *draw_person(x, 54, scale, coat, trim, "sailor"))


def _paddle(x: float, top: float, low: float) -> tuple[drawing.Item, ...]:
    blade = (
        f"M{x + 2.2} {top + 2} C{x + 5.4} {top - 2} {x + 5.6} {top - 7} {x + 3.6}"
        f" {top - 9} C{x + 0.6} {top - 8} {x - 0.2} {top - 3} {x + 1.4} {top + 2} Z"
    )
    shaft = drawing.stroke(drawing.line((x + 2, top), (x - 2, low)), BARK, 1.3)
    return (shaft, drawing.fill_and_stroke(drawing.path(blade), WOOD, BARK, 0.5))


def _paddles(crew: Crew, strength: int) -> tuple[drawing.Item, ...]:
    blade: drawing.Path = (*drawing.path("M-0.7 10 V-1 H0.7 V10 Z"), *drawing.ellipse(0, -5.4, 2.6, 4.6))
    return (
        *(drawing.fill(place_symbol(blade, 9 + 5.4 * k, 80, 7), crew.colour) for k in range(strength)),
        *(drawing.stroke(drawing.circle(9 + 5.4 * k, 80, 0.6), crew.colour, 0.3) for k in range(strength, 7)),
    )


def _buoy(crew: Crew, strength: int) -> tuple[drawing.Item, ...]:
    """Write the strength on a buoy, farther right for greater strengths."""
    x = 15.5 + 5.0 * strength
    return (
        drawing.fill_and_stroke(drawing.circle(x, 67, 4.9), crew.colour, WHITE, 0.7),
        *number_text(str(strength), x, 69.4 if strength != 6 else 69, 4.8, WHITE),
    )


def _crew_pattern(crew: Crew) -> tuple[drawing.Item, ...]:
    if crew.name == "Red":
        return tuple(drawing.fill(drawing.circle(8 + 7.8 * k, 57.4, 1.9), crew.pale) for k in range(7))
    teeth = (f"M{4 + 6.8 * k} 60.6 L{7.4 + 6.8 * k} 55.4 L{10.8 + 6.8 * k} 60.6 Z" for k in range(9))
    return tuple(drawing.fill(drawing.path(tooth), crew.colour) for tooth in teeth)
