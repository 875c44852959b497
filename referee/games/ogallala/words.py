"""The words of Ogallala. Its people and cards have neutral names."""

from referee.contract.words import HeadlineWords, Label, Wording, Words, phrase, plural
from referee.games.ogallala.coach_words import REMARKS
from referee.games.ogallala.option_words import ANSWERS, EFFECTS, HINTS, SUITS
from referee.games.ogallala.verdicts import HEADINGS, SENTENCES

WORDS = Words(
    title=phrase("Ogallala"),
    pitch=phrase("Crew your canoes on the river, and attack those of the others."),
    editions={},
    asks={
        "opener": phrase("Who is the youngest, and begins?"),
        "draw": Wording(
            phrase("Which card does {seats:players} draw and lay in the middle?"),
            to={
                "seats": phrase("Which card do you draw and lay in the middle?"),
            },
        ),
        "draw-next": Wording(
            phrase("Which card does {seats:players} draw next, with {drawn} drawn in this turn?"),
            to={
                "seats": phrase("Which card do you draw next, with {drawn} drawn in this turn?"),
            },
        ),
        "turn": Wording(
            phrase("What does {seats:players} do instead of drawing from a pile?"),
            to={
                "seats": phrase("What do you do instead of drawing from a pile?"),
            },
            also=phrase("{seats:players} may also do something other than draw from a pile."),
        ),
        "turn-stop": Wording(
            phrase("Does {seats:players} stop here?"),
            to={
                "seats": phrase("Do you stop here?"),
            },
            also=phrase("{seats:players} may also stop here."),
        ),
        "turn-take": Wording(
            phrase("Does {seats:players} take the top card of the open pile ({card:face})?"),
            to={
                "seats": phrase("Do you take the top card of the open pile ({card:face})?"),
            },
            also=phrase("{seats:players} may also take the top card of the open pile ({card:face})."),
        ),
        "turn-refill": Wording(
            phrase("Is a pile used up, so that {seats:players} shuffles the discards into a new one?"),
            to={
                "seats": phrase("Is a pile used up, so that you shuffle the discards into a new one?"),
            },
            also=phrase("{seats:players} may also say that a pile is used up."),
        ),
        "turn-empty": Wording(
            phrase("Are the piles empty, so that {seats:players} can't draw?"),
            to={
                "seats": phrase("Are the piles empty, so that you can't draw?"),
            },
            also=phrase("{seats:players} may also say that the piles are empty."),
        ),
        "from": Wording(
            phrase("Did {seats:players} take the {card:face} from a pile, or from the open one?"),
            to={
                "seats": phrase("Did you take the {card:face} from a pile, or from the open one?"),
            },
        ),
        "place": Wording(
            phrase("Where does {seats:players} lay the {card:face}?"),
            to={
                "seats": phrase("Where do you lay the {card:face}?"),
            },
        ),
        "place-last": Wording(
            phrase("Where does {seats:players} lay the {card:face}, the last card of the turn?"),
            to={
                "seats": phrase("Where do you lay the {card:face}, the last card of your turn?"),
            },
        ),
        "place-booty": Wording(
            phrase("Where does {seats:players} lay the captured {card:face}?"),
            to={
                "seats": phrase("Where do you lay the captured {card:face}?"),
            },
        ),
        "aside": Wording(
            phrase("Which card kept aside does {seats:players} lay first?"),
            to={
                "seats": phrase("Which card kept aside do you lay first?"),
            },
            also=phrase("{seats:players} may also lay a card that was kept aside."),
        ),
        "lasso": Wording(
            phrase("Which card of an incomplete canoe does {seats:players} take with the Lasso?"),
            to={
                "seats": phrase("Which card of an incomplete canoe do you take with the Lasso?"),
            },
        ),
        "archer": Wording(
            phrase("Which paddler in an incomplete canoe does {seats:players} hit with the Archer?"),
            to={
                "seats": phrase("Which paddler in an incomplete canoe do you hit with the Archer?"),
            },
        ),
        "saboteur": Wording(
            phrase("Which of {seats:players}'s {canoes} complete canoes does the Saboteur sink?"),
            to={
                "seats": phrase("Which of your {canoes} complete canoes does the Saboteur sink?"),
            },
        ),
        "attack": Wording(
            phrase("Which canoe does {seats:players} attack, if any, with the new one of strength {strength}?"),
            to={
                "seats": phrase("Which canoe do you attack, if any, with your new one of strength {strength}?"),
            },
        ),
        "booty": Wording(
            plural(
                "Which captured card does {seats:players} lay next?",
                "Which one of {left} captured cards does {seats:players} lay next?",
                by="left",
            ),
            to={
                "seats": plural(
                    "Which captured card do you lay next?",
                    "Which one of {left} captured cards do you lay next?",
                    by="left",
                ),
            },
        ),
        "end": Wording(
            phrase("Does {seats:players}, who has {canoes} canoes, end the match here?"),
            to={
                "seats": phrase("You have {canoes} canoes. Do you end the match here?"),
            },
        ),
        "record": Wording(
            phrase("Is {seat:player}'s canoe {number} of {canoes} as the record has it?"),
            to={
                "seat": phrase("Is your canoe {number} of {canoes} as the record has it?"),
            },
        ),
        "count": Wording(
            phrase("Which {count} cards are in {seat:player}'s canoe {number} of {canoes}?"),
            to={
                "seats": phrase("Which {count} cards are in your canoe {number} of {canoes}?"),
            },
            also=phrase("{seat:player} may also push it under the camera."),
        ),
    },
    verdicts=SENTENCES,
    reveals=HEADINGS,
    situations={
        "begins": phrase("It is the turn of {seat:player}."),
        "drawing": plural(
            "{seat:player} has drawn {drawn} card in this turn.",
            "{seat:player} has drawn {drawn} cards in this turn.",
            by="drawn",
        ),
        "sourcing": phrase("The card in the middle is like the top one of the open pile: {card:face}."),
        "drawn": phrase("{seat:player} has drawn a card: {card:face}."),
        "drawn-last": phrase("{seat:player} has drawn the last card of the turn: {card:face}."),
        "roped": phrase("The Lasso of {seat:player} has taken a card: {card:face}."),
        "booty": phrase("{seat:player} has captured a card: {card:face}."),
        "aside": phrase("{seat:player} takes a card that was kept aside: {card:face}."),
        "roping": phrase("The Lasso of {seat:player} takes a card from an incomplete canoe."),
        "shooting": phrase("The Archer of {seat:player} shoots a paddler in an incomplete canoe."),
        "sinking": phrase("The Saboteur sinks one of the {canoes} complete canoes of {seat:player}."),
        "attacking": phrase(
            "{seat:player} has completed a canoe of strength {strength} ({cell:cell}), which may attack a"
            " weaker one."
        ),
        "sharing": phrase("{seat:player} has captured booty: {cards:faces}."),
        "ending": phrase("{seat:player} has {canoes} canoes, and may end the match."),
        "counting": phrase("Canoe {number} of {canoes} of {seat:player} is counted: {cards:faces}."),
        "over-ended": phrase("{seat:player} has ended the match."),
        "over-fifth": phrase("{seat:player} has completed the fifth canoe, which ends the match."),
        "over-no-cards": phrase("No card was left to draw, which ends the match."),
    },
    facts={
        "attacker": Label(phrase("May attack"), phrase("strength {strength}, {cell:cell}")),
        "counted": Label(phrase("Canoes counted"), phrase("{counted} of {canoes}")),
        "last-card": Label(phrase("Turn"), phrase("its last card is drawn")),
        "pile": Label(phrase("Face down"), plural("{count} card", "{count} cards", by="count")),
        "open-card": Label(phrase("Top of the open pile"), phrase("{card:face}")),
        "drawn": Label(phrase("Drawn in this turn"), phrase("{count}")),
        "held": Label(
            phrase("For the end"), plural("{canoes} canoe of {goal}", "{canoes} canoes of {goal}", by="canoes")
        ),
        "begun": Label(phrase("Incomplete canoes"), phrase("{count}")),
        "guarded": Label(phrase("Canoes with a Guardian"), phrase("{count}")),
    },
    headlines={
        "points": HeadlineWords(
            phrase("{points}"), phrase("{seat:player} has"), plural("point", "points", by="points")
        ),
        "canoe": HeadlineWords(phrase("{strength}"), below=phrase("strength")),
        "strength": HeadlineWords(
            phrase("{strength}"), phrase("{seat:player} attacks with"), phrase("strength")
        ),
    },
    cards={
        "middle": phrase("In the middle"),
        "booty": phrase("Booty to be laid"),
        "counted": phrase("Is counted now"),
        "discard": phrase("Open pile, its top card last"),
        "aside": phrase("Kept aside"),
        "canoe": phrase("The whole canoe"),
        "crew": phrase("The crew that is lost"),
    },
    options={
        "opens": phrase("{seat:player}"),
        "stop": phrase("I stop here"),
        "take": phrase("I take the top card of the open pile: {face:face}"),
        "refill": phrase("a pile is used up: shuffle the discards into a new one"),
        "empty": phrase("the piles are empty: no card is left to draw"),
        "from-pile": phrase("from a pile, face down"),
        "from-discard": phrase("from the open pile"),
        "first": phrase("lay it as the first card: {cell:cell}"),
        "put": phrase("lay it beside {face:face}: {cell:cell}"),
        "push-right": phrase("push the row to the right, beside {face:face}: {cell:cell}"),
        "push-left": phrase("push the row to the left, beside {face:face}: {cell:cell}"),
        "slide-right": phrase("slide cards to the right into the gap, beside {face:face}: {cell:cell}"),
        "slide-left": phrase("slide cards to the left into the gap, beside {face:face}: {cell:cell}"),
        "discard": phrase("discard it"),
        "keep-aside": phrase("keep it aside"),
        "fetch": phrase("lay {face:face}"),
        "rope": phrase("from {seat:player}: {face:face}, {cell:cell}"),
        "shoot": phrase("at {seat:player}'s: {face:face}, {cell:cell}"),
        "sink": phrase("the one that begins with {face:face}: {cell:cell}"),
        "attack": phrase("attack {seat:player}: the canoe that begins with {face:face}, {cell:cell}"),
        "spare": phrase("no attack"),
        "lay": phrase("{face:face}"),
        "go-on": phrase("we go on"),
        "end": phrase("the match ends here"),
        "as-recorded": phrase("this canoe is as the record has it"),
        "all-as-recorded": phrase("all canoes are as the record has them"),
    },
    cells={
        "first": phrase("lay it here"),
        "put": phrase("lay it here"),
        "push-right": phrase("push right ▶"),
        "push-left": phrase("◀ push left"),
        "slide-right": phrase("slide right ▶"),
        "slide-left": phrase("◀ slide left"),
        "sink": phrase("sink"),
        "attack": phrase("attack"),
    },
    typed={
        "opens": phrase("opens"),
        "stop": phrase("stop"),
        "take": phrase("take"),
        "refill": phrase("refill"),
        "empty": phrase("empty"),
        "from-pile": phrase("from-pile"),
        "from-discard": phrase("from-discard"),
        "first": phrase("first"),
        "put": phrase("put"),
        "push-right": phrase("push-right"),
        "push-left": phrase("push-left"),
        "slide-right": phrase("slide-right"),
        "slide-left": phrase("slide-left"),
        "discard": phrase("discard"),
        "keep-aside": phrase("keep-aside"),
        "fetch": phrase("fetch"),
        "rope": phrase("rope"),
        "shoot": phrase("shoot"),
        "sink": phrase("sink"),
        "attack": phrase("attack"),
        "spare": phrase("spare"),
        "lay": phrase("lay"),
        "go-on": phrase("go-on"),
        "end": phrase("end"),
        "as-recorded": phrase("as-recorded"),
        "all-as-recorded": phrase("all-as-recorded"),
    },
    answers=ANSWERS,
    effects=EFFECTS,
    hints=HINTS,
    suits=SUITS,
    faces={
        "empty-bow": phrase("empty bow"),
        "empty-stern": phrase("empty stern"),
        "red-bow": phrase("red bow paddler"),
        "red-stern": phrase("red stern paddler"),
        "red-warrior-1": phrase("red paddlers 1"),
        "red-warrior-2": phrase("red paddlers 2"),
        "red-warrior-3": phrase("red paddlers 3"),
        "red-warrior-4": phrase("red paddlers 4"),
        "red-warrior-5": phrase("red paddlers 5"),
        "red-healer": phrase("red healer"),
        "red-chief": phrase("red chief"),
        "red-lasso": phrase("red Lasso"),
        "red-archer": phrase("red Archer"),
        "red-saboteur": phrase("red Saboteur"),
        "black-bow": phrase("black bow paddler"),
        "black-stern": phrase("black stern paddler"),
        "black-warrior-1": phrase("black paddlers 1"),
        "black-warrior-2": phrase("black paddlers 2"),
        "black-warrior-3": phrase("black paddlers 3"),
        "black-warrior-4": phrase("black paddlers 4"),
        "black-warrior-5": phrase("black paddlers 5"),
        "black-healer": phrase("black healer"),
        "black-chief": phrase("black chief"),
        "black-lasso": phrase("black Lasso"),
        "black-archer": phrase("black Archer"),
        "black-saboteur": phrase("black Saboteur"),
        "companion": phrase("companion"),
        "dynamite": phrase("dynamite"),
        "eagle": phrase("eagle"),
        "fur": phrase("fur"),
        "tobacco": phrase("tobacco"),
        "tent": phrase("tent"),
        "keg": phrase("keg"),
        "cannon-left": phrase("left half of the cannon"),
        "cannon-right": phrase("right half of the cannon"),
        "bear-left": phrase("left half of the bear"),
        "bear-right": phrase("right half of the bear"),
        "bison-left": phrase("left half of the bison"),
        "bison-right": phrase("right half of the bison"),
        "wood-left": phrase("left half of the wood"),
        "wood-right": phrase("right half of the wood"),
        "gold-left": phrase("left half of the gold"),
        "gold-right": phrase("right half of the gold"),
        "horse-left": phrase("left half of the horse"),
        "horse-right": phrase("right half of the horse"),
        "soldier": phrase("soldier"),
        "bear-hunter": phrase("bear hunter"),
        "bison-hunter": phrase("bison hunter"),
        "lumberjack": phrase("lumberjack"),
        "gold-digger": phrase("gold digger"),
        "cowboy": phrase("cowboy"),
        "guardian": phrase("Guardian"),
    },
    counts={
        "points": plural("{count} point", "{count} points", by="count"),
        "canoes": plural("{count} canoe", "{count} canoes", by="count"),
    },
    rulings={
        "piles": phrase("All {count} cards are shuffled and form three piles, face down, in the middle."),
        "begins": phrase("{seat:player} begins."),
        "next": phrase("It is the turn of {seat:player}."),
        "drawn": phrase("{seat:player} draws: {card:face}."),
        "taken": phrase("{seat:player} takes from the open pile: {card:face}."),
        "which-pile": phrase("{card:face} lies on the open pile, too."),
        "double": phrase(
            "{seat:player} has such a card already: {card:face}. It is the last one of this turn, and may still"
            " be laid, in another canoe."
        ),
        "is-lasso": phrase(
            "{card:face}: laid down, it takes any card from another player's incomplete canoe. It is the last"
            " card of this turn."
        ),
        "is-archer": phrase(
            "{card:face}: laid down, it shoots a paddler in another player's incomplete canoe, if no Guardian"
            " is on board. It is the last card of this turn."
        ),
        "is-saboteur": phrase("{card:face}: one's own complete canoe sinks, and the turn is over."),
        "set": phrase("{card:face} belongs to what lies here: {cards:faces}."),
        "no-place": phrase("{card:face} has no place in the territory of {seat:player}."),
        "discarded": phrase("{seat:player} discards: {card:face}."),
        "stops": phrase("{seat:player} stops."),
        "first": phrase("{seat:player} lays the first card: {card:face}, {counted:cell}."),
        "put": phrase("{seat:player} lays: {card:face}, {counted:cell}."),
        "push-right": phrase(
            "{seat:player} pushes the row to the right, and lays: {card:face}, {counted:cell}."
        ),
        "push-left": phrase("{seat:player} pushes the row to the left, and lays: {card:face}, {counted:cell}."),
        "slide-right": phrase(
            "{seat:player} slides cards to the right into the gap, and lays: {card:face}, {counted:cell}."
        ),
        "slide-left": phrase(
            "{seat:player} slides cards to the left into the gap, and lays: {card:face}, {counted:cell}."
        ),
        "completes": plural(
            "{seat:player} has completed a canoe of strength {strength}: {cards:faces}. It is the only one.",
            "{seat:player} has completed a canoe of strength {strength}: {cards:faces}. It is number {canoes}.",
            by="canoes",
        ),
        "lapses": phrase("{card:face} finds nothing to aim at: it has no effect."),
        "ropes": phrase("{seat:player} takes with the Lasso from {target:player}: {card:face}."),
        "shoots": phrase("The Archer of {seat:player} shoots at {target:player}'s: {card:face} is discarded."),
        "sinks": phrase("A canoe of {seat:player} sinks, and is discarded: {cards:faces}."),
        "attacks": phrase(
            "{seat:player} attacks {target:player}, with strength {own} against {strength}, and takes the"
            " canoe."
        ),
        "captures": phrase("{seat:player} captures from {target:player}: {cards:faces}."),
        "crew-lost": phrase("{seat:player} discards: {cards:faces}."),
        "spares": phrase("{seat:player} doesn't attack."),
        "next-booty": phrase("{seat:player} lays the booty now: {card:face}."),
        "unplaced": phrase("No place for {cards:faces}: {seat:player} discards that."),
        "aside": phrase("No place for {cards:faces}: {seat:player} keeps that aside."),
        "fetches": phrase("{seat:player} takes what was kept aside: {card:face}."),
        "put-back": phrase("{seat:player} keeps it aside: {card:face}."),
        "refill": plural(
            "The discards are shuffled and form a new pile: {count} card.",
            "The discards are shuffled and form a new pile: {count} cards.",
            by="count",
        ),
        "may-end": phrase("{seat:player} has {canoes} canoes, and may end the match."),
        "goes-on": phrase("{seat:player} lets the match go on."),
        "ends": phrase("{seat:player} ends the match."),
        "fifth": phrase("{seat:player} has {canoes} canoes: the match is over."),
        "no-cards": phrase("No card is left to draw: the match is over."),
        "standstill": phrase("For three rounds, all have only given the open card back."),
        "count-canoe": phrase("Canoe {number} of {canoes} of {seat:player} is counted: {cards:faces}."),
        "agrees": plural(
            "The {count} card is as the record has it.",
            "The {count} cards are as the record has them.",
            by="count",
        ),
        "missing": phrase("The record has more here for {seat:player}: {cards:faces}. Look again."),
        "extra": phrase("The record hasn't this here for {seat:player}: {cards:faces}. Look again."),
        "is-complete": plural(
            "complete, strength {strength}, {points} point",
            "complete, strength {strength}, {points} points",
            by="points",
        ),
        "is-incomplete": phrase("not complete, strength {strength}"),
        "is-protected": phrase("the Guardian is on board"),
        "count-short": phrase("{count} cards, a point each: {points}."),
        "count-long": phrase("{count} cards, two points each: {points}."),
        "count-set": phrase("A set side by side, {cards:faces}: {points}."),
        "count-pair": phrase("Both halves side by side, {cards:faces}: {points}."),
        "count-prizes": phrase("Booty, {cards:faces}: {points}."),
        "canoe-points": phrase("This canoe of {seat:player} brings {points} points."),
        "total": plural("{seat:player} has {points} point.", "{seat:player} has {points} points.", by="points"),
        "won": phrase("{seats:players} wins the match with {points} points."),
        "shared": phrase("{seats:players} share the victory with {points} points each."),
        "odds": plural(
            "Of {left} card face down, {last} would end the turn of {seat:player}.",
            "Of {left} cards face down, {last} would end the turn of {seat:player}.",
            by="left",
        ),
    },
    house={
        "discard": phrase("the discards are a fourth pile, face up, or are shuffled when a pile is used up"),
        "end_of_piles": phrase(
            "when no card is left: none face down, or none on the open pile either (then the next discard ends"
            " the match)"
        ),
        "combo_order": phrase("a set counts only with its halves left and right, or in any order"),
        "insert_complete": phrase("a card of a set may be pushed into a complete canoe, too"),
        "push": phrase("a row is pushed apart with all on that side, or only up to its next gap"),
        "lasso_unplaced": phrase("what the Lasso takes must find a place, or is discarded if it finds none"),
        "lasso_attack": phrase("a canoe that is completed with the Lasso's card may attack"),
        "unplaced_booty": phrase("booty that finds no place is discarded, or kept aside to be laid later"),
        "saboteur_stays": phrase("who has no complete canoe may lay the Saboteur like a paddler"),
        "special_discard": phrase("a Lasso or an Archer may be discarded instead, without effect"),
        "count_ever": phrase("for the end, all canoes ever completed count, not only those that are there"),
        "gap": phrase("an attack takes a canoe with a gap as one, or only one side of the gap"),
        "doubles": phrase(
            "where a card lies whose double ends the turn: anywhere, or only in an incomplete canoe"
        ),
        "voluntary_stop": phrase("one may stop before drawing another card"),
        "two_crews": phrase("variant: two crews; each canoe takes paddlers of one, and attacks only the other"),
        "box": phrase("how many of each card your box has, in the deck's order, with commas; empty: as usual"),
    },
    values={
        "discard.fourth_pile": phrase("a fourth pile"),
        "discard.recycle_when_pile_empty": phrase("shuffled"),
        "end_of_piles.face_down": phrase("none face down"),
        "end_of_piles.all_piles": phrase("none at all"),
        "combo_order.strict": phrase("left and right"),
        "combo_order.any": phrase("in any order"),
        "push.whole_side": phrase("all on that side"),
        "push.into_gap": phrase("up to the next gap"),
        "lasso_unplaced.another": phrase("it must find a place"),
        "lasso_unplaced.discard": phrase("it is discarded"),
        "unplaced_booty.discard": phrase("it is discarded"),
        "unplaced_booty.keep_aside": phrase("it is kept aside"),
        "gap.one_target": phrase("as one"),
        "gap.two_targets": phrase("one side"),
        "doubles.territory": phrase("anywhere"),
        "doubles.incomplete": phrase("only in an incomplete canoe"),
    },
    refusals={
        "not-open": phrase("Only this card lies open: {cards:faces}."),
        "no-open-card": phrase("No card lies open."),
        "draw-first": phrase("Draw a card first; then you may stop."),
        "must-lie": phrase("{card:face} can't be discarded here: it has to be laid."),
        "no-push": phrase("{card:face} can't be pushed in there: that takes a card of its set in a canoe."),
        "cell-taken": phrase("{card:face} lies there already."),
        "too-wide": phrase("That row would get too long: a territory is {most} cards wide at most."),
        "too-high": phrase("That would be one row too many: a territory is {most} rows high at most."),
        "apart": phrase("That place touches no card."),
        "no-end": phrase("{card:face} doesn't fit between these cards: bow left, stern right."),
        "twice": phrase("{card:face} can't join that canoe: no picture twice in one, and no second crew."),
        "not-yourself": phrase("Not your own: choose another player's."),
        "no-card-there": phrase("No card lies there."),
        "not-complete": phrase("That canoe isn't complete."),
        "is-complete": phrase("That canoe is complete."),
        "guarded": phrase("The Guardian protects that canoe."),
        "no-paddler": phrase("{card:face} is no paddler."),
        "no-place": phrase("{card:face} would find no place in your territory."),
        "same-crew": phrase("That canoe has paddlers of your own crew."),
        "too-strong": phrase("That canoe has strength {strength}, yours has {own}."),
        "box": phrase("a box is told by {faces} counts, one for each face, and isn't empty; {told} were told"),
        "already-seen": phrase(
            "{card:face} has been seen already: read it again. If your box has more of them, say so in the"
            " house rule “box” before the next match."
        ),
    },
    remarks=REMARKS,
    statistics={
        "standing-points": phrase("Points"),
        "standing-canoes": phrase("Canoes"),
        "turns": phrase("Turns"),
        "draws": phrase("Cards drawn"),
        "doubles": phrase("Cards drawn that lay there already"),
        "discards": phrase("Cards discarded"),
        "stops": phrase("Turns stopped freely"),
        "canoes-completed": phrase("Canoes completed"),
        "canoes-sunk": phrase("Own canoes sunk"),
        "roped": phrase("Cards taken with the Lasso"),
        "cards-roped": phrase("Cards lost to the Lasso"),
        "shot": phrase("Paddlers shot"),
        "cards-shot": phrase("Paddlers lost to the Archer"),
        "attacks": phrase("Attacks"),
        "attacked": phrase("Canoes lost to attacks"),
        "spared": phrase("Attacks forgone"),
        "captured": phrase("Booty captured"),
        "mean-draws": phrase("Cards drawn a turn"),
        "rate-discards": phrase("Drawn cards that were discarded"),
        "rate-attacks": phrase("Attacks for each canoe completed"),
        "mean-captured": phrase("Booty for each attack"),
    },
)
