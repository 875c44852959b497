"""What Coup d'État shows of itself: the contract and whom it is for, the trick or the rows, the money."""

from collections import Counter
from collections.abc import Iterator, Mapping

from referee.contract import (
    Board,
    CardRow,
    Coins,
    Count,
    Face,
    Faces,
    Fact,
    Headline,
    Seat,
    Seats,
    Situation,
    Weight,
    make_fact,
    make_headline,
    make_situation,
)
from referee.games.coup_d_etat.contracts import CONTRACTS, FAILURE, LAST_OUT, PRICES, Contract
from referee.games.coup_d_etat.deck import HAND, KING, QUEENS, RANK, ROW, SUIT, SUIT_WORDS
from referee.games.coup_d_etat.loans import AHEAD
from referee.games.coup_d_etat.money import with_interest
from referee.games.coup_d_etat.state import Loan
from referee.games.coup_d_etat.view import Debt, View

EACH: Mapping[str, Coins] = {
    "king": Coins(PRICES["king"]),
    "queen": Coins(PRICES["queens"]),
    "spade": Coins(PRICES["spades"]),
    "trick": Coins(PRICES["first-trick"]),
}
"""The prices of a contract that has several."""

EXCUSED = {"money": "the standings show it"}


def situation(view: View) -> Situation | None:
    """Say what is being done: drawn, dealt, chosen, paid, played; and for whom."""
    if view.phase == "over":
        return None
    if view.phase == "drawing":
        return make_situation("draw-again", seats=view.equals) if view.equals else make_situation("drawing")
    if view.phase in {"dealt", "borrowing", "choosing"}:
        return _before_play(view)
    return _play(view) if view.debt is None else _owing(view.debt)


def _before_play(view: View) -> Situation:
    if view.borrower is not None:
        return make_situation("borrowing", seat=view.borrower, money=view.money[view.borrower], amount=AHEAD)
    key = "dealt" if view.phase == "dealt" else "choosing" if view.claimant is None else "choosing-coup"
    return make_situation(key, tour=view.tour, deal=view.deal, president=view.president, claimant=view.claimant)


def _owing(debt: Debt) -> Situation:
    key = "owes-bank" if debt.payee is None else "owes"
    return make_situation(key, seat=debt.payer, payee=debt.payee, amount=debt.amount, short=debt.short)


def _play(view: View) -> Situation:
    """Say which contract is played and whose it is, and where the trick or the rows stand."""
    return make_situation(
        _play_key(view),
        contract=view.contract,
        tour=view.tour,
        trick=view.trick,
        president=view.president,
        claimant=view.claimant,
        leader=view.leader,
        led=view.cards[0] if view.cards else "",
        suit=view.suit,
        seat=view.turn,
        left=view.left[view.turn] if view.left and view.turn is not None else 0,
    )


def _play_key(view: View) -> str:
    if view.phase in {"naming", "taking", "confessing"}:
        return view.phase
    if view.phase == "dominos":
        return _dominos_key(view)
    is_coup = view.claimant is not None
    if not view.cards:
        return "lead-coup" if is_coup else "lead"
    if view.suit and SUIT[view.cards[0]] != view.suit:
        return "follow-named"
    return "follow-coup" if is_coup else "follow"


def _dominos_key(view: View) -> str:
    is_coup = view.claimant is not None
    if view.may_go_on:
        return "after-ace-coup" if is_coup else "after-ace"
    if not view.cards:
        return "first-card-coup" if is_coup else "first-card"
    return "rows-coup" if is_coup else "rows"


def board(view: View) -> Board:
    """Show the contract and what it is about first, then the table, then what each seat has."""
    return Board(
        facts=(*_decisive(view), *_of_trick(view), *_of_tour(view), *_of_draw(view), *_of_seats(view)),
        cards=(*_table_cards(view), *_taken_cards(view)),
        turn=view.turn,
        number=_number(view),
        headline=_headline(view),
    )


def _headline(view: View) -> Headline | None:
    """Show a debt, the cards left in Dominos, what the contract costs, or the tour."""
    if view.debt is not None:
        return make_headline("debt", seat=view.debt.payer, amount=view.debt.amount)
    if view.contract is None:
        return None if view.president is None else make_headline("tour", tour=view.tour, tours=len(view.money))
    number = _number(view)
    if view.left and view.turn is not None:
        return make_headline("left", seat=view.turn, count=view.left[view.turn])
    if view.claimant is not None:
        return make_headline("coup", contract=view.contract, reward=number, claimant=view.claimant)
    if number is None:
        return make_headline("prices", contract=view.contract, president=view.president)
    return make_headline("contract", contract=view.contract, amount=number, president=view.president)


def _number(view: View) -> int | None:
    """Give the cards left in Dominos, or the price of the contract: what one costs, or what a coup brings."""
    if view.left and view.turn is not None:
        return view.left[view.turn]
    if view.contract is None:
        return None
    return CONTRACTS[view.contract].reward if view.claimant is not None else _price(view.contract)


def _price(contract: Contract) -> int | None:
    """Give the price of what counts, where there is one price."""
    prices = {PRICES[item] for item in CONTRACTS[contract].items} or {LAST_OUT}
    return prices.pop() if len(prices) == 1 else None


def _decisive(view: View) -> Iterator[Fact]:
    """Show what decides now: a debt, else the contract and what is to be avoided or achieved."""
    debt, weight = view.debt, Weight.KEY if view.debt is None else Weight.MAIN
    if debt is not None:
        yield make_fact("debt", Weight.KEY, debt.payer, amount=Coins(debt.amount), short=Coins(debt.short))
    if view.contract is None:
        return
    terms = CONTRACTS[view.contract]
    if view.claimant is None and view.president is not None:
        yield make_fact("contract", weight, contract=Face(view.contract), president=Seat(view.president))
        price = _price(view.contract)
        yield Fact(terms.for_president, EACH if price is None else {"amount": Coins(price)}, weight)
    elif view.claimant is not None:
        yield make_fact("coup", weight, contract=Face(view.contract), claimant=Seat(view.claimant))
        yield make_fact(_aim_key(view, terms.for_coup), weight)
        yield make_fact("stake", reward=Coins(terms.reward), amount=Coins(FAILURE))


def _aim_key(view: View, key: str) -> str:
    is_every_trick = view.contract == "guillotine" and view.every_trick
    return "every-trick" if is_every_trick else key


def _of_trick(view: View) -> Iterator[Fact]:
    if view.phase in {"trick", "naming"}:
        yield make_fact("trick", number=Count(view.trick), tricks=Count(HAND))
    if view.suit:
        yield make_fact("suit", suit=Face(view.suit))
    if view.barred:
        yield make_fact("barred", suits=Faces(view.barred))
    if view.holder is not None:
        yield make_fact("holds", seat=view.holder)


def _of_tour(view: View) -> Iterator[Fact]:
    if view.president is None:
        return
    yield make_fact("president", seat=view.president)
    if view.claimant is not None:
        yield make_fact("claimant", seat=view.claimant)
    tour, tours = Count(view.tour), Count(len(view.money))
    yield make_fact("tour", number=tour, tours=tours, deal=Count(view.deal), deals=Count(view.deals))
    if view.contracts:
        yield make_fact("contracts-left", Weight.SIDE, contracts=Faces(view.contracts))
    if view.bank:
        yield make_fact("bank", amount=Coins(view.bank))


def _of_draw(view: View) -> Iterator[Fact]:
    for seat, card in view.drawn:
        yield make_fact("drew", seat=seat, card=Face(card))


def _of_seats(view: View) -> Iterator[Fact]:
    """Show what each seat has taken, still holds, has shown not to have, and owes."""
    if view.waiting:
        yield make_fact("waiting", seats=Seats(view.waiting))
    if view.first is not None and view.contract in {"prison", "guillotine"}:
        yield make_fact("first-trick", seat=view.first)
    for seat, count in enumerate(view.tricks):
        if count:
            yield make_fact("tricks", seat=seat, count=Count(count))
    for seat, left in enumerate(view.left):
        yield make_fact("left", seat=seat, count=Count(left))
    for seat, suits in enumerate(view.voids):
        if suits:
            yield make_fact("void", Weight.SIDE, seat, suits=Faces(suits))
    for seat in view.revokers:
        yield make_fact("revoked", seat=seat)
    yield from _loans(view.loans)


def _loans(loans: tuple[Loan, ...]) -> Iterator[Fact]:
    """Show what each owes whom, interest included."""
    owed: Counter[tuple[int, int]] = Counter()
    for loan in loans:
        owed[loan.borrower, loan.lender] += with_interest(loan)
    for (borrower, lender), back in owed.items():
        yield make_fact("loan", seat=borrower, lender=Seat(lender), back=Coins(back))


def _table_cards(view: View) -> Iterator[CardRow]:
    """Show the trick as it fell, or the rows of Dominos from the ace down."""
    if view.contract != "dominos":
        if view.cards or view.phase == "trick":
            yield _trick_row(view)
        return
    if view.phase != "dominos":
        return
    for word, suit in SUIT_WORDS.items():
        laid = tuple(sorted((card for card in view.cards if SUIT[card] == suit), key=_place))
        yield CardRow(word, laid, Weight.KEY, places=len(ROW), offset=_place(laid[0]) if laid else 0)


def _trick_row(view: View) -> CardRow:
    """Show who laid which card, who holds the trick, and who is still to play."""
    players = len(view.money)
    leader = view.leader or 0
    order = tuple((leader + step) % players for step in range(players))
    holder = None if view.holder is None or not view.cards else order.index(view.holder)
    notes = tuple(make_fact(_laid_key(view, place, holder), by=Seat(seat)) for place, seat in enumerate(order))
    return CardRow("trick", view.cards, Weight.KEY, notes=notes, leading=holder, places=players)


def _laid_key(view: View, place: int, holder: int | None) -> str:
    if place >= len(view.cards):
        return "to-play"
    return "holds-trick" if place == holder else "led" if place == 0 else "laid"


def _place(card: str) -> int:
    return ROW.index(RANK[card])


def _taken_cards(view: View) -> Iterator[CardRow]:
    """Show what each seat has taken: apart from the rest, what counts in the contract."""
    for seat, cards in enumerate(view.taken):
        counting = tuple(card for card in cards if _has_price(view.contract, card))
        others = tuple(card for card in cards if card not in counting)
        if counting:
            yield CardRow("counting", counting, Weight.MAIN, seat)
        if others:
            yield CardRow("taken", others, Weight.SIDE, seat)


def _has_price(contract: Contract | None, card: str) -> bool:
    items = CONTRACTS[contract].items if contract is not None else ()
    return (
        (card == KING and "king" in items)
        or (card in QUEENS and "queens" in items)
        or (SUIT[card] == "s" and "spades" in items)
    )
