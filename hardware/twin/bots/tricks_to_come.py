"""Tricks of Coup d'État played to the end of the deal: hidden hands dealt at random, all seats playing simply.

For speed, a card is a number: eight times its suit, plus its rank (7 for an ace). A hand is a bit mask of ranks
per suit. Each item of a contract has a price, so whoever takes the whole price has succeeded in a coup. House
rules about the Coup card and about later leads are ignored: the results are estimates.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from random import Random

from msgspec import Struct

from referee.games.coup_d_etat.state import (
    CONTRACTS,
    COUP,
    FAILURE,
    HAND,
    KING,
    LAST_OUT,
    PRICES,
    QUEENS,
    RANKS,
    SECRET,
    STRENGTH,
    SUIT,
    TAKEN_BY_CARD,
    Contract,
    Playing,
    State,
    deck_for,
)
from referee.kit.french_cards import SUITS
from referee.kit.tricks import suits_denied

COUP_CARD = 32
NUMBER: dict[str, int] = {
    **{rank + suit: 8 * place + 7 - RANKS.index(rank) for rank in RANKS for place, suit in enumerate(SUITS)},
    COUP: COUP_CARD,
}
ABOVE_ALL = 9  # rank of the Coup card
TRIES = 8  # attempts to deal hands without the suits that their seats have denied
PRESIDENCY = 500
"""Francs that each later deal of the tour brings its President, besides the income of the others."""
Hand = list[int]
NO_SUITS: frozenset[int] = frozenset()


def cost(card: str) -> tuple[bool, bool, bool, int]:
    """Return a key that orders cards by the harm of taking them."""
    return card == KING, card in QUEENS, SUIT[card] == "s", STRENGTH[card]


LIGHTEST_FIRST = tuple(sorted(range(COUP_CARD), key={NUMBER[card]: cost(card) for card in NUMBER}.__getitem__))
COSTLIEST_FIRST = LIGHTEST_FIRST[::-1]


class Terms(Struct, frozen=True):
    """A deal of tricks: its President, who attempts a coup, and the prices of cards and tricks."""

    contract: Contract
    president: int
    claimant: int | None
    seats: int
    prices: tuple[int, ...]
    first: int
    last: int
    whole: int
    no_lead: frozenset[int]


@cache
def terms_of(contract: Contract, president: int, claimant: int | None, seats: int) -> Terms:
    terms, deck, prices = CONTRACTS[contract], deck_for(seats).counts, [0] * (COUP_CARD + 1)
    for item in terms.items:
        for card in TAKEN_BY_CARD.get(item, frozenset()) & deck.keys():
            prices[NUMBER[card]] += PRICES[item]
    first = PRICES["first-trick"] if "first-trick" in terms.items else 0
    last = PRICES["last-trick"] if "last-trick" in terms.items else 0
    no_lead = frozenset(map(SUITS.index, terms.no_lead))
    whole = sum(prices) + first + last
    return Terms(contract, president, claimant, seats, tuple(prices), first, last, whole, no_lead)


class Known(Struct, frozen=True):
    """A seat's knowledge of a deal: the tricks so far, its hand, and how many unseen cards lie where."""

    terms: Terms
    seat: int
    own: tuple[int, ...]
    unseen: tuple[int, ...]
    room: tuple[int, ...]
    """Unseen cards in the hand of each seat, then in the middle."""
    leader: int
    to_come: int
    """Deals after this one in the tour."""
    bank: int = 0
    has_secret: bool = True
    number: int = 0
    cards: tuple[int, ...] = ()
    totals: tuple[int, ...] = ()
    """Price that each seat has taken in the finished tricks."""
    has_coup: bool = False  # whether the Coup card is still to be played
    denied: tuple[frozenset[int], ...] = ()


def before_deal(state: State, seat: int, cards: Sequence[str], contract: Contract, *, is_coup: bool) -> Known:
    """Return a seat's knowledge before the first card of a contract, its own coup or the President's."""
    seats, president = len(state.money), state.president
    own = tuple(NUMBER[card] for card in cards if card != COUP)
    unseen = tuple(NUMBER[card] for card in state.deck.counts if card != COUP and card not in cards)
    room = [HAND] * seats
    room[seat] = 0 if is_coup else HAND - len(own)
    return Known(
        terms_of(contract, president, seat if is_coup else None, seats),
        seat,
        own,
        unseen,
        (*room, int(is_coup)),
        leader=seat if is_coup else president,
        to_come=state.house.deals - len(state.used) - 1,
        bank=state.bank,
        has_secret=state.house.secret_coup,
        totals=(0,) * seats,
        has_coup=is_coup,
        denied=(NO_SUITS,) * (seats + 1),
    )


def in_deal(state: State, playing: Playing, cards: Sequence[str]) -> Known:
    """Return the next player's knowledge in the middle of a deal."""
    seats, seat, claimant = len(state.money), state.next_to_play(playing), playing.deal.claimant
    terms, number = terms_of(playing.deal.contract, state.president, claimant, seats), len(playing.tricks)
    has_coup = claimant is not None and COUP not in playing.seen
    seen = {*playing.seen, *cards, COUP}
    room = [HAND - number - ((other - playing.leader) % seats < len(playing.cards)) for other in range(seats)]
    room[seat] = 0
    if claimant is not None and claimant != seat:
        room[claimant] -= has_coup
    denied = [suits_denied(playing.denials, other) for other in range(seats)]
    return Known(
        terms,
        seat,
        tuple(NUMBER[card] for card in cards if card != COUP),
        tuple(NUMBER[card] for card in state.deck.counts if card not in seen),
        (*room, int(claimant is not None and not number)),
        leader=playing.leader,
        to_come=state.house.deals - len(state.used),
        bank=state.bank,
        has_secret=state.house.secret_coup,
        number=number,
        cards=tuple(NUMBER[card] for card in playing.cards),
        totals=_totals(terms, playing),
        has_coup=has_coup,
        denied=(*(frozenset(map(SUITS.index, suits)) for suits in denied), NO_SUITS),
    )


def _totals(terms: Terms, playing: Playing) -> tuple[int, ...]:
    totals = [0] * terms.seats
    for trick in playing.tricks:
        totals[trick.winner] += sum(terms.prices[NUMBER[card]] for card in trick.cards)
    if playing.tricks:
        middle = terms.prices[NUMBER[playing.middle]] if playing.middle else 0
        totals[playing.tricks[0].winner] += terms.first + middle
    return tuple(totals)


# estimates


def worths_of_cards(known: Known, cards: Sequence[int], deals: int, rng: Random) -> list[float]:
    """Return the average worth of each card, with the same random hands for all of them."""
    worths = [0.0] * len(cards)
    for _deal in range(deals):
        hands, middle = _dealt(known, rng)
        for place, card in enumerate(cards):
            worths[place] += worth_of(known, PlayOut(known, hands, middle).finish(card))
    return [worth / deals for worth in worths]


def worth_of_deal(known: Known, deals: int, rng: Random) -> float:
    """Return the average worth of a contract before its first card."""
    if known.terms.contract == "dominos":
        ends = [
            [LAST_OUT * (seat == last) for seat in range(known.terms.seats)]
            for last in range(known.terms.seats)
        ]
        return sum(worth_of(known, end) for end in ends) / len(ends)
    outs = (PlayOut(known, *_dealt(known, rng)) for _deal in range(deals))
    return sum(worth_of(known, out.finish(out.choice())) for out in outs) / deals


def worth_of(known: Known, totals: Sequence[int]) -> float:
    """Return a seat's francs at the end of a deal, less the average of the others'."""
    terms, seat = known.terms, known.seat
    president, winner, francs = terms.president, terms.claimant, [0.0] * terms.seats
    if winner is None and known.has_secret and terms.contract in SECRET and terms.whole in totals:
        taker = totals.index(terms.whole)
        winner = taker if taker != president else None
    if winner is not None and totals[winner] == terms.whole:
        reward = CONTRACTS[terms.contract].reward
        francs = [-float(reward)] * terms.seats
        francs[winner] = reward * (terms.seats - 1) + (known.bank if terms.claimant is not None else 0)
        president = winner
    elif winner is not None:
        francs[winner] -= FAILURE
    else:
        francs = [-float(total) for total in totals]
        francs[president] = float(sum(totals) - totals[president])
    francs[president] += PRESIDENCY * known.to_come
    return francs[seat] - (sum(francs) - francs[seat]) / (terms.seats - 1)


# playing on


class PlayOut:
    """A deal with open hands that is played on; it changes with each card."""

    def __init__(self, known: Known, hands: Sequence[Hand], middle: int | None) -> None:
        self.terms, self.number, self.leader = known.terms, known.number, known.leader
        self.hands, self.totals = [*map(list, hands)], [*known.totals]
        self.middle, self.has_coup = middle, known.has_coup
        self._begin_trick()
        for card in known.cards:
            self.play(card)

    def _begin_trick(self) -> None:
        terms, number = self.terms, self.number
        self.suit, self.best, self.taker, self.laid = -1, -1, self.leader, 0
        # what taking this trick costs, or brings in a coup
        self.stake = terms.first if not number else terms.last if number == HAND - 1 else 0

    def finish(self, card: int) -> list[int]:
        """Play a card for the next seat, and on to the end; return the price that each seat has taken."""
        terms = self.terms
        self.play(card)
        while self.number < HAND and (self.laid or terms.last or sum(self.totals) < terms.whole):
            self.play(self.choice())
        return self.totals

    def play(self, card: int) -> None:
        seat = (self.leader + self.laid) % self.terms.seats
        suit, rank = card >> 3, card & 7
        if card == COUP_CARD:
            self.has_coup, self.best, self.taker = False, ABOVE_ALL, seat
        else:
            self.hands[seat][suit] &= ~(1 << rank)
            if self.best < 0:
                self.suit = suit
            if suit == self.suit and rank > self.best:
                self.best, self.taker = rank, seat
        self.stake += self.terms.prices[card]
        self.laid += 1
        if self.laid == self.terms.seats:
            if not self.number and self.middle is not None:
                self.stake += self.terms.prices[self.middle]
            self.totals[self.taker] += self.stake
            self.leader, self.number = self.taker, self.number + 1
            self._begin_trick()

    def choice(self) -> int:
        """Return the next seat's card, as the plain bot chooses it."""
        seat = (self.leader + self.laid) % self.terms.seats
        hand, is_coup = self.hands[seat], self.terms.claimant is not None
        mask = hand[self.suit] if self.suit >= 0 else 0
        if seat == self.terms.claimant:
            return self._card_of_coup(hand, mask)
        if not self.laid:
            return _lowest(hand, self._no_lead)
        if not mask:
            return _first_of(hand, LIGHTEST_FIRST if is_coup else COSTLIEST_FIRST)
        below = mask & ((1 << self.best) - 1)
        if self.best == ABOVE_ALL or not (below or is_coup or self.laid == self.terms.seats - 1):
            return (self.suit << 3) + _low(mask)
        # high against a coup, or in a trick that can't be avoided
        return (self.suit << 3) + (mask if not below or (is_coup and self.stake) else below).bit_length() - 1

    def _card_of_coup(self, hand: Hand, mask: int) -> int:
        """Play high; the Coup card takes what the coup needs, or waits for the last trick if it needs that."""
        if not any(hand):
            return COUP_CARD
        if not self.laid:
            return _highest(hand, self._no_lead)
        highest = mask.bit_length() - 1
        if highest > self.best:
            return (self.suit << 3) + highest
        if self.has_coup and self.stake and not self.terms.last:
            return COUP_CARD
        return (self.suit << 3) + _low(mask) if mask else _first_of(hand, LIGHTEST_FIRST)

    @property
    def _no_lead(self) -> frozenset[int]:
        return NO_SUITS if self.number else self.terms.no_lead


def _low(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def _lowest(hand: Hand, barred: frozenset[int]) -> int:
    cards = [(_low(mask), suit) for suit, mask in enumerate(hand) if mask and suit not in barred]
    rank, suit = min(cards) if cards else min((_low(mask), suit) for suit, mask in enumerate(hand) if mask)
    return suit * 8 + rank


def _highest(hand: Hand, barred: frozenset[int]) -> int:
    cards = [(mask.bit_length(), suit) for suit, mask in enumerate(hand) if mask and suit not in barred]
    rank, suit = max(cards) if cards else max((mask.bit_length(), suit) for suit, mask in enumerate(hand))
    return suit * 8 + rank - 1


def _first_of(hand: Hand, cards: Sequence[int]) -> int:
    return next(card for card in cards if hand[card >> 3] >> (card & 7) & 1)


# hidden hands


def _dealt(known: Known, rng: Random) -> tuple[list[Hand], int | None]:
    """Deal the unseen cards, without denied suits as far as possible; return the hands and the middle card."""
    tries = (_deal_as_denied(known, rng) for _try in range(TRIES if any(known.denied) else 0))
    *hands, middle = next(filter(None, tries), None) or _deal_any(known, rng)
    hands[known.seat] += known.own
    return [hand_of_cards(hand) for hand in hands], middle[0] if middle else None


def _deal_any(known: Known, rng: Random) -> list[list[int]]:
    cards = rng.sample(known.unseen, len(known.unseen))
    ends = [sum(known.room[: place + 1]) for place in range(len(known.room))]
    return [cards[end - count : end] for end, count in zip(ends, known.room, strict=True)]


def _deal_as_denied(known: Known, rng: Random) -> list[list[int]] | None:
    """Deal the cards that fewest hands may hold first; None if one of them has no room left."""
    left, hands = list(known.room), [list[int]() for _place in known.room]
    places = [[place for place in range(len(left)) if suit not in known.denied[place]] for suit in range(4)]
    for card in sorted(rng.sample(known.unseen, len(known.unseen)), key=lambda card: len(places[card >> 3])):
        open_to = [place for place in places[card >> 3] for _card in range(left[place])]
        if not open_to:
            return None
        place = open_to[int(rng.random() * len(open_to))]
        left[place] -= 1
        hands[place].append(card)
    return hands


def hand_of_cards(cards: Iterable[int]) -> Hand:
    hand = [0, 0, 0, 0]
    for card in cards:
        hand[card >> 3] |= 1 << (card & 7)
    return hand
