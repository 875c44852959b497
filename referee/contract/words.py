"""A game's texts by key, in English, for translation through catalogues.

A text is a sentence with placeholders. Brackets hold two alternative wordings:

* `{coins} [coin|coins]`, `[a coin|{coins} coins]`: singular and plural, by the last bare placeholder up to its
end.
* `[{seat:player} takes|You take] it`: the public wording, and the wording for the player named there.

A seat may change hands during a match: `{seat:player}` is the person seated now, `{seat:actor}` the person
seated at the time of the event, and `{seat:people}` everyone who sat there in the match.

Catalogues contain whole sentences only: `[{seat:player} takes|You take] {coins} [coin|coins].` yields four.
A sentence therefore has one deciding count. Brackets that depend on another count are an error, which
`check-game` reports.
"""

import re
from collections.abc import Mapping
from functools import cache

from msgspec import Struct

BRACKET = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")
READER = re.compile(r"\{(\w+):(?:players?|actor)\}")
NUMBER = re.compile(r"\{(\w+)\}")


class Phrase(Struct, frozen=True):
    """A sentence with placeholders; if a count decides its wording, also the plural and the count's name."""

    one: str
    many: str = ""
    by: str = ""
    beside: tuple[str, ...] = ()
    """Other counts that brackets depend on. This is an error: only the first count decides."""


class Wording(Struct, frozen=True):
    """A sentence in its public wording and as "you" for the readers it names."""

    told: Phrase
    to: Mapping[str, Phrase] = {}
    """Wordings for the reader whose seat is a value or owns it, by value name; the first match applies."""
    also: Phrase | None = None
    """Public wording of a question that follows another one as an alternative."""


Text = str | Phrase | Wording
"""A sentence in the notation above, or from `plural` or `wording` where brackets don't suffice."""


def phrase(text: str) -> Phrase:
    """Mark a text of the program for the catalogues; the texts of games are found through their `Words`."""
    return Phrase(text)


def plural(one: str, many: str, by: str) -> Phrase:
    return Phrase(one, many, by)


def wording(told: str | Phrase, *, also: str | Phrase | None = None, **to: str | Phrase) -> Wording:
    """Return a public sentence with alternatives for the reader whose seat is a value, by value name."""
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
    """Select the reader's or the public wording in brackets; only plural brackets remain."""

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
    """The name of a fact and the format of its value."""

    name: Text
    value: Text = "{value}"


class HeadlineWords(Struct, frozen=True):
    """A headline: a large number or word with captions above and below it."""

    figure: Text
    above: Text = ""
    below: Text = ""


class Words(Struct, frozen=True, kw_only=True):
    """All texts of a game."""

    title: str
    pitch: str = ""
    """One sentence for people who don't know the game."""
    editions: Mapping[str, str] = {}
    rulings: Mapping[str, Text]
    definite: Mapping[str, str] = {}
    """Faces with the definite article, for languages in which it depends on the noun; texts use `:definite`."""
    indefinite: Mapping[str, str] = {}
    """Faces with the indefinite article; texts use `:indefinite`."""
    face_effects: Mapping[str, str] = {}
    """Effect of playing a face, in one short line, shown with the cards to choose from."""
    asks: Mapping[str, Text]
    """Questions by question key; games without `questions` use the ask key."""
    options: Mapping[str, Text]
    faces: Mapping[str, str] = {}
    counts: Mapping[str, Text]
    house: Mapping[str, str]
    refusals: Mapping[str, Text] = {}
    values: Mapping[str, str] = {}
    """Names of house-rule values, as "rule.value". Editions have their own names; numbers need none."""
    unseated: str = "no player"
    """Name for a player without a seat, if the game has one."""
    typed: Mapping[str, str] = {}
    """Typed command for an option, if a shorter or clearer word than the option's own exists."""
    short: Mapping[str, Text] = {}
    """Short names of options, shown next to their effect before the player or card is picked."""
    effects: Mapping[str, Text] = {}
    """Effect of each option in one short line; only the action itself if several outcomes are possible."""
    endings: Mapping[str, Label] = {}
    """Possible outcomes of an option: the revealed fact and its consequence."""
    hints: Mapping[str, str] = {}
    """Hint shown at a newcomer's first ask of each kind, by ask key; two sentences at most."""
    answers: Mapping[str, Text] = {}
    """Text of the button that confirms a card, by ask key; the default asks to confirm the card.

    If a player gives away cards unseen: the text of the button that does so, for `{count}` cards.
    """
    suits: Mapping[str, str] = {}
    """Names for groups of faces; a group without a text is named like a face."""
    cells: Mapping[str, str] = {}
    """Button label for a grid cell, by option word; the default is the card in the cell."""
    statistics: Mapping[str, str] = {}
    """Names of statistics; "standing-…" is the chart title of a count."""
    situations: Mapping[str, Text] = {}
    verdicts: Mapping[str, Text] = {}
    """Latest decisions, one sentence each; the default is the text of the ruling with the same key."""
    reveals: Mapping[str, Text] = {}
    """Scene titles, such as who called whom; text in ⟦brackets⟧ turned out false and is struck through."""
    asides: Mapping[str, Text] = {}
    """Players' remarks about a scene and their part in it, one short sentence each."""
    instructions: Mapping[str, Text] = {}
    """Instructions about cards for the seat named in a ruling, by ruling key; shown to that player alone."""
    places: Mapping[str, Text] = {}
    """How a seat reached its place at the end, in a few words after its name."""
    highlights: Mapping[str, Label] = {}
    """Best moments of a match: a heading of two or three words, and one sentence."""
    captions: Mapping[str, str] = {}
    """Captions of the best moment's cards, if they aren't labelled with their owner."""
    length: Text = ""
    """Number of rounds of a match, for games with another word for them."""
    numbered: str = "Round {number}"
    """One of the rounds, in the same word."""
    by_round: str = "Round by round"
    """Heading of the rounds one after another, in the same word."""
    facts: Mapping[str, Label] = {}
    cards: Mapping[str, str] = {}
    """Names of rows of face-up cards."""
    headlines: Mapping[str, HeadlineWords] = {}
    """The largest text on a screen."""
    remarks: Mapping[str, Text] = {}
    """Remarks on decisions after a match."""
    tracks: Mapping[str, str] = {}
    """Names of numbered lines."""
