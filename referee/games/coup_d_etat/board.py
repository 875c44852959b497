"""Coup d'État's public display: situation, board and verdicts. Its state has no hidden cards."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from referee.contract import Effect, Question, make_effect, make_question
from referee.contract.asks import Ask, Choice, Datum, Option, Ruling, Show, make_ruling
from referee.contract.board import Board, CardRow, Headline, Situation, make_headline, make_situation
from referee.contract.facts import Coins, Count, Face, Faces, Fact, Seat, Seats, Weight, make_fact
from referee.contract.verdicts import Reveal, Said, Verdict, Verdicts, make_verdict
from referee.games.coup_d_etat.deals import AHEAD
from referee.games.coup_d_etat.state import (
    CONTRACTS,
    FAILURE,
    HAND,
    LAST_OUT,
    ORDER,
    PRICES,
    RANK,
    ROW,
    SUIT,
    TAKEN_BY_CARD,
    Choosing,
    Confessing,
    Contract,
    Deal,
    Dealt,
    Drawing,
    Item,
    Laying,
    Lending,
    Over,
    Playing,
    State,
    price_of,
    with_interest,
)
from referee.games.coup_d_etat.tricks import cards_taken, needs_every_trick, suits_barred
from referee.kit.french_cards import SUIT_WORDS, SUITS
from referee.kit.tricks import taker_of

EXCUSED: Mapping[str, str] = {
    "house": "house rules are shown elsewhere",
    **dict.fromkeys(("money", "winners"), "the standings show it"),
    "paid": "reported when it was paid",
    **dict.fromkeys(("passes", "quiet"), "visible in the cards laid"),
    **dict.fromkeys(
        ("Deal.leader", "Trick.leader", "Denial.card", "Denial.apart", "seen"), "shown in earlier tricks"
    ),
    **dict.fromkeys(("asked", "tried"), "the seats still asked are shown"),
    **dict.fromkeys(("starter", "windows"), "affects later turns only"),
}
_PRICED: Mapping[str, Item] = {"king": "king", "queen": "queens", "spade": "spades", "trick": "first-trick"}
AMOUNTS: Mapping[str, Coins] = {word: Coins(PRICES[item]) for word, item in _PRICED.items()}


# The current contract and turn.


def playing_of(state: State) -> Playing | None:
    """Return the tricks in play, also while a player answers another question."""
    match state.stage:
        case Playing():
            return state.stage
        case Confessing(playing=playing) | Lending(after=playing):
            return playing if isinstance(playing, Playing) else None
        case _:
            return None


def deal_of(state: State) -> Deal | None:
    stage = state.stage if isinstance(state.stage, Laying) else playing_of(state)
    return None if stage is None else stage.deal


def claimant_of(state: State) -> int | None:
    deal = deal_of(state)
    if deal is not None:
        return deal.claimant
    return state.stage.claimant if isinstance(state.stage, Choosing) else None


def turn_of(state: State) -> int | None:
    """Return the seat whose turn it is, even while others are asked."""
    match state.stage:
        case Drawing(seats=seats, drawn=drawn):
            return seats[len(drawn)]
        case Choosing(claimant=claimant):
            return state.president if claimant is None else claimant
        case Playing() as playing if state.asks_suit(playing):
            return playing.leader
        case Playing() | Lending(after=Playing()) if tricks := playing_of(state):
            return state.next_to_play(tricks)
        case Laying(turn=turn):
            return turn
        case _:
            return None


def left_in_turn(state: State) -> int:
    return state.stage.left[state.stage.turn] if isinstance(state.stage, Laying) else 0


def deal_number(state: State) -> int:
    """Return the number of the deal in the tour; a deal without a contract doesn't count yet."""
    stage = state.stage
    is_ahead = isinstance(stage, Drawing | Dealt | Choosing) or (isinstance(stage, Lending) and not stage.dues)
    return len(state.used) + is_ahead


# Situation and questions.


def situation(state: State) -> Situation | None:
    match state.stage:
        case Over():
            return None
        case Drawing(seats=seats, seen=seen):
            return make_situation("draw-again", seats=seats) if seen else make_situation("drawing")
        case Lending() as stage if stage.dues:
            return make_situation("owes" if _owed(stage)["payee"] is not None else "owes-bank", **_owed(stage))
        case Lending(borrower=seat):
            return make_situation("borrowing", seat=seat, money=state.money[seat], amount=AHEAD)
        case Dealt() | Choosing():
            claimant = claimant_of(state)
            choosing = "choosing" if claimant is None else "choosing-coup"
            key = "dealt" if isinstance(state.stage, Dealt) else choosing
            return make_situation(
                key, tour=state.tour, deal=deal_number(state), president=state.president, claimant=claimant
            )
        case _:
            return _played(state)


def _owed(stage: Lending) -> dict[str, Datum]:
    due = stage.dues[0]
    return {"seat": due.payer, "payee": due.payee, "amount": due.amount, "short": stage.amount}


def _played(state: State) -> Situation:
    playing, deal = playing_of(state), deal_of(state)
    # in Dominos, all cards laid so far, in order
    cards = state.stage.laid if isinstance(state.stage, Laying) else playing.cards if playing else ()
    return make_situation(
        _play_key(state),
        contract=deal.contract if deal else None,
        tour=state.tour,
        trick=playing.number if playing else 0,
        president=state.president,
        claimant=claimant_of(state),
        leader=playing.leader if playing else None,
        led=cards[0] if cards else "",
        suit=playing.suit if playing else "",
        seat=turn_of(state),
        left=left_in_turn(state),
    )


def _play_key(state: State) -> str:
    stage, is_coup = state.stage, claimant_of(state) is not None
    match stage:
        case Confessing():
            return "confessing"
        case Laying():
            begun = ("rows", "rows-coup") if stage.laid else ("first-card", "first-card-coup")
            return (("after-ace", "after-ace-coup") if stage.is_chain else begun)[is_coup]
        case Playing() if state.asks_suit(stage):
            return "naming"
        case Playing() if stage.asks_middle:
            return "taking"
        case Playing(suit=suit, cards=(led, *_)) if suit and SUIT[led] != suit:
            return "follow-named"
        case Playing(cards=cards):
            return (("follow", "follow-coup") if cards else ("lead", "lead-coup"))[is_coup]
        case _:
            raise TypeError(f"nothing is played in {stage}")


LAYING: Mapping[frozenset[str], str] = {
    frozenset({"domino"}): "domino-first",
    frozenset({"pass", "domino"}): "domino-or-pass",
    frozenset({"chain", "domino"}): "domino-or-enough",
}
"""Question keys for a card in Dominos, by available alternatives."""


def questions(state: State, asks: tuple[Ask, ...]) -> tuple[Question, ...]:
    """Ask for the card first, then for calls; in Dominos, card and pass form one question."""
    stakes = _stakes(state)
    if not isinstance(state.stage, Laying):
        asks = tuple(sorted(asks, key=lambda ask: ask.key != "card"))
        return tuple(make_question(_question_key(state, ask), stakes, ask) for ask in asks)
    laying = tuple(ask for ask in asks if ask.key != "stop")
    stops = tuple(make_question("stop", stakes, ask) for ask in asks if ask.key == "stop")
    return (make_question(LAYING[frozenset(ask.key for ask in laying)], stakes, *laying), *stops)


def _question_key(state: State, ask: Ask) -> str:
    match ask.key, state.stage:
        case "draw", Drawing(seen=seen) if seen:
            return "draw-again"
        case "card", _ if isinstance(ask, Show) and "coup-last" in ask.barred.values():
            return "card-coup"
        case "card", Playing(cards=cards, suit=suit) if suit or not cards:
            return "card-follow" if cards else "card-lead"
        case "lend", Lending(dues=dues) if dues[0].payee is None:
            return "lend-bank"
        case _:
            return ask.key


def _stakes(state: State) -> dict[str, Datum]:
    playing, deal, stage = playing_of(state), deal_of(state), state.stage
    name = "" if deal is None else deal.contract if deal.claimant is None else f"coup-{deal.contract}"
    is_ahead = isinstance(stage, Lending) and not stage.dues
    owed = _owed(stage) if isinstance(stage, Lending) and stage.dues else {}
    return {
        "contract": name,
        "borrower": stage.borrower if isinstance(stage, Lending) and is_ahead else None,
        "loan": AHEAD,
        "president": None if isinstance(stage, Drawing) else state.president,
        "tour": state.tour,
        "deal": deal_number(state),
        "trick": playing.number if playing else 0,
        "leader": playing.leader if playing else None,
        "suit": playing.suit if playing else "",
        "left": left_in_turn(state),
        **{"payer" if name == "seat" else name: value for name, value in owed.items()},
    }


def board(state: State) -> Board:
    return Board(
        facts=(*_decisive(state), *_of_trick(state), *_of_tour(state), *_of_seats(state)),
        cards=(*_table_cards(state), *_taken_cards(state)),
        turn=turn_of(state),
        number=_number(state),
        headline=_headline(state),
    )


def _number(state: State) -> int | None:
    """Return the cards left in Dominos, or the price of the contract or the coup."""
    deal = deal_of(state)
    if isinstance(state.stage, Laying):
        return left_in_turn(state)
    if deal is None:
        return None
    return _price(deal.contract) if deal.claimant is None else deal.terms.reward


def _price(contract: Contract) -> int | None:
    """Return the price of the contract's items if they all cost the same."""
    prices = {PRICES[item] for item in CONTRACTS[contract].items} or {LAST_OUT}
    return prices.pop() if len(prices) == 1 else None


def _headline(state: State) -> Headline | None:
    stage, deal, number = state.stage, deal_of(state), _number(state)
    if isinstance(stage, Lending) and stage.dues:
        return make_headline("debt", seat=stage.borrower, amount=stage.dues[0].amount)
    if deal is None:
        is_begun = not isinstance(stage, Drawing)
        return make_headline("tour", tour=state.tour, tours=len(state.money)) if is_begun else None
    if isinstance(stage, Laying):
        return make_headline("left", seat=stage.turn, count=number)
    if deal.claimant is not None:
        return make_headline("coup", contract=deal.contract, reward=number, claimant=deal.claimant)
    if number is None:
        return make_headline("prices", contract=deal.contract, president=state.president)
    return make_headline("contract", contract=deal.contract, amount=number, president=state.president)


def _decisive(state: State) -> Iterator[Fact]:
    stage, deal, weight = state.stage, deal_of(state), Weight.KEY
    if isinstance(stage, Lending) and stage.dues:
        due, weight = stage.dues[0], Weight.MAIN
        amount, short = Coins(due.amount), Coins(stage.amount)
        yield make_fact("debt", Weight.KEY, due.payer, amount=amount, short=short)
    if deal is None:
        return
    contract = deal.contract
    if deal.claimant is None:
        price = _price(contract)
        yield make_fact("contract", weight, contract=Face(contract), president=Seat(state.president))
        yield Fact(f"{contract}-president", AMOUNTS if price is None else {"amount": Coins(price)}, weight)
        return
    is_every_trick = needs_every_trick(state.house, deal)
    yield make_fact("coup", weight, contract=Face(contract), claimant=Seat(deal.claimant))
    yield make_fact("every-trick" if is_every_trick else f"{contract}-coup", weight)
    yield make_fact("stake", reward=Coins(deal.terms.reward), amount=Coins(FAILURE))


def _of_trick(state: State) -> Iterator[Fact]:
    playing = playing_of(state)
    if playing is None:
        return
    if isinstance(state.stage, Playing) and not playing.asks_middle:
        yield make_fact("trick", number=Count(playing.number), tricks=Count(HAND))
    if playing.suit:
        yield make_fact("suit", suit=Face(playing.suit))
    if barred := suits_barred(state.house, playing):
        yield make_fact("barred", suits=Faces(barred))
    if playing.cards:
        yield make_fact("holds", seat=_holder(state, playing))


def _holder(state: State, playing: Playing) -> int:
    return taker_of(ORDER, playing.leader, playing.cards, playing.suit, len(state.money))


def _of_tour(state: State) -> Iterator[Fact]:
    if isinstance(state.stage, Drawing):
        for seat, card in zip(state.stage.seats, state.stage.drawn, strict=False):
            yield make_fact("drew", seat=seat, card=Face(card))
        return
    yield make_fact("president", seat=state.president)
    if (claimant := claimant_of(state)) is not None:
        yield make_fact("claimant", seat=claimant)
    tour, tours = Count(state.tour), Count(len(state.money))
    deal, deals = Count(deal_number(state)), Count(state.house.deals)
    yield make_fact("tour", number=tour, tours=tours, deal=deal, deals=deals)
    if left := state.contracts_left:
        yield make_fact("contracts-left", Weight.SIDE, contracts=Faces(left))
    if state.bank:
        yield make_fact("bank", amount=Coins(state.bank))


def _of_seats(state: State) -> Iterator[Fact]:
    stage, playing = state.stage, playing_of(state)
    if isinstance(stage, Lending | Confessing):
        yield make_fact("waiting", seats=Seats(stage.waiting))
    if playing is not None:
        yield from _of_tricks(state, playing)
    for seat, left in enumerate(stage.left if isinstance(stage, Laying) else ()):
        yield make_fact("left", seat=seat, count=Count(left))
    for seat in range(len(state.money)):
        if playing is not None and (suits := voids_of(playing, seat)):
            yield make_fact("void", Weight.SIDE, seat, suits=Faces(suits))
    revokers = playing.revokers if playing else stage.revokers if isinstance(stage, Laying) else ()
    for seat in revokers:
        yield make_fact("revoked", seat=seat)
    owed: Counter[tuple[int, int]] = Counter()
    for loan in state.loans:
        owed[loan.borrower, loan.lender] += loan.back
    for (borrower, lender), back in owed.items():
        yield make_fact("loan", seat=borrower, lender=Seat(lender), back=Coins(back))


def _of_tricks(state: State, playing: Playing) -> Iterator[Fact]:
    if playing.tricks and playing.deal.contract in {"prison", "guillotine"}:
        yield make_fact("first-trick", seat=playing.tricks[0].winner)
    for seat in range(len(state.money)):
        if count := sum(trick.winner == seat for trick in playing.tricks):
            yield make_fact("tricks", seat=seat, count=Count(count))


def _table_cards(state: State) -> Iterator[CardRow]:
    match state.stage:
        case Laying(laid=cards):
            for word, suit in SUIT_WORDS.items():
                laid = tuple(sorted((card for card in cards if SUIT[card] == suit), key=_place))
                yield CardRow(word, laid, Weight.KEY, places=len(ROW), offset=_place(laid[0]) if laid else 0)
        case Playing() as playing if not playing.asks_middle:
            yield _trick_row(state, playing)


def _place(card: str) -> int:
    return ROW.index(RANK[card])


def _trick_row(state: State, playing: Playing) -> CardRow:
    seats = len(state.money)
    order = tuple((playing.leader + step) % seats for step in range(seats))
    holder = order.index(_holder(state, playing)) if playing.cards else None
    laid = ["led", *["laid"] * (seats - 1)][: len(playing.cards)] + ["to-play"] * (seats - len(playing.cards))
    if holder is not None:
        laid[holder] = "holds-trick"
    notes = tuple(make_fact(key, by=Seat(seat)) for key, seat in zip(laid, order, strict=True))
    return CardRow("trick", playing.cards, Weight.KEY, notes=notes, leading=holder, places=seats)


def _taken_cards(state: State) -> Iterator[CardRow]:
    """Yield the cards taken by each seat, with those that count in the contract separately."""
    playing = playing_of(state)
    if playing is None:
        return
    for seat in range(len(state.money)):
        cards = cards_taken(playing, seat)
        counting = tuple(card for card in cards if counts_in(playing.deal.contract, card))
        others = tuple(card for card in cards if card not in counting)
        if counting:
            yield CardRow("counting", counting, Weight.MAIN, seat)
        if others:
            yield CardRow("taken", others, Weight.SIDE, seat)


def counts_in(contract: Contract, card: str) -> bool:
    return any(card in TAKEN_BY_CARD.get(item, ()) for item in CONTRACTS[contract].items)


# Effects of options, and verdicts after a trick.

TOLD = frozenset({"decline", "redeal", "only", "tried", "untried", "refuse", "pass", "enough", "stop"})


def effect(state: State, seat: int | None, option: Option) -> Effect | None:
    match state.stage, option.word:
        case Choosing(claimant=claimant), contract if contract in CONTRACTS:
            name = next(name for name in CONTRACTS if name == contract)
            if claimant is not None:
                return make_effect(f"{name}-coup", reward=CONTRACTS[name].reward)
            return make_effect(f"{name}-president", amount=price_of(name))
        case Lending(amount=wanted), "lend" if seat is not None:
            amount = min(wanted, state.money[seat])
            return make_effect("lend", amount=amount, back=with_interest(amount))
        case _, "borrow":
            return make_effect("borrow", amount=AHEAD, back=with_interest(AHEAD))
        case _, "attempt":
            return make_effect("attempt", amount=FAILURE)
        case _, word:
            return make_effect(word) if word in TOLD else None


def withheld(state: State, ask: Choice) -> tuple[Option, ...]:
    if ask.key not in {"contract", "coup-contract"}:
        return ()
    return tuple(Option(contract) for contract in state.house.contracts if contract in state.used)


def insight(state: State) -> tuple[Ruling, ...]:
    stage = state.stage
    if not isinstance(stage, Playing) or stage.cards or stage.asks_middle:
        return ()
    shown = [(seat, voids_of(stage, seat, len(stage.tricks))) for seat in range(len(state.money))]
    return tuple(make_ruling("voids", "told", seat=seat, suits=suits) for seat, suits in shown if suits)


def voids_of(playing: Playing, seat: int, trick: int | None = None) -> tuple[str, ...]:
    """Return the suits a seat has denied, in deck order; for one trick, only those first denied there."""
    first: dict[str, int] = {}
    for denial in playing.denials:
        if denial.seat == seat:
            first.setdefault(denial.suit, denial.trick)
    return tuple(suit for suit in SUITS if suit in first and trick in {None, first[suit]})


OF_THE_DEAL = frozenset(
    ["coup-won", "coup-failed", "secret-coup", "last-out", "pays", "pays-bank", "takes-bank", "president"]
)
"""Rulings combined into one verdict after a deal."""
MOST_SHOWN = 10  # maximum number of cards in a scene: all spades, the queens and the king


def joined(rulings: tuple[Ruling, ...]) -> Verdict | None:
    """Combine a coup with its reward or cost, and a deal with all its payments."""
    by_key: Said = {ruling.key: ruling.values for ruling in rulings}
    if rulings[-1].key not in OF_THE_DEAL:
        return None
    paid: list[Mapping[str, Any]] = [ruling.values for ruling in rulings if ruling.key == "pays"]
    for key in ("coup-won", "secret-coup"):
        if key in by_key:
            return make_verdict(key, seat=by_key[key]["seat"], amount=_sum(paid))
    if "coup-failed" in by_key:
        fine = [ruling.values for ruling in rulings if ruling.key == "pays-bank"]
        return make_verdict("coup-failed", is_good=False, seat=by_key["coup-failed"]["seat"], amount=_sum(fine))
    if not paid:
        return None
    payers, payee = tuple(dict.fromkeys(each["payer"] for each in paid)), paid[0]["payee"]
    if len(payers) > 1:
        return make_verdict("pay", is_good=False, payers=payers, payee=payee, amount=_sum(paid))
    key = "last-pays" if "last-out" in by_key else "pays"
    return make_verdict(key, is_good=False, payer=payers[0], payee=payee, amount=_sum(paid))


def _sum(paid: list[Mapping[str, Any]]) -> int:
    return sum(each["amount"] for each in paid)


def reveal(_state: State, rulings: tuple[Ruling, ...]) -> Reveal | None:
    """Show the cards a coup needed and who took them; Dominos has none."""
    by_key: Said = {ruling.key: ruling.values for ruling in rulings}
    contract = next(name for name in CONTRACTS if f"{name}-coup" in by_key)
    last = max(place for place, ruling in enumerate(rulings) if ruling.key in OF_THE_DEAL)
    is_won, seat = "coup-won" in by_key, by_key[f"{contract}-coup"]["seat"]
    verdict = joined(rulings[: last + 1])
    wanted = wanted_cards(contract, rulings)
    amount = verdict.values["amount"] if verdict else 0
    return Reveal(
        "attempted",
        {"seat": seat, "contract": contract},
        (_wanted_row(wanted, seat),) if wanted else (),
        make_headline("coup-won" if is_won else "coup-failed", amount=amount),
        won=(seat,) if is_won else (),
        lost=() if is_won else (seat,),
    )


def wanted_cards(contract: Contract, rulings: tuple[Ruling, ...]) -> tuple[tuple[str, int], ...]:
    """Return the cards that a coup needs and who took them, at most `MOST_SHOWN`."""
    return tuple(each for each in _taken(rulings) if counts_in(contract, each[0]))[:MOST_SHOWN]


def _taken(rulings: tuple[Ruling, ...]) -> Iterator[tuple[str, int]]:
    for ruling in rulings:
        values: Mapping[str, Any] = ruling.values
        if ruling.key == "trick":
            yield from ((card, values["seat"]) for card in values["cards"])
        elif ruling.key == "middle":
            yield values["card"], values["seat"]


def _wanted_row(wanted: tuple[tuple[str, int], ...], seat: int) -> CardRow:
    notes = tuple(make_fact("taken-by", by=Seat(taker)) for _card, taker in wanted)
    missed = tuple(place for place, (_card, taker) in enumerate(wanted) if taker != seat)
    return CardRow("counting", tuple(card for card, _taker in wanted), Weight.KEY, notes=notes, struck=missed)


_LAID = frozenset({"lays", "passes"})
VERDICTS = Verdicts(
    claims=_LAID
    | {"attempts", "plays", "names", "asks-loan"}
    | {f"{name}-{side}" for name in CONTRACTS for side in ("president", "coup")},
    decides=_LAID
    | OF_THE_DEAL
    | {"trick", "so-far-king", "so-far-queens", "so-far-spades", "declines", "redeal", "nobody-pays"}
    | {"revoke", "revoke-said", "false-pass", "void", "all-passed", "out-of-cards"}
    | {"lends", "refuses", "overdrawn"},
    joined=joined,
    reveals=frozenset({"coup-won", "coup-failed"}),
    begins=frozenset({"attempts"}),
    reveal=reveal,
)
