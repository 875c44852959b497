"""What can be said: phrases by key, in English, that catalogues turn into other languages."""

from collections.abc import Mapping

from msgspec import Struct


class Phrase(Struct, frozen=True):
    """A sentence with places to fill; where a count decides the wording, its plural and the count's name."""

    one: str
    many: str = ""
    by: str = ""


def phrase(text: str) -> Phrase:
    """Mark a sentence for the catalogues."""
    return Phrase(text)


def plural(one: str, many: str, by: str) -> Phrase:
    """Mark a sentence that has a plural."""
    return Phrase(one, many, by)


class Label(Struct, frozen=True):
    """The name of a fact, and how its value reads."""

    name: Phrase
    value: Phrase = Phrase("{value}")


class HeadlineWords(Struct, frozen=True):
    """A headline: the large number or word, a few words above it and below it."""

    figure: Phrase
    above: Phrase = Phrase("")
    below: Phrase = Phrase("")


class Words(Struct, frozen=True, kw_only=True):
    """The words of a game: for its rulings, asks, options, faces, counts, house rules and their refusals."""

    title: Phrase
    editions: Mapping[str, str] = {}
    rulings: Mapping[str, Phrase]
    asks: Mapping[str, Phrase]
    options: Mapping[str, Phrase]
    faces: Mapping[str, Phrase] = {}
    counts: Mapping[str, Phrase]
    house: Mapping[str, Phrase]
    refusals: Mapping[str, Phrase] = {}
    values: Mapping[str, Phrase] = {}
    """What a house rule may be, as "rule.value"; editions have names of their own, numbers say themselves."""
    unseated: Phrase = phrase("no player")
    """The name of a player without a seat, if a game has one."""
    typed: Mapping[str, Phrase] = {}
    """The word that is typed for an option, where another is shorter or more telling than the option's own."""
    cells: Mapping[str, Phrase] = {}
    """What a button on a cell of a grid says, by the option's word; else it says which card lies there."""
    statistics: Mapping[str, Phrase] = {}
    """What is counted, and what is shown of it; "standing-…" heads the chart of a count."""
    situations: Mapping[str, Phrase] = {}
    """What it is all about, one whole sentence each."""
    facts: Mapping[str, Label] = {}
    """The facts on the board."""
    cards: Mapping[str, Phrase] = {}
    """The rows of open cards on the board."""
    headlines: Mapping[str, HeadlineWords] = {}
    """What a screen shows largest."""
    questions: Mapping[str, Phrase] = {}
    """What is asked, as whole sentences for those who watch."""
    tracks: Mapping[str, Phrase] = {}
    """The names of lines of numbers."""
