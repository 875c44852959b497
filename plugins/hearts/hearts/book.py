"""The rule book of Hearts, in our own words: the game belongs to all, and is played in many ways."""

from referee.contract import Chapter, Rule, phrase

BOOK = (
    Chapter(
        phrase("The deal"),
        (
            Rule(id="deal", text=phrase("Four players get thirteen cards each.")),
            Rule(
                id="pass",
                text=phrase("Three cards are passed to the left, then to the right, then across, then none."),
                holds=lambda house: house.passing,
                asks=("pass",),
            ),
            Rule(
                id="pass/none",
                text=phrase("No cards are passed."),
                holds=lambda house: not house.passing,
                asks=("card",),
            ),
        ),
    ),
    Chapter(
        phrase("The tricks"),
        (
            Rule(
                id="two-of-clubs",
                text=phrase("The two of clubs leads the first trick."),
                refusals=("two-of-clubs",),
                options=("mine",),
            ),
            Rule(id="lead", text=phrase("Any card may be led, but for hearts at first."), asks=("card",)),
            Rule(
                id="follow",
                text=phrase("Who has cards of the suit led lays one of them; all others lay what they like."),
                asks=("card",),
            ),
            Rule(
                id="first-trick",
                text=phrase("Nobody lays points to the first trick who has anything else."),
                refusals=("first-trick",),
                options=("only",),
                asks=("only",),
            ),
            Rule(
                id="broken",
                text=phrase(
                    "Hearts are led once a heart or the queen of spades was laid, or if one has nothing else."
                ),
                refusals=("not-broken",),
                options=("only",),
                asks=("only",),
            ),
            Rule(id="revoke", text=phrase("A revoke is told when it shows; the table agrees on what follows.")),
            Rule(
                id="take",
                text=phrase("The highest card of the suit led takes the trick, and leads the next one."),
            ),
        ),
    ),
    Chapter(
        phrase("The count"),
        (
            Rule(id="worth", text=phrase("Each heart counts one point, the queen of spades thirteen.")),
            Rule(
                id="moon/others",
                text=phrase("Who takes all 26 points gives them to all others instead."),
                holds=lambda house: house.moon == "others",
            ),
            Rule(
                id="moon/own",
                text=phrase("Who takes all 26 points takes them off their own; nobody goes below none."),
                holds=lambda house: house.moon == "own",
            ),
            Rule(
                id="end", text=phrase("At {target} points or more the match ends, and the fewest points win.")
            ),
        ),
    ),
)
