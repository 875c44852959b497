"""The rule book of Oh Hell, in our own words: the game belongs to all, and is played in many ways."""

from referee.contract import Chapter, Rule, phrase

BOOK = (
    Chapter(
        phrase("The deal"),
        (
            Rule(
                id="deals/down",
                text=phrase("{most} cards each in the first deal, then one less each time, down to one."),
                holds=lambda house: not house.and_back,
            ),
            Rule(
                id="deals/and-back",
                text=phrase("{most} cards each in the first deal, down to one, and up again."),
                holds=lambda house: house.and_back,
            ),
            Rule(
                id="trumps",
                text=phrase("The next card is turned up: its suit is trumps."),
                asks=("trump",),
            ),
        ),
    ),
    Chapter(
        phrase("The bids"),
        (
            Rule(
                id="bids/hook",
                text=phrase("From the dealer's left all say their tricks; the dealer may not make them even."),
                holds=lambda house: house.hook,
                refusals=("barred",),
                asks=("bid",),
            ),
            Rule(
                id="bids/free",
                text=phrase("From the dealer's left all say how many tricks they will take."),
                holds=lambda house: not house.hook,
                asks=("bid",),
            ),
        ),
    ),
    Chapter(
        phrase("The tricks"),
        (
            Rule(
                id="follow",
                text=phrase("Suit is followed where that is possible; who can't lays any card."),
                asks=("card",),
            ),
            Rule(id="take", text=phrase("The highest trump takes the trick, else the highest of its suit.")),
            Rule(id="revoke", text=phrase("A revoke is told when it shows; the table agrees on what follows.")),
        ),
    ),
    Chapter(
        phrase("The count"),
        (
            Rule(id="points", text=phrase("Each trick is a point; who took as many as bid gets ten more.")),
            Rule(id="end", text=phrase("After the last deal the most points win.")),
        ),
    ),
)
