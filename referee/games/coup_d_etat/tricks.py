"""Tricks: legal cards, revokes discovered later, cards taken, and the resulting payments."""

from collections.abc import Mapping
from functools import cache

from msgspec.structs import replace

from referee.contract import Transition
from referee.contract.asks import Answer, Ask, Choice, Datum, Option, Show, make_ruling
from referee.contract.cards import CENTRE, PROOF, without
from referee.games.coup_d_etat import deals
from referee.games.coup_d_etat.deals import Rulings
from referee.games.coup_d_etat.state import (
    COUP,
    HAND,
    ORDER,
    PRICES,
    RANK,
    SECRET,
    SUIT,
    TAKEN_BY_CARD,
    Closed,
    Confessing,
    Deal,
    Due,
    House,
    Item,
    Playing,
    State,
    deck_for,
)
from referee.kit.answers import cards_said, option_said, who_said
from referee.kit.french_cards import SUIT_WORDS, SUITS
from referee.kit.tricks import Denial, Denials, Trick, lay_card, taker_of, unsay

ONLY = Option("only")
TRIED, UNTRIED = Option("tried"), Option("untried")
Haul = Mapping[Item, int]

# Legal cards. Following suit can't be enforced, because hands are hidden.


def ask_trick(state: State, playing: Playing) -> tuple[Ask, ...]:
    """Ask the seat in turn for a card; in a coup, first for the suit to follow or the middle card."""
    if playing.deal.claimant is not None:
        first = _ask_first(state, playing)
        if first is not None:
            return (first,)
    asks = ask_card(state, playing)
    return (*deals.ask_stop(state, playing.revokers), *asks) if playing.revokers else asks


def _ask_first(state: State, playing: Playing) -> Ask | None:
    if state.asks_suit(playing):
        barred = suits_not_led(state.house, playing)
        options = tuple(Option(word) for word, suit in SUIT_WORDS.items() if suit not in barred)
        return Choice("suit", (playing.leader,), options)
    if playing.asks_middle:
        deck = state.deck
        among = without(deck.counts, {*playing.seen, COUP})
        return Show("middle", (playing.leader,), 1, PROOF, deck, among)
    return None


def ask_card(state: State, playing: Playing) -> tuple[Ask, ...]:
    """Ask for a legal card; a hand with only barred suits must be declared first."""
    seat, deck = state.next_to_play(playing), state.deck
    among = without(deck.counts, playing.seen)
    barred = _coup_bars(playing, seat, among)
    for card in barred:
        among[card] = 0
    suits = suits_barred(state.house, playing)
    cards = [card for card, count in among.items() if count and SUIT[card] in suits] if suits else []
    if not cards or len(cards) == sum(among.values()):
        return (Show("card", (seat,), 1, CENTRE, deck, among, barred=barred),)
    leads = dict.fromkeys(cards, f"lead-{playing.deal.contract}")
    for card in leads:
        among[card] = 0
    show = Show("card", (seat,), 1, CENTRE, deck, among, barred={**barred, **leads})
    return (Choice("only", (seat,), (ONLY,)), show)


def _coup_bars(playing: Playing, seat: int, among: dict[str, int]) -> dict[str, str]:
    """Bar the Coup card for all but the attempter; in the last trick, the attempter must play it."""
    if COUP in playing.seen:
        return {}
    if seat != playing.deal.claimant:
        return {COUP: "coup-of-another"}
    if playing.number < HAND:
        return {}
    return {card: "coup-last" for card, count in among.items() if count and card != COUP}


def suits_barred(house: House, playing: Playing) -> tuple[str, ...]:
    return () if playing.cards or playing.has_only_barred else suits_not_led(house, playing)


def suits_not_led(house: House, playing: Playing) -> tuple[str, ...]:
    """Return the suits that may not be led: to the first trick, or by a house rule to any trick."""
    is_free = bool(playing.tricks) and house.lead_rule == "opening"
    return () if is_free else playing.deal.terms.no_lead


# Play: one card each, clockwise; the winner of a trick leads the next one.


def hear_card(state: State, playing: Playing, answer: Answer) -> Transition:
    (card,) = cards_said(answer)
    seat = state.next_to_play(playing)
    rulings: Rulings = (make_ruling("plays", _rule_of(state.house, playing, card), seat=seat, card=card),)
    playing, revoked = _with_card(state.house, playing, seat, card)
    # report one revoke per suit, with the first trick in which it was denied
    for denied in revoked[:1]:
        first: dict[str, Datum] = {"suit": denied.suit, "first": denied.trick, "card": denied.card}
        key = "revoke" if denied.card else "revoke-said"
        ruling = make_ruling(key, "revoke", seat=seat, **first, second=playing.number, shown=card)
        rulings = (*rulings, ruling)
    if card == COUP and state.asks_suit(playing):
        return Transition(replace(state, stage=playing), rulings)
    return _next_card(state, playing, rulings)


def _rule_of(house: House, playing: Playing, card: str) -> str:
    cards = playing.cards
    if cards and card != COUP != cards[0]:
        return "follow"
    if card == COUP:
        is_bound = bool(suits_not_led(house, playing))
        return "coup-card" if cards else "not-led-in-coup" if is_bound else "coup-led"
    return "coup-led" if cards else "trick" if playing.tricks else "leader"


def _with_card(house: House, playing: Playing, seat: int, card: str) -> tuple[Playing, Denials]:
    """Lay a card and return the denials it refutes; the Coup card is a denial only by a house rule."""
    suit, denials, denied = playing.suit, playing.denials, playing.suit
    if not playing.cards:
        suit, denied = SUIT[card], ""
        if playing.has_only_barred and suit not in playing.deal.terms.no_lead:
            denials = unsay(denials, seat, playing.number)
    elif card == COUP and house.coup_card != "only_when_void":
        denied = ""
    denials, revoked = lay_card(ORDER, denials, Denial(seat, denied, playing.number, card))
    revokers = tuple(dict.fromkeys((*playing.revokers, seat))) if revoked else playing.revokers
    now = replace(
        playing,
        suit=suit,
        seen=(*playing.seen, card),
        cards=(*playing.cards, card),
        denials=denials,
        revokers=revokers,
        has_only_barred=False,
    )
    return now, revoked


def hear_only(state: State, playing: Playing, _answer: Answer) -> Transition:
    """A leader with only barred suits may lead them; later cards show whether the claim was true."""
    seat, no_lead = state.next_to_play(playing), playing.deal.terms.no_lead
    denied = tuple(Denial(seat, suit, playing.number) for suit in SUITS if suit not in no_lead)
    playing = replace(playing, has_only_barred=True, denials=(*playing.denials, *denied))
    return Transition(replace(state, stage=playing), (make_ruling("only", "nothing-else", seat=seat),))


def hear_suit(state: State, playing: Playing, answer: Answer) -> Transition:
    """House rule: name the suit to follow on the Coup card."""
    suit = SUIT_WORDS[option_said(answer).word]
    ruling = make_ruling("names", "coup-led", seat=playing.leader, suit=suit)
    return _next_card(state, replace(playing, suit=suit), (ruling,))


def _next_card(state: State, playing: Playing, rulings: Rulings) -> Transition:
    cards, seats = playing.cards, len(state.money)
    if len(cards) < seats:
        return Transition(replace(state, stage=playing), rulings)
    seat = taker_of(ORDER, playing.leader, cards, playing.suit, seats)
    rule = "coup-takes" if COUP in cards else _rule_of_ranks(cards[(seat - playing.leader) % seats], cards)
    rulings = (*rulings, make_ruling("trick", rule, seat=seat, number=playing.number, cards=cards))
    tricks = (*playing.tricks, Trick(playing.leader, cards, seat))
    playing = replace(playing, leader=seat, suit="", cards=(), tricks=tricks)
    if playing.asks_middle:
        return Transition(replace(state, stage=playing), rulings)
    return _after_trick(state, playing, cards, rulings)


def _rule_of_ranks(best: str, cards: tuple[str, ...]) -> str:
    """Return the rule for the winning card; a 10 that beats a king needs explanation."""
    if RANK[best] != "10":
        return "trick"
    faces = {RANK[card] for card in cards if SUIT[card] == SUIT[best]} & {"K", "Q", "J"}
    return "ranks" if faces else "trick"


def hear_middle(state: State, playing: Playing, answer: Answer) -> Transition:
    """The winner of the first trick takes the middle card with it."""
    (card,) = cards_said(answer)
    playing = replace(playing, middle=card, seen=(*playing.seen, card))
    rulings = (make_ruling("middle", "middle", seat=playing.leader, card=card),)
    return _after_trick(state, playing, (*playing.tricks[0].cards, card), rulings)


def _after_trick(state: State, playing: Playing, cards: tuple[str, ...], rulings: Rulings) -> Transition:
    """Apply the results of a trick; if the first trick counts, it is paid for at once."""
    deal, seat, seats = playing.deal, playing.tricks[-1].winner, len(state.money)
    rulings = (*rulings, *_counts_so_far(playing, seat, cards))
    if len(playing.tricks) == HAND or (state.house.early_stop and nothing_is_left(playing, seats)):
        return _judge_tricks(state, playing, rulings)
    is_priced = "first-trick" in deal.terms.items and deal.claimant is None
    if len(playing.tricks) > 1 or not is_priced or seat == state.president:
        return Transition(replace(state, stage=playing), rulings)
    due = Due("pays", "tricks-paid", seat, state.president, PRICES["first-trick"])
    rulings = (*rulings, make_ruling("count-first-trick", deal.contract, seat=seat, count=1, amount=due.amount))
    return deals.settle_dues(state, (due,), replace(playing, paid=(due,)), rulings)


def _counts_so_far(playing: Playing, seat: int, cards: tuple[str, ...]) -> Rulings:
    """Return rulings on the trick winner's total of the cards that count in this trick."""
    counting = playing.deal.terms.items
    present = [
        item for item, those in TAKEN_BY_CARD.items() if item in counting and not those.isdisjoint(cards)
    ]
    took = count_items(cards_taken(playing, seat)) if present else {}
    return tuple([make_ruling(f"so-far-{item}", "told", seat=seat, count=took[item]) for item in present])


# Cards taken.


def cards_taken(playing: Playing, seat: int) -> tuple[str, ...]:
    """Return the cards that a seat took; the middle card belongs to the first trick."""
    cards = [card for trick in playing.tricks if trick.winner == seat for card in trick.cards]
    if playing.middle and playing.tricks[0].winner == seat:
        cards.append(playing.middle)
    return tuple(cards)


def count_items(cards: tuple[str, ...]) -> Haul:
    # each card is in the deck once
    return {item: len(those.intersection(cards)) for item, those in TAKEN_BY_CARD.items()}


def haul(playing: Playing, seat: int) -> Haul:
    tricks = playing.tricks
    first = bool(tricks) and tricks[0].winner == seat
    last = len(tricks) == HAND and tricks[-1].winner == seat
    return {**count_items(cards_taken(playing, seat)), "first-trick": int(first), "last-trick": int(last)}


@cache
def whole_haul(seats: int) -> Haul:
    return {**count_items(tuple(deck_for(seats).counts)), "first-trick": 1, "last-trick": 1}


def needs_every_trick(house: House, deal: Deal) -> bool:
    """Return whether a house rule requires a coup to take every trick."""
    return deal.contract == "guillotine" and house.guillotine == "all_tricks"


def is_achieved(house: House, playing: Playing, seat: int, seats: int) -> bool:
    """Return whether a seat took everything its contract names, or every trick by a house rule."""
    if needs_every_trick(house, playing.deal):
        return all(trick.winner == seat for trick in playing.tricks)
    took, everything = haul(playing, seat), whole_haul(seats)
    return all(took[item] == everything[item] for item in playing.deal.terms.items)


def nothing_is_left(playing: Playing, seats: int) -> bool:
    """Return whether everything that counts was played before the last trick."""
    first, last = bool(playing.tricks), len(playing.tricks) == HAND
    fallen = {**count_items(playing.seen), "first-trick": int(first), "last-trick": int(last)}
    return all(fallen[item] == whole_haul(seats)[item] for item in playing.deal.terms.items)


def items_owed(playing: Playing, seat: int) -> Haul:
    took = haul(playing, seat)
    return {item: took[item] for item in playing.deal.terms.items if took[item]}


# Payments: a revoke first, then a coup, a secret coup, and the President's contract.


def _judge_tricks(state: State, playing: Playing, rulings: Rulings) -> Transition:
    house, deal = state.house, playing.deal
    if playing.revokers and house.revoke_penalty == "void":
        return deals.void_deal(state, playing.revokers, playing.paid, rulings)
    fines = deals.fines_for(house, playing.revokers)
    if deal.claimant is not None:
        is_won = is_achieved(house, playing, deal.claimant, len(state.money))
        return deals.judge_coup(state, deal.claimant, is_won, fines, rulings)
    if not house.secret_coup or deal.contract not in SECRET:
        return _penalties(state, playing, (), rulings)
    others = state.clockwise(state.president)
    secret = next((seat for seat in others if is_achieved(house, playing, seat, len(state.money))), None)
    if secret is not None:
        return _reward_secret_coup(state, playing, secret, fines, rulings)
    suspects = tuple(seat for seat in others if items_owed(playing, seat))
    if suspects and house.secret_fail == "bank":
        stage = Confessing(playing, suspects)
        return Transition(replace(state, stage=stage, windows=state.windows + 1), rulings)
    return _penalties(state, playing, (), rulings)


def _reward_secret_coup(
    state: State, playing: Playing, seat: int, fines: tuple[Due, ...], rulings: Rulings
) -> Transition:
    dues = (
        *map(deals.refund_for, playing.paid),
        *deals.rewards(state, seat, "secret-coup"),
        *(deals.bank_for(state, seat, "secret-coup") if state.house.secret_takes_bank else ()),
        *fines,
    )
    rulings = (*rulings, make_ruling("secret-coup", "secret-coup", seat=seat))
    return deals.settle_dues(state, dues, Closed(seat, "secret-coup"), rulings)


def ask_secret(state: State, stage: Confessing) -> tuple[Ask, ...]:
    return (Choice("secret", stage.waiting, (TRIED, UNTRIED), window=state.windows),)


def hear_secret(state: State, stage: Confessing, answer: Answer) -> Transition:
    """Record a secret-coup attempt; when all have declared, payments follow."""
    seat = who_said(answer)
    has_tried = option_said(answer) == TRIED
    rulings = (make_ruling("tried", "secret-fail", seat=seat),) if has_tried else ()
    tried = (*stage.tried, seat) if has_tried else stage.tried
    waiting = tuple(other for other in stage.waiting if other != seat)
    if waiting:
        return Transition(replace(state, stage=Confessing(stage.playing, waiting, tried)), rulings)
    return _penalties(state, stage.playing, tried, rulings)


def _penalties(state: State, playing: Playing, tried: tuple[int, ...], rulings: Rulings) -> Transition:
    """Pay the President for the cards taken; a failed secret coup pays the bank instead."""
    dues: tuple[Due, ...] = ()
    for seat in state.clockwise(state.president):
        counts, bill = _bill(state, playing, seat, has_tried=seat in tried)
        rulings, dues = (*rulings, *counts), (*dues, *bill)
    if not dues and not playing.paid:
        rulings = (*rulings, make_ruling("nobody-pays", "president-pays-nothing"))
    dues = (*dues, *deals.fines_for(state.house, playing.revokers))
    return deals.settle_dues(state, dues, Closed(state.president), rulings)


def _bill(state: State, playing: Playing, seat: int, *, has_tried: bool) -> tuple[Rulings, tuple[Due, ...]]:
    """Return a seat's rulings and dues for the cards taken; the first trick was paid at once."""
    owed, paid = items_owed(playing, seat), tuple(due for due in playing.paid if due.payer == seat)
    amounts = {item: PRICES[item] * count for item, count in owed.items()}
    counts = tuple(
        make_ruling(f"count-{item}", playing.deal.contract, seat=seat, count=owed[item], amount=amount)
        for item, amount in amounts.items()
        if item != "first-trick"
    )
    total = sum(amounts.values())
    if has_tried:
        return counts, (*map(deals.refund_for, paid), Due("pays-bank", "secret-fail", seat, None, total))
    amount, last = total - sum(due.amount for due in paid), amounts.get("last-trick", 0)
    rules = [name for name, part in (("tricks-paid", last), ("paid-in-the-end", amount - last)) if part]
    due = Due("pays", " ".join(rules), seat, state.president, amount)
    return counts, (due,) if due.amount else ()
