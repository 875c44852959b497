"""Numbers and calls at Coyote: exact chances by dealing every card, and only by what the player saw."""

from collections import Counter

import pytest

from referee.coaching import line_of, turning_points
from referee.contract import Judgement, Option
from referee.games.coyote.coaching import judge_decisions
from tests.referee.games.coyote.script import CRY, Script, open_first_round
from tests.referee.games.coyote.second_scorer import CARDS, count
from tests.referee.laboratories import StillLaboratory

FACES = "20 5 -5"


def judged(script: Script) -> list[Judgement]:
    """Judge what was said so far; the match needn't be over for that."""
    return list(judge_decisions(line_of(script.match), StillLaboratory()))


def one_round(cards: str = FACES, owners: tuple[int, ...] = (0, 1, 2)) -> Script:
    """Let three play a round with these cards: 10, 22, Coyote."""
    return open_first_round(3).says(0, 10).says(1, 22).coyote(2).shows(cards, owners)


def dealt_chance(seen: tuple[str, ...], number: int) -> float:
    """Deal each card that may be one's own, and draw each card that a cave may draw."""
    unseen = Counter(CARDS["kidult"]) - Counter(seen)
    reached = whole = 0.0
    for own, copies in unseen.items():
        others = unseen - Counter([own])
        for drawn, times in others.items() if own == "?" else [("", 1)]:
            weight = copies * times / (others.total() if own == "?" else 1)
            total, _shuffle = count("kidult", (*seen, own), drawn or None)
            reached += weight * (total >= number)
            whole += weight
    return reached / whole


def test_a_number_holds_as_often_as_dealing_every_card_says() -> None:
    first, second, call = judged(one_round())
    assert first.worth == pytest.approx(dealt_chance(("5", "-5"), 10))
    assert second.worth == pytest.approx(dealt_chance(("20", "-5"), 22))
    assert call.worth == pytest.approx(1 - dealt_chance(("20", "5"), 22))


def test_a_decision_is_set_against_a_call_and_the_least_number() -> None:
    first, second, call = judged(one_round())
    assert (first.better, first.best) == (1, pytest.approx(dealt_chance(("5", "-5"), 1)))
    assert (second.better, call.better) == (11, 23)
    assert call.best == pytest.approx(dealt_chance(("20", "5"), 23))
    assert [len(each.remarks) for each in (first, second, call)] == [2, 2, 2]


def test_a_player_s_own_card_and_what_comes_later_say_nothing() -> None:
    for seat, cards in enumerate(("3 5 -5", "20 1 -5", "20 5 4")):
        assert judged(one_round())[seat] == judged(one_round(cards))[seat]


def test_where_owners_aren_t_known_each_card_may_have_been_one_s_own() -> None:
    first = judged(one_round(owners=()))[0]
    pairs = [("5", "-5"), ("20", "-5"), ("20", "5")]
    assert first.worth == pytest.approx(sum(dealt_chance(pair, 10) for pair in pairs) / 3)


def test_a_call_that_was_right_for_certain_gave_nothing_away() -> None:
    script = open_first_round(3).says(0, 99).coyote(1).shows("1 2 3", (0, 1, 2))
    bold, call = judged(script)
    assert (bold.worth, call.worth, call.loss, call.better) == (0, 1, 0, None)
    assert bold.loss > 0.9
    assert turning_points([bold, call]) == (bold,)


def test_a_round_in_which_cards_were_drawn_unseen_is_not_judged() -> None:
    script = open_first_round(3, powers=("extra",)).says(0, 10).adds(0, "extra", 1).coyote(1).shows("1 2 3 4")
    assert judged(script) == []


def test_a_number_that_was_taken_over_is_judged_like_one_that_was_said() -> None:
    script = (
        open_first_round(3, powers=("approve",))
        .says(0, 10)
        .uses(1, "approve")
        .coyote(2)
        .shows(FACES, (0, 1, 2))
    )
    taken = judged(script)[1]
    assert taken.chosen == Option("approve")
    assert taken.worth == pytest.approx(dealt_chance(("20", "-5"), 10))


def test_a_call_out_of_turn_stands_alone() -> None:
    script = (
        open_first_round(3, anyone_may_contest=True)
        .says(0, 10)
        .answers("contest", CRY, 2)
        .shows(FACES, (0, 1, 2))
    )
    call = judged(script)[1]
    assert (call.seat, call.loss, len(call.remarks)) == (2, 0, 1)
    assert call.worth == pytest.approx(1 - dealt_chance(("20", "5"), 10))
