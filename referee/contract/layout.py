"""Where cards lie: moves that hands make, grids, how a table is laid out."""

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
