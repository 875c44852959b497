"""The cards of French suits: their names as faces and in words, for decks with any of their ranks."""

from collections.abc import Iterable, Mapping

from referee.contract.cards import Deck
from referee.contract.words import Phrase, phrase

SUIT_WORDS = {"spades": "s", "hearts": "h", "diamonds": "d", "clubs": "c"}
SUITS = tuple(SUIT_WORDS.values())
SYMBOLS = dict(
    zip(SUITS, "\N{BLACK SPADE SUIT}\N{BLACK HEART SUIT}\N{BLACK DIAMOND SUIT}\N{BLACK CLUB SUIT}", strict=True)
)


def cards_of(ranks: Iterable[str], suits: Iterable[str] = SUITS) -> tuple[str, ...]:
    """Name the cards of some ranks, suit by suit: "10s" is the 10 of spades."""
    ranks = tuple(ranks)
    return tuple(rank + suit for suit in suits for rank in ranks)


def aliases_of(cards: Iterable[str]) -> dict[str, str]:
    """Name cards with the symbols of their suits, too."""
    return {(card[:-1] + SYMBOLS[card[-1]]).lower(): card for card in cards}


SUIT_NAMES: Mapping[str, Phrase] = {
    "s": phrase("spades"),
    "h": phrase("hearts"),
    "d": phrase("diamonds"),
    "c": phrase("clubs"),
}
CARD_NAMES: Mapping[str, Phrase] = {
    "As": phrase("ace of spades"),
    "10s": phrase("10 of spades"),
    "Ks": phrase("king of spades"),
    "Qs": phrase("queen of spades"),
    "Js": phrase("jack of spades"),
    "9s": phrase("9 of spades"),
    "8s": phrase("8 of spades"),
    "7s": phrase("7 of spades"),
    "Ah": phrase("ace of hearts"),
    "10h": phrase("10 of hearts"),
    "Kh": phrase("king of hearts"),
    "Qh": phrase("queen of hearts"),
    "Jh": phrase("jack of hearts"),
    "9h": phrase("9 of hearts"),
    "8h": phrase("8 of hearts"),
    "7h": phrase("7 of hearts"),
    "Ad": phrase("ace of diamonds"),
    "10d": phrase("10 of diamonds"),
    "Kd": phrase("king of diamonds"),
    "Qd": phrase("queen of diamonds"),
    "Jd": phrase("jack of diamonds"),
    "9d": phrase("9 of diamonds"),
    "8d": phrase("8 of diamonds"),
    "7d": phrase("7 of diamonds"),
    "Ac": phrase("ace of clubs"),
    "10c": phrase("10 of clubs"),
    "Kc": phrase("king of clubs"),
    "Qc": phrase("queen of clubs"),
    "Jc": phrase("jack of clubs"),
    "9c": phrase("9 of clubs"),
    "8c": phrase("8 of clubs"),
    "7c": phrase("7 of clubs"),
    "6s": phrase("6 of spades"),
    "5s": phrase("5 of spades"),
    "4s": phrase("4 of spades"),
    "3s": phrase("3 of spades"),
    "2s": phrase("2 of spades"),
    "6h": phrase("6 of hearts"),
    "5h": phrase("5 of hearts"),
    "4h": phrase("4 of hearts"),
    "3h": phrase("3 of hearts"),
    "2h": phrase("2 of hearts"),
    "6d": phrase("6 of diamonds"),
    "5d": phrase("5 of diamonds"),
    "4d": phrase("4 of diamonds"),
    "3d": phrase("3 of diamonds"),
    "2d": phrase("2 of diamonds"),
    "6c": phrase("6 of clubs"),
    "5c": phrase("5 of clubs"),
    "4c": phrase("4 of clubs"),
    "3c": phrase("3 of clubs"),
    "2c": phrase("2 of clubs"),
}

RANKS = ("A", "K", "Q", "J", *(str(number) for number in range(10, 1, -1)))
"""The thirteen ranks, the ace first."""
CARDS = cards_of(RANKS)
SUIT_ROWS = {
    word: (cards_of((RANKS[0], *RANKS[:6:-1]), suit), cards_of(RANKS[6:0:-1], suit))
    for word, suit in SUIT_WORDS.items()
}
"""How each suit is laid out to be taught by one picture: the ace to the seven, the eight to the king below."""
SUIT = {card: card[-1] for card in CARDS}
STRENGTH = {card: -RANKS.index(card[:-1]) for card in CARDS}
FRENCH_DECK = Deck(
    "french-52",
    dict.fromkeys(CARDS, 1),
    aliases_of(CARDS),
    suits={word: cards_of(RANKS, suit) for word, suit in SUIT_WORDS.items()},
)
"""The 52 cards that most homes have."""
