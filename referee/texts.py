"""All texts of games for the catalogues, taken from their words and books rather than from source code."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Chapter, Game, Phrase, Wording
from referee.contract.words import wording_of
from referee.grounds import TABLE_RULES
from referee.kit.french_cards import CARD_NAMES, SUIT_NAMES
from referee.sentences import REFUSALS, RULINGS, TABLE_ASKS


def texts_of(game: Game) -> Iterator[Phrase]:
    words = game.words
    typed = {word: word for word in words.options if not word.endswith("-own")}
    return phrases_in((replace(words, editions={}, typed={**typed, **words.typed}), game.book.chapters))


def shared_texts() -> Iterator[Phrase]:
    rules = [rule.text for rule in TABLE_RULES]
    return phrases_in((RULINGS, TABLE_ASKS, REFUSALS, rules, CARD_NAMES, SUIT_NAMES))


def phrases_in(said: Any) -> Iterator[Phrase]:
    match said:
        case str() | Phrase() | Wording():
            words = wording_of(said)
            found = (words.told, *words.to.values(), *([] if words.also is None else [words.also]))
            yield from (each for each in found if each.one)
        case Chapter(title, rules):
            yield from phrases_in([title, *(rule.text for rule in rules)])
        case Mapping():
            yield from phrases_in(said.values())
        case Struct():
            yield from phrases_in([getattr(said, name) for name in said.__struct_fields__])
        case _:
            for each in said:
                yield from phrases_in(each)
