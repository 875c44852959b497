"""How a finished match is presented: how each seat reached its place, and the match's best moment."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from referee.contract.asks import Datum, Ruling


class StoryStep(Struct, frozen=True, gc=False):
    """An accepted answer as spectators see it: public views before and after it, and its rulings."""

    heard_at: int
    round: int  # round that the answer belongs to, from 1
    before: Any
    rulings: tuple[Ruling, ...]
    after: Any


Story = tuple[StoryStep, ...]
"""A whole match as spectators saw it, in order. It contains no hidden card."""


class PlaceReason(Struct, frozen=True, gc=False):
    """How a seat reached its place, as data for a few words after its name."""

    seat: int
    key: str
    values: Mapping[str, Datum] = {}


class HighlightCard(Struct, frozen=True, gc=False):
    """A card of the best moment, with its owner or a caption."""

    face: str
    seat: int | None = None
    key: str = ""
    """Caption, for a card that isn't labelled with its owner."""
    is_claimed: bool = False
    """Whether a player only claimed it, so that it wasn't on the table."""


class Highlight(Struct, frozen=True, gc=False):
    """The best moment of a match, as data for a heading and one sentence, with its cards."""

    key: str
    values: Mapping[str, Datum]
    heard_at: int
    cards: tuple[HighlightCard, ...] = ()
    total: int | None = None
    """Total of the cards, if they have one."""
    missed: int | None = None
    """The number that the total didn't reach, if it had to reach one."""


class FinishRules(Struct, frozen=True, kw_only=True):
    """How a game presents a finished match, computed from its public story alone."""

    reasons: Callable[[Story], tuple[PlaceReason, ...]] = lambda _story: ()
    """Returns how seats reached their places; the others are described by their counts."""
    highlight: Callable[[Story], Highlight | None] = lambda _story: None
    """Returns the best moment; without one, it is the largest change of the score by one answer."""


def make_reason(seat: int, key: str, **values: Datum) -> PlaceReason:
    return PlaceReason(seat, key, values)
