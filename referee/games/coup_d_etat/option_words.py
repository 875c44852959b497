"""What is told beside Coup d'État's options, and to newcomers."""

from referee.contract.words import phrase

EFFECTS = {
    "attempt": phrase("Fulfil a contract alone, or pay the bank {amount:money} F."),
    "decline": phrase("You take the middle card for it, and the President chooses."),
    "redeal": phrase("No player holds it: all cards are dealt anew."),
    "barbu-president": phrase("{amount:money} F for the king of hearts"),
    "victory-president": phrase("{amount:money} F for each queen"),
    "siege-president": phrase("{amount:money} F for each spade"),
    "prison-president": phrase("{amount:money} F for the first trick, and for the last"),
    "guillotine-president": phrase("king, queens, spades, first and last trick"),
    "dominos-president": phrase("{amount:money} F from the last with cards"),
    "barbu-coup": phrase("take the king of hearts: {reward:money} F from each"),
    "victory-coup": phrase("take all four queens: {reward:money} F from each"),
    "siege-coup": phrase("take all spades: {reward:money} F from each"),
    "prison-coup": phrase("take the first and the last trick: {reward:money} F from each"),
    "guillotine-coup": phrase("take all that counts: {reward:money} F from each"),
    "dominos-coup": phrase("be the first without cards: {reward:money} F from each"),
    "only": phrase("Then any card may be led. Later cards show whether it was so."),
    "tried": phrase("You pay the bank, not the President."),
    "untried": phrase("You pay the President."),
    "borrow": phrase("{amount:money} F now if another player lends, {back:money} F back in the end"),
    "lend": phrase("{amount:money} F now, {back:money} F back in the end"),
    "refuse": phrase("The next player is asked."),
    "pass": phrase("None of your cards fits."),
    "enough": phrase("The next player lays."),
    "stop": phrase("The deal ends here, and its contract is used up."),
}
HINTS = {
    "draw": phrase("The highest card makes the President. Each draws one: lay yours open before you."),
    "holder": phrase(
        "The Coup card turns the deal round. Who holds it may play alone against all. Look at your hand first."
    ),
    "contract": phrase(
        "The contract says what costs money. It holds for this deal, and each is played once in a tour."
    ),
    "card": phrase("Lay a card in the middle. The camera reads it. Follow the suit that was led, if you can."),
    "domino": phrase(
        "Lay a card next to one of its suit. It goes up or down the row; the 10 lies between jack and 9."
    ),
    "lend": phrase("You may lend what is missing. In the end it comes back with interest."),
    "lend-ahead": phrase("You may lend what is asked for. In the end it comes back with interest."),
    "only": phrase("Some suits may not be led now. Say so if your hand holds nothing else."),
}
ANSWERS = {
    "card": phrase("I laid the {card:face}"),
    "domino": phrase("I laid the {card:face}"),
    "draw": phrase("I drew the {card:face}"),
    "middle": phrase("It is the {card:face}"),
}
SUITS = {
    "spades": phrase("spades"),
    "hearts": phrase("hearts"),
    "diamonds": phrase("diamonds"),
    "clubs": phrase("clubs"),
}
