"""Coup's cards: five courtiers, each shown by the attribute of their power, and a summary."""

from hardware.decks.art.symbols import ARROWS, COIN, CORONET, CROWN, DAGGER, FAN, SCROLL, SHIELD, WHEEL
from hardware.decks.artwork import Artwork
from hardware.decks.card import (
    ARCH,
    BOW,
    CUT,
    INK,
    WHITE,
    WINDOW,
    CardFace,
    back,
    blank,
    bold_text,
    caption,
    card,
    edge,
    hatching,
    place_symbol,
    rays,
    symbol_sign,
)
from hardware.decks.discs import number_side, symbol_side
from hardware.decks.drawing import (
    PLAIN,
    Drawing,
    Item,
    Path,
    circle,
    ellipse,
    fill,
    fill_and_stroke,
    line,
    path,
    placement,
    regular_polygon,
    rounded_box,
    smooth_path,
    stroke,
    text,
    transform_path,
)
from referee.games.coup.state import SUMMARY

GOLD, CREAM = "#e0a93a", "#faf3e3"
PURPLE, COAL, SEA, MOSS, WINE = "#5b3a78", "#2b2c36", "#1f5c8a", "#3d7450", "#a3283f"


def face(name: str) -> Drawing:
    """Draw one face, or the summary."""
    return _summary() if name == "summary" else card(_FACES[name]())


def reverse() -> Drawing:
    """Draw the back."""
    weave = tuple(
        stroke(
            regular_polygon(5 + 7.6 * column + (3.8 if row % 2 else 0), 7 + 6.6 * row, 3.4, 4), "#8a6a3f", 0.5
        )
        for row in range(7)
        for column in range(9)
    )
    emblem = (
        fill(place_symbol(CROWN, 0, -5.6, 11), "#5a2036"),
        stroke(line((-13.5, 0), (13.5, 0)), "#5a2036", 0.8),
    )
    return back("#5a2036", GOLD, weave, emblem)


def _duke() -> CardFace:
    picture = (
        *rays(31.5, 36, 24, "#6d4b8c"),
        fill_and_stroke(place_symbol(SHIELD, 31.5, 41.5, 50), "#e9dff2", GOLD, 1.4),
        fill_and_stroke(place_symbol(CROWN, 31.5, 36.5, 27), GOLD, PURPLE, 0.5),
        *(fill(place_symbol(COIN, 31.5 + x, y, 9.4), PURPLE) for x, y in ((-6, 52), (6, 52), (0, 61))),
    )
    return CardFace(
        "Duke",
        "le duc",
        PURPLE,
        symbol_sign(CROWN, 7.4),
        picture,
        WINDOW,
        PURPLE,
        caption("Tax: take 3 coins.", "Blocks foreign aid."),
    )


def _assassin() -> CardFace:
    dagger = place_symbol(DAGGER, 31.5, 42.5, 48, 14)
    picture = (
        *hatching("#373845", 1.4, 3.6, 20),
        fill(circle(31.5, 36, 16.5), "#d9dbe2"),
        fill(circle(38, 31, 3), "#c3c6d0"),
        fill(circle(24, 41, 4.2), "#c3c6d0"),
        stroke(dagger, COAL, 2.4),
        fill_and_stroke(dagger, WHITE, COAL, 0.5),
        *(fill(transform_path(_DROP, placement(*spot)), "#c8343f") for spot in ((18, 60), (25, 63.5))),
    )
    below = caption("Pay 3: a player", "loses an influence.")
    return CardFace("Assassin", "l'assassin", COAL, symbol_sign(DAGGER, 8), picture, CUT, COAL, below)


_DROP = path("M0 0 C3 4 2 7 0 7 C-2 7 -3 4 0 0 Z")


def _captain() -> CardFace:
    waves = tuple(
        fill(_sea(y, k), colour) for k, (y, colour) in enumerate(((57, "#3f83b3"), (62, "#2c6d9d"), (67, SEA)))
    )
    picture = (
        *(fill(ellipse(x, y, w, 1.7), WHITE) for x, y, w in ((16, 24, 6), (47, 29, 7), (12, 46, 5))),
        fill_and_stroke(place_symbol(WHEEL, 31.5, 42, 46), "#8a5a2e", SEA, 0.6),
        fill(circle(31.5, 42, 2.2), GOLD),
        *waves,
    )
    return CardFace(
        "Captain",
        "le capitaine",
        SEA,
        symbol_sign(WHEEL, 8.2),
        picture,
        WINDOW,
        "#d6e9f4",
        caption("Steal 2 coins.", "Blocks stealing."),
    )


def _sea(y: float, k: int) -> Path:
    """Draw water with waves on top."""
    tops = [(x, y + (1.1 if (n + k) % 2 else -1.1)) for n, x in enumerate(range(2, 64, 5))]
    return smooth_path((0, 78), (1, y), *tops, (62, y), (63, 78))


def _ambassador() -> CardFace:
    picture = (
        *hatching("#dcebd9", 3, 7, 90),
        fill_and_stroke(place_symbol(SCROLL, 31.5, 37, 43), CREAM, MOSS, 0.9),
        fill(path("M39 57 L37.5 66 L41.5 63.6 L45.5 66 L44 57 Z"), "#8f2530"),
        fill(circle(41.5, 55, 4.8), "#c8343f"),
        fill(circle(41.5, 55, 3), "#e0646a"),
        fill(place_symbol(ARROWS, 25, 63.6, 13), MOSS),
    )
    return CardFace(
        "Ambassador",
        "l'ambassadeur",
        MOSS,
        symbol_sign(SCROLL, 7.6),
        picture,
        BOW,
        "#eef6ec",
        caption("Exchange 2 cards.", "Blocks stealing."),
    )


def _contessa() -> CardFace:
    picture = (
        *(stroke(circle(31.5, 62, 9 + 5 * k), "#f2cdd0", 1.1) for k in range(9)),
        fill_and_stroke(place_symbol(FAN, 31.5, 45, 30), WINE, WHITE, 0.7),
        stroke(path("M22.6 44.5 C28 39.5 35 39.5 40.4 44.5"), WHITE, 0.8),
        fill_and_stroke(circle(31.5, 57, 2.6), GOLD, WINE, 0.5),
        stroke(path("M31.5 59.6 C28 62 34 64 31.5 68"), WINE, 0.9),
        fill(path("M29.8 67 H33.2 L34.2 73 H28.8 Z"), WINE),
        fill_and_stroke(place_symbol(CORONET, 31.5, 24, 11), GOLD, WINE, 0.4),
    )
    return CardFace(
        "Contessa",
        "la comtesse",
        WINE,
        symbol_sign(FAN, 6.6),
        picture,
        ARCH,
        "#fbe9ea",
        caption("Blocks an", "assassination."),
    )


_FACES = {
    "duke": _duke,
    "assassin": _assassin,
    "captain": _captain,
    "ambassador": _ambassador,
    "contessa": _contessa,
}

_ROWS: tuple[tuple[str, str, str, str, Path | None], ...] = (
    ("Income", "+1", "", INK, None),
    ("Foreign aid", "+2", "blocked by the duke", INK, None),
    ("Coup", "−7", "a player loses an influence", INK, None),
    ("Tax", "+3", "the duke", PURPLE, CROWN),
    ("Assassinate", "−3", "blocked by the contessa", COAL, DAGGER),
    ("Steal", "2", "blocked by captain, ambassador", SEA, WHEEL),
    ("Exchange", "2", "two cards from the court", MOSS, SCROLL),
    ("Contessa", "", "blocks an assassination", WINE, FAN),
)


def _summary() -> Drawing:
    """Draw the summary card that each player keeps."""
    rows = tuple(item for place, row in enumerate(_ROWS) for item in _summary_row(14.5 + 8.3 * place, *row))
    head = (
        fill(path("M3 12 V5 Q3 3 5 3 H58 Q60 3 60 5 V12 Z"), INK),
        fill(text("SUMMARY", 7, 9.2, 3.2, side="left", spread=0.3), WHITE),
        fill(text("aide-mémoire", 56, 9.2, 2.2, font=PLAIN, side="right"), "#cfd2de"),
    )
    last = fill(text("With 10 coins or more you must pay for a coup.", 31.5, 83, 1.75, font=PLAIN), INK)
    return Drawing(63, 88, (blank(), *head, *rows, last, edge()))


def _summary_row(
    y: float, name: str, sum_: str, more: str, colour: str, symbol: Path | None
) -> tuple[Item, ...]:
    badge = (
        (fill(place_symbol(symbol, 9.6, y + 3.4, 4.6), WHITE),)
        if symbol
        else (fill(circle(9.6, y + 3.4, 1), WHITE),)
    )
    base = y + (3 if more else 4.3)
    return (
        fill(rounded_box(6, y, 7.2, 6.8, 1.4), colour),
        *badge,
        fill(text(name, 15, base, 2.4, side="left"), colour),
        fill(text(more, 15, y + 6.2, 1.75, font=PLAIN, side="left"), "#4a4e60"),
        *((bold_text(sum_, 53, y + 5, 3.4, colour),) if sum_ else ()),
        stroke(line((6, y + 7.6), (57, y + 7.6)), "#d9dce4", 0.2),
    )


COIN_SIDES = (symbol_side(CROWN, "#a5780f", "#fbeeca"), number_side("1", "#a5780f", "#fbeeca"))
"""A coin's two sides."""

ARTWORK = Artwork(face, reverse, {SUMMARY: 6}, {"coins": COIN_SIDES})
