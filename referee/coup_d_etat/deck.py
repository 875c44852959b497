"""The 32 cards of piquet, and the card that turns a contract round. Three players leave out the 7s and 8s."""

from referee.decks import Deck

SUITS = ("s", "h", "d", "c")
RANKS = ("A", "10", "K", "Q", "J", "9", "8", "7")
"""From the strongest down, as tricks are taken: the 10 stands above the king."""
COUP = "coup"

PIQUET = Deck("piquet", {**{rank + suit: 1 for suit in SUITS for rank in RANKS}, COUP: 1})
