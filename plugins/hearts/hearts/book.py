"""The rule book of Hearts in our own words; the game is in the public domain and has many variants."""

from referee.contract import Book, write_own_chapters

CHAPTERS = write_own_chapters(
    {
        "The deal": {
            "deal": "Four players get thirteen cards each.",
            "pass": "Three cards are passed to the left, then to the right, then across, then none.",
            "pass/none": "No cards are passed.",
        },
        "The tricks": {
            "two-of-clubs": "The two of clubs leads the first trick.",
            "lead": "Any card may be led, but for hearts at first.",
            "follow": "Who has cards of the suit led lays one of them; all others lay what they like.",
            "first-trick": "Nobody lays points to the first trick who has anything else.",
            "broken": "Hearts are led once a heart or the queen of spades was laid, or if one has nothing"
            " else.",
            "revoke": "A revoke is told when it shows; the table agrees on what follows.",
            "take": "The highest card of the suit led takes the trick, and leads the next one.",
        },
        "The count": {
            "worth": "Each heart counts one point, the queen of spades thirteen.",
            "moon/others": "Who takes all 26 points gives them to all others instead.",
            "moon/own": "Who takes all 26 points takes them off their own; nobody goes below none.",
            "end": "At {target} points or more the match ends, and the fewest points win.",
        },
    },
    agreed={
        "passing": {True: "pass", False: "pass/none"},
        "moon": {"others": "moon/others", "own": "moon/own"},
    },
)
BOOK = Book(
    chapters=CHAPTERS,
    options={"mine": "two-of-clubs", "only": "first-trick broken"},
    asks={"card": "pass/none lead follow", "only": "first-trick broken"},
    refusals={"not-broken": "broken"},
)
