"""What lies on the table besides cards: coins, horses, markers; which there are, and where they should lie."""

from msgspec import Struct

from referee.contract.cards import Zone


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
