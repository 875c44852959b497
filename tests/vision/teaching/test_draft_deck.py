"""A deck that grows card by card: what is known, how names are judged, and wrong names."""

import numpy as np
import pytest
from msgspec.structs import replace

from tests.vision.teaching.cards import card, learnt
from vision.teaching.draft_deck import (
    DraftDeck,
    contradictions,
    is_known,
    named,
    nearness,
    take_back,
    unknown_share,
    unnamed,
)
from vision.teaching.naming import strangers_among
from vision.teaching.same_card import compare_cards


def test_two_pictures_of_a_card_are_the_same_either_way_up() -> None:
    compared = compare_cards(card("Qs"), np.ascontiguousarray(card("Qs", 1)[::-1, ::-1]))
    assert compared.is_same


@pytest.mark.parametrize(("one", "other"), [("7h", "8h"), ("Qs", "Qc"), ("7h", "7d"), ("As", "Ac")])
def test_similar_faces_are_not_the_same_card(one: str, other: str) -> None:
    assert not compare_cards(card(one), card(other, 1)).is_same


def test_a_face_is_known_from_two_places_or_if_none_is_like_it() -> None:
    draft = named(DraftDeck("mine"), learnt("7h"), "7h")
    assert is_known(draft, "7h")
    draft = replace(draft, nearest={"7h": 0.7})
    assert not is_known(draft, "7h")
    assert is_known(named(draft, learnt("7h", "2", 1), "7h"), "7h")


def test_the_share_of_unknown_cards_follows_the_possible_faces() -> None:
    draft = DraftDeck("mine", possible={"7h": 1, "8h": 1, "Qs": 2})
    assert unknown_share(draft) == pytest.approx(0.9)
    assert unknown_share(named(draft, learnt("Qs"), "Qs")) == pytest.approx(0.5)


def test_without_a_list_the_share_of_unknown_cards_falls_as_faces_repeat() -> None:
    first = named(named(DraftDeck("mine"), learnt("7h"), "7h"), learnt("Qs"), "Qs")
    again = named(first, learnt("Qs", "2", 1), "Qs")
    assert unknown_share(again) < unknown_share(first)


def test_a_picture_of_known_cards_lowers_its_own_share_of_unknown_ones() -> None:
    assert strangers_among(0.5, [0.99] * 8) < strangers_among(0.5, []) < strangers_among(0.5, [0.1] * 8)


def test_near_faces_make_a_deck_careful() -> None:
    assert nearness([0.3] * 9) < nearness([]) < nearness([1.2] * 9)


def test_a_name_also_names_the_group_of_the_same_card() -> None:
    draft = unnamed(unnamed(DraftDeck("mine"), learnt("7h", "1", 1)), learnt("7h", "2", 2))
    assert [len(group) for group in draft.unnamed] == [2]
    draft = named(unnamed(draft, learnt("Qs")), learnt("7h", "3"), "7h")
    assert len(draft.faces["7h"]) == 3
    assert len(draft.unnamed) == 1


def test_the_same_card_under_two_names_is_taken_back() -> None:
    draft = named(
        named(named(DraftDeck("mine"), learnt("7h"), "7h"), learnt("Qs"), "Qs"), learnt("7h", "2", 1), "8h"
    )
    assert set(contradictions(draft, "8h")) == {"7h", "8h"}
    assert contradictions(draft, "Qs") == ()
    draft = take_back(draft, contradictions(draft, "8h"))
    assert set(draft.faces) == {"Qs"}
    assert [len(group) for group in draft.unnamed] == [2]


def test_different_cards_under_one_name_are_asked_for_separately() -> None:
    draft = named(named(DraftDeck("mine"), learnt("7h"), "7h"), learnt("Qs", "2"), "7h")
    draft = named(take_back(draft, ("7h",)), learnt("7h", "3"), "7h")
    assert len(draft.faces["7h"]) == 2
    assert [len(group) for group in draft.unnamed] == [1]
