"""Tricks at Coup d'État: chances against dealing every hand, and only what a seat could know."""

from itertools import permutations

import pytest
from msgspec.structs import replace

from referee.coaching import line_of
from referee.games.coup_d_etat.coaching import chance_to_take, stake_of
from referee.games.coup_d_etat.deck import COUP, STRENGTH, SUIT, deck_for
from referee.games.coup_d_etat.state import Deal, Denial, Playing, State, Trick
from tests.referee.laboratories import match_by_bots

TABLE = 4


def late(
    cards: tuple[str, ...] = (), denials: tuple[Denial, ...] = ()
) -> tuple[State, Playing, tuple[str, ...]]:
    """Give the seventh trick, led by seat 0: two cards each, the others have fallen."""
    left = ("As", "10s", "Ks", "Qs", "9h", "8h", "Ad", "10d", "7c")
    seen = tuple(card for card in deck_for(TABLE).counts if card not in {*left, COUP})
    tricks = tuple(Trick(0, seen[start : start + TABLE], 0) for start in range(0, 24, TABLE))
    playing = Playing(Deal("siege", 0), 0, SUIT[cards[0]] if cards else "", cards, (*seen, *cards), tricks)
    playing = replace(playing, denials=denials)
    first = line_of(match_by_bots("coup-d-etat", "rule text", TABLE))[0].state
    return replace(first, stage=playing), playing, tuple(card for card in left if card not in cards)


def dealt_chance(card: str, own: tuple[str, ...], left: tuple[str, ...], to_come: int, others: int) -> float:
    """Deal the unseen cards to the places of those to come, and to all the others, in every order."""
    unseen = [other for other in left if other not in own]
    beaten = [
        any(SUIT[other] == SUIT[card] and STRENGTH[other] > STRENGTH[card] for other in dealt[:to_come])
        for dealt in permutations(unseen, min(len(unseen), to_come + others))
    ]
    return 1 - sum(beaten) / len(beaten)


@pytest.mark.parametrize("card", ["As", "10s", "Qs", "9h"])
def test_a_lead_takes_the_trick_as_often_as_dealing_every_hand_says(card: str) -> None:
    state, playing, left = late()
    own = (card, "7c")
    expected = dealt_chance(card, own, left, to_come=6, others=0)
    assert chance_to_take(state, playing, own, card) == pytest.approx(expected)


def test_a_card_is_beaten_by_those_still_to_come_only() -> None:
    state, playing, left = late(("Qs",))
    own = ("10s", "7c")
    expected = dealt_chance("10s", own, left, to_come=4, others=2)
    assert chance_to_take(state, playing, own, "10s") == pytest.approx(expected)
    assert chance_to_take(state, playing, own, "7c") == 0


def test_who_denied_a_suit_can_t_beat_its_cards() -> None:
    state, playing, _left = late(("Qs",), tuple(Denial(seat, "s", 2) for seat in (2, 3)))
    assert chance_to_take(state, playing, ("10s", "7c"), "10s") == 1


def test_what_lies_in_a_trick_is_what_the_contract_names() -> None:
    _state, siege, _left = late(("Qs",))
    assert stake_of(siege, 1, TABLE, "10s") == 200
    assert stake_of(replace(siege, deal=Deal("victory", 0)), 1, TABLE, "10s") == 200
    assert stake_of(replace(siege, deal=Deal("barbu", 0)), 1, TABLE, "10s") == 0
    assert stake_of(replace(siege, deal=Deal("siege", 0, claimant=1)), 1, TABLE, "10s") == 800 + 3 * 1000
    assert stake_of(replace(siege, deal=Deal("prison", 0), tricks=()), 1, TABLE, "9h") == 400
