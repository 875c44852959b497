"""Loans before a deal, by house rule: a player who is short of money borrows without owing any."""

from msgspec.structs import replace

from referee.contract import Answer, Ask, Choice, Option, Transition, make_ruling
from referee.games.coup_d_etat.money import lend_money, lenders
from referee.games.coup_d_etat.state import Borrowing, Dealt, State
from referee.kit.answers import option_said, who_said

AHEAD = 1000
"""What may be borrowed before a deal, as in the rule text's example, by players who have less."""
BORROW = Option("borrow")
LEND = Option("lend")
REFUSE = Option("refuse")


def ask_borrowers(state: State, dealt: Dealt) -> tuple[Ask, ...]:
    """Ask the players with little money whether they borrow, once a deal."""
    seats = _borrowers(state, dealt) if state.house.loans_ahead else ()
    return (Choice("borrow", seats, (BORROW,)),) if seats else ()


def _borrowers(state: State, dealt: Dealt) -> tuple[int, ...]:
    poor = (seat for seat, money in enumerate(state.money) if money < AHEAD and seat not in dealt.asked)
    return tuple(seat for seat in poor if lenders(state, seat))


def hear_borrower(state: State, dealt: Dealt, answer: Answer) -> Transition:
    """Let a player ask all others who have money."""
    seat = who_said(answer)
    stage = Borrowing(seat, lenders(state, seat), Dealt((*dealt.asked, seat)))
    said = make_ruling("asks-loan", seat=seat, amount=AHEAD)
    return Transition(replace(state, stage=stage, windows=state.windows + 1), (said,))


def ask_lenders(state: State, stage: Borrowing) -> tuple[Ask, ...]:
    """Ask those who have money whether they lend some."""
    return (Choice("lend-ahead", stage.waiting, (LEND, REFUSE), window=state.windows),)


def hear_lender(state: State, stage: Borrowing, answer: Answer) -> Transition:
    """Lend what was asked for, or all there is; if all refuse, the deal goes on without a loan."""
    seat = who_said(answer)
    if option_said(answer) == LEND:
        state, said = lend_money(state, seat, stage.borrower, AHEAD)
        return Transition(replace(state, stage=stage.dealt), (said,))
    told = (make_ruling("refuses", seat=seat, borrower=stage.borrower),)
    waiting = tuple(other for other in stage.waiting if other != seat)
    after = replace(stage, waiting=waiting) if waiting else stage.dealt
    return Transition(replace(state, stage=after), told)
