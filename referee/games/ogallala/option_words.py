"""What is told beside Ogallala's options, and to newcomers."""

from referee.contract.words import phrase, plural

EFFECTS = {
    "stop": phrase("The turn ends here."),
    "take": phrase("It is laid like a card that was drawn."),
    "refill": plural("{count} card is shuffled.", "{count} cards are shuffled.", by="count"),
    "empty": phrase("The match ends, and all is counted."),
    "discard": phrase("The turn ends with it."),
    "keep-aside": phrase("It can be laid in a later turn."),
    "spare": phrase("The turn goes on."),
    "go-on": phrase("Others may still catch up."),
    "end": phrase("All whole canoes are counted now."),
    "as-recorded": phrase("It is counted without the camera."),
    "all-as-recorded": phrase("All are counted at once."),
}
HINTS = {
    "draw": phrase(
        "Draw a card, and lay it in the middle. Any pile will do. You may go on until a card ends the turn."
    ),
    "place": phrase(
        "A canoe goes from a bow to a stern. A card lies beside others, with no picture twice in a canoe."
        " Whole ones bring points."
    ),
    "turn": phrase("You may stop after a card. What you have laid stays."),
    "attack": phrase(
        "Your canoe may attack a weaker one. It was just completed; the other's cargo is yours then."
    ),
    "lasso": phrase(
        "The Lasso takes a card out of a canoe. The canoe must be unfinished. The card goes into your own"
        " river."
    ),
    "archer": phrase("The Archer hits a paddler. It must be in an unfinished canoe. That card is discarded."),
    "booty": phrase("What you captured is laid card by card. Choose which comes next."),
    "end": phrase("With three whole canoes you may end it. Do it if you have the most points."),
    "count": phrase("Push the canoe under the camera. Or say that it lies as the record has it."),
}
ANSWERS = {"draw": phrase("I drew: {card:face}")}
SUITS = {
    "ends": phrase("bows and sterns"),
    "red": phrase("red paddlers"),
    "black": phrase("black paddlers"),
    "cargo": phrase("cargo"),
    "halves": phrase("sets"),
}
