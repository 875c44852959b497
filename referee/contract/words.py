"""What can be said: texts by key, in English, that catalogues turn into other languages.

A text is a sentence with places to fill. Where its wording changes, both wordings stand in brackets:

* `{coins} [coin|coins]`, `[a coin|{coins} coins]`: of one and of several, by the last bare place up to its end.
* `[{seat:player} takes|You take] it`: as all are told it, and as the player reads it who is named there.

Another person may sit down at a seat: `{seat:player}` names who sits there, `{seat:actor}` who did what the
sentence tells of the seat, `{seat:people}` all who sat there in the match.

Catalogues have whole sentences only: `[{seat:player} takes|You take] {coins} [coin|coins].` is four of them. So
one count decides in a sentence, and brackets that go by another one are a fault, which `check-game` finds.
"""

import re
from collections.abc import Mapping
from functools import cache

from msgspec import Struct

BRACKET = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")
READER = re.compile(r"\{(\w+):(?:players?|actor)\}")
NUMBER = re.compile(r"\{(\w+)\}")


class Phrase(Struct, frozen=True):
    """A whole sentence with places to fill; where a count decides, its plural and the count's name."""

    one: str
    many: str = ""
    by: str = ""
    beside: tuple[str, ...] = ()
    """Other counts that its brackets go by: a fault, as only the first decides."""


class Wording(Struct, frozen=True):
    """A sentence as all are told it, and as those read it who are in it: they are "you"."""

    told: Phrase
    to: Mapping[str, Phrase] = {}
    """The sentence to a reader whose seat a value is, or has, by the value's name; the first one counts."""
    also: Phrase | None = None
    """How all are told a question that stands after another one: what may also be done."""


Text = str | Phrase | Wording
"""A sentence: written as above, or made by `plural` or `wording` where brackets can't say it."""


def phrase(text: str) -> Phrase:
    """Mark a sentence of the program's own for the catalogues; those of games are found in their words."""
    return Phrase(text)


def plural(one: str, many: str, by: str) -> Phrase:
    return Phrase(one, many, by)


def wording(told: str | Phrase, *, also: str | Phrase | None = None, **to: str | Phrase) -> Wording:
    """Give a sentence as all are told it, and to the reader whose seat a value is, by the value's name."""
    words = wording_of(told)
    readers = {name: wording_of(text).told for name, text in to.items()}
    return Wording(words.told, {**words.to, **readers}, None if also is None else wording_of(also).told)


def wording_of(text: Text) -> Wording:
    match text:
        case str():
            return _read(text)
        case Phrase():
            return Wording(text)
        case _:
            return text


@cache
def _read(text: str) -> Wording:
    readers = {found[1]: None for choice in BRACKET.finditer(text) if (found := READER.search(choice[1]))}
    return Wording(_phrase(text), {name: _phrase(text, name) for name in readers})


def _phrase(text: str, reader: str = "") -> Phrase:
    """Keep a reader's own wording of what is in brackets, or that of all; then the numbers are left."""

    def chosen(choice: re.Match[str]) -> str:
        found = READER.search(choice[1])
        return choice[0] if found is None else choice[2] if found[1] == reader else choice[1]

    numbered = BRACKET.sub(chosen, text)
    counts = (NUMBER.findall(numbered[: found.end()]) for found in BRACKET.finditer(numbered))
    by = tuple(dict.fromkeys(["", *before][-1] for before in counts))
    if not by:
        return Phrase(numbered)
    return Phrase(BRACKET.sub(r"\1", numbered), BRACKET.sub(r"\2", numbered), by[0], by[1:])


class Label(Struct, frozen=True):
    """The name of a fact, and how its value reads."""

    name: Text
    value: Text = "{value}"


class HeadlineWords(Struct, frozen=True):
    """A headline: the large number or word, a few words above it and below it."""

    figure: Text
    above: Text = ""
    below: Text = ""


class Words(Struct, frozen=True, kw_only=True):
    """The words of a game: for its rulings, asks, options, faces, counts, house rules and their refusals."""

    title: str
    pitch: str = ""
    """What it is about, in one sentence for people who don't know it."""
    editions: Mapping[str, str] = {}
    rulings: Mapping[str, Text]
    asks: Mapping[str, Text]
    """Questions, by the key of the question; without `questions` of the game, that is the ask's key."""
    options: Mapping[str, Text]
    faces: Mapping[str, str] = {}
    counts: Mapping[str, Text]
    house: Mapping[str, str]
    refusals: Mapping[str, Text] = {}
    values: Mapping[str, str] = {}
    """What a house rule may be, as "rule.value"; editions have names of their own, numbers say themselves."""
    unseated: str = "no player"
    """The name of a player without a seat, if a game has one."""
    typed: Mapping[str, str] = {}
    """The word that is typed for an option, where another is shorter or more telling than the option's own."""
    short: Mapping[str, Text] = {}
    """An option in short, where its effect stands beside it and its player or card is chosen after it."""
    effects: Mapping[str, Text] = {}
    """What options would bring, one short line each; the act itself, where they can end in several ways."""
    endings: Mapping[str, Label] = {}
    """In which ways an option can end: what comes to light, and what follows from that."""
    hints: Mapping[str, str] = {}
    """What a newcomer is told at the first ask of each kind, by its key: two sentences at most."""
    answers: Mapping[str, Text] = {}
    """What one says with a card, by the key of the ask; without it, a page just asks to confirm the card."""
    suits: Mapping[str, str] = {}
    """The groups of a deck's faces; those that are no words of their own are named like a face."""
    cells: Mapping[str, str] = {}
    """What a button on a cell of a grid says, by the option's word; else it says which card lies there."""
    statistics: Mapping[str, str] = {}
    """What is counted, and what is shown of it; "standing-…" heads the chart of a count."""
    situations: Mapping[str, Text] = {}
    verdicts: Mapping[str, Text] = {}
    """What was decided last, one whole sentence each; without it, the ruling of that key says it."""
    reveals: Mapping[str, Text] = {}
    """Who called whom, as the headings of scenes; what turned out wrong stands in ⟦brackets⟧, and is struck."""
    asides: Mapping[str, Text] = {}
    """What a player says of a scene, one short sentence of the own part in it."""
    facts: Mapping[str, Label] = {}
    cards: Mapping[str, str] = {}
    """The rows of open cards on the board."""
    headlines: Mapping[str, HeadlineWords] = {}
    """What a screen shows largest."""
    remarks: Mapping[str, Text] = {}
    """What is said of decisions, once a match is over."""
    tracks: Mapping[str, str] = {}
    """The names of lines of numbers."""
