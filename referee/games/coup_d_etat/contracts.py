"""The six contracts, as both sides of the memento card say them: what counts, what it costs and brings."""

from typing import Literal

from msgspec import Struct

Contract = Literal["barbu", "victory", "siege", "prison", "guillotine", "dominos"]
Item = Literal["king", "queens", "spades", "first-trick", "last-trick"]
"""What one may have taken that counts."""


class Terms(Struct, frozen=True):
    """What the memento says of a contract, and the keys of the words that tell it."""

    items: tuple[Item, ...]
    reward: int
    """What everybody else pays whoever succeeds in a coup."""
    no_lead: tuple[str, ...]
    """Suits that the first trick may not be opened with."""
    barred: str
    for_president: str
    for_coup: str


PRICES: dict[Item, int] = {"king": 800, "queens": 200, "spades": 100, "first-trick": 400, "last-trick": 400}
"""What the President is paid for each."""
SO_FAR: dict[Item, str] = {"king": "so-far-king", "queens": "so-far-queens", "spades": "so-far-spades"}
"""What is told as it is taken."""
LAST_OUT = 800
"""What the last one with cards pays the President in Dominos."""
FAILURE = 800
"""What a coup that fails costs, and a revoke."""

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
"""Contracts of the President in which somebody else may take all that counts, without a word."""
