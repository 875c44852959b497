"""The small parts that games share: what an answer says, what hands do with hidden cards, who is ahead."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from referee.contract import CENTRE, DISCARD, PILE, Deck, Move, Standing, from_hands_or_pile, hand_of
from referee.contract.asks import Answer, Option, Ruling, Show
from referee.contract.coaching import HeardAnswer, Kind, Remark, Weighed, weigh_choice
from referee.kit import answers
from referee.kit.answers import cards_said, number_said, option_said, seat_aimed_at, seat_named, who_said
from referee.kit.coaching import TurnTree, best_turn, weigh_turn
from referee.kit.hidden_hands import clear_centre, gather_and_deal, lay_in_centre
from referee.kit.options import aimed_options, seats_after
from referee.kit.ranking import rank_by

GO = Option("go", seat=0, face="a", cell=(0, 0))
NUMBER, CHOICE, CARDS = Answer(1, "x", 0, 0), Answer(1, "x", GO, 2), Answer(1, "x", ("a", "b"))


def test_the_parts_of_an_answer_are_given_also_where_they_are_nought() -> None:
    assert (number_said(NUMBER), option_said(CHOICE), cards_said(CARDS)) == (0, GO, ("a", "b"))
    assert (seat_aimed_at(GO), answers.face_aimed_at(GO), answers.cell_aimed_at(GO)) == (0, "a", (0, 0))
    assert (who_said(NUMBER), who_said(CHOICE)) == (0, 2)
    assert (seat_named(Ruling("r", {"seat": 0})), seat_named(Ruling("r", {"by": 3}), "by")) == (0, 3)


@pytest.mark.parametrize(
    ("part", "of", "error"),
    [
        (number_said, CHOICE, TypeError),
        (option_said, NUMBER, TypeError),
        (cards_said, NUMBER, TypeError),
        (who_said, CARDS, ValueError),
        (seat_aimed_at, Option("go"), ValueError),
        (answers.face_aimed_at, Option("go"), ValueError),
        (answers.cell_aimed_at, Option("go"), ValueError),
        (seat_named, Ruling("r", {"seat": "a"}), TypeError),
    ],
)
def test_a_part_that_an_answer_has_not_is_an_error(part: Callable[[Any], Any], of: object, error: type) -> None:
    with pytest.raises(error):
        part(of)


def test_a_turn_is_told_by_what_it_gained_and_lost_against_the_best() -> None:
    heard = HeardAnswer(7, None, (), NUMBER, (), None)
    judged = weigh_turn(heard, 3, 2, 3.0, (5.0, 4), card="a")
    own, better = (remark.values for remark in judged.remarks)
    assert (own, better) == ({"seat": 3, "gain": 1}, {"card": "a", "gain": 3, "lost": 2})


def test_a_word_is_aimed_at_each_seat_in_order() -> None:
    assert aimed_options("to", (2, 0)) == (Option("to", seat=2), Option("to", seat=0))


@pytest.mark.parametrize(
    ("points", "order", "places"),
    [
        ((), [], []),
        ((3,), [0], [1]),
        ((1, 5, 3), [1, 2, 0], [1, 2, 3]),
        ((4, 7, 7, 4), [1, 2, 0, 3], [1, 1, 3, 3]),
        ((-1, 0), [1, 0], [1, 2]),
    ],
)
def test_seats_with_as_much_share_a_place_and_the_next_comes_after_all_of_them(
    points: tuple[int, ...], order: list[int], places: list[int]
) -> None:
    assert rank_by("points", points) == tuple(
        Standing(seat, place, {"points": points[seat]}) for seat, place in zip(order, places, strict=True)
    )


def test_who_is_out_comes_last_whoever_left_first_at_the_very_end() -> None:
    ranked = rank_by("points", (1, 3, 0, 2), out=(1, 3), discs=(4, 0, 2, 0))
    assert [(each.seat, each.place) for each in ranked] == [(0, 1), (2, 2), (3, 3), (1, 4)]
    assert [each.out for each in ranked] == [False, False, True, True]
    assert ranked[-1].counts == {"points": 3, "discs": 0}


def test_the_turn_goes_round_and_skips_who_has_passed() -> None:
    assert seats_after(2, 5) == (3, 4, 0, 1)
    assert seats_after(2, 5, skipped={3, 0}) == (4, 1)
    assert seats_after(0, 1) == ()


def test_cards_are_gathered_shuffled_and_dealt() -> None:
    assert gather_and_deal(2, 5) == (
        Move(hand_of(0), PILE),
        Move(hand_of(1), PILE),
        Move(CENTRE, PILE),
        Move(DISCARD, PILE, shuffled=True),
        Move(PILE, hand_of(0), 5),
        Move(PILE, hand_of(1), 5),
    )
    assert lay_in_centre(1, "a") == (Move(hand_of(1), CENTRE, 1, faces=("a",)),)
    assert clear_centre() == (Move(CENTRE, DISCARD),)


def test_cards_come_from_the_hands_of_those_asked_or_from_the_pile() -> None:
    def sources(*seats: int) -> tuple[object, ...]:
        return from_hands_or_pile(None, Show("s", seats, 1, CENTRE, Deck("d", {"a": 1}), Counter({"a": 1})))

    assert (sources(2, 0), sources()) == ((hand_of(2), hand_of(0)), (PILE,))


@pytest.mark.parametrize(("best", "is_told"), [(0.4, False), (0.5, False), (0.6, True)])
def test_a_better_choice_is_told_where_it_is_worth_more(best: float, is_told: bool) -> None:
    heard = HeardAnswer(7, None, (), NUMBER, (), None)
    own, other = Weighed(0.5, 0, Remark("own", {})), Weighed(best, 4, Remark("other", {}))
    judged = weigh_choice(heard, 3, Kind.CHANCE, own, other)
    assert (judged.moment, judged.seat, judged.chosen, judged.worth) == (7, 3, 0, 0.5)
    assert [remark.key for remark in judged.remarks] == (["own", "other"] if is_told else ["own"])
    assert (judged.best, judged.better) == ((best, 4) if is_told else (0.5, None))
    assert judged.loss == pytest.approx(max(0, best - 0.5))


DEPTH = 3


def steps(node: tuple[int, ...]) -> Iterator[tuple[Answer, tuple[int, ...]]]:
    if len(node) < DEPTH:
        yield from ((Answer(0, "add", step), (*node, step)) for step in range(3))


TREE: TurnTree[tuple[int, ...]] = TurnTree(steps, lambda node: float(node[0] * 5 - sum(node[1:]) ** 2))


def test_every_way_is_tried_once_and_the_best_counts() -> None:
    found = best_turn(TREE, (), 1000)
    assert (found.worth, found.is_exact, found.tried) == (10.0, True, 1 + 3 + 9 + 27)
    assert best_turn(TREE, (1, 2), 1000).worth == 1


@pytest.mark.parametrize("most", range(1, 43))
def test_a_search_is_exact_if_there_are_no_more_ways_than_are_wanted(most: int) -> None:
    found = best_turn(TREE, (), most)
    assert (found.is_exact, found.tried) == (most >= 40, min(most, 40))
