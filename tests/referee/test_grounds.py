"""Every ruling says by which rule: rule books and rules are tied together in both directions."""

from collections.abc import Iterator
from random import Random
from string import Formatter
from typing import Any

import pytest

from firmware.benches.rules import cover_rules
from firmware.language.catalogues import language
from hardware.twin.player import play_on
from referee.contract import Game, Reason, Refusal, Rule, Ruling, make_refusal
from referee.games.catalogue import GAMES
from referee.games.coyote import COYOTE
from referee.games.coyote.house import House
from referee.grounds import (
    chapters_of,
    grounds_of_ask,
    grounds_of_option,
    grounds_of_refusal,
    grounds_of_ruling,
    newest_grounds,
)
from referee.house_rules import EDITION, house_rules
from referee.match import moments
from referee.rule_coverage import houses_around
from referee.table_rules import TABLE_RULES
from referee.telling import REFUSALS, RULINGS, Listener
from referee.telling_rules import ToldChapter, ToldRule, find_rules, tell_book, tell_ground
from tests.referee.tables import every_table, new_match

every_book = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def rules_in_book(game: Game) -> Iterator[Rule]:
    return (rule for chapter in game.book for rule in chapter.rules)


def listener_in(game: Game, code: str = "en") -> Listener:
    return Listener(game.words, (), language(code))


@every_book
def test_rules_have_ids_of_their_own_and_name_what_the_game_says(game: Game) -> None:
    rules = list(rules_in_book(game))
    assert len({rule.id for rule in rules}) == len(rules)
    for rule in rules:
        assert set(rule.rulings) <= set(game.words.rulings), rule.id
        assert set(rule.options) <= set(game.words.options), rule.id
        assert set(rule.refusals) <= {*game.words.refusals, *Reason}, rule.id
        assert {name for _text, name, *_ in Formatter().parse(rule.text.one) if name} <= {
            *game.house.__struct_fields__
        }, rule.id


@every_book
def test_every_word_of_a_game_has_a_rule(game: Game) -> None:
    """No ruling or refusal without a rule, in any house; options are found in play."""
    rules = list(rules_in_book(game))
    assert set(game.words.rulings) == {key for rule in rules for key in rule.rulings}
    assert set(game.words.refusals) <= {why for rule in rules for why in rule.refusals}


@every_book
def test_each_value_of_a_house_rule_changes_what_the_book_says(game: Game) -> None:
    listener = listener_in(game)
    told = {house: tell_book(listener, game, house) for house in houses_around(game)}
    changes, telling = set[tuple[str, Any]](), set[tuple[str, Any]]()
    for house in game.settings.values():
        for other, other_told in told.items():
            found = changes_between(house, other)
            changes.update(found)
            telling.update(found if told[house] != other_told else ())
    assert changes == telling


def changes_between(house: Any, other: Any) -> list[tuple[str, Any]]:
    """Give the one house rule in which others differ, with its value; nothing if there are more."""
    names = [name for name in house.__struct_fields__ if getattr(house, name) != getattr(other, name)]
    return [(names[0], getattr(other, names[0]))] if len(names) == 1 else []


@every_table
def test_every_ruling_of_a_match_has_a_rule_that_holds(game: Game, rules: str, seats: int) -> None:
    match = play_on(new_match(game, rules, seats), Random(f"{rules} {seats}"))
    for moment in moments(match):
        for ruling in moment.rulings:
            assert grounds_of_ruling(game, match.setup.house, ruling), ruling


@every_book
def test_few_matches_come_upon_most_rules(game: Game) -> None:
    """All of them: `coyote bench rules --matches 3`, which takes minutes."""
    covered = cover_rules(game, game.settings.values(), 1, 1)
    assert covered.groundless == ()
    assert sum(row.is_reached for row in covered.rules) > len(covered.rules) / 2


@every_book
@pytest.mark.parametrize("code", ["en", "fr"])
def test_a_book_is_told_whole(game: Game, code: str) -> None:
    for house in game.settings.values():
        chapters = tell_book(listener_in(game, code), game, house)
        assert len(chapters) == len(chapters_of(game, house)) > 1
        texts = [rule.text for chapter in chapters for rule in chapter.rules]
        assert len(set(texts)) == len(texts)
        assert not any("{" in text for text in texts)
        assert max(map(len, texts)) <= 240


def test_the_table_has_a_rule_for_each_of_its_own_words() -> None:
    assert {reason for rule in TABLE_RULES for reason in rule.refusals} == set(REFUSALS) | {Reason.HOUSE}
    assert {key for rule in TABLE_RULES for key in rule.rulings} == set(RULINGS)


def test_the_edition_is_no_house_rule_that_decides() -> None:
    assert EDITION in House.__struct_fields__
    [ground] = grounds_of_ruling(COYOTE, House(edition="gigamic"), Ruling("count-double-total", {}))
    assert ground.choices == ()


def test_a_house_rule_that_decided_is_told_with_what_the_default_would_have_ruled() -> None:
    [ground] = grounds_of_ruling(COYOTE, House(x2="total"), Ruling("count-double-total", {}))
    told = tell_ground(listener_in(COYOTE), ground)
    assert told.id == "leader/total"
    [house] = told.house
    assert house.endswith(
        "the whole total. By default: The leader doubles what adds up, not what is subtracted."
    )


def test_a_number_of_a_house_rule_is_told_beside_the_usual_one() -> None:
    mark = Ruling("out", {"seat": 1})
    [ground] = grounds_of_ruling(COYOTE, House(limit=4), mark)
    told = tell_ground(listener_in(COYOTE), ground)
    assert told.text == "A player with 4 marks is out."
    assert told.house[0].endswith("By default: A player with 3 marks is out.")


def test_a_special_rule_is_not_played_by_default() -> None:
    house = House(powers=("double",))
    [ground] = grounds_of_option(COYOTE, house, "double")
    told = tell_ground(listener_in(COYOTE), ground)
    assert told.house == (
        "House rule: optional rules that are agreed on: double the number. By default this isn't played.",
    )


def test_an_ask_is_grounded_in_the_rules_that_let_it_be_asked() -> None:
    for game in GAMES.values():
        house = next(iter(game.settings.values()))
        rules = [rule for chapter in chapters_of(game, house) for rule in chapter.rules]
        for key in game.words.asks:
            ids = [rule.id for rule in rules if key in rule.asks]
            assert [ground.rule.id for ground in grounds_of_ask(game, house, key)] == ids


def test_a_refusal_is_grounded_in_the_rule_of_its_option_or_of_the_table() -> None:
    def ids(refused: Refusal, ask: str = "") -> list[str]:
        return [ground.rule.id for ground in grounds_of_refusal(COYOTE, House(), refused, ask)]

    assert ids(make_refusal(Reason.TOO_LOW, number=3, least=5), "announce") == ["higher"]
    assert ids(make_refusal(Reason.NO_SUCH_OPTION, word="coyote")) == ["call/in-turn", "not-ones-own"]
    assert ids(make_refusal(Reason.STALE)) == ["asked-now"]


BOOK = (
    ToldChapter(
        "Évasion", (ToldRule("a/flee", "Who flees pays.", "", False), ToldRule("a/stay", "Stay.", "", False))
    ),
    ToldChapter("Cards", (ToldRule("b", "Challenges cost", "", False, ("House rule: à bientôt",)),)),
)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("", "a/flee a/stay b"),
        ("evasion", "a/flee a/stay"),
        ("ÉVASION pays", "a/flee"),
        ("stay", "a/stay"),
        ("a/stay", "a/stay"),
        ("bientot HOUSE", "b"),
        ("pays cards", ""),
        ("challenging", "b"),
        ("challegro", "b"),
        ("challow", ""),
        ("costly", ""),
        ("nowhere", ""),
    ],
)
def test_rules_are_found_by_all_words_whatever_their_accents_and_long_words_by_their_stem(
    wanted: str, found: str
) -> None:
    chapters = find_rules(BOOK, wanted)
    assert [rule.id for chapter in chapters for rule in chapter.rules] == found.split()
    assert all(chapter.rules for chapter in chapters)


@every_book
def test_houses_around_are_the_settings_and_each_with_one_rule_changed(game: Game) -> None:
    around = list(houses_around(game))
    assert set(game.settings.values()) <= set(around)
    changes = [min(len(changes_in(house, other)) for house in game.settings.values()) for other in around]
    assert set(changes) == {0, 1}
    for house in game.settings.values():
        changed = {tuple(changes_in(house, other)) for other in around}
        assert {(rule.name,) for rule in house_rules(game) if rule.takes} <= changed


def changes_in(house: Any, other: Any) -> list[str]:
    """Name the house rules in which others differ."""
    return [name for name in house.__struct_fields__ if getattr(house, name) != getattr(other, name)]


def test_the_newest_grounds_are_the_main_rule_of_each_newest_ruling() -> None:
    match = play_on(new_match(COYOTE, "kidult", 3), Random(2))
    for moment in moments(match):
        ruled = next((each.rulings for each in moments(moment) if each.rulings), ())
        main = [grounds_of_ruling(COYOTE, match.setup.house, ruling) for ruling in ruled]
        ids = dict.fromkeys(grounds[0].rule.id for grounds in main if grounds)
        assert [ground.rule.id for ground in newest_grounds(moment)] == list(ids)
