"""The latest decision of a game. A verdict is displayed until the next claim."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from referee.contract.asks import Datum, Ruling
from referee.contract.board import CardRow, Headline, Track

Said = Mapping[str, Mapping[str, Any]]
"""Values of rulings by key; a later ruling replaces an earlier one with the same key."""


class Verdict(Struct, frozen=True, gc=False):
    """The latest decision as data for one sentence, with the card concerned."""

    key: str
    values: Mapping[str, Datum]
    is_good: bool = True
    """Whether the claim or attempt succeeded."""
    face: str = ""


def make_verdict(key: str, *, is_good: bool = True, face: str = "", **values: Datum) -> Verdict:
    return Verdict(key, values, is_good, face)


class Aside(Struct, frozen=True, gc=False):
    """A remark that a player could make about a scene and their part in it, from public facts."""

    seat: int
    key: str
    values: Mapping[str, Datum] = {}


class Reveal(Struct, frozen=True, gc=False):
    """A reveal scene: who called whom, the cards, and the result."""

    key: str
    values: Mapping[str, Datum]
    rows: tuple[CardRow, ...]
    headline: Headline | None = None
    track: Track | None = None
    won: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    """The seats that were right (`won`) and wrong (`lost`)."""
    round: int | None = None
    """The round that begins afterwards."""
    asides: tuple[Aside, ...] = ()
    """Possible remarks by players; bots make them."""
    total: int | None = None
    """The counted number; the table's digits show it for a while."""
    margin: int | None = None
    """Margin of the decision, if it is a number; smaller is closer."""
    held: tuple[Aside, ...] = ()
    """Unchallenged false claims, by seat."""


class Verdicts(Struct, frozen=True, kw_only=True):
    """Which rulings decide or claim, and how several rulings are combined into one verdict."""

    claims: frozenset[str]
    """Keys of rulings that make a new claim, bid, attempt or play; they clear the previous verdict."""
    decides: frozenset[str]
    """Keys of rulings that decide. A ruling that also claims is its own verdict."""
    joined: Callable[[tuple[Ruling, ...]], Verdict | None] = lambda _rulings: None
    """Returns one verdict for the rulings from the last claim on; None uses the last decision alone."""
    reveals: frozenset[str] = frozenset()
    """Keys of rulings that reveal cards; the scene lasts until the next answer."""
    begins: frozenset[str] = frozenset()
    """Keys of rulings that start a scene; the default is the last claim."""
    reveal: Callable[[Any, tuple[Ruling, ...]], Reveal | None] = lambda _state, _rulings: None
    """Returns the scene for a state and the rulings since the scene started."""
