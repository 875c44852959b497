"""What a viewer may see of a match of Coup d'État, named field by field."""

from msgspec import Struct

from referee.games.coup_d_etat.contracts import Contract
from referee.games.coup_d_etat.house import contracts_of
from referee.games.coup_d_etat.insight import voids_of
from referee.games.coup_d_etat.score import cards_taken
from referee.games.coup_d_etat.state import (
    Choosing,
    Confessing,
    Deal,
    Laying,
    Loan,
    Naming,
    Playing,
    Settling,
    State,
    Taking,
    next_to_play,
)


class View(Struct, frozen=True):
    """The public table. The hands are not in it: the referee has never been told them."""

    money: tuple[int, ...]
    bank: int
    loans: tuple[Loan, ...]
    president: int
    claimant: int | None
    """Who attempts a coup in this deal."""
    tour: int
    contracts: tuple[Contract, ...]
    """Contracts that are left in this tour."""
    contract: Contract | None
    turn: int | None
    trick: int
    """The number of the trick on the table, from 1; 0 when there is none."""
    leader: int | None
    cards: tuple[str, ...]
    """The cards of the trick, from the leader's on; in Dominos all that lie there, as they came."""
    taken: tuple[tuple[str, ...], ...]
    """What each seat has taken in this deal, and has shown in doing so."""
    voids: tuple[tuple[str, ...], ...]
    """Suits that each seat has denied."""
    left: tuple[int, ...]
    """In Dominos, how many cards each seat still holds."""
    revokers: tuple[int, ...]


def view(state: State, _viewer: int | None) -> View:
    """Show a viewer the table; every seat and every spectator may see the same."""
    playing, laying = _playing(state), state.stage if isinstance(state.stage, Laying) else None
    deal = _deal(playing or laying)
    everybody = range(len(state.money))
    choosing = state.stage if isinstance(state.stage, Choosing) else None
    return View(
        money=state.money,
        bank=state.bank,
        loans=state.loans,
        president=state.president,
        claimant=deal.claimant if deal else choosing.claimant if choosing else None,
        tour=state.tour,
        contracts=tuple(contract for contract in contracts_of(state.house) if contract not in state.used),
        contract=deal.contract if deal else None,
        turn=laying.turn if laying else next_to_play(state, playing) if playing else None,
        trick=len(playing.tricks) + 1 if playing else 0,
        leader=playing.leader if playing else None,
        cards=laying.laid if laying else playing.cards if playing else (),
        taken=tuple(cards_taken(playing, seat) for seat in everybody) if playing else (),
        voids=tuple(voids_of(playing, seat) for seat in everybody) if playing else (),
        left=laying.left if laying else (),
        revokers=playing.revokers if playing else laying.revokers if laying else (),
    )


def _playing(state: State) -> Playing | None:
    match state.stage:
        case Playing():
            return state.stage
        case Naming() | Taking() | Confessing():
            return state.stage.playing
        case Settling(after=Playing() as playing):
            return playing
        case _:
            return None


def _deal(stage: Playing | Laying | None) -> Deal | None:
    return stage.deal if stage else None
