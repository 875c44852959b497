"""The cards of French suits: their names as faces and in words, for decks with any of their ranks."""

from collections.abc import Iterable, Mapping

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
}
