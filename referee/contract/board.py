"""What a game shows of itself: its situation in one sentence, and its board."""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from referee.contract.asks import Datum
from referee.contract.effects import CountChange


class Situation(Struct, frozen=True, gc=False):
    """What it is all about now, as data for one whole sentence: who did what to whom, and what is at stake."""

    key: str
    values: Mapping[str, Datum]


def make_situation(key: str, **values: Datum) -> Situation:
    """Make a situation from its key and its values."""
    return Situation(key, values)


class Weight(StrEnum):
    """How much a fact matters: what decides now, what people look for, what is good to know."""

    KEY = "key"
    MAIN = "main"
    SIDE = "side"


class Fact(Struct, frozen=True, gc=False):
    """A labelled fact of the table, or of one seat."""

    key: str
    values: Mapping[str, Datum]
    weight: Weight = Weight.MAIN
    seat: int | None = None


def make_fact(key: str, weight: Weight = Weight.MAIN, seat: int | None = None, **values: Datum) -> Fact:
    """Make a fact from its key and its values."""
    return Fact(key, values, weight, seat)


class CardRow(Struct, frozen=True, gc=False):
    """Cards that lie open for all to see: shared, or a seat's."""

    key: str
    faces: tuple[str, ...]
    weight: Weight = Weight.MAIN
    seat: int | None = None


class Board(Struct, frozen=True):
    """All that a page, a display or a voice needs to know of a view: nothing else of it is looked at."""

    facts: tuple[Fact, ...] = ()
    cards: tuple[CardRow, ...] = ()
    turn: int | None = None
    """Whose turn it is, also while others are asked."""
    number: int | None = None
    """The one number that the table's display shows."""
    changes: tuple[CountChange, ...] = ()
    """What counts would become if what is claimed or attempted stands."""
