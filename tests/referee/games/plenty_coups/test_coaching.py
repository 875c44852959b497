"""Renown of a turn at Plenty Coups: with cards that are known, and no others."""

from msgspec.structs import replace

from referee.coaching import line_of
from referee.contract import Answer, Option
from referee.games.plenty_coups.coaching import judge_decisions, lead, turn_tree
from referee.games.plenty_coups.rules import hear
from referee.kit.turn_search import best_turn
from tests.referee.games.plenty_coups.script import table, with_clan
from tests.referee.laboratories import StillLaboratory, match_by_bots


def test_each_horse_after_the_fifth_brings_renown_with_the_cards_that_are_held() -> None:
    state = with_clan(table(), 0, herd=5).state
    tree = turn_tree(0)
    ahead = lead(state, 0)
    for held, gain in (((), 0), (("horse",), 1), (("horse", "horse"), 2)):
        assert best_turn(tree, (state, held), 500).worth == ahead + gain


def test_a_turn_is_worth_what_trying_two_actions_by_hand_says() -> None:
    state = with_clan(table(), 0, herd=5).state
    breed = Answer(0, "action", Option("breed"), 0)
    once = hear(state, breed).state
    twice = hear(once, replace(breed)).state
    assert [lead(each, 0) - lead(state, 0) for each in (once, twice)] == [1, 2]


def test_whole_matches_are_judged_and_a_card_that_is_held_is_worth_no_less() -> None:
    line = line_of(match_by_bots("plenty-coups", "rule text", 3))
    every = judge_decisions(line, StillLaboratory())
    assert every
    assert all(each.best is not None and each.best >= each.worth for each in every)
