"""The 32 piquet cards and the Coup card, which reverses a contract. Three players leave out the 7s and 8s."""

from referee.contract.cards import Deck

SUITS = ("s", "h", "d", "c")
RANKS = ("A", "10", "K", "Q", "J", "9", "8", "7")
"""Ranks in tricks, strongest first: the 10 stands above the king."""
ROW = ("A", "K", "Q", "J", "10", "9", "8", "7")
"""Ranks in Dominos: here the 10 lies between the jack and the 9."""
COUP = "coup"

SPADES = ("As", "10s", "Ks", "Qs", "Js", "9s", "8s", "7s")
HEARTS = ("Ah", "10h", "Kh", "Qh", "Jh", "9h", "8h", "7h")
DIAMONDS = ("Ad", "10d", "Kd", "Qd", "Jd", "9d", "8d", "7d")
CLUBS = ("Ac", "10c", "Kc", "Qc", "Jc", "9c", "8c", "7c")
CARDS = (*SPADES, *HEARTS, *DIAMONDS, *CLUBS, COUP)

KING = "Kh"
QUEENS = ("Qs", "Qh", "Qd", "Qc")

SUIT: dict[str, str] = {**{card: card[-1] for card in CARDS}, COUP: ""}
RANK: dict[str, str] = {**{card: card[:-1] for card in CARDS}, COUP: ""}
STRENGTH: dict[str, int] = {card: -RANKS.index(RANK[card]) for card in CARDS if card != COUP}
"""The strength of a card in a trick of its suit."""

SUIT_WORDS = {"spades": "s", "hearts": "h", "diamonds": "d", "clubs": "c"}

HAND = 8
"""Cards dealt to each player; the last card of all stays in the middle."""
LEFT_OUT_BY_THREE = tuple(card for card in CARDS if RANK[card] in {"7", "8"})

_SYMBOLS = dict(
    zip(SUITS, "\N{BLACK SPADE SUIT}\N{BLACK HEART SUIT}\N{BLACK DIAMOND SUIT}\N{BLACK CLUB SUIT}", strict=True)
)
_ALIASES = {(RANK[card] + _SYMBOLS[SUIT[card]]).lower(): card for card in CARDS if card != COUP}

_GROUPS = {"hearts": HEARTS, "spades": SPADES, "diamonds": DIAMONDS, "clubs": CLUBS, COUP: (COUP,)}

PIQUET = Deck("piquet", dict.fromkeys(CARDS, 1), _ALIASES, suits=_GROUPS)
PIQUET_OF_THREE = Deck(
    "piquet", {card: 1 for card in CARDS if card not in LEFT_OUT_BY_THREE}, _ALIASES, suits=_GROUPS
)


def deck_for(seats: int) -> Deck:
    """Give the cards for a number of players."""
    return PIQUET_OF_THREE if seats == 3 else PIQUET
