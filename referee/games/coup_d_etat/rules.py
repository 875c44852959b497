"""Coup d'État: the play of the cards, in tricks and in Dominos, and the whole of it.

Before it in the rule book come President, deal and contract (`dealing.py`), and loans by house rule
(`loans.py`); after it payments, loans, change of power, and the end of a tour and of the match (`payments.py`).
"""

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
    Ruling,
    Show,
    Standing,
    Transition,
    make_ruling,
)
from referee.contract.cards import without
from referee.games.coup_d_etat.contracts import CONTRACTS, LAST_OUT, PRICES, SO_FAR
from referee.games.coup_d_etat.dealing import (
    ask_contract,
    ask_draw,
    ask_holder,
    hear_contract,
    hear_draw,
    hear_holder,
    hear_redeal,
)
from referee.games.coup_d_etat.deck import COUP, HAND, SUIT_WORDS, deck_for
from referee.games.coup_d_etat.dominos import (
    all_have_passed,
    ask_domino,
    false_pass,
    unlaid_cards,
    with_domino,
    with_next_turn,
    with_pass,
)
from referee.games.coup_d_etat.loans import ask_lenders, hear_borrower, hear_lender
from referee.games.coup_d_etat.money import with_interest, worth
from referee.games.coup_d_etat.payments import (
    ask_loan,
    ask_secret,
    fines_for,
    hear_loan,
    hear_secret,
    judge_coup,
    judge_tricks,
    settle_dues,
    void_deal,
)
from referee.games.coup_d_etat.score import cards_taken, count_items, nothing_is_left
from referee.games.coup_d_etat.state import (
    Borrowing,
    Choosing,
    Closed,
    Confessing,
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
from referee.kit.answers import cards_said, option_said

Rulings = tuple[Ruling, ...]

STOP = Option("stop")

# The play of the cards: one after the other, clockwise; the winner of a trick leads the next one.


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
        return judge_tricks(state, playing, told)
    is_priced = "first-trick" in CONTRACTS[contract].items and playing.deal.claimant is None
    if len(playing.tricks) > 1 or not is_priced or seat == state.president:
        return Transition(replace(state, stage=playing), told)
    amount = PRICES["first-trick"]
    due = Due("pays", seat, state.president, amount)
    told = (*told, make_ruling("count-first-trick", seat=seat, count=1, amount=amount))
    return settle_dues(state, (due,), replace(playing, paid=(due,)), told)


def _counts_so_far(playing: Playing, seat: int, cards: tuple[str, ...]) -> Rulings:
    """Tell what the winner of a trick has now, of the cards that count and that this trick had."""
    items = [item for item in SO_FAR if item in CONTRACTS[playing.deal.contract].items]
    fallen = count_items(cards) if items else {}
    told = [item for item in items if fallen[item]]
    took = count_items(cards_taken(playing, seat)) if told else {}
    return tuple([make_ruling(SO_FAR[item], seat=seat, count=took[item]) for item in told])


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
        return void_deal(state, laying.revokers, (), told)
    fines = fines_for(house, laying.revokers)
    if claimant is not None:
        return judge_coup(state, claimant, first == claimant, fines, told)
    (seat,) = last
    told = (*told, make_ruling("last-out", seat=seat))
    if seat == state.president:
        return settle_dues(state, fines, Closed(seat), (*told, make_ruling("nobody-pays")))
    return settle_dues(
        state, (Due("pays", seat, state.president, LAST_OUT), *fines), Closed(state.president), told
    )


# A deal that a revoke has spoilt: the table may stop it at once.


def _ask_stop(state: State, revokers: tuple[int, ...]) -> tuple[Ask, ...]:
    is_spoilt = revokers and state.house.revoke_penalty == "void"
    return (Choice("stop", TABLE, (STOP,)),) if is_spoilt else ()


def _hear_stop(state: State, stage: Playing | Laying, _answer: Answer) -> Transition:
    return void_deal(state, stage.revokers, stage.paid if isinstance(stage, Playing) else (), ())


# The whole of it.

_ASKS: dict[type, Callable[..., tuple[Ask, ...]]] = {
    Drawing: ask_draw,
    Dealt: ask_holder,
    Borrowing: ask_lenders,
    Choosing: ask_contract,
    Playing: _ask_card,
    Naming: _ask_suit,
    Taking: _ask_middle,
    Confessing: ask_secret,
    Laying: _ask_domino,
    Settling: ask_loan,
    Over: lambda _state, _stage: (),
}
_HEAR: dict[str, Callable[..., Transition]] = {
    "draw": hear_draw,
    "holder": hear_holder,
    "nobody": hear_redeal,
    "borrow": hear_borrower,
    "lend-ahead": hear_lender,
    "contract": hear_contract,
    "coup-contract": hear_contract,
    "card": _hear_card,
    "only": _hear_only,
    "suit": _hear_suit,
    "middle": _hear_middle,
    "secret": hear_secret,
    "domino": _hear_domino,
    "pass": _hear_pass,
    "chain": _hear_chain,
    "stop": _hear_stop,
    "lend": hear_loan,
}


def asks(state: State) -> tuple[Ask, ...]:
    """Say what the referee waits for."""
    return _ASKS[type(state.stage)](state, state.stage)


def hear(state: State, answer: Answer) -> Transition:
    """Rule on an answer that is legal for what was asked."""
    return _HEAR[answer.ask](state, state.stage, answer)


def outcome(state: State) -> Outcome | None:
    """Tell who wins: the player with the most money, or all who have as much."""
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
