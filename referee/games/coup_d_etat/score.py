"""The score of a deal: what a seat took, what it owes for that, and whether a coup succeeded."""

from collections.abc import Mapping
from functools import cache

from msgspec import Struct

from referee.games.coup_d_etat.contracts import CONTRACTS, PRICES, Contract, Item
from referee.games.coup_d_etat.deck import HAND, KING, QUEENS, SUIT, deck_for
from referee.games.coup_d_etat.house import House
from referee.games.coup_d_etat.state import Playing

Haul = Mapping[Item, int]
"""How many of each item a seat took."""


class Penalty(Struct, frozen=True, gc=False):
    """What a seat owes for an item that it took."""

    item: Item
    count: int
    amount: int


def cards_taken(playing: Playing, seat: int) -> tuple[str, ...]:
    """List the cards that a seat took; the middle card belongs to the first trick."""
    cards = [card for trick in playing.tricks if trick.winner == seat for card in trick.cards]
    if playing.middle and playing.tricks[0].winner == seat:
        cards.append(playing.middle)
    return tuple(cards)


def count_items(cards: tuple[str, ...]) -> Haul:
    """Count the items among cards."""
    return {
        "king": cards.count(KING),
        "queens": sum([card in QUEENS for card in cards]),
        "spades": sum([SUIT[card] == "s" for card in cards]),
    }


def haul(playing: Playing, seat: int) -> Haul:
    """Count what a seat took: cards, the first trick, the last trick."""
    tricks = playing.tricks
    first = bool(tricks) and tricks[0].winner == seat
    last = len(tricks) == HAND and tricks[-1].winner == seat
    return {**count_items(cards_taken(playing, seat)), "first-trick": int(first), "last-trick": int(last)}


def fallen(playing: Playing) -> Haul:
    """Count what all seats took together."""
    first, last = bool(playing.tricks), len(playing.tricks) == HAND
    return {**count_items(playing.seen), "first-trick": int(first), "last-trick": int(last)}


@cache
def whole_haul(seats: int) -> Haul:
    """Count all that there is to take."""
    return {**count_items(tuple(deck_for(seats).counts)), "first-trick": 1, "last-trick": 1}


def penalties(contract: Contract, took: Haul) -> tuple[Penalty, ...]:
    """List what a seat owes under a contract of the President."""
    items = CONTRACTS[contract].items
    return tuple(Penalty(item, took[item], PRICES[item] * took[item]) for item in items if took[item])


def is_achieved(house: House, playing: Playing, seat: int, seats: int) -> bool:
    """Tell whether a seat took all that its contract names; or, by a house rule, every trick."""
    contract, took, everything = playing.deal.contract, haul(playing, seat), whole_haul(seats)
    if contract == "guillotine" and house.guillotine == "all_tricks":
        return all(trick.winner == seat for trick in playing.tricks)
    return all(took[item] == everything[item] for item in CONTRACTS[contract].items)


def nothing_is_left(playing: Playing, seats: int) -> bool:
    """Tell whether all that counts was played before the last trick."""
    items, took, everything = CONTRACTS[playing.deal.contract].items, fallen(playing), whole_haul(seats)
    return all(took[item] == everything[item] for item in items)
