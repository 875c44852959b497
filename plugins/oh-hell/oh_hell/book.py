"""The rule book of Oh Hell in our own words; the game is in the public domain and has many variants."""

from referee.contract import Book, write_own_chapters

CHAPTERS = write_own_chapters(
    {
        "The deal": {
            "deals/down": "{most} cards each in the first deal, then one less each time, down to one.",
            "deals/and-back": "{most} cards each in the first deal, down to one, and up again.",
            "dealer": "Each deals in turn, the first seat first.",
            "trumps": "The next card is turned up: its suit is trumps.",
        },
        "The bids": {
            "bids/hook": "From the dealer's left all say their tricks; the dealer may not make them even.",
            "bids/free": "From the dealer's left all say how many tricks they will take.",
        },
        "The tricks": {
            "lead": "The dealer's left leads first, then who took the last trick; any card may be led.",
            "follow": "Suit is followed where that is possible; who can't lays any card.",
            "take": "The highest trump takes the trick, else the highest of its suit.",
            "revoke": "A revoke is told when it shows; the table agrees on what follows.",
        },
        "The count": {
            "points": "Each trick is a point; who took as many as bid gets ten more.",
            "end": "After the last deal the most points win.",
        },
    },
    agreed={
        "and_back": {False: "deals/down", True: "deals/and-back"},
        "hook": {True: "bids/hook", False: "bids/free"},
    },
)
BOOK = Book(
    chapters=CHAPTERS,
    asks={"trump": "trumps", "bid": "bids", "card": "lead follow"},
    refusals={"barred": "bids/hook"},
)
