"""Small helpers for games: parts of answers, moves of hidden cards, turn order."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from referee.contract import CENTRE, DISCARD, PILE, Move, hand_of
from referee.contract.asks import Answer, Option, Ruling
from referee.kit import answers
from referee.kit.answers import cards_said, number_said, option_said, seat_aimed_at, seat_named, who_said
from referee.kit.coaching import TurnTree, best_turn
from referee.kit.hidden_hands import clear_centre, gather_and_deal, lay_in_centre
from referee.kit.options import seats_after
from referee.kit.tricks import Denial, TrickOrder, lay_card, tricks_of

GO = Option("go", seat=0, face="a", cell=(0, 0))
NUMBER, CHOICE, CARDS = Answer(1, "x", 0, 0), Answer(1, "x", GO, 2), Answer(1, "x", ("a", "b"))


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
def test_missing_answer_part_raises(part: Callable[[Any], Any], of: object, error: type) -> None:
    with pytest.raises(error):
        part(of)


def test_turn_order_skips_passed_seats() -> None:
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


def test_denial_may_exempt_one_card() -> None:
    order = TrickOrder({"Qs": "s", "3s": "s"}, {})
    denials = (Denial(1, "s", 1, apart="Qs"),)
    assert lay_card(order, denials, Denial(1, "h", 2, "Qs"))[1] == ()
    assert lay_card(order, denials, Denial(1, "s", 2, "3s")) == ((), denials)


def test_card_refutes_only_matching_denials() -> None:
    order = TrickOrder({"3s": "s", "3h": "h", "3d": "d"}, {})
    first, second = Denial(1, "s", 2, "3h"), Denial(1, "s", 3, "3d")
    others = (Denial(0, "s", 2, "3h"), Denial(1, "h", 2))
    denials, shown = lay_card(order, (*others, first, second), Denial(1, "d", 4, "3s"))
    assert (shown, tricks_of(shown)) == ((first, second), (2, 3))
    assert denials == (*others, Denial(1, "d", 4, "3s"))


DEPTH = 3


def steps(node: tuple[int, ...]) -> Iterator[tuple[Answer, tuple[int, ...]]]:
    if len(node) < DEPTH:
        yield from ((Answer(0, "add", step), (*node, step)) for step in range(3))


TREE: TurnTree[tuple[int, ...]] = TurnTree(steps, lambda node: float(node[0] * 5 - sum(node[1:]) ** 2))


@pytest.mark.parametrize("most", range(1, 43))
def test_search_within_its_limit_is_exact(most: int) -> None:
    found = best_turn(TREE, (), most)
    assert (found.is_exact, found.tried) == (most >= 40, min(most, 40))
