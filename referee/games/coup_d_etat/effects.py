"""What Coup d'État's options would bring, and which contracts are gone."""

from referee.contract import Choice, Effect, Mood, Option, make_effect
from referee.games.coup_d_etat.contracts import CONTRACTS, FAILURE, LAST_OUT, PRICES, Contract
from referee.games.coup_d_etat.house import contracts_of
from referee.games.coup_d_etat.loans import AHEAD
from referee.games.coup_d_etat.money import interest_included, shortfall
from referee.games.coup_d_etat.state import Borrowing, Choosing, Settling, State

OPTION_MOODS = {"attempt": Mood.CLAIM}
TOLD = frozenset({"decline", "redeal", "only", "tried", "untried", "refuse", "pass", "enough", "stop"})


def effect(state: State, seat: int | None, option: Option) -> Effect | None:
    """Say what a contract costs or brings, and what else an option leads to."""
    match state.stage:
        case Choosing(claimant=claimant) if option.word in CONTRACTS:
            return _contract_effect(option.word, is_coup=claimant is not None)
        case Settling() as stage if option.word == "lend" and seat is not None:
            return _loan_effect("lend", min(shortfall(state, stage.dues[0]), state.money[seat]))
        case Borrowing() if option.word == "lend" and seat is not None:
            return _loan_effect("lend", min(AHEAD, state.money[seat]))
        case _ if option.word == "borrow":
            return _loan_effect("borrow", AHEAD)
        case _ if option.word == "attempt":
            return make_effect("attempt", amount=FAILURE)
        case _:
            return make_effect(option.word) if option.word in TOLD else None


def _loan_effect(word: str, amount: int) -> Effect:
    return make_effect(word, amount=amount, back=interest_included(amount))


def _contract_effect(word: str, *, is_coup: bool) -> Effect:
    contract: Contract = next(contract for contract in CONTRACTS if contract == word)
    terms = CONTRACTS[contract]
    if is_coup:
        return make_effect(terms.for_coup, reward=terms.reward)
    return make_effect(terms.for_president, amount=PRICES[terms.items[0]] if terms.items else LAST_OUT)


def withheld(state: State, ask: Choice) -> tuple[Option, ...]:
    """List the contracts that this tour has used up."""
    if ask.key not in {"contract", "coup-contract"}:
        return ()
    return tuple(Option(contract) for contract in contracts_of(state.house) if contract in state.used)
