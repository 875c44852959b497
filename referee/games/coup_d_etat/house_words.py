"""What Coup d'État's house rules and their values are called."""

from referee.contract.words import phrase

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
