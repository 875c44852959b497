"""The rules of Coup d'État: each stage with its asks and answers."""

from collections.abc import Callable

from msgspec.structs import replace

from referee.contract import Answer, Ask, Option, Outcome, Refusal, Standing, Transition
from referee.games.coup_d_etat import deals, dominos, tricks
from referee.games.coup_d_etat.state import (
    CONTRACTS,
    Choosing,
    Confessing,
    Dealt,
    Drawing,
    Laying,
    Lending,
    Over,
    Playing,
    State,
)
from referee.kit.options import unmet
from referee.kit.ranking import rank_by

_ASKS: dict[type, Callable[..., tuple[Ask, ...]]] = {
    Drawing: deals.ask_draw,
    Dealt: deals.ask_holder,
    Choosing: deals.ask_contract,
    Playing: tricks.ask_trick,
    Confessing: tricks.ask_secret,
    Laying: dominos.ask_domino,
    Lending: deals.ask_loan,
    Over: lambda _state, _stage: (),
}
_HEAR: dict[str, Callable[..., Transition]] = {
    "draw": deals.hear_draw,
    "holder": deals.hear_holder,
    "nobody": deals.hear_redeal,
    "borrow": deals.hear_borrower,
    "lend-ahead": deals.hear_loan,
    "contract": deals.hear_contract,
    "coup-contract": deals.hear_contract,
    "card": tricks.hear_card,
    "only": tricks.hear_only,
    "suit": tricks.hear_suit,
    "middle": tricks.hear_middle,
    "secret": tricks.hear_secret,
    "domino": dominos.hear_domino,
    "pass": dominos.hear_pass,
    "chain": dominos.hear_chain,
    "stop": deals.hear_stop,
    "lend": deals.hear_loan,
}


def asks(state: State) -> tuple[Ask, ...]:
    return _ASKS[type(state.stage)](state, state.stage)


def hear(state: State, answer: Answer) -> Transition:
    return _HEAR[answer.ask](state, state.stage, answer)


def why_not(state: State, _seat: int | None, option: Option) -> Refusal | None:
    match state.stage:
        case Choosing() if option.word in state.used:
            return unmet("contract-used", word=option.word)
        case Choosing() if option.word in CONTRACTS:
            return unmet("contract-left-out", word=option.word)
        case Playing() as playing if state.asks_suit(playing):
            return unmet("suit-barred", suits=tuple(sorted(tricks.suits_not_led(state.house, playing))))
        case _:
            return None


def outcome(state: State) -> Outcome | None:
    """Return the winners: the player with the most money, or all players with that amount."""
    return Outcome("most-money", state.stage.winners) if isinstance(state.stage, Over) else None


def standings(state: State) -> tuple[Standing, ...]:
    """Rank by money as if loans were repaid now; debts and credits are listed separately."""
    owing, owed = [0] * len(state.money), [0] * len(state.money)
    for loan in state.loans:
        owing[loan.borrower] += loan.back
        owed[loan.lender] += loan.back
    worths = [money + plus - minus for money, plus, minus in zip(state.money, owed, owing, strict=True)]
    sums = [("money", state.money), ("owing", owing), ("owed", owed)]
    return tuple(
        replace(row, counts={key: of[row.seat] for key, of in sums if of[row.seat] or key == "money"})
        for row in rank_by("money", worths)
    )
