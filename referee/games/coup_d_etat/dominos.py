"""Dominos: four rows that grow at both ends, and false passes; the last player with cards pays."""

from functools import lru_cache

from msgspec.structs import replace

from referee.contract import CENTRE, Answer, Ask, Choice, Option, Ruling, Show, Transition, make_ruling
from referee.games.coup_d_etat.deals import Rulings, ask_stop, fines_for, judge_coup, settle_dues, void_deal
from referee.games.coup_d_etat.state import (
    COUP,
    LAST_OUT,
    RANK,
    ROW,
    SUIT,
    Closed,
    Due,
    House,
    Laying,
    Pass,
    State,
)
from referee.kit.answers import cards_said
from referee.kit.french_cards import SUITS
from referee.kit.ranking import with_more

PLACE = {rank: place for place, rank in enumerate(ROW)}
CACHE_SIZE = 64
"""Number of cached rows; each is needed for an ask and its answer."""
PASS, ENOUGH = Option("pass"), Option("enough")


def ask_domino(state: State, laying: Laying) -> tuple[Ask, ...]:
    """Ask for a card that fits, or a pass; hands are hidden, so a forced pass can't be verified."""
    seat, deck = (laying.turn,), state.deck
    fitting = fitting_cards(state.house, laying)
    others = fitting.union(laying.laid, (COUP,))
    among = dict.fromkeys(deck.counts, 0) | dict.fromkeys(fitting, 1)
    barred = dict.fromkeys([card for card in deck.counts if card not in others], "no-fit")
    show = Show("domino", seat, 1, CENTRE, deck, among, barred=barred, may_leave_view=True)
    stop = ask_stop(state, laying.revokers)
    if laying.is_chain:
        return (*stop, Choice("chain", seat, (ENOUGH,)), show)
    return (*stop, Choice("pass", seat, (PASS,)), show) if laying.laid else (*stop, show)


def fitting_cards(house: House, laying: Laying) -> frozenset[str]:
    """Return the cards that extend or open a row; with three players there are no 8s or 7s."""
    return _fitting_cards(laying.laid, len(laying.left), is_any=house.domino_open == "any_matching")


@lru_cache(CACHE_SIZE)
def _fitting_cards(laid: tuple[str, ...], players: int, *, is_any: bool) -> frozenset[str]:
    ranks = ROW[:6] if players == 3 else ROW
    # any rank begins, and then opens the rows; by a house rule, each laid rank does
    openers = {RANK[card] for card in laid} if is_any else {RANK[card] for card in laid[:1]}
    rows: dict[str, list[int]] = {}
    for card in laid:
        rows.setdefault(SUIT[card], []).append(PLACE[RANK[card]])
    fits: set[str] = set()
    for suit in SUITS:
        if suit not in rows:
            fits.update([rank + suit for rank in openers or ranks])
            continue
        first, last = min(rows[suit]), max(rows[suit])
        fits.update([ranks[place] + suit for place in (first - 1, last + 1) if 0 <= place < len(ranks)])
    return frozenset(fits)


def hear_domino(state: State, laying: Laying, answer: Answer) -> Transition:
    """Add a card to its row or open one; a player who lays the last card is out."""
    (card,) = cards_said(answer)
    seat, house = laying.turn, state.house
    rulings: Rulings = (make_ruling("lays", _rule_of(laying, card), seat=seat, card=card),)
    if laying.passes:
        laying, found = _note_false_pass(laying, seat, card)
        rulings += found
    laying = _with_card(house, laying, card)
    if laying.left[seat]:
        return Transition(replace(state, stage=laying if laying.is_chain else _with_next_turn(laying)), rulings)
    rulings = (*rulings, make_ruling("out-of-cards", "domino-end", seat=seat))
    with_cards = tuple(other for other, left in enumerate(laying.left) if left)
    if laying.deal.claimant is not None or len(with_cards) == 1:
        return _judge(state, laying, seat, with_cards, rulings)
    return Transition(replace(state, stage=_with_next_turn(laying)), rulings)


def _rule_of(laying: Laying, card: str) -> str:
    if laying.is_chain:
        return "ace-chain"
    if not laying.laid:
        return "domino-begin"
    return "domino-fit" if has_row(laying, card) else "domino-open"


def has_row(laying: Laying, card: str) -> bool:
    return any(SUIT[other] == SUIT[card] for other in laying.laid)


def _with_card(house: House, laying: Laying, card: str) -> Laying:
    """Lay a card; an ace on a king lets the player continue."""
    is_ace = RANK[card] == "A" and (has_row(laying, card) or house.ace_chain == "any_ace")
    left, is_chain = with_more(laying.left, laying.turn, -1), laying.is_chain or is_ace
    return replace(laying, left=left, laid=(*laying.laid, card), quiet=0, is_chain=is_chain)


def _with_next_turn(laying: Laying) -> Laying:
    seat = laying.turn
    for _seat in laying.left:
        seat = (seat + 1) % len(laying.left)
        if laying.left[seat]:
            break
    return replace(laying, turn=seat, is_chain=False)


def hear_pass(state: State, laying: Laying, _answer: Answer) -> Transition:
    """Record a pass with the cards that fitted; if all have passed, one pass was false."""
    passed = Pass(laying.turn, laying.laid[-1], tuple(sorted(fitting_cards(state.house, laying))))
    rulings: Rulings = (make_ruling("passes", "domino-pass", seat=laying.turn),)
    laying = _with_next_turn(replace(laying, passes=(*laying.passes, passed), quiet=laying.quiet + 1))
    if laying.quiet == sum(1 for left in laying.left if left):
        rulings = (*rulings, make_ruling("all-passed", "domino-all-pass", cards=passed.fits))
        laying = replace(laying, quiet=0)
    return Transition(replace(state, stage=laying), rulings)


def hear_chain(state: State, laying: Laying, _answer: Answer) -> Transition:
    ruling = make_ruling("enough", "ace-chain", seat=laying.turn)
    return Transition(replace(state, stage=_with_next_turn(laying)), (ruling,))


def _note_false_pass(laying: Laying, seat: int, card: str) -> tuple[Laying, tuple[Ruling, ...]]:
    """Return the laying without this seat's false pass on the card, with a ruling; each is reported once."""
    wrong = [each for each in laying.passes if each.seat == seat and card in each.fits]
    if not wrong:
        return laying, ()
    passes = tuple(each for each in laying.passes if each.seat != seat)
    revokers = tuple(dict.fromkeys((*laying.revokers, seat)))
    ruling = make_ruling("false-pass", "revoke", seat=seat, after=wrong[0].after, card=card)
    return replace(laying, passes=passes, revokers=revokers), (ruling,)


def _judge(state: State, laying: Laying, first: int, last: tuple[int, ...], rulings: Rulings) -> Transition:
    """Judge Dominos; the last player's cards are known, because all others have been laid."""
    if len(last) == 1:
        for card in [card for card in state.deck.counts if card not in {COUP, *laying.laid}]:
            laying, found = _note_false_pass(laying, last[0], card)
            rulings += found
    house, claimant = state.house, laying.deal.claimant
    if laying.revokers and house.revoke_penalty == "void":
        return void_deal(state, laying.revokers, (), rulings)
    fines = fines_for(house, laying.revokers)
    if claimant is not None:
        return judge_coup(state, claimant, first == claimant, fines, rulings)
    (seat,) = last
    rulings = (*rulings, make_ruling("last-out", "dominos", seat=seat))
    if seat == state.president:
        rulings = (*rulings, make_ruling("nobody-pays", "president-pays-nothing"))
        return settle_dues(state, fines, Closed(seat), rulings)
    dues = (Due("pays", "dominos", seat, state.president, LAST_OUT), *fines)
    return settle_dues(state, dues, Closed(state.president), rulings)
