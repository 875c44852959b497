"""Tricks: the order of the cards, what may be led, the Coup card, revokes, cards that lie there wrongly."""

import pytest

from referee.games.coup_d_etat.deck import RANKS
from referee.match import Correct, Match, correct
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.coup_d_etat.script import Script, dealt

TRICKS = [
    ("10c Kc Ac 7d", 2),
    ("Kh 10h 9h 8h", 1),
    ("9s Ah As 8s", 2),
    ("9s Ah Ad Ac", 0),
    ("7d 8d 9d Jd", 3),
    ("Qd Jd 9d Kd", 3),
]
"""CE-10 and others: a trick, and which of its cards takes it."""


@pytest.mark.parametrize(("cards", "place"), TRICKS)
def test_who_takes_a_trick(cards: str, place: int) -> None:
    script = dealt().declines(1, "victory").plays(cards)
    assert script.ruling("trick") == {"seat": place, "number": 1, "cards": tuple(cards.split())}
    assert script.turn == place


def test_a_card_belongs_to_the_seat_in_turn() -> None:
    script = dealt().declines(1, "victory").plays("7c")
    assert script.turn == 1
    assert script.refusal("card", ("8c",), 2) == ("not-you", {"seats": (1,)})
    assert script.refusal("card", ("8c",), None, (2,)) == ("out-of-turn", {"seats": (1,)})
    assert script.plays("8c").turn == 2


def test_two_at_once_and_none_are_refused() -> None:
    script = dealt().declines(1, "victory").plays("7c")
    assert script.refusal("card", ("8c", "9c")) == ("card-count", {"shown": 2, "wanted": 1})
    assert script.refusal("card", ()) == ("card-count", {"shown": 0, "wanted": 1})


def test_a_card_is_played_once() -> None:
    script = dealt().declines(1, "victory").plays("7c 8c 9c 10c")
    assert script.refusal("card", ("8c",)) == ("already-seen", {"card": "8c", "left": 0})
    assert script.refusal("card", ("coup",)) == ("already-seen", {"card": "coup", "left": 0})


# The opening lead

LEADS = [("barbu", "h"), ("siege", "s"), ("guillotine", "sh"), ("victory", ""), ("prison", "")]


@within("not-led/opening")
@pytest.mark.parametrize(("contract", "barred"), LEADS)
@pytest.mark.parametrize("is_coup", [False, True])
def test_what_may_not_be_led(contract: str, barred: str, *, is_coup: bool) -> None:
    """Rulings 2 and 3: it binds a claimant, too; the Coup card is of no suit."""
    script = dealt().attempts(1, contract) if is_coup else dealt().declines(1, contract)
    assert {card[-1] for card in script.legal - {"coup"}} == set("shdc") - set(barred)
    assert ("coup" in script.legal) == is_coup
    for suit in barred:
        why = f"lead-{contract}"
        assert script.refusal("card", (f"9{suit}",)) == ("card-barred", {"why": why, "card": f"9{suit}"})
    assert script.plays("7d").legal >= {"9s", "9h"}


@beyond("not-led/opening")
@pytest.mark.parametrize(("rule", "is_barred"), [("opening", False), ("all_leads", True)])
def test_later_leads(rule: str, *, is_barred: bool) -> None:
    script = dealt(lead_rule=rule).declines(1, "barbu").plays("7c 8c 9c 10c")
    assert ("9h" not in script.legal) == is_barred
    assert ("only" in script.ask_keys()) == is_barred


def test_a_hand_of_nothing_else_may_lead_anything() -> None:
    script = dealt().declines(1, "siege")
    assert script.ask_keys() == ["only", "card"]
    script = script.says("only", "only")
    assert script.ask_keys() == ["card"]
    script = script.plays("9s 8s 7s Ks")
    assert script.turn == 3
    assert not script.plays("8c 10s").all_told("revoke-said")


def test_who_said_to_hold_nothing_else_and_did_is_caught() -> None:
    script = dealt().declines(1, "siege").says("only", "only").plays("9s 8s 7s Ks").plays("8d 7d")
    assert script.ruling("revoke-said") == {
        "seat": 0, "suit": "d", "first": 1, "card": "", "second": 2, "shown": "7d",
    }  # fmt: skip
    assert "stop" in script.ask_keys()


def test_what_was_said_in_haste_is_forgotten() -> None:
    """A player who leads another suit after all has done no harm."""
    script = dealt().declines(1, "siege").says("only", "only").plays("9d 8d 7d Kd").plays("8c 7c Ac 10c")
    assert not script.all_told("revoke-said")
    assert script.ask_keys() == ["card"]


def test_when_nothing_else_is_left_anything_may_be_led() -> None:
    script = dealt(lead_rule="all_leads", revoke_penalty="told").declines(1, "barbu")
    script = script.plays("As Ks Qs Js 10s 9s 8s 7s Ad Kd Qd Jd 10d 9d 8d 7d Ac Kc Qc Jc 10c 9c 8c 7c")
    assert script.legal == {f"{rank}h" for rank in RANKS}
    assert script.ask_keys() == ["card"]


# The Coup card


@beyond("coup-last")
def test_the_coup_card_takes_the_ace_and_may_be_played_at_any_time() -> None:
    script = dealt().attempts(2, "victory").plays("7c Ac 8c 9c").answers("middle", ("7d",))
    script = script.plays("As Ks").plays("Qs coup")
    assert script.ruling("trick")["seat"] == 2
    assert not script.plays("8s 9s 10s Js").all_told("revoke")


def test_the_coup_card_is_its_holders_alone() -> None:
    script = dealt().attempts(2, "victory").plays("7c")
    assert script.refusal("card", ("coup",)) == ("card-barred", {"why": "coup-of-another", "card": "coup"})


def test_only_when_void_shows_that_there_was_nothing_to_follow_with() -> None:
    """Ruling 4."""
    script = dealt(coup_card="only_when_void").attempts(2, "victory")
    script = script.plays("7c Ac 8c 9c").answers("middle", ("7d",)).plays("As Ks Qs coup")
    assert script.plays("8s").ruling("revoke") == {
        "seat": 2, "suit": "s", "first": 2, "card": "coup", "second": 3, "shown": "8s",
    }  # fmt: skip


def test_after_the_coup_card_the_others_are_free() -> None:
    script = dealt().attempts(2, "victory").plays("coup Ac 7d 9s").answers("middle", ("7c",))
    assert not script.plays("8c 9c 8d Ks").all_told("revoke")
    assert script.turn == 2


def test_the_player_who_leads_the_coup_card_may_have_to_name_a_suit() -> None:
    script = dealt(coup_led="leader_names_suit").attempts(2, "siege").plays("coup")
    assert script.words("suit") == ["hearts", "diamonds", "clubs"]
    script = script.says("suit", "clubs").plays("Ac 7d 9c")
    assert script.ruling("trick")["seat"] == 2
    script = script.answers("middle", ("7c",)).plays("8d 9d")
    assert not script.all_told("revoke")
    assert script.plays("8c").ruling("revoke")["card"] == "7d"


@within("coup-last")
def test_a_coup_card_that_has_not_been_played_comes_last() -> None:
    script = dealt(revoke_penalty="told").attempts(0, "prison").plays("Ac 7c 8c 9c").answers("middle", ("7d",))
    script = script.plays("As 7s 8s 9s Ah 7h 8h 9h Ad 9d 8d Jd 10c Kc Jc Qc 10s Ks Js Qs 10h Kh Jh Qh")
    assert script.turn == 0
    assert script.legal == {"coup"}
    assert script.refusal("card", ("Kd",)) == ("card-barred", {"why": "coup-last", "card": "Kd"})


# Revokes


def script_with_revoke(**house: str) -> Script:
    """CE-23: Bo discards a club on a heart, and later lays a heart."""
    script = dealt(**house).declines(2, "victory").plays("Ah 7c 8h 9h Kd 7d 8d 9d")
    return script.plays("10h Jh")


def test_a_revoke_is_told_with_both_tricks() -> None:
    assert script_with_revoke().ruling("revoke") == {
        "seat": 1, "suit": "h", "first": 1, "card": "7c", "second": 3, "shown": "Jh",
    }  # fmt: skip


def test_a_revoke_is_told_once_for_each_suit() -> None:
    assert not script_with_revoke().plays("Qs Ks 7h Qh").all_told("revoke")


def test_the_table_may_stop_a_deal_that_a_revoke_has_spoilt() -> None:
    script = script_with_revoke().says("stop", "stop")
    assert script.ruling("void") == {"seats": (1,)}
    assert script.money() == (0, -800, 0, 0)
    assert script.state.bank == 800
    assert script.state.used == ("victory",)
    assert script.ruling("deal")["number"] == 2


REST = "Qh Kh 7h 10d Jd Qd Ad 10c Ac Jc Qc Kc 8c 9c 7s 8s 9s Js Qs Ks 10s As"


@on_both_sides_of("revoke-costs/void", "revoke-costs/pays")
@pytest.mark.parametrize(("rule", "bank"), [("void", 800), ("pays", 800), ("told", 0)])
def test_what_a_revoke_costs(rule: str, bank: int) -> None:
    script = script_with_revoke(revoke_penalty=rule).plays(REST)
    assert script.state.bank == bank
    paid = {values["payer"] for values in script.all_told("pays")}
    assert bool(paid) == (rule != "void")
    assert bool(script.all_told("void")) == (rule == "void")


@within("given-back")
def test_what_was_paid_in_a_void_deal_is_given_back() -> None:
    script = dealt().declines(2, "prison").plays("7h Ah 8c 9h")
    assert script.money() == (400, -400, 0, 0)
    script = script.plays("Kd 8h").says("stop", "stop")
    assert script.ruling("gives-back") == {"payer": 0, "payee": 1, "amount": 400}
    assert script.money() == (0, 0, -800, 0)


def test_a_card_that_was_misread_is_put_right_and_the_revoke_is_gone() -> None:
    """The host corrects the card of the first trick; what came after it is heard again."""
    script = script_with_revoke()
    wrong = next(
        number for number in range(script.match.number) if _card_laid_at(script.match, number) == ("7c",)
    )
    after = correct(script.match, Correct(script.match.number, wrong, ("7h",)))
    assert isinstance(after, Match)
    assert after.state.stage.revokers == ()
    assert len(after.state.stage.cards) == 2


def _card_laid_at(match: Match, number: int) -> object:
    moment = match
    while moment.number > number + 1 and moment.before is not None:
        moment = moment.before
    return getattr(moment.entry, "value", None)


# The end of a deal


@pytest.mark.parametrize(("early", "asked"), [(False, "card"), (True, "holder")])
def test_a_deal_may_end_as_soon_as_all_that_counts_has_fallen(early: bool, asked: str) -> None:
    """Ruling 15."""
    script = dealt(early_stop=early, revoke_penalty="told").declines(2, "barbu").plays("7c Ac 8c Kh")
    assert script.ask_keys()[0] == asked
    assert script.money()[1] == (-800 if early else 0)
