"""Tricks and following suit where hands are hidden: whose turn it is, who takes it, who has revoked.

A game keeps the leader, the cards that lie there, the suit to follow, and the denials:

    seat = seat_to_play(leader, cards, seats)
    denials, revoked = lay_card(order, denials, Denial(seat, suit, number, card))
    taker = taker_of(order, leader, cards, suit, seats)

Following suit can't be asked for, because the referee knows no hand: who doesn't follow denies the suit, and a
card of that suit that the same seat lays later shows that it revoked.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct


class TrickOrder(Struct, frozen=True):
    """What the cards are worth in a trick: their suits, their strength, and which of them beat all others."""

    suits: Mapping[str, str]
    strength: Mapping[str, int]
    trumps: frozenset[str] = frozenset()


class Trick(Struct, frozen=True, gc=False):
    """A finished trick: its leader, its cards in the order of play, and its winner."""

    leader: int
    cards: tuple[str, ...]
    winner: int


class Denial(Struct, frozen=True, gc=False):
    """A seat denied a suit: by the card it played in a trick, or only by saying so."""

    seat: int
    suit: str
    trick: int
    card: str = ""


def seat_to_play(leader: int, cards: Sequence[str], seats: int) -> int:
    """Give the seat that plays the next card of a trick."""
    return (leader + len(cards)) % seats


def taker_of(order: TrickOrder, leader: int, cards: tuple[str, ...], suit: str, seats: int) -> int:
    """Give the seat that takes a trick: by the strongest trump, else by the strongest card of the suit."""
    trumps = [card for card in cards if card in order.trumps]
    best = max(trumps or [card for card in cards if order.suits[card] == suit], key=order.strength.__getitem__)
    return (leader + cards.index(best)) % seats


def follows(order: TrickOrder, card: str, suit: str, held: Sequence[str]) -> bool:
    """Return whether a fair player with these cards may lay one of them on a suit; where none was led, any."""
    return not suit or order.suits[card] == suit or all(order.suits[other] != suit for other in held)


def denial_of(denials: tuple[Denial, ...], seat: int, suit: str) -> Denial | None:
    """Find where a seat denied a suit: if it plays that suit now, it revoked there."""
    for denial in denials:
        if denial.seat == seat and denial.suit == suit:
            return denial
    return None


def with_denial(denials: tuple[Denial, ...], denial: Denial) -> tuple[Denial, ...]:
    """Note a denial, unless the seat has denied that suit before."""
    return denials if denial_of(denials, denial.seat, denial.suit) else (*denials, denial)


def lay_card(
    order: TrickOrder, denials: tuple[Denial, ...], laid: Denial
) -> tuple[tuple[Denial, ...], Denial | None]:
    """Note that a card denies the suit led, if it does; find the earlier trick in which it was revoked."""
    suit = order.suits[laid.card]
    earlier = denial_of(denials, laid.seat, suit)
    revoked = earlier if earlier is not None and earlier.trick < laid.trick else None
    return denials if suit == laid.suit else with_denial(denials, laid), revoked


def suits_denied(denials: tuple[Denial, ...], seat: int) -> tuple[str, ...]:
    """List the suits that a seat has shown not to hold, in the order in which that came to light."""
    return tuple([denial.suit for denial in denials if denial.seat == seat])
