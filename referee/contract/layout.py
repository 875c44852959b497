"""Where cards and pieces lie: moves that hands make, grids, how a table is laid out, what is counted there."""

from collections.abc import Mapping

from msgspec import Struct

from referee.contract.asks import Ruling
from referee.contract.cards import Zone


class Move(Struct, frozen=True):
    """A move of cards by hand: a number of them (None: all) from one place to another, which may be shuffled.

    Where it has been seen which cards go, `faces` says so; else they are the top ones.
    """

    source: Zone
    target: Zone
    count: int | None = None
    shuffled: bool = False
    faces: tuple[str, ...] = ()


Cell = tuple[int, int]
"""A column and a row, from the left and from the top."""


class Span(Struct, frozen=True, gc=False):
    """Cells side by side in a row of a seat's grid: the first cell, and how many."""

    seat: int
    cell: Cell
    length: int


class CardGroup(Struct, frozen=True):
    """Cards of a grid that belong together, gaps included, and what all may know of them."""

    span: Span
    is_whole: bool
    told: tuple[Ruling, ...] = ()


class Grid(Struct, frozen=True):
    """A seat's cards in rows; a gap is an empty word, and a cell keeps its name wherever the rows begin."""

    seat: int
    first: Cell
    """The name of the first cell of the first row."""
    rows: tuple[tuple[str, ...], ...]
    groups: tuple[CardGroup, ...] = ()
    beside: tuple[str, ...] = ()
    """Cards that belong to the seat and have no cell yet."""
    frame: tuple[Cell, Cell] | None = None
    """The first and the last cell that people see, and count from 1; by default those of the cards."""


class TableLayout(Struct, frozen=True):
    """The parts of a table round its centre: a place for each player, each with these parts.

    The first half of the parts is in front, the others behind, from left to right as the player sees them.
    """

    count: int
    parts: tuple[str, ...] = ("seat",)


Scene = Mapping[Zone, tuple[str, ...]]
"""Which cards lie open where; a place that is left out is empty."""


class Piece(Struct, frozen=True):
    """A kind of thing that is counted: its name is that of the count, such as "coins"."""

    name: str
    count: int
    """How many there are in the box."""
    across: float
    """Millimetres across one that is printed."""


class PieceCount(Struct, frozen=True):
    """How many of a kind should lie in a part of the table."""

    piece: str
    zone: Zone
    count: int
    is_stock: bool = False
    """They are a stock, which may also lie in a heap or beside the table: no more than so many can be there."""
