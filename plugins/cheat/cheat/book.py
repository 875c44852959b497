"""The rule book of Cheat in our own words; the game is in the public domain and has many variants."""

from referee.contract import Book, write_own_chapters

CHAPTERS = write_own_chapters(
    {
        "The claims": {
            "deal": "All cards are dealt; the first seat begins where nobody has won before.",
            "deal-again": "After a match all cards are dealt again, and its winner begins.",
            "claim": "In turn, each lays one to four cards face down and says that they are of the rank due:"
            " aces, then 2s, and so on to kings, then aces again. They may be anything.",
            "stands": "If all others let it pass, or {seconds} seconds have gone, the cards stay there.",
        },
        "The doubts": {
            "doubt": "Any other player may call “Cheat!”; the first who does is the challenger.",
            "tie": "Of those who call at once, the next one clockwise is the challenger.",
            "proof": "The cards just laid are turned up; the claim is true if all are of the rank due.",
            "take": "The liar, or who was wrong to doubt, takes all cards that lie there.",
        },
        "The end": {
            "out": "Who has no cards left once the last claim is settled wins.",
            "fewest": "When all ranks have come round {tours} times, who has the fewest cards wins.",
        },
    }
)
BOOK = Book(chapters=CHAPTERS, options={"pass": "stands", "challenge": "doubt"}, asks={"doubt": "stands doubt"})
