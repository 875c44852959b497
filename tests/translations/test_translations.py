"""One linter over all words: none missing, none unused, each set as its language sets it, and short enough."""

import re
import shutil
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from itertools import zip_longest
from pathlib import Path

import pytest
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po

from firmware.language.catalogues import environment_language, language, languages
from firmware.language.words import WORDS
from firmware.start.texts import add_texts, told_texts
from referee.contract import Game
from referee.games.catalogue import GAMES
from referee.texts import phrases_in, shared_texts, texts_of
from tests.tiers import slow

ROOT = Path(__file__).parents[2]
KEYWORDS = {**DEFAULT_KEYWORDS, "phrase": None, "plural": (1, 2), "_": None, "later": None, "say": None}
SPEAKING = ("referee", "firmware", "webui", "plugins/club/club")
FOLDERS = ("referee/languages", "plugins/club/club/languages")
NAME = "Maximilian"  # what stands for each place to fill: a name as long as most
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
HINT_LINE = 42  # letters of a hint that stand beside the question; the rest comes when it is tapped
FRENCH = {
    "a plain space before a high sign": r" [;!?:»]",
    "no space before a high sign": r"[^\s\u00a0\u202f;!?.…(«\"'/\d][;!?](?=\s|$)|[^\s\u00a0\u202f/]:(?=\s|$)",
    "no space that holds inside of guillemets": r"«(?![\u00a0\u202f])|(?<![\u00a0\u202f])»",
    "a straight apostrophe": r"\w'\w",
    "two genders in one word": r"\(e\)|·e",
    "an article before a player's name": r"\b(?:le|la|du|au|les|des|aux) \{\w+:(?:players?|actor|people)\}",
    "a participle that agrees with a player": r"^\{\w+:(?:player|actor)\} (?:est|sera|a été) [a-zé]+[éiu]\b",
    "no elision": r"\b(?:que|lorsque|jusque|puisque) (?:il|elle|on|un|une|à|en)\b",
}
"""What French texts may not have: they name players of any gender, and are set with no-break spaces."""
BOTH = {"a space too many": r"\S  +\S", "an open place": r"\{\}|\{\{"}
OF_COMMANDS = re.compile(r"^\s{4}|\n    |--|\bcoyote\b|\bNAME\b|\bNOM\b")
"""Helps of commands are set by the terminal, with what is typed as it is typed."""


@cache
def catalogue() -> tuple[tuple[str, str], ...]:
    return tuple(pair for folder in FOLDERS for pair in pairs_in(ROOT / folder / "fr.po"))


def pairs_in(file: Path) -> Iterator[tuple[str, str]]:
    """Read a catalogue: each English text, and what it is in the other language."""
    for message in read_po(BytesIO(file.read_bytes())):
        if message.id:
            yield from _forms(message.id, message.string)


def _forms(english: str | list[str], said: str | list[str]) -> Iterator[tuple[str, str]]:
    if isinstance(english, str):
        yield english, str(said)
    else:
        # a language may have more forms than two, or one alone
        yield from zip_longest(english, said[: len(english)], fillvalue=said[-1])


@cache
def texts_in_code() -> set[str]:
    found = (
        text
        for room in SPEAKING
        for _file, _line, text, *_rest in extract_from_dir(
            ROOT / room, [("**.py", "python"), ("**.html", "jinja2")], keywords=KEYWORDS
        )
    )
    tables = (shared_texts(), told_texts(), *map(texts_of, GAMES.values()))
    said = (phrase for phrases in tables for phrase in phrases)
    of_games = {text for phrase in said for text in (phrase.one, phrase.many) if text}
    return of_games.union(each for text in found for each in ([text] if isinstance(text, str) else text))


@slow("it reads all the code")
def test_every_text_is_translated_and_no_other() -> None:
    translated = {english for english, _french in catalogue()}
    assert texts_in_code() - translated == set(), "run .ci/translations, then translate them"
    assert translated - texts_in_code() == set(), "run .ci/translations: they are said nowhere"
    assert [english for english, french in catalogue() if not french] == []


def test_every_problem_has_words() -> None:
    rooms = ("firmware", "vision", "hardware/board")
    files = (file for room in rooms for file in (ROOT / room).rglob("*.py"))
    made = re.compile(r'\b(?:Problem|Trouble|BoardError|_trouble)\(\s*"([^"]+)"')
    keys = {key for file in files for key in made.findall(file.read_text(encoding="utf-8"))}
    assert {"clash", "no pin", "voice hangs", "no espeak"} <= keys
    assert keys - WORDS.keys() == set()


def test_all_languages_fill_the_same_places() -> None:
    files = (file for folder in FOLDERS for file in (ROOT / folder).glob("*.po"))
    odd = [pair for file in files for pair in pairs_in(file) if pair[1] and places(pair[0]) != places(pair[1])]
    assert odd == []


def test_another_language_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts that a new language lacks appear in English."""
    english = "This text isn't in the catalogue.", "Coyote"
    shutil.copytree(ROOT / "referee/languages", tmp_path / "languages")
    (tmp_path / "languages" / "de.po").write_text(
        'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
        'msgid "Nobody plays yet."\nmsgstr "Noch spielt niemand."\n\nmsgid "Settings"\nmsgstr ""\n',
        encoding="utf-8",
    )
    monkeypatch.setattr("firmware.language.catalogues.files", lambda _package: tmp_path / "languages")
    monkeypatch.setattr("firmware.language.catalogues.LOADED", {})
    assert languages() == ("en", "de", "fr")
    monkeypatch.setenv("LANGUAGE", "de_CH.UTF-8")
    assert environment_language() == "de"
    assert [language("de").gettext(text) for text in ("Nobody plays yet.", "Settings", *english)] == [
        "Noch spielt niemand.",
        "Settings",
        *english,
    ]


def places(text: str) -> set[str]:
    # a language may ask for the article of a card
    bare = re.sub(r":(?:in)?definite\}", ":face}", text)
    return set(re.findall(r"\{[^}]*\}|%\([^)]*\)\w", bare))


@pytest.mark.parametrize("what", [*FRENCH, *BOTH])
def test_texts_follow_typographic_rules(what: str) -> None:
    texts = (
        text for english, french in catalogue() for text in ([french] if what in FRENCH else [english, french])
    )
    texts = (text for text in texts if not OF_COMMANDS.search(text))
    assert [text for text in texts if re.search({**FRENCH, **BOTH}[what], text)] == []


def test_french_has_no_plural_where_one_of_several_can_be_meant() -> None:
    """Texts without a plural, such as notices, can't say “1 cartes sur 3”."""
    messages = (each for folder in FOLDERS for each in read_po(BytesIO((ROOT / folder / "fr.po").read_bytes())))
    texts = (str(each.string) for each in messages if isinstance(each.id, str))
    assert [text for text in texts if re.search(r"\{\w+\} (?:cartes|tables) sur \{?\w", text)] == []


def test_helps_have_the_same_indents_and_example_lines() -> None:
    """The terminal removes the shortest indent of all lines; a backspace keeps the lines of an example."""
    shapes = {
        english: [(_indent(each), each.count("\b")) for each in (english, french)]
        for english, french in catalogue()
    }
    assert [english for english, (one, other) in shapes.items() if one != other] == []


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
    hints = {key: gettext(hint).split(". ")[0].rstrip(".") for key, hint in game.words.hints.items()}
    assert {key: first for key, first in hints.items() if len(first) > HINT_LINE} == {}


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


def test_template_of_an_unknown_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"There is no game nosuch\. There are: coup, "):
        add_texts(tmp_path / "words.pot", ("nosuch",))
    assert not list(tmp_path.iterdir())
