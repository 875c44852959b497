"""Every ruling, ask, option, refusal and house rule has its words, in every language, and none is left over."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from gettext import NullTranslations
from io import BytesIO
from pathlib import Path
from random import Random
from string import Formatter

import pytest
from babel.messages.catalog import Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from firmware.language.catalogues import language, languages
from hardware.twin.player import play_on
from referee.contract import Choice, Game, Reason, Refusal, Ruling, make_refusal
from referee.contract.words import Phrase, Words
from referee.games.catalogue import GAMES
from referee.games.coyote import COYOTE
from referee.house_rules import house_rules
from referee.match import Match, moments
from referee.showing import questions_of
from referee.telling import (
    KINDS,
    REFUSALS,
    RULINGS,
    Listener,
    tell,
    tell_decimal,
    tell_face,
    tell_option,
    tell_questions,
    tell_refusal,
)
from tests.referee.tables import NAMES, TABLES, new_match

ROOT = Path(__file__).parents[2]
ROOMS = ("referee", "firmware", "webui")


@cache
def stories(name: str) -> tuple[Match, ...]:
    """Play a few matches of a game in every setting, and with every number of players."""
    tables = [table.values for table in TABLES if table.values[0].name == name]
    matches = [new_match(game, rules, seats) for game, rules, seats in tables]
    return tuple(play_on(match, Random(seed)) for match in matches for seed in range(2))


def told_rulings(match: Match) -> list[Ruling]:
    """List all rulings of a match, and what could be said after its last round."""
    rulings = [ruling for moment in moments(match) for ruling in moment.rulings]
    return [*rulings, *match.setup.game.insight(match.state)]


def literals(game: Game) -> frozenset[str]:
    """Find all strings in the code of a game's rules, and the names of the steps of its count."""
    return _literals_in(ROOT / "referee" / "games" / game.name.replace("-", "_"))


@cache
def _literals_in(folder: Path) -> frozenset[str]:
    trees = [
        ast.parse(path.read_text(encoding="utf-8")) for path in folder.glob("*.py") if path.stem != "words"
    ]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    strings = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return frozenset(strings | {f"count-{string}" for string in strings})


every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@every_game
def test_rulings_have_words(game: Game) -> None:
    happened = {ruling.key for match in stories(game.name) for ruling in told_rulings(match)}
    assert happened <= set(game.words.rulings)
    assert len(happened) > len(game.words.rulings) // 2


@every_game
def test_every_ruling_that_the_code_names_has_words(game: Game) -> None:
    folder = ROOT / "referee" / "games" / game.name.replace("-", "_")
    calls = [
        node.args[0].value
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "make_ruling"
        and isinstance(node.args[0], ast.Constant)
    ]
    assert calls
    assert set(calls) <= set(game.words.rulings)


def is_named(key: str, game: Game) -> bool:
    """Tell whether a game's code names a key, or the beginning of it that ends with a hyphen."""
    named = literals(game)
    return key in named or any(key.startswith(part) for part in named if part.endswith("-") and len(part) > 1)


@every_game
def test_no_words_are_left_over(game: Game) -> None:
    words = game.words
    assert set(words.rulings) <= literals(game)
    assert not [
        key for key in (*words.asks, *words.situations, *words.facts, *words.cards) if not is_named(key, game)
    ]
    assert {word.removesuffix("-own") for word in words.options} <= literals(game)
    assert set(words.faces) <= literals(game)
    assert set(words.counts) <= literals(game)
    assert set(words.refusals) <= literals(game) | set(Reason)


@every_game
def test_asks_and_options_have_words(game: Game) -> None:
    for match in stories(game.name):
        for moment in moments(match):
            assert {question.key for question in questions_of(moment)} <= set(game.words.asks)
            assert set(_option_words(moment)) <= set(game.words.options)


def _option_words(moment: Match) -> Iterator[str]:
    for ask in moment.asks:
        yield from (option.word for option in (ask.options if isinstance(ask, Choice) else ()))


@every_game
def test_every_house_rule_is_explained(game: Game) -> None:
    assert {rule.name for rule in house_rules(game)} == set(game.words.house)


def test_every_reason_has_words() -> None:
    assert set(REFUSALS) == set(Reason) - {Reason.HOUSE}
    assert set(RULINGS) == {"taken-back", "corrected", "corrected-all", "struck"}


@pytest.mark.parametrize("code", languages())
@every_game
def test_everything_that_happens_can_be_told(game: Game, code: str) -> None:
    spoken = language(code)
    for match in stories(game.name):
        listener = Listener(game.words, match.setup.names, spoken)
        for ruling in told_rulings(match):
            assert_told(tell(listener, ruling))
        for moment in moments(match):
            for told in tell_questions(listener, questions_of(moment)):
                assert_told(told)
            for ask in moment.asks:
                if isinstance(ask, Choice):
                    for option in ask.options:
                        assert_told(tell_option(listener, option))


def assert_told(sentence: str) -> None:
    """Check that a sentence is complete."""
    assert sentence
    assert "{" not in sentence


REFUSED = [
    make_refusal(Reason.STALE, moment=1, now=2),
    make_refusal(Reason.FUTURE, moment=3, now=2),
    make_refusal(Reason.NOT_YOU, seats=(0, 1)),
    make_refusal(Reason.WRONG_KIND, wanted="cards"),
    make_refusal(Reason.TOO_LOW, number=1, least=2),
    make_refusal(Reason.NO_SUCH_OPTION, word="x", words=("y",)),
    make_refusal(Reason.CARD_COUNT, shown=1, wanted=2),
    make_refusal(Reason.MORE_THAN_DECK, card="20", shown=2, have=1),
    make_refusal(Reason.ALREADY_SEEN, card="-5", left=0),
    make_refusal(Reason.HOUSE, why="limit", limit=5, seats=6, most=3),
    make_refusal(Reason.HOUSE, why="power", power="skip", powers=("double",)),
]


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("refusal", REFUSED, ids=lambda refusal: refusal.reason)
def test_refusals_can_be_told(refusal: Refusal, code: str) -> None:
    assert_told(tell_refusal(Listener(COYOTE.words, NAMES, language(code)), refusal))


def test_counts_have_a_plural() -> None:
    listener = Listener(COYOTE.words, NAMES, NullTranslations())
    one = Ruling("mark", {"seat": 0, "taken": 1, "marks": 1, "limit": 3})
    two = Ruling("mark", {"seat": 0, "taken": 2, "marks": 3, "limit": 3})
    assert tell(listener, one) == "Ana takes a mark: 1 of 3."
    assert tell(listener, two) == "Ana takes 2 marks: 3 of 3."


def test_names_are_told_as_they_are() -> None:
    listener = Listener(COYOTE.words, ("{0}", "{seat:player}"), NullTranslations())
    assert tell(listener, Ruling("announced", {"seat": 1, "number": 3})) == "{seat:player} says 3."


def test_faces_that_have_no_word_show_a_real_minus_sign() -> None:
    listener = Listener(COYOTE.words, NAMES, NullTranslations())
    assert [tell_face(listener, face) for face in ("-5", "20", "night")] == ["−5", "20", "Night 0"]


# The catalogues


KEYWORDS: Mapping[str, tuple[int, ...] | None] = {
    "_": None,
    "gettext": None,
    "later": None,
    "phrase": None,
    "plural": (1, 2),
    "ngettext": (1, 2),
}


@cache
def texts_in_code() -> frozenset[str | tuple[str, ...]]:
    """Find all the texts that are to be translated."""
    found = set()
    for room in ROOMS:
        for _file, _line, message, _comments, _context in extract_from_dir(ROOT / room, keywords=KEYWORDS):
            found.add(message)
    return frozenset(found)


def catalogue(code: str) -> list[Message]:
    """Read the messages of a catalogue."""
    with (ROOT / "referee" / "languages" / f"{code}.po").open("rb") as file:
        return [message for message in read_po(BytesIO(file.read())) if message.id]


translated = pytest.mark.parametrize("code", [code for code in languages() if code != "en"])


@translated
def test_no_text_is_missing_or_left_over(code: str) -> None:
    assert {_key(message) for message in catalogue(code)} == texts_in_code(), "run .ci/words, then translate"


@translated
def test_every_text_is_translated(code: str) -> None:
    for message in catalogue(code):
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(strings), message.id
        assert not message.fuzzy, message.id


@translated
def test_translations_fill_the_same_places(code: str) -> None:
    for message in catalogue(code):
        singular, *plural = _key(message) if isinstance(message.id, list | tuple) else (message.id,)
        wanted = _places(plural[0] if plural else singular)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        assert _places(strings[-1]) == wanted, message.id
        assert _places(strings[0]) <= wanted | _places(singular), message.id


def test_french_signs_stand_apart_from_their_words() -> None:
    for message in catalogue("fr"):
        for string in message.string if isinstance(message.string, tuple) else (message.string,):
            assert not re.search(r" [:;?!»](?=\s|$)|« |[a-zà-ÿ})»][;?!](?=\s|$)", string), string
            assert not re.search(r"[a-zà-ÿ]'[a-zà-ÿ]", string), string


def test_no_text_hides_from_the_catalogues_in_an_f_string() -> None:
    hidden = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        for text in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in KEYWORDS
    ]
    assert hidden == []


def _key(message: Message) -> str | tuple[str, ...]:
    return tuple(message.id) if isinstance(message.id, list | tuple) else message.id


def _places(text: str) -> set[tuple[str, str]]:
    return {(name, spec or "") for _text, name, spec, _how in Formatter().parse(text) if name}


def test_every_language_is_there() -> None:
    assert {"en", "fr"} <= set(languages())
    assert language("fr").gettext("The match is over.") == "La partie est finie."
    assert language("fr").ngettext("{count} mark", "{count} marks", 2) == "{count} marques"


def test_words_of_kinds_are_phrases() -> None:
    assert all(isinstance(words, Phrase) for words in KINDS.values())
    assert isinstance(COYOTE.words, Words)


@pytest.mark.parametrize(
    ("code", "number", "said"),
    [
        ("en", 2.25, "2.2"),
        ("fr", 2.25, "2,2"),
        ("fr", -0.5, "\N{MINUS SIGN}0,5"),
        ("en", 40.0, "40"),
        ("fr", 0, "0"),
    ],
)
def test_a_number_has_the_decimals_of_its_language(code: str, number: float, said: str) -> None:
    assert tell_decimal(language(code), number) == said
