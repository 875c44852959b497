"""Facts on the board. Each value has a type, so that a count can't be displayed as a seat."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct


class Seat(Struct, frozen=True, gc=False, tag="seat", tag_field="kind"):
    """A seat of the table, or a virtual seat that several players share."""

    value: int


class Seats(Struct, frozen=True, gc=False, tag="seats", tag_field="kind"):
    """Several seats."""

    value: tuple[int, ...]


class Count(Struct, frozen=True, gc=False, tag="count", tag_field="kind"):
    """A quantity, a position in a sequence, or a number of points."""

    value: int


class Tally(Struct, frozen=True, gc=False, tag="tally", tag_field="kind"):
    """How often this fact's seat did something in the match; restarts at 0 when another person sits down."""

    value: int


class Counts(Struct, frozen=True, gc=False, tag="counts", tag_field="kind"):
    """Several numbers, in order."""

    value: tuple[int, ...]


class Coins(Struct, frozen=True, gc=False, tag="coins", tag_field="kind"):
    """An amount of the game's money."""

    value: int


class Face(Struct, frozen=True, gc=False, tag="face", tag_field="kind"):
    """A card face, or a named item such as a suit, a clan or a contract."""

    value: str


class Faces(Struct, frozen=True, gc=False, tag="faces", tag_field="kind"):
    """Several faces, in order."""

    value: tuple[str, ...]


class Place(Struct, frozen=True, gc=False, tag="place", tag_field="kind"):
    """A cell of a grid: column and row."""

    value: tuple[int, int]


class Edition(Struct, frozen=True, gc=False, tag="edition", tag_field="kind"):
    """An edition of the game, by key."""

    value: str


FactValue = Seat | Seats | Count | Tally | Counts | Coins | Face | Faces | Place | Edition


class Weight(StrEnum):
    """Importance of a fact: decisive now, often looked up, or background."""

    KEY = "key"
    MAIN = "main"
    SIDE = "side"


class Fact(Struct, frozen=True, gc=False):
    """A labelled fact about the table or one seat."""

    key: str
    values: Mapping[str, FactValue]
    weight: Weight = Weight.MAIN
    seat: int | None = None


def make_fact(key: str, weight: Weight = Weight.MAIN, seat: int | None = None, **values: FactValue) -> Fact:
    return Fact(key, values, weight, seat)
