"""Plenty Coups' texts, with neutral names for people in place of those on the box."""

from collections.abc import Mapping

from referee.contract import HeadlineWords, Label, Text, Words, plural, wording
from referee.games.plenty_coups.state import CLAN, CLANS, VALUE, WEAPONS

ASKS: Mapping[str, Text] = {
    "elder": "Who is the oldest, and so the elder?",
    "clan": wording("Which clan does {seats:players} lead?", seats="{seats:players}, which clan do you lead?"),
    "neutral-clan": wording(
        "Which neutral clan, played by both in turn, does {seats:players} choose?",
        seats="Which is the neutral clan that both of you play in turn?",
    ),
    "display": "Which [card is|{count} cards are] turned up for [{seat:player}'s|your] turn?",
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
        "Has {seats:players}{clan:unseated} given {seat:actor} a card for the gift?",
        seat="Has {seats:players}{clan:unseated} given you a card for the gift?",
        seats="{seat:actor} has a gift for you{clan:unseated}. Give a card unseen, and say done.",
    ),
    "proposal": wording(
        "With which rider does {seats:players}{clan:unseated} propose an alliance to {target:player}?",
        seats="Which rider do you{clan:unseated} lay beside the herd, for an alliance with {target:player}?",
    ),
    "acceptance": wording(
        "With which rider does {seats:players}{clan:unseated} accept the alliance with {target:player}?",
        seats="Which rider do you{clan:unseated} lay behind the camp, for the alliance with {target:player}?",
    ),
    "neutral-rider": wording(
        "With which rider does {seats:players}{clan:unseated} ally with a clan without a player?",
        seats="Which rider do you{clan:unseated} lay behind the camp, for a clan without a player?",
    ),
    "worth": wording(
        "Does {seats:players}{clan:unseated} accept the loss of renown, taunted by {seat:actor}?",
        seats="{seat:actor} taunts you{clan:unseated}. Do you accept the loss of renown?",
    ),
    "worth-or-proof": wording(
        "Will {seats:players}{clan:unseated} answer {seat:actor}'s taunt with a staff or a 4?",
        seats="{seat:actor} taunts you{clan:unseated}. Do you discard a staff or a 4, or lose renown?",
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
    "neutral-ends": "{seat:player} no longer has a neutral ally.",
    "alliance-ends": "{seat:player} and {target:player} are no longer allies.",
    "lapses": "{target:player} did not accept {seat:player}'s alliance.",
    "proves": wording(
        "{seat:player} has proved worthy, and loses nothing.", seat="You have proved worthy, and lose nothing."
    ),
    "unproven": "[{seat:player} has|You have] not answered the taunt.",
    "too-late": "{seat:player}'s raid on {target:player} came too late.",
}


_CLANS = {clan: clan for clan in CLANS}
_RIDERS = {face: f"{'young ' * (VALUE[face] == 1)}{clan} rider {VALUE[face]}" for face, clan in CLAN.items()}
_LAID = ("raid-rider", "first-rider", "second-rider", "weapon", "first-weapon", "second-weapon")

WORDS = Words(
    title="Plenty Coups",
    pitch="Lead your clan: steal horses, fight raids and get through the winter.",
    unseated="the neutral clan",
    asks=ASKS,
    verdicts=SENTENCES,
    reveals=HEADINGS,
    typed={"score": "feat-against"},
    answers=dict.fromkeys(_LAID, "I lay the {card:face}"),
    situations={
        "joining": "The clans are chosen, one by one, beginning with the elder, {elder:player}.",
        "turning": "The display is filled up for [{seat:player}'s|your] turn.",
        "taking": "It is [{seat:player}'s|your] turn, with {count} [card|cards] still to take.",
        "returning": "[{seat:player}'s|Your] raid on [{target:player}|you] comes home.",
        "acting": "It is [{seat:player}'s|your] turn, with {left} [action|actions] left.",
        "acting-raided": "It is [{seat:player}'s|your] turn, with {left} [action|actions] left, against"
        " [{raider:player}'s|your] raid of {value}.",
        "repelled": "The raid on [{seat:player}|you] is repelled, and a feat may follow, with {left}"
        " [action|actions] left.",
        "acted": "It is [{seat:player}'s|your] turn, with no action left.",
        "laying-raid": "[{seat:actor} raids|You raid] [{target:player}|you] with one rider.",
        "laying-double-raid": "[{seat:actor} raids|You raid] [{target:player}|you] with two riders of one"
        " clan.",
        "laying-defend": "[{seat:player} repels|You repel] [{raider:player}'s|your] raid of {value} with"
        " one weapon.",
        "laying-double-defend": "[{seat:player} repels|You repel] [{raider:player}'s|your] raid of {value}"
        " with two weapons.",
        "laying-gift": "[{seat:player} exchanges|You exchange] gifts with [{target:player}|you].",
        "laying-propose": "[{seat:actor} proposes|You propose] an alliance to [{target:player}|you].",
        "laying-accept": "[{seat:player} accepts|You accept] the alliance with [{target:player}|you].",
        "laying-ally": "[{seat:player} allies|You ally] with a clan without a player.",
        "laying-donate": "[{seat:player} gives|You give] [{target:player}|you] two horses.",
        "laying-hunt": "[{seat:player} goes|You go] hunting.",
        "hunting": "[{seat:actor} has|You have] drawn {count} [card|cards] on the hunt.",
        "gifting": "[{seat:actor}'s|Your] gift lies before [{target:player}|you], face down.",
        "proving": "[{seat:actor} taunts|You taunt] [{target:player}|you] with a staff: renown is at stake.",
        "over": "Winter is over, and all renown is counted.",
    },
    facts={
        "left": Label("Actions left", "{count}"),
        "round": Label("Round", "{number} of {rounds}"),
        "winter": Label("Winter", "one action a turn, no taunts"),
        "winter-in": Label("Winter", "in {count} [round|rounds]"),
        "elder": Label("Elder", "{who:player}"),
        "plain": Label("On the plain", "{count} [horse|horses]"),
        "pile": Label("Draw pile", "{count} [card|cards]"),
        "raid": Label("Raided by", "{by:player}, attack value {value}"),
        "raid-without-feat": Label("Raided by", "{by:player}, attack value {value}, for no feat"),
        "proposal": Label("Proposes an alliance", "to {to:player}, with {card:face}"),
        "played-by": Label("Played by", "{who:player}"),
        "renown": Label("Renown", "{count}"),
        "feats": Label("Markers turned", "{count}"),
        "horses": Label("Horses", "{count}"),
        "clan": Label("Clan", "{clan:face}"),
        "ally": Label("Ally", "{who:player}"),
        "neutral-ally": Label("Ally", "{clan:face}, a clan without a player"),
        "taunted": Label("Taunted", "until its next turn"),
        "hand": Label("Hand", "{count} [card|cards]"),
        "markers": Label("Markers with their raid side up", "{count}"),
        "strength": Label("Strength", "{value}"),
    },
    headlines={
        "winter-in": HeadlineWords("{count}", "Winter comes in", plural("round", "rounds", by="count")),
        "winter": HeadlineWords("{left}", "Winter", plural("round is left", "rounds are left", by="left")),
        "raid": HeadlineWords("{value}", "{seat:player} raids {target:player}", "attack value"),
    },
    highlights={
        "raid": Label(
            "Boldest raid",
            "Round {round}: {seat:actor} raided {target:actor} with {value}, and took a horse home.",
        ),
        "repelled": Label(
            "Best defence", "Round {round}: {target:actor} repelled {seat:actor}'s raid of {value}."
        ),
    },
    tracks={"year": "The rounds of the year"},
    cards={
        "display": "On display",
        "laid": "Laid so far",
        "discard": "Discards",
        "raiders": "Raiders before the camp",
        "proposed": "Proposed with",
        "bond": "The ally's rider",
        "known": "In the hand, as all have seen",
    },
    options={
        "elder": "{seat:player} is the elder",
        **_CLANS,
        "take": "take: {face:face}",
        "score": "a staff for a feat against {seat:player}",
        "home": "home from {seat:player}, without a feat",
        "feat": "a staff for a feat in defence",
        "breed": "breed: a horse of the plain for a horse card",
        "raid": "raid {seat:player}",
        "double-raid": "raid {seat:player} with two riders of one clan",
        "defend": "repel the raid with a weapon",
        "double-defend": "repel the raid with two weapons",
        "gift": "exchange gifts with {seat:player}",
        "ally-gift": "exchange gifts with {seat:player}, as allies, for nothing",
        "propose": "propose an alliance to {seat:player}",
        "accept": "accept the alliance with {seat:player}",
        "ally": "ally with a clan without a player",
        "taunt": "taunt {seat:player}",
        "donate": "give two horses to {seat:player}",
        "hunt": "go hunting",
        "accept-loss": "I accept the loss",
        "turn-over": "end my turn",
    },
    short={
        "breed": "breed",
        "raid": "raid with one rider",
        "double-raid": "raid with two riders",
        "gift": "exchange gifts",
        "propose": "propose an alliance",
        "taunt": "taunt",
        "donate": "give two horses",
    },
    effects={
        "black": "Mountain",
        "yellow": "Sun",
        "green": "Pine",
        "red": "Flame",
        "blue": "Wave",
        "white": "Snowflake",
        "score": "One more renown, for an action.",
        "home": "The horse comes home, and nothing more.",
        "feat": "One more renown, for an action.",
        "breed": "A horse card brings [you the last horse|one of {count} horses].",
        "raid": "A horse of theirs, unless they repel it.",
        "double-raid": "Stronger, but both actions of the turn.",
        "raid-late": "The match ends before it comes home: no horse, no feat.",
        "raid-late-chases": "It chases the raid there, but doesn't come home before the end.",
        "defend": "It takes a weapon of {least} or more.",
        "double-defend": "Two weapons, together {least} or more.",
        "gift": "A card is discarded, one is swapped unseen.",
        "ally-gift": "A card is swapped unseen, at no cost.",
        "propose": "You lay a rider of their clan.",
        "propose-late": "They have no turn left to accept it.",
        "accept": "You lay a rider of their clan.",
        "ally": "You lay a rider of that clan.",
        "taunt": "For a staff: they prove their worth, or lose renown.",
        "donate": "A card is discarded, and two horses go over.",
        "hunt": "A card is discarded, others are drawn.",
        "accept-loss": "You lose one renown.",
        "turn-over": "Three cards stay in your hand.",
    },
    hints={
        "elder": "The oldest is the elder, and begins. Turns go to the right.",
        "clan": "Choose your clan. Its riders are stronger when you ride with them.",
        "take": "What you take, all can see. Take cards of the display: they are what you act with.",
        "action": "Horses and feats are renown. Breed horses, raid a camp, or seek an ally. Say what you do,"
        " then lay the card.",
        "whole-turn": "Play with the cards, and say you're done. The camera reads what you did.",
        "worth": "A staff or a 4 saves your renown. Discard one, and you lose nothing. Else you lose one"
        " renown.",
        "return": "Your raid comes home with a horse. For a staff it brings a feat as well.",
        "gift-back": "You are given a card. Give one back, face down, and say done.",
    },
    suits={"goods": "weapons, horses, staffs"},
    faces={
        **_CLANS,
        **_RIDERS,
        **{weapon: weapon.replace("-", " ") for weapon in WEAPONS},
        "horse": "horse",
        "staff": "honour staff",
    },
    counts={
        "renown": "renown {count}",
        "feats": "{count} [marker|markers] turned",
        "horses": "{count} [horse|horses]",
    },
    rulings={
        "dealt": "Each clan gets three cards, face down, and a horse; {horses} horses stay on the plain.",
        "elder": "{seat:player} is the elder and begins; the next turn is always to the right.",
        "joins": "{seat:player} plays the {clan:face} clan.",
        "turned-up": "Turned up: {cards:faces}.",
        "swept": "Three alike: the display goes to the discards ({cards:faces}).",
        "display-off": "The display goes to the discards ({cards:faces}).",
        "pile-renewed": "The pile is empty: the discards are shuffled into a new one.",
        "round": "Round {number} of 12. {seat:player} moves the marker on.",
        "winter": "Winter has come: one action a turn, and no taunts any more.",
        "turn": "It is {seat:player}'s turn.",
        "neutral-turn": "It is the neutral clan's turn, and {seat:player} plays it.",
        "lapses": "The alliance that {seat:player} proposed to {target:player} was not accepted: {card:face}"
        " goes to the discards.",
        "staff-off": "The staff on {seat:player}'s riders goes to the discards.",
        "draws": "{seat:player} draws [a card|{count} cards], unseen.",
        "takes": "{seat:player} takes: {card:face}.",
        "comes-home": "{seat:player}'s raid on {target:player} comes home: {cards:faces} to the discards.",
        "takes-horse": "{seat:player} takes a horse from {target:player}'s herd.",
        "no-horse": "{target:player} has no horse for {seat:player} to take.",
        "feat": "{seat:player} lays a staff down: a feat.",
        "gains": "{seat:player} turns a marker: {feats} turned now.",
        "renown-full": "{seat:player} has no marker left to turn: no more renown that way.",
        "loses": "{seat:player} turns a marker back: {feats} turned now.",
        "nothing-to-lose": "{seat:player} has no marker turned, and loses no renown.",
        "breeds": "{seat:player} breeds: a horse of the plain joins the herd.",
        "raids": "{seat:player} raids {target:player} with {cards:plus}: attack value {value}.",
        "chased": "That chases away {seat:player}'s raid: {cards:faces} to the discards, the marker home.",
        "repels": "{seat:player} repels {raider:player}'s raid with {weapons:plus}: {cards:faces} to the"
        " discards, too, the marker home.",
        "discards": "{seat:player} discards {cards:faces}.",
        "offers": "{seat:player} lays a card before {target:player}, face down.",
        "exchange": "{seat:player} and {target:player} have exchanged gifts.",
        "proposes": "{seat:player} proposes an alliance to {target:player}: {card:face}.",
        "outbid": "That outbids {seat:player}: {card:face} goes to the discards.",
        "raid-ends": "So {seat:player}'s raid on {target:player} ends at once: {cards:faces} to the discards.",
        "seals": "{seat:player} accepts with {card:face}: {seat:player} and {target:player} are allies.",
        "withdrawn": "What {seat:player} had proposed to {target:player} is void: {card:face} goes to the"
        " discards.",
        "alliance-ends": "{seat:player} and {target:player} are no longer allies: {cards:faces} to the"
        " discards.",
        "neutral-ally": "{seat:player} allies with a clan without a player: {card:face}.",
        "neutral-ends": "{seat:player}'s neutral alliance ends: {card:face} to the discards.",
        "taunts": "{seat:player} taunts {target:player}.",
        "proves": "{seat:player} discards {cards:faces}: worth proven, nothing lost.",
        "unproven": "{seat:player} accepts the loss.",
        "donates": "{seat:player} gives {target:player} {horses} horses.",
        "hunts": "{seat:player} goes hunting.",
        "turn-over": "{seat:player}'s turn is over, with {cards} [card|cards] in hand.",
        "too-late": "{seat:player}'s raid on {target:player} is too late: it is lost, {cards:faces} to"
        " the discards.",
        "counted": "{seat:player}: {feats} from markers and {herd} from the herd make {total} renown.",
        "counted-without-horses": "{seat:player}: {feats} from markers and {herd} from the herd make {total}"
        " renown; having no horse has cost one, if there was one to lose.",
        "together": "{seat:player} and {target:player} are allies and add up: {total} renown.",
        "won": plural("{seats:players} wins the match.", "{seats:players} win the match together.", by="count"),
        "can-repel": "{seat:player} can repel the raid: it takes {needed}, and all saw such a weapon being"
        " taken.",
        "late-raid": "If {seat:player} sets out on a raid now, it doesn't come home before the end.",
        "late-proposal": plural(
            "{targets:players} has no turn left to accept {seat:player}'s proposal.",
            "{targets:players} have no turn left to accept {seat:player}'s proposal.",
            by="count",
        ),
        "may-repel": "To repel the raid on {seat:player}, it takes weapons of {needed}; {count} such single"
        " [weapon|weapons] can be in that hand.",
    },
    house={
        "clear_display": "the rest of the display is discarded after each turn",
        "raid_return": "when a raid comes home: after two cards were taken, or before",
        "renown_cap": "how much renown markers can bring: one for each, or no limit",
        "compare": "what raids and weapons are compared by: with the bonus for one's own riders, or without",
        "gift_of_horses": "a donation isn't possible to an ally, or if either clan has any ally",
        "penalty_first": "the penalty for having no horses applies before allies are checked for enough"
        " renown to add up",
        "alliance_tiebreak": "what counts for allies in a tie: both together, or the better one",
        "neutral_hand": "two players: the neutral clan has a hand of its own, or is played from one's own",
        "winter_hunt": "hunting is possible in rounds 11 and 12, when no cards are taken any more",
        "worth_seconds": "seconds for proving one's worth after a taunt",
    },
    values={
        "raid_return.after_draw": "after the cards are taken",
        "raid_return.before_draw": "before the cards are taken",
        "renown_cap.none": "no limit",
        "compare.effective": "with the bonus",
        "compare.printed": "what is printed",
        "gift_of_horses.each_other": "not to an ally",
        "gift_of_horses.anyone": "not if either has an ally",
        "alliance_tiebreak.sums": "both together",
        "alliance_tiebreak.best_member": "the better one's",
        "neutral_hand.own": "a hand of its own",
        "neutral_hand.controller": "the hand of who plays it",
    },
    refusals={
        "clan-taken": "{seat:player} plays that clan.",
        "no-actions": "No action is left in this turn.",
        "not-yourself": "Not yourself: choose another clan.",
        "no-feat": "That needs a raid that has just been repelled with a strong weapon.",
        "no-staff": "That takes an honour staff, and there can be none in your hand.",
        "plain-empty": "There is no horse left on the plain.",
        "no-horse-card": "That takes a horse card, and there can be none in your hand.",
        "is-ally": "Not {seat:player}: you are allies.",
        "raids-already": "You are raiding {seat:player} already.",
        "proposal-open": "Not {seat:player}: an alliance is proposed between you.",
        "no-markers": "All your markers are out on raids.",
        "too-weak": "A raid is there already: it takes a value of {least} or more.",
        "no-rider": "That takes riders, and there can be none in your hand.",
        "one-action-in-winter": "In winter there is one action a turn, and this takes two.",
        "takes-two-actions": "That takes both actions of a turn.",
        "not-raided": "There is no raid on your camp.",
        "no-weapon": "That takes weapons of {least} or more, and they can't be in your hand.",
        "no-ally": "You have no ally.",
        "not-ally": "{seat:player} isn't your ally.",
        "gifted-already": "You have exchanged gifts as allies in this turn already.",
        "raid-between": "Not {seat:player}: there is a raid between you.",
        "too-few-cards": "That takes {least} cards, you have {cards}.",
        "empty-hand": "{seat:player} has no card to give.",
        "too-few-players": "Alliances between players take at least {least} players.",
        "has-ally": "You are allied with {seat:player} already.",
        "proposed-already": "You have proposed an alliance to {seat:player} already.",
        "no-such-rider": "That takes a certain rider, high enough, and there can be none in your hand.",
        "not-proposed": "That clan hasn't proposed an alliance to you.",
        "no-taunts-in-winter": "There are no taunts in winter.",
        "taunted-already": "{seat:player} is taunted already.",
        "too-few-horses": "That takes {least} horses, you have {horses}.",
        "larger-herd": "Not {seat:player}: that herd is larger than yours.",
        "is-raided": "No donations while {seat:player} is raided.",
        "allied": "No donations: {seat:player} has an ally.",
        "no-card-to-discard": "That takes a card to discard, and your hand is empty.",
        "no-card-to-hunt": "That takes a card to discard, and your hand is empty.",
        "no-hunt-in-winter": "There is no hunting in the last rounds of winter.",
        "seconds": "the clock can be set to 1 to {most} seconds",
        "no-raid": "{card:face} can't raid here: it takes a rider stronger than the raid that is there.",
        "no-double-raid": "{card:face} can't raid here: it takes two riders of one clan, stronger than the"
        " raid that is there.",
        "no-defence": "{card:face} doesn't repel this raid: it takes a weapon at least as strong.",
        "no-double-defence": "{card:face} doesn't repel this raid: it takes two weapons, together at least as"
        " strong.",
        "no-proposal": "{card:face} can't propose this alliance: it takes a rider of that clan, higher than"
        " another's proposal and than the one that has bound it so far.",
        "no-acceptance": "{card:face} can't accept: it takes a rider of the clan that proposed, no lower than"
        " your own in the alliance before.",
        "no-neutral-ally": "{card:face} can't ally here: it takes a rider of another clan without a player, no"
        " lower than your ally's, and higher than that of the player who has this clan for an ally.",
        "no-proof": "{card:face} proves nothing: it takes a staff, or a card of value 4.",
    },
    remarks={
        "coach-turn": "{seat:player}: as chosen, this turn alone could bring {gain:signed} renown at best.",
        "coach-turn-open": "{seat:player}: what this turn could bring was still open, as a hidden card or"
        " another clan came first.",
        "coach-rather": "Played to the end {deals} times with hidden cards dealt anew: with “{action:option}”"
        " the lead in renown was about {gain:decimal} higher (± {error:decimal}).",
        "coach-rather-against": "Played to the end {deals} times with hidden cards dealt anew: with"
        " “{action:option} {target:player}” the lead in renown was about {gain:decimal} higher"
        " (± {error:decimal}).",
    },
    statistics={
        "standing-renown": "Renown",
        "standing-feats": "Markers turned",
        "standing-horses": "Horses",
        "turns": "Turns",
        "raids": "Raids",
        "raids-home": "Raids that came home",
        "horses-taken": "Horses taken",
        "horses-lost": "Horses lost to raids",
        "repelled": "Raids repelled",
        "feats-scored": "Feats",
        "bred": "Horses bred",
        "gifts": "Gifts exchanged",
        "proposals": "Alliances proposed",
        "sealed": "Own proposals accepted",
        "alliances": "Alliances accepted",
        "neutral-alliances": "Neutral alliances",
        "taunts": "Taunts",
        "taunted": "Taunts suffered",
        "proved": "Worth proven",
        "unproven": "Worth not proven",
        "donations": "Donations",
        "hunts": "Hunts",
        "rate-raids": "Raids that came home",
        "rate-proposals": "Proposals accepted",
        "rate-taunts": "Taunts answered with proof",
    },
)
