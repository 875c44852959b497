"""The count: examples of the dossier, and a second scorer written from the printed rules alone."""

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from referee.games.ogallala.deck import BOOTY, SET_OF, House
from referee.games.ogallala.final_count import points_of, score, steps_of
from referee.games.ogallala.territory import Canoe, territory_of
from tests.referee.games.ogallala.script import face, territory
from tests.referee.games.ogallala.second_scorer import points_of_canoe, points_of_row

L, R, C = "gold-left", "gold-right", "gold-digger"


@pytest.mark.parametrize(
    ("row", "points", "in_any_order"),
    [
        ("B S", 2, 2),
        (f"B {L} S", 13, 13),
        (f"B {R} S", 13, 13),
        (f"B {L} {R} S", 44, 44),
        (f"B {L} {R} {C} S", 95, 95),
        (f"B {C} {L} {R} S", 95, 95),
        (f"B {C} {R} {L} S", 35, 95),
        (f"B {L} {C} S", 24, 24),
        ("B 1r 2r keg fur 3r S", 27, 27),
        ("B 1r 2r keg fur 3r 4r S", 36, 36),
        (f"B {L} {R} 1r {C} S", 56, 56),
        (f"B {R} {L} 1r {C} S", 36, 56),
        (f"B {R} {L} S", 24, 44),
        (f"B {L} {C} {R} S", 35, 95),
        ("B keg fur gold-left gold-right gold-digger", 0, 0),
        ("B G S", 3, 3),
        ("B 1r S B 2r keg S", 3 + 14, 3 + 14),
    ],
)
def test_points(row: str, points: int, in_any_order: int) -> None:
    assert score(House(), territory(row)) == points
    assert score(House(combo_order="any"), territory(row)) == in_any_order
    assert points_of_row([face(word) for word in row.split()]) == points


def test_steps_list_counted_cards() -> None:
    canoe = Canoe((0, 0), tuple(face(word) for word in f"B {L} {R} 1r {C} S".split()))
    assert [(step.key, step.cards, step.points) for step in steps_of(House(), canoe)] == [
        ("count-short", canoe.cards, 6),
        ("count-pair", (L, R), 40),
        ("count-prizes", (C,), 10),
    ]


middles = st.sampled_from([sorted(BOOTY | {"red-chief", "guardian", "black-warrior-1"}), [*SET_OF]]).flatmap(
    lambda cards: st.lists(st.sampled_from(cards), unique=True, max_size=12).map(tuple)
)


@given(cards=middles, any_order=st.booleans())
def test_second_scorer_agrees_on_any_canoe(cards: tuple[str, ...], *, any_order: bool) -> None:
    canoe = Canoe((0, 0), ("empty-bow", *cards, "red-stern"))
    house = House(combo_order="any" if any_order else "strict")
    assert points_of(house, canoe) == points_of_canoe([*canoe.cards], any_order=any_order)


@given(st.lists(st.sampled_from(["", "empty-bow", "red-stern", "keg", L, R, C, "red-chief"]), max_size=14))
def test_second_scorer_finds_the_same_canoes(row: list[str]) -> None:
    assume(all(row.count(card) < 2 for card in (L, R, C)))
    pairs = list(pairwise(row))
    assume(all(not (a and b) or (a == "red-stern") == (b == "empty-bow") for a, b in pairs))
    cells = {(place, 0): card for place, card in enumerate(row) if card}
    assert score(House(), territory_of(cells)) == points_of_row(row)
