"""A game's rule book as data: its rules in order, and how each relates to the printed text."""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

Heading = str | Mapping[str, str]
"""A heading of the printed text, or one per edition."""
Condition = Callable[[Any], bool]
"""A predicate over house rules."""


_T = TypeVar("_T")


class Status(StrEnum):
    """How a rule relates to the printed text."""

    PRINTED = "printed"
    LEFT_OPEN = "left-open"
    OTHERWISE = "otherwise"
    OWN_WORDS = "own-words"
    """In our own words; no printed text is cited."""


def heading(place: Heading, edition: str) -> str:
    """Return the printed heading for an edition; empty if there is none."""
    return place if isinstance(place, str) else place.get(edition, "")


class Rule(Struct, frozen=True):
    """A rule: its text in our own words, its printed heading, and the conditions under which it applies."""

    id: str
    """Name of the rule; "topic/rule" names alternatives for different house rules."""
    text: str
    """One or two short sentences; placeholders are names of house rules."""
    place: Heading = ""
    """Printed heading, per edition if they differ; empty if the printed text is silent."""
    otherwise: Heading = ""
    """Printed heading of a rule from which this one deviates."""
    conditions: tuple[Condition, ...] = ()
    """Conditions on the house rules; all must hold."""
    is_own: bool = False
    """Whether the rule is in our own words, without a printed source."""

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
        """The subject, shared with alternatives for other house rules."""
        return self.id.partition("/")[0]


class Chapter(Struct, frozen=True):
    """A chapter of the rule book: its title, and its rules in order."""

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
    """Build a rule book from rule texts by chapter and name.

    `printed` lists rules under a printed heading, and `otherwise` rules that deviate from one; the printed text
    leaves the others open. `agreed` restricts rules to a value of a house rule, and `holds` to a condition. A
    rule applies if all its conditions hold. Names are separated by spaces: "purse opener".
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
    """Build a rule book for a game whose printed text isn't cited or doesn't exist."""
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
