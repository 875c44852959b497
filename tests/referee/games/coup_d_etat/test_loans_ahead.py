"""Loans before a deal, as a house rule: the rule text lets all borrow who are « à court d'argent »."""

from random import Random

from msgspec.structs import replace

from hardware.twin.player import any_answer
from referee.conformance import check_moment
from referee.contract import Choice, Option, Reason, Refusal
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.state import Loan
from referee.legal import ask_named
from referee.match import hear
from tests.referee.boundaries import beyond, on_both_sides_of
from tests.referee.games.coup_d_etat.script import Script, dealt


def before_a_deal(*money: int, ahead: bool = True) -> Script:
    """Sit before a deal, with other purses; what is missing is in the bank."""
    script = dealt(len(money), loans_ahead=ahead)
    state = replace(script.state, money=money, bank=10_000 * len(money) - sum(money))
    position = replace(script.match.position, state=state, asks=COUP_D_ETAT.asks(state))
    return Script(replace(script.match, position=position))


def asked_to_borrow(script: Script) -> tuple[int, ...]:
    """Name the players who may ask for a loan."""
    ask = ask_named(script.match.asks, "borrow")
    return ask.seats if isinstance(ask, Choice) else ()


def test_without_the_house_rule_only_who_owes_may_borrow() -> None:
    script = before_a_deal(300, 10_000, 10_000, 10_000, ahead=False)
    assert script.ask_keys() == ["holder", "nobody"]
    assert script.refusal("borrow", Option("borrow"), 0)[0] == Reason.NOT_ASKED


@on_both_sides_of("loan-ahead")
def test_players_with_less_than_a_thousand_may_ask() -> None:
    assert asked_to_borrow(before_a_deal(999, 1000, -500, 10_000)) == (0, 2)
    assert asked_to_borrow(before_a_deal(1000, 1000, 10_000, 10_000)) == ()


def test_a_thousand_borrowed_is_twelve_hundred_to_pay_back() -> None:
    """CE-05: « s'il emprunte 1.000 F, il devra donc rembourser 1.200 F »."""
    script = before_a_deal(300, 10_000, 10_000, 10_000).says("borrow", "borrow", 0)
    assert script.ruling("asks-loan") == {"seat": 0, "amount": 1000}
    assert script.ask_keys() == ["lend-ahead"]
    assert script.match.asks[0].seats == (1, 2, 3)
    script = script.says("lend-ahead", "refuse", 1)
    assert script.ruling("refuses") == {"seat": 1, "borrower": 0}
    script = script.says("lend-ahead", "lend", 3)
    assert script.ruling("lends") == {"payer": 3, "payee": 0, "amount": 1000, "back": 1200}
    assert script.state.money == (1300, 10_000, 10_000, 9000)
    assert script.state.loans == (Loan(3, 0, 1000),)
    assert script.ask_keys() == ["holder", "nobody"]


@beyond("lender")
def test_a_lender_with_less_lends_all_there_is() -> None:
    script = before_a_deal(-200, 400, 0, 10_000).says("borrow", "borrow", 0)
    assert script.match.asks[0].seats == (1, 3)
    script = script.says("lend-ahead", "lend", 1)
    assert script.ruling("lends")["amount"] == 400
    assert script.state.money == (200, 0, 0, 10_000)


@on_both_sides_of("loan-ahead")
def test_one_may_ask_once_a_deal_and_the_deal_goes_on() -> None:
    script = before_a_deal(300, 500, 10_000).says("borrow", "borrow", 0)
    script = script.says("lend-ahead", "refuse", 2).says("lend-ahead", "refuse", 1)
    assert script.state.money == (300, 500, 10_000)
    assert asked_to_borrow(script) == (1,)
    script = script.says("nobody", "redeal", 0)
    assert asked_to_borrow(script) == (0, 1)
    script = script.says("borrow", "borrow", 1).says("lend-ahead", "lend", 2)
    assert set(script.declines(2, "barbu").ask_keys()) == {"card", "only"}


def test_no_loan_is_asked_for_where_no_other_player_has_money() -> None:
    assert asked_to_borrow(before_a_deal(0, 0, -100)) == ()


def test_all_is_said_that_a_loan_needs() -> None:
    match, rng, lent = before_a_deal(300, -200, 10_000, 600).match, Random(3), 0
    for _ in range(60):
        assert list(check_moment(match)) == []
        lent += any(ruling.key == "lends" for ruling in match.rulings)
        borrowing = ask_named(match.asks, "borrow") or ask_named(match.asks, "lend-ahead")
        after = hear(match, any_answer((borrowing,) if borrowing else match.asks, match.number, rng))
        assert not isinstance(after, Refusal)
        match = after
    assert lent
