"""The rule book of a game as data: its rules in order, and what the referee decides by each."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from referee.contract.words import Phrase


def in_any_house(_house: Any) -> bool:
    """Hold whatever was agreed."""
    return True


class Status(StrEnum):
    """How a rule stands to the printed text."""

    PRINTED = "printed"
    LEFT_OPEN = "left-open"
    OTHERWISE = "otherwise"


def heading(place: str | Mapping[str, str], edition: str) -> str:
    """Give a heading of the printed text of an edition; empty where there is none."""
    return place if isinstance(place, str) else place.get(edition, "")


class Rule(Struct, frozen=True):
    """A rule: its sentence in our own words, where the printed text has it, and what is decided by it."""

    id: str
    """Its name; rules of one topic, as "topic/rule", stand for each other under different house rules."""
    text: Phrase
    """One or two short sentences; a place to fill is a house rule by its name."""
    place: str | Mapping[str, str] = ""
    """The heading in the printed text, by edition where they differ; empty where that is silent."""
    otherwise: str | Mapping[str, str] = ""
    """The heading under which the printed text says something else, where it is ruled so all the same."""
    holds: Callable[[Any], bool] = in_any_house
    """Whether it holds under some house rules."""
    refusals: tuple[str, ...] = ()
    """Reasons of the game's own, or of all games."""
    options: tuple[str, ...] = ()
    """Words of options that it allows: its help stands beside them."""
    asks: tuple[str, ...] = ()
    """Keys of what it lets the referee ask."""

    def status(self, edition: str) -> "Status":
        """Say whether the text of an edition says so, says something else, or leaves it open."""
        if heading(self.place, edition):
            return Status.PRINTED
        return Status.OTHERWISE if heading(self.otherwise, edition) else Status.LEFT_OPEN

    def heading(self, edition: str) -> str:
        """Give the heading under which the text of an edition speaks of it, whatever it says."""
        return heading(self.place, edition) or heading(self.otherwise, edition)

    @property
    def topic(self) -> str:
        """Give what it is about, as other rules may be under other house rules."""
        return self.id.partition("/")[0]


class Chapter(Struct, frozen=True):
    """A chapter of the rule book: its heading, and its rules in order."""

    title: Phrase
    rules: tuple[Rule, ...]
