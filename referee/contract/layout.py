"""Card positions: moves made by hand, grids, and the table layout."""

from collections.abc import Mapping

from msgspec import Struct

from referee.contract.asks import Ruling
from referee.contract.cards import Zone


class Move(Struct, frozen=True):
    """A manual move of cards from one zone to another: a number of them (None: all), optionally shuffled.

    `faces` lists the cards if they were seen; otherwise the top ones move.
    """

    source: Zone
    target: Zone
    count: int | None = None
    shuffled: bool = False
    faces: tuple[str, ...] = ()


Cell = tuple[int, int]
"""Column and row, counted from the left and from the top."""


class Span(Struct, frozen=True, gc=False):
    """Adjacent cells in a row of a seat's grid: the first cell and the length."""

    seat: int
    cell: Cell
    length: int


class CardGroup(Struct, frozen=True):
    """Related cards of a grid, gaps included, with the public facts about them."""

    span: Span
    is_whole: bool
    told: tuple[Ruling, ...] = ()


class Grid(Struct, frozen=True):
    """A seat's cards in rows. A gap is an empty string; cell names don't depend on where a row begins."""

    seat: int
    first: Cell
    """Name of the first cell in the first row."""
    rows: tuple[tuple[str, ...], ...]
    groups: tuple[CardGroup, ...] = ()
    beside: tuple[str, ...] = ()
    """Cards of this seat that have no cell yet."""
    frame: tuple[Cell, Cell] | None = None
    """First and last displayed cell, numbered from 1; the default is the area of the cards."""


class TableLayout(Struct, frozen=True):
    """Areas around the centre of the table: one place per player, each with these parts.

    The first half of the parts is in front, the rest behind, left to right from the player's view.
    """

    count: int
    parts: tuple[str, ...] = ("seat",)


Scene = Mapping[Zone, tuple[str, ...]]
"""Face-up cards by zone; zones not listed are empty."""
