"""Plenty Coups' rule book: its chapters in order, and what the rule text leaves open."""

from referee.contract import Chapter, Rule, Ruling, phrase
from referee.games.plenty_coups.book_alliances import ALLIANCES, GIFTS, NEUTRAL_ALLIANCES
from referee.games.plenty_coups.book_raids import DEFENCE, FEATS, RAIDS
from referee.games.plenty_coups.deck import CLANS

BEGINNING = "« Début de partie »"
GOLDEN_RULES = "« 3 règles d'or »"
TAUNTING = "« Dédaigner »"
THE_END = "« Fin de partie »"
VICTORY = "« Victoire »"


def _has_empty_hand(ruling: Ruling) -> bool:
    return ruling.values["cards"] == 0


def _draws_one(ruling: Ruling) -> bool:
    return ruling.values["count"] == 1


def _is_of_several(ruling: Ruling) -> bool:
    return ruling.values.get("count") != 1


_SETTING_UP = Chapter(
    phrase("Setting up"),
    (
        Rule(
            id="elder",
            text=phrase("The oldest player is the elder, and begins. Turns go to the right."),
            place=BEGINNING,
            rulings=("elder", "turn"),
            options=("elder",),
            asks=("elder",),
        ),
        Rule(
            id="clan",
            text=phrase("Each player takes a clan of their own, with its camp and its four markers."),
            place=BEGINNING,
            rulings=("joins",),
            refusals=("clan-taken",),
            options=CLANS,
            asks=("clan",),
        ),
        Rule(
            id="horses",
            text=phrase(
                "There are six horses for each clan: one begins its herd, the others are the plain. Each player"
                " gets three cards."
            ),
            place=BEGINNING,
            rulings=("dealt",),
        ),
        Rule(
            id="display",
            text=phrase("Four cards of the pile lie face up: they are the display."),
            place=BEGINNING,
            rulings=("turned-up",),
            asks=("display",),
        ),
        Rule(
            id="three-alike",
            text=phrase(
                "Three alike in the display, and all four are discarded and replaced. Alike are riders of one"
                " value, weapons of one value, horses, or staffs."
            ),
            place=BEGINNING,
            rulings=("swept",),
        ),
    ),
)

_A_TURN = Chapter(
    phrase("A turn"),
    (
        Rule(
            id="round",
            text=phrase(
                "A round begins with the elder's turn, who first moves its marker on. The match has twelve."
            ),
            place=BEGINNING,
            rulings=("round",),
        ),
        Rule(
            id="take",
            text=phrase("A turn begins with taking two of the four cards of the display, for all to see."),
            place=GOLDEN_RULES,
            rulings=("takes",),
            options=("take",),
            asks=("take",),
        ),
        Rule(
            id="two-actions",
            text=phrase("Then you have two actions, which may be alike; a double action is both."),
            place=GOLDEN_RULES,
            refusals=("no-actions", "takes-two-actions"),
            asks=("action",),
        ),
        Rule(
            id="another-clan",
            text=phrase("What is done to a clan is done to another one than your own."),
            refusals=("not-yourself",),
        ),
        Rule(
            id="three-cards",
            text=phrase("Until winter, a turn ends with exactly three cards in the hand."),
            place=GOLDEN_RULES,
            rulings=("turn-over",),
        ),
        Rule(
            id="empty-hand",
            text=phrase("A turn is over when there is no card in the hand."),
            rulings=("turn-over",),
            where=_has_empty_hand,
        ),
        Rule(
            id="turn-over",
            text=phrase(
                "After the last action allies may still exchange their free gift; without it the turn is over."
            ),
            options=("turn-over",),
            asks=("after-actions",),
        ),
        Rule(
            id="display-left/stays",
            text=phrase("After a turn the display is filled up to four; what was left of it stays."),
            place=GOLDEN_RULES,
            holds=lambda house: not house.clear_display,
            rulings=("turned-up",),
        ),
        Rule(
            id="display-left/discarded",
            text=phrase(
                "After a turn what is left of the display is discarded, and four cards are turned up; after"
                " round 10 what is left stays."
            ),
            holds=lambda house: house.clear_display,
            rulings=("display-off", "turned-up"),
        ),
        Rule(
            id="discards",
            text=phrase("Discards lie face up."),
            place=GOLDEN_RULES,
            rulings=("discards",),
        ),
        Rule(
            id="pile-renewed",
            text=phrase(
                "When the pile is empty, the discards are shuffled into a new one; without any, nothing is"
                " drawn or turned up."
            ),
            place=GOLDEN_RULES,
            rulings=("pile-renewed",),
        ),
    ),
)

_HERD = Chapter(
    phrase("The herd"),
    (
        Rule(
            id="breed",
            text=phrase(
                "Breeding: discard a horse card, and a horse of the plain, if any is left, joins your herd."
            ),
            place="« Elevage »",
            rulings=("breeds",),
            refusals=("plain-empty", "no-horse-card"),
            options=("breed",),
        ),
        Rule(
            id="herd",
            text=phrase("Each horse beyond the fifth of a herd is 1 renown, as long as it stands there."),
            place="« Troupeau »",
            rulings=("breeds", "counted"),
        ),
    ),
)

_TAUNTS = Chapter(
    phrase("Taunts"),
    (
        Rule(
            id="taunt",
            text=phrase(
                "A taunt: lay a staff on the riders of another clan, which has to prove its worth at once."
            ),
            place=TAUNTING,
            rulings=("taunts",),
            options=("taunt",),
        ),
        Rule(
            id="several-taunts",
            text=phrase("Several clans may be taunted in one turn, each with a staff."),
            rulings=("taunts",),
        ),
        Rule(
            id="prove",
            text=phrase("A staff, or a rider or weapon of value 4, discarded at once, proves a clan's worth."),
            place=TAUNTING,
            rulings=("proves",),
            refusals=("no-proof",),
            asks=("worth", "proof"),
        ),
        Rule(
            id="unproven",
            text=phrase("A clan that doesn't prove its worth loses 1 renown beside its herd's."),
            place=TAUNTING,
            rulings=("unproven", "loses"),
            options=("accept-loss",),
            asks=("worth",),
        ),
        Rule(
            id="worth-seconds",
            text=phrase("The clock leaves {worth_seconds} s to prove one's worth; then the loss is accepted."),
            rulings=("unproven",),
            refusals=("seconds",),
            asks=("worth", "proof"),
        ),
        Rule(
            id="nothing-to-lose",
            text=phrase("A clan without renown beside its herd's can't lose any."),
            place="« Perte de prestige »",
            rulings=("nothing-to-lose",),
        ),
        Rule(
            id="taunted-once",
            text=phrase(
                "A taunted clan can't be taunted again before its own next turn; that begins by discarding the"
                " staff."
            ),
            place=TAUNTING,
            rulings=("staff-off",),
            refusals=("taunted-already",),
        ),
        Rule(
            id="hand-filled",
            text=phrase("A hand that proved a clan's worth is filled up to three before its cards are taken."),
            place=TAUNTING,
            rulings=("draws",),
            where=_draws_one,
        ),
        Rule(
            id="taunt-ally",
            text=phrase(
                "Taunting your ally ends the alliance and costs you 1 renown, whatever your ally proves."
            ),
            place=TAUNTING,
            rulings=("alliance-ends", "loses"),
        ),
    ),
)

_DONATIONS = Chapter(
    phrase("Donations and hunting"),
    (
        Rule(
            id="donate",
            text=phrase(
                "A donation: discard a card and give two of your horses to a clan that has no more than you."
                " That brings 1 renown."
            ),
            place="« Don »",
            rulings=("donates",),
            refusals=("too-few-horses", "larger-herd", "no-card-to-discard"),
            options=("donate",),
            asks=("for-donation",),
        ),
        Rule(
            id="donate-raided",
            text=phrase("There is no donation while either of the two clans is raided, by any clan."),
            place="« Don »",
            refusals=("is-raided",),
        ),
        Rule(
            id="donate-allied/each-other",
            text=phrase("A donation is possible if the two clans aren't each other's allies."),
            place="« Don »",
            holds=lambda house: house.gift_of_horses == "each_other",
            rulings=("donates",),
        ),
        Rule(
            id="donate-allied/anyone",
            text=phrase("A donation is possible if neither of the two clans has an ally in play."),
            holds=lambda house: house.gift_of_horses == "anyone",
            rulings=("donates",),
            refusals=("allied",),
        ),
        Rule(
            id="hunt",
            text=phrase("Hunting: discard a card, draw two unseen by the others, then discard two."),
            place="« Partir à la chasse »",
            rulings=("hunts", "draws"),
            refusals=("no-card-to-discard",),
            options=("hunt",),
            asks=("for-hunt", "prey"),
        ),
    ),
)

_WINTER = Chapter(
    phrase("Winter"),
    (
        Rule(
            id="winter",
            text=phrase("Winter begins with round 10: a turn has one action, and there are no double raids."),
            place=THE_END,
            rulings=("winter",),
            refusals=("one-action-in-winter",),
        ),
        Rule(
            id="winter-cards",
            text=phrase("In round 10 one card is taken, in rounds 11 and 12 none."),
            place=THE_END,
            rulings=("winter",),
        ),
        Rule(
            id="winter-weapons",
            text=phrase("In round 10 two weapons can still repel a raid together, as the turn's only action."),
            place=THE_END,
            rulings=("winter",),
        ),
        Rule(
            id="no-taunts",
            text=phrase("There are no taunts in winter."),
            place=THE_END,
            rulings=("winter",),
            refusals=("no-taunts-in-winter",),
        ),
        Rule(
            id="winter-hunt/open",
            text=phrase("Hunting is possible in rounds 11 and 12, too, though no cards are taken any more."),
            holds=lambda house: house.winter_hunt,
            rulings=("winter",),
        ),
        Rule(
            id="winter-hunt/closed",
            text=phrase("In rounds 11 and 12 there is no hunting; a turn may be ended without an action."),
            holds=lambda house: not house.winter_hunt,
            rulings=("winter",),
            refusals=("no-hunt-in-winter",),
            options=("turn-over",),
        ),
        Rule(
            id="too-late",
            text=phrase("The match ends after round 12. A raid that is still out then is lost."),
            place=THE_END,
            rulings=("too-late",),
        ),
    ),
)

_COUNT = Chapter(
    phrase("The count"),
    (
        Rule(
            id="counted",
            text=phrase("A clan's renown in the end is that of its herd and that beside it, added up."),
            place=VICTORY,
            rulings=("counted", "counted-without-horses"),
        ),
        Rule(
            id="no-horses",
            text=phrase("In the end, a clan without horses loses 1 renown, if it has any."),
            place=VICTORY,
            rulings=("counted-without-horses",),
        ),
        Rule(
            id="together",
            text=phrase("Allies add up their renown if each of them has 2 or more beside the herd's."),
            place=VICTORY,
            rulings=("together",),
        ),
        Rule(
            id="penalty/first",
            text=phrase(
                "What a lack of horses costs is taken off before it is seen whether allies have 2 each."
            ),
            holds=lambda house: house.penalty_first,
            rulings=("counted-without-horses", "together"),
        ),
        Rule(
            id="penalty/last",
            text=phrase(
                "What a lack of horses costs is taken off after it is seen whether allies have 2 each."
            ),
            holds=lambda house: not house.penalty_first,
            rulings=("counted-without-horses", "together"),
        ),
        Rule(
            id="most-renown",
            text=phrase(
                "The most renown wins; equals are parted by renown beside the herd's, then by horses."
                " Those whom nothing parts win together."
            ),
            place=VICTORY,
            rulings=("won",),
        ),
        Rule(
            id="allied-tie/sums",
            text=phrase(
                "Allies that add up win together. In a tie, renown beside the herd's and horses of both are"
                " added up, too."
            ),
            holds=lambda house: house.alliance_tiebreak == "sums",
            rulings=("together", "won"),
            where=_is_of_several,
        ),
        Rule(
            id="allied-tie/better",
            text=phrase(
                "Allies that add up win together. In a tie, renown beside the herd's and horses are"
                " those of the better one."
            ),
            holds=lambda house: house.alliance_tiebreak == "best_member",
            rulings=("together", "won"),
            where=_is_of_several,
        ),
    ),
)

_SMALL_TABLES = Chapter(
    phrase("Two or three players"),
    (
        Rule(
            id="four-players",
            text=phrase(
                "Clans in play can ally only from four players on; two or three players have neutral allies."
            ),
            place="« 2/3 joueurs »",
            rulings=("neutral-ally",),
            refusals=("too-few-players",),
        ),
        Rule(
            id="neutral-clan",
            text=phrase(
                "Two players share a neutral clan, which plays between them: the elder in odd rounds, the other"
                " in even ones. If it comes first, the second wins."
            ),
            place="« 2 joueurs »",
            rulings=("neutral-turn",),
            asks=("neutral-clan",),
        ),
        Rule(
            id="neutral-hand/own",
            text=phrase(
                "The shared clan has a hand of three cards of its own, played by the player whose round it is."
            ),
            holds=lambda house: house.neutral_hand == "own",
            rulings=("neutral-turn",),
        ),
        Rule(
            id="neutral-hand/player",
            text=phrase(
                "The shared clan has no hand: it is played from the hand of the player whose round it is."
            ),
            holds=lambda house: house.neutral_hand == "controller",
            rulings=("neutral-turn",),
        ),
    ),
)

_TOLD = Chapter(
    phrase("Told afterwards"),
    (
        Rule(
            id="what-repels",
            text=phrase(
                "After each card, the referee tells a raided clan in turn what repels the raid, and what all"
                " know of such weapons in its hand."
            ),
            rulings=("can-repel", "may-repel"),
        ),
        Rule(
            id="what-is-too-late",
            text=phrase(
                "In round 12 the referee tells a clan in turn that a raid would come home after the end, and"
                " which clans have no turn left to accept its proposal."
            ),
            rulings=("late-raid", "late-proposal"),
        ),
    ),
)

BOOK = (
    _SETTING_UP,
    _A_TURN,
    _HERD,
    RAIDS,
    DEFENCE,
    FEATS,
    GIFTS,
    ALLIANCES,
    NEUTRAL_ALLIANCES,
    _TAUNTS,
    _DONATIONS,
    _WINTER,
    _COUNT,
    _SMALL_TABLES,
    _TOLD,
)
