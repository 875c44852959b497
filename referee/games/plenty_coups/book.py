"""Plenty Coups' rule book by chapter, with gaps in the printed rules."""

from referee.contract import Book, write_chapters
from referee.games.plenty_coups import effects
from referee.games.plenty_coups.state import CLANS

CHAPTERS = write_chapters(
    {
        "Setting up": {
            "elder": "The oldest player is the elder, and begins. Turns go to the right.",
            "clan": "Each player takes a clan of their own, with its camp and its four markers.",
            "horses": "There are six horses for each clan: one begins its herd, the others are the plain. Each"
            " player gets three cards.",
            "display": "Four cards of the pile lie face up: they are the display.",
            "three-alike": "If three cards in the display are alike, all four are discarded and replaced."
            " Riders or weapons of one value are alike, and so are horses, and staffs.",
        },
        "A turn": {
            "round": "A round begins with the elder's turn, who first moves its marker on. The match has"
            " twelve.",
            "take": "A turn begins by taking two of the four display cards, for all to see.",
            "two-actions": "Then you have two actions, which may be alike; a double action is both.",
            "another-clan": "Actions against a clan never target your own.",
            "three-cards": "Until winter, a turn ends with exactly three cards in the hand.",
            "empty-hand": "A turn is over when the hand is empty.",
            "turn-over": "After the last action allies may still exchange their free gift; without it the turn"
            " is over.",
            "display-left/stays": "After a turn the display is refilled to four cards; the remaining ones"
            " stay.",
            "display-left/discarded": "After a turn the rest of the display is discarded, and four cards are"
            " turned up; after round 10 the rest stays.",
            "discards": "Discards lie face up.",
            "pile-renewed": "When the pile is empty, the discards are shuffled into a new one; without any,"
            " nothing is drawn or turned up.",
        },
        "The herd": {
            "breed": "Breeding: discard a horse card, and a horse of the plain, if any is left, joins your"
            " herd.",
            "herd": "Each horse beyond the fifth of a herd is worth 1 renown while it is there.",
        },
        "Raids": {
            "raid": "A raid: lay a rider before another clan's camp, and on it a marker of yours that isn't"
            " out on a raid.",
            "own-riders": "Riders of your own clan, or of your ally's, add 1 to the attack value.",
            "double-raid": "Two riders of one clan can raid together: their values are added up. That takes"
            " both actions.",
            "which-marker": "A marker that shows renown goes on a raid only when none with its raid side up is"
            " left.",
            "one-raid": "A camp faces one raid at most: only a stronger one chases it away. The chased riders"
            " are discarded, and their marker goes home.",
            "compared/attack-value": "Raids and weapons are compared by the attack value, as it was when the"
            " raid set out.",
            "compared/printed": "Raids and weapons are compared by their printed values, without the 1 for"
            " one's own riders.",
            "raid-under-way": "While you are raiding a clan, you can neither raid it again nor propose an"
            " alliance to it.",
            "comes-home": "A raid that is still there in your next turn comes home, with a horse of that herd"
            " if it has one. The riders are discarded.",
            "raid-return/after": "A raid comes home after the cards of the turn are taken.",
            "raid-return/before": "A raid comes home before the cards of the turn are taken.",
            "marker-home": "When a raid is chased, repelled, ended or lost, its marker goes home with the"
            " same side up.",
        },
        "Defence": {
            "defend": "A weapon at least as strong as the raid on your camp repels it. Both are discarded.",
            "double-defence": "Two weapons, added up, can repel a raid together. That takes both actions and"
            " allows no feat.",
        },
        "Feats and renown": {
            "feat-home": "When your raid comes home, a staff scores a feat, unless its marker shows renown"
            " already.",
            "feat-is-action": "A feat at a raid's return is one of the actions of the turn in which the raid"
            " comes home.",
            "feat-defence": "Right after you repel a raid with one weapon stronger than it, a staff scores a"
            " feat as your next action; not against a single young rider (value 1).",
            "staff": "A feat costs an honour staff from your hand, and so does a taunt.",
            "renown": "A feat, a donation and a proposal that is accepted bring 1 renown each: a marker is"
            " turned.",
            "turned-later": "Renown counts at once, also while all markers with their raid side up are out:"
            " one of them is turned when it comes home.",
            "renown-limit/markers": "A clan has four markers, and so 4 renown at most beside its herd's.",
            "renown-limit/none": "There is no limit to a clan's renown beside its herd's, whatever markers it"
            " has.",
        },
        "Gifts": {
            "gift": "Gifts: discard a card and lay another one before a clan, face down. It gives you a card"
            " first, then takes yours.",
            "no-gift-in-raids": "No gifts are exchanged with a clan that you are raiding, or that is raiding"
            " you.",
            "gift-cards": "Both clans need a card to give, and you need another one to discard, unless the"
            " gift is free.",
        },
        "Alliances": {
            "riders-bind": "You bind an alliance with a rider of the other clan from your hand.",
            "propose": "To propose an alliance to a clan, lay one of its riders beside your herd.",
            "proposal-lapses": "A proposal that wasn't accepted is discarded at the start of your next turn.",
            "outbid": "Only a higher rider of the same clan outbids another's proposal to it, which is"
            " discarded.",
            "several-proposals": "You may propose to several clans, once to each. When an alliance is sealed,"
            " what the two have proposed to others is void.",
            "propose-to-raider": "If you propose to a clan that raids you, its raid ends at once: with its"
            " horse, but no feat.",
            "no-raid-on-proposer": "You can't raid a clan that has proposed an alliance to you.",
            "no-raid-on-proposed": "You can't raid a clan to which you have proposed an alliance yourself.",
            "accept": "To accept, lay a rider of the clan that proposed behind your camp. The proposal goes"
            " behind its own camp, and it gains 1 renown.",
            "allies-apart": "Allies can neither raid each other nor give each other horses.",
            "one-ally": "A clan with an ally in play can't propose to another one, nor ally with a neutral"
            " clan.",
            "ally-gift": "Once in each of their turns, allies may exchange gifts for free: no card is"
            " discarded, and it is no action.",
            "change": "A clan without an ally in play may propose to an allied clan, if its rider is higher"
            " than the present ally's.",
            "change-accepted": "To change allies, accept with a rider no lower than your own in the old"
            " alliance. Both its riders are discarded; you lose no renown.",
        },
        "Neutral alliances": {
            "neutral-ally": "To ally with a clan that isn't in play, lay one of its riders behind your camp."
            " It brings no renown.",
            "neutral-change": "Your neutral alliance ends without a loss when you lay a rider no lower than"
            " the one there: of another neutral clan, or to accept a proposal.",
            "neutral-taken": "With a higher rider of the same neutral clan, another clan takes your ally from"
            " you.",
            "neutral-proposer": "A clan with a neutral ally may propose an alliance; the neutral one ends if"
            " it is accepted.",
        },
        "Taunts": {
            "taunt": "A taunt: lay a staff on the riders of another clan, which has to prove its worth at"
            " once.",
            "several-taunts": "Several clans may be taunted in one turn, each with a staff.",
            "prove": "A staff, or a rider or weapon of value 4, discarded at once, proves a clan's worth.",
            "unproven": "A clan that doesn't prove its worth loses 1 renown beside its herd's.",
            "worth-seconds": "You have {worth_seconds} s to prove your worth; then the loss is accepted.",
            "nothing-to-lose": "A clan without renown beside its herd's can't lose any.",
            "taunted-once": "A taunted clan can't be taunted again before its own next turn; that begins by"
            " discarding the staff.",
            "hand-filled": "A hand that proved a clan's worth is filled up to three before its cards are"
            " taken.",
            "taunt-ally": "Taunting your ally ends the alliance and costs you 1 renown, whatever your ally"
            " proves.",
        },
        "Donations and hunting": {
            "donate": "A donation: discard a card and give two of your horses to a clan that has no more than"
            " you. That brings 1 renown.",
            "donate-raided": "No donation is possible while any clan is raiding one of the two.",
            "donate-allied/each-other": "A donation is possible if the two clans aren't each other's allies.",
            "donate-allied/anyone": "A donation is possible if neither of the two clans has an ally in play.",
            "hunt": "Hunting: discard a card, draw two unseen by the others, then discard two.",
        },
        "Winter": {
            "winter": "Winter begins with round 10: a turn has one action, and there are no double raids.",
            "winter-cards": "In round 10 one card is taken, in rounds 11 and 12 none.",
            "winter-weapons": "In round 10 two weapons can still repel a raid together, as the turn's only"
            " action.",
            "no-taunts": "There are no taunts in winter.",
            "winter-hunt/open": "Hunting is possible in rounds 11 and 12, too, though no cards are taken any"
            " more.",
            "winter-hunt/closed": "In rounds 11 and 12 there is no hunting; a turn may be ended without an"
            " action.",
            "too-late": "The match ends after round 12. A raid that is still out then is lost.",
        },
        "The count": {
            "counted": "A clan's final renown is the sum of its herd's renown and the renown beside it.",
            "no-horses": "In the end, a clan without horses loses 1 renown, if it has any.",
            "together": "Allies add up their renown if each of them has 2 or more beside the herd's.",
            "penalty/first": "The penalty for having no horses applies before allies are checked for 2 renown"
            " each.",
            "penalty/last": "The penalty for having no horses applies after allies are checked for 2 renown"
            " each.",
            "most-renown": "The most renown wins. Ties are broken by renown beside the herd's, then by"
            " horses; players who are still tied win together.",
            "allied-tie/sums": "Allies that add up win together. In a tie, renown beside the herd's and horses"
            " of both are added up, too.",
            "allied-tie/better": "Allies that add up win together. In a tie, renown beside the herd's and"
            " horses are those of the better one.",
        },
        "Two or three players": {
            "four-players": "Clans in play can ally only from four players on; two or three players have"
            " neutral allies.",
            "neutral-clan": "Two players share a neutral clan, which plays between them: the elder in odd"
            " rounds, the other in even ones. If it comes first, the second wins.",
            "neutral-hand/own": "The shared clan has a hand of three cards of its own, played by the player"
            " whose round it is.",
            "neutral-hand/player": "The shared clan has no hand: it is played from the hand of the player"
            " whose round it is.",
        },
        "After the match": {
            "what-repels": "After each card, the referee reports to a raided clan in turn what repels the"
            " raid, and which such weapons are known to be in its hand.",
            "what-is-too-late": "In round 12, the referee warns the clan in turn that a raid would come home"
            " too late, and which clans have no turn left to accept its proposal.",
        },
    },
    printed=(
        ("« Début de partie »", "elder clan horses display three-alike round"),
        ("« 3 règles d'or »", "take two-actions three-cards discards pile-renewed"),
        ("« Echanger des cadeaux », « Dédaigner »", "another-clan"),
        ("« Elevage »", "breed"),
        ("« Troupeau »", "herd"),
        ("« Raid »", "raid own-riders which-marker one-raid comes-home"),
        ("« Double attaque »", "double-raid"),
        ("« Proposer une alliance »", "raid-under-way propose proposal-lapses outbid propose-to-raider"),
        ("« Proposer une alliance »", "no-raid-on-proposer"),
        ("« Défendre »", "defend"),
        ("« Double défense »", "double-defence"),
        ("« Marquer un coup »", "feat-home renown"),
        ("« Plenty Coups récapitulatif »", "feat-is-action"),
        ("« Marquer un coup en Défense »", "feat-defence"),
        ("« Marquer un coup », « Dédaigner »", "staff"),
        ("« Echanger des cadeaux »", "gift no-gift-in-raids"),
        ("« Alliances »", "riders-bind"),
        ("« Accepter une Alliance »", "accept"),
        ("« Avantages et contraintes d'une alliance »", "allies-apart one-ally ally-gift"),
        ("« Changement d'alliance »", "change change-accepted"),
        ("« S'allier à une tribu neutre »", "neutral-ally neutral-change neutral-taken"),
        ("« Dédaigner »", "taunt prove unproven taunted-once hand-filled taunt-ally"),
        ("« Perte de prestige »", "nothing-to-lose"),
        ("« Don »", "donate donate-raided donate-allied/each-other"),
        ("« Partir à la chasse »", "hunt"),
        ("« Fin de partie »", "winter winter-cards winter-weapons no-taunts too-late"),
        ("« Victoire »", "counted no-horses together most-renown"),
        ("« 2/3 joueurs »", "four-players"),
        ("« 2 joueurs »", "neutral-clan"),
    ),
    agreed={
        "clear_display": {False: "display-left/stays", True: "display-left/discarded"},
        "compare": {"effective": "compared/attack-value", "printed": "compared/printed"},
        "raid_return": {"after_draw": "raid-return/after", "before_draw": "raid-return/before"},
        "renown_cap": {4: "renown-limit/markers", "none": "renown-limit/none"},
        "gift_of_horses": {"each_other": "donate-allied/each-other", "anyone": "donate-allied/anyone"},
        "winter_hunt": {True: "winter-hunt/open", False: "winter-hunt/closed"},
        "penalty_first": {True: "penalty/first", False: "penalty/last"},
        "alliance_tiebreak": {"sums": "allied-tie/sums", "best_member": "allied-tie/better"},
        "neutral_hand": {"own": "neutral-hand/own", "controller": "neutral-hand/player"},
    },
)
BOOK = Book(
    chapters=CHAPTERS,
    options={
        **dict.fromkeys(CLANS, "clan"),
        "turn-over": "turn-over winter-hunt/closed",
        "breed": "breed herd",
        "home": "comes-home",
        "double-defend": "double-defence",
        "score": "feat-home feat-is-action",
        "feat": "feat-defence",
        "ally": "neutral-ally",
        "taunt": "taunt several-taunts",
        "accept-loss": "unproven",
        "donate": "donate donate-allied",
    },
    asks={
        "action": "two-actions",
        "after-actions": "turn-over",
        "raid-rider": "raid",
        "first-rider": "double-raid",
        "second-rider": "double-raid",
        "return": "comes-home raid-return feat-home",
        "weapon": "defend",
        "first-weapon": "double-defence",
        "second-weapon": "double-defence",
        "for-gift": "gift",
        "gift-back": "gift",
        "proposal": "propose",
        "acceptance": "accept",
        "neutral-rider": "neutral-ally",
        "worth": "prove unproven worth-seconds",
        "proof": "prove worth-seconds",
        "for-donation": "donate",
        "for-hunt": "hunt",
        "prey": "hunt discards",
    },
    refusals={
        "clan-taken": "clan",
        "no-actions": "two-actions",
        "takes-two-actions": "two-actions",
        "not-yourself": "another-clan",
        "plain-empty": "breed",
        "no-horse-card": "breed",
        "no-rider": "raid",
        "no-markers": "raid",
        "no-raid": "raid one-raid compared",
        "no-double-raid": "double-raid one-raid",
        "too-weak": "one-raid compared",
        "no-weapon": "compared defend",
        "no-defence": "compared defend",
        "raids-already": "raid-under-way",
        "not-raided": "defend",
        "no-double-defence": "double-defence",
        "no-feat": "feat-defence",
        "no-staff": "staff",
        "raid-between": "no-gift-in-raids",
        "too-few-cards": "gift-cards",
        "empty-hand": "gift-cards",
        "no-such-rider": "riders-bind",
        "no-proposal": "propose outbid change",
        "proposed-already": "several-proposals",
        "proposal-open": "no-raid-on-proposer no-raid-on-proposed",
        "not-proposed": "accept",
        "no-acceptance": "accept change-accepted neutral-change",
        "is-ally": "allies-apart",
        "has-ally": "one-ally",
        **dict.fromkeys(("no-ally", "not-ally", "gifted-already"), "ally-gift"),
        "no-neutral-ally": "neutral-ally neutral-change neutral-taken",
        "no-proof": "prove",
        "seconds": "worth-seconds",
        "taunted-already": "taunted-once",
        "too-few-horses": "donate",
        "larger-herd": "donate",
        "no-card-to-discard": "donate",
        "no-card-to-hunt": "hunt",
        "is-raided": "donate-raided",
        "allied": "donate-allied/anyone",
        "one-action-in-winter": "winter",
        "no-taunts-in-winter": "no-taunts",
        "no-hunt-in-winter": "winter-hunt/closed",
        "too-few-players": "four-players",
    },
    why_not=effects.why_not,
    effect=effects.effect,
    withheld=effects.withheld,
)
