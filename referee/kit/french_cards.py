"""French-suited cards: faces and names, for decks with any ranks."""

from collections.abc import Collection, Iterable, Mapping
from itertools import chain

from referee.contract.cards import Deck

SUIT_WORDS = {"spades": "s", "hearts": "h", "diamonds": "d", "clubs": "c"}
SUITS = tuple(SUIT_WORDS.values())
SYMBOLS = dict(
    zip(SUITS, "\N{BLACK SPADE SUIT}\N{BLACK HEART SUIT}\N{BLACK DIAMOND SUIT}\N{BLACK CLUB SUIT}", strict=True)
)


def cards_of(ranks: Iterable[str], suits: Iterable[str] = SUITS) -> tuple[str, ...]:
    """Return the cards of some ranks, suit by suit: "10s" is the 10 of spades."""
    ranks = tuple(ranks)
    return tuple(rank + suit for suit in suits for rank in ranks)


def aliases_of(cards: Iterable[str]) -> dict[str, str]:
    return {(card[:-1] + SYMBOLS[card[-1]]).lower(): card for card in cards}


RANKS = ("A", "K", "Q", "J", *(str(number) for number in range(10, 1, -1)))
SUIT_NAMES = {suit: word for word, suit in SUIT_WORDS.items()}
RANK_NAMES = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}
CARD_NAMES = {
    rank + suit: f"{RANK_NAMES.get(rank, rank)} of {SUIT_NAMES[suit]}" for suit in SUITS for rank in RANKS
}
CARDS = cards_of(RANKS)
SUIT_ROWS = {
    word: (cards_of((RANKS[0], *RANKS[:6:-1]), suit), cards_of(RANKS[6:0:-1], suit))
    for word, suit in SUIT_WORDS.items()
}
"""Layout for teaching a suit with one photo: ace to seven above, eight to king below."""
SHORT_ROWS = {
    word: (cards_of((RANKS[0], *RANKS[7:3:-1], *RANKS[3:0:-1]), suit),) for word, suit in SUIT_WORDS.items()
}
"""The same for a pack of 32: ace, seven to ten, jack, queen, king."""


def suit_rows(faces: Collection[str]) -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Return how the suits of a pack with these faces are laid for a photo each; nothing for other cards."""
    packs = (SUIT_ROWS, SHORT_ROWS)
    return next((pack for pack in packs if {*chain(*chain(*pack.values()))} <= {*faces}), {})


SUIT = {card: card[-1] for card in CARDS}
STRENGTH = {card: -RANKS.index(card[:-1]) for card in CARDS}
FRENCH_DECK = Deck(
    "french-52",
    dict.fromkeys(CARDS, 1),
    aliases_of(CARDS),
    suits={word: cards_of(RANKS, suit) for word, suit in SUIT_WORDS.items()},
)
