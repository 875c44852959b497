"""The six contracts, as both sides of the memento card have them: what counts, what it costs and pays."""

from typing import Literal

from msgspec import Struct

Contract = Literal["barbu", "victory", "siege", "prison", "guillotine", "dominos"]
Item = Literal["king", "queens", "spades", "first-trick", "last-trick"]
"""Things that count when a seat has taken them."""


class Terms(Struct, frozen=True):
    """The terms of a contract on the memento card, and the keys of the words for it."""

    items: tuple[Item, ...]
    reward: int
    """What each other seat pays for a coup that succeeds."""
    no_lead: tuple[str, ...]
    """Suits that may not open the first trick."""
    barred: str
    for_president: str
    for_coup: str


PRICES: dict[Item, int] = {"king": 800, "queens": 200, "spades": 100, "first-trick": 400, "last-trick": 400}
"""What each item pays the President."""
SO_FAR: dict[Item, str] = {"king": "so-far-king", "queens": "so-far-queens", "spades": "so-far-spades"}
"""Items that are announced when they are taken."""
LAST_OUT = 800
"""What the last player with cards pays the President in Dominos."""
FAILURE = 800
"""What a coup that fails costs, and what a revoke costs."""

CONTRACTS: dict[Contract, Terms] = {
    "barbu": Terms(("king",), 600, ("h",), "lead-barbu", "barbu-president", "barbu-coup"),
    "victory": Terms(("queens",), 1000, (), "", "victory-president", "victory-coup"),
    "siege": Terms(("spades",), 1000, ("s",), "lead-siege", "siege-president", "siege-coup"),
    "prison": Terms(("first-trick", "last-trick"), 600, (), "", "prison-president", "prison-coup"),
    "guillotine": Terms(
        ("king", "queens", "spades", "first-trick", "last-trick"),
        1500,
        ("s", "h"),
        "lead-guillotine",
        "guillotine-president",
        "guillotine-coup",
    ),
    "dominos": Terms((), 600, (), "", "dominos-president", "dominos-coup"),
}

SECRET: tuple[Contract, ...] = ("victory", "siege", "guillotine")
"""Contracts of the President in which another player may silently take all that counts."""
