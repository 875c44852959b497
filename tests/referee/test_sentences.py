"""Every name in a game has a text, and no text is unused; `tests/translations` checks the texts."""

import ast
from gettext import NullTranslations
from pathlib import Path

from referee.contract import Game, Reason, Ruling
from referee.games.coyote import COYOTE
from referee.house_rules import house_rules
from referee.sentences import Listener, ruling_text
from tests.referee.rule_coverage import files_of, makes_a_ruling
from tests.referee.tables import every_game

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
        # parse only files that call one of them
        for code in [path.read_text(encoding="utf-8")]
        for text in (ast.walk(ast.parse(code)) if any(f"{mark}(" in code for mark in MARKS) else ())
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in MARKS
    ]
    assert hidden == []
