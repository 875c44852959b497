"""Tricks: the order of the cards, what may be led, the Coup card, revokes, cards that lie there wrongly."""

import pytest

from referee.games.coup_d_etat.deck import RANKS
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.coup_d_etat.script import Script, dealt, sit_down
from tests.referee.legal_answers import leaves


@on_both_sides_of("seen-once")
def test_cards_that_can_t_lie_there() -> None:
    script = dealt().declines(1, "victory").plays("7c")
    for cards, seat, owners, refused in (
        ("8c", 2, (), ("not-you", {"seats": (1,)})),
        ("8c", None, (2,), ("out-of-turn", {"seats": (1,)})),
        ("8c 9c", None, (), ("card-count", {"shown": 2, "wanted": 1})),
        ("", None, (), ("card-count", {"shown": 0, "wanted": 1})),
        ("7c", None, (), ("already-seen", {"card": "7c", "left": 0})),
        ("coup", None, (), ("already-seen", {"card": "coup", "left": 0})),
    ):
        assert script.refusal("card", tuple(cards.split()), seat, owners) == refused
    assert script.plays("8c").turn == 2


# The opening lead

LEADS = [("barbu", "h"), ("siege", "s"), ("guillotine", "sh"), ("victory", ""), ("prison", "")]


@on_both_sides_of("leader")
@within("not-led/opening")
@pytest.mark.parametrize(("contract", "barred"), LEADS)
@pytest.mark.parametrize("is_coup", [False, True])
def test_what_may_not_be_led(contract: str, barred: str, *, is_coup: bool) -> None:
    """Rulings 2 and 3: it binds a claimant, too; the Coup card is of no suit."""
    script = dealt().attempts(1, contract) if is_coup else dealt().declines(1, contract)
    told = script.ruling(f"{contract}-{'coup' if is_coup else 'president'}")
    assert (script.turn, told["seat"]) == (is_coup, is_coup)
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
    assert ("only" in script.ask_keys) == is_barred


def test_when_nothing_else_is_left_anything_may_be_led() -> None:
    script = dealt(lead_rule="all_leads", revoke_penalty="told").declines(1, "barbu")
    script = script.plays("As Ks Qs Js 10s 9s 8s 7s Ad Kd Qd Jd 10d 9d 8d 7d Ac Kc Qc Jc 10c 9c 8c 7c")
    assert script.legal == {f"{rank}h" for rank in RANKS}
    assert script.ask_keys == ["card"]


# The Coup card


def test_a_suit_is_named_that_may_be_led() -> None:
    script = dealt(coup_led="leader_names_suit").attempts(2, "siege").plays("coup")
    assert script.words("suit") == {"hearts", "diamonds", "clubs"}


def test_the_coup_card_is_its_holders_alone() -> None:
    script = dealt().attempts(2, "victory").plays("7c")
    assert script.refusal("card", ("coup",)) == ("card-barred", {"why": "coup-of-another", "card": "coup"})


@on_both_sides_of("coup-last")
def test_a_coup_card_that_has_not_been_played_comes_last() -> None:
    script = dealt(revoke_penalty="told").attempts(0, "prison").plays("Ac 7c 8c 9c").answers("middle", ("7d",))
    script = script.plays("As 7s 8s 9s Ah 7h 8h 9h Ad 9d 8d Jd 10c Kc Jc Qc 10s Ks Js Qs 10h Kh Jh Qh")
    assert script.turn == 0
    assert "coup" in dealt().attempts(0, "prison").legal
    assert script.legal == {"coup"}
    assert script.refusal("card", ("Kd",)) == ("card-barred", {"why": "coup-last", "card": "Kd"})


# Dominos.


def dominos(line: str = "", seats: int = 4, **house: str) -> Script:
    """Play Dominos on the President's side; all that is ruled is only told."""
    return dealt(seats, **house).declines(1, "dominos").plays(line)


LEGAL = [
    # CE-01: the fourth player has neither the 8 nor the queen of hearts, and opens another row with a 10
    (4, {}, "10h 9h Jh", "8h Qh 10s 10d 10c"),
    # the ten lies between the jack and the nine; with three players the row ends at the nine
    (4, {}, "Kd", "Ad Qd Ks Kh Kc"),
    (4, {}, "Jd", "Qd 10d Js Jh Jc"),
    (4, {}, "Ad", "Kd As Ah Ac"),
    (4, {}, "7d", "8d 7s 7h 7c"),
    (3, {}, "9d", "10d 9s 9h 9c"),
    # which rank opens a row (ruling 9); a row of another rank grows from there
    (4, {}, "10h 9h", "8h Jh 10s 10d 10c"),
    (4, {"domino_open": "any_matching"}, "10h 9h", "8h Jh 10s 10d 10c 9s 9d 9c"),
    (4, {"domino_open": "any_matching"}, "10h 9h 9s", "8h Jh 10s 8s 10d 10c 9d 9c"),
]


@on_both_sides_of("domino-ranks", "domino-open/first-rank")
@pytest.mark.parametrize(("seats", "house", "line", "legal"), LEGAL)
def test_what_may_be_laid(seats: int, house: dict[str, str], line: str, legal: str) -> None:
    script = dominos(line, seats, **house)
    assert script.legal == set(legal.split())
    assert script.refusal("domino", ("coup",)) == ("already-seen", {"card": "coup", "left": 0})
    assert script.refusal("domino", ("10h",))[0] in {"already-seen", "card-barred"}


def test_a_card_that_fits_no_row_is_refused() -> None:
    assert dominos("10h").refusal("domino", ("Qh",)) == ("card-barred", {"why": "no-fit", "card": "Qh"})


@within("domino-end")
def test_a_player_who_is_out_is_passed_over() -> None:
    script, out = dominos("10h", revoke_penalty="told"), set[int]()
    while "domino" in script.ask_keys:
        assert script.turn not in out
        script = script.plays(min(script.legal))
        out |= {values["seat"] for values in script.all_told("out-of-cards")}
    assert len(out) == 3


# How many ways there are to go on, counted move by move, and fixed: any card that has not been seen may fall:
# 32, 32 x 31, 32 x 31 x 30. Where suits may not be led, one more counts: saying that one has no other; then any
# card may be led. The Coup card falls only from the hand of who attempts a coup. In Dominos a card has two
# neighbours, or one at the end of its row, one like it in each other suit, and a pass.

COUNTS: list[tuple[int, str, list[int], list[int]]] = [
    (4, "victory", [32, 992, 29760], [33, 1024, 30752]),
    (4, "siege", [25, 776, 23312], [26, 809, 24336]),
    (4, "barbu", [25, 776, 23312], [26, 809, 24336]),
    (4, "guillotine", [17, 528, 15872], [18, 561, 16896]),
    (4, "dominos", [32, 184, 1128, 7320], [32, 184, 1128]),
    (3, "victory", [24, 552], [25, 576]),
    (3, "siege", [19, 438], [20, 463]),
    (3, "guillotine", [13, 300], [14, 325]),
    (3, "dominos", [24, 136, 816], [24, 136, 816]),
]


def test_draws_for_the_presidency() -> None:
    for seats, cards in ((4, 33), (3, 25)):
        match = sit_down(seats).match
        assert [leaves(match, depth) for depth in (1, 2)] == [cards, cards * (cards - 1)]


@pytest.mark.parametrize(("seats", "contract", "declined", "attempted"), COUNTS)
def test_a_deal(seats: int, contract: str, declined: list[int], attempted: list[int]) -> None:
    for match, counts in (
        (dealt(seats).declines(1, contract).match, declined),
        (dealt(seats).attempts(1, contract).match, attempted),
    ):
        assert [leaves(match, depth) for depth in range(1, len(counts) + 1)] == counts
