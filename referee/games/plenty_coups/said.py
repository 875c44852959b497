"""What Plenty Coups asks, in whole questions, and what it has decided."""

from collections.abc import Mapping

from referee.contract import Phrase, Wording, phrase, plural, wording

ASKS: Mapping[str, Phrase | Wording] = {
    "elder": phrase("Who is the oldest, and so the elder?"),
    "clan": wording(
        phrase("Which clan does {seats:players} lead?"),
        seats=phrase("{seats:players}, which clan do you lead?"),
    ),
    "neutral-clan": wording(
        phrase("Which neutral clan, played by both in turn, does {seats:players} choose?"),
        seats=phrase("Which is the neutral clan that both of you play in turn?"),
    ),
    "display": plural(
        "Which card is turned up for the turn of {seat:player}?",
        "Which {count} cards are turned up for the turn of {seat:player}?",
        by="count",
    ),
    "take": wording(
        plural(
            "Which card of the display does {seats:players}{clan:unseated} take last?",
            "Which card of the display does {seats:players}{clan:unseated} take, with {count} still to take?",
            by="count",
        ),
        seats=plural(
            "Which card of the display do you{clan:unseated} take last?",
            "Which card of the display do you{clan:unseated} take, with {count} still to take?",
            by="count",
        ),
    ),
    "return": wording(
        phrase("Does {seats:players}{clan:unseated}, home from the raid on {target:player}, score a feat?"),
        seats=phrase("You are home from the raid on {target:player}. Do you{clan:unseated} score a feat?"),
    ),
    "whole-turn": wording(
        phrase("Has {seats:players}{clan:unseated} laid the whole turn with the cards?"),
        also=phrase(
            "{seats:players}{clan:unseated} may also lay the whole turn with the cards, and then say so."
        ),
        seats=phrase("Have you{clan:unseated} laid your whole turn with the cards?"),
    ),
    "action": wording(
        plural(
            "What does {seats:players}{clan:unseated} do with {left} action left?",
            "What does {seats:players}{clan:unseated} do with {left} actions left?",
            by="left",
        ),
        seats=plural(
            "What do you{clan:unseated} do with {left} action left?",
            "What do you{clan:unseated} do with {left} actions left?",
            by="left",
        ),
    ),
    "action-raided": wording(
        plural(
            "{raider:player} raids with {value}. What does {seats:players}{clan:unseated} do with {left}"
            " action?",
            "{raider:player} raids with {value}. What does {seats:players}{clan:unseated} do with {left}"
            " actions?",
            by="left",
        ),
        seats=plural(
            "{raider:player} raids with {value}. What do you{clan:unseated} do with {left} action?",
            "{raider:player} raids with {value}. What do you{clan:unseated} do with {left} actions?",
            by="left",
        ),
    ),
    "action-repelled": wording(
        plural(
            "The raid is repelled. What does {seats:players}{clan:unseated} do with {left} action?",
            "The raid is repelled. What does {seats:players}{clan:unseated} do with {left} actions?",
            by="left",
        ),
        seats=plural(
            "The raid is repelled. What do you{clan:unseated} do with {left} action?",
            "The raid is repelled. What do you{clan:unseated} do with {left} actions?",
            by="left",
        ),
    ),
    "after-actions": wording(
        phrase("Does {seats:players}{clan:unseated} exchange gifts with the ally, or end the turn?"),
        seats=phrase("Do you{clan:unseated} exchange gifts with the ally, or end the turn?"),
    ),
    "raid-rider": wording(
        phrase("Which rider does {seats:players}{clan:unseated} lay to raid {target:player}?"),
        seats=phrase("Which rider do you{clan:unseated} lay before {target:player}'s camp, to raid it?"),
    ),
    "first-rider": wording(
        phrase("Which first rider does {seats:players}{clan:unseated} lay to raid {target:player}?"),
        seats=phrase("Which first rider do you{clan:unseated} lay to raid {target:player}?"),
    ),
    "second-rider": wording(
        phrase("Which second rider does {seats:players}{clan:unseated} lay to raid {target:player}?"),
        seats=phrase("Which second rider do you{clan:unseated} lay to raid {target:player}?"),
    ),
    "weapon": wording(
        phrase(
            "Which weapon does {seats:players}{clan:unseated} lay against {raider:player}'s raid of {value}?"
        ),
        seats=phrase("Which weapon do you{clan:unseated} lay against {raider:player}'s raid of {value}?"),
    ),
    "first-weapon": wording(
        phrase(
            "Which first weapon does {seats:players}{clan:unseated} lay on {raider:player}'s raid of {value}?"
        ),
        seats=phrase("Which first weapon do you{clan:unseated} lay on {raider:player}'s raid of {value}?"),
    ),
    "second-weapon": wording(
        phrase(
            "Which second weapon does {seats:players}{clan:unseated} lay on {raider:player}'s raid of {value}?"
        ),
        seats=phrase("Which second weapon do you{clan:unseated} lay on {raider:player}'s raid of {value}?"),
    ),
    "for-gift": wording(
        phrase("Which card does {seats:players}{clan:unseated} discard, for a gift to {target:player}?"),
        seats=phrase("Which card do you{clan:unseated} discard, for a gift to {target:player}?"),
    ),
    "gift-back": wording(
        phrase("Has {seats:players}{clan:unseated} given {seat:player} a card for the gift?"),
        seats=phrase("{seat:player} has a gift for you{clan:unseated}. Give a card unseen, and say done."),
    ),
    "proposal": wording(
        phrase("With which rider does {seats:players}{clan:unseated} propose an alliance to {target:player}?"),
        seats=phrase(
            "Which rider do you{clan:unseated} lay beside the herd, for an alliance with {target:player}?"
        ),
    ),
    "acceptance": wording(
        phrase("With which rider does {seats:players}{clan:unseated} accept the alliance of {target:player}?"),
        seats=phrase(
            "Which rider do you{clan:unseated} lay behind the camp, for the alliance with {target:player}?"
        ),
    ),
    "neutral-rider": wording(
        phrase("With which rider does {seats:players}{clan:unseated} ally with a clan without a player?"),
        seats=phrase("Which rider do you{clan:unseated} lay behind the camp, for a clan without a player?"),
    ),
    "worth": wording(
        phrase("Does {seats:players}{clan:unseated} accept the loss of renown, taunted by {seat:player}?"),
        seats=phrase("{seat:player} taunts you{clan:unseated}. Do you accept the loss of renown?"),
    ),
    "worth-or-proof": wording(
        phrase("Will {seats:players}{clan:unseated} answer {seat:player}'s taunt with a staff or a 4?"),
        seats=phrase("{seat:player} taunts you{clan:unseated}. Do you discard a staff or a 4, or lose renown?"),
    ),
    "for-donation": wording(
        phrase("Which card does {seats:players}{clan:unseated} discard, to give {target:player} two horses?"),
        seats=phrase("Which card do you{clan:unseated} discard, to give {target:player} two horses?"),
    ),
    "for-hunt": wording(
        phrase("Which card does {seats:players}{clan:unseated} discard, to go hunting?"),
        seats=phrase("Which card do you{clan:unseated} discard, to go hunting?"),
    ),
    "prey": wording(
        plural(
            "Which card does {seats:players}{clan:unseated} discard after the hunt?",
            "Which {count} cards does {seats:players}{clan:unseated} discard after the hunt?",
            by="count",
        ),
        seats=plural(
            "Which card do you{clan:unseated} discard after the hunt?",
            "Which {count} cards do you{clan:unseated} discard after the hunt?",
            by="count",
        ),
    ),
}

HEADINGS: Mapping[str, Phrase | Wording] = {
    "raided": wording(
        phrase("{seat:player} raided {target:player} for a horse"),
        seat=phrase("You raided {target:player} for a horse"),
        target=phrase("{seat:player} raided you for a horse"),
    ),
}

SENTENCES: Mapping[str, Phrase | Wording] = {
    "repelled": wording(
        phrase("{seat:player} turned {raider:player}'s raid away with {weapons:plus}."),
        seat=phrase("You turned {raider:player}'s raid away with {weapons:plus}."),
        raider=phrase("{seat:player} turned your raid away with {weapons:plus}."),
    ),
    "repelled-feat": wording(
        phrase("{seat:player} turned {raider:player}'s raid away, and made it a feat."),
        seat=phrase("You turned {raider:player}'s raid away, and made it a feat."),
        raider=phrase("{seat:player} turned your raid away, and made it a feat."),
    ),
    "raided": wording(
        phrase("{seat:player}'s raid took a horse from {target:player}."),
        seat=phrase("Your raid took a horse from {target:player}."),
        target=phrase("{seat:player}'s raid took a horse from you."),
    ),
    "raided-feat": wording(
        phrase("{seat:player}'s raid took a horse from {target:player}: a feat."),
        seat=phrase("Your raid took a horse from {target:player}: a feat."),
        target=phrase("{seat:player}'s raid took a horse from you: a feat."),
    ),
    "feat": phrase("{seat:player} has made a feat."),
    "outbid": phrase("{seat:player}'s proposal to {target:player} is outbid."),
    "seals": wording(
        phrase("{seat:player} and {target:player} are allies now."),
        seat=phrase("You and {target:player} are allies now."),
        target=phrase("You and {seat:player} are allies now."),
    ),
    "neutral-ally": phrase("{seat:player} is allied with a clan without a player."),
    "neutral-ends": phrase("{seat:player} has no neutral ally any more."),
    "alliance-ends": phrase("{seat:player} and {target:player} are no allies any more."),
    "lapses": phrase("{target:player} did not accept {seat:player}'s alliance."),
    "proves": wording(
        phrase("{seat:player} has proved worthy, and loses nothing."),
        seat=phrase("You have proved worthy, and lose nothing."),
    ),
    "unproven": wording(
        phrase("{seat:player} has not answered the taunt."), seat=phrase("You have not answered the taunt.")
    ),
    "too-late": phrase("{seat:player}'s raid on {target:player} came too late."),
}
