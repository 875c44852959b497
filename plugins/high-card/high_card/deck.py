"""The cards: 30 numbers, each once."""

from referee.contract import Deck

HAND = 5
"""Cards that everybody is dealt."""

DECK = Deck("high-card", {str(number): 1 for number in range(1, 31)})
