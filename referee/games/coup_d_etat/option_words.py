"""What is said of choices in Coup d'État: options, effects, house rules, refusals; of play afterwards."""

from referee.contract.words import phrase

OPTIONS = {
    "attempt": phrase("I hold the Coup card and attempt a coup"),
    "decline": phrase("I hold the Coup card and lay it away"),
    "redeal": phrase("the Coup card lies in the middle: deal again"),
    "barbu": phrase("Barbu"),
    "victory": phrase("Victory"),
    "siege": phrase("Siege"),
    "prison": phrase("Prison"),
    "guillotine": phrase("Guillotine"),
    "dominos": phrase("Dominos"),
    "only": phrase("my whole hand is of suits that may not be led"),
    "spades": phrase("spades"),
    "hearts": phrase("hearts"),
    "diamonds": phrase("diamonds"),
    "clubs": phrase("clubs"),
    "tried": phrase("yes, I tried a secret coup"),
    "untried": phrase("no"),
    "pass": phrase("I pass"),
    "enough": phrase("that is enough"),
    "stop": phrase("stop this deal here"),
    "borrow": phrase("I ask for a loan"),
    "lend": phrase("I lend it"),
    "refuse": phrase("I don't lend"),
}
TYPED = {
    "attempt": phrase("attempt"),
    "decline": phrase("decline"),
    "redeal": phrase("redeal"),
    "barbu": phrase("barbu"),
    "victory": phrase("victory"),
    "siege": phrase("siege"),
    "prison": phrase("prison"),
    "guillotine": phrase("guillotine"),
    "dominos": phrase("dominos"),
    "only": phrase("only"),
    "spades": phrase("spades"),
    "hearts": phrase("hearts"),
    "diamonds": phrase("diamonds"),
    "clubs": phrase("clubs"),
    "tried": phrase("tried"),
    "untried": phrase("untried"),
    "pass": phrase("pass"),
    "enough": phrase("enough"),
    "stop": phrase("stop"),
    "borrow": phrase("borrow"),
    "lend": phrase("lend"),
    "refuse": phrase("refuse"),
}
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
REFUSALS = {
    "contract-used": phrase("{word:option} has been played in this tour already."),
    "contract-left-out": phrase("{word:option} is left out of the simplified game."),
    "suit-barred": phrase("That suit can't be asked for here: {suits:faces} may not be led."),
    "left-out": phrase("the simplified game leaves out {count} different contracts"),
    "lead-barbu": phrase(
        "{card:face}: in Barbu no heart may be led here. Take it back, or say first that the hand has"
        " nothing else."
    ),
    "lead-siege": phrase(
        "{card:face}: in Siege no spade may be led here. Take it back, or say first that the hand has"
        " nothing else."
    ),
    "lead-guillotine": phrase(
        "{card:face}: in Guillotine neither heart nor spade may be led here. Take it back, or say first"
        " that the hand has nothing else."
    ),
    "coup-of-another": phrase(
        "The Coup card belongs to the player who attempts the coup: take it back, play another."
    ),
    "coup-last": phrase(
        "{card:face} can't be the last card of this hand: that is the Coup card, which has not been played yet."
    ),
    "no-fit": phrase(
        "{card:face} fits no row: take it back. Play one that continues a row or opens one, or pass."
    ),
    "already-seen": phrase(
        "{card:face} has been seen already: take it away. If it was misread then, correct that."
    ),
    "card-count": phrase(
        "One card at a time, not {shown}: leave the card of who is in turn, take the others back."
    ),
}
HOUSE = {
    "next_tour": phrase(
        "who is President in the next tour: left of who began this tour, or of who is President"
    ),
    "lead_rule": phrase("the suits that may not be led: in the first trick, or in all of them"),
    "coup_card": phrase("when the Coup card may be played: at any time, or only if one can't follow suit"),
    "coup_led": phrase("when the Coup card is led, the others are free, or its player names a suit"),
    "guillotine": phrase("what a coup with Guillotine has to take: all that the memento lists, or every trick"),
    "secret_coup": phrase("a player who takes all that counts against the President becomes President"),
    "secret_takes_bank": phrase("a secret coup also brings what is in the bank"),
    "secret_fail": phrase("who is paid by a player who says they tried a secret coup"),
    "domino_open": phrase("which rank opens a row in Dominos: that of the first card, or any that lies there"),
    "ace_chain": phrase("after which ace one may go on laying: one laid on a king, or any"),
    "revoke_penalty": phrase("a revoke voids the deal and costs 800 F; or only costs 800 F; or is only told"),
    "early_stop": phrase("a deal ends as soon as all that counts has been taken"),
    "loans_ahead": phrase("a player with less than 1000 F may borrow before a deal, without owing any"),
    "left_out": phrase("simplified game: two contracts to leave out"),
}
VALUES = {
    "next_tour.left_of_starter": phrase("left of who began this tour"),
    "next_tour.left_of_president": phrase("left of who is President"),
    "lead_rule.opening": phrase("in the first trick"),
    "lead_rule.all_leads": phrase("in all of them"),
    "coup_card.free": phrase("at any time"),
    "coup_card.only_when_void": phrase("only if one can't follow suit"),
    "coup_led.free": phrase("the others are free"),
    "coup_led.leader_names_suit": phrase("its player names a suit"),
    "guillotine.listed": phrase("all that the memento lists"),
    "guillotine.all_tricks": phrase("every trick"),
    "secret_fail.president": phrase("the President"),
    "secret_fail.bank": phrase("the bank"),
    "domino_open.start_rank": phrase("that of the first card"),
    "domino_open.any_matching": phrase("any that lies there"),
    "ace_chain.on_king": phrase("one laid on a king"),
    "ace_chain.any_ace": phrase("any ace"),
    "revoke_penalty.void": phrase("the deal is void, and it costs 800 F"),
    "revoke_penalty.pays": phrase("it costs 800 F"),
    "revoke_penalty.told": phrase("it is told, nothing more"),
}
REMARKS = {
    "coach-card": phrase(
        "{seat:player} laid {card:face}: the trick was theirs with {chance:share}, as none still to come could"
        " beat it; {stake:money} F lay in it."
    ),
    "coach-card-coup": phrase(
        "{seat:player} laid {card:face} in the coup: the trick was theirs with {chance:share}, as none still to"
        " come could beat it; {stake:money} F hung on it."
    ),
    "coach-card-lost": phrase("{seat:player} laid {card:face}: that couldn't win the trick any more."),
    "coach-rather-card": phrase(
        "With {card:face} it would have been {chance:share}, for {stake:money} F: on average {lost:money} F"
        " were given away."
    ),
}
STATISTICS = {
    "standing-money": phrase("Money, in F"),
    "deals": phrase("Deals"),
    "contracts": phrase("Contracts chosen as President"),
    "contracts-made": phrase("Contracts that brought money"),
    "coups": phrase("Coups attempted"),
    "coups-won": phrase("Coups that succeeded"),
    "deals-won": phrase("Deals that brought money"),
    "money-won": phrase("Money won, in F"),
    "money-lost": phrase("Money lost, in F"),
    "revokes": phrase("Revokes"),
    "rate-contracts": phrase("Contracts made"),
    "rate-coups": phrase("Coups won"),
    "rate-deals": phrase("Deals won"),
    "mean-won": phrase("Won a deal, in F"),
    "mean-lost": phrase("Lost a deal, in F"),
}
