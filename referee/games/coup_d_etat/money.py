"""The ledger: money moves between players and the bank; its sum never changes."""

from msgspec.structs import replace

from referee.contract import Ruling, make_ruling
from referee.games.coup_d_etat.state import Due, Loan, State, clockwise

PURSE = 10_000
"""Everybody begins with 2 notes of 2000 F, 3 of 1000, 5 of 500 and 5 of 100."""


def pay_due(state: State, due: Due) -> tuple[State, Ruling]:
    """Pay what is due, and tell it; a purse that can't may fall below nothing."""
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
    """Undo a payment."""
    return Due("gives-back", due.payee, due.payer, due.amount)


def shortfall(state: State, due: Due) -> int:
    """Count what a payer lacks; the bank always has what it gives."""
    return 0 if due.payer is None else max(0, due.amount - state.money[due.payer])


def lenders(state: State, borrower: int) -> tuple[int, ...]:
    """List who has anything to lend, clockwise from the borrower."""
    return tuple(seat for seat in clockwise(state, borrower) if state.money[seat] > 0)


def with_loan(state: State, lender: int, borrower: int, amount: int) -> State:
    """Let a player lend another some money."""
    state, _said = pay_due(state, Due("lends", lender, borrower, amount))
    return replace(state, loans=(*state.loans, Loan(lender, borrower, amount)))


def with_interest(loan: Loan) -> int:
    """Say what has to be paid back: a fifth more."""
    return loan.amount * 6 // 5


def worth(state: State, seat: int) -> int:
    """Count what a seat has, as if all loans were paid back now."""
    owed = sum(with_interest(loan) for loan in state.loans if loan.lender == seat)
    owing = sum(with_interest(loan) for loan in state.loans if loan.borrower == seat)
    return state.money[seat] + owed - owing
