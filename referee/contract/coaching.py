"""What a game says of decisions, once a match is over: what public knowledge said, and what was best."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Protocol

from msgspec import Struct

from referee.contract.asks import Answer, Ask, Datum, Ruling, Value
from referee.contract.cards import Zone


class Chance(Protocol):
    """A source of chance that is handed in; the same seed gives the same numbers."""

    def random(self) -> float:
        """Give a number from 0 to below 1."""


class Laboratory(Protocol):
    """Where positions are played on by bots, again and again; what it gives depends on its seed alone."""

    def chance(self, moment: int) -> Chance:
        """Give the source of chance for one moment, whatever was asked of others before."""

    def play(
        self, state: Any, places: Mapping[Zone, tuple[str, ...]], answer: Answer, players: str, seed: float
    ) -> tuple[float, ...]:
        """Give an answer with the cards where they are, let bots play on, and tell each seat's share of a win.

        The players are "random" or "plain"; the same seed lets the same things happen.
        """


class HeardAnswer(Struct, frozen=True):
    """An answer that stands: where the game stood before it, and what it led to."""

    moment: int
    state: Any
    asks: tuple[Ask, ...]
    answer: Answer
    rulings: tuple[Ruling, ...]
    after: Any


Line = tuple[HeardAnswer, ...]


class Kind(StrEnum):
    """What the number of a judgement is: an exact chance, a share of wins in games played on, exact points."""

    CHANCE = "chance"
    WINS = "wins"
    POINTS = "points"


class Remark(Struct, frozen=True):
    """A sentence of a judgement, as a key and values."""

    key: str
    values: Mapping[str, Datum]


def make_remark(key: str, **values: Datum) -> Remark:
    return Remark(key, values)


class Judgement(Struct, frozen=True):
    """What its seat could know of a decision when it was made; cards hidden from it are never used."""

    moment: int
    seat: int
    chosen: Value
    kind: Kind
    worth: float
    remarks: tuple[Remark, ...]
    best: float | None = None
    """What the best choice would have been worth; None where nothing was weighed against it."""
    better: Value = None
    """The best choice, where it is another one."""

    @property
    def loss(self) -> float:
        return 0.0 if self.best is None else max(0.0, self.best - self.worth)


class Weighed(Struct, frozen=True):
    """A choice: what it is worth, and how that is told."""

    worth: float
    value: Value
    remark: Remark


def weigh_choice(heard: HeardAnswer, seat: int, kind: Kind, chosen: Weighed, best: Weighed) -> Judgement:
    """Set what was chosen against the best choice, which is told only where it is worth more."""
    is_best = best.worth <= chosen.worth
    return Judgement(
        moment=heard.moment,
        seat=seat,
        chosen=heard.answer.value,
        kind=kind,
        worth=chosen.worth,
        remarks=(chosen.remark,) if is_best else (chosen.remark, best.remark),
        best=chosen.worth if is_best else best.worth,
        better=None if is_best else best.value,
    )


Coach = Callable[[Line, Laboratory], tuple[Judgement, ...]]


def no_judgements(_line: Line, _laboratory: Laboratory) -> tuple[Judgement, ...]:
    return ()
