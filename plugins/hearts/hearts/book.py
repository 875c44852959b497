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
            "lead": "Any card may be led, except hearts at first.",
            "follow": "Players must follow the suit led; without it they may lay any card.",
            "first-trick": "No points may be laid on the first trick, unless the player has nothing else.",
            "broken": "Hearts may be led once a heart or the queen of spades was laid, or by a"
            " player with nothing else.",
            "revoke": "A revoke is announced once it is noticed; the table agrees on the consequences.",
            "take": "The highest card of the suit led takes the trick, and leads the next one.",
        },
        "The count": {
            "worth": "Each heart counts one point, the queen of spades thirteen.",
            "moon/others": "A player who takes all 26 points gives them to all others instead.",
            "moon/own": "A player who takes all 26 points subtracts them instead; no score falls below zero.",
            "end": "The match ends at {target} points or more, and the fewest points win.",
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
