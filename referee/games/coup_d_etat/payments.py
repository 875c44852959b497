"""The end of a deal, in the order of the rule book: payments, loans, change of power, end of tour and match."""

from msgspec.structs import replace

from referee.contract import Answer, Ask, Choice, Option, Ruling, Transition, make_ruling
from referee.games.coup_d_etat.contracts import CONTRACTS, FAILURE, SECRET
from referee.games.coup_d_etat.dealing import begin_deal, begin_tour
from referee.games.coup_d_etat.house import House, deals_of
from referee.games.coup_d_etat.loans import LEND, REFUSE
from referee.games.coup_d_etat.money import lend_money, lenders, pay_due, refund_for, shortfall, with_interest
from referee.games.coup_d_etat.score import haul, is_achieved, penalties
from referee.games.coup_d_etat.state import Closed, Confessing, Due, Over, Playing, Settling, State, clockwise
from referee.kit.answers import option_said, who_said

Rulings = tuple[Ruling, ...]

TRIED = Option("tried")
UNTRIED = Option("untried")

# The payments: to the President; or to the player who succeeds in a coup, from all others; or to the bank.


def judge_tricks(state: State, playing: Playing, told: Rulings) -> Transition:
    """Judge a deal of tricks: a revoke first, then a coup, a secret coup, and the President's contract."""
    house, deal, seats = state.house, playing.deal, len(state.money)
    if playing.revokers and house.revoke_penalty == "void":
        return void_deal(state, playing.revokers, playing.paid, told)
    fines = fines_for(house, playing.revokers)
    if deal.claimant is not None:
        is_won = is_achieved(house, playing, deal.claimant, seats)
        return judge_coup(state, deal.claimant, is_won, fines, told)
    secret = _secret_winner(state, playing)
    if secret is not None:
        told = (*told, make_ruling("secret-coup", seat=secret))
        dues = (
            *map(refund_for, playing.paid),
            *_rewards(state, secret, CONTRACTS[deal.contract].reward),
            *(_bank_for(state, secret) if house.secret_takes_bank else ()),
            *fines,
        )
        return settle_dues(state, dues, Closed(secret), told)
    suspects = _suspects(state, playing)
    if suspects:
        stage = Confessing(playing, suspects)
        return Transition(replace(state, stage=stage, windows=state.windows + 1), told)
    return _penalties(state, playing, (), told)


def void_deal(state: State, revokers: tuple[int, ...], before: tuple[Due, ...], told: Rulings) -> Transition:
    """Void the deal after a revoke: its payments are given back, and the revoker pays the bank."""
    dues = (*map(refund_for, before), *(Due("pays-bank", seat, None, FAILURE) for seat in revokers))
    return settle_dues(state, dues, Closed(state.president), (*told, make_ruling("void", seats=revokers)))


def fines_for(house: House, revokers: tuple[int, ...]) -> tuple[Due, ...]:
    """List what those who revoked pay the bank, where a house rule lets the deal stand."""
    if house.revoke_penalty != "pays":
        return ()
    return tuple(Due("pays-bank", seat, None, FAILURE) for seat in revokers)


def judge_coup(state: State, seat: int, is_won: bool, fines: tuple[Due, ...], told: Rulings) -> Transition:
    """A coup that succeeds brings the presidency and the bank; one that fails costs only money."""
    if not is_won:
        due = Due("pays-bank", seat, None, FAILURE)
        return settle_dues(
            state, (due, *fines), Closed(state.president), (*told, make_ruling("coup-failed", seat=seat))
        )
    dues = (*_rewards(state, seat, CONTRACTS[state.used[-1]].reward), *_bank_for(state, seat), *fines)
    return settle_dues(state, dues, Closed(seat), (*told, make_ruling("coup-won", seat=seat)))


def _rewards(state: State, seat: int, reward: int) -> tuple[Due, ...]:
    return tuple(Due("pays", other, seat, reward) for other in clockwise(state, seat))


def _bank_for(state: State, seat: int) -> tuple[Due, ...]:
    return (Due("takes-bank", None, seat, state.bank),) if state.bank else ()


def _secret_winner(state: State, playing: Playing) -> int | None:
    """Find who secretly took all that counts: another than the President, in three of the contracts."""
    if not state.house.secret_coup or playing.deal.contract not in SECRET:
        return None
    for seat in clockwise(state, state.president):
        if is_achieved(state.house, playing, seat, len(state.money)):
            return seat
    return None


def _suspects(state: State, playing: Playing) -> tuple[int, ...]:
    """List who may have failed in a secret coup, where a house rule wants to know."""
    house, contract = state.house, playing.deal.contract
    if not house.secret_coup or house.secret_fail == "president" or contract not in SECRET:
        return ()
    others = clockwise(state, state.president)
    return tuple(seat for seat in others if penalties(contract, haul(playing, seat)))


def ask_secret(state: State, stage: Confessing) -> tuple[Ask, ...]:
    """Ask those who have to pay whether they had tried a secret coup."""
    return (Choice("secret", stage.waiting, (TRIED, UNTRIED), window=state.windows),)


def hear_secret(state: State, stage: Confessing, answer: Answer) -> Transition:
    """Note who had tried a secret coup; once all have spoken, all pay."""
    seat = who_said(answer)
    has_tried = option_said(answer) == TRIED
    told = (make_ruling("tried", seat=seat),) if has_tried else ()
    tried = (*stage.tried, seat) if has_tried else stage.tried
    waiting = tuple(other for other in stage.waiting if other != seat)
    if waiting:
        return Transition(replace(state, stage=Confessing(stage.playing, waiting, tried)), told)
    return _penalties(state, stage.playing, tried, told)


def _penalties(state: State, playing: Playing, tried: tuple[int, ...], told: Rulings) -> Transition:
    """Let all pay the President for what they took; after a secret coup that failed, the bank."""
    dues: tuple[Due, ...] = ()
    for seat in clockwise(state, state.president):
        counts, bill = _bill(state, playing, seat, seat in tried)
        told, dues = (*told, *counts), (*dues, *bill)
    if not dues and not playing.paid:
        told = (*told, make_ruling("nobody-pays"))
    return settle_dues(state, (*dues, *fines_for(state.house, playing.revokers)), Closed(state.president), told)


def _bill(state: State, playing: Playing, seat: int, has_tried: bool) -> tuple[Rulings, tuple[Due, ...]]:
    """Count what a seat has taken; the first trick has been paid for as it fell."""
    owed = penalties(playing.deal.contract, haul(playing, seat))
    before = tuple(due for due in playing.paid if due.payer == seat)
    counts = tuple(
        make_ruling(f"count-{one.item}", seat=seat, count=one.count, amount=one.amount)
        for one in owed
        if one.item != "first-trick"
    )
    total, already = sum(one.amount for one in owed), sum(due.amount for due in before)
    if has_tried:
        return counts, (*map(refund_for, before), Due("pays-bank", seat, None, total))
    return counts, (Due("pays", seat, state.president, total - already),) if total > already else ()


# Money: paid as it is due; a player who is short asks the others for a loan.


def settle_dues(state: State, dues: tuple[Due, ...], after: Playing | Closed, told: Rulings) -> Transition:
    """Pay one after the other, until a player is short and another can lend."""
    for place, due in enumerate(dues):
        short = shortfall(state, due)
        others = () if due.payer is None or not short else lenders(state, due.payer)
        if others:
            stage, number = Settling(dues[place:], others, after), state.windows + 1
            said = make_ruling("short", seat=due.payer, amount=due.amount, short=short)
            return Transition(replace(state, stage=stage, windows=number), (*told, said))
        state, paying = pay_due(state, due)
        told = (*told, paying)
    if isinstance(after, Closed):
        return _close_deal(state, after.president, told)
    return Transition(replace(state, stage=after), told)


def ask_loan(state: State, stage: Settling) -> tuple[Ask, ...]:
    """Ask those who have money whether they lend some."""
    return (Choice("lend", stage.waiting, (LEND, REFUSE), window=state.windows),)


def hear_loan(state: State, stage: Settling, answer: Answer) -> Transition:
    """Lend what is missing, or all there is; without a lender the purse falls below zero."""
    seat, due = who_said(answer), stage.dues[0]
    borrower = _payer(due)
    if option_said(answer) == LEND:
        state, said = lend_money(state, seat, borrower, shortfall(state, due))
        return settle_dues(state, stage.dues, stage.after, (said,))
    told = (make_ruling("refuses", seat=seat, borrower=borrower),)
    waiting = tuple(other for other in stage.waiting if other != seat)
    if waiting:
        return Transition(replace(state, stage=replace(stage, waiting=waiting)), told)
    state, paying = pay_due(state, due)
    return settle_dues(
        state, stage.dues[1:], stage.after, (*told, paying, make_ruling("overdrawn", seat=borrower))
    )


# Change of power, the end of a tour, and the end of the match.


def _close_deal(state: State, president: int, told: Rulings) -> Transition:
    if president != state.president:
        told = (*told, make_ruling("president", seat=president))
        state = replace(state, president=president)
    if len(state.used) < deals_of(state.house):
        return begin_deal(state, told)
    if state.bank:
        state, said = pay_due(state, Due("takes-bank", None, president, state.bank))
        told = (*told, said)
    if state.tour == len(state.money):
        return _end_match(state, told)
    before = state.starter if state.house.next_tour == "left_of_starter" else president
    return begin_tour(state, clockwise(state, before)[0], told)


def _end_match(state: State, told: Rulings) -> Transition:
    """After all tours the loans are paid back with interest; the most money wins."""
    loans, state = state.loans, replace(state, loans=())
    for loan in loans:
        state, said = pay_due(state, Due("repays", loan.borrower, loan.lender, with_interest(loan)))
        told = (*told, said)
    most = max(state.money)
    winners = tuple(seat for seat, money in enumerate(state.money) if money == most)
    key = "won" if len(winners) == 1 else "shared"
    return Transition(
        replace(state, stage=Over(winners)), (*told, make_ruling(key, seats=winners, amount=most))
    )


def _payer(due: Due) -> int:
    if due.payer is None:
        raise ValueError("the bank never borrows")
    return due.payer
