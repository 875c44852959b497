"""The beginning of a deal, in the order of the rule book: the first President, the deal, the contract."""

from msgspec.structs import replace

from referee.contract import (
    TABLE,
    Answer,
    Ask,
    Choice,
    Option,
    Outcome,
    Refusal,
    Ruling,
    Show,
    Transition,
    before_seat,
    make_ruling,
)
from referee.contract.cards import without
from referee.games.coup_d_etat.contracts import CONTRACTS, FAILURE, LAST_OUT, PRICES
from referee.games.coup_d_etat.deck import COUP, HAND, STRENGTH, deck_for
from referee.games.coup_d_etat.house import House, contracts_of, deals_of, house_refusal
from referee.games.coup_d_etat.loans import ask_borrowers
from referee.games.coup_d_etat.money import PURSE
from referee.games.coup_d_etat.state import Choosing, Deal, Dealt, Drawing, Laying, Playing, State
from referee.kit.answers import cards_said, option_said, who_said

Rulings = tuple[Ruling, ...]

ATTEMPT = Option("attempt")
DECLINE = Option("decline")
REDEAL = Option("redeal")

# The first President: each player draws a card, and the highest one decides.


def start(seats: tuple[int, ...], house: House, _after: Outcome | None) -> Transition | Refusal:
    """Give all the same money; three players put the 8s and 7s aside."""
    refusal = house_refusal(house)
    if refusal is not None:
        return refusal
    state = State(house, (PURSE,) * len(seats), Drawing(seats))
    told = (make_ruling("purses", amount=PURSE),)
    return Transition(state, (*told, make_ruling("low-aside")) if len(seats) == 3 else told)


def ask_draw(state: State, drawing: Drawing) -> tuple[Ask, ...]:
    """Ask the next one for the card drawn for the presidency."""
    seat, deck = drawing.seats[len(drawing.drawn)], deck_for(len(state.money))
    among = without(deck.counts, drawing.seen + drawing.drawn)
    return (Show("draw", (seat,), 1, before_seat(seat), deck, among),)


def hear_draw(state: State, drawing: Drawing, answer: Answer) -> Transition:
    """The Coup card is above all; among equals, the highest draw again."""
    (card,) = cards_said(answer)
    told = (make_ruling("drew", seat=drawing.seats[len(drawing.drawn)], card=card),)
    drawn = (*drawing.drawn, card)
    if len(drawn) < len(drawing.seats):
        return Transition(replace(state, stage=replace(drawing, drawn=drawn)), told)
    ranks = [STRENGTH.get(card, 1) for card in drawn]
    highest = tuple(seat for seat, rank in zip(drawing.seats, ranks, strict=True) if rank == max(ranks))
    if len(highest) == 1:
        return begin_tour(state, highest[0], told)
    again = Drawing(highest, seen=drawing.seen + drawn)
    return Transition(replace(state, stage=again), (*told, make_ruling("draw-again", seats=highest)))


def begin_tour(state: State, president: int, told: Rulings) -> Transition:
    """Begin a tour: all contracts are open again."""
    state = replace(state, tour=state.tour + 1, president=president, starter=president, used=())
    tours = len(state.money)
    return begin_deal(state, (*told, make_ruling("tour", number=state.tour, tours=tours, president=president)))


# The deal: eight cards each, the last one stays face down in the middle. The holder of the Coup card says so.


def begin_deal(state: State, told: Rulings) -> Transition:
    """Let the President deal, for one more contract of the tour."""
    number, deals = len(state.used) + 1, deals_of(state.house)
    said = make_ruling("deal", president=state.president, number=number, deals=deals)
    return Transition(replace(state, stage=Dealt()), (*told, said))


def ask_holder(state: State, dealt: Dealt) -> tuple[Ask, ...]:
    """Ask all who holds the Coup card, and the table whether it lies in the middle."""
    everybody = tuple(range(len(state.money)))
    return (
        Choice("holder", everybody, (ATTEMPT, DECLINE)),
        Choice("nobody", TABLE, (REDEAL,)),
        *ask_borrowers(state, dealt),
    )


def hear_holder(state: State, _stage: Dealt, answer: Answer) -> Transition:
    """Let the holder of the Coup card attempt a coup, or lay the card away and take the middle card."""
    seat = who_said(answer)
    if option_said(answer) == ATTEMPT:
        return Transition(replace(state, stage=Choosing(seat)), (make_ruling("attempts", seat=seat),))
    return Transition(replace(state, stage=Choosing(None)), (make_ruling("declines", seat=seat),))


def hear_redeal(state: State, _stage: Dealt, _answer: Answer) -> Transition:
    """Deal all cards again, as the Coup card lies in the middle."""
    return begin_deal(state, (make_ruling("redeal"),))


# The contract: the President chooses it, or the player who attempts a coup; either way it is used up.


def ask_contract(state: State, stage: Choosing) -> tuple[Ask, ...]:
    """Ask for one of the contracts that are left in the tour."""
    left = [contract for contract in contracts_of(state.house) if contract not in state.used]
    options = tuple(Option(contract) for contract in left)
    if stage.claimant is None:
        return (Choice("contract", (state.president,), options),)
    return (Choice("coup-contract", (stage.claimant,), options),)


def hear_contract(state: State, stage: Choosing, answer: Answer) -> Transition:
    """Tell what the memento says: the President's side, or the side of the coup."""
    word, claimant = option_said(answer).word, stage.claimant
    contract = next(contract for contract in CONTRACTS if contract == word)
    leader = state.president if claimant is None else claimant
    deal, state = Deal(contract, leader, claimant), replace(state, used=(*state.used, contract))
    told = (_memento(deal),)
    if contract == "dominos":
        swaps = () if claimant is None else (make_ruling("swaps", seat=claimant),)
        return Transition(replace(state, stage=Laying(deal, leader, (HAND,) * len(state.money))), told + swaps)
    seen = (COUP,) if claimant is None else ()
    return Transition(replace(state, stage=Playing(deal, leader, seen=seen)), told)


def _memento(deal: Deal) -> Ruling:
    terms = CONTRACTS[deal.contract]
    if deal.claimant is not None:
        return make_ruling(terms.for_coup, seat=deal.claimant, reward=terms.reward, amount=FAILURE)
    amount = PRICES[terms.items[0]] if terms.items else LAST_OUT
    return make_ruling(terms.for_president, seat=deal.leader, amount=amount)
