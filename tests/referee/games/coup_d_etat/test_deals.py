"""The frame of the game: President, deal, Coup card, contract, payments, tours, house rules that can't be."""

import pytest

from referee.contract import CENTRE, Option, Refusal
from referee.contract.cards import face_named
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.contracts import CONTRACTS
from referee.games.coup_d_etat.deck import LEFT_OUT_BY_THREE, deck_for
from referee.games.coup_d_etat.house import contracts_of
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.coup_d_etat.script import Script, dealt, sit_down, try_begin

AFTER_THE_KING = "Ad Kd Qd Jd 10d 9d 8d 7d Ah 10h Qh Jh 9h 8h 7h As Ks Qs Js 10s 9s 8s 7s Kc Qc Jc 10c 9c"
"""The other 28 cards after a trick of 7c, Ac, 8c and Kh, fallen as they come: revokes are only told."""


@within("first-president")
def test_the_highest_card_makes_the_first_president() -> None:
    script = sit_down().draws("10s Kh Qd As")
    assert script.ruling("tour") == {"number": 1, "tours": 4, "president": 3}
    assert script.ruling("deal") == {"president": 3, "number": 1, "deals": 6}


def test_the_ten_stands_above_the_king_and_the_coup_card_above_all() -> None:
    assert sit_down(3).draws("Kh 10s Qd").state.president == 1
    assert sit_down(3).draws("Ah coup As").state.president == 1


@beyond("first-president")
def test_equals_draw_again() -> None:
    script = sit_down().draws("Kh 9s Kd Kc")
    assert script.ruling("draw-again") == {"seats": (0, 2, 3)}
    assert script.refusal("draw", ("9s",))[0] == "already-seen"
    assert script.draws("7h 8h Qc").state.president == 3


@on_both_sides_of("three-players")
def test_decks() -> None:
    """CE-06."""
    assert (deck_for(4).size, deck_for(3).size) == (33, 25)
    assert [len(LEFT_OUT_BY_THREE), deck_for(3).size - 1] == [8, 24]
    assert [face_named(deck_for(4), text) for text in ("10♥", "k♣", "COUP")] == ["10h", "Kc", "coup"]
    script = dealt(3).declines(0, "victory")
    assert script.refusal("card", ("7h",)) == ("unknown-card", {"card": "7h", "deck": "piquet"})
    assert not script.legal & set(LEFT_OUT_BY_THREE)


def test_the_coup_card_in_the_middle_is_a_redeal() -> None:
    """CE-18: the contracts are as they were."""
    script = dealt().declines(1, "dominos")
    assert script.state.used == ("dominos",)
    script = dealt().answers("nobody", Option("redeal"))
    assert script.ruling("redeal") == {}
    assert script.ruling("deal") == {"president": 0, "number": 1, "deals": 6}
    assert script.state.used == ()


def test_the_holder_of_the_coup_card_says_so_without_being_known() -> None:
    script = dealt()
    assert [(ask.key, ask.seats) for ask in script.match.asks] == [("holder", (0, 1, 2, 3)), ("nobody", ())]
    assert script.answers("holder", Option("attempt"), 2).seat_of("coup-contract") == 2
    assert script.answers("holder", Option("decline"), 2).seat_of("contract") == 0


def test_a_contract_is_used_up() -> None:
    script = dealt(revoke_penalty="told").declines(1, "barbu").plays("7c Ac 8c Kh").plays(AFTER_THE_KING)
    after = script.answers("holder", Option("attempt"), 3)
    assert after.words("coup-contract") == ["victory", "siege", "prison", "guillotine", "dominos"]
    assert after.refusal("coup-contract", Option("barbu"), 3)[0] == "no-such-option"


def test_the_president_may_attempt_a_coup() -> None:
    script = dealt().attempts(0, "prison")
    assert script.ruling("prison-coup") == {"seat": 0, "reward": 600, "amount": 800}
    assert script.turn == 0


@on_both_sides_of("leader")
@pytest.mark.parametrize("contract", CONTRACTS)
def test_the_memento_is_told_on_both_sides(contract: str) -> None:
    president, claimant = dealt().declines(1, contract), dealt().attempts(2, contract)
    assert president.ruling(f"{contract}-president")["seat"] == 0
    assert claimant.ruling(f"{contract}-coup")["seat"] == 2
    assert (president.turn, claimant.turn) == (0, 2)


# Payments, each with its moment


@beyond("first-trick-paid")
def test_barbu_is_paid_at_the_end() -> None:
    script = dealt(revoke_penalty="told").declines(2, "barbu").plays("7c Ac 8c Kh")
    assert script.ruling("so-far-king") == {"seat": 1, "count": 1}
    assert script.money() == (0, 0, 0, 0)
    script = script.plays(AFTER_THE_KING)
    assert script.ruling("count-king") == {"seat": 1, "count": 1, "amount": 800}
    assert script.ruling("pays") == {"payer": 1, "payee": 0, "amount": 800}
    assert script.money() == (800, -800, 0, 0)
    assert script.ruling("deal")["number"] == 2


@beyond("given-back")
@within("first-trick-paid")
def test_prison_is_paid_as_the_tricks_fall() -> None:
    script = dealt(revoke_penalty="told").declines(2, "prison").plays("7c Ac 8c Kh")
    assert script.ruling("pays") == {"payer": 1, "payee": 0, "amount": 400}
    assert script.money() == (400, -400, 0, 0)
    script = script.plays(AFTER_THE_KING)
    last = script.ruling("count-last-trick")["seat"]
    expected = [400, -400, 0, 0]
    expected[0] += 400 if last else 0
    expected[last] -= 400 if last else 0
    assert script.money() == tuple(expected)


def test_guillotine_adds_everything_up() -> None:
    """Every price once: 3200 F in all; a queen of spades costs 300 F."""
    script = dealt(revoke_penalty="told").declines(2, "guillotine").plays("7c Ac Qs Kh")
    assert script.money() == (400, -400, 0, 0)
    script = script.plays("7d Ad Kd Qd Ah 10h Qh Jh As 10s Ks Js 10d Jd 9d 8d 9h 8h 7h 8c 9s 8s 7s 9c")
    script = script.plays("Qc Jc Kc 10c")
    bills = [(ruling.key, *ruling.values.values()) for ruling in script.rulings if "count" in ruling.key]
    assert bills == [
        ("count-king", 1, 1, 800),
        ("count-queens", 1, 2, 400),
        ("count-spades", 1, 1, 100),
        ("count-last-trick", 1, 1, 400),
        ("count-queens", 2, 2, 400),
        ("count-spades", 2, 7, 700),
    ]
    assert script.money() == (3200, -2100, -1100, 0)


ALL_TO_BO = "7c Ac 9s 8s Ad 7s As 10s Ah Qs Js Ks"
"""Three tricks with all the spades in them: Bo takes them from the one who leads first."""
REST = "8c 7d 8d 9d 10d Jd Qd Kd 7h 8h 9h 10h Jh Qh Kh 9c 10c Jc Qc Kc"
TO_TWO = "7c Ac 9s 8s 7d Ad As 10s Ah Qs Js Ks"
"""The same spades: two to Bo, five to Chloé, and Bo's last trick."""
REST_OF_TWO = "8c 8d 9d 10d Jd Qd Kd 7h 8h 9h 10h Jh Qh Kh 9c 10c Jc Qc Kc 7s"


def test_each_spade_costs_a_hundred() -> None:
    """CE-03: three spades are 300 F to the President; five are 500 F."""
    script = dealt(revoke_penalty="told").declines(3, "siege").plays(TO_TWO).plays(REST_OF_TWO)
    assert [tuple(values.values()) for values in script.all_told("count-spades")] == [(1, 3, 300), (2, 5, 500)]
    assert script.money() == (800, -300, -500, 0)


def test_a_secret_siege_brings_a_thousand_from_each() -> None:
    """CE-04: pays nothing, becomes President."""
    script = dealt(revoke_penalty="told").declines(3, "siege").plays(ALL_TO_BO).plays(REST)
    assert script.ruling("secret-coup") == {"seat": 1}
    assert script.money() == (-1000, 3000, -1000, -1000)
    assert script.state.president == 1
    assert not script.all_told("count-spades")


@pytest.mark.parametrize(("takes_bank", "gain", "left"), [(False, 3000, 800), (True, 3800, 0)])
def test_a_secret_coup_takes_the_bank_only_where_that_is_agreed(takes_bank: bool, gain: int, left: int) -> None:
    """« L'argent de la banque va au premier qui réussit un "Coup d'Etat" »: it may be a secret one."""
    script = fails(dealt(revoke_penalty="told", secret_takes_bank=takes_bank), 3, "prison")
    script = script.declines(3, "siege").plays(ALL_TO_BO).plays(REST)
    assert script.ruling("secret-coup") == {"seat": 1}
    assert script.money() == (-1000, gain, -1000, -1000 - 800)
    assert script.state.bank == left
    assert [told["amount"] for told in script.all_told("takes-bank")] == [800] * takes_bank


def test_with_three_players_a_secret_siege_takes_six_spades() -> None:
    """CE-17."""
    script = dealt(3, revoke_penalty="told").declines(2, "siege").plays("9c Ac 9s").plays("Ad 10s As")
    script = script.plays("Ah Qs Js").plays("Jc Ks 9d").plays("Kc Qd 10d Kd Qc 10c Jd 9h 10h Jh Qh Kh")
    assert script.ruling("secret-coup") == {"seat": 1}
    assert script.money() == (-1000, 2000, -1000)


def test_the_president_takes_all_spades_for_nothing() -> None:
    to_ana = ALL_TO_BO.replace("7c Ac", "Ac 7c")
    script = dealt(revoke_penalty="told").declines(3, "siege").plays(to_ana).plays(REST)
    assert script.money() == (0, 0, 0, 0)
    assert script.ruling("nobody-pays") == {}
    assert not script.all_told("secret-coup")


def test_without_the_house_rule_all_spades_cost_what_they_cost() -> None:
    script = dealt(revoke_penalty="told", secret_coup=False).declines(3, "siege").plays(ALL_TO_BO).plays(REST)
    assert script.money() == (800, -800, 0, 0)


@on_both_sides_of("secret-fail/bank")
def test_a_player_who_says_they_tried_pays_the_bank() -> None:
    """House rule: a failed secret coup pays the bank what it would have paid the President."""
    script = dealt(revoke_penalty="told", secret_fail="bank").declines(3, "siege").plays(TO_TWO)
    script = script.plays(REST_OF_TWO)
    assert script.ask_keys() == ["secret"]
    assert script.match.asks[0].seats == (1, 2)
    script = script.says("secret", "untried", 1).says("secret", "tried", 2)
    assert script.money() == (300, -300, -500, 0)
    assert script.state.bank == 500


# Coups


def barbu_coup(script: Script, king_at: int) -> Script:
    """Attempt a Barbu from the second seat; the king of hearts falls in the first trick, or the next."""
    script = script.attempts(1, "barbu")
    first = "coup 7c 8c Kh" if king_at == 1 else "coup 7c 8c 9c"
    script = script.plays(first).answers("middle", ("7d",))
    rest = [card for card in deck_for(4).counts if card not in script.state.stage.seen]  # type: ignore[union-attr]
    lead = ["10c", "Ac", "Kc", "Kh"] if king_at == 2 else []
    return script.plays(" ".join([*lead, *(card for card in rest if card not in lead)]))


@beyond("bank")
@beyond("coup-failed")
@within("presidency")
def test_a_coup_that_succeeds_brings_money_the_bank_and_the_presidency() -> None:
    """CE-12: 600 from each, and 1600 that earlier failures left in the bank."""
    script = dealt(revoke_penalty="told")
    for seat, contract in ((2, "dominos"), (3, "prison")):
        script = fails(script, seat, contract)
    assert script.state.bank == 1600
    before = script.state.money
    script = barbu_coup(script, king_at=1)
    assert script.ruling("coup-won") == {"seat": 1}
    assert script.ruling("takes-bank") == {"payer": None, "payee": 1, "amount": 1600}
    gains = tuple(now - was for now, was in zip(script.state.money, before, strict=True))
    assert gains == (-600, 1800 + 1600, -600, -600)
    assert (script.state.president, script.state.bank) == (1, 0)


def fails(script: Script, seat: int, contract: str) -> Script:
    """Let a coup fail: the first of the others is out first, or the first trick goes astray."""
    script = script.attempts(seat, contract)
    if contract == "prison":
        script = script.plays("7c 8c 9c Ac").answers("middle", ("7d",))
        while "card" in script.ask_keys():
            script = script.plays(min(script.legal - {"coup"} or script.legal))
        return script
    script = script.plays("9d")
    while "domino" in script.ask_keys():
        may_pass = script.turn == seat and "pass" in script.ask_keys()
        script = script.plays("-" if may_pass else min(script.legal))
    return script


@within("coup-failed")
def test_a_coup_that_fails_pays_the_bank() -> None:
    """CE-13: no other player pays, the presidency stays."""
    script = barbu_coup(dealt(revoke_penalty="told"), king_at=2)
    assert script.ruling("coup-failed") == {"seat": 1}
    assert script.money() == (0, -800, 0, 0)
    assert (script.state.bank, script.state.president) == (800, 0)


def test_a_president_who_fails_stays_president() -> None:
    script = fails(dealt(revoke_penalty="told"), 0, "prison")
    assert (script.state.bank, script.state.president, script.money()[0]) == (800, 0, -800)


def test_three_queens_of_four_are_a_failure() -> None:
    """CE-15."""
    script = (
        dealt(revoke_penalty="told").attempts(0, "victory").plays("coup Qs Qh Qd").answers("middle", ("7c",))
    )
    script = script.plays(
        "8c Ac Qc 9c As 7s 8s 9s Ad 7d 8d 9d Ah 7h 8h 9h Ks 10s Js Kd 10d Jd Kh Jh 10h 10c Kc Jc"
    )
    assert script.ruling("coup-failed") == {"seat": 0}
    assert script.money() == (-800, 0, 0, 0)


@pytest.mark.parametrize(("rule", "key"), [("listed", "coup-won"), ("all_tricks", "coup-failed")])
def test_what_a_coup_with_guillotine_has_to_take(rule: str, key: str) -> None:
    """Ruling 6: all that is listed and both tricks, or every trick; here one without any of it goes to Bo."""
    script = dealt(revoke_penalty="told", guillotine=rule).attempts(0, "guillotine")
    script = script.plays("coup Qs Kh Qd").answers("middle", ("Qc",)).plays("7c Ac 8c 9c 10c Kc Jc 7d")
    script = script.plays(
        "8d 9d Jd Ad As Ks Js 10s 9s 8s 7s Qh 10d Kd 7h 8h 9h 10h Ah Jh".replace("8d 9d", "9d 8d")
    )
    assert script.all_told(key) or script.all_told("coup-failed")


@beyond("coup-dominos")
def test_second_out_in_dominos_is_a_failure() -> None:
    """CE-20."""
    script = fails(dealt(revoke_penalty="told"), 2, "dominos")
    assert script.ruling("coup-failed") == {"seat": 2}
    assert script.state.bank == 800


@on_both_sides_of("middle")
def test_the_middle_card_belongs_to_the_first_trick() -> None:
    script = dealt().attempts(1, "siege").plays("Ac 7c 8c 9c")
    assert script.match.asks[0].key == "middle"
    assert script.show.zone.name == "proof"
    assert "coup" not in script.legal
    script = script.answers("middle", ("As",))
    assert script.ruling("middle") == {"seat": 1, "card": "As"}
    assert script.ruling("so-far-spades") == {"seat": 1, "count": 1}
    assert "As" not in script.legal


# Tours


@within("bank")
def test_the_bank_goes_to_who_is_president_after_the_last_contract() -> None:
    script = dealt(revoke_penalty="told", left_out=("barbu", "guillotine"))
    script = fails(fails(script, 2, "dominos"), 3, "prison")
    script = script.declines(1, "victory")
    rest = [card for card in deck_for(4).counts if card != "coup"]
    script = script.plays(" ".join(rest))
    assert script.ruling("takes-bank") == {"payer": None, "payee": 0, "amount": 1600}
    assert script.ruling("tour") == {"number": 2, "tours": 4, "president": 1}
    assert script.state.used == ()


@pytest.mark.parametrize(("rule", "starter"), [("left_of_starter", 1), ("left_of_president", 2)])
def test_who_begins_the_next_tour(rule: str, starter: int) -> None:
    """Ruling 1: Bo becomes President by a coup in the last deal of the tour."""
    script = dealt(revoke_penalty="told", left_out=("siege", "guillotine"), next_tour=rule)
    script = barbu_coup(fails(fails(script, 2, "dominos"), 3, "prison"), king_at=1)
    assert script.ruling("president") == {"seat": 1}
    assert script.state.tour == 2
    assert script.state.president == starter


def test_the_simplified_game_plays_three_of_four() -> None:
    script = dealt(left_out=("barbu", "prison"))
    assert script.ruling("deal")["deals"] == 3
    assert contracts_of(script.state.house) == ("victory", "siege", "guillotine", "dominos")


@pytest.mark.parametrize("left_out", [("barbu",), ("barbu", "barbu"), ("barbu", "prison", "siege")])
def test_two_contracts_are_left_out_or_none(left_out: tuple[str, ...]) -> None:
    refused = try_begin(4, left_out=left_out)
    assert isinstance(refused, Refusal)
    assert refused.values == {"why": "left-out", "count": 2}


# Nothing hidden is asked for, and nothing of it is told


def test_the_view_tells_what_lies_open() -> None:
    script = dealt().attempts(1, "siege").plays("Ac 7c 8d 9c").answers("middle", ("As",)).plays("Kd")
    view = COUP_D_ETAT.view(script.state, None)
    assert view == COUP_D_ETAT.view(script.state, 2)
    assert (view.claimant, view.contract, view.turn, view.trick) == (1, "siege", 2, 2)
    assert view.cards == ("Kd",)
    assert view.taken[1] == ("Ac", "7c", "8d", "9c", "As")
    assert view.voids == ((), (), (), ("c",))
    assert script.show.zone == CENTRE


@on_both_sides_of("voids")
def test_voids_are_told_at_the_end_of_their_trick() -> None:
    script = dealt().declines(1, "victory").plays("Ac 7d 8c")
    assert COUP_D_ETAT.insight(script.state) == ()
    script = script.plays("9c")
    assert [(one.key, one.values) for one in COUP_D_ETAT.insight(script.state)] == [
        ("voids", {"seat": 1, "suits": ("c",)})
    ]
    assert COUP_D_ETAT.insight(script.plays("As Ks 9s Qs").state) == ()
