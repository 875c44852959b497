"""What a viewer may see of a match of Coup d'État, field by field."""

from typing import Literal

from msgspec import Struct

from referee.games.coup_d_etat.contracts import Contract
from referee.games.coup_d_etat.house import contracts_of, deals_of
from referee.games.coup_d_etat.insight import voids_of
from referee.games.coup_d_etat.money import shortfall
from referee.games.coup_d_etat.score import cards_taken
from referee.games.coup_d_etat.state import (
    Borrowing,
    Choosing,
    Confessing,
    Deal,
    Dealt,
    Drawing,
    Laying,
    Loan,
    Naming,
    Over,
    Playing,
    Settling,
    State,
    Taking,
    next_to_play,
)
from referee.games.coup_d_etat.tricks import suits_not_led, winner

Phase = Literal[
    "drawing",
    "dealt",
    "borrowing",
    "choosing",
    "trick",
    "naming",
    "taking",
    "confessing",
    "dominos",
    "settling",
    "over",
]
"""What is being done; "naming" is of a suit, "taking" of the middle card."""


class Debt(Struct, frozen=True):
    """What a player owes and can't pay: to whom (None is the bank), how much, and what is missing."""

    payer: int
    payee: int | None
    amount: int
    short: int


class View(Struct, frozen=True):
    """The public table. The referee never knows the hands, so they aren't in it."""

    phase: Phase
    money: tuple[int, ...]
    bank: int
    loans: tuple[Loan, ...]
    debt: Debt | None
    borrower: int | None
    """Who asks for a loan before a deal."""
    president: int | None
    """Who is President; None before the first tour."""
    claimant: int | None
    """Who attempts a coup in this deal."""
    tour: int
    deal: int
    """The number of the deal in its tour, from 1."""
    deals: int
    """How many deals a tour has."""
    contracts: tuple[Contract, ...]
    """Contracts that are left in this tour."""
    contract: Contract | None
    every_trick: bool
    """A coup with Guillotine has to take every trick, by a house rule."""
    turn: int | None
    equals: tuple[int, ...]
    """Seats that drew equal for the presidency, and draw again."""
    drawn: tuple[tuple[int, str], ...]
    """Who has drawn which card for the presidency."""
    trick: int
    """The number of the trick on the table, from 1; 0 when there is none."""
    leader: int | None
    suit: str
    """The suit to follow; none before the first card, or when the Coup card was led."""
    barred: tuple[str, ...]
    """Suits that may not be led now."""
    holder: int | None
    """Who would take the trick as it lies."""
    cards: tuple[str, ...]
    """The cards of the trick, from the leader's on; in Dominos all cards laid, in order."""
    first: int | None
    """Who has taken the first trick."""
    tricks: tuple[int, ...]
    """How many tricks each seat has taken."""
    taken: tuple[tuple[str, ...], ...]
    """What each seat has taken in this deal, and has shown in doing so."""
    voids: tuple[tuple[str, ...], ...]
    """Suits that each seat has denied."""
    left: tuple[int, ...]
    """In Dominos, how many cards each seat still holds."""
    may_go_on: bool
    """In Dominos, the seat in turn has laid an ace, and may lay more."""
    waiting: tuple[int, ...]
    """Seats that have not said yet whether they lend, or had tried a secret coup."""
    revokers: tuple[int, ...]


def view(state: State, _viewer: int | None) -> View:
    """Give the view; it is the same for every seat and spectator."""
    playing, laying = _playing(state), state.stage if isinstance(state.stage, Laying) else None
    drawing = state.stage if isinstance(state.stage, Drawing) else None
    deal = _deal(playing or laying)
    everybody = range(len(state.money))
    return View(
        phase=_PHASES[type(state.stage)],
        money=state.money,
        bank=state.bank,
        loans=state.loans,
        debt=_debt(state),
        borrower=state.stage.borrower if isinstance(state.stage, Borrowing) else None,
        president=None if drawing else state.president,
        claimant=_claimant(state, deal),
        tour=state.tour,
        deal=_deal_number(state),
        deals=deals_of(state.house),
        contracts=tuple(contract for contract in contracts_of(state.house) if contract not in state.used),
        contract=deal.contract if deal else None,
        every_trick=state.house.guillotine == "all_tricks",
        turn=_turn(state, playing),
        equals=drawing.seats if drawing and drawing.seen else (),
        drawn=tuple(zip(drawing.seats, drawing.drawn, strict=False)) if drawing else (),
        trick=len(playing.tricks) + 1 if playing else 0,
        leader=playing.leader if playing else None,
        suit=playing.suit if playing else "",
        barred=_barred(state, playing),
        holder=winner(playing, len(state.money)) if playing and playing.cards else None,
        cards=laying.laid if laying else playing.cards if playing else (),
        first=playing.tricks[0].winner if playing and playing.tricks else None,
        tricks=tuple(_tricks_taken(playing, seat) for seat in everybody) if playing else (),
        taken=tuple(cards_taken(playing, seat) for seat in everybody) if playing else (),
        voids=tuple(voids_of(playing, seat) for seat in everybody) if playing else (),
        left=laying.left if laying else (),
        may_go_on=laying is not None and laying.is_chain,
        waiting=state.stage.waiting if isinstance(state.stage, Borrowing | Settling | Confessing) else (),
        revokers=playing.revokers if playing else laying.revokers if laying else (),
    )


_PHASES: dict[type, Phase] = {
    Drawing: "drawing",
    Dealt: "dealt",
    Borrowing: "borrowing",
    Choosing: "choosing",
    Playing: "trick",
    Naming: "naming",
    Taking: "taking",
    Confessing: "confessing",
    Laying: "dominos",
    Settling: "settling",
    Over: "over",
}


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


def _claimant(state: State, deal: Deal | None) -> int | None:
    if deal is not None:
        return deal.claimant
    return state.stage.claimant if isinstance(state.stage, Choosing) else None


def _deal_number(state: State) -> int:
    """Count the deals of the tour; before its contract is chosen, a deal has used none up."""
    return len(state.used) + isinstance(state.stage, Drawing | Dealt | Borrowing | Choosing)


def _turn(state: State, playing: Playing | None) -> int | None:
    match state.stage:
        case Drawing(seats=seats, drawn=drawn):
            return seats[len(drawn)]
        case Choosing(claimant=claimant):
            return state.president if claimant is None else claimant
        case Naming(playing=named):
            return named.leader
        case Laying(turn=turn):
            return turn
        case Confessing():
            return None
        case _:
            return None if playing is None else next_to_play(state, playing)


def _barred(state: State, playing: Playing | None) -> tuple[str, ...]:
    if playing is None or playing.cards or playing.has_only_barred:
        return ()
    return suits_not_led(state.house, playing)


def _debt(state: State) -> Debt | None:
    if not isinstance(state.stage, Settling):
        return None
    due = state.stage.dues[0]
    if due.payer is None:
        raise ValueError("the bank never owes")
    return Debt(due.payer, due.payee, due.amount, shortfall(state, due))


def _tricks_taken(playing: Playing, seat: int) -> int:
    return sum(trick.winner == seat for trick in playing.tricks)
