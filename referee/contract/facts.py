"""A fact of the board; each of its values says what it is, so that a count is never drawn as a seat."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct


class Seat(Struct, frozen=True, gc=False, tag="seat", tag_field="kind"):
    """A seat of the table, or one beyond that several play."""

    value: int


class Seats(Struct, frozen=True, gc=False, tag="seats", tag_field="kind"):
    """Several seats."""

    value: tuple[int, ...]


class Count(Struct, frozen=True, gc=False, tag="count", tag_field="kind"):
    """How many there are of something, the how-manieth something is, or what it is worth."""

    value: int


class Tally(Struct, frozen=True, gc=False, tag="tally", tag_field="kind"):
    """How often something was done at the seat of the fact in this match; for each person it begins at 0."""

    value: int


class Counts(Struct, frozen=True, gc=False, tag="counts", tag_field="kind"):
    """Several numbers, in their order."""

    value: tuple[int, ...]


class Coins(Struct, frozen=True, gc=False, tag="coins", tag_field="kind"):
    """An amount of the game's money."""

    value: int


class Face(Struct, frozen=True, gc=False, tag="face", tag_field="kind"):
    """A face, or what is named like one: a suit, a clan, a contract."""

    value: str


class Faces(Struct, frozen=True, gc=False, tag="faces", tag_field="kind"):
    """Several faces, in their order."""

    value: tuple[str, ...]


class Place(Struct, frozen=True, gc=False, tag="place", tag_field="kind"):
    """A cell of a grid: its column and its row."""

    value: tuple[int, int]


class Edition(Struct, frozen=True, gc=False, tag="edition", tag_field="kind"):
    """An edition of the game, by its key."""

    value: str


FactValue = Seat | Seats | Count | Tally | Counts | Coins | Face | Faces | Place | Edition


class Weight(StrEnum):
    """How much a fact matters: what decides now, what people look for, what is good to know."""

    KEY = "key"
    MAIN = "main"
    SIDE = "side"


class Fact(Struct, frozen=True, gc=False):
    """A labelled fact of the table, or of one seat."""

    key: str
    values: Mapping[str, FactValue]
    weight: Weight = Weight.MAIN
    seat: int | None = None


def make_fact(key: str, weight: Weight = Weight.MAIN, seat: int | None = None, **values: FactValue) -> Fact:
    return Fact(key, values, weight, seat)
