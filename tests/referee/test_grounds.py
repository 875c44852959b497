"""Every ruling names its rule; rule books and rules refer to each other completely."""

import ast
from collections.abc import Mapping
from pathlib import Path
from random import Random
from string import Formatter
from typing import Any

import pytest

from firmware.language.catalogues import language
from hardware.twin.player import play_on
from referee import match as matches
from referee.contract import Game, Reason, Ruling, Status, make_refusal
from referee.games.catalogue import GAMES
from referee.games.coyote import COYOTE
from referee.games.coyote.state import House
from referee.grounds import (
    TABLE_REFUSALS,
    TABLE_RULES,
    grounds_of_option,
    grounds_of_refusal,
    grounds_of_ruling,
    newest_grounds,
)
from referee.house_rules import EDITION
from referee.match import moments
from referee.rule_sentences import ChapterView, RuleView, book_view, find_rules, ground_view
from referee.sentences import REFUSALS, RULINGS, Listener
from tests.referee.rule_coverage import files_of, houses_around, makes_a_ruling
from tests.referee.rule_tables import FOLDER, names_of, rule_table, words_of
from tests.referee.tables import new_match

every_book = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def listener_in(game: Game) -> Listener:
    return Listener(game.words, (), language("en"))


@every_book
def test_rules_and_words_name_each_other(game: Game) -> None:
    """Every ruling and refusal has a rule under all house rules; options are collected in play."""
    book, words = game.book, game.words
    rules = [rule for chapter in book.chapters for rule in chapter.rules]
    assert len({rule.id for rule in rules}) == len(rules)
    names = {name for rule in rules for name in (rule.id, rule.topic)}
    assert names_in(book.refusals, book.options, book.asks) <= names
    assert set(words.refusals) <= {*book.refusals, *names}
    assert set(book.refusals) <= {*words.refusals, *Reason}
    assert set(book.options) <= set(words.options)
    for rule in rules:
        named = {name for _text, name, *_ in Formatter().parse(rule.text) if name}
        assert named <= {*game.rules.house.__struct_fields__}, rule.id


@every_book
def test_rulings_and_rules_match_in_code(game: Game) -> None:
    """Every ruling has a rule in the book, and every rule in the book is used."""
    rules = [rule for chapter in game.book.chapters for rule in chapter.rules]
    trees = [ast.parse(file.read_text("utf-8")) for file in files_of(game) if not file.name.startswith("book")]
    made = [call for tree in trees for call in ast.walk(tree) if makes_a_ruling(call)]
    assert [ast.unparse(call) for call in made if not names_a_rule(call)] == []
    texts = {node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    said = {word for text in texts if isinstance(text, str) for word in text.split()}
    behind = names_in(game.book.refusals, game.book.options, game.book.asks)
    assert [rule.id for rule in rules if not (said | behind) & {rule.id, rule.topic}] == []


def names_in(*tables: Mapping[str, str]) -> set[str]:
    return {name for table in tables for names in table.values() for name in names.split()}


@every_book
def test_rule_tables_are_current(game: Game) -> None:
    """`python -m tests.referee.rule_tables coup` rewrites them and preserves quotations."""
    for name, edition in names_of(game).items():
        table = (FOLDER / f"{name}.md").read_text("utf-8")
        words = words_of(table)
        assert rule_table(game, words, edition) == table, name
        rules = {rule.id: rule for chapter in game.book.chapters for rule in chapter.rules}
        stand = {id_: rules[id_].status(edition) for id_ in words if id_ in rules}
        assert all((words[id_] == "-") == (status is Status.LEFT_OPEN) for id_, status in stand.items()), stand


def names_a_rule(call: ast.Call) -> bool:
    place = 1 if ast.unparse(call.func) == "make_ruling" else 2
    return len(call.args) > place or any(word.arg == "rule" for word in call.keywords)


def test_table_texts_have_rules() -> None:
    assert set(TABLE_REFUSALS) == set(REFUSALS) | {Reason.HOUSE}
    assert set(TABLE_REFUSALS.values()) <= {rule.id for rule in TABLE_RULES}
    tree = ast.parse(Path(matches.__file__).read_text("utf-8"))
    made = [call for call in ast.walk(tree) if makes_a_ruling(call)]
    said = [ast.unparse(word.value) for call in made for word in call.keywords if word.arg == "rule"]
    assert len(said) == len(made)
    assert set(map(ast.literal_eval, said)) < {rule.id for rule in TABLE_RULES}
    assert {word for word in RULINGS if f'"{word}"' in ast.unparse(tree).replace("'", '"')} == set(RULINGS)


@every_book
def test_each_house_rule_value_changes_the_rule_book(game: Game) -> None:
    told = {house: book_view(listener_in(game), game, house) for house in houses_around(game)}
    changes, telling = set[tuple[str, Any]](), set[tuple[str, Any]]()
    for house in game.rules.settings.values():
        for other, other_told in told.items():
            names = changes_in(house, other)
            found = [(names[0], getattr(other, names[0]))] if len(names) == 1 else []
            changes.update(found)
            telling.update(found if told[house] != other_told else ())
    assert changes == telling


def changes_in(house: Any, other: Any) -> list[str]:
    return [name for name in house.__struct_fields__ if getattr(house, name) != getattr(other, name)]


def test_edition_is_not_a_deciding_house_rule() -> None:
    assert EDITION in House.__struct_fields__
    [ground] = grounds_of_ruling(COYOTE, House(edition="gigamic"), Ruling("count-double-total", {}, "leader"))
    assert ground.choices == ()


@pytest.mark.parametrize(
    ("house", "rule", "is_so", "by_default"),
    [
        ({"x2": "total"}, "leader", "The leader doubles the whole total,", "the cards that are added"),
        ({"limit": 4}, "out", "A player with 4 paws is out.", "A player with 3 paws is out."),
    ],
)
def test_deciding_house_rule_shows_the_default(
    house: dict[str, Any], rule: str, is_so: str, by_default: str
) -> None:
    [ground] = grounds_of_ruling(COYOTE, House(**house), Ruling("told", {"seat": 1}, rule))
    told = ground_view(listener_in(COYOTE), ground)
    [agreed] = told.house
    assert told.text.startswith(is_so)
    assert by_default in agreed.partition("By default: ")[2]


def test_special_rules_are_off_by_default() -> None:
    [ground] = grounds_of_option(COYOTE, House(powers=("double",)), "double")
    [agreed] = ground_view(listener_in(COYOTE), ground).house
    assert agreed.endswith(": double the number. By default this isn't played.")


@pytest.mark.parametrize(
    ("reason", "values", "ids"),
    [
        (Reason.TOO_LOW, {"number": 3, "least": 5}, ["higher"]),
        (Reason.NO_SUCH_OPTION, {"word": "coyote"}, ["call/in-turn", "not-ones-own"]),
        (Reason.STALE, {}, ["asked-now"]),
    ],
)
def test_refusals_cite_option_or_table_rules(reason: Reason, values: dict[str, Any], ids: list[str]) -> None:
    grounds = grounds_of_refusal(COYOTE, House(), make_refusal(reason, **values), "announce")
    assert [ground.rule.id for ground in grounds] == ids


BOOK = (
    ChapterView(
        "Évasion",
        (
            RuleView("a/flee", "Who flees pays.", "", False, Status.LEFT_OPEN),
            RuleView("a/stay", "Stay.", "", False, Status.LEFT_OPEN),
        ),
    ),
    ChapterView(
        "Cards", (RuleView("b", "Challenges cost", "", False, Status.LEFT_OPEN, ("House rule: à bientôt",)),)
    ),
)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("", "a/flee a/stay b"),
        ("ÉVASION pays", "a/flee"),
        ("a/stay", "a/stay"),
        ("bientot HOUSE", "b"),
        ("pays cards", ""),
        ("challegro", "b"),
        ("challow", ""),
        ("costly", ""),
    ],
)
def test_rule_search_ignores_accents_and_endings(wanted: str, found: str) -> None:
    chapters = find_rules(BOOK, wanted)
    assert [rule.id for chapter in chapters for rule in chapter.rules] == found.split()
    assert all(chapter.rules for chapter in chapters)


def test_newest_grounds_are_main_rules() -> None:
    match = play_on(new_match(COYOTE, "kidult", 3), Random(2))
    for moment in moments(match):
        ruled = next((each.rulings for each in moments(moment) if each.rulings), ())
        main = [grounds_of_ruling(COYOTE, match.setup.house, ruling) for ruling in ruled]
        ids = dict.fromkeys(grounds[0].rule.id for grounds in main if grounds)
        assert [ground.rule.id for ground in newest_grounds(moment)] == list(ids)
