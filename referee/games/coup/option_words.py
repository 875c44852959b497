"""What is told beside Coup's options, and to newcomers."""

from referee.contract.words import phrase, plural

SHORT = {
    "income": phrase("income"),
    "foreign-aid": phrase("foreign aid"),
    "tax": phrase("tax"),
    "steal": phrase("steal"),
    "exchange": phrase("exchange"),
    "assassinate": phrase("assassinate"),
    "coup": phrase("coup"),
    "block": phrase("I am the {face:face}"),
}
EFFECTS = {
    "income": phrase("No player can object."),
    "foreign-aid": phrase("A Duke can block it."),
    "tax": phrase("You say you are the Duke."),
    "steal": phrase("2 from a player, as the Captain"),
    "steal-from": plural("takes {coins} coin", "takes {coins} coins", by="coins"),
    "exchange": phrase("You swap cards, as the Ambassador."),
    "assassinate": phrase("A player turns a card up, as you say you are the Assassin."),
    "coup": phrase("A player turns a card up, and can't object."),
    "challenge": phrase("{claimant:player} must show the {face:face}."),
    "pass-takes": plural("{seat:player} takes {coins} coin.", "{seat:player} takes {coins} coins.", by="coins"),
    "pass-assassinate": phrase("{target:player} turns a card up."),
    "pass-exchange": phrase("{seat:player} swaps cards with the Court."),
    "pass-blocked": phrase("The action of {seat:player} fails."),
    "block": phrase("The action of {seat:player} fails, unless you are doubted."),
    "concede": phrase("You lose an influence."),
    "swap": phrase("No player knows then what you hold."),
    "keep": phrase("All have seen it."),
    "objections": phrase("Then the clock runs."),
}
HINTS = {
    "action": phrase("A claim need not be true. If you are doubted and can't show the card, you turn one up."),
    "challenge": phrase(
        "Doubt it, or let it pass. If you doubt and the card is shown, you turn one of yours up. If it"
        " isn't, the other player does."
    ),
    "challenge-or-block": phrase(
        "You may doubt, block, or let it pass. To block, say that you hold a character that stops it. That"
        " can be doubted, too."
    ),
    "block": phrase("Block it, or let it pass. To block, say that you hold a character that stops it."),
    "concede": phrase("The card under the camera proves it. Or give in, and turn a card up."),
    "lose": phrase("Lay the card open before you. Which one is up to you."),
    "must-coup": phrase("Ten coins or more must become a coup. Choose against whom."),
    "exchange": phrase("Keep as many cards as you had. Look at yours and the two from the Court first."),
}
ANSWERS = {"lose": phrase("I turn up the {card:face}"), "prove": phrase("I show the {card:face}")}
