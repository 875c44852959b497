"""Ogallala's rule book by chapter, with gaps in the printed rules."""

from referee.contract import Book, write_chapters
from referee.games.ogallala import board, rules

CHAPTERS = write_chapters(
    {
        "Setting up": {
            "piles": "All cards are shuffled and form three draw piles, face down.",
            "box": "The rules don't print the number of each card. If your box has other counts than usual,"
            " agree on them before the match.",
            "youngest": "The youngest player begins, also in a rematch.",
        },
        "A turn": {
            "draw": "Draw a card from any pile and lay it. Go on until a card ends the turn.",
            "discards/fourth-pile": "Discards form a fourth pile, face up: its top card may be drawn as well.",
            "discards/shuffled": "Discards can't be drawn. When a pile is used up, they are shuffled into a"
            " new one, if a card was laid since the last time.",
            "which-pile": "If a card may come from a pile or be the open one, the player who drew it decides.",
            "doubles/territory": "A card whose picture lies in your territory already is the last of the turn."
            " It may still be laid, in another canoe.",
            "doubles/incomplete": "A card whose picture lies in an incomplete canoe of yours is the last of"
            " the turn. It may still be laid, in another canoe.",
            "special-ends": "A Lasso, an Archer or a Saboteur is the last card of the turn.",
            "canoe-ends": "Completing a canoe ends the turn.",
            "discard": "A card that you can't lay, or don't want to, is discarded and ends the turn.",
            "stop/free": "After the first card, you may stop before drawing another one.",
            "stop/never": "You can't stop before a card ends the turn.",
            "next": "After that, it is the turn of the next player on the left.",
        },
        "Laying cards": {
            "first": "Your first card may lie anywhere.",
            "touching": "Each further card lies on a free place that touches another card of yours, by a side"
            " or a corner.",
            "size": "A territory is 14 cards wide and 3 rows high at most.",
            "no-twice": "No picture lies twice in one canoe, whatever the colour of the numbers.",
            "push": "A card stays where it lies; only a card of a set may be pushed in beside another one of"
            " it, if the row stays within 14 cards.",
            "push-side/whole": "You choose the side that makes room: all its cards move by one place.",
            "push-side/gap": "You choose the side that makes room: its cards slide into the next gap, which"
            " narrows by one; without a gap, all of them move by one place.",
            "slide-completes": "A canoe whose last gap is closed by sliding is complete, and may attack.",
            "push-complete/yes": "A card may be pushed into a complete canoe, too, but that gives no new"
            " attack.",
            "push-complete/no": "A card may be pushed only into an incomplete canoe.",
            "ends": "A bow is a left end, a stern a right one: directly left of a bow only a stern may lie,"
            " directly right of a stern only a bow.",
            "gap": "Cards beside a gap of one card belong to one canoe, unless only a bow or a stern fits"
            " there; a wider gap separates canoes.",
            "complete": "A canoe is complete with a bow, a stern and no gap between them.",
        },
        "Paddlers": {"strength": "A canoe's strength is the sum of its paddlers' numbers."},
        "Special cards": {
            "lasso": "A Lasso that is laid must take any card out of another player's incomplete canoe. You"
            " lay it in your own territory.",
            "lasso-unplaced/another": "The Lasso can only take a card that finds a place in your territory.",
            "lasso-unplaced/discarded": "The Lasso can take any card: one that finds no place in your"
            " territory is discarded.",
            "lasso-attack/yes": "A canoe that is completed with the card of the Lasso may attack.",
            "lasso-attack/no": "A canoe that is completed with the card of the Lasso can't attack.",
            "archer": "An Archer that is laid must hit a paddler in another player's incomplete canoe without"
            " a Guardian: that card is discarded.",
            "no-paddlers": "Empty bows, empty sterns and booty are no paddlers: the Archer can't hit them.",
            "others-canoes": "Lasso and Archer are aimed at incomplete canoes of other players, an attack at"
            " complete ones, too.",
            "effect-lapses": "A Lasso or an Archer that finds nothing to aim at has no effect, and stays where"
            " it lies.",
            "effect-first": "If a Lasso or an Archer completes a canoe, its effect comes first; then the canoe"
            " may attack.",
            "special-discard/may": "A Lasso or an Archer may be discarded instead of laid: then it has no"
            " effect.",
            "special-discard/must-lie": "A Lasso or an Archer has to be laid, if it finds a place.",
            "saboteur": "A Saboteur sinks one of your own complete canoes, which you choose: both are"
            " discarded.",
            "saboteur-alone/discarded": "Without a complete canoe of your own, the Saboteur is only discarded.",
            "saboteur-alone/laid": "Without a complete canoe of your own, you may lay the Saboteur like any"
            " paddler.",
            "discard-order": "A canoe is discarded from bow to stern; a Saboteur comes on top.",
            "guardian": "A Guardian protects its canoe from attacks and Archers, but not from a Lasso or a"
            " Saboteur.",
        },
        "Attacks": {
            "attack": "A canoe that you complete may at once attack a weaker one of another player, complete"
            " or not; equal strength isn't enough.",
            "captured": "The booty of the canoe attacked is yours, to be laid in your territory; its paddlers,"
            " bow and stern are discarded.",
            "one-attack": "Each canoe attacks once. A canoe that is completed with booty may attack, too.",
            "gap-attacked/whole": "A canoe with a gap is attacked as one.",
            "gap-attacked/one-side": "Each side of a gap is attacked by itself; a Guardian on either side"
            " protects both.",
            "booty-laid": "You lay booty card by card, in any order you like.",
            "taken-is-laid": "What a Lasso takes or an attack captures has to be laid, if it finds a place.",
            "booty-unplaced/discarded": "Booty that finds no place is discarded.",
            "booty-unplaced/aside": "Booty that finds no place is kept aside; before drawing a card in a later"
            " turn you may lay it.",
        },
        "The end": {
            "third": "When you complete your third or fourth canoe, you may end the match. If you don't,"
            " others may when they complete theirs, and you with your next one.",
            "fifth": "With the fifth canoe the match is over.",
            "which-canoes/held": "For the end, only the complete canoes that you have when you complete one"
            " count.",
            "which-canoes/ever": "For the end, all canoes that you have ever completed count, including those"
            " you have lost.",
            "attack-before-end": "First the canoe may attack, then the match may end.",
            "standstill": "Taking and returning the open card counts as a turn. After three rounds of nothing"
            " else, the player in turn may end the match.",
            "no-cards": "When the piles have no more cards, the match is over.",
            "last-cards/face-down": "They have no more cards when none is left face down for a draw; the open"
            " pile doesn't count.",
            "last-cards/open-too": "When no card is left face down, the open pile is played out; the match is"
            " over when that is empty, too, or when a card is discarded.",
            "last-cards/shuffled": "They have no more cards when none is left to draw and the discards can't"
            " be shuffled into a new pile.",
            "piles-empty": "As a box may have fewer cards, players may report empty piles once a quarter of"
            " the deck or less should be left.",
        },
        "The count": {
            "complete-only": "Only complete canoes count.",
            "record": "A canoe is shown to the camera, which must see it as recorded, or the players confirm"
            " that it matches the record.",
            "length": "A canoe of 2 to 7 cards brings 1 point for each card, one of 8 to 14 cards 2 points for"
            " each.",
            "prizes": "Each piece of booty brings 10 points, and so does half a prize or a character.",
            "guardian-counts": "A Guardian isn't booty: it only counts as a card of its canoe.",
            "pair": "The two halves of a prize side by side bring 40 points instead of 20.",
            "set": "Side by side with their character beside them, the two halves bring 90 points, all three"
            " together.",
            "order/strict": "Halves count as a pair with the left one on the left, and with their character if"
            " it is at either end of the pair.",
            "order/any": "Halves and their character count in any order, if no other card is between them.",
            "most-points": "The player with the most points wins.",
            "shared": "Players with the same number of points share the victory.",
        },
        "Two crews": {
            "one-crew": "A canoe takes paddlers of one crew only, with red numbers or with black ones.",
            "other-crew": "A canoe can attack one of the other crew, not of its own. One without paddlers can"
            " be attacked by both.",
        },
        "After the match": {"odds": "The referee reports how many of the face-down cards would end the turn."},
    },
    printed=(
        ("« Mise en place »", "piles"),
        ("« Déroulement d'un tour »", "draw discards/fourth-pile doubles/territory special-ends canoe-ends"),
        ("« Déroulement d'un tour »", "discard stop/never next"),
        ("« Règle à respecter pour placer une carte »", "first touching size no-twice push ends gap complete"),
        ("« Les indiens »", "strength"),
        ("« Le lanceur de lasso »", "lasso"),
        ("« L'archer »", "archer no-paddlers"),
        ("« Le lanceur de lasso », « L'archer », « Les Attaques »", "others-canoes"),
        ("« Hache Folle »", "saboteur"),
        ("« Le Totem »", "guardian"),
        ("« Les Attaques »", "attack captured one-attack"),
        ("« Fin de la partie »", "third fifth no-cards complete-only length prizes pair set"),
        ("« But du jeu »", "most-points"),
        ("« Variante »", "one-crew other-crew"),
    ),
    otherwise=(
        ("« Mise en place »", "discards/shuffled"),
        ("« Déroulement d'un tour »", "doubles/incomplete stop/free"),
    ),
    agreed={
        "discard": {
            "fourth_pile": "discards/fourth-pile which-pile standstill last-cards/face-down"
            " last-cards/open-too",
            "recycle_when_pile_empty": "discards/shuffled last-cards/shuffled",
        },
        "doubles": {"territory": "doubles/territory", "incomplete": "doubles/incomplete"},
        "voluntary_stop": {True: "stop/free", False: "stop/never"},
        "push": {"whole_side": "push-side/whole", "into_gap": "push-side/gap slide-completes"},
        "insert_complete": {True: "push-complete/yes", False: "push-complete/no"},
        "lasso_unplaced": {"another": "lasso-unplaced/another", "discard": "lasso-unplaced/discarded"},
        "lasso_attack": {True: "lasso-attack/yes", False: "lasso-attack/no"},
        "special_discard": {True: "special-discard/may", False: "special-discard/must-lie"},
        "saboteur_stays": {False: "saboteur-alone/discarded", True: "saboteur-alone/laid"},
        "gap": {"one_target": "gap-attacked/whole", "two_targets": "gap-attacked/one-side"},
        "unplaced_booty": {"discard": "booty-unplaced/discarded", "keep_aside": "booty-unplaced/aside"},
        "count_ever": {False: "which-canoes/held", True: "which-canoes/ever"},
        "end_of_piles": {"face_down": "last-cards/face-down", "all_piles": "last-cards/open-too"},
        "combo_order": {"strict": "order/strict", "any": "order/any"},
        "two_crews": {True: "one-crew other-crew"},
    },
)
BOOK = Book(
    chapters=CHAPTERS,
    options={
        "opens": "youngest",
        "take": "discards/fourth-pile",
        "refill": "discards/shuffled",
        "from-pile": "which-pile",
        "from-discard": "which-pile",
        "stop": "stop/free",
        "put": "touching",
        **dict.fromkeys(("push-right", "push-left", "slide-right", "slide-left"), "push"),
        "rope": "lasso",
        "shoot": "archer",
        "sink": "saboteur",
        "spare": "attack",
        "lay": "booty-laid",
        "fetch": "booty-unplaced/aside",
        "keep-aside": "booty-unplaced/aside",
        "end": "third standstill",
        "go-on": "third fifth",
        "empty": "piles-empty",
        "as-recorded": "record",
        "all-as-recorded": "record",
    },
    asks={
        "opener": "youngest",
        "draw": "draw stop/never",
        "turn": "discards stop/free standstill piles-empty",
        "from": "which-pile",
        "place": "touching",
        "booty": "booty-laid",
        "aside": "booty-unplaced/aside",
        "end": "third",
        "count": "record",
    },
    refusals={
        "already-seen": "box",
        "not-open": "discards/fourth-pile",
        "no-open-card": "discards",
        "draw-first": "stop/free",
        "apart": "touching",
        "cell-taken": "touching",
        "too-wide": "size",
        "too-high": "size",
        "twice": "no-twice gap one-crew",
        "no-push": "push push-complete/no",
        "no-end": "ends",
        "not-complete": "complete saboteur",
        "no-place": "lasso-unplaced/another",
        "no-paddler": "no-paddlers",
        **dict.fromkeys(("not-yourself", "no-card-there", "is-complete"), "others-canoes"),
        "must-lie": "special-discard/must-lie taken-is-laid",
        "guarded": "guardian",
        "too-strong": "attack",
        "same-crew": "other-crew",
    },
    why_not=rules.why_not,
    effect=board.effect,
)
