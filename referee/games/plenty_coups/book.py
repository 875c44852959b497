"""Plenty Coups' rule book: its sentences, and its chapters in order, with what the rule text leaves open."""

from collections.abc import Callable, Mapping
from typing import Any

from referee.contract import Chapter, Phrase, Rule, phrase
from referee.games.plenty_coups.state import CLANS, House

BEGINNING = "« Début de partie »"
GOLDEN_RULES = "« 3 règles d'or »"
TAUNTING = "« Dédaigner »"
THE_END = "« Fin de partie »"
VICTORY = "« Victoire »"
PROPOSING = "« Proposer une alliance »"
BEING_ALLIED = "« Avantages et contraintes d'une alliance »"
CHANGING = "« Changement d'alliance »"
NEUTRAL = "« S'allier à une tribu neutre »"
RAID = "« Raid »"
FEAT = "« Marquer un coup »"
GIFTS = "« Echanger des cadeaux »"
DONATION = "« Don »"

SENTENCES: Mapping[str, Phrase] = {
    "elder": phrase("The oldest player is the elder, and begins. Turns go to the right."),
    "clan": phrase("Each player takes a clan of their own, with its camp and its four markers."),
    "horses": phrase(
        "There are six horses for each clan: one begins its herd, the others are the plain. Each player gets"
        " three cards."
    ),
    "display": phrase("Four cards of the pile lie face up: they are the display."),
    "three-alike": phrase(
        "Three alike in the display, and all four are discarded and replaced. Alike are riders of one value,"
        " weapons of one value, horses, or staffs."
    ),
    "round": phrase(
        "A round begins with the elder's turn, who first moves its marker on. The match has twelve."
    ),
    "take": phrase("A turn begins with taking two of the four cards of the display, for all to see."),
    "two-actions": phrase("Then you have two actions, which may be alike; a double action is both."),
    "another-clan": phrase("What is done to a clan is done to another one than your own."),
    "three-cards": phrase("Until winter, a turn ends with exactly three cards in the hand."),
    "empty-hand": phrase("A turn is over when there is no card in the hand."),
    "turn-over": phrase(
        "After the last action allies may still exchange their free gift; without it the turn is over."
    ),
    "display-left/stays": phrase("After a turn the display is filled up to four; what was left of it stays."),
    "display-left/discarded": phrase(
        "After a turn what is left of the display is discarded, and four cards are turned up; after round 10"
        " what is left stays."
    ),
    "discards": phrase("Discards lie face up."),
    "pile-renewed": phrase(
        "When the pile is empty, the discards are shuffled into a new one; without any, nothing is drawn or"
        " turned up."
    ),
    "breed": phrase(
        "Breeding: discard a horse card, and a horse of the plain, if any is left, joins your herd."
    ),
    "herd": phrase("Each horse beyond the fifth of a herd is 1 renown, as long as it stands there."),
    "raid": phrase(
        "A raid: lay a rider before another clan's camp, and on it a marker of yours that isn't out on a raid."
    ),
    "own-riders": phrase("Riders of your own clan, or of your ally's, add 1 to the attack value."),
    "double-raid": phrase(
        "Two riders of one clan can raid together: their values are added up. That takes both actions."
    ),
    "which-marker": phrase(
        "A marker that shows renown goes on a raid only when none with its raid side up is left."
    ),
    "one-raid": phrase(
        "A camp has one raid before it at most: only a stronger one chases it away. The riders chased are"
        " discarded, and their marker goes home."
    ),
    "compared/attack-value": phrase(
        "Raids and weapons are compared by the attack value, as it was when the raid set out."
    ),
    "compared/printed": phrase(
        "Raids and weapons are compared by what is printed, without the 1 for one's own riders."
    ),
    "raid-under-way": phrase(
        "While you are raiding a clan, you can neither raid it again nor propose an alliance to it."
    ),
    "comes-home": phrase(
        "A raid that is still there in your next turn comes home, with a horse of that herd if it has one."
        " The riders are discarded."
    ),
    "raid-return/after": phrase("A raid comes home after the cards of the turn are taken."),
    "raid-return/before": phrase("A raid comes home before the cards of the turn are taken."),
    "marker-home": phrase(
        "A raid may be chased, repelled, ended or lost: its marker goes home with the same side up."
    ),
    "defend": phrase("A weapon at least as strong as the raid on your camp repels it. Both are discarded."),
    "double-defence": phrase(
        "Two weapons, added up, can repel a raid together. That takes both actions and allows no feat."
    ),
    "feat-home": phrase(
        "When your raid comes home, a staff scores a feat, unless its marker shows renown already."
    ),
    "feat-is-action": phrase(
        "A feat at a raid's return is one of the actions of the turn in which the raid comes home."
    ),
    "feat-defence": phrase(
        "Right after you repel a raid with one weapon stronger than it, a staff scores a feat as your next"
        " action; not against a single young rider (value 1)."
    ),
    "staff": phrase("A feat takes an honour staff out of your hand, and so does a taunt."),
    "renown": phrase(
        "A feat, a donation and a proposal that is accepted bring 1 renown each: a marker is turned."
    ),
    "turned-later": phrase(
        "Renown counts at once, also while all markers with their raid side up are out: one of them is turned"
        " when it comes home."
    ),
    "renown-limit/markers": phrase("A clan has four markers, and so 4 renown at most beside its herd's."),
    "renown-limit/none": phrase(
        "There is no limit to a clan's renown beside its herd's, whatever markers it has."
    ),
    "gift": phrase(
        "Gifts: discard a card and lay another one before a clan, face down. It gives you a card first, then"
        " takes yours."
    ),
    "no-gift-in-raids": phrase(
        "No gifts are exchanged with a clan that you are raiding, or that is raiding you."
    ),
    "gift-cards": phrase(
        "Gifts take a card in each hand, and in yours another one to discard unless the gift is free."
    ),
    "riders-bind": phrase("What binds an alliance is a rider of the other clan, laid out of your hand."),
    "propose": phrase("To propose an alliance to a clan, lay one of its riders beside your herd."),
    "proposal-lapses": phrase("A proposal that wasn't accepted is discarded at the start of your next turn."),
    "outbid": phrase(
        "Only a higher rider of the same clan outbids another's proposal to it, which is discarded."
    ),
    "several-proposals": phrase(
        "You may propose to several clans, once to each. When an alliance is sealed, what the two have"
        " proposed to others is void."
    ),
    "propose-to-raider": phrase(
        "If you propose to a clan that raids you, its raid ends at once: with its horse, but no feat."
    ),
    "no-raid-on-proposer": phrase("You can't raid a clan that has proposed an alliance to you."),
    "no-raid-on-proposed": phrase("You can't raid a clan to which you have proposed an alliance yourself."),
    "accept": phrase(
        "To accept, lay a rider of the clan that proposed behind your camp. The proposal goes behind its own"
        " camp, and it gains 1 renown."
    ),
    "allies-apart": phrase("Allies can neither raid each other nor give each other horses."),
    "one-ally": phrase(
        "A clan with an ally in play can't propose to another one, nor ally with a neutral clan."
    ),
    "ally-gift": phrase(
        "Once in each of their turns, allies may exchange gifts for free: no card is discarded, and it is no"
        " action."
    ),
    "change": phrase(
        "An alliance gives way to the proposal of a clan without an ally in play, if its rider is higher than"
        " the present ally's."
    ),
    "change-accepted": phrase(
        "To change allies, accept with a rider no lower than your own in the old alliance. Both its riders"
        " are discarded; you lose no renown."
    ),
    "neutral-ally": phrase(
        "To ally with a clan that isn't in play, lay one of its riders behind your camp. It brings no renown."
    ),
    "neutral-change": phrase(
        "Your neutral alliance ends without a loss when you lay a rider no lower than the one there: of"
        " another neutral clan, or to accept a proposal."
    ),
    "neutral-taken": phrase(
        "With a higher rider of the same neutral clan, another clan takes your ally from you."
    ),
    "neutral-proposer": phrase(
        "A clan with a neutral ally may propose an alliance; the neutral one ends if it is accepted."
    ),
    "taunt": phrase(
        "A taunt: lay a staff on the riders of another clan, which has to prove its worth at once."
    ),
    "several-taunts": phrase("Several clans may be taunted in one turn, each with a staff."),
    "prove": phrase("A staff, or a rider or weapon of value 4, discarded at once, proves a clan's worth."),
    "unproven": phrase("A clan that doesn't prove its worth loses 1 renown beside its herd's."),
    "worth-seconds": phrase(
        "The clock leaves {worth_seconds} s to prove one's worth; then the loss is accepted."
    ),
    "nothing-to-lose": phrase("A clan without renown beside its herd's can't lose any."),
    "taunted-once": phrase(
        "A taunted clan can't be taunted again before its own next turn; that begins by discarding the staff."
    ),
    "hand-filled": phrase(
        "A hand that proved a clan's worth is filled up to three before its cards are taken."
    ),
    "taunt-ally": phrase(
        "Taunting your ally ends the alliance and costs you 1 renown, whatever your ally proves."
    ),
    "donate": phrase(
        "A donation: discard a card and give two of your horses to a clan that has no more than you. That"
        " brings 1 renown."
    ),
    "donate-raided": phrase("There is no donation while either of the two clans is raided, by any clan."),
    "donate-allied/each-other": phrase("A donation is possible if the two clans aren't each other's allies."),
    "donate-allied/anyone": phrase("A donation is possible if neither of the two clans has an ally in play."),
    "hunt": phrase("Hunting: discard a card, draw two unseen by the others, then discard two."),
    "winter": phrase("Winter begins with round 10: a turn has one action, and there are no double raids."),
    "winter-cards": phrase("In round 10 one card is taken, in rounds 11 and 12 none."),
    "winter-weapons": phrase(
        "In round 10 two weapons can still repel a raid together, as the turn's only action."
    ),
    "no-taunts": phrase("There are no taunts in winter."),
    "winter-hunt/open": phrase(
        "Hunting is possible in rounds 11 and 12, too, though no cards are taken any more."
    ),
    "winter-hunt/closed": phrase(
        "In rounds 11 and 12 there is no hunting; a turn may be ended without an action."
    ),
    "too-late": phrase("The match ends after round 12. A raid that is still out then is lost."),
    "counted": phrase("A clan's renown in the end is that of its herd and that beside it, added up."),
    "no-horses": phrase("In the end, a clan without horses loses 1 renown, if it has any."),
    "together": phrase("Allies add up their renown if each of them has 2 or more beside the herd's."),
    "penalty/first": phrase(
        "What a lack of horses costs is taken off before it is seen whether allies have 2 each."
    ),
    "penalty/last": phrase(
        "What a lack of horses costs is taken off after it is seen whether allies have 2 each."
    ),
    "most-renown": phrase(
        "The most renown wins; equals are parted by renown beside the herd's, then by horses. Those whom"
        " nothing parts win together."
    ),
    "allied-tie/sums": phrase(
        "Allies that add up win together. In a tie, renown beside the herd's and horses of both are added up,"
        " too."
    ),
    "allied-tie/better": phrase(
        "Allies that add up win together. In a tie, renown beside the herd's and horses are those of the"
        " better one."
    ),
    "four-players": phrase(
        "Clans in play can ally only from four players on; two or three players have neutral allies."
    ),
    "neutral-clan": phrase(
        "Two players share a neutral clan, which plays between them: the elder in odd rounds, the other in"
        " even ones. If it comes first, the second wins."
    ),
    "neutral-hand/own": phrase(
        "The shared clan has a hand of three cards of its own, played by the player whose round it is."
    ),
    "neutral-hand/player": phrase(
        "The shared clan has no hand: it is played from the hand of the player whose round it is."
    ),
    "what-repels": phrase(
        "After each card, the referee tells a raided clan in turn what repels the raid, and what all know of"
        " such weapons in its hand."
    ),
    "what-is-too-late": phrase(
        "In round 12 the referee tells a clan in turn that a raid would come home after the end, and which"
        " clans have no turn left to accept its proposal."
    ),
}


def _agreed(**rules: object) -> Callable[[House], bool]:
    """Hold where it was agreed so."""
    return lambda house: all(getattr(house, name) == value for name, value in rules.items())


def _rule(name: str, place: str = "", **more: Any) -> Rule:
    """Put a rule into the book: its sentence, where it is printed, and the words that it stands behind."""
    words: dict[str, Any] = {key: tuple(more.pop(key, "").split()) for key in ("refusals", "options", "asks")}
    return Rule(id=name, text=SENTENCES[name], place=place, **words, **more)


def _chapter(title: Phrase, *rules: Rule) -> Chapter:
    return Chapter(title, rules)


BOOK = (
    _chapter(
        phrase("Setting up"),
        _rule("elder", BEGINNING, options="elder", asks="elder"),
        _rule("clan", BEGINNING, refusals="clan-taken", options=" ".join(CLANS), asks="clan"),
        _rule("horses", BEGINNING),
        _rule("display", BEGINNING, asks="display"),
        _rule("three-alike", BEGINNING),
    ),
    _chapter(
        phrase("A turn"),
        _rule("round", BEGINNING),
        _rule("take", GOLDEN_RULES, options="take", asks="take"),
        _rule("two-actions", GOLDEN_RULES, refusals="no-actions takes-two-actions", asks="action"),
        _rule("another-clan", place="« Echanger des cadeaux », « Dédaigner »", refusals="not-yourself"),
        _rule("three-cards", GOLDEN_RULES),
        _rule("empty-hand"),
        _rule("turn-over", options="turn-over", asks="after-actions"),
        _rule("display-left/stays", GOLDEN_RULES, holds=_agreed(clear_display=False)),
        _rule("display-left/discarded", otherwise=GOLDEN_RULES, holds=_agreed(clear_display=True)),
        _rule("discards", GOLDEN_RULES),
        _rule("pile-renewed", GOLDEN_RULES),
    ),
    _chapter(
        phrase("The herd"),
        _rule("breed", "« Elevage »", refusals="plain-empty no-horse-card", options="breed"),
        _rule("herd", "« Troupeau »", options="breed"),
    ),
    _chapter(
        phrase("Raids"),
        _rule("raid", RAID, refusals="no-rider no-markers no-raid", options="raid", asks="raid-rider"),
        _rule("own-riders", RAID),
        _rule(
            "double-raid",
            "« Double attaque »",
            refusals="no-double-raid",
            options="double-raid",
            asks="first-rider second-rider",
        ),
        _rule("which-marker", RAID),
        _rule("one-raid", RAID, refusals="too-weak no-raid no-double-raid"),
        _rule(
            "compared/attack-value",
            holds=_agreed(compare="effective"),
            refusals="too-weak no-weapon no-raid no-defence",
        ),
        _rule(
            "compared/printed",
            holds=_agreed(compare="printed"),
            refusals="too-weak no-weapon no-raid no-defence",
        ),
        _rule("raid-under-way", PROPOSING, refusals="raids-already"),
        _rule("comes-home", RAID, options="home", asks="return"),
        _rule("raid-return/after", holds=_agreed(raid_return="after_draw"), asks="return"),
        _rule("raid-return/before", holds=_agreed(raid_return="before_draw"), asks="return"),
        _rule("marker-home"),
    ),
    _chapter(
        phrase("Defence"),
        _rule(
            "defend",
            "« Défendre »",
            refusals="not-raided no-weapon no-defence",
            options="defend",
            asks="weapon",
        ),
        _rule(
            "double-defence",
            "« Double défense »",
            refusals="no-double-defence",
            options="double-defend",
            asks="first-weapon second-weapon",
        ),
    ),
    _chapter(
        phrase("Feats and renown"),
        _rule("feat-home", FEAT, options="score", asks="return"),
        _rule("feat-is-action", place="« Plenty Coups récapitulatif »", options="score"),
        _rule("feat-defence", "« Marquer un coup en Défense »", refusals="no-feat", options="feat"),
        _rule("staff", "« Marquer un coup », « Dédaigner »", refusals="no-staff"),
        _rule("renown", FEAT),
        _rule("turned-later"),
        _rule("renown-limit/markers", holds=_agreed(renown_cap=4)),
        _rule("renown-limit/none", holds=_agreed(renown_cap="none")),
    ),
    _chapter(
        phrase("Gifts"),
        _rule("gift", GIFTS, options="gift", asks="for-gift gift-back"),
        _rule("no-gift-in-raids", GIFTS, refusals="raid-between"),
        _rule("gift-cards", refusals="too-few-cards empty-hand"),
    ),
    _chapter(
        phrase("Alliances"),
        _rule("riders-bind", "« Alliances »", refusals="no-such-rider"),
        _rule("propose", PROPOSING, refusals="no-proposal", options="propose", asks="proposal"),
        _rule("proposal-lapses", PROPOSING),
        _rule("outbid", PROPOSING, refusals="no-proposal"),
        _rule("several-proposals", refusals="proposed-already"),
        _rule("propose-to-raider", PROPOSING),
        _rule("no-raid-on-proposer", PROPOSING, refusals="proposal-open"),
        _rule("no-raid-on-proposed", refusals="proposal-open"),
        _rule(
            "accept",
            "« Accepter une Alliance »",
            refusals="not-proposed no-acceptance",
            options="accept",
            asks="acceptance",
        ),
        _rule("allies-apart", BEING_ALLIED, refusals="is-ally"),
        _rule("one-ally", BEING_ALLIED, refusals="has-ally"),
        _rule("ally-gift", BEING_ALLIED, refusals="no-ally not-ally gifted-already", options="ally-gift"),
        _rule("change", CHANGING, refusals="no-proposal"),
        _rule("change-accepted", CHANGING, refusals="no-acceptance"),
    ),
    _chapter(
        phrase("Neutral alliances"),
        _rule("neutral-ally", NEUTRAL, refusals="no-neutral-ally", options="ally", asks="neutral-rider"),
        _rule("neutral-change", NEUTRAL, refusals="no-neutral-ally no-acceptance"),
        _rule("neutral-taken", NEUTRAL, refusals="no-neutral-ally"),
        _rule("neutral-proposer"),
    ),
    _chapter(
        phrase("Taunts"),
        _rule("taunt", TAUNTING, options="taunt"),
        _rule("several-taunts", options="taunt"),
        _rule("prove", TAUNTING, refusals="no-proof", asks="worth proof"),
        _rule("unproven", TAUNTING, options="accept-loss", asks="worth"),
        _rule("worth-seconds", refusals="seconds", asks="worth proof"),
        _rule("nothing-to-lose", "« Perte de prestige »"),
        _rule("taunted-once", TAUNTING, refusals="taunted-already"),
        _rule("hand-filled", TAUNTING),
        _rule("taunt-ally", TAUNTING),
    ),
    _chapter(
        phrase("Donations and hunting"),
        _rule(
            "donate",
            DONATION,
            refusals="too-few-horses larger-herd no-card-to-discard",
            options="donate",
            asks="for-donation",
        ),
        _rule("donate-raided", DONATION, refusals="is-raided"),
        _rule(
            "donate-allied/each-other", DONATION, holds=_agreed(gift_of_horses="each_other"), options="donate"
        ),
        _rule(
            "donate-allied/anyone", holds=_agreed(gift_of_horses="anyone"), refusals="allied", options="donate"
        ),
        _rule(
            "hunt",
            "« Partir à la chasse »",
            refusals="no-card-to-discard",
            options="hunt",
            asks="for-hunt prey",
        ),
    ),
    _chapter(
        phrase("Winter"),
        _rule("winter", THE_END, refusals="one-action-in-winter"),
        _rule("winter-cards", THE_END),
        _rule("winter-weapons", THE_END),
        _rule("no-taunts", THE_END, refusals="no-taunts-in-winter"),
        _rule("winter-hunt/open", holds=_agreed(winter_hunt=True)),
        _rule(
            "winter-hunt/closed",
            holds=_agreed(winter_hunt=False),
            refusals="no-hunt-in-winter",
            options="turn-over",
        ),
        _rule("too-late", THE_END),
    ),
    _chapter(
        phrase("The count"),
        _rule("counted", VICTORY),
        _rule("no-horses", VICTORY),
        _rule("together", VICTORY),
        _rule("penalty/first", holds=_agreed(penalty_first=True)),
        _rule("penalty/last", holds=_agreed(penalty_first=False)),
        _rule("most-renown", VICTORY),
        _rule("allied-tie/sums", holds=_agreed(alliance_tiebreak="sums")),
        _rule("allied-tie/better", holds=_agreed(alliance_tiebreak="best_member")),
    ),
    _chapter(
        phrase("Two or three players"),
        _rule("four-players", "« 2/3 joueurs »", refusals="too-few-players"),
        _rule("neutral-clan", "« 2 joueurs »", asks="neutral-clan"),
        _rule("neutral-hand/own", holds=_agreed(neutral_hand="own")),
        _rule("neutral-hand/player", holds=_agreed(neutral_hand="controller")),
    ),
    _chapter(
        phrase("Told afterwards"),
        _rule("what-repels"),
        _rule("what-is-too-late"),
    ),
)
