"""The rule book of Oh Hell in our own words; the game is in the public domain and has many variants."""

from referee.contract import Book, write_own_chapters

CHAPTERS = write_own_chapters(
    {
        "The deal": {
            "deals/down": "{most} cards each in the first deal, then one less each time, down to one.",
            "deals/and-back": "{most} cards each in the first deal, down to one, and up again.",
            "dealer": "Players deal in turn, starting with the first seat.",
            "trumps": "The next card is turned up: its suit is trumps.",
        },
        "The bids": {
            "bids/hook": "From the dealer's left, all bid their tricks; the dealer's bid may not"
            " make the total equal the tricks.",
            "bids/free": "From the dealer's left, all bid how many tricks they will take.",
        },
        "The tricks": {
            "lead": "The player left of the dealer leads first, then the winner of each trick; any"
            " card may be led.",
            "follow": "Players must follow suit if they can; otherwise any card may be laid.",
            "take": "The highest trump takes the trick, otherwise the highest card of the suit led.",
            "revoke": "A revoke is announced once it is noticed; the table agrees on the consequences.",
        },
        "The count": {
            "points": "Each trick is a point; taking exactly the bid adds ten.",
            "end": "After the last deal, the most points win.",
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
