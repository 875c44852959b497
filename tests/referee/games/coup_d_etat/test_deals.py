"""The frame of the game: President, deal, Coup card, contract, coups, tours, house rules that can't be."""

import pytest

from referee.contract import Option, Refusal
from referee.contract.cards import face_named
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.deck import LEFT_OUT_BY_THREE, deck_for
from tests.referee.boundaries import on_both_sides_of
from tests.referee.games.coup_d_etat.script import dealt, sit_down, try_begin


@on_both_sides_of("first-president")
@pytest.mark.parametrize(
    ("seats", "drawn", "president"),
    [
        (4, "10s Kh Qd As", 3),
        # the ten stands above the king, and the Coup card above all; equals draw again
        (3, "Kh 10s Qd", 1),
        (3, "Ah coup As", 1),
        (4, "Kh 9s Kd Kc 7h 8h Qc", 3),
    ],
)
def test_the_highest_card_makes_the_first_president(seats: int, drawn: str, president: int) -> None:
    script = sit_down(seats).draws(drawn)
    assert script.ruling("tour") == {"number": 1, "tours": seats, "president": president}
    assert script.ruling("deal") == {"president": president, "number": 1, "deals": 6}


def test_only_equals_draw_again_and_another_card() -> None:
    script = sit_down().draws("Kh 9s Kd Kc")
    assert script.ruling("draw-again") == {"seats": (0, 2, 3)}
    assert script.refusal("draw", ("9s",))[0] == "already-seen"


@on_both_sides_of("three-players", "deal")
def test_decks() -> None:
    """CE-06: a hand has eight cards, and the middle card is left."""
    assert (deck_for(4).size, deck_for(3).size) == (8 * 4 + 1, 8 * 3 + 1)
    assert [face_named(deck_for(4), text) for text in ("10♥", "k♣", "COUP")] == ["10h", "Kc", "coup"]
    script = dealt(3).declines(0, "victory")
    assert script.refusal("card", ("7h",)) == ("unknown-card", {"card": "7h", "deck": "piquet"})
    assert not script.legal & set(LEFT_OUT_BY_THREE)


@on_both_sides_of("purse")
@pytest.mark.parametrize("players", [3, 4])
def test_everybody_has_ten_thousand_and_the_bank_nothing(players: int) -> None:
    """CE-02."""
    assert sit_down(players).state.money == (10_000,) * players
    assert sit_down(players).state.bank == 0


def test_the_coup_card_in_the_middle_is_a_redeal() -> None:
    """CE-18: the contracts are as they were."""
    script = dealt().answers("nobody", Option("redeal"))
    assert script.ruling("redeal") == {}
    assert script.ruling("deal") == {"president": 0, "number": 1, "deals": 6}
    assert len(script.answers("holder", Option("attempt"), 1).words("coup-contract")) == 6


def test_the_holder_of_the_coup_card_says_so_without_being_known() -> None:
    script = dealt()
    assert [(ask.key, ask.seats) for ask in script.match.asks] == [("holder", (0, 1, 2, 3)), ("nobody", ())]
    assert script.answers("holder", Option("attempt"), 2).seat_of("coup-contract") == 2
    assert script.answers("holder", Option("decline"), 2).seat_of("contract") == 0


def test_a_contract_is_used_up() -> None:
    script = dealt(revoke_penalty="told").declines(1, "barbu").plays("7c Ac 8c Kh").to_the_end()
    after = script.answers("holder", Option("attempt"), 3)
    assert after.words("coup-contract") == {"victory", "siege", "prison", "guillotine", "dominos"}
    assert after.refusal("coup-contract", Option("barbu"), 3)[0] == "no-such-option"


def test_the_simplified_game_plays_three_of_four() -> None:
    script = dealt(left_out=("barbu", "prison"))
    assert script.ruling("deal")["deals"] == 3
    contracts = script.answers("holder", Option("attempt"), 1).words("coup-contract")
    assert contracts == {"victory", "siege", "guillotine", "dominos"}
    for left_out in (("barbu",), ("barbu", "barbu"), ("barbu", "prison", "siege")):
        refused = try_begin(4, left_out=left_out)
        assert isinstance(refused, Refusal)
        assert refused.values == {"why": "left-out", "count": 2}


@on_both_sides_of("voids")
def test_voids_are_told_at_the_end_of_their_trick() -> None:
    script = dealt().declines(1, "victory").plays("Ac 7d 8c")
    assert COUP_D_ETAT.insight(script.state) == ()
    script = script.plays("9c")
    assert [(one.key, one.values) for one in COUP_D_ETAT.insight(script.state)] == [
        ("voids", {"seat": 1, "suits": ("c",)})
    ]
    assert COUP_D_ETAT.view(script.state, None).voids == ((), ("c",), (), ())
    assert COUP_D_ETAT.insight(script.plays("As Ks 9s Qs").state) == ()
