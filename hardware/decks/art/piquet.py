"""The 32 cards of piquet and Coup d'État; the 52 cards of French suits.

Each suit has its own arrangement of pips and its own side for the band; each court rank has its own window. No
two cards look alike, and none looks the same upside down.
"""

from collections.abc import Mapping
from math import cos, radians, sin

from msgspec import Struct

from hardware.decks import drawing
from hardware.decks.art.sheet import SYMBOLS, ArtSheet, read_art
from hardware.decks.artwork import Artwork
from hardware.decks.card import (
    ARCH,
    BOW,
    CUT,
    WINDOW,
    CardFace,
    back,
    card,
    hatching,
    number_text,
    place_symbol,
    rank_sign,
    rays,
)

_SYMBOL_FIRST = "ch"
"""Suits with the symbol above the rank, to distinguish clubs from spades and hearts from diamonds."""
ART = ArtSheet("piquet", SYMBOLS)
PAPER, GOLD = "#fcf9f1", "#e3ac3d"


class Suit(Struct, frozen=True):
    """A suit's symbol, its strong and pale colour, its name in both languages."""

    symbol: str
    colour: str
    pale: str
    title: str
    small: str


class Pips(Struct, frozen=True):
    """The arrangement of a number of pips in each suit, and the pattern behind them."""

    size: float
    columns: tuple[int, ...]
    rows: tuple[int, ...]
    lattice: tuple[int, ...]
    upright: tuple[float, float]  # width of stripes and gap between them
    level: tuple[float, float]
    slant: float
    rays: tuple[int, float]  # number of wedges, and their rotation


class Suits(Struct, frozen=True):
    """The content of the file."""

    ranks: Mapping[str, tuple[str, str]]
    suits: Mapping[str, Suit]
    pips: Mapping[str, Pips]


CARDS = read_art("piquet", Suits)
_SYMBOLS = {suit: SYMBOLS[each.symbol] for suit, each in CARDS.suits.items()}


def face(name: str) -> drawing.Drawing:
    return card(ART.face(name) if name == "coup" else _suit_card(name[:-1], name[-1], PIQUET_STAIR))


def face_of_52(name: str) -> drawing.Drawing:
    return card(_suit_card(name[:-1], name[-1], WHOLE_STAIR))


def reverse() -> drawing.Drawing:
    suits = tuple(_SYMBOLS.values())
    cells = ((row, column) for row in range(6) for column in range(8))
    pattern = tuple(
        drawing.fill(place_symbol(suits[(row + column) % 4], 8 + 6.8 * column, 8.4 + 6.4 * row, 3.4), "#4f7080")
        for row, column in cells
    )
    emblem = (
        drawing.fill(place_symbol(SYMBOLS["spade"], -4.4, -4.9, 7), "#1f3b4d"),
        drawing.fill(place_symbol(SYMBOLS["heart"], 4.4, -4.9, 7), "#c0273a"),
        drawing.stroke(drawing.line((-13.5, 0), (13.5, 0)), "#1f3b4d", 0.8),
    )
    return back("#2d4f60", "#1f3b4d", pattern, emblem)


def _suit_card(rank: str, suit: str, ranks: tuple[str, ...]) -> CardFace:
    look, (english, french) = CARDS.suits[suit], CARDS.ranks[rank]
    picture, window, ground = _court(rank, suit) if rank in "AKQJ" else (_pips(int(rank), suit), WINDOW, PAPER)
    return CardFace(
        f"{english} of {look.title}",
        f"{french} de {look.small}",
        look.colour,
        rank_sign(rank, _SYMBOLS[suit], symbol_first=suit in _SYMBOL_FIRST),
        (*picture, *_band(suit, look.colour, look.pale)),
        window,
        ground,
        _stair(rank, look.colour, ranks),
    )


PIQUET_STAIR = ("7", "8", "9", "J", "Q", "K", "10", "A")
WHOLE_STAIR = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def _stair(rank: str, colour: str, ranks: tuple[str, ...]) -> tuple[drawing.Item, ...]:
    """Draw the card's rank, counted from the lowest, as a stair."""
    across, up, step = 35.2 / len(ranks), 6.4 / len(ranks), ranks.index(rank)
    return tuple(
        drawing.fill(
            drawing.box(6.6 + across * k, 82 - up * (k + 1), across - 1, up * (k + 1)),
            colour if k == step else "#d9dbe2",
        )
        for k in range(len(ranks))
    )


# bands of the suits


def _band(suit: str, colour: str, pale: str) -> tuple[drawing.Item, ...]:
    """Draw the suit's band: spades on the left, hearts above, diamonds on the right, clubs below."""
    bands = {"s": (6, 15, 7, 58), "h": (6, 15, 51, 7), "d": (50, 15, 7, 58), "c": (6, 66, 51, 7)}
    x, y, width, height = bands[suit]
    down, across = ((x + 3.5, y + 5 + 8 * k) for k in range(7)), ((x + 5.5 + 8 * k, y + 3.5) for k in range(6))
    return (
        drawing.fill(drawing.box(x, y, width, height), colour),
        *(
            drawing.fill(place_symbol(_SYMBOLS[suit], sx, sy, 4), pale)
            for sx, sy in (down if height > width else across)
        ),
    )


_MIDDLES = {"s": (35.0, 44.0), "h": (31.5, 47.5), "d": (28.0, 44.0), "c": (31.5, 40.5)}


def _look(suit: str) -> tuple[drawing.Path, str, str, drawing.Point]:
    return _SYMBOLS[suit], CARDS.suits[suit].colour, CARDS.suits[suit].pale, _MIDDLES[suit]


# pips


def _pips(count: int, suit: str) -> tuple[drawing.Item, ...]:
    symbol, colour, pale, (x, y) = _look(suit)
    pips = CARDS.pips[str(count)]
    figure = {"s": _columns, "h": _rows, "d": _lattice, "c": _ring}[suit](pips, count)
    return (
        *_pattern_behind(pips, suit, pale),
        *(drawing.fill(place_symbol(symbol, x + dx, y + dy, pips.size), colour) for dx, dy in figure),
        *(number_text(str(count), x, y + 5.2, 10.5, colour) if suit == "c" else ()),
    )


def _pattern_behind(pips: Pips, suit: str, pale: str) -> tuple[drawing.Item, ...]:
    """Draw a pale pattern behind the pips, different for each suit and number."""
    x, y = _MIDDLES[suit]
    match suit:
        case "s":
            return hatching(pale, *pips.upright, 0)
        case "h":
            return hatching(pale, *pips.level, 90)
        case "d":
            return hatching(pale, 4.2, 8.4, pips.slant)
        case _:
            around = rays(x, y, pips.rays[0], pale, pips.rays[1])
            return (*around, drawing.fill(drawing.circle(x, y, 10.6), PAPER))


def _columns(pips: Pips, _count: int) -> list[drawing.Point]:
    columns = zip(_SPREADS[len(pips.columns)], pips.columns, strict=True)
    return [(across, 12.6 * (k - (many - 1) / 2)) for across, many in columns for k in range(many)]


_SPREADS = {1: (0.0,), 2: (-10.0, 10.0), 3: (-13.6, 0.0, 13.6), 4: (-15.9, -5.3, 5.3, 15.9)}


def _rows(pips: Pips, _count: int) -> list[drawing.Point]:
    return _placed_rows(pips.rows, 12.4, {1: 0, 2: 20, 3: 15.5, 4: 12.4}[len(pips.rows)])


def _lattice(pips: Pips, _count: int) -> list[drawing.Point]:
    return _placed_rows(pips.lattice, 13.4, {2: 22, 3: 18, 4: 14, 5: 11}[len(pips.lattice)])


def _placed_rows(rows: tuple[int, ...], across: float, down: float) -> list[drawing.Point]:
    return [
        (across * (k - (many - 1) / 2), down * (row - (len(rows) - 1) / 2))
        for row, many in enumerate(rows)
        for k in range(many)
    ]


def _ring(_pips: Pips, count: int) -> list[drawing.Point]:
    turns = [radians(360 * k / count - 90) for k in range(count)]
    return [(18.4 * cos(turn), 18.4 * sin(turn)) for turn in turns]


# court cards


def _court(rank: str, suit: str) -> tuple[tuple[drawing.Item, ...], drawing.Path, str]:
    draw, window = {"A": (_ace, WINDOW), "K": (_king, ARCH), "Q": (_queen, BOW), "J": (_jack, CUT)}[rank]
    return draw(suit), window, PAPER


def _ace(suit: str) -> tuple[drawing.Item, ...]:
    symbol, colour, pale, (x, y) = _look(suit)
    return (
        *rays(x, y, {"s": 12, "h": 16, "d": 20, "c": 28}[suit], pale),
        drawing.fill_and_stroke(place_symbol(symbol, x, y, 37), colour, PAPER, 1.6),
        drawing.stroke(place_symbol(symbol, x, y + 0.3, 29), PAPER, 0.6),
        drawing.fill_and_stroke(place_symbol(symbol, x, y + 0.6, 12), GOLD, PAPER, 0.5),
    )


def _king(suit: str) -> tuple[drawing.Item, ...]:
    symbol, colour, pale, (x, y) = _look(suit)
    return (
        *hatching(pale, 2.6, 5.4, 0),
        drawing.fill_and_stroke(place_symbol(SYMBOLS["crown"], x, y - 9.5, 29), GOLD, colour, 0.8),
        drawing.fill_and_stroke(place_symbol(symbol, x, y + 13, 22), colour, PAPER, 1.4),
        *(drawing.fill_and_stroke(drawing.circle(x + dx, y + 0.2, 1), colour, PAPER, 0.2) for dx in (-8, 0, 8)),
    )


def _queen(suit: str) -> tuple[drawing.Item, ...]:
    symbol, colour, pale, (x, y) = _look(suit)
    pearls = ((x + 18 * cos(radians(20 * k)), y + 3 + 22.2 * sin(radians(20 * k))) for k in range(18))
    return (
        drawing.fill(drawing.ellipse(x, y + 3, 15.5, 20), pale),
        drawing.stroke(drawing.ellipse(x, y + 3, 15.5, 20), colour, 0.8),
        *(drawing.fill_and_stroke(drawing.circle(*pearl, 1.25), GOLD, colour, 0.3) for pearl in pearls),
        drawing.fill_and_stroke(place_symbol(SYMBOLS["coronet"], x, y - 7.2, 17), GOLD, colour, 0.7),
        drawing.fill(place_symbol(symbol, x, y + 10, 16), colour),
    )


def _jack(suit: str) -> tuple[drawing.Item, ...]:
    symbol, colour, pale, (x, y) = _look(suit)
    flag = drawing.path("M-13 -17 H15 L9 -6 L15 5 H-13 Z")
    scroll = drawing.path("M-11 8 C-4 5 2 11 9 7 L6 13 L10 18 C3 22 -3 16 -11 19 Z")
    return (
        *hatching(pale, 2.2, 6, -35),
        drawing.stroke(drawing.line((x - 14, y - 21), (x - 14, y + 30)), "#7a5a34", 1.6),
        drawing.fill_and_stroke(
            drawing.path(f"M{x - 14} {y - 29} L{x - 11.6} {y - 21} H{x - 16.4} Z"), GOLD, colour, 0.5
        ),
        drawing.fill_and_stroke(drawing.transform_path(flag, drawing.placement(x, y)), colour, PAPER, 0.9),
        drawing.fill(place_symbol(symbol, x - 2, y - 6, 14), PAPER),
        drawing.fill_and_stroke(drawing.transform_path(scroll, drawing.placement(x, y)), GOLD, colour, 0.6),
    )


ARTWORK = Artwork(face, reverse)
FRENCH = Artwork(face_of_52, reverse)
