"""What Plenty Coups asks, in whole questions, and what it has decided."""

from collections.abc import Mapping

from referee.contract import Text, wording

ASKS: Mapping[str, Text] = {
    "elder": "Who is the oldest, and so the elder?",
    "clan": wording("Which clan does {seats:players} lead?", seats="{seats:players}, which clan do you lead?"),
    "neutral-clan": wording(
        "Which neutral clan, played by both in turn, does {seats:players} choose?",
        seats="Which is the neutral clan that both of you play in turn?",
    ),
    "display": "Which [card is|{count} cards are] turned up for the turn of {seat:player}?",
    "take": "Which card of the display [does {seats:players}|do you]{clan:unseated} [take last|take, with"
    " {count} still to take]?",
    "return": wording(
        "Does {seats:players}{clan:unseated}, home from the raid on {target:player}, score a feat?",
        seats="You are home from the raid on {target:player}. Do you{clan:unseated} score a feat?",
    ),
    "whole-turn": wording(
        "Has {seats:players}{clan:unseated} laid the whole turn with the cards?",
        also="{seats:players}{clan:unseated} may also lay the whole turn with the cards, and then say so.",
        seats="Have you{clan:unseated} laid your whole turn with the cards?",
    ),
    "action": "What [does {seats:players}|do you]{clan:unseated} do with {left} [action|actions] left?",
    "action-raided": "{raider:player} raids with {value}. What [does {seats:players}|do you]{clan:unseated} do"
    " with {left} [action|actions]?",
    "action-repelled": "The raid is repelled. What [does {seats:players}|do you]{clan:unseated} do with {left}"
    " [action|actions]?",
    "after-actions": "[Does {seats:players}|Do you]{clan:unseated} exchange gifts with the ally, or end the"
    " turn?",
    "raid-rider": wording(
        "Which rider does {seats:players}{clan:unseated} lay to raid {target:player}?",
        seats="Which rider do you{clan:unseated} lay before {target:player}'s camp, to raid it?",
    ),
    "first-rider": "Which first rider [does {seats:players}|do you]{clan:unseated} lay to raid"
    " {target:player}?",
    "second-rider": "Which second rider [does {seats:players}|do you]{clan:unseated} lay to raid"
    " {target:player}?",
    "weapon": "Which weapon [does {seats:players}|do you]{clan:unseated} lay against {raider:player}'s raid of"
    " {value}?",
    "first-weapon": "Which first weapon [does {seats:players}|do you]{clan:unseated} lay on {raider:player}'s"
    " raid of {value}?",
    "second-weapon": "Which second weapon [does {seats:players}|do you]{clan:unseated} lay on"
    " {raider:player}'s raid of {value}?",
    "for-gift": "Which card [does {seats:players}|do you]{clan:unseated} discard, for a gift to"
    " {target:player}?",
    "gift-back": wording(
        "Has {seats:players}{clan:unseated} given {seat:player} a card for the gift?",
        seats="{seat:player} has a gift for you{clan:unseated}. Give a card unseen, and say done.",
    ),
    "proposal": wording(
        "With which rider does {seats:players}{clan:unseated} propose an alliance to {target:player}?",
        seats="Which rider do you{clan:unseated} lay beside the herd, for an alliance with {target:player}?",
    ),
    "acceptance": wording(
        "With which rider does {seats:players}{clan:unseated} accept the alliance of {target:player}?",
        seats="Which rider do you{clan:unseated} lay behind the camp, for the alliance with {target:player}?",
    ),
    "neutral-rider": wording(
        "With which rider does {seats:players}{clan:unseated} ally with a clan without a player?",
        seats="Which rider do you{clan:unseated} lay behind the camp, for a clan without a player?",
    ),
    "worth": wording(
        "Does {seats:players}{clan:unseated} accept the loss of renown, taunted by {seat:player}?",
        seats="{seat:player} taunts you{clan:unseated}. Do you accept the loss of renown?",
    ),
    "worth-or-proof": wording(
        "Will {seats:players}{clan:unseated} answer {seat:player}'s taunt with a staff or a 4?",
        seats="{seat:player} taunts you{clan:unseated}. Do you discard a staff or a 4, or lose renown?",
    ),
    "for-donation": "Which card [does {seats:players}|do you]{clan:unseated} discard, to give {target:player}"
    " two horses?",
    "for-hunt": "Which card [does {seats:players}|do you]{clan:unseated} discard, to go hunting?",
    "prey": "Which [card|{count} cards] [does {seats:players}|do you]{clan:unseated} discard after the hunt?",
}

HEADINGS: Mapping[str, Text] = {"raided": "[{seat:player}|You] raided [{target:player}|you] for a horse"}

SENTENCES: Mapping[str, Text] = {
    "repelled": "[{seat:player}|You] turned [{raider:player}'s|your] raid away with {weapons:plus}.",
    "repelled-feat": "[{seat:player}|You] turned [{raider:player}'s|your] raid away, and made it a feat.",
    "raided": "[{seat:player}'s|Your] raid took a horse from [{target:player}|you].",
    "raided-feat": "[{seat:player}'s|Your] raid took a horse from [{target:player}|you]: a feat.",
    "feat": "{seat:player} has made a feat.",
    "outbid": "{seat:player}'s proposal to {target:player} is outbid.",
    "seals": wording(
        "[{seat:player}|You] and {target:player} are allies now.",
        target="You and {seat:player} are allies now.",
    ),
    "neutral-ally": "{seat:player} is allied with a clan without a player.",
    "neutral-ends": "{seat:player} has no neutral ally any more.",
    "alliance-ends": "{seat:player} and {target:player} are no allies any more.",
    "lapses": "{target:player} did not accept {seat:player}'s alliance.",
    "proves": wording(
        "{seat:player} has proved worthy, and loses nothing.", seat="You have proved worthy, and lose nothing."
    ),
    "unproven": "[{seat:player} has|You have] not answered the taunt.",
    "too-late": "{seat:player}'s raid on {target:player} came too late.",
}
