"""The rule book of Cheat, in our own words: the game belongs to all, and is played in many ways."""

from referee.contract import Chapter, Rule, phrase

BOOK = (
    Chapter(
        phrase("The claims"),
        (
            Rule(id="deal", text=phrase("All cards are dealt; the winner of the match before begins.")),
            Rule(
                id="claim",
                text=phrase(
                    "In turn, each lays one to four cards face down and says that they are of the rank due: "
                    "aces, then 2s, and so on to kings, then aces again. They may be anything."
                ),
                asks=("claim",),
            ),
            Rule(
                id="stands",
                text=phrase("If all others let it pass, or {seconds} seconds have gone, the cards stay there."),
                options=("pass",),
                asks=("doubt",),
            ),
        ),
    ),
    Chapter(
        phrase("The doubts"),
        (
            Rule(
                id="doubt",
                text=phrase("Any other player may call “Cheat!”; the first who does is the challenger."),
                options=("challenge",),
                asks=("doubt",),
            ),
            Rule(id="tie", text=phrase("Of those who call at once, the next one clockwise is the challenger.")),
            Rule(
                id="proof",
                text=phrase("The cards just laid are turned up; the claim is true if all are of the rank due."),
                asks=("proof",),
            ),
            Rule(
                id="take", text=phrase("The liar, or who was wrong to doubt, takes all cards that lie there.")
            ),
        ),
    ),
    Chapter(
        phrase("The end"),
        (
            Rule(id="out", text=phrase("Who has no cards left once the last claim is settled wins.")),
            Rule(
                id="fewest",
                text=phrase("When all ranks have come round {tours} times, who has the fewest cards wins."),
            ),
        ),
    ),
)
