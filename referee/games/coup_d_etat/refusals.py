"""Why a contract or a suit can't be chosen now."""

from referee.contract import Option, Refusal
from referee.games.coup_d_etat.contracts import CONTRACTS
from referee.games.coup_d_etat.state import Choosing, Naming, State
from referee.games.coup_d_etat.tricks import suits_not_led
from referee.kit.refusing import unmet


def why_not(state: State, _seat: int | None, option: Option) -> Refusal | None:
    """Say which condition an option fails."""
    match state.stage:
        case Choosing() if option.word in state.used:
            return unmet("contract-used", word=option.word)
        case Choosing() if option.word in CONTRACTS:
            return unmet("contract-left-out", word=option.word)
        case Naming(playing=playing):
            return unmet("suit-barred", suits=tuple(sorted(suits_not_led(state.house, playing))))
        case _:
            return None
