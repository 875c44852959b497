"""Before and after play, in rule-book order: President, contract, payments, loans, the end."""

from msgspec.structs import replace

from referee.contract import Outcome, Transition, before_seat, without
from referee.contract.asks import TABLE, Answer, Ask, Choice, Option, Refusal, Ruling, Show, make_ruling
from referee.games.coup_d_etat.state import (
    CONTRACTS,
    COUP,
    FAILURE,
    HAND,
    STRENGTH,
    Choosing,
    Closed,
    Deal,
    Dealt,
    Drawing,
    Due,
    House,
    Laying,
    Lending,
    Loan,
    Over,
    Playing,
    State,
    price_of,
)
from referee.kit.answers import cards_said, option_said, who_said

Rulings = tuple[Ruling, ...]

PURSE = 10_000  # francs per player: 2 notes of 2000 F, 3 of 1000, 5 of 500 and 5 of 100
AHEAD = 1000
"""Francs that a player with less may borrow before a deal, as in the rule book's example."""
ATTEMPT, DECLINE, REDEAL = Option("attempt"), Option("decline"), Option("redeal")
BORROW, LEND, REFUSE, STOP = Option("borrow"), Option("lend"), Option("refuse"), Option("stop")

# The first President: each player draws a card, and the highest wins.


def start(seats: tuple[int, ...], house: House, _after: Outcome | None) -> Transition | Refusal:
    refusal = house.refused
    if refusal is not None:
        return refusal
    rulings: Rulings = (make_ruling("purses", "purse", amount=PURSE),)
    if len(seats) == 3:
        rulings = (*rulings, make_ruling("low-aside", "three-players"))
    return Transition(State(house, (PURSE,) * len(seats), Drawing(seats)), rulings)


def ask_draw(state: State, drawing: Drawing) -> tuple[Ask, ...]:
    seat, deck = drawing.seats[len(drawing.drawn)], state.deck
    among = without(deck.counts, drawing.seen + drawing.drawn)
    return (Show("draw", (seat,), 1, before_seat(seat), deck, among),)


def hear_draw(state: State, drawing: Drawing, answer: Answer) -> Transition:
    """The Coup card is the highest; players with equal cards draw again."""
    (card,) = cards_said(answer)
    drawer = drawing.seats[len(drawing.drawn)]
    rulings: Rulings = (make_ruling("drew", "first-president", seat=drawer, card=card),)
    drawn = (*drawing.drawn, card)
    if len(drawn) < len(drawing.seats):
        return Transition(replace(state, stage=replace(drawing, drawn=drawn)), rulings)
    ranks = [STRENGTH[card] for card in drawn]
    highest = tuple(seat for seat, rank in zip(drawing.seats, ranks, strict=True) if rank == max(ranks))
    if len(highest) == 1:
        return _begin_tour(state, highest[0], rulings)
    rulings = (*rulings, make_ruling("draw-again", "equal-draw", seats=highest))
    return Transition(replace(state, stage=Drawing(highest, seen=drawing.seen + drawn)), rulings)


def _begin_tour(state: State, president: int, rulings: Rulings) -> Transition:
    """Begin a tour with all contracts available."""
    rule = "next-tour" if state.tour else "first-president"
    state = replace(state, tour=state.tour + 1, president=president, starter=president, used=())
    ruling = make_ruling("tour", rule, number=state.tour, tours=len(state.money), president=president)
    return _begin_deal(state, (*rulings, ruling))


# The deal: eight cards each and one face down in the middle. The holder of the Coup card announces it.


def _begin_deal(state: State, rulings: Rulings) -> Transition:
    number, deals = len(state.used) + 1, state.house.deals
    ruling = make_ruling("deal", "deal", president=state.president, number=number, deals=deals)
    return Transition(replace(state, stage=Dealt()), (*rulings, ruling))


def ask_holder(state: State, dealt: Dealt) -> tuple[Ask, ...]:
    """Ask for the holder of the Coup card, whether it is the middle card, and for loans to poor players."""
    everybody = tuple(range(len(state.money)))
    asks = (Choice("holder", everybody, (ATTEMPT, DECLINE)), Choice("nobody", TABLE, (REDEAL,)))
    if not state.house.loans_ahead:
        return asks
    poor = (seat for seat in everybody if state.money[seat] < AHEAD and seat not in dealt.asked)
    seats = tuple(seat for seat in poor if _lenders(state, seat))
    return (*asks, Choice("borrow", seats, (BORROW,))) if seats else asks


def hear_holder(state: State, _stage: Dealt, answer: Answer) -> Transition:
    """The holder of the Coup card attempts a coup, or exchanges the card for the middle card."""
    seat = who_said(answer)
    if option_said(answer) == ATTEMPT:
        ruling, claimant = make_ruling("attempts", "attempt", seat=seat), seat
    else:
        ruling, claimant = make_ruling("declines", "decline", seat=seat), None
    return Transition(replace(state, stage=Choosing(claimant)), (ruling,))


def hear_redeal(state: State, _stage: Dealt, _answer: Answer) -> Transition:
    return _begin_deal(state, (make_ruling("redeal", "redeal"),))


# The contract: chosen by the President or the player who attempts a coup, and used up in either case.


def ask_contract(state: State, stage: Choosing) -> tuple[Ask, ...]:
    options = tuple(Option(contract) for contract in state.contracts_left)
    if stage.claimant is None:
        return (Choice("contract", (state.president,), options),)
    return (Choice("coup-contract", (stage.claimant,), options),)


def hear_contract(state: State, stage: Choosing, answer: Answer) -> Transition:
    """Apply the contract on the memento's side for the President, or its side for a coup."""
    word, claimant = option_said(answer).word, stage.claimant
    contract = next(contract for contract in CONTRACTS if contract == word)
    leader = state.president if claimant is None else claimant
    deal, state = Deal(contract, leader, claimant), replace(state, used=(*state.used, contract))
    if claimant is None:
        rulings = (make_ruling(f"{contract}-president", contract, seat=leader, amount=price_of(contract)),)
    else:
        costs = {"reward": deal.terms.reward, "amount": FAILURE}
        rulings = (make_ruling(f"{contract}-coup", f"coup-{contract}", seat=leader, **costs),)
    if contract == "dominos":
        swaps = () if claimant is None else (make_ruling("swaps", "coup-in-dominos", seat=claimant),)
        laying = Laying(deal, leader, (HAND,) * len(state.money))
        return Transition(replace(state, stage=laying), rulings + swaps)
    seen = (COUP,) if claimant is None else ()
    return Transition(replace(state, stage=Playing(deal, leader, seen=seen)), rulings)


# Payments: a coup wins the presidency and the bank, or costs money; a revoke may void the deal.


def judge_coup(state: State, seat: int, is_won: bool, fines: tuple[Due, ...], rulings: Rulings) -> Transition:
    """A successful coup wins the presidency and the bank; a failed one only costs money."""
    if is_won:
        dues = (*rewards(state, seat, "coup-won"), *bank_for(state, seat, "bank"), *fines)
        rulings = (*rulings, make_ruling("coup-won", "coup-won", seat=seat))
        return settle_dues(state, dues, Closed(seat, "presidency"), rulings)
    due = Due("pays-bank", "coup-failed", seat, None, FAILURE)
    rulings = (*rulings, make_ruling("coup-failed", "coup-failed", seat=seat))
    return settle_dues(state, (due, *fines), Closed(state.president), rulings)


def rewards(state: State, seat: int, rule: str) -> tuple[Due, ...]:
    reward = CONTRACTS[state.used[-1]].reward
    return tuple(Due("pays", rule, other, seat, reward) for other in state.clockwise(seat))


def bank_for(state: State, seat: int, rule: str) -> tuple[Due, ...]:
    return (Due("takes-bank", rule, None, seat, state.bank),) if state.bank else ()


def void_deal(state: State, revokers: tuple[int, ...], before: tuple[Due, ...], rulings: Rulings) -> Transition:
    """Void the deal after a revoke: its payments are returned, and the revoker pays the bank."""
    dues = (*map(refund_for, before), *_fines(revokers))
    rulings = (*rulings, make_ruling("void", "revoke-costs", seats=revokers))
    return settle_dues(state, dues, Closed(state.president), rulings)


def fines_for(house: House, revokers: tuple[int, ...]) -> tuple[Due, ...]:
    """Return the fines for revokes, if a house rule lets the deal stand."""
    return _fines(revokers) if house.revoke_penalty == "pays" else ()


def _fines(revokers: tuple[int, ...]) -> tuple[Due, ...]:
    return tuple(Due("pays-bank", "revoke-costs", seat, None, FAILURE) for seat in revokers)


def refund_for(due: Due) -> Due:
    return Due("gives-back", "given-back", due.payee, due.payer, due.amount)


def ask_stop(state: State, revokers: tuple[int, ...]) -> tuple[Ask, ...]:
    return (Choice("stop", TABLE, (STOP,)),) if revokers and state.house.revoke_penalty == "void" else ()


def hear_stop(state: State, stage: Playing | Laying, _answer: Answer) -> Transition:
    return void_deal(state, stage.revokers, stage.paid if isinstance(stage, Playing) else (), ())


# Money moves between players and the bank, with a constant sum; a player without enough asks for a loan.


def settle_dues(
    state: State, dues: tuple[Due, ...], after: Playing | Closed | Dealt, rulings: Rulings
) -> Transition:
    """Pay the dues in order, until a player is short and another can lend."""
    for place, due in enumerate(dues):
        payer = due.payer
        short = 0 if payer is None else due.amount - state.money[payer]
        others = _lenders(state, payer) if payer is not None and short > 0 else ()
        if payer is not None and others:
            ruling = make_ruling("short", "loan", seat=payer, amount=due.amount, short=short)
            return _ask_all(state, Lending(payer, short, others, dues[place:], after), (*rulings, ruling))
        state, paying = _pay(state, due)
        rulings = (*rulings, paying)
    if isinstance(after, Closed):
        return _close_deal(state, after, rulings)
    return Transition(replace(state, stage=after), rulings)


def _pay(state: State, due: Due) -> tuple[State, Ruling]:
    """Pay a due; an empty purse may go below zero."""
    money, bank = list(state.money), state.bank
    for seat, amount in ((due.payer, -due.amount), (due.payee, due.amount)):
        if seat is None:
            bank += amount
        else:
            money[seat] += amount
    ruling = make_ruling(due.key, due.rule, payer=due.payer, payee=due.payee, amount=due.amount)
    return replace(state, money=tuple(money), bank=bank), ruling


def _lenders(state: State, borrower: int) -> tuple[int, ...]:
    return tuple([seat for seat in state.clockwise(borrower) if state.money[seat] > 0])


def _ask_all(state: State, stage: Lending, rulings: Rulings) -> Transition:
    return Transition(replace(state, stage=stage, windows=state.windows + 1), rulings)


def hear_borrower(state: State, dealt: Dealt, answer: Answer) -> Transition:
    """House rule: a poor player may ask all others for a loan before the deal, without owing anything."""
    seat = who_said(answer)
    stage = Lending(seat, AHEAD, _lenders(state, seat), (), Dealt((*dealt.asked, seat)))
    return _ask_all(state, stage, (make_ruling("asks-loan", "loan-ahead", seat=seat, amount=AHEAD),))


def ask_loan(state: State, stage: Lending) -> tuple[Ask, ...]:
    key = "lend" if stage.dues else "lend-ahead"
    return (Choice(key, stage.waiting, (LEND, REFUSE), window=state.windows),)


def hear_loan(state: State, stage: Lending, answer: Answer) -> Transition:
    """Lend the missing amount, or as much as possible; if all refuse, the purse goes below zero."""
    seat, borrower, dues = who_said(answer), stage.borrower, stage.dues
    rule = "lender" if dues else "loan-ahead"
    if option_said(answer) == LEND:
        loan = Loan(seat, borrower, min(stage.amount, state.money[seat]))
        state, _rulings = _pay(state, Due("lends", rule, seat, borrower, loan.amount))
        ruling = make_ruling("lends", rule, payer=seat, payee=borrower, amount=loan.amount, back=loan.back)
        return settle_dues(replace(state, loans=(*state.loans, loan)), dues, stage.after, (ruling,))
    rulings: Rulings = (make_ruling("refuses", rule, seat=seat, borrower=borrower),)
    waiting = tuple(other for other in stage.waiting if other != seat)
    if waiting:
        return Transition(replace(state, stage=replace(stage, waiting=waiting)), rulings)
    if dues:
        state, paying = _pay(state, dues[0])
        rulings = (*rulings, paying, make_ruling("overdrawn", "overdrawn", seat=borrower))
    return settle_dues(state, dues[1:], stage.after, rulings)


# Change of power, the end of a tour, and the end of the match.


def _close_deal(state: State, closed: Closed, rulings: Rulings) -> Transition:
    president = closed.president
    if president != state.president:
        rulings = (*rulings, make_ruling("president", closed.rule, seat=president))
        state = replace(state, president=president)
    if len(state.used) < state.house.deals:
        return _begin_deal(state, rulings)
    for due in bank_for(state, president, "bank"):
        state, ruling = _pay(state, due)
        rulings = (*rulings, ruling)
    if state.tour == len(state.money):
        return _end_match(state, rulings)
    before = state.starter if state.house.next_tour == "left_of_starter" else president
    return _begin_tour(state, state.clockwise(before)[0], rulings)


def _end_match(state: State, rulings: Rulings) -> Transition:
    """After the last tour, loans are repaid with interest; the most money wins."""
    for loan in state.loans:
        state, ruling = _pay(state, Due("repays", "paid-back", loan.borrower, loan.lender, loan.back))
        rulings = (*rulings, ruling)
    most = max(state.money)
    winners = tuple(seat for seat, money in enumerate(state.money) if money == most)
    key, rule = ("won", "most-money") if len(winners) == 1 else ("shared", "equal-money")
    rulings = (*rulings, make_ruling(key, rule, seats=winners, amount=most))
    return Transition(replace(state, stage=Over(winners), loans=()), rulings)
