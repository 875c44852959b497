"""What is told beside Plenty Coups' options, and to newcomers."""

from referee.contract.words import phrase, plural

SHORT = {
    "breed": phrase("breed"),
    "raid": phrase("raid with one rider"),
    "double-raid": phrase("raid with two riders"),
    "gift": phrase("exchange gifts"),
    "propose": phrase("propose an alliance"),
    "taunt": phrase("taunt"),
    "donate": phrase("give two horses"),
}
EFFECTS = {
    "black": phrase("Mountain"),
    "yellow": phrase("Sun"),
    "green": phrase("Pine"),
    "red": phrase("Flame"),
    "blue": phrase("Wave"),
    "white": phrase("Snowflake"),
    "score": phrase("One more renown, for an action."),
    "home": phrase("The horse comes home, and nothing more."),
    "feat": phrase("One more renown, for an action."),
    "breed": plural(
        "A horse card brings you the last horse.", "A horse card brings one of {count} horses.", by="count"
    ),
    "raid": phrase("A horse of theirs, unless they repel it."),
    "double-raid": phrase("Stronger, but both actions of the turn."),
    "raid-late": phrase("The match ends before it comes home: no horse, no feat."),
    "raid-late-chases": phrase("It chases the raid there, but doesn't come home before the end."),
    "defend": phrase("It takes a weapon of {least} or more."),
    "double-defend": phrase("Two weapons, together {least} or more."),
    "gift": phrase("A card is discarded, one is swapped unseen."),
    "ally-gift": phrase("A card is swapped unseen, at no cost."),
    "propose": phrase("You lay a rider of their clan."),
    "propose-late": phrase("They have no turn left to accept it."),
    "accept": phrase("You lay a rider of their clan."),
    "ally": phrase("You lay a rider of that clan."),
    "taunt": phrase("For a staff: they prove their worth, or lose renown."),
    "donate": phrase("A card is discarded, and two horses go over."),
    "hunt": phrase("A card is discarded, others are drawn."),
    "accept-loss": phrase("You lose one renown."),
    "turn-over": phrase("Three cards stay in your hand."),
}
HINTS = {
    "elder": phrase("The oldest is the elder, and begins. Turns go to the right."),
    "clan": phrase("Choose your clan. Its riders are stronger when you ride with them."),
    "take": phrase("What you take, all can see. Take cards of the display: they are what you act with."),
    "action": phrase(
        "Horses and feats are renown. Breed horses, raid a camp, or seek an ally. Say what you do, then lay"
        " the card."
    ),
    "whole-turn": phrase("Play with the cards, and say you're done. The camera reads what you did."),
    "worth": phrase(
        "A staff or a 4 saves your renown. Discard one, and you lose nothing. Else you lose one renown."
    ),
    "return": phrase("Your raid comes home with a horse. For a staff it brings a feat as well."),
    "gift-back": phrase("You are given a card. Give one back, face down, and say done."),
}
ANSWERS = {
    key: phrase("I lay the {card:face}")
    for key in ("raid-rider", "first-rider", "second-rider", "weapon", "first-weapon", "second-weapon")
}
SUITS = {"goods": phrase("weapons, horses, staffs")}
