"""What the referee says in Plenty Coups. Neutral names for people instead of those on the box."""

from referee.contract import HeadlineWords, Label, Words, alike, phrase, plural
from referee.games.plenty_coups.said import ASKS, HEADINGS, SENTENCES

_CLANS = alike(
    phrase("black"), phrase("yellow"), phrase("green"), phrase("red"), phrase("blue"), phrase("white")
)
_TYPED = alike(
    phrase("elder"), phrase("take"), phrase("home"), phrase("feat"), phrase("breed"), phrase("raid"),
    phrase("double-raid"), phrase("defend"), phrase("double-defend"), phrase("gift"), phrase("ally-gift"),
    phrase("propose"), phrase("accept"), phrase("ally"), phrase("taunt"), phrase("donate"), phrase("hunt"),
    phrase("accept-loss"), phrase("turn-over"),
)  # fmt: skip
_LAID = ("raid-rider", "first-rider", "second-rider", "weapon", "first-weapon", "second-weapon")

WORDS = Words(
    title=phrase("Plenty Coups"),
    pitch=phrase("Lead your clan: steal horses, fight raids and get through the winter."),
    unseated=phrase("the neutral clan"),
    asks=ASKS,
    verdicts=SENTENCES,
    reveals=HEADINGS,
    typed=_CLANS | _TYPED | {"score": phrase("feat-against")},
    answers=dict.fromkeys(_LAID, phrase("I lay the {card:face}")),
    situations={
        "joining": phrase("The clans are chosen, one by one, beginning with the elder, {elder:player}."),
        "turning": phrase("The display is filled up for the turn of {seat:player}."),
        "taking": plural(
            "It is the turn of {seat:player}, with {count} card still to be taken.",
            "It is the turn of {seat:player}, with {count} cards still to be taken.",
            by="count",
        ),
        "returning": phrase("The raid of {seat:player} on {target:player} comes home."),
        "acting": plural(
            "It is the turn of {seat:player}, with {left} action left.",
            "It is the turn of {seat:player}, with {left} actions left.",
            by="left",
        ),
        "acting-raided": plural(
            "It is the turn of {seat:player}, with {left} action left, and {raider:player} raids this"
            " camp, attack value {value}.",
            "It is the turn of {seat:player}, with {left} actions left, and {raider:player} raids this"
            " camp, attack value {value}.",
            by="left",
        ),
        "repelled": plural(
            "The raid on {seat:player} is repelled, and a feat may follow, with {left} action left.",
            "The raid on {seat:player} is repelled, and a feat may follow, with {left} actions left.",
            by="left",
        ),
        "acted": phrase("It is the turn of {seat:player}, with no action left."),
        "laying-raid": phrase("This is a raid of {seat:player} on {target:player}, with one rider."),
        "laying-double-raid": phrase(
            "This is a raid of {seat:player} on {target:player}, with two riders of one clan."
        ),
        "laying-defend": phrase(
            "With one weapon, {seat:player} repels the raid of {raider:player}, attack value {value}."
        ),
        "laying-double-defend": phrase(
            "With two weapons, {seat:player} repels the raid of {raider:player}, attack value {value}."
        ),
        "laying-gift": phrase("Gifts are exchanged between {seat:player} and {target:player}."),
        "laying-propose": phrase("This is an alliance that {seat:player} proposes to {target:player}."),
        "laying-accept": phrase("This is the alliance with {target:player} that {seat:player} accepts."),
        "laying-ally": phrase("This is an alliance of {seat:player} with a clan without a player."),
        "laying-donate": phrase("Two horses of {seat:player} go to {target:player}."),
        "laying-hunt": phrase("This is a hunt of {seat:player}."),
        "hunting": plural(
            "On the hunt, {seat:player} has drawn {count} card.",
            "On the hunt, {seat:player} has drawn {count} cards.",
            by="count",
        ),
        "gifting": phrase("A gift of {seat:player} lies before {target:player}, face down."),
        "proving": phrase("With a staff, {seat:player} taunts {target:player}, whose renown is at stake."),
        "over": phrase("Winter is over, and all renown is counted."),
    },
    facts={
        "left": Label(phrase("Actions left"), phrase("{count}")),
        "round": Label(phrase("Round"), phrase("{number} of {rounds}")),
        "winter": Label(phrase("Winter"), phrase("one action a turn, no taunts")),
        "winter-in": Label(phrase("Winter"), plural("in {count} round", "in {count} rounds", by="count")),
        "elder": Label(phrase("Elder"), phrase("{who:player}")),
        "plain": Label(phrase("On the plain"), plural("{count} horse", "{count} horses", by="count")),
        "pile": Label(phrase("Draw pile"), plural("{count} card", "{count} cards", by="count")),
        "raid": Label(phrase("Raided by"), phrase("{by:player}, attack value {value}")),
        "raid-without-feat": Label(
            phrase("Raided by"), phrase("{by:player}, attack value {value}, for no feat")
        ),
        "proposal": Label(phrase("Proposes an alliance"), phrase("to {to:player}, with {card:face}")),
        "played-by": Label(phrase("Played by"), phrase("{who:player}")),
        "renown": Label(phrase("Renown"), phrase("{count}")),
        "feats": Label(phrase("Renown beside the herd's"), phrase("{count}")),
        "horses": Label(phrase("Horses"), phrase("{count}")),
        "clan": Label(phrase("Clan"), phrase("{clan:face}")),
        "ally": Label(phrase("Ally"), phrase("{who:player}")),
        "neutral-ally": Label(phrase("Ally"), phrase("{clan:face}, a clan without a player")),
        "taunted": Label(phrase("Taunted"), phrase("until its next turn")),
        "hand": Label(phrase("Hand"), plural("{count} card", "{count} cards", by="count")),
        "markers": Label(phrase("Markers with their raid side up"), phrase("{count}")),
        "strength": Label(phrase("Strength"), phrase("{value}")),
    },
    headlines={
        "winter-in": HeadlineWords(
            phrase("{count}"), phrase("Winter comes in"), plural("round", "rounds", by="count")
        ),
        "winter": HeadlineWords(
            phrase("{left}"), phrase("Winter"), plural("round is left", "rounds are left", by="left")
        ),
        "raid": HeadlineWords(
            phrase("{value}"), phrase("{seat:player} raids {target:player}"), phrase("attack value")
        ),
    },
    tracks={
        "year": phrase("The rounds of the year"),
    },
    cards={
        "display": phrase("On display"),
        "laid": phrase("Laid so far"),
        "discard": phrase("Discards"),
        "raiders": phrase("Raiders before the camp"),
        "proposed": phrase("Proposed with"),
        "bond": phrase("The ally's rider"),
        "known": phrase("In the hand, as all have seen"),
    },
    options={
        "elder": phrase("{seat:player} is the elder"),
        **_CLANS,
        "take": phrase("take: {face:face}"),
        "score": phrase("a staff for a feat against {seat:player}"),
        "home": phrase("home from {seat:player}, without a feat"),
        "feat": phrase("a staff for a feat in defence"),
        "breed": phrase("breed: a horse of the plain for a horse card"),
        "raid": phrase("raid {seat:player}"),
        "double-raid": phrase("raid {seat:player} with two riders of one clan"),
        "defend": phrase("repel the raid with a weapon"),
        "double-defend": phrase("repel the raid with two weapons"),
        "gift": phrase("exchange gifts with {seat:player}"),
        "ally-gift": phrase("exchange gifts with {seat:player}, as allies, for nothing"),
        "propose": phrase("propose an alliance to {seat:player}"),
        "accept": phrase("accept the alliance with {seat:player}"),
        "ally": phrase("ally with a clan without a player"),
        "taunt": phrase("taunt {seat:player}"),
        "donate": phrase("give two horses to {seat:player}"),
        "hunt": phrase("go hunting"),
        "accept-loss": phrase("I accept the loss"),
        "turn-over": phrase("the turn is over"),
    },
    short={
        "breed": phrase("breed"),
        "raid": phrase("raid with one rider"),
        "double-raid": phrase("raid with two riders"),
        "gift": phrase("exchange gifts"),
        "propose": phrase("propose an alliance"),
        "taunt": phrase("taunt"),
        "donate": phrase("give two horses"),
    },
    effects={
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
    },
    hints={
        "elder": phrase("The oldest is the elder, and begins. Turns go to the right."),
        "clan": phrase("Choose your clan. Its riders are stronger when you ride with them."),
        "take": phrase("What you take, all can see. Take cards of the display: they are what you act with."),
        "action": phrase(
            "Horses and feats are renown. Breed horses, raid a camp, or seek an ally. Say what you do, then"
            " lay the card."
        ),
        "whole-turn": phrase("Play with the cards, and say you're done. The camera reads what you did."),
        "worth": phrase(
            "A staff or a 4 saves your renown. Discard one, and you lose nothing. Else you lose one renown."
        ),
        "return": phrase("Your raid comes home with a horse. For a staff it brings a feat as well."),
        "gift-back": phrase("You are given a card. Give one back, face down, and say done."),
    },
    suits={
        "goods": phrase("weapons, horses, staffs"),
    },
    faces={
        **_CLANS,
        "black-1": phrase("young black rider 1"),
        "black-2": phrase("black rider 2"),
        "black-3": phrase("black rider 3"),
        "black-4": phrase("black rider 4"),
        "yellow-1": phrase("young yellow rider 1"),
        "yellow-2": phrase("yellow rider 2"),
        "yellow-3": phrase("yellow rider 3"),
        "yellow-4": phrase("yellow rider 4"),
        "green-1": phrase("young green rider 1"),
        "green-2": phrase("green rider 2"),
        "green-3": phrase("green rider 3"),
        "green-4": phrase("green rider 4"),
        "red-1": phrase("young red rider 1"),
        "red-2": phrase("red rider 2"),
        "red-3": phrase("red rider 3"),
        "red-4": phrase("red rider 4"),
        "blue-1": phrase("young blue rider 1"),
        "blue-2": phrase("blue rider 2"),
        "blue-3": phrase("blue rider 3"),
        "blue-4": phrase("blue rider 4"),
        "white-1": phrase("young white rider 1"),
        "white-2": phrase("white rider 2"),
        "white-3": phrase("white rider 3"),
        "white-4": phrase("white rider 4"),
        "weapon-2": phrase("weapon 2"),
        "weapon-3": phrase("weapon 3"),
        "weapon-4": phrase("weapon 4"),
        "horse": phrase("horse"),
        "staff": phrase("honour staff"),
    },
    counts={
        "renown": phrase("renown {count}"),
        "feats": phrase("{count} beside the herd"),
        "horses": plural("{count} horse", "{count} horses", by="count"),
    },
    rulings={
        "dealt": phrase(
            "Each clan gets three cards, face down, and a horse; {horses} horses stay on the plain."
        ),
        "elder": phrase("{seat:player} is the elder and begins; the next turn is always to the right."),
        "joins": phrase("{seat:player} plays the clan {clan:face}."),
        "turned-up": phrase("Turned up: {cards:faces}."),
        "swept": phrase("Three alike: the display goes to the discards ({cards:faces})."),
        "display-off": phrase("The display goes to the discards ({cards:faces})."),
        "pile-renewed": phrase("The pile is empty: the discards are shuffled into a new one."),
        "round": phrase("Round {number} of 12. {seat:player} moves the marker on."),
        "winter": phrase("Winter has come: one action a turn, and no taunts any more."),
        "turn": phrase("It is the turn of {seat:player}."),
        "neutral-turn": phrase("It is the turn of the neutral clan, and {seat:player} plays it."),
        "lapses": phrase(
            "The alliance that {seat:player} proposed to {target:player} was not accepted: {card:face} goes"
            " to the discards."
        ),
        "staff-off": phrase("The staff on the riders of {seat:player} goes to the discards."),
        "draws": plural(
            "{seat:player} draws a card, unseen.", "{seat:player} draws {count} cards, unseen.", by="count"
        ),
        "takes": phrase("{seat:player} takes {card:face}."),
        "comes-home": phrase(
            "The raid of {seat:player} on {target:player} comes home: {cards:faces} to the discards."
        ),
        "takes-horse": phrase("{seat:player} takes a horse from the herd of {target:player}."),
        "no-horse": phrase("{target:player} has no horse for {seat:player} to take."),
        "feat": phrase("{seat:player} lays a staff down: a feat."),
        "gains": phrase("{seat:player} turns a marker: {feats} renown beside the herd's."),
        "renown-full": phrase("{seat:player} has no marker left to turn: no more renown that way."),
        "loses": phrase("{seat:player} turns a marker back: {feats} renown beside the herd's."),
        "nothing-to-lose": phrase("{seat:player} has no renown beside the herd's, and loses none."),
        "breeds": phrase("{seat:player} breeds: a horse of the plain joins the herd."),
        "raids": phrase("{seat:player} raids {target:player} with {cards:plus}: attack value {value}."),
        "chased": phrase(
            "That chases the raid of {seat:player} from there: {cards:faces} to the discards, the marker home."
        ),
        "repels": phrase(
            "{seat:player} repels the raid of {raider:player} with {weapons:plus}: {cards:faces} to the"
            " discards, too, the marker home."
        ),
        "discards": phrase("{seat:player} discards {cards:faces}."),
        "offers": phrase("{seat:player} lays a card before {target:player}, face down."),
        "exchange": phrase("{seat:player} and {target:player} have exchanged gifts."),
        "proposes": phrase("{seat:player} proposes an alliance to {target:player}: {card:face}."),
        "outbid": phrase("That outbids {seat:player}: {card:face} goes to the discards."),
        "raid-ends": phrase(
            "So the raid of {seat:player} on {target:player} ends at once: {cards:faces} to the discards."
        ),
        "seals": phrase(
            "{seat:player} accepts with {card:face}: {seat:player} and {target:player} are allies."
        ),
        "withdrawn": phrase(
            "What {seat:player} had proposed to {target:player} is void: {card:face} goes to the discards."
        ),
        "alliance-ends": phrase(
            "{seat:player} and {target:player} are allies no more: {cards:faces} to the discards."
        ),
        "neutral-ally": phrase("{seat:player} allies with a clan without a player: {card:face}."),
        "neutral-ends": phrase("The neutral alliance of {seat:player} ends: {card:face} to the discards."),
        "taunts": phrase("{seat:player} taunts {target:player}."),
        "proves": phrase("{seat:player} discards {cards:faces}: worth proven, nothing lost."),
        "unproven": phrase("{seat:player} doesn't prove it."),
        "donates": phrase("{seat:player} gives {target:player} {horses} horses."),
        "hunts": phrase("{seat:player} goes hunting."),
        "turn-over": plural(
            "The turn of {seat:player} is over, with {cards} card in the hand.",
            "The turn of {seat:player} is over, with {cards} cards in the hand.",
            by="cards",
        ),
        "too-late": phrase(
            "The raid of {seat:player} on {target:player} is too late: it is lost, {cards:faces} to the"
            " discards."
        ),
        "counted": phrase("{seat:player}: {feats} beside the herd and {herd} of the herd make {total} renown."),
        "counted-without-horses": phrase(
            "{seat:player}: {feats} beside the herd and {herd} of the herd make {total} renown; having no"
            " horse has cost one, if there was one to lose."
        ),
        "together": phrase("{seat:player} and {target:player} are allies and add up: {total} renown."),
        "won": plural("{seats:players} wins the match.", "{seats:players} win the match together.", by="count"),
        "can-repel": phrase(
            "{seat:player} can repel the raid: it takes {needed}, and all saw such a weapon being taken."
        ),
        "late-raid": phrase("A raid of {seat:player} that sets out now doesn't come home before the end."),
        "late-proposal": plural(
            "{targets:players} has no turn left to accept a proposal of {seat:player}.",
            "{targets:players} have no turn left to accept a proposal of {seat:player}.",
            by="count",
        ),
        "may-repel": plural(
            "To repel the raid on {seat:player}, it takes weapons of {needed}; {count} such single weapon"
            " can be in that hand.",
            "To repel the raid on {seat:player}, it takes weapons of {needed}; {count} such single"
            " weapons can be in that hand.",
            by="count",
        ),
    },
    house={
        "clear_display": phrase("what is left of the display is discarded after each turn"),
        "raid_return": phrase("when a raid comes home: after two cards were taken, or before"),
        "renown_cap": phrase(
            "how much renown there can be beside the herd's: one for each marker, or no limit"
        ),
        "compare": phrase(
            "what raids and weapons are compared by: with the bonus for one's own riders, or without"
        ),
        "gift_of_horses": phrase("a donation isn't possible to an ally, or if either clan has any ally"),
        "penalty_first": phrase(
            "the renown that having no horses costs is taken off before allies are asked whether they have"
            " enough to add up"
        ),
        "alliance_tiebreak": phrase("what allies have in a tie: both of theirs together, or the better one's"),
        "neutral_hand": phrase(
            "two players: the neutral clan has a hand of its own, or is played from one's own"
        ),
        "winter_hunt": phrase("one may hunt when no cards are taken any more, in rounds 11 and 12"),
        "worth_seconds": phrase("seconds for proving one's worth after a taunt"),
    },
    values={
        "raid_return.after_draw": phrase("after the cards are taken"),
        "raid_return.before_draw": phrase("before the cards are taken"),
        "renown_cap.none": phrase("no limit"),
        "compare.effective": phrase("with the bonus"),
        "compare.printed": phrase("what is printed"),
        "gift_of_horses.each_other": phrase("not to an ally"),
        "gift_of_horses.anyone": phrase("not if either has an ally"),
        "alliance_tiebreak.sums": phrase("both together"),
        "alliance_tiebreak.best_member": phrase("the better one's"),
        "neutral_hand.own": phrase("a hand of its own"),
        "neutral_hand.controller": phrase("the hand of who plays it"),
    },
    refusals={
        "clan-taken": phrase("{seat:player} plays that clan."),
        "no-actions": phrase("No action is left in this turn."),
        "not-yourself": phrase("Not yourself: choose another clan."),
        "no-feat": phrase("That needs a raid that has just been repelled with a strong weapon."),
        "no-staff": phrase("That takes an honour staff, and there can be none in your hand."),
        "plain-empty": phrase("There is no horse left on the plain."),
        "no-horse-card": phrase("That takes a horse card, and there can be none in your hand."),
        "is-ally": phrase("Not {seat:player}: you are allies."),
        "raids-already": phrase("You are raiding {seat:player} already."),
        "proposal-open": phrase("Not {seat:player}: an alliance is proposed between you."),
        "no-markers": phrase("All your markers are out on raids."),
        "too-weak": phrase("A raid is there already: it takes a value of {least} or more."),
        "no-rider": phrase("That takes riders, and there can be none in your hand."),
        "one-action-in-winter": phrase("In winter there is one action a turn, and this takes two."),
        "takes-two-actions": phrase("That takes both actions of a turn."),
        "not-raided": phrase("There is no raid on your camp."),
        "no-weapon": phrase("That takes weapons of {least} or more, and they can't be in your hand."),
        "no-ally": phrase("You have no ally."),
        "not-ally": phrase("{seat:player} isn't your ally."),
        "gifted-already": phrase("You have exchanged gifts as allies in this turn already."),
        "raid-between": phrase("Not {seat:player}: there is a raid between you."),
        "too-few-cards": phrase("That takes {least} cards, you have {cards}."),
        "empty-hand": phrase("{seat:player} has no card to give."),
        "too-few-players": phrase("Alliances between players take at least {least} players."),
        "has-ally": phrase("You are allied with {seat:player} already."),
        "proposed-already": phrase("You have proposed an alliance to {seat:player} already."),
        "no-such-rider": phrase("That takes a certain rider, high enough, and there can be none in your hand."),
        "not-proposed": phrase("That clan hasn't proposed an alliance to you."),
        "no-taunts-in-winter": phrase("There are no taunts in winter."),
        "taunted-already": phrase("{seat:player} is taunted already."),
        "too-few-horses": phrase("That takes {least} horses, you have {horses}."),
        "larger-herd": phrase("Not {seat:player}: that herd is larger than yours."),
        "is-raided": phrase("No donations while {seat:player} is raided."),
        "allied": phrase("No donations: {seat:player} has an ally."),
        "no-card-to-discard": phrase("That takes a card to discard, and your hand is empty."),
        "no-hunt-in-winter": phrase("There is no hunting in the last rounds of winter."),
        "seconds": phrase("the clock can be set to 1 to {most} seconds"),
        "no-raid": phrase(
            "{card:face} can't raid here: it takes a rider stronger than the raid that is there."
        ),
        "no-double-raid": phrase(
            "{card:face} can't raid here: it takes two riders of one clan, stronger than the raid that is"
            " there."
        ),
        "no-defence": phrase("{card:face} doesn't repel this raid: it takes a weapon at least as strong."),
        "no-double-defence": phrase(
            "{card:face} doesn't repel this raid: it takes two weapons, together at least as strong."
        ),
        "no-proposal": phrase(
            "{card:face} can't propose this alliance: it takes a rider of that clan, higher than another's"
            " proposal and than the one that has bound it so far."
        ),
        "no-acceptance": phrase(
            "{card:face} can't accept: it takes a rider of the clan that proposed, no lower than your own in"
            " the alliance before."
        ),
        "no-neutral-ally": phrase(
            "{card:face} can't ally here: it takes a rider of another clan without a player, no lower than"
            " your ally's, and higher than that of the player who has this clan for an ally."
        ),
        "no-proof": phrase("{card:face} proves nothing: it takes a staff, or a card of value 4."),
    },
    remarks={
        "coach-turn": phrase("{seat:player}: as chosen, the turn could bring {gain:signed} renown at best."),
        "coach-turn-best": phrase(
            "A turn that begins with “{action:option}”, with cards held for certain, would have brought"
            " {gain:signed}: {lost} given away."
        ),
    },
    statistics={
        "standing-renown": phrase("Renown"),
        "standing-feats": phrase("Renown beside the herd's"),
        "standing-horses": phrase("Horses"),
        "turns": phrase("Turns"),
        "raids": phrase("Raids"),
        "raids-home": phrase("Raids that came home"),
        "horses-taken": phrase("Horses taken"),
        "horses-lost": phrase("Horses lost to raids"),
        "repelled": phrase("Raids repelled"),
        "feats-scored": phrase("Feats"),
        "bred": phrase("Horses bred"),
        "gifts": phrase("Gifts exchanged"),
        "proposals": phrase("Alliances proposed"),
        "sealed": phrase("Own proposals accepted"),
        "alliances": phrase("Alliances accepted"),
        "neutral-alliances": phrase("Neutral alliances"),
        "taunts": phrase("Taunts"),
        "taunted": phrase("Taunts suffered"),
        "proved": phrase("Worth proven"),
        "unproven": phrase("Worth not proven"),
        "donations": phrase("Donations"),
        "hunts": phrase("Hunts"),
        "rate-raids": phrase("Raids that came home"),
        "rate-proposals": phrase("Proposals accepted"),
        "rate-taunts": phrase("Taunts answered with proof"),
    },
)
