"""Ogallala's rule book, its chapters on canoes: how they are laid, what special cards do, attacks."""

from referee.contract import Chapter, Rule, phrase

LAYING = "« Règle à respecter pour placer une carte »"
LASSO = "« Le lanceur de lasso »"
ARCHER = "« L'archer »"
SABOTEUR = "« Hache Folle »"
ATTACKING = "« Les Attaques »"
PUSHED = ("push-right", "push-left", "slide-right", "slide-left")

PLACING = Chapter(
    phrase("Laying cards"),
    (
        Rule(
            id="first",
            text=phrase("Your first card may lie anywhere."),
            place=LAYING,
            options=("first",),
        ),
        Rule(
            id="touching",
            text=phrase(
                "Each further card lies on a free place that touches another card of yours, by a side or"
                " a corner."
            ),
            place=LAYING,
            refusals=("apart", "cell-taken"),
            options=("put",),
            asks=("place",),
        ),
        Rule(
            id="size",
            text=phrase("A territory is 14 cards wide and 3 rows high at most."),
            place=LAYING,
            refusals=("too-wide", "too-high"),
        ),
        Rule(
            id="no-twice",
            text=phrase("No picture lies twice in one canoe, whatever the colour of the numbers."),
            place=LAYING,
            refusals=("twice",),
        ),
        Rule(
            id="push",
            text=phrase(
                "A card stays where it lies; only a card of a set may be pushed in beside another one of"
                " it, if the row stays within 14 cards."
            ),
            place=LAYING,
            refusals=("no-push",),
            options=PUSHED,
        ),
        Rule(
            id="push-side/whole",
            text=phrase(
                "The row gives way to the side that you choose: all that lies there moves by one place."
            ),
            holds=lambda house: house.push == "whole_side",
        ),
        Rule(
            id="push-side/gap",
            text=phrase(
                "The row gives way to the side that you choose: its cards slide up to the next gap there, which"
                " narrows by one; without a gap all of them move by one place."
            ),
            holds=lambda house: house.push == "into_gap",
        ),
        Rule(
            id="slide-completes",
            text=phrase("A canoe whose last gap is closed by sliding is complete, and may attack."),
            holds=lambda house: house.push == "into_gap",
        ),
        Rule(
            id="push-complete/yes",
            text=phrase("A card may be pushed into a complete canoe, too; it gets no new attack by that."),
            holds=lambda house: house.insert_complete,
        ),
        Rule(
            id="push-complete/no",
            text=phrase("A card may be pushed only into an incomplete canoe."),
            holds=lambda house: not house.insert_complete,
            refusals=("no-push",),
        ),
        Rule(
            id="ends",
            text=phrase(
                "A bow is a left end, a stern a right one: directly left of a bow only a stern may lie,"
                " directly right of a stern only a bow."
            ),
            place=LAYING,
            refusals=("no-end",),
        ),
        Rule(
            id="gap",
            text=phrase(
                "The cards beside a gap of one are of one canoe, unless only a bow or a stern fits there;"
                " a wider gap parts canoes."
            ),
            place=LAYING,
            refusals=("twice",),
        ),
        Rule(
            id="complete",
            text=phrase("A canoe is complete with a bow, a stern and no gap between them."),
            place=LAYING,
            refusals=("not-complete",),
        ),
    ),
)

PADDLERS = Chapter(
    phrase("Paddlers"),
    (
        Rule(
            id="strength",
            text=phrase("A canoe's strength is that of its paddlers: their numbers, added up."),
            place="« Les indiens »",
        ),
    ),
)

SPECIAL_CARDS = Chapter(
    phrase("Special cards"),
    (
        Rule(
            id="lasso",
            text=phrase(
                "A Lasso that is laid must take any card out of another player's incomplete canoe. You lay it"
                " in your own territory."
            ),
            place=LASSO,
            options=("rope",),
            asks=("lasso",),
        ),
        Rule(
            id="lasso-unplaced/another",
            text=phrase("The Lasso can only take a card that finds a place in your territory."),
            holds=lambda house: house.lasso_unplaced == "another",
            refusals=("no-place",),
        ),
        Rule(
            id="lasso-unplaced/discarded",
            text=phrase("The Lasso can take any card: one that finds no place in your territory is discarded."),
            holds=lambda house: house.lasso_unplaced == "discard",
        ),
        Rule(
            id="lasso-attack/yes",
            text=phrase("A canoe that is completed with the card of the Lasso may attack."),
            holds=lambda house: house.lasso_attack,
        ),
        Rule(
            id="lasso-attack/no",
            text=phrase("A canoe that is completed with the card of the Lasso can't attack."),
            holds=lambda house: not house.lasso_attack,
        ),
        Rule(
            id="archer",
            text=phrase(
                "An Archer that is laid must hit a paddler in another player's incomplete canoe without a"
                " Guardian: that card is discarded."
            ),
            place=ARCHER,
            options=("shoot",),
            asks=("archer",),
        ),
        Rule(
            id="no-paddlers",
            text=phrase("Empty bows, empty sterns and booty are no paddlers: the Archer can't hit them."),
            place=ARCHER,
            refusals=("no-paddler",),
        ),
        Rule(
            id="others-canoes",
            text=phrase(
                "Lasso and Archer are aimed at incomplete canoes of other players, an attack at complete"
                " ones, too."
            ),
            place="« Le lanceur de lasso », « L'archer », « Les Attaques »",
            refusals=("not-yourself", "no-card-there", "is-complete"),
        ),
        Rule(
            id="effect-lapses",
            text=phrase(
                "A Lasso or an Archer that finds nothing to aim at has no effect, and stays where it lies."
            ),
        ),
        Rule(
            id="effect-first",
            text=phrase(
                "If a Lasso or an Archer completes a canoe, its effect comes first; then the canoe may attack."
            ),
        ),
        Rule(
            id="special-discard/may",
            text=phrase("A Lasso or an Archer may be discarded instead of laid: then it has no effect."),
            holds=lambda house: house.special_discard,
        ),
        Rule(
            id="special-discard/must-lie",
            text=phrase("A Lasso or an Archer has to be laid, if it finds a place."),
            holds=lambda house: not house.special_discard,
            refusals=("must-lie",),
        ),
        Rule(
            id="saboteur",
            text=phrase(
                "A Saboteur sinks one of your own complete canoes, which you choose: both are discarded."
            ),
            place=SABOTEUR,
            refusals=("not-complete",),
            options=("sink",),
            asks=("saboteur",),
        ),
        Rule(
            id="saboteur-alone/discarded",
            text=phrase("Without a complete canoe of your own, the Saboteur is only discarded."),
            holds=lambda house: not house.saboteur_stays,
        ),
        Rule(
            id="saboteur-alone/laid",
            text=phrase("Without a complete canoe of your own, you may lay the Saboteur like any paddler."),
            holds=lambda house: house.saboteur_stays,
        ),
        Rule(
            id="discard-order",
            text=phrase("A canoe is discarded from bow to stern; a Saboteur comes on top."),
        ),
        Rule(
            id="guardian",
            text=phrase(
                "A Guardian protects its canoe from attacks and Archers, but not from a Lasso or a Saboteur."
            ),
            place="« Le Totem »",
            refusals=("guarded",),
        ),
    ),
)

ATTACKS = Chapter(
    phrase("Attacks"),
    (
        Rule(
            id="attack",
            text=phrase(
                "A canoe that you complete may at once attack a weaker one of another player, complete or"
                " not; equal strength isn't enough."
            ),
            place=ATTACKING,
            refusals=("too-strong",),
            options=("attack", "spare"),
            asks=("attack",),
        ),
        Rule(
            id="captured",
            text=phrase(
                "The booty of the canoe attacked is yours, to be laid in your territory; its paddlers,"
                " bow and stern are discarded."
            ),
            place=ATTACKING,
        ),
        Rule(
            id="one-attack",
            text=phrase("Each canoe attacks once. A canoe that is completed with booty may attack, too."),
            place=ATTACKING,
        ),
        Rule(
            id="gap-attacked/whole",
            text=phrase("A canoe with a gap is attacked as one."),
            holds=lambda house: house.gap == "one_target",
        ),
        Rule(
            id="gap-attacked/one-side",
            text=phrase("Each side of a gap is attacked by itself; a Guardian on either side protects both."),
            holds=lambda house: house.gap == "two_targets",
        ),
        Rule(
            id="booty-laid",
            text=phrase("You lay booty card by card, in any order you like."),
            options=("lay",),
            asks=("booty",),
        ),
        Rule(
            id="taken-is-laid",
            text=phrase("What a Lasso takes or an attack captures has to be laid, if it finds a place."),
            refusals=("must-lie",),
        ),
        Rule(
            id="booty-unplaced/discarded",
            text=phrase("Booty that finds no place is discarded."),
            holds=lambda house: house.unplaced_booty == "discard",
        ),
        Rule(
            id="booty-unplaced/aside",
            text=phrase(
                "Booty that finds no place is kept aside; before drawing a card in a later turn you may lay it."
            ),
            holds=lambda house: house.unplaced_booty == "keep_aside",
            options=("fetch", "keep-aside"),
            asks=("aside",),
        ),
    ),
)
