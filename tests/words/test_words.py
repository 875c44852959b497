"""One linter over all words: none missing, none unused, each set as its language sets it, and short enough."""

import re
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po

from firmware.language.catalogues import language, languages
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.texts import phrases_in, shared_texts, texts_of
from tests.tiers import slow

ROOT = Path(__file__).parents[2]
KEYWORDS = {**DEFAULT_KEYWORDS, "phrase": None, "plural": (1, 2), "_": None, "later": None, "say": None}
SPEAKING = ("referee", "firmware", "webui", "plugins/club/club")
CATALOGUES = ("referee/languages/fr.po", "plugins/club/club/languages/fr.po")
NAME = "Maximilian"
"""What stands for each place to fill: a name as long as most."""
LONGEST = {
    "title": 16,
    "pitch": 80,
    "asks": 100,
    "options": 80,
    "short": 24,
    "cells": 18,
    "answers": 32,
    "typed": 16,
    "effects": 80,
    "hints": 150,
    "faces": 24,
    "counts": 26,
    "suits": 24,
    "values": 40,
    "statistics": 40,
    "tracks": 42,
    "cards": 40,
    "unseated": 18,
}
"""Letters at each place of a game's words: what fits a phone's three lines, a button, a plate, a heading."""
HINT_LINE = 42
"""Letters of a hint that stand beside the question; the rest comes when it is tapped."""
FRENCH = {
    "a plain space before a high sign": r" [;!?:»]",
    "no space before a high sign": r"[^\s\u00a0\u202f;!?.…(«\"'/\d][;!?](?=\s|$)|[^\s\u00a0\u202f/]:(?=\s|$)",
    "no space that holds inside of guillemets": r"«(?![\u00a0\u202f])|(?<![\u00a0\u202f])»",
    "a straight apostrophe": r"\w'\w",
    "two genders in one word": r"\(e\)|·e",
    "an article before a player's name": r"\b(?:le|la|du|au|les|des|aux) \{\w+:players?\}",
    "a participle that agrees with a player": r"^\{\w+:player\} (?:est|sera|a été) [a-zé]+(?:é|i|u)\b",
    "no elision": r"\b(?:que|lorsque|jusque|puisque) (?:il|elle|on|un|une|à|en)\b",
}
"""What French texts may not have: they name players of any gender, and are set with no-break spaces."""
BOTH = {"a space too many": r"\S  +\S", "an open place": r"\{\}|\{\{"}
OF_COMMANDS = re.compile(r"^\s{4}|\n    |--|\bcoyote\b|\bNAME\b|\bNOM\b")
"""Helps of commands are set by the terminal, with what is typed as it is typed."""


@cache
def catalogue() -> tuple[tuple[str, str], ...]:
    messages = [each for file in CATALOGUES for each in read_po(BytesIO((ROOT / file).read_bytes()))]
    return tuple(pair for message in messages if message.id for pair in _forms(message.id, message.string))


def _forms(english: str | list[str], french: str | list[str]) -> Iterator[tuple[str, str]]:
    if isinstance(english, str):
        yield english, str(french)
    else:
        yield from zip(english, french, strict=True)


@cache
def texts_in_code() -> set[str]:
    found = (
        text
        for room in SPEAKING
        for _file, _line, text, *_rest in extract_from_dir(
            ROOT / room, [("**.py", "python"), ("**.html", "jinja2")], keywords=KEYWORDS
        )
    )
    said = (phrase for phrases in (shared_texts(), *map(texts_of, GAMES.values())) for phrase in phrases)
    of_games = {text for phrase in said for text in (phrase.one, phrase.many) if text}
    return of_games.union(each for text in found for each in ([text] if isinstance(text, str) else text))


@slow("it reads all the code")
def test_every_text_is_translated_and_no_other() -> None:
    translated = {english for english, _french in catalogue()}
    assert texts_in_code() - translated == set(), "run .ci/words, then translate them"
    assert translated - texts_in_code() == set(), "run .ci/words: they are said nowhere"
    assert [english for english, french in catalogue() if not french] == []


def test_both_languages_fill_the_same_places() -> None:
    odd = [english for english, french in catalogue() if places(english) != places(french)]
    assert odd == []


def places(text: str) -> set[str]:
    return set(re.findall(r"\{[^}]*\}|%\([^)]*\)\w", text))


@pytest.mark.parametrize("what", FRENCH)
def test_french_is_set_as_french(what: str) -> None:
    texts = (french for _english, french in catalogue() if not OF_COMMANDS.search(french))
    assert [text for text in texts if re.search(FRENCH[what], text)] == []


@pytest.mark.parametrize("what", BOTH)
def test_texts_are_set_well(what: str) -> None:
    texts = (text for pair in catalogue() for text in pair if not OF_COMMANDS.search(text))
    assert [text for text in texts if re.search(BOTH[what], text)] == []


def test_helps_are_indented_alike() -> None:
    """The terminal takes as many spaces off each line as the shortest indent has: one odd line shows."""
    assert [english for english, french in catalogue() if _indent(english) != _indent(french)] == []


def test_helps_keep_the_lines_of_their_examples() -> None:
    """A backspace tells the terminal so; a catalogue holds it as it is, for an escaped one is shown."""
    assert [english for english, french in catalogue() if english.count("\b") != french.count("\b")] == []


def _indent(text: str) -> int:
    lines = [line for line in text.split("\n")[1:] if line.strip()]
    return min((len(line) - len(line.lstrip(" ")) for line in lines), default=0)


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_games_words_fit_their_places(game: Game, code: str) -> None:
    gettext = language(code).gettext
    for place, most in LONGEST.items():
        for phrase in phrases_in(getattr(game.words, place)):
            for text in (phrase.one, phrase.many):
                filled = re.sub(r"\{[^}]*\}", NAME, gettext(text) if text else "")
                assert len(filled) <= most, f"{place}: {filled}"


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_hint_begins_with_a_sentence_that_fits_one_line_of_a_phone(game: Game, code: str) -> None:
    gettext = language(code).gettext
    told = {key: gettext(hint).split(". ")[0].rstrip(".") for key, hint in game.words.hints.items()}
    assert {key: first for key, first in told.items() if len(first) > HINT_LINE} == {}


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_words_to_type_are_single_and_distinct(game: Game, code: str) -> None:
    gettext, words = language(code).gettext, game.words
    assert set(words.typed) <= set(words.options)
    typed = {key: gettext(words.typed.get(key, key)) for key in words.options}
    typed = {key: word for key, word in typed.items() if not key.endswith("-own")}
    assert len(set(typed.values())) == len(typed)
    assert not any(" " in word for word in typed.values())
    assert not any(word in typed and word != key for key, word in typed.items()), "the inner word of another"
