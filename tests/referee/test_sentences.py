"""Every name in a game has a text, and no text is unused; `tests/translations` checks the texts."""

import ast
from gettext import NullTranslations
from pathlib import Path
from random import Random

import pytest

from firmware.language.catalogues import language, languages
from referee.contract import Game, Reason, Ruling, make_refusal
from referee.games.catalogue import GAMES
from referee.games.coyote import COYOTE
from referee.house_rules import house_rules
from referee.moment_view import view_of
from referee.sentences import REFUSALS, Listener, refusal_text, ruling_text
from tests.given import present
from tests.referee.rule_coverage import files_of, makes_a_ruling
from tests.referee.tables import NAMES, after_any, every_game
from tests.webui.matches import play_match

ROOT = Path(__file__).parents[2]
ROOMS = ("referee", "firmware", "webui")


def nodes_of(game: Game) -> tuple[ast.AST, ...]:
    texts = [path.read_text(encoding="utf-8") for path in files_of(game) if path.stem != "words"]
    return tuple(node for text in texts for node in ast.walk(ast.parse(text)))


@every_game
def test_every_ruling_has_words(game: Game) -> None:
    first = [call.args[0] for call in nodes_of(game) if makes_a_ruling(call)]
    keys = {key.value for key in first if isinstance(key, ast.Constant)}
    assert keys
    assert keys <= set(game.words.rulings)


@every_game
def test_no_unused_words(game: Game) -> None:
    words, nodes = game.words, nodes_of(game)
    strings = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    beginnings = tuple(part for part in strings if part.endswith("-") and len(part) > 1)
    endings = tuple(part for part in strings if part.startswith("-") and len(part) > 1)
    named = strings | {f"count-{string}" for string in strings}
    named |= {part + string for part in beginnings for string in strings}
    named |= {string + part for part in endings for string in strings}
    named |= {face for house in game.rules.settings.values() for face in game.table.deck(house).counts}
    shown = (*words.asks, *words.situations, *words.facts, *words.cards)
    assert not [key for key in shown if key not in named and not key.startswith(beginnings)]
    options = {word.removesuffix("-own") for word in words.options}
    assert {*words.rulings, *options, *words.faces, *words.counts} <= named
    assert set(words.refusals) <= named | set(Reason)
    assert {rule.name for rule in house_rules(game)} == set(words.house)


@pytest.mark.parametrize("code", languages())
def test_rare_refusals_have_sentences(code: str) -> None:
    assert set(REFUSALS) == set(Reason) - {Reason.HOUSE}
    listener = Listener(COYOTE.words, NAMES, language(code))
    for refusal in (
        make_refusal(Reason.CARD_COUNT, shown=1, wanted=2),
        make_refusal(Reason.MORE_THAN_DECK, card="20", shown=2, have=1),
        make_refusal(Reason.ALREADY_SEEN, card="-5", left=0),
        make_refusal(Reason.HOUSE, why="limit", limit=5, seats=6, most=3),
        make_refusal(Reason.HOUSE, why="power", power="skip", powers=("double",)),
    ):
        told = refusal_text(listener, refusal)
        assert told
        assert "{" not in told


def test_counts_have_plurals_and_names_are_unchanged() -> None:
    listener = Listener(COYOTE.words, ("{0}", "{seat:player}"), NullTranslations())
    one = Ruling("mark", {"seat": 0, "taken": 1, "marks": 1, "limit": 3})
    two = Ruling("mark", {"seat": 1, "taken": 2, "marks": 3, "limit": 3})
    assert ruling_text(listener, one) == "{0} takes a paw: 1 of 3."
    assert ruling_text(listener, two) == "{seat:player} takes 2 paws: 3 of 3."


MARKS = {"_", "gettext", "later", "phrase", "plural", "ngettext"}


def test_right_to_left_names_are_isolated() -> None:
    listener = Listener(COYOTE.words, ("Ana", "שרה"), NullTranslations())
    assert ruling_text(listener, Ruling("announced", {"seat": 0, "number": 3})) == "Ana says 3."
    told = "\N{FIRST STRONG ISOLATE}שרה\N{POP DIRECTIONAL ISOLATE} says 3."
    assert ruling_text(listener, Ruling("announced", {"seat": 1, "number": 3})) == told


def test_no_text_in_f_strings() -> None:
    hidden = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        for text in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in MARKS
    ]
    assert hidden == []


def test_every_language_is_complete() -> None:
    assert {"en", "fr"} <= set(languages())
    assert language("fr").gettext("The match is over.") == "La partie est finie."
    assert language("fr").ngettext("{count} paw", "{count} paws", 2) == "{count} pattes"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("en", "Has {name} given you a card for the gift?"),
        ("fr", "{name} vous a donné une carte pour le cadeau\u202f?"),
    ],
)
def test_the_giver_of_a_gift_is_addressed(code: str, told: str) -> None:
    match, rng = play_match(GAMES["plenty-coups"], moments=0), Random("gift 0")
    while (ask := next((each for each in match.asks if each.key == "gift-back"), None)) is None:
        match = after_any(match, rng)
    board = match.setup.game.shown.board(match.setup.game.shown.view(match.state, None))
    giver, asked = present(board.turn), ask.seats[0]
    view = view_of(match, language(code), giver)
    assert [each.text.replace("\u00a0", "\u202f") for each in view.questions] == [
        told.format(name=match.setup.names[asked])
    ]
