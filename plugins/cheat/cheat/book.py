"""The rule book of Cheat in our own words; the game is in the public domain and has many variants."""

from referee.contract import Book, write_own_chapters

CHAPTERS = write_own_chapters(
    {
        "The claims": {
            "deal": "All cards are dealt. The first seat begins if nobody has won before.",
            "deal-again": "After a match all cards are dealt again, and its winner begins.",
            "claim": "In turn, each player lays one to four cards face down and claims that they are of the"
            " current rank: aces, then 2s, and so on to kings, then aces again. They may be any cards.",
            "stands": "If all others let it pass, or {seconds} seconds are over, the cards stay there.",
        },
        "The challenges": {
            "doubt": "Any other player may call “Cheat!”; the first to do so is the challenger.",
            "tie": "If several call at once, the next one clockwise is the challenger.",
            "proof": "The cards just laid are turned up; the claim is true if all are of the claimed rank.",
            "take": "The liar, or the challenger who was wrong, takes the whole pile.",
        },
        "The end": {
            "out": "A player with no cards left once the last claim is settled wins.",
            "fewest": "When all ranks have come round {tours} times, the player with the fewest cards wins.",
        },
    }
)
BOOK = Book(chapters=CHAPTERS, options={"pass": "stands", "challenge": "doubt"}, asks={"doubt": "stands doubt"})
