"""What a hand held for certain, told by what is moved out of it later."""

from referee.contract import DISCARD, PILE, Answer, HeardAnswer, Move, Ruling, hand_of, make_ruling
from referee.kit.held_cards import cards_held

OWN = hand_of(0)
MOVES = {
    "lays": Move(OWN, DISCARD, 1, faces=("a",)),
    "lays-b": Move(OWN, DISCARD, 1, faces=("b",)),
    "takes-a": Move(DISCARD, OWN, 1, faces=("a",)),
    "draws": Move(PILE, OWN, 1),
    "other": Move(hand_of(1), DISCARD, 1, faces=("a",)),
    "gives": Move(OWN, PILE, 1),
}


def moves_of(_state: object, ruling: Ruling) -> tuple[Move, ...]:
    """Give the one move of a ruling."""
    return (MOVES[ruling.key],)


def held(*keys: str) -> list[tuple[str, ...]]:
    """Tell what was held before each of these rulings."""
    line = tuple(
        HeardAnswer(number, None, (), Answer(number, "x"), (make_ruling(key),), None)
        for number, key in enumerate(keys)
    )
    return list(cards_held(line, moves_of, lambda _heard: OWN))


def test_a_card_that_is_laid_was_in_the_hand_all_along() -> None:
    assert held("other", "lays", "lays") == [("a", "a"), ("a", "a"), ("a",)]


def test_a_card_that_was_seen_being_taken_was_not_there_before() -> None:
    assert held("takes-a", "lays", "lays-b") == [("b",), ("a", "b"), ("b",)]


def test_what_was_drawn_unseen_may_be_any_card_that_is_laid_later() -> None:
    assert held("lays-b", "draws", "lays") == [("b",), (), ("a",)]


def test_a_card_that_leaves_unseen_says_nothing() -> None:
    assert held("gives", "lays") == [("a",), ("a",)]
