"""Tricks and following suit where hands are hidden: whose turn it is, who takes it, who has revoked.

A game keeps the leader, the cards that lie there, the suit to follow, and the denials:

    seat = seat_to_play(leader, cards, seats)
    denials, revoked = lay_card(order, denials, Denial(seat, suit, number, card))
    taker = taker_of(order, leader, cards, suit, seats)

Following suit can't be asked for, because the referee knows no hand: who doesn't follow denies the suit, as one
may by a word, and a card of that suit that the same seat lays later shows that it revoked.
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
    apart: str = ""
    """A card of that suit which it doesn't deny."""


Denials = tuple[Denial, ...]


def seat_to_play(leader: int, cards: Sequence[str], seats: int) -> int:
    return (leader + len(cards)) % seats


def taker_of(order: TrickOrder, leader: int, cards: tuple[str, ...], suit: str, seats: int) -> int:
    """Give the seat that takes a trick: by the strongest trump, else by the strongest card of the suit."""
    trumps = [card for card in cards if card in order.trumps]
    best = max(trumps or [card for card in cards if order.suits[card] == suit], key=order.strength.__getitem__)
    return (leader + cards.index(best)) % seats


def follows(order: TrickOrder, card: str, suit: str, held: Sequence[str]) -> bool:
    """Return whether a fair player with these cards may lay one of them on a suit; where none was led, any."""
    return not suit or order.suits[card] == suit or all(order.suits[other] != suit for other in held)


def unsay(denials: Denials, seat: int, trick: int) -> Denials:
    """Take back what a seat only said in a trick, as the card that it lays there refutes it."""
    return tuple([each for each in denials if (each.seat, each.trick, each.card) != (seat, trick, "")])


def lay_card(order: TrickOrder, denials: Denials, laid: Denial) -> tuple[Denials, Denials]:
    """Note that a card denies the suit to follow, if there is one; give the denials that it shows to be false.

    What was shown to be false is denied no more.
    """
    suit = order.suits[laid.card]
    of_suit = [each for each in denials if each.seat == laid.seat and each.suit == suit]
    shown = tuple([each for each in of_suit if each.apart != laid.card])
    if shown:
        denials = tuple([each for each in denials if each not in shown])
    return denials if laid.suit in {"", suit} else (*denials, laid), shown


def tricks_of(denials: Denials) -> tuple[int, ...]:
    """List the tricks of some denials, first to last, each once."""
    return tuple(sorted({each.trick for each in denials}))


def suits_denied(denials: Denials, seat: int) -> tuple[str, ...]:
    """List the suits that a seat has shown not to hold, in the order in which that came to light."""
    return tuple(dict.fromkeys([denial.suit for denial in denials if denial.seat == seat]))
