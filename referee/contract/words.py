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


class Wording(Struct, frozen=True):
    """A sentence as all are told it, and as those read it who are in it: they are "you"."""

    told: Phrase
    to: Mapping[str, Phrase] = {}
    """The sentence to a reader whose seat a value is, or has, by the value's name; the first one counts."""
    also: Phrase | None = None
    """How all are told a question that stands after another one: what may also be done."""


def wording(told: Phrase, *, also: Phrase | None = None, **to: Phrase) -> Wording:
    """Give a sentence as all are told it, and to the reader whose seat a value is, by the value's name."""
    return Wording(told, to, also)


def alike(*words: Phrase) -> dict[str, Phrase]:
    """Give words that are named as they read."""
    return {word.one: word for word in words}


def wording_of(words: Phrase | Wording) -> Wording:
    """Give the wording of a sentence that reads the same to all."""
    return Wording(words) if isinstance(words, Phrase) else words


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
    pitch: Phrase | None = None
    """What it is about, in one sentence for people who don't know it."""
    editions: Mapping[str, str] = {}
    rulings: Mapping[str, Phrase]
    asks: Mapping[str, Phrase | Wording]
    """Questions, by the key of the question; without `questions` of the game, that is the ask's key."""
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
    short: Mapping[str, Phrase] = {}
    """An option in short, where its effect stands beside it and its player or card is chosen after it."""
    effects: Mapping[str, Phrase] = {}
    """What options would bring, one short line each."""
    hints: Mapping[str, Phrase] = {}
    """What a newcomer is told at the first ask of each kind, by its key: two sentences at most."""
    answers: Mapping[str, Phrase] = {}
    """What one says with a card, by the key of the ask; without it, a page just asks to confirm the card."""
    suits: Mapping[str, Phrase] = {}
    """The groups of a deck's faces; those that are no words of their own are named like a face."""
    cells: Mapping[str, Phrase] = {}
    """What a button on a cell of a grid says, by the option's word; else it says which card lies there."""
    statistics: Mapping[str, Phrase] = {}
    """What is counted, and what is shown of it; "standing-…" heads the chart of a count."""
    situations: Mapping[str, Phrase | Wording] = {}
    """What it is all about, one whole sentence each."""
    verdicts: Mapping[str, Phrase | Wording] = {}
    """What was decided last, one whole sentence each; without it, the ruling of that key says it."""
    reveals: Mapping[str, Phrase | Wording] = {}
    """Who called whom, as the headings of scenes; what turned out wrong stands in ⟦brackets⟧, and is struck."""
    facts: Mapping[str, Label] = {}
    """The facts on the board."""
    cards: Mapping[str, Phrase] = {}
    """The rows of open cards on the board."""
    headlines: Mapping[str, HeadlineWords] = {}
    """What a screen shows largest."""
    remarks: Mapping[str, Phrase] = {}
    """What is said of decisions, once a match is over."""
    tracks: Mapping[str, Phrase] = {}
    """The names of lines of numbers."""
