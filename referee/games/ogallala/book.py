"""Ogallala's rule book: its chapters in order, and what the rule text leaves open."""

from referee.contract import Chapter, Rule, phrase
from referee.games.ogallala.deck import House

BEGINNING = "« Mise en place »"
A_TURN = "« Déroulement d'un tour »"
THE_END = "« Fin de la partie »"
LAYING = "« Règle à respecter pour placer une carte »"
LASSO = "« Le lanceur de lasso »"
ARCHER = "« L'archer »"
SABOTEUR = "« Hache Folle »"
ATTACKING = "« Les Attaques »"
PUSHED = ("push-right", "push-left", "slide-right", "slide-left")


def _has_open_pile(house: House) -> bool:
    return house.discard == "fourth_pile"


_SETTING_UP = (
    Rule("piles", phrase("All cards are shuffled and form three draw piles, face down."), BEGINNING),
    Rule(
        "box",
        phrase(
            "How many there are of each card isn't printed. If your box has other counts than usual,"
            " agree on them before the match."
        ),
        refusals=("box", "already-seen"),
    ),
    Rule("youngest", phrase("The youngest begins, in a rematch, too."), options=("opens",), asks=("opener",)),
)

_TURN = (
    Rule(
        "draw",
        phrase("Draw a card from any pile and lay it; so it goes on until a card ends the turn."),
        A_TURN,
        asks=("draw",),
    ),
    Rule(
        "discards/fourth-pile",
        phrase("Discards form a fourth pile, face up: its top card may be drawn as well."),
        A_TURN,
        holds=_has_open_pile,
        refusals=("not-open", "no-open-card"),
        options=("take",),
        asks=("turn",),
    ),
    Rule(
        "discards/shuffled",
        phrase(
            "Discards aren't drawn from: when a pile is used up, they are shuffled into a new one, if"
            " a card was laid since the last time."
        ),
        otherwise=BEGINNING,
        holds=lambda house: not _has_open_pile(house),
        refusals=("no-open-card",),
        options=("refill",),
        asks=("turn",),
    ),
    Rule(
        "which-pile",
        phrase("If a card can be from a pile or be the open one, the player who drew it says which."),
        holds=_has_open_pile,
        options=("from-pile", "from-discard"),
        asks=("from",),
    ),
    Rule(
        "doubles/territory",
        phrase(
            "A card whose picture lies in your territory already is the last of the turn. It may still be"
            " laid, in another canoe."
        ),
        A_TURN,
        holds=lambda house: house.doubles == "territory",
    ),
    Rule(
        "doubles/incomplete",
        phrase(
            "A card whose picture lies in an incomplete canoe of yours is the last of the turn. It"
            " may still be laid, in another canoe."
        ),
        otherwise=A_TURN,
        holds=lambda house: house.doubles == "incomplete",
    ),
    Rule("special-ends", phrase("A Lasso, an Archer or a Saboteur is the last card of the turn."), A_TURN),
    Rule("canoe-ends", phrase("A canoe that is completed ends the turn."), A_TURN),
    Rule(
        "discard",
        phrase("A card that you can't lay, or don't want to, is discarded and ends the turn."),
        A_TURN,
        options=("discard",),
    ),
    Rule(
        "stop/free",
        phrase("After the first card, you may stop before drawing another one."),
        otherwise=A_TURN,
        holds=lambda house: house.voluntary_stop,
        refusals=("draw-first",),
        options=("stop",),
        asks=("turn",),
    ),
    Rule(
        "stop/never",
        phrase("You can't stop before a card ends the turn."),
        A_TURN,
        holds=lambda house: not house.voluntary_stop,
        asks=("draw",),
    ),
    Rule("next", phrase("After a turn it is the turn of the next player on the left."), A_TURN),
)

_PLACING = (
    Rule("first", phrase("Your first card may lie anywhere."), LAYING, options=("first",)),
    Rule(
        "touching",
        phrase(
            "Each further card lies on a free place that touches another card of yours, by a side or a corner."
        ),
        LAYING,
        refusals=("apart", "cell-taken"),
        options=("put",),
        asks=("place",),
    ),
    Rule(
        "size",
        phrase("A territory is 14 cards wide and 3 rows high at most."),
        LAYING,
        refusals=("too-wide", "too-high"),
    ),
    Rule(
        "no-twice",
        phrase("No picture lies twice in one canoe, whatever the colour of the numbers."),
        LAYING,
        refusals=("twice",),
    ),
    Rule(
        "push",
        phrase(
            "A card stays where it lies; only a card of a set may be pushed in beside another one of"
            " it, if the row stays within 14 cards."
        ),
        LAYING,
        refusals=("no-push",),
        options=PUSHED,
    ),
    Rule(
        "push-side/whole",
        phrase("The row gives way to the side that you choose: all that lies there moves by one place."),
        holds=lambda house: house.push == "whole_side",
    ),
    Rule(
        "push-side/gap",
        phrase(
            "The row gives way to the side that you choose: its cards slide up to the next gap there, which"
            " narrows by one; without a gap all of them move by one place."
        ),
        holds=lambda house: house.push == "into_gap",
    ),
    Rule(
        "slide-completes",
        phrase("A canoe whose last gap is closed by sliding is complete, and may attack."),
        holds=lambda house: house.push == "into_gap",
    ),
    Rule(
        "push-complete/yes",
        phrase("A card may be pushed into a complete canoe, too; it gets no new attack by that."),
        holds=lambda house: house.insert_complete,
    ),
    Rule(
        "push-complete/no",
        phrase("A card may be pushed only into an incomplete canoe."),
        holds=lambda house: not house.insert_complete,
        refusals=("no-push",),
    ),
    Rule(
        "ends",
        phrase(
            "A bow is a left end, a stern a right one: directly left of a bow only a stern may lie,"
            " directly right of a stern only a bow."
        ),
        LAYING,
        refusals=("no-end",),
    ),
    Rule(
        "gap",
        phrase(
            "The cards beside a gap of one are of one canoe, unless only a bow or a stern fits there;"
            " a wider gap parts canoes."
        ),
        LAYING,
        refusals=("twice",),
    ),
    Rule(
        "complete",
        phrase("A canoe is complete with a bow, a stern and no gap between them."),
        LAYING,
        refusals=("not-complete",),
    ),
)

_PADDLERS = (
    Rule(
        "strength",
        phrase("A canoe's strength is that of its paddlers: their numbers, added up."),
        "« Les indiens »",
    ),
)

_SPECIAL_CARDS = (
    Rule(
        "lasso",
        phrase(
            "A Lasso that is laid must take any card out of another player's incomplete canoe. You lay it"
            " in your own territory."
        ),
        LASSO,
        options=("rope",),
        asks=("lasso",),
    ),
    Rule(
        "lasso-unplaced/another",
        phrase("The Lasso can only take a card that finds a place in your territory."),
        holds=lambda house: house.lasso_unplaced == "another",
        refusals=("no-place",),
    ),
    Rule(
        "lasso-unplaced/discarded",
        phrase("The Lasso can take any card: one that finds no place in your territory is discarded."),
        holds=lambda house: house.lasso_unplaced == "discard",
    ),
    Rule(
        "lasso-attack/yes",
        phrase("A canoe that is completed with the card of the Lasso may attack."),
        holds=lambda house: house.lasso_attack,
    ),
    Rule(
        "lasso-attack/no",
        phrase("A canoe that is completed with the card of the Lasso can't attack."),
        holds=lambda house: not house.lasso_attack,
    ),
    Rule(
        "archer",
        phrase(
            "An Archer that is laid must hit a paddler in another player's incomplete canoe without a"
            " Guardian: that card is discarded."
        ),
        ARCHER,
        options=("shoot",),
        asks=("archer",),
    ),
    Rule(
        "no-paddlers",
        phrase("Empty bows, empty sterns and booty are no paddlers: the Archer can't hit them."),
        ARCHER,
        refusals=("no-paddler",),
    ),
    Rule(
        "others-canoes",
        phrase(
            "Lasso and Archer are aimed at incomplete canoes of other players, an attack at complete ones, too."
        ),
        "« Le lanceur de lasso », « L'archer », « Les Attaques »",
        refusals=("not-yourself", "no-card-there", "is-complete"),
    ),
    Rule(
        "effect-lapses",
        phrase("A Lasso or an Archer that finds nothing to aim at has no effect, and stays where it lies."),
    ),
    Rule(
        "effect-first",
        phrase("If a Lasso or an Archer completes a canoe, its effect comes first; then the canoe may attack."),
    ),
    Rule(
        "special-discard/may",
        phrase("A Lasso or an Archer may be discarded instead of laid: then it has no effect."),
        holds=lambda house: house.special_discard,
    ),
    Rule(
        "special-discard/must-lie",
        phrase("A Lasso or an Archer has to be laid, if it finds a place."),
        holds=lambda house: not house.special_discard,
        refusals=("must-lie",),
    ),
    Rule(
        "saboteur",
        phrase("A Saboteur sinks one of your own complete canoes, which you choose: both are discarded."),
        SABOTEUR,
        refusals=("not-complete",),
        options=("sink",),
        asks=("saboteur",),
    ),
    Rule(
        "saboteur-alone/discarded",
        phrase("Without a complete canoe of your own, the Saboteur is only discarded."),
        holds=lambda house: not house.saboteur_stays,
    ),
    Rule(
        "saboteur-alone/laid",
        phrase("Without a complete canoe of your own, you may lay the Saboteur like any paddler."),
        holds=lambda house: house.saboteur_stays,
    ),
    Rule("discard-order", phrase("A canoe is discarded from bow to stern; a Saboteur comes on top.")),
    Rule(
        "guardian",
        phrase("A Guardian protects its canoe from attacks and Archers, but not from a Lasso or a Saboteur."),
        "« Le Totem »",
        refusals=("guarded",),
    ),
)

_ATTACKS = (
    Rule(
        "attack",
        phrase(
            "A canoe that you complete may at once attack a weaker one of another player, complete or"
            " not; equal strength isn't enough."
        ),
        ATTACKING,
        refusals=("too-strong",),
        options=("attack", "spare"),
        asks=("attack",),
    ),
    Rule(
        "captured",
        phrase(
            "The booty of the canoe attacked is yours, to be laid in your territory; its paddlers,"
            " bow and stern are discarded."
        ),
        ATTACKING,
    ),
    Rule(
        "one-attack",
        phrase("Each canoe attacks once. A canoe that is completed with booty may attack, too."),
        ATTACKING,
    ),
    Rule(
        "gap-attacked/whole",
        phrase("A canoe with a gap is attacked as one."),
        holds=lambda house: house.gap == "one_target",
    ),
    Rule(
        "gap-attacked/one-side",
        phrase("Each side of a gap is attacked by itself; a Guardian on either side protects both."),
        holds=lambda house: house.gap == "two_targets",
    ),
    Rule(
        "booty-laid",
        phrase("You lay booty card by card, in any order you like."),
        options=("lay",),
        asks=("booty",),
    ),
    Rule(
        "taken-is-laid",
        phrase("What a Lasso takes or an attack captures has to be laid, if it finds a place."),
        refusals=("must-lie",),
    ),
    Rule(
        "booty-unplaced/discarded",
        phrase("Booty that finds no place is discarded."),
        holds=lambda house: house.unplaced_booty == "discard",
    ),
    Rule(
        "booty-unplaced/aside",
        phrase(
            "Booty that finds no place is kept aside; before drawing a card in a later turn you may lay it."
        ),
        holds=lambda house: house.unplaced_booty == "keep_aside",
        options=("fetch", "keep-aside"),
        asks=("aside",),
    ),
)

_END = (
    Rule(
        "third",
        phrase(
            "On completing your third or fourth canoe you may end the match; else others may on"
            " completing theirs, and you on your next one."
        ),
        THE_END,
        options=("end", "go-on"),
        asks=("end",),
    ),
    Rule("fifth", phrase("With the fifth canoe the match is over."), THE_END, options=("go-on",)),
    Rule(
        "which-canoes/held",
        phrase("For the end, the complete canoes count that you have at the moment when you complete one."),
        holds=lambda house: not house.count_ever,
    ),
    Rule(
        "which-canoes/ever",
        phrase("For the end, all canoes count that you have ever completed, also those that you have lost."),
        holds=lambda house: house.count_ever,
    ),
    Rule("attack-before-end", phrase("First the canoe may attack, then the match may end.")),
    Rule(
        "standstill",
        phrase(
            "Who gives the open card back has had a turn. When all have done nothing else for three"
            " rounds, the player in turn may end the match."
        ),
        holds=_has_open_pile,
        options=("end",),
        asks=("turn",),
    ),
    Rule(
        "no-cards/face-down",
        phrase("When a card is to be drawn and none lies face down any more, the match is over."),
        THE_END,
        holds=lambda house: _has_open_pile(house) and house.end_of_piles == "face_down",
    ),
    Rule(
        "no-cards/open-pile-too",
        phrase(
            "When no card lies face down any more, the open pile is played out; the match is over"
            " when that is empty, too, or a card is discarded."
        ),
        holds=lambda house: _has_open_pile(house) and house.end_of_piles == "all_piles",
    ),
    Rule(
        "no-cards/shuffled",
        phrase(
            "When no card is left to draw, and the discards can't be shuffled into a new pile, the"
            " match is over."
        ),
        holds=lambda house: not _has_open_pile(house),
    ),
    Rule(
        "piles-empty",
        phrase(
            "As a box may have fewer cards, the piles may be said to be empty when a quarter of the"
            " deck or less should be left."
        ),
        options=("empty",),
        asks=("turn",),
    ),
)

_COUNT = (
    Rule("complete-only", phrase("Only complete canoes count."), THE_END),
    Rule(
        "record",
        phrase(
            "A canoe is shown to the camera, which has to see what the record has, or the table says"
            " that it is as recorded."
        ),
        options=("as-recorded", "all-as-recorded"),
        asks=("record", "count"),
    ),
    Rule(
        "length",
        phrase("A canoe of 2 to 7 cards brings 1 point for each card, one of 8 to 14 cards 2 points for each."),
        THE_END,
    ),
    Rule(
        "prizes",
        phrase("Each piece of booty brings 10 points, half a prize and a character, too."),
        THE_END,
    ),
    Rule("guardian-counts", phrase("A Guardian is no booty: it counts as a card of its canoe, no more.")),
    Rule("pair", phrase("The two halves of a prize side by side bring 40 points instead of 20."), THE_END),
    Rule(
        "set",
        phrase(
            "Side by side with their character beside them, the two halves bring 90 points, all three together."
        ),
        THE_END,
    ),
    Rule(
        "order/strict",
        phrase(
            "Halves count as a pair with the left one on the left, and with their character if it is at"
            " either end of the pair."
        ),
        holds=lambda house: house.combo_order == "strict",
    ),
    Rule(
        "order/any",
        phrase("Halves, and their character with them, count in any order, if no other card is between."),
        holds=lambda house: house.combo_order == "any",
    ),
    Rule("most-points", phrase("The most points win."), "« But du jeu »"),
    Rule("shared", phrase("Players with equally many points share the victory.")),
)

_CREWS = (
    Rule(
        "one-crew",
        phrase("A canoe takes paddlers of one crew only, with red numbers or with black ones."),
        "« Variante »",
        holds=lambda house: house.two_crews,
        refusals=("twice",),
    ),
    Rule(
        "other-crew",
        phrase(
            "A canoe can attack one of the other crew, not of its own. One without paddlers can be attacked"
            " by both."
        ),
        "« Variante »",
        holds=lambda house: house.two_crews,
        refusals=("same-crew",),
    ),
)

_TOLD = (
    Rule(
        "odds",
        phrase("The referee tells how many of the cards that lie face down would be the last of the turn."),
    ),
)

BOOK = (
    Chapter(phrase("Setting up"), _SETTING_UP),
    Chapter(phrase("A turn"), _TURN),
    Chapter(phrase("Laying cards"), _PLACING),
    Chapter(phrase("Paddlers"), _PADDLERS),
    Chapter(phrase("Special cards"), _SPECIAL_CARDS),
    Chapter(phrase("Attacks"), _ATTACKS),
    Chapter(phrase("The end"), _END),
    Chapter(phrase("The count"), _COUNT),
    Chapter(phrase("Two crews"), _CREWS),
    Chapter(phrase("Told afterwards"), _TOLD),
)
