"""Coup's cards: five courtiers, each shown by the attribute of their power, and a summary."""

from hardware.decks.art.sheet import SYMBOLS, ArtSheet
from hardware.decks.artwork import Artwork
from hardware.decks.card import INK, WHITE, back, blank, bold_text, card, edge, place_symbol
from hardware.decks.discs import number_side, symbol_side
from hardware.decks.drawing import (
    PLAIN,
    Drawing,
    Item,
    circle,
    fill,
    line,
    path,
    regular_polygon,
    rounded_box,
    stroke,
    text,
)
from referee.games.coup.state import SUMMARY

ART = ArtSheet("coup", SYMBOLS)
CROWN, GOLD = SYMBOLS["crown"], "#e0a93a"
PURPLE, COAL, SEA, MOSS, WINE = "#5b3a78", "#2b2c36", "#1f5c8a", "#3d7450", "#a3283f"


def face(name: str) -> Drawing:
    return _summary() if name == "summary" else card(ART.face(name))


def reverse() -> Drawing:
    places = ((5 + 7.6 * column + 3.8 * (row % 2), 7 + 6.6 * row) for row in range(7) for column in range(9))
    weave = tuple(stroke(regular_polygon(x, y, 3.4, 4), "#8a6a3f", 0.5) for x, y in places)
    emblem = (
        fill(place_symbol(CROWN, 0, -5.6, 11), "#5a2036"),
        stroke(line((-13.5, 0), (13.5, 0)), "#5a2036", 0.8),
    )
    return back("#5a2036", GOLD, weave, emblem)


_ROWS: tuple[tuple[str, str, str, str, str], ...] = (
    ("Income", "+1", "", INK, ""),
    ("Foreign aid", "+2", "blocked by the duke", INK, ""),
    ("Coup", "−7", "a player loses an influence", INK, ""),
    ("Tax", "+3", "the duke", PURPLE, "crown"),
    ("Assassinate", "−3", "blocked by the contessa", COAL, "dagger"),
    ("Steal", "2", "blocked by captain, ambassador", SEA, "wheel"),
    ("Exchange", "2", "two cards from the court", MOSS, "scroll"),
    ("Contessa", "", "blocks an assassination", WINE, "fan"),
)


def _summary() -> Drawing:
    rows = tuple(item for place, row in enumerate(_ROWS) for item in _summary_row(14.5 + 8.3 * place, *row))
    head = (
        fill(path("M3 12 V5 Q3 3 5 3 H58 Q60 3 60 5 V12 Z"), INK),
        fill(text("SUMMARY", 7, 9.2, 3.2, side="left", spread=0.3), WHITE),
        fill(text("aide-mémoire", 56, 9.2, 2.2, font=PLAIN, side="right"), "#cfd2de"),
    )
    last = fill(text("With 10 coins or more you must pay for a coup.", 31.5, 83, 1.75, font=PLAIN), INK)
    return Drawing(63, 88, (blank(), *head, *rows, last, edge()))


def _summary_row(y: float, name: str, sum_: str, more: str, colour: str, symbol: str) -> tuple[Item, ...]:
    badge = place_symbol(SYMBOLS[symbol], 9.6, y + 3.4, 4.6) if symbol else circle(9.6, y + 3.4, 1)
    base = y + (3 if more else 4.3)
    return (
        fill(rounded_box(6, y, 7.2, 6.8, 1.4), colour),
        fill(badge, WHITE),
        fill(text(name, 15, base, 2.4, side="left"), colour),
        fill(text(more, 15, y + 6.2, 1.75, font=PLAIN, side="left"), "#4a4e60"),
        *((bold_text(sum_, 53, y + 5, 3.4, colour),) if sum_ else ()),
        stroke(line((6, y + 7.6), (57, y + 7.6)), "#d9dce4", 0.2),
    )


COIN_SIDES = (symbol_side(CROWN, "#a5780f", "#fbeeca"), number_side("1", "#a5780f", "#fbeeca"))

ARTWORK = Artwork(face, reverse, {SUMMARY: 6})
