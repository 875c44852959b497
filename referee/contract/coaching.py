"""Review of decisions after a match: what public information implied, and which choice was best."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Protocol

from msgspec import Struct

from referee.contract.asks import Answer, Ask, Datum, Ruling, Value
from referee.contract.cards import Zone


class Chance(Protocol):
    """A random source passed in by the caller; equal seeds produce equal numbers."""

    def random(self) -> float:
        """Return a number in the range 0 <= x < 1."""


class Laboratory(Protocol):
    """Simulates positions repeatedly with bots; results depend only on its seed."""

    def chance(self, moment: int) -> Chance:
        """Return the random source for a moment, independent of calls for other moments."""

    def play_until(
        self,
        state: Any,
        places: Mapping[Zone, tuple[str, ...]],
        answer: Answer,
        is_over: Callable[[Any], bool],
        seed: float,
    ) -> Any:
        """Apply an answer with these cards, let plain bots play until a state is over, and return it.

        Equal seeds give equal results.
        """


class HeardAnswer(Struct, frozen=True):
    """An accepted answer with the states and asks around it."""

    moment: int
    state: Any
    asks: tuple[Ask, ...]
    answer: Answer
    rulings: tuple[Ruling, ...]
    after: Any


Line = tuple[HeardAnswer, ...]


class Kind(StrEnum):
    """Unit of a judgement: exact probability, share of simulated wins, or exact points."""

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
    """Rating of a decision from what its seat could know at the time; hidden cards are never used."""

    moment: int
    seat: int
    chosen: Value
    kind: Kind
    worth: float
    remarks: tuple[Remark, ...]
    best: float | None = None
    """Value of the best choice; None if no alternative was evaluated."""
    better: Value = None
    """The best choice, if it differs from the one chosen."""

    @property
    def loss(self) -> float:
        return 0.0 if self.best is None else max(0.0, self.best - self.worth)


class Weighed(Struct, frozen=True):
    """A choice with its value and the remark that describes it."""

    worth: float
    value: Value
    remark: Remark


def weigh_choice(heard: HeardAnswer, seat: int, kind: Kind, chosen: Weighed, best: Weighed) -> Judgement:
    """Compare a choice with the best one; the best is mentioned only if it is worth more."""
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
