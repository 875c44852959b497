"""Coup d'État, in the order of the rule book: President, deal, contract, tricks, payments, Dominos, tours."""

from collections.abc import Callable

from msgspec.structs import replace

from referee.contract import (
    PROOF,
    TABLE,
    Answer,
    Ask,
    Choice,
    Option,
    Outcome,
    Refusal,
    Ruling,
    Show,
    Standing,
    Transition,
    before_seat,
    make_ruling,
)
from referee.contract.cards import without
from referee.games.coup_d_etat.contracts import CONTRACTS, FAILURE, LAST_OUT, PRICES, SECRET, SO_FAR
from referee.games.coup_d_etat.deck import COUP, HAND, STRENGTH, SUIT_WORDS, deck_for
from referee.games.coup_d_etat.dominos import (
    all_have_passed,
    ask_domino,
    false_pass,
    unlaid_cards,
    with_domino,
    with_next_turn,
    with_pass,
)
from referee.games.coup_d_etat.house import House, contracts_of, deals_of, house_refusal
from referee.games.coup_d_etat.money import (
    PURSE,
    lenders,
    pay_due,
    refund_for,
    shortfall,
    with_interest,
    with_loan,
    worth,
)
from referee.games.coup_d_etat.score import (
    cards_taken,
    count_items,
    haul,
    is_achieved,
    nothing_is_left,
    penalties,
)
from referee.games.coup_d_etat.state import (
    Choosing,
    Closed,
    Confessing,
    Deal,
    Dealt,
    Drawing,
    Due,
    Laying,
    Naming,
    Over,
    Playing,
    Settling,
    State,
    Taking,
    Trick,
    clockwise,
    next_to_play,
)
from referee.games.coup_d_etat.tricks import (
    ask_card,
    revoke,
    suits_not_led,
    winner,
    with_card,
    with_only_barred,
    without_refuted_claim,
)
from referee.kit.answers import cards_said, option_said, who_said

Rulings = tuple[Ruling, ...]

ATTEMPT = Option("attempt")
DECLINE = Option("decline")
REDEAL = Option("redeal")
STOP = Option("stop")
LEND = Option("lend")
REFUSE = Option("refuse")
TRIED = Option("tried")
UNTRIED = Option("untried")

# The first President: everybody draws a card, and the highest one decides.


def start(seats: tuple[int, ...], house: House, _after: Outcome | None) -> Transition | Refusal:
    """Give everybody the same money; three players put the 8s and 7s aside."""
    refusal = house_refusal(house)
    if refusal is not None:
        return refusal
    state = State(house, (PURSE,) * len(seats), Drawing(seats))
    told = (make_ruling("purses", amount=PURSE),)
    return Transition(state, (*told, make_ruling("low-aside")) if len(seats) == 3 else told)


def _ask_draw(state: State, drawing: Drawing) -> tuple[Ask, ...]:
    seat, deck = drawing.seats[len(drawing.drawn)], deck_for(len(state.money))
    among = without(deck.counts, drawing.seen + drawing.drawn)
    return (Show("draw", (seat,), 1, before_seat(seat), deck, among),)


def _hear_draw(state: State, drawing: Drawing, answer: Answer) -> Transition:
    """The Coup card is above all; among equals, the highest draw again."""
    (card,) = cards_said(answer)
    told = (make_ruling("drew", seat=drawing.seats[len(drawing.drawn)], card=card),)
    drawn = (*drawing.drawn, card)
    if len(drawn) < len(drawing.seats):
        return Transition(replace(state, stage=replace(drawing, drawn=drawn)), told)
    ranks = [STRENGTH.get(card, 1) for card in drawn]
    highest = tuple(seat for seat, rank in zip(drawing.seats, ranks, strict=True) if rank == max(ranks))
    if len(highest) == 1:
        return _new_tour(state, highest[0], told)
    again = Drawing(highest, seen=drawing.seen + drawn)
    return Transition(replace(state, stage=again), (*told, make_ruling("draw-again", seats=highest)))


def _new_tour(state: State, president: int, told: Rulings) -> Transition:
    """Begin a tour: all contracts are open again."""
    state = replace(state, tour=state.tour + 1, president=president, starter=president, used=())
    tours = len(state.money)
    return _new_deal(state, (*told, make_ruling("tour", number=state.tour, tours=tours, president=president)))


# The deal: eight cards each, the last one stays face down in the middle. Whoever has the Coup card says so.


def _new_deal(state: State, told: Rulings) -> Transition:
    number, deals = len(state.used) + 1, deals_of(state.house)
    said = make_ruling("deal", president=state.president, number=number, deals=deals)
    return Transition(replace(state, stage=Dealt()), (*told, said))


def _ask_holder(state: State, _stage: Dealt) -> tuple[Ask, ...]:
    everybody = tuple(range(len(state.money)))
    return (
        Choice("holder", everybody, (ATTEMPT, DECLINE)),
        Choice("nobody", TABLE, (REDEAL,)),
    )


def _hear_holder(state: State, _stage: Dealt, answer: Answer) -> Transition:
    """Whoever doesn't attempt a coup lays the Coup card away and takes the middle card."""
    seat = who_said(answer)
    if option_said(answer) == ATTEMPT:
        return Transition(replace(state, stage=Choosing(seat)), (make_ruling("attempts", seat=seat),))
    return Transition(replace(state, stage=Choosing(None)), (make_ruling("declines", seat=seat),))


def _hear_nobody(state: State, _stage: Dealt, _answer: Answer) -> Transition:
    """The Coup card lies in the middle: all cards are dealt again."""
    return _new_deal(state, (make_ruling("redeal"),))


# The contract: the President chooses it, or whoever attempts a coup; it is used up, whatever comes of it.


def _ask_contract(state: State, stage: Choosing) -> tuple[Ask, ...]:
    left = [contract for contract in contracts_of(state.house) if contract not in state.used]
    options = tuple(Option(contract) for contract in left)
    if stage.claimant is None:
        return (Choice("contract", (state.president,), options),)
    return (Choice("coup-contract", (stage.claimant,), options),)


def _hear_contract(state: State, stage: Choosing, answer: Answer) -> Transition:
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


# The play of the cards: one after the other, clockwise; whoever takes a trick leads the next one.


def _ask_card(state: State, playing: Playing) -> tuple[Ask, ...]:
    return (*_ask_stop(state, playing.revokers), *ask_card(state, playing))


def _hear_card(state: State, playing: Playing, answer: Answer) -> Transition:
    (card,) = cards_said(answer)
    seat = next_to_play(state, playing)
    playing, found = _note_revoke(without_refuted_claim(playing, card), seat, card)
    playing = with_card(state.house, playing, seat, card)
    told = (make_ruling("plays", seat=seat, card=card), *found)
    if card == COUP and len(playing.cards) == 1 and state.house.coup_led == "leader_names_suit":
        return Transition(replace(state, stage=Naming(playing)), told)
    return _next_card(state, playing, told)


def _note_revoke(playing: Playing, seat: int, card: str) -> tuple[Playing, Rulings]:
    """Look for a trick in which this seat denied this suit; it is told once, with both tricks."""
    denied = revoke(playing, seat, card)
    if denied is None:
        return playing, ()
    said = make_ruling(
        "revoke" if denied.card else "revoke-said",
        seat=seat,
        suit=denied.suit,
        first=denied.trick,
        card=denied.card,
        second=len(playing.tricks) + 1,
        shown=card,
    )
    denials = tuple(denial for denial in playing.denials if denial != denied)
    return replace(playing, denials=denials, revokers=_with_seat(playing.revokers, seat)), (said,)


def _hear_only(state: State, playing: Playing, _answer: Answer) -> Transition:
    """A hand of nothing but suits that may not be led may lead them; what comes later shows whether it was."""
    seat = next_to_play(state, playing)
    said = (make_ruling("only", seat=seat),)
    return Transition(replace(state, stage=with_only_barred(playing, seat)), said)


def _ask_suit(state: State, stage: Naming) -> tuple[Ask, ...]:
    barred = suits_not_led(state.house, stage.playing)
    options = tuple(Option(word) for word, suit in SUIT_WORDS.items() if suit not in barred)
    return (Choice("suit", (stage.playing.leader,), options),)


def _hear_suit(state: State, stage: Naming, answer: Answer) -> Transition:
    suit = SUIT_WORDS[option_said(answer).word]
    said = (make_ruling("names", seat=stage.playing.leader, suit=suit),)
    return _next_card(state, replace(stage.playing, suit=suit), said)


def _next_card(state: State, playing: Playing, told: Rulings) -> Transition:
    if len(playing.cards) < len(state.money):
        return Transition(replace(state, stage=playing), told)
    seat = winner(playing, len(state.money))
    tricks = (*playing.tricks, Trick(playing.leader, playing.cards, seat))
    told = (*told, make_ruling("trick", seat=seat, number=len(tricks), cards=playing.cards))
    playing = replace(playing, leader=seat, suit="", cards=(), tricks=tricks, has_only_barred=False)
    if playing.deal.claimant is not None and len(tricks) == 1:
        return Transition(replace(state, stage=Taking(playing)), told)
    return _after_trick(state, playing, playing.tricks[-1].cards, told)


def _ask_middle(state: State, stage: Taking) -> tuple[Ask, ...]:
    """In a coup the middle card belongs to the first trick: it is shown, because it counts."""
    deck = deck_for(len(state.money))
    among = without(deck.counts, {*stage.playing.seen, COUP})
    return (Show("middle", (stage.playing.leader,), 1, PROOF, deck, among),)


def _hear_middle(state: State, stage: Taking, answer: Answer) -> Transition:
    (card,) = cards_said(answer)
    playing = replace(stage.playing, middle=card, seen=(*stage.playing.seen, card))
    told = (make_ruling("middle", seat=playing.leader, card=card),)
    return _after_trick(state, playing, (*playing.tricks[0].cards, card), told)


def _after_trick(state: State, playing: Playing, cards: tuple[str, ...], told: Rulings) -> Transition:
    """Tell how things stand; the first trick is paid for as it falls, where it counts."""
    contract, seat, seats = playing.deal.contract, playing.tricks[-1].winner, len(state.money)
    told = (*told, *_counts_so_far(playing, seat, cards))
    done = len(playing.tricks) == HAND
    if done or (state.house.early_stop and nothing_is_left(playing, seats)):
        return _judge_tricks(state, playing, told)
    is_priced = "first-trick" in CONTRACTS[contract].items and playing.deal.claimant is None
    if len(playing.tricks) > 1 or not is_priced or seat == state.president:
        return Transition(replace(state, stage=playing), told)
    amount = PRICES["first-trick"]
    due = Due("pays", seat, state.president, amount)
    told = (*told, make_ruling("count-first-trick", seat=seat, count=1, amount=amount))
    return _settle_dues(state, (due,), replace(playing, paid=(due,)), told)


def _counts_so_far(playing: Playing, seat: int, cards: tuple[str, ...]) -> Rulings:
    """Tell what the winner of a trick has now, of the cards that count and that this trick had."""
    items, fallen = CONTRACTS[playing.deal.contract].items, count_items(cards)
    keys = {item: key for item, key in SO_FAR.items() if item in items and fallen[item]}
    took = count_items(cards_taken(playing, seat)) if keys else {}
    return tuple(make_ruling(key, seat=seat, count=took[item]) for item, key in keys.items())


# The payments: to the President; or to whoever succeeds in a coup, from everybody; or to the bank.


def _judge_tricks(state: State, playing: Playing, told: Rulings) -> Transition:
    """Judge a deal of tricks: a revoke first, then a coup, a secret coup, and the President's contract."""
    house, deal, seats = state.house, playing.deal, len(state.money)
    if playing.revokers and house.revoke_penalty == "void":
        return _void_deal(state, playing.revokers, playing.paid, told)
    fines = _fines(house, playing.revokers)
    if deal.claimant is not None:
        is_won = is_achieved(house, playing, deal.claimant, seats)
        return _judge_coup(state, deal.claimant, is_won, fines, told)
    secret = _secret_winner(state, playing)
    if secret is not None:
        told = (*told, make_ruling("secret-coup", seat=secret))
        dues = (
            *map(refund_for, playing.paid),
            *_rewards(state, secret, CONTRACTS[deal.contract].reward),
            *fines,
        )
        return _settle_dues(state, dues, Closed(secret), told)
    suspects = _suspects(state, playing)
    if suspects:
        stage = Confessing(playing, suspects)
        return Transition(replace(state, stage=stage, windows=state.windows + 1), told)
    return _penalties(state, playing, (), told)


def _void_deal(state: State, revokers: tuple[int, ...], before: tuple[Due, ...], told: Rulings) -> Transition:
    """A revoke voids the deal: what was paid in it is given back, and whoever revoked pays the bank."""
    dues = (*map(refund_for, before), *(Due("pays-bank", seat, None, FAILURE) for seat in revokers))
    return _settle_dues(state, dues, Closed(state.president), (*told, make_ruling("void", seats=revokers)))


def _fines(house: House, revokers: tuple[int, ...]) -> tuple[Due, ...]:
    if house.revoke_penalty != "pays":
        return ()
    return tuple(Due("pays-bank", seat, None, FAILURE) for seat in revokers)


def _judge_coup(state: State, seat: int, is_won: bool, fines: tuple[Due, ...], told: Rulings) -> Transition:
    """A coup that succeeds brings the presidency and the bank; one that fails costs only money."""
    if not is_won:
        due = Due("pays-bank", seat, None, FAILURE)
        return _settle_dues(
            state, (due, *fines), Closed(state.president), (*told, make_ruling("coup-failed", seat=seat))
        )
    bank = (Due("takes-bank", None, seat, state.bank),) if state.bank else ()
    dues = (*_rewards(state, seat, CONTRACTS[state.used[-1]].reward), *bank, *fines)
    return _settle_dues(state, dues, Closed(seat), (*told, make_ruling("coup-won", seat=seat)))


def _rewards(state: State, seat: int, reward: int) -> tuple[Due, ...]:
    return tuple(Due("pays", other, seat, reward) for other in clockwise(state, seat))


def _secret_winner(state: State, playing: Playing) -> int | None:
    """Find who has secretly taken all that counts: anybody but the President, in three of the contracts."""
    if not state.house.secret_coup or playing.deal.contract not in SECRET:
        return None
    for seat in clockwise(state, state.president):
        if is_achieved(state.house, playing, seat, len(state.money)):
            return seat
    return None


def _suspects(state: State, playing: Playing) -> tuple[int, ...]:
    """List who may have failed in a secret coup, where a house rule wants to know."""
    house, contract = state.house, playing.deal.contract
    if not house.secret_coup or house.secret_fail == "president" or contract not in SECRET:
        return ()
    others = clockwise(state, state.president)
    return tuple(seat for seat in others if penalties(contract, haul(playing, seat)))


def _ask_secret(state: State, stage: Confessing) -> tuple[Ask, ...]:
    return (Choice("secret", stage.waiting, (TRIED, UNTRIED), window=state.windows),)


def _hear_secret(state: State, stage: Confessing, answer: Answer) -> Transition:
    seat = who_said(answer)
    has_tried = option_said(answer) == TRIED
    told = (make_ruling("tried", seat=seat),) if has_tried else ()
    tried = (*stage.tried, seat) if has_tried else stage.tried
    waiting = tuple(other for other in stage.waiting if other != seat)
    if waiting:
        return Transition(replace(state, stage=Confessing(stage.playing, waiting, tried)), told)
    return _penalties(state, stage.playing, tried, told)


def _penalties(state: State, playing: Playing, tried: tuple[int, ...], told: Rulings) -> Transition:
    """Everybody pays the President for what they took; after a secret coup that failed, the bank."""
    dues: tuple[Due, ...] = ()
    for seat in clockwise(state, state.president):
        counts, bill = _bill(state, playing, seat, seat in tried)
        told, dues = (*told, *counts), (*dues, *bill)
    if not dues and not playing.paid:
        told = (*told, make_ruling("nobody-pays"))
    return _settle_dues(state, (*dues, *_fines(state.house, playing.revokers)), Closed(state.president), told)


def _bill(state: State, playing: Playing, seat: int, has_tried: bool) -> tuple[Rulings, tuple[Due, ...]]:
    """Count what a seat has taken; the first trick has been paid for as it fell."""
    owed = penalties(playing.deal.contract, haul(playing, seat))
    before = tuple(due for due in playing.paid if due.payer == seat)
    counts = tuple(
        make_ruling(f"count-{one.item}", seat=seat, count=one.count, amount=one.amount)
        for one in owed
        if one.item != "first-trick"
    )
    total, already = sum(one.amount for one in owed), sum(due.amount for due in before)
    if has_tried:
        return counts, (*map(refund_for, before), Due("pays-bank", seat, None, total))
    return counts, (Due("pays", seat, state.president, total - already),) if total > already else ()


# Dominos: the last one with cards pays; in a coup, the first one out decides.


def _ask_domino(state: State, laying: Laying) -> tuple[Ask, ...]:
    return (*_ask_stop(state, laying.revokers), *ask_domino(state, laying))


def _hear_domino(state: State, laying: Laying, answer: Answer) -> Transition:
    (card,) = cards_said(answer)
    seat = laying.turn
    laying, told = _note_false_pass(laying, seat, card)
    laying = with_domino(state.house, laying, card)
    told = (make_ruling("lays", seat=seat, card=card), *told)
    if laying.left[seat]:
        return Transition(replace(state, stage=laying if laying.is_chain else with_next_turn(laying)), told)
    told = (*told, make_ruling("out-of-cards", seat=seat))
    with_cards = tuple(other for other, left in enumerate(laying.left) if left)
    if laying.deal.claimant is not None or len(with_cards) == 1:
        return _judge_dominos(state, laying, seat, with_cards, told)
    return Transition(replace(state, stage=with_next_turn(laying)), told)


def _note_false_pass(laying: Laying, seat: int, card: str) -> tuple[Laying, Rulings]:
    """Look for a pass of this seat at which this card fitted; it is told once."""
    wrong = false_pass(laying, seat, card)
    if wrong is None:
        return laying, ()
    passes = tuple(said for said in laying.passes if said.seat != seat)
    said = make_ruling("false-pass", seat=seat, after=wrong.after, card=card)
    return replace(laying, passes=passes, revokers=_with_seat(laying.revokers, seat)), (said,)


def _hear_pass(state: State, laying: Laying, _answer: Answer) -> Transition:
    told: Rulings = (make_ruling("passes", seat=laying.turn),)
    laying = with_pass(state.house, laying)
    if all_have_passed(laying):
        told = (*told, make_ruling("all-passed", cards=laying.passes[-1].fits))
        laying = replace(laying, quiet=0)
    return Transition(replace(state, stage=laying), told)


def _hear_chain(state: State, laying: Laying, _answer: Answer) -> Transition:
    return Transition(replace(state, stage=with_next_turn(laying)), (make_ruling("enough", seat=laying.turn),))


def _judge_dominos(
    state: State, laying: Laying, first: int, last: tuple[int, ...], told: Rulings
) -> Transition:
    """Judge Dominos; the cards of the last one are known, because all others have been laid."""
    if len(last) == 1:
        for card in unlaid_cards(laying):
            laying, found = _note_false_pass(laying, last[0], card)
            told += found
    house, claimant = state.house, laying.deal.claimant
    if laying.revokers and house.revoke_penalty == "void":
        return _void_deal(state, laying.revokers, (), told)
    fines = _fines(house, laying.revokers)
    if claimant is not None:
        return _judge_coup(state, claimant, first == claimant, fines, told)
    (seat,) = last
    told = (*told, make_ruling("last-out", seat=seat))
    if seat == state.president:
        return _settle_dues(state, fines, Closed(seat), (*told, make_ruling("nobody-pays")))
    return _settle_dues(
        state, (Due("pays", seat, state.president, LAST_OUT), *fines), Closed(state.president), told
    )


# A deal that a revoke has spoilt: the table may stop it at once.


def _ask_stop(state: State, revokers: tuple[int, ...]) -> tuple[Ask, ...]:
    is_spoilt = revokers and state.house.revoke_penalty == "void"
    return (Choice("stop", TABLE, (STOP,)),) if is_spoilt else ()


def _hear_stop(state: State, stage: Playing | Laying, _answer: Answer) -> Transition:
    return _void_deal(state, stage.revokers, stage.paid if isinstance(stage, Playing) else (), ())


# Money: paid as it is due; whoever is short asks the others for a loan.


def _settle_dues(state: State, dues: tuple[Due, ...], after: Playing | Closed, told: Rulings) -> Transition:
    """Pay one after the other, until somebody is short and somebody can lend."""
    for place, due in enumerate(dues):
        short = shortfall(state, due)
        others = () if due.payer is None or not short else lenders(state, due.payer)
        if others:
            stage, number = Settling(dues[place:], others, after), state.windows + 1
            said = make_ruling("short", seat=due.payer, amount=due.amount, short=short)
            return Transition(replace(state, stage=stage, windows=number), (*told, said))
        state, paying = pay_due(state, due)
        told = (*told, paying)
    if isinstance(after, Closed):
        return _close_deal(state, after.president, told)
    return Transition(replace(state, stage=after), told)


def _ask_loan(state: State, stage: Settling) -> tuple[Ask, ...]:
    return (Choice("lend", stage.waiting, (LEND, REFUSE), window=state.windows),)


def _hear_loan(state: State, stage: Settling, answer: Answer) -> Transition:
    """Whoever lends gives what is missing, or all there is; if nobody does, the purse falls below nothing."""
    seat, due = who_said(answer), stage.dues[0]
    borrower = _payer(due)
    if option_said(answer) == LEND:
        amount = min(shortfall(state, due), state.money[seat])
        state = with_loan(state, seat, borrower, amount)
        back = with_interest(state.loans[-1])
        said = make_ruling("lends", payer=seat, payee=borrower, amount=amount, back=back)
        return _settle_dues(state, stage.dues, stage.after, (said,))
    told = (make_ruling("refuses", seat=seat, borrower=borrower),)
    waiting = tuple(other for other in stage.waiting if other != seat)
    if waiting:
        return Transition(replace(state, stage=replace(stage, waiting=waiting)), told)
    state, paying = pay_due(state, due)
    return _settle_dues(
        state, stage.dues[1:], stage.after, (*told, paying, make_ruling("overdrawn", seat=borrower))
    )


# Change of power, the end of a tour, and the end of the match.


def _close_deal(state: State, president: int, told: Rulings) -> Transition:
    if president != state.president:
        told = (*told, make_ruling("president", seat=president))
        state = replace(state, president=president)
    if len(state.used) < deals_of(state.house):
        return _new_deal(state, told)
    if state.bank:
        state, said = pay_due(state, Due("takes-bank", None, president, state.bank))
        told = (*told, said)
    if state.tour == len(state.money):
        return _end_match(state, told)
    before = state.starter if state.house.next_tour == "left_of_starter" else president
    return _new_tour(state, clockwise(state, before)[0], told)


def _end_match(state: State, told: Rulings) -> Transition:
    """After all tours the loans are paid back with interest; whoever has the most money wins."""
    loans, state = state.loans, replace(state, loans=())
    for loan in loans:
        state, said = pay_due(state, Due("repays", loan.borrower, loan.lender, with_interest(loan)))
        told = (*told, said)
    most = max(state.money)
    winners = tuple(seat for seat, money in enumerate(state.money) if money == most)
    key = "won" if len(winners) == 1 else "shared"
    return Transition(
        replace(state, stage=Over(winners)), (*told, make_ruling(key, seats=winners, amount=most))
    )


# The whole of it.

_ASKS: dict[type, Callable[..., tuple[Ask, ...]]] = {
    Drawing: _ask_draw,
    Dealt: _ask_holder,
    Choosing: _ask_contract,
    Playing: _ask_card,
    Naming: _ask_suit,
    Taking: _ask_middle,
    Confessing: _ask_secret,
    Laying: _ask_domino,
    Settling: _ask_loan,
    Over: lambda _state, _stage: (),
}
_HEAR: dict[str, Callable[..., Transition]] = {
    "draw": _hear_draw,
    "holder": _hear_holder,
    "nobody": _hear_nobody,
    "contract": _hear_contract,
    "coup-contract": _hear_contract,
    "card": _hear_card,
    "only": _hear_only,
    "suit": _hear_suit,
    "middle": _hear_middle,
    "secret": _hear_secret,
    "domino": _hear_domino,
    "pass": _hear_pass,
    "chain": _hear_chain,
    "stop": _hear_stop,
    "lend": _hear_loan,
}


def asks(state: State) -> tuple[Ask, ...]:
    """Say what the referee waits for."""
    return _ASKS[type(state.stage)](state, state.stage)


def hear(state: State, answer: Answer) -> Transition:
    """Rule on an answer that is legal for what was asked."""
    return _HEAR[answer.ask](state, state.stage, answer)


def outcome(state: State) -> Outcome | None:
    """Whoever has the most money wins, or those who have."""
    return Outcome("most-money", state.stage.winners) if isinstance(state.stage, Over) else None


def standings(state: State) -> tuple[Standing, ...]:
    """Rank by money, as if the loans were paid back now."""
    worths = [worth(state, seat) for seat in range(len(state.money))]
    order = sorted(range(len(worths)), key=lambda seat: -worths[seat])
    best = [worths[seat] for seat in order]
    return tuple(Standing(seat, best.index(worths[seat]) + 1, _counts(state, seat)) for seat in order)


def _counts(state: State, seat: int) -> dict[str, int]:
    """Say what a seat has; and what it owes or is owed, where there are loans."""
    owing = sum(with_interest(loan) for loan in state.loans if loan.borrower == seat)
    owed = sum(with_interest(loan) for loan in state.loans if loan.lender == seat)
    return {"money": state.money[seat]} | ({"owing": owing} if owing else {}) | ({"owed": owed} if owed else {})


def _with_seat(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return seats if seat in seats else (*seats, seat)


def _payer(due: Due) -> int:
    if due.payer is None:
        raise ValueError("the bank never borrows")
    return due.payer
