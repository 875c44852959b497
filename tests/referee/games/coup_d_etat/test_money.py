"""The ledger: a second scorer agrees, the sum never changes, and a player who is short borrows."""

from random import Random

import pytest
from msgspec.structs import replace

from hardware.twin.dealer import deal_match as dealt_by_twin
from hardware.twin.player import play_on
from referee.contract import Option
from referee.games.coup_d_etat import COUP_D_ETAT
from referee.games.coup_d_etat.house import SETTINGS, House
from referee.games.coup_d_etat.money import shortfall, worth
from referee.games.coup_d_etat.state import Due, Loan, State
from referee.match import Match, Setup, begin, moments, standing_answers
from tests.hardware.twin.matches import play_honestly
from tests.referee.boundaries import beyond, on_both_sides_of, within
from tests.referee.games.coup_d_etat.script import NAMES, Script, dealt
from tests.referee.games.coup_d_etat.second_scorer import Evening

every_way = pytest.mark.parametrize(
    ("rules", "seats"), [(rules, seats) for rules in SETTINGS for seats in (3, 4)]
)


def new_match(house: House, seats: int) -> Match:
    """Begin a match."""
    match = begin(Setup(COUP_D_ETAT, house, NAMES[:seats]))
    assert isinstance(match, Match)
    return match


def second_purses(match: Match) -> tuple[int, ...]:
    """Keep the money once more, from the answers alone."""
    answers = [step.answer for step in standing_answers(match)]
    evening = Evening(len(match.setup.names), match.setup.house, answers)
    return tuple(evening.purse[seat] for seat in range(evening.seats))


@every_way
def test_the_second_scorer_agrees_on_honest_matches(rules: str, seats: int) -> None:
    rng = Random(f"{rules} {seats}")
    for _match in range(8):
        match = play_honestly(dealt_by_twin(new_match(SETTINGS[rules], seats), rng), rng).match
        assert match.state.money == second_purses(match)


@every_way
@pytest.mark.parametrize("penalty", ["void", "pays", "told"])
def test_the_second_scorer_agrees_on_random_matches(rules: str, seats: int, penalty: str) -> None:
    """Random cards know no hands: nearly every deal has a revoke."""
    rng = Random(f"{rules} {seats} {penalty}")
    house = replace(SETTINGS[rules], revoke_penalty=penalty)
    for _match in range(20):
        match = play_on(new_match(house, seats), rng)
        assert match.state.money == second_purses(match)


@every_way
def test_the_sum_of_all_money_never_changes(rules: str, seats: int) -> None:
    match = play_on(new_match(SETTINGS[rules], seats), Random(f"{rules} {seats}"))
    for moment in moments(match):
        assert sum(moment.state.money) + moment.state.bank == 10_000 * seats
    assert match.state.bank == 0
    assert not match.state.loans


def test_everybody_begins_with_ten_thousand() -> None:
    """CE-02."""
    assert 2 * 2000 + 3 * 1000 + 5 * 500 + 5 * 100 == 10_000
    assert dealt().state.money == (10_000,) * 4


# Loans


def poor(script: Script, *money: int) -> Script:
    """Let everybody have another purse; what is missing is in the bank."""
    state = replace(script.state, money=money, bank=10_000 * len(money) - sum(money))
    match = script.match
    position = replace(match.position, state=state, asks=COUP_D_ETAT.asks(state))
    return Script(replace(match, position=position))


REST = "Ad Kd Qd Jd 10d 9d 8d 7d Ah 10h Qh Jh 9h 8h 7h As Ks Qs Js 10s 9s 8s 7s Kc Qc Jc 10c 9c"


def in_debt(*money: int) -> Script:
    """Bo takes the king of hearts in the President's Barbu, and has to pay 800 F."""
    script = poor(dealt(revoke_penalty="told"), *money).declines(2, "barbu")
    return script.plays("7c Ac 8c Kh").plays(REST)


@beyond("paid-back")
@on_both_sides_of("lender")
def test_a_player_who_is_short_borrows_and_pays_a_fifth_more() -> None:
    """CE-05, in small: the missing 500 F make a loan of 500 F, 600 F to pay back."""
    script = in_debt(10_000, 300, 10_000, 400)
    assert script.ruling("short") == {"seat": 1, "amount": 800, "short": 500}
    assert script.ask_keys() == ["lend"]
    script = script.says("lend", "refuse", 2).says("lend", "lend", 3)
    assert script.ruling("lends") == {"payer": 3, "payee": 1, "amount": 400, "back": 480}
    assert script.ruling("short") == {"seat": 1, "amount": 800, "short": 100}
    script = script.says("lend", "lend", 0)
    assert script.ruling("pays") == {"payer": 1, "payee": 0, "amount": 800}
    assert script.state.money == (10_700, 0, 10_000, 0)
    assert [(loan.lender, loan.borrower, loan.amount) for loan in script.state.loans] == [
        (3, 1, 400),
        (0, 1, 100),
    ]
    counts = {s.seat: s.counts for s in COUP_D_ETAT.standings(script.state)}
    assert counts[1] == {"money": 0, "owing": 600}
    assert counts[3] == {"money": 0, "owed": 480}


@pytest.mark.parametrize(("lender", "amount"), [(2, 500), (3, 400)])
def test_a_lender_is_told_what_is_missing_or_all_there_is(lender: int, amount: int) -> None:
    """Bo lacks 500 F; Dan has no more than 400 F."""
    told = COUP_D_ETAT.effect(in_debt(10_000, 300, 10_000, 400).state, lender, Option("lend"))
    assert told is not None
    assert told.values == {"amount": amount, "back": amount * 6 // 5}


def test_if_no_player_lends_the_purse_falls_below_zero() -> None:
    script = in_debt(10_000, 300, 10_000, 0)
    assert [ask.seats for ask in script.match.asks] == [(2, 0)]
    script = script.says("lend", "refuse", 0).says("lend", "refuse", 2)
    assert script.ruling("overdrawn") == {"seat": 1}
    assert script.state.money == (10_800, -500, 10_000, 0)


def test_a_loan_may_be_offered_a_moment_late() -> None:
    """The window stays open while the others answer one by one."""
    script = in_debt(10_000, 300, 10_000, 400)
    later = script.says("lend", "refuse", 2)
    stale = replace(later.match.entry, seat=0, value=Option("lend"))
    assert stale.moment == script.match.number
    after = Script(later.match).answers("lend", Option("lend"), 0)
    assert after.state.money == (10_300, 0, 10_000, 400)


@within("paid-back")
def test_debts_are_paid_after_all_tours() -> None:
    rng, repaid = Random(7), 0
    for _match in range(30):
        match = begin(Setup(COUP_D_ETAT, House(left_out=("barbu", "prison"), revoke_penalty="pays"), NAMES))
        assert isinstance(match, Match)
        match = play_on(match, rng)
        told = [ruling for moment in moments(match) for ruling in moment.rulings]
        lent = [ruling.values for ruling in told if ruling.key == "lends"]
        back = [ruling.values for ruling in told if ruling.key == "repays"]
        notes = sorted((loan["payer"], loan["payee"], loan["back"]) for loan in lent)
        assert notes == sorted((loan["payee"], loan["payer"], loan["amount"]) for loan in back)
        repaid += len(back)
    assert repaid


@on_both_sides_of("most-money")
def test_most_money_wins_and_equals_share() -> None:
    script = dealt()
    state = script.state
    assert isinstance(state, State)
    standings = COUP_D_ETAT.standings(replace(state, money=(9000, 12_000, 7000, 12_000)))
    assert [(one.seat, one.place) for one in standings] == [(1, 1), (3, 1), (0, 3), (2, 4)]


@pytest.mark.parametrize(("money", "lacking"), [(0, 700), (699, 1), (700, 0), (701, 0)])
def test_a_payer_lacks_what_is_due_beyond_the_purse_and_the_bank_lacks_nothing(
    money: int, lacking: int
) -> None:
    state = replace(new_match(House(), 3).state, money=(5000, money, 0))
    assert shortfall(state, Due("pays", 1, 0, 700)) == lacking
    assert shortfall(state, Due("pays-bank", 1, None, 700)) == lacking
    assert shortfall(state, Due("gives-back", None, 1, 700)) == 0


def test_a_purse_is_worth_what_is_in_it_and_lent_less_what_is_owed_with_a_fifth_more() -> None:
    loans = (Loan(0, 1, 1000), Loan(0, 2, 500), Loan(1, 2, 10), Loan(2, 0, 200))
    state = replace(new_match(House(), 3).state, money=(100, 200, 300), loans=loans)
    assert [worth(state, seat) for seat in range(3)] == [
        100 + 1200 + 600 - 240,
        200 + 12 - 1200,
        300 + 240 - 600 - 12,
    ]
