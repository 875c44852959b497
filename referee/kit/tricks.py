"""Tricks and following suit with hidden hands: turn order, winners and revokes.

A game stores the leader, the cards of the trick, the suit to follow, and the denials:

    seat = seat_to_play(leader, cards, seats)
    denials, revoked = lay_card(order, denials, Denial(seat, suit, number, card))
    taker = taker_of(order, leader, cards, suit, seats)

Following suit can't be enforced, because the referee sees no hands. A player who doesn't follow denies having
the
suit, as does an explicit declaration; a later card of that suit by the same seat proves a revoke.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct


class TrickOrder(Struct, frozen=True):
    """Properties of cards in a trick: suit, strength, and whether they are trumps."""

    suits: Mapping[str, str]
    strength: Mapping[str, int]
    trumps: frozenset[str] = frozenset()


class Trick(Struct, frozen=True, gc=False):
    """A finished trick: its leader, its cards in the order of play, and its winner."""

    leader: int
    cards: tuple[str, ...]
    winner: int


class Denial(Struct, frozen=True, gc=False):
    """A seat's denial of a suit, by the card it played in a trick or by declaration only."""

    seat: int
    suit: str
    trick: int
    card: str = ""
    apart: str = ""
    """A card of the suit exempt from the denial."""


Denials = tuple[Denial, ...]


def seat_to_play(leader: int, cards: Sequence[str], seats: int) -> int:
    return (leader + len(cards)) % seats


def taker_of(order: TrickOrder, leader: int, cards: tuple[str, ...], suit: str, seats: int) -> int:
    """Return the seat that takes a trick: by the strongest trump, else by the strongest card of the suit."""
    trumps = [card for card in cards if card in order.trumps]
    best = max(trumps or [card for card in cards if order.suits[card] == suit], key=order.strength.__getitem__)
    return (leader + cards.index(best)) % seats


def follows(order: TrickOrder, card: str, suit: str, held: Sequence[str]) -> bool:
    """Return whether a fair player holding these cards may lay one on a suit; any card if none was led."""
    return not suit or order.suits[card] == suit or all(order.suits[other] != suit for other in held)


def unsay(denials: Denials, seat: int, trick: int) -> Denials:
    """Remove a seat's declarations in a trick, refuted by the card it plays there."""
    return tuple([each for each in denials if (each.seat, each.trick, each.card) != (seat, trick, "")])


def lay_card(order: TrickOrder, denials: Denials, laid: Denial) -> tuple[Denials, Denials]:
    """Record a card as a denial of the suit to follow, if any, and return the denials it refutes.

    Refuted denials are removed.
    """
    suit = order.suits[laid.card]
    of_suit = [each for each in denials if each.seat == laid.seat and each.suit == suit]
    shown = tuple([each for each in of_suit if each.apart != laid.card])
    if shown:
        denials = tuple([each for each in denials if each not in shown])
    return denials if laid.suit in {"", suit} else (*denials, laid), shown


def tricks_of(denials: Denials) -> tuple[int, ...]:
    """Return the trick numbers of denials in order, each once."""
    return tuple(sorted({each.trick for each in denials}))


def suits_denied(denials: Denials, seat: int) -> tuple[str, ...]:
    """Return the suits that a seat has denied, in order of discovery."""
    return tuple(dict.fromkeys([denial.suit for denial in denials if denial.seat == seat]))
