"""What was decided last, and what is claimed anew: a verdict stands from the one until the other."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from referee.contract.asks import Datum, Ruling
from referee.contract.board import CardRow, Headline, Track

Said = Mapping[str, Mapping[str, Any]]
"""The values of rulings, by their keys; of two alike, those of the later one."""


class Verdict(Struct, frozen=True, gc=False):
    """What was decided last, as data for one whole sentence, and the card that it is about."""

    key: str
    values: Mapping[str, Datum]
    is_good: bool = True
    """Whether what was claimed or tried came true."""
    face: str = ""


def make_verdict(key: str, *, is_good: bool = True, face: str = "", **values: Datum) -> Verdict:
    return Verdict(key, values, is_good, face)


class Aside(Struct, frozen=True, gc=False):
    """What a player could say of a scene, about the own part in it: true, and seen by all."""

    seat: int
    key: str
    values: Mapping[str, Datum] = {}


class Reveal(Struct, frozen=True, gc=False):
    """The scene in which something comes to light: who called whom, the cards, and what they came to."""

    key: str
    values: Mapping[str, Datum]
    rows: tuple[CardRow, ...]
    headline: Headline | None = None
    track: Track | None = None
    won: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    """The seats that were right, and those that weren't."""
    round: int | None = None
    """The round that begins after it."""
    asides: tuple[Aside, ...] = ()
    """What players could say of it; bots do."""
    margin: int | None = None
    """By how much it was decided, where that is a number: the less, the closer."""
    held: tuple[Aside, ...] = ()
    """What nobody doubted, and wasn't so: told of each seat."""


class Verdicts(Struct, frozen=True, kw_only=True):
    """Which rulings decide something, which claim something new, and how several of them are told in one."""

    claims: frozenset[str]
    """Keys of rulings with which something new is claimed, bid, attempted or laid: what was decided is past."""
    decides: frozenset[str]
    """Keys of rulings that decide something; one that claims, too, is its own verdict."""
    joined: Callable[[tuple[Ruling, ...]], Verdict | None] = lambda _rulings: None
    """One verdict of the rulings from the last claim to the last decision; None where that says it alone."""
    reveals: frozenset[str] = frozenset()
    """Keys of rulings that bring something to light; until the next answer that is a scene of its own."""
    begins: frozenset[str] = frozenset()
    """Keys of rulings with which the story of a scene begins, where that isn't the last claim."""
    reveal: Callable[[Any, tuple[Ruling, ...]], Reveal | None] = lambda _state, _rulings: None
    """The scene of a state, and of the rulings since its story began."""
