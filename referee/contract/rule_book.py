"""The rule book of a game as data: its rules in order, and how they stand to the printed text."""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

Heading = str | Mapping[str, str]
"""A heading of the printed text, or one for each edition."""
Condition = Callable[[Any], bool]
"""Whether something holds under some house rules."""


_T = TypeVar("_T")


class Status(StrEnum):
    """How a rule stands to the printed text."""

    PRINTED = "printed"
    LEFT_OPEN = "left-open"
    OTHERWISE = "otherwise"
    OWN_WORDS = "own-words"
    """Written in our own words: no printed text is cited."""


def heading(place: Heading, edition: str) -> str:
    """Give a heading of the printed text of an edition; empty where there is none."""
    return place if isinstance(place, str) else place.get(edition, "")


class Rule(Struct, frozen=True):
    """A rule: its sentence in our own words, where the printed text has it, and when it holds."""

    id: str
    """Its name; rules of one topic, as "topic/rule", stand for each other under different house rules."""
    text: str
    """One or two short sentences; a place to fill is a house rule by its name."""
    place: Heading = ""
    """The heading in the printed text, by edition where they differ; empty where that is silent."""
    otherwise: Heading = ""
    """The heading under which the printed text says something else, where it is ruled so all the same."""
    conditions: tuple[Condition, ...] = ()
    """What has to hold of the house rules."""
    is_own: bool = False
    """Whether it is in our own words, with no printed text to cite."""

    def holds(self, house: Any) -> bool:
        return all(condition(house) for condition in self.conditions)

    def status(self, edition: str) -> "Status":
        if self.is_own:
            return Status.OWN_WORDS
        if heading(self.place, edition):
            return Status.PRINTED
        return Status.OTHERWISE if heading(self.otherwise, edition) else Status.LEFT_OPEN

    def heading(self, edition: str) -> str:
        return heading(self.place, edition) or heading(self.otherwise, edition)

    @property
    def topic(self) -> str:
        """Give what it is about, as other rules may be under other house rules."""
        return self.id.partition("/")[0]


class Chapter(Struct, frozen=True):
    """A chapter of the rule book: its heading, and its rules in order."""

    title: str
    rules: tuple[Rule, ...]


def has(rule: str, value: object) -> Condition:
    return lambda house: bool(getattr(house, rule) == value)


def write_chapters(
    chapters: Mapping[str, Mapping[str, str]],
    *,
    printed: Iterable[tuple[Heading, str]] = (),
    otherwise: Iterable[tuple[Heading, str]] = (),
    agreed: Mapping[str, Mapping[Any, str]] = {},
    holds: Iterable[tuple[Condition, str]] = (),
) -> tuple[Chapter, ...]:
    """Write a rule book: the sentences of its rules by their names, by chapters, and what is so of which.

    Rules that are `printed` stand under a heading, and so do those that are printed `otherwise`; the text
    leaves all others open. Some hold where a value of a house rule is `agreed`; a rule `holds` where all
    conditions do that name it. Names stand in a row: "purse opener".
    """
    by_value = [(has(rule, value), names) for rule, each in agreed.items() for value, names in each.items()]
    places, others, conditions = _by_name(printed), _by_name(otherwise), _by_name([*by_value, *holds])
    unknown = {*places, *others, *conditions} - {name for rules in chapters.values() for name in rules}
    if unknown:
        raise ValueError(f"no rule of the book is named {', '.join(sorted(unknown))}")

    def rule(name: str, text: str) -> Rule:
        place, other = (found.get(name, [""])[-1] for found in (places, others))
        return Rule(name, text, place, other, tuple(conditions.get(name, ())))

    return tuple(
        Chapter(title, tuple(rule(name, text) for name, text in rules.items()))
        for title, rules in chapters.items()
    )


def write_own_chapters(
    chapters: Mapping[str, Mapping[str, str]],
    *,
    agreed: Mapping[str, Mapping[Any, str]] = {},
    holds: Iterable[tuple[Condition, str]] = (),
) -> tuple[Chapter, ...]:
    """Write a rule book in our own words, for a game whose printed text isn't cited or that has none."""
    written = write_chapters(chapters, agreed=agreed, holds=holds)
    return tuple(
        replace(chapter, rules=tuple(replace(rule, is_own=True) for rule in chapter.rules))
        for chapter in written
    )


def _by_name(pairs: Iterable[tuple[_T, str]]) -> dict[str, list[_T]]:
    found: dict[str, list[_T]] = {}
    for what, names in pairs:
        for name in names.split():
            found.setdefault(name, []).append(what)
    return found
