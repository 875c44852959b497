"""What is told beside Coyote's options, and to newcomers."""

from referee.contract.words import phrase

SHORT = {
    "extra": phrase("one more card"),
    "next": phrase("who is next"),
    "guess": phrase("my own card is …"),
}
EFFECTS = {
    "coyote": phrase("You say: {bidder:player}'s {number} is too high"),
    "approve": phrase("You stand by the {number}, and the next player answers it."),
    "double": phrase("If it is called, two marks are at stake."),
    "reverse": phrase("From here on it goes the other way round."),
    "extra": phrase("Another player wears a second card, unseen."),
    "extra-own": phrase("It lies open before you, and counts."),
    "restart": phrase("{bidder:player} has to say another number."),
    "next": phrase("You choose who answers your number."),
    "skip": phrase("You say no number in this turn."),
    "replace": phrase("A new card covers yours, and only the new one counts."),
    "guess": phrase("Right, and you are out of the round. Wrong, and the round ends."),
    "guess-open": phrase("Right, and you may leave the round. Wrong, and the round ends."),
    "leave": phrase("You are passed over until the round is over."),
    "stay": phrase("You go on, with your card open before you."),
}
HINTS = {
    "opener": phrase("Choose who opens. The youngest, say, or the one with the best coyote's laugh."),
    "announce": phrase(
        "You see every card but your own. Say more than the last number, or call Coyote if all cards"
        " together make less."
    ),
    "contest": phrase("All may call, not only the one in turn. Call if all cards together make less."),
    "after": phrase("A special rule can be used once. Your number stands without it, too."),
    "reveal": phrase(
        "All cards go to the middle, face up. The camera reads them; if it doesn't, tap what lies there."
    ),
    "draw": phrase("The cave counts as the pile's top card. Turn it up beside the others."),
}
