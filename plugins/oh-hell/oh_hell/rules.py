"""The rules of Oh Hell in order: deal, trumps, bids, tricks, count."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Outcome, Transition
from referee.contract.asks import TABLE, Answer, Ask, Number, Ruling, Show, make_ruling
from referee.contract.cards import CENTRE, PROOF, without
from referee.kit.answers import cards_said, number_said
from referee.kit.french_cards import CARDS, FRENCH_DECK, STRENGTH, SUIT
from referee.kit.tricks import Denial, TrickOrder, lay_card, seat_to_play, taker_of, tricks_of

BONUS = 10

Rulings = tuple[Ruling, ...]


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house rules."""

    most: Literal[3, 5, 7] = 7
    hook: bool = True
    and_back: bool = False


class State(Struct, frozen=True, gc=False):
    """Everything the referee knows; no hands are included."""

    house: House
    points: tuple[int, ...]
    deal: int = 0
    trump: str = ""  # the turned-up card, whose suit is trumps
    bids: tuple[int, ...] = ()  # bids in this deal, starting at the dealer's left
    won: tuple[int, ...] = ()  # tricks taken in this deal, by seat
    leader: int = 0
    seen: tuple[str, ...] = ()  # cards played in this deal, in order
    denials: tuple[Denial, ...] = ()


# Deals: seven cards each at first, one fewer in each deal; by a house rule, up again afterwards.


def start(seats: tuple[int, ...], house: House, _after: Outcome | None) -> Transition:
    return _deal(State(house, (0,) * len(seats)), ())


def _deal(state: State, rulings: Rulings) -> Transition:
    seats = len(state.points)
    leader = (state.deal + 1) % seats
    state = State(state.house, state.points, state.deal + 1, won=(0,) * seats, leader=leader)
    ruling = make_ruling("deal", rule="deals dealer", seat=dealer(state), number=state.deal, count=size(state))
    return Transition(state, (*rulings, ruling))


def sizes(house: House) -> tuple[int, ...]:
    down = tuple(range(house.most, 0, -1))
    return down + down[-2::-1] if house.and_back else down


def size(state: State) -> int:
    return sizes(state.house)[min(state.deal, len(sizes(state.house))) - 1]


def dealer(state: State) -> int:
    """Return the dealer: each player in turn, starting with the first seat."""
    return (state.deal - 1) % len(state.points)


# Bids, starting at the dealer's left. With the hook, the dealer can't make the total even.


def bidder(state: State) -> int:
    return (dealer(state) + 1 + len(state.bids)) % len(state.points)


def bid_of(state: State, seat: int) -> int | None:
    place = (seat - dealer(state) - 1) % len(state.points)
    return state.bids[place] if place < len(state.bids) else None


# Tricks: players follow suit if they can; trumps beat all other suits.


def trick_of(state: State) -> tuple[str, ...]:
    return state.seen[len(state.seen) // len(state.points) * len(state.points) :]


def turn_of(state: State) -> int:
    return seat_to_play(state.leader, trick_of(state), len(state.points))


def order_of(state: State) -> TrickOrder:
    return TrickOrder(SUIT, STRENGTH, frozenset(card for card in CARDS if SUIT[card] == SUIT[state.trump]))


def asks(state: State) -> tuple[Ask, ...]:
    if outcome(state) is not None:
        return ()
    if not state.trump:
        return (Show("trump", TABLE, 1, PROOF, FRENCH_DECK, FRENCH_DECK.counts),)
    if len(state.bids) < len(state.points):
        left, is_last = size(state) - sum(state.bids), len(state.bids) == len(state.points) - 1
        barred = (left,) if state.house.hook and is_last and left >= 0 else ()
        return (Number("bid", (bidder(state),), 0, size(state), barred),)
    among = without(FRENCH_DECK.counts, (state.trump, *state.seen))
    return (Show("card", (turn_of(state),), 1, CENTRE, FRENCH_DECK, among),)


def hear(state: State, answer: Answer) -> Transition:
    match answer.ask:
        case "trump":
            (card,) = cards_said(answer)
            return Transition(replace(state, trump=card), (make_ruling("trump", rule="trumps", card=card),))
        case "bid":
            number = number_said(answer)
            ruling = make_ruling("bid", rule="bids", seat=bidder(state), number=number)
            return Transition(replace(state, bids=(*state.bids, number)), (ruling,))
        case _:
            return _lay(state, cards_said(answer)[0])


def _lay(state: State, card: str) -> Transition:
    seat, trick = turn_of(state), (*trick_of(state), card)
    number, led = len(state.seen) // len(state.points) + 1, SUIT[trick[0]]
    rulings: Rulings = (make_ruling("lays", rule="follow" if len(trick) > 1 else "lead", seat=seat, card=card),)
    denials, revoked = lay_card(order_of(state), state.denials, Denial(seat, led, number, card))
    if tricks := tricks_of(revoked):
        ruling = make_ruling("revoke", rule="revoke", seat=seat, tricks=tricks, count=len(tricks), card=card)
        rulings = (*rulings, ruling)
    state = replace(state, seen=(*state.seen, card), denials=denials)
    if len(trick) < len(state.points):
        return Transition(state, rulings)
    winner = taker_of(order_of(state), state.leader, trick, led, len(state.points))
    won = tuple(had + (other == winner) for other, had in enumerate(state.won))
    rulings = (
        *rulings,
        make_ruling("takes", rule="take", seat=winner, won=won[winner], bid=bid_of(state, winner)),
    )
    state = replace(state, won=won, leader=winner)
    return Transition(state, rulings) if sum(won) < size(state) else _count(state, rulings)


# The count: a point per trick, and ten for an exact bid.


def _count(state: State, rulings: Rulings) -> Transition:
    exact = tuple(seat for seat, won in enumerate(state.won) if won == bid_of(state, seat))
    brought = tuple(won + BONUS * (seat in exact) for seat, won in enumerate(state.won))
    points = tuple(had + more for had, more in zip(state.points, brought, strict=True))
    state = replace(state, points=points)
    rulings = (*rulings, make_ruling("scored", rule="points", counts=brought))
    end = outcome(state)
    if end is None:
        return _deal(state, rulings)
    return Transition(state, (*rulings, make_ruling("won", rule="end", seats=end.winners, points=max(points))))


def outcome(state: State) -> Outcome | None:
    """The match ends after the last deal; the most points win."""
    if state.deal < len(sizes(state.house)) or sum(state.won) < size(state):
        return None
    best = max(state.points)
    return Outcome("points", tuple(seat for seat, had in enumerate(state.points) if had == best))
