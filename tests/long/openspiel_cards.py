"""OpenSpiel's numbers of the 52 cards: by rank from the 2 up, then by suit in an order of each game's own."""

from referee.kit.french_cards import RANKS


def numbers_of(suits: str) -> dict[str, int]:
    """Number each card, for a game that has its suits in this order."""
    return {
        f"{rank}{suit}": place * len(suits) + suits.index(suit)
        for place, rank in enumerate(reversed(RANKS))
        for suit in suits
    }
