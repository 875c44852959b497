"""The ledger: money moves between players and the bank, and its sum never changes."""

from msgspec.structs import replace

from referee.contract import Ruling, make_ruling
from referee.games.coup_d_etat.state import Due, Loan, State, clockwise

PURSE = 10_000
"""Each player begins with 2 notes of 2000 F, 3 of 1000, 5 of 500 and 5 of 100."""


def pay_due(state: State, due: Due) -> tuple[State, Ruling]:
    """Pay an amount due, with its ruling; an empty purse may fall below zero."""
    purses, bank = list(state.money), state.bank
    if due.payer is None:
        bank -= due.amount
    else:
        purses[due.payer] -= due.amount
    if due.payee is None:
        bank += due.amount
    else:
        purses[due.payee] += due.amount
    said = make_ruling(due.key, payer=due.payer, payee=due.payee, amount=due.amount)
    return replace(state, money=tuple(purses), bank=bank), said


def refund_for(due: Due) -> Due:
    """Give the payment that undoes another."""
    return Due("gives-back", due.payee, due.payer, due.amount)


def shortfall(state: State, due: Due) -> int:
    """Give what a payer lacks; the bank always can pay."""
    return 0 if due.payer is None else max(0, due.amount - state.money[due.payer])


def lenders(state: State, borrower: int) -> tuple[int, ...]:
    """List the players with money to lend, clockwise from the borrower."""
    return tuple(seat for seat in clockwise(state, borrower) if state.money[seat] > 0)


def lend_money(state: State, lender: int, borrower: int, wanted: int) -> tuple[State, Ruling]:
    """Lend what is wanted from one player to another, or all there is, with its ruling."""
    loan = Loan(lender, borrower, min(wanted, state.money[lender]))
    state, _said = pay_due(state, Due("lends", lender, borrower, loan.amount))
    back = with_interest(loan)
    said = make_ruling("lends", payer=lender, payee=borrower, amount=loan.amount, back=back)
    return replace(state, loans=(*state.loans, loan)), said


def with_interest(loan: Loan) -> int:
    """Give what has to be paid back: a fifth more."""
    return interest_included(loan.amount)


def interest_included(amount: int) -> int:
    """Give what comes back of an amount that is lent: a fifth more."""
    return amount * 6 // 5


def worth(state: State, seat: int) -> int:
    """Give a seat's money, as if all loans were paid back now."""
    owed = sum(with_interest(loan) for loan in state.loans if loan.lender == seat)
    owing = sum(with_interest(loan) for loan in state.loans if loan.borrower == seat)
    return state.money[seat] + owed - owing
