"""Coyote's cards: a desert day for what counts, a striped dusk for what is taken away."""

from math import cos, radians, sin

from hardware.decks.art.symbols import CRESCENT
from hardware.decks.artwork import Artwork
from hardware.decks.card import (
    ARCH,
    CUT,
    INK,
    WHITE,
    CardFace,
    Sign,
    back,
    bold_text,
    caption,
    card,
    hatching,
    lettering,
    number_sign,
    number_text,
    place_symbol,
    rays,
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
    text,
    transform_path,
)

DAY, SAND, CLAY, RUST, GOLD = "#fdf3df", "#eecf9a", "#d98b52", "#a9502f", "#f4b23c"
NIGHT, DUSK, SAGE, LEAF, TEAL = "#23264f", "#4a3a63", "#dfe7d6", "#5d7a52", "#1f6f78"
MOON = "#f6e7b4"

COYOTE = path(
    "M8.2 -10 L3.4 -8.2 L2.2 -10 L0.9 -7.2 L-1 -8.6 L-0.9 -5.6 C-2.2 -3.6 -4 -2.4 -5.4 0.4"
    " C-6.6 2.8 -7 5 -7.2 7 C-8.8 7 -10 5.6 -10.4 3.8 C-11.8 6 -10.6 9.4 -7.2 9.9"
    " L0.4 9.9 C0.4 8.9 -0.4 8.4 -1.6 8.3 C-0.6 7 -0.2 5.6 0.2 4.4 L1.2 9.9 L4.6 9.9"
    " C4.5 9 4 8.5 3 8.4 C3.3 5.4 3.9 3 3.8 0.4 C3.7 -1.6 3.4 -2.9 3.9 -4.2 C4.3 -5.3 5.4 -5.7 6 -6.4 Z"
)
PAW: Path = (
    *path("M0 1 C3 1 6 5 5.4 7.6 C4.8 9.8 2 8.6 0 8.6 C-2 8.6 -4.8 9.8 -5.4 7.6 C-6 5 -3 1 0 1 Z"),
    *ellipse(-6.6, -0.4, 1.9, 2.8),
    *ellipse(-2.5, -4.6, 2.0, 3.1),
    *ellipse(2.5, -4.6, 2.0, 3.1),
    *ellipse(6.6, -0.4, 1.9, 2.8),
)
FOX = path(
    "M-10 -9.5 L-4.6 -5.6 C-2 -6.6 2 -6.6 4.6 -5.6 L10 -9.5 C10.6 -3 9.6 1.6 6.4 4.6 L0 10"
    " L-6.4 4.6 C-9.6 1.6 -10.6 -3 -10 -9.5 Z"
)
CAVE = path("M-10 9 C-10 -3 -7 -9 0 -9 C7 -9 10 -3 10 9 H5.4 C5.4 1 4 -3.4 0 -3.4 C-4 -3.4 -5.4 1 -5.4 9 Z")
HAT = path(
    "M-10 4 C-8 2.4 -6 2.2 -5.4 1.8 C-5 -2 -4.6 -6.6 -2.6 -7 C-1.4 -7.2 -0.8 -6.2 0 -6.2"
    " C0.8 -6.2 1.4 -7.2 2.6 -7 C4.6 -6.6 5 -2 5.4 1.8 C6 2.2 8 2.4 10 4 C7 6.6 -7 6.6 -10 4 Z"
)
CACTUS = path(
    "M-1.6 10 V3 H-4 C-6.4 3 -7 1.4 -7 0 V-3.4 C-7 -5 -4.4 -5 -4.4 -3.4 V-0.6 C-4.4 0.2 -4 0.4 -3.4 0.4 H-1.6"
    " V-8 C-1.6 -10.4 1.6 -10.4 1.6 -8 V-1.8 H3.4 C4 -1.8 4.4 -2 4.4 -2.8 V-5.4 C4.4 -7 7 -7 7 -5.4 V-2.4"
    " C7 -0.8 6.2 0.8 4 0.8 H1.6 V10 Z"
)

VALUES = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "15", "20")


def face(name: str) -> Drawing:
    """Draw one face."""
    if name in _SPECIALS:
        return card(_SPECIALS[name]())
    return card(_hunter(name) if name.startswith("-") else _points(name))


def reverse() -> Drawing:
    """Draw the back."""
    dots = tuple(
        fill(place_symbol(PAW, 8 + 6.7 * column + (3.35 if row % 2 else 0), 9 + 6.4 * row, 2.6, 45), "#c56f3d")
        for row in range(12)
        for column in range(8)
    )
    emblem = (
        fill(circle(0, -6, 5.2), GOLD),
        fill(place_symbol(COYOTE, -0.6, -6.4, 10.5), NIGHT),
        stroke(line((-13.5, 0), (13.5, 0)), NIGHT, 0.8),
    )
    return back(RUST, NIGHT, dots, emblem)


# cards that count


def _points(name: str) -> CardFace:
    """Draw a number: the higher, the farther the sun has moved; the sand has as many paw prints."""
    step = VALUES.index(name)
    return CardFace(
        "Coyote",
        f"vaut {name}",
        RUST,
        number_sign(name),
        (*_sky(step), *_land(step), *_prints(int(name)), *_number(name, 46.5)),
        ground=DAY,
        below=_track(step),
    )


def _sky(step: int) -> tuple[Item, ...]:
    angle = radians(190 + 160 * step / 11)
    x, y = 31.5 + 21 * cos(angle), 46 + 24 * sin(angle)
    return (
        *rays(x, y, 14, "#fbe8c3", step * 7),
        fill(circle(x, y, 8.4), GOLD),
        stroke(circle(x, y, 10), GOLD, 0.5),
    )


_RIDGES = (
    "M4 60 L4 44 H9 L11 41 H18 L20 45 L23 60 Z",
    "M60 60 V42 H56 L54 39 H46 L44 43 L41 60 Z",
    "M4 60 V52 C12 42 20 44 26 52 C30 47 36 50 38 60 Z",
    "M60 60 V50 L52 40 L47 46 L43 42 L34 60 Z",
)


def _land(step: int) -> tuple[Item, ...]:
    """Draw hills that change from number to number, a cactus and the sand."""
    ridge = fill(path(_RIDGES[step % 4]), CLAY)
    plant = place_symbol(CACTUS, (50, 12, 47, 13)[step % 4], (48, 48, 50, 49)[step % 4], 11)
    ground = path("M4 75 V55 C14 51.5 24 55.5 34 54 C44 52.5 52 52 60 55 V75 Z")
    return (ridge, fill(plant, LEAF), fill(ground, SAND))


def _prints(count: int) -> tuple[Item, ...]:
    """Draw as many paw prints as the card counts, in rows of five."""
    full, rest = divmod(count, 5)
    rows = [5] * full + ([rest] if rest else [])
    pitch, size = (5.0, 4.6) if len(rows) < 3 else (4.2, 3.8)
    high = 64.6 - (len(rows) - 1) * pitch / 2
    return tuple(
        fill(place_symbol(PAW, 31.5 + 8.4 * (k - (many - 1) / 2), high + pitch * row, size), RUST)
        for row, many in enumerate(rows)
        for k in range(many)
    )


def _number(words: str, y: float, colour: str = NIGHT, halo: str = DAY, height: float = 24) -> tuple[Item, ...]:
    return (
        stroke(lettering(words, 31.5, y, height), halo, 3.2),
        *number_text(words, 31.5, y, height, colour),
    )


def _track(step: int) -> tuple[Item, ...]:
    """Mark the number's place on a scale of twelve."""
    places = tuple(
        fill(circle(7.5 + 3.6 * k, 79, 0.55 if k != step else 1.5), CLAY if k != step else RUST)
        for k in range(12)
    )
    return (stroke(line((7.5, 79), (47.1, 79)), SAND, 0.4), *places)


# cards that subtract


def _hunter(name: str) -> CardFace:
    words = name.replace("-", "−")
    count = int(words[1:])
    lamps = tuple(
        item for k in range(2 if name == "-10" else 1) for item in _lantern(12.5 if k == 0 else 50.5, 60.8)
    )
    hats = (-9.5, 9.5) if name == "-10" else (0.0,)
    picture = (
        *hatching(NIGHT, 2.4, 5.2, 35),
        *(fill(place_symbol(HAT, 31.5 + x, 24.2, 16), MOON) for x in hats),
        *_number(words, 52.5, WHITE, DUSK, 18),
        *lamps,
        fill(box(4, 66, 56, 9), NIGHT),
        *(fill(place_symbol(HAT, 31.5 + 3.5 * (k - (count - 1) / 2), 69.4, 2.9), MOON) for k in range(count)),
    )
    return CardFace(
        "Hunter",
        f"chasseur, ôte {count}",
        DUSK,
        _minus_sign(words),
        picture,
        CUT,
        DUSK,
        _stripes(count),
        tab=path("M3 5 Q3 3 5 3 H14.4 V8.6 L9.4 14.2 H3 Z"),
    )


def _minus_sign(words: str) -> Sign:
    def draw(colour: str, _ground: str) -> tuple[Item, ...]:
        return (bold_text(words, 8.3, 10.4, 4.7 if words == "−5" else 3.8, colour),)

    return draw


def _lantern(x: float, y: float) -> tuple[Item, ...]:
    return (
        stroke(path(f"M{x - 2} {y - 4} Q{x} {y - 8} {x + 2} {y - 4}"), MOON, 0.5),
        fill(box(x - 2.8, y - 4, 5.6, 1.2), MOON),
        fill_and_stroke(box(x - 2.2, y - 2.8, 4.4, 5), GOLD, MOON, 0.5),
        fill(box(x - 2.8, y + 2.2, 5.6, 1.2), MOON),
    )


def _stripes(count: int) -> tuple[Item, ...]:
    """Draw slanting bars at the bottom, unlike the dots of cards that count."""
    return tuple(stroke(line((7 + 3.6 * k, 81), (9.5 + 3.6 * k, 77)), DUSK, 1.1) for k in range(count))


# special cards


def _decoy() -> CardFace:
    picture = (
        *hatching("#d3dec8", 0.5, 3.2, 90),
        fill(box(4, 61, 56, 14), LEAF),
        stroke(line((47, 50), (53, 64)), RUST, 1.2),
        fill_and_stroke(place_symbol(COYOTE, 43.5, 48, 26), "#c9a876", RUST, 0.8),
        stroke(line((39, 46), (41, 56)), RUST, 0.4),
        stroke(line((43, 42), (44, 54)), RUST, 0.4),
        stroke(lettering("0", 21, 54, 25), SAGE, 3),
        bold_text("0", 21, 54, 25, NIGHT),
    )
    return CardFace("Decoy", "leurre, vaut 0", LEAF, number_sign("0"), picture, ground=SAGE)


def _cave() -> CardFace:
    mouth = path("M13 75 C13 50 18 31 31.5 31 C45 31 50 50 50 75 Z")
    rocks = ("M6 73 V60 L10 56 L15 73 Z", "M57 73 V55 L52 58 L47 73 Z", "M9 40 L16 30 L20 34 L13 45 Z")
    picture = (
        *rays(31.5, 60, 16, "#c98a58"),
        fill(mouth, NIGHT),
        *(fill(path(rock), RUST) for rock in rocks),
        *(fill(ellipse(x, 66, 2.4, 1.5), GOLD) for x in (26, 35)),
        *(fill(ellipse(x, 66, 0.6, 1.4), NIGHT) for x in (26, 35)),
        stroke(text("?", 31.5, 60.5, 22), NIGHT, 2),
        bold_text("?", 31.5, 60.5, 22, MOON),
    )
    return CardFace(
        "Cave",
        "caverne",
        "#7a3f22",
        number_sign("?"),
        picture,
        ARCH,
        CLAY,
        caption("Turn up the top card:", "it counts instead."),
    )


def _fox() -> CardFace:
    picture = (
        *rays(31.5, 40, 20, "#f3d3b4", 4),
        fill(place_symbol(FOX, 31.5, 40, 40), "#d2622a"),
        fill(path("M31.5 60 L18.7 49.2 C23 47 28 48 31.5 55 C35 48 40 47 44.3 49.2 Z"), WHITE),
        *(
            fill(path(f"M{x} 36 Q{x + 3 * s} 33 {x + 5.4 * s} 34.2 Q{x + 4 * s} 38.4 {x} 36 Z"), INK)
            for x, s in ((27.5, -1), (35.5, 1))
        ),
        *(
            fill(path(f"M{31.5 + 18 * s} 24.5 L{31.5 + 10.5 * s} 30.4 L{31.5 + 17 * s} 34 Z"), "#7d3315")
            for s in (-1, 1)
        ),
        fill(ellipse(31.5, 57.6, 2.5, 1.9), INK),
        fill(box(4, 63, 56, 12), INK),
        *_most_becomes("0"),
    )
    return CardFace(
        "Fox",
        "renard",
        "#b04a1a",
        symbol_sign(FOX, 7),
        picture,
        ground="#f9e6d3",
        below=caption("The highest coyote", "counts 0."),
    )


def _most_becomes(words: str) -> tuple[Item, ...]:
    """Write MAX, an arrow and its new value."""
    return (
        bold_text("MAX", 9.5, 70.6, 5, WHITE, side="left"),
        fill(path("M29 67.1 H38 V65 L42.6 68.1 L38 71.2 V69.1 H29 Z"), GOLD),
        *(
            (bold_text(words, 49.8, 71.1, 6, WHITE),)
            if words.isdigit()
            else (fill(box(46, 67, 8, 2.2), WHITE),)
        ),
    )


def _turn() -> CardFace:
    dog = place_symbol(COYOTE, 31.5, 29.8, 25)
    picture = (
        *rays(31.5, 30, 18, "#e2efe9"),
        fill(path("M4 44 V38 C14 35 20 39 31.5 39.5 C44 40 52 36 60 38.5 V44 Z"), CLAY),
        fill(dog, NIGHT),
        fill(box(4, 44, 56, 31), TEAL),
        fill(transform_path(dog, (1, 0, 0, -0.72, 0, 76)), "#0f444d"),
        *_waves(),
        fill(box(4, 63, 56, 12), INK),
        *_most_becomes("−"),
        stroke(box(15.5, 42.3, 32, 3.4), WHITE, 1.2),
        fill(box(15.5, 42.3, 32, 3.4), "#b3202c"),
    )
    below = caption("The highest coyote", "is subtracted.")
    return CardFace("Max −", "le plus fort est ôté", TEAL, _max_minus, picture, ground="#f3faf6", below=below)


def _waves() -> tuple[Item, ...]:
    """Draw three waves, below which the picture is mirrored."""
    crests = [
        [(x, y + (0.7 if k % 2 else -0.7)) for k, x in enumerate(range(4 + shift, 66, 4))]
        for shift, y in ((0, 50), (1, 54.5), (0, 59))
    ]
    return tuple(stroke(smooth_path(*points, closed=False), "#3f8f96", 0.7) for points in crests)


def _max_minus(colour: str, _ground: str) -> tuple[Item, ...]:
    return (bold_text("MAX", 8.2, 7.4, 2.7, colour), fill(box(4.6, 8.8, 7.2, 2.2), colour))


def _leader() -> CardFace:
    left = place_symbol(COYOTE, 23, 42.5, 32)
    crown = path("M-5 3 L-6 -3 L-2.6 0 L0 -4.4 L2.6 0 L6 -3 L5 3 Z")
    picture = (
        *rays(31.5, 62, 22, "#f8cd78", 3),
        fill(transform_path(left, reflection(31.5)), "#8d5a1d"),
        stroke(left, GOLD, 1.6),
        fill(left, NIGHT),
        fill_and_stroke(transform_path(crown, placement(31.5, 21.6, 1.1)), WHITE, NIGHT, 0.7),
        fill(path("M4 75 V58 C18 55 44 55 60 58 V75 Z"), NIGHT),
        bold_text("×2", 31.5, 70.4, 11.5, GOLD),
    )
    return CardFace(
        "Leader",
        "meneur, compte double",
        "#9a6410",
        number_sign("×2"),
        picture,
        ARCH,
        GOLD,
        caption("What is counted", "is doubled."),
    )


def _night() -> CardFace:
    places: tuple[Point, ...] = ((15, 34), (20, 27), (47, 24), (53, 35), (11, 41), (45, 45), (17, 52), (52, 52))
    picture = (
        *(fill(star(x, y, 1.5 + k % 3 * 0.5, 0.6, 4), MOON) for k, (x, y) in enumerate(places)),
        fill(place_symbol(CRESCENT, 33.5, 37, 33, 20), MOON),
        fill(path("M4 75 V60 L12 60 L15 55 H25 L28 61 L40 62 C46 56 54 57 60 61 V75 Z"), "#12142e"),
        fill(place_symbol(CACTUS, 48.5, 56.5, 9), "#12142e"),
        bold_text("0", 31.5, 71.8, 8.2, WHITE),
        *_shuffle_arrows(13.5, 68),
        *_shuffle_arrows(49.5, 68),
    )
    return CardFace(
        "Night",
        "nuit, vaut 0",
        NIGHT,
        symbol_sign(CRESCENT, 7.6),
        picture,
        ARCH,
        NIGHT,
        caption("Counts 0. Shuffle all", "before the next round."),
    )


def _shuffle_arrows(x: float, y: float) -> tuple[Item, ...]:
    """Draw two crossing arrows."""
    return tuple(
        group(
            stroke(path("M-4 2 C-1 2 0 -2 3 -2"), MOON, 0.7),
            fill(path("M2.6 -3.4 L5 -2 L2.6 -0.6 Z"), MOON),
            matrix=(1, 0, 0, way, x, y),
        )
        for way in (1.0, -1.0)
    )


_SPECIALS = {"0": _decoy, "?": _cave, "max0": _fox, "max-": _turn, "x2": _leader, "night": _night}


ARTWORK = Artwork(face, reverse)
