"""What the referee says in Coyote. Neutral names instead of those on the box."""

from referee.contract.words import HeadlineWords, Label, Words, alike, phrase, plural, wording

WORDS = Words(
    title=phrase("Coyote"),
    pitch=phrase("You see every card but your own. How high is the sum?"),
    editions={"kidult": "Kidult", "gigamic": "Gigamic", "oliphante": "Oliphante"},
    asks={
        "opener": phrase("Who opens the first round?"),
        "open": wording(
            phrase("{seats:players} opens round {round}. Which number will it be, {least} or more?"),
            seats=phrase("You open round {round}. Which number do you say, {least} or more?"),
        ),
        "open-or-special": wording(
            phrase("Will {seats:players} open round {round} with {least} or more, or use a special rule?"),
            seats=phrase("Do you open round {round} with {least} or more, or use a special rule?"),
        ),
        "announce": wording(
            phrase("{bidder:player} said {number}. Which number will {seats:players} say, {least} or more?"),
            seats=phrase("{bidder:player} said {number}. Which number do you say, {least} or more?"),
        ),
        "announce-own": wording(
            phrase("{number} stands. Which number will {seats:players} say, {least} or more?"),
            seats=phrase("Your {number} stands. Which number do you say, {least} or more?"),
        ),
        "announce-again": wording(
            phrase(
                "{refuser:player} refuses {refused}. Which other number will {seats:players} say,"
                " {least} or more?"
            ),
            seats=phrase("{refuser:player} refuses {refused}. Which other number do you say, {least} or more?"),
            refuser=phrase(
                "You refuse {refused}. Which other number will {seats:players} say, {least} or more?"
            ),
        ),
        "announce-or-call": wording(
            phrase("Will {seats:players} say {least} or more, or call Coyote on {bidder:player}'s {number}?"),
            seats=phrase("Will you say {least} or more, or call Coyote on {bidder:player}'s {number}?"),
            bidder=phrase("Will {seats:players} say {least} or more, or call Coyote on your {number}?"),
        ),
        "announce-or-special": wording(
            phrase("Will {seats:players} say {least} or more to go over {number}, or use a special rule?"),
            seats=phrase("Will you say {least} or more to go over {number}, or use a special rule?"),
        ),
        "announce-or-call-or-special": wording(
            phrase(
                "Will {seats:players} say {least}+, call Coyote on {bidder:player}'s {number}, or use a"
                " special rule?"
            ),
            seats=phrase(
                "Will you say {least}+, call Coyote on {bidder:player}'s {number}, or use a special rule?"
            ),
            bidder=phrase(
                "Will {seats:players} say {least}+, call Coyote on your {number}, or use a special rule?"
            ),
        ),
        "after-double": wording(
            phrase("Does {seats:players} double the {number}, before {next:player} answers it?"),
            seats=phrase("Your {number} stands. Should the mark count double if {next:player} contests?"),
            also=phrase("{seats:players} may also double the {number}."),
        ),
        "after": wording(
            phrase("Does {seats:players} add a special rule to the {number}?"),
            seats=phrase("Your {number} stands. Do you add a special rule to it?"),
            also=phrase("{seats:players} may also add a special rule to the {number}."),
        ),
        "contest": wording(
            phrase("Who calls Coyote on {bidder:player}'s {number}?"),
            seats=phrase("Do you call Coyote on {bidder:player}'s {number}?"),
            also=plural(
                "{seats:players} may also call Coyote on the {number}.",
                "The others may also call Coyote on the {number}.",
                by="asked",
            ),
        ),
        "extra": wording(
            phrase("Which card does {seats:players} turn up, with {bidder:player}'s {number} to beat?"),
            seats=phrase("Which card do you turn up, with {number} to beat?"),
        ),
        "extra-first": wording(
            phrase("Which card does {seats:players} turn up, before the first number of round {round}?"),
            seats=phrase("Which card do you turn up, before the first number of round {round}?"),
        ),
        "own": wording(
            phrase("Which card does {seats:players} wear? The guess was {face:face}."),
            seats=phrase("Which card do you wear? Your guess was {face:face}."),
        ),
        "leave": wording(
            phrase("{number} stands. Will {seats:players} leave the round, or stay in it?"),
            seats=phrase("{number} stands. Do you leave the round, or stay in it?"),
        ),
        "leave-first": wording(
            phrase("Will {seats:players} leave round {round}, or stay and open it?"),
            seats=phrase("Do you leave round {round}, or stay and open it?"),
        ),
        "reveal": plural(
            "Lay {count} card face up in the middle.", "Lay {count} cards face up in the middle.", by="count"
        ),
        "reveal-closed": plural(
            "The round is over without a call. Lay {count} card face up in the middle.",
            "The round is over without a call. Lay all {count} cards face up in the middle.",
            by="count",
        ),
        "aside": plural(
            "Which covered card goes to the discards? It doesn't count for {bidder:player}'s {number}.",
            "Which {count} covered cards go to the discards? They don't count for {bidder:player}'s {number}.",
            by="count",
        ),
        "aside-closed": plural(
            "The round is over without a call. Which covered card goes to the discards?",
            "The round is over without a call. Which {count} covered cards go to the discards?",
            by="count",
        ),
        "draw": plural(
            "Turn up the top card for the cave. Which one counts for {bidder:player}'s {number}?",
            "Turn up {count} cards for the caves. Which ones count for {bidder:player}'s {number}?",
            by="count",
        ),
    },
    options={
        "opens": phrase("{seat:player} opens"),
        "coyote": phrase("Coyote!"),
        "approve": phrase("I take the number over"),
        "double": phrase("I double"),
        "reverse": phrase("turn the direction round"),
        "extra": phrase("one more card for {seat:player}"),
        "extra-own": phrase("turn up one more card"),
        "restart": phrase("say another number"),
        "next": phrase("{seat:player} is next"),
        "skip": phrase("skip my turn"),
        "replace": phrase("replace my card"),
        "guess": phrase("my card is {face:face}"),
        "leave": phrase("leave the round"),
        "stay": phrase("stay in the round"),
    },
    typed=alike(
        phrase("opens"),
        phrase("coyote"),
        phrase("approve"),
        phrase("double"),
        phrase("reverse"),
        phrase("extra"),
        phrase("restart"),
        phrase("next"),
        phrase("skip"),
        phrase("replace"),
        phrase("guess"),
        phrase("leave"),
        phrase("stay"),
    ),
    short={
        "extra": phrase("one more card"),
        "next": phrase("who is next"),
        "guess": phrase("my own card is …"),
    },
    effects={
        "coyote": phrase("You say: {bidder:player}'s {number} is too high"),
        "approve": phrase("You stand by the {number}, and the next player answers it."),
        "double": phrase("If it is called, two marks are at stake."),
        "reverse": phrase("From here on it goes the other way round."),
        "extra": phrase("Another player wears a second card, unseen."),
        "extra-own": phrase("It lies open before you, and counts."),
        "restart": phrase("{bidder:player} has to say another number."),
        "next": phrase("You choose who answers your number."),
        "skip": phrase("You say no number in this turn."),
        "replace": phrase("A new card covers yours, and only the new one counts."),
        "guess": phrase("Right, and you are out of the round. Wrong, and the round ends."),
        "guess-open": phrase("Right, and you may leave the round. Wrong, and the round ends."),
        "leave": phrase("You are passed over until the round is over."),
        "stay": phrase("You go on, with your card open before you."),
    },
    hints={
        "opener": phrase("Choose who opens. The youngest, say, or the one with the best coyote's laugh."),
        "announce": phrase(
            "You see every card but your own. Say more than the last number, or call Coyote if all cards"
            " together make less."
        ),
        "contest": phrase("All may call, not only the one in turn. Call if all cards together make less."),
        "after": phrase("A special rule can be used once. Your number stands without it, too."),
        "reveal": phrase(
            "All cards go to the middle, face up. The camera reads them; if it doesn't, tap what lies there."
        ),
        "draw": phrase("The cave counts as the pile's top card. Turn it up beside the others."),
    },
    faces={
        "?": phrase("Cave ?"),
        "max0": phrase("Fox MAX 0"),
        "max-": phrase("MAX −"),
        "x2": phrase("Leader ×2"),
        "night": phrase("Night 0"),
        "0": phrase("Decoy 0"),
    },
    verdicts={
        "short": wording(
            plural(
                "{total:signed} is less than {number}: {contester:player} was right,"
                " {bidder:player} takes a mark.",
                "{total:signed} is less than {number}: {contester:player} was right,"
                " {bidder:player} takes {taken} marks.",
                by="taken",
            ),
            contester=plural(
                "{total:signed} is less than {number}: you were right, {bidder:player} takes a mark.",
                "{total:signed} is less than {number}: you were right, {bidder:player} takes {taken} marks.",
                by="taken",
            ),
            bidder=plural(
                "{total:signed} is less than {number}: you take a mark.",
                "{total:signed} is less than {number}: you take {taken} marks.",
                by="taken",
            ),
        ),
        "short-out": wording(
            phrase(
                "{total:signed} is less than {number}: {contester:player} was right, {bidder:player} is out."
            ),
            contester=phrase("{total:signed} is less than {number}: you were right, {bidder:player} is out."),
            bidder=phrase("{total:signed} is less than {number}: you are out."),
        ),
        "enough": wording(
            plural(
                "{total:signed} reaches {number}: {bidder:player} was right, {contester:player} takes a mark.",
                "{total:signed} reaches {number}: {bidder:player} was right,"
                " {contester:player} takes {taken} marks.",
                by="taken",
            ),
            bidder=plural(
                "{total:signed} reaches {number}: you were right, {contester:player} takes a mark.",
                "{total:signed} reaches {number}: you were right, {contester:player} takes {taken} marks.",
                by="taken",
            ),
            contester=plural(
                "{total:signed} reaches {number}: you take a mark.",
                "{total:signed} reaches {number}: you take {taken} marks.",
                by="taken",
            ),
        ),
        "enough-out": wording(
            phrase("{total:signed} reaches {number}: {bidder:player} was right, {contester:player} is out."),
            bidder=phrase("{total:signed} reaches {number}: you were right, {contester:player} is out."),
            contester=phrase("{total:signed} reaches {number}: you are out."),
        ),
        "guess-wrong": wording(
            phrase("{seat:player} wears {card:face}, not {said:face}, and takes a mark."),
            seat=phrase("You wear {card:face}, not {said:face}, and take a mark."),
        ),
        "guess-wrong-out": wording(
            phrase("{seat:player} wears {card:face}, not {said:face}, and is out."),
            seat=phrase("You wear {card:face}, not {said:face}, and are out."),
        ),
    },
    reveals={
        "called": wording(
            phrase("{seat:player} called Coyote on {bidder:player}'s ⟦{number}⟧"),
            seat=phrase("You called Coyote on {bidder:player}'s ⟦{number}⟧"),
            bidder=phrase("{seat:player} called Coyote on your ⟦{number}⟧"),
        )
    },
    situations={
        # what the number is: newcomers see it where the first one is asked for
        "first-bid": phrase("The number says: all cards together make at least this."),
        "no-bid": phrase("Round {round}: no number has been said yet."),
        "bid": phrase("{seat:player} says {number}."),
        "bid-approved": phrase("{seat:player} takes {number} over."),
        "bid-double": phrase("{seat:player} says {number}, doubled: two marks are at stake."),
        "refused": phrase("{seat:player} refuses {number}."),
        "called": wording(
            phrase("{contester:player} calls Coyote on {bidder:player}'s {number}."),
            contester=phrase("You call Coyote on {bidder:player}'s {number}."),
            bidder=phrase("{contester:player} calls Coyote on your {number}."),
        ),
        "called-double": wording(
            phrase("{contester:player} doubts {bidder:player}'s doubled {number}."),
            contester=phrase("You doubt {bidder:player}'s doubled {number}."),
            bidder=phrase("{contester:player} doubts your doubled {number}."),
        ),
        "closed": phrase("The round is over without a call. {opener:player} opens the next one."),
        "turns": phrase("{seat:player} turns up one more card."),
        "leaving": phrase("{seat:player} has guessed right, and may leave the round."),
        "guessing": phrase("{seat:player} says: my card is {face:face}."),
    },
    facts={
        "bid": Label(phrase("To beat"), phrase("{number}, said by {bidder:player}")),
        "call": Label(phrase("Called"), phrase("{number}, said by {bidder:player}")),
        "counted": Label(phrase("Last count"), phrase("{total:signed}; {number} was said")),
        "round": Label(phrase("Round"), phrase("{number}")),
        "counting": Label(phrase("Round"), phrase("{number} · counting")),
        "trail": Label(phrase("Said so far"), phrase("{numbers:numbers}")),
        "limit": Label(phrase("Marks until out"), phrase("{limit}")),
        "edition": Label(phrase("Edition"), phrase("{name:edition}")),
        "direction": Label(phrase("Direction"), phrase("reversed")),
        "retired": Label(phrase("This round"), phrase("out")),
        "extra": Label(phrase("Wears"), phrase("two cards")),
        "total": Label(phrase("Total"), phrase("total {number:signed}")),
        "said": Label(phrase("Said"), phrase("{bidder:player} said {number}")),
        "step-cave": Label(phrase("Cave"), phrase("another card is drawn")),
        "step-fox": Label(phrase("Fox"), phrase("takes out the highest")),
        "step-cancelled": Label(phrase("Taken out"), phrase("taken out by the fox")),
        "step-turn": Label(phrase("MAX −"), phrase("turns the highest against the others")),
        "step-decoy": Label(phrase("Decoy"), phrase("counts nothing")),
        "step-first": Label(phrase("Count"), phrase("{sum:signed}")),
        "step-add": Label(phrase("Count"), phrase("{start:signed} + {worth} = {sum:signed}")),
        "step-subtract": Label(phrase("Count"), phrase("{start:signed} − {worth} = {sum:signed}")),
        "step-double": Label(phrase("Leader"), phrase("{start:signed} × 2 = {sum:signed}")),
        "step-night": Label(phrase("Night"), phrase("all cards are shuffled")),
    },
    headlines={
        "round": HeadlineWords(phrase("{round}"), phrase("Round")),
        "bid": HeadlineWords(phrase("{number}"), phrase("{seat:player} says")),
        "called": HeadlineWords(phrase("Coyote!")),
        "counted": HeadlineWords(phrase("{total:signed}"), phrase("The total is")),
    },
    tracks={"scale": phrase("The total beside the number that was said")},
    cards={
        "opened": phrase("Open, and counts"),
        "reveal": phrase("In the middle"),
        "counted": phrase("The count"),
        "discard": phrase("Discards"),
    },
    counts={"marks": plural("{count} mark", "{count} marks", by="count")},
    rulings={
        "marks-short": phrase("{needed} marks may be worn at once, but the box has {have}."),
        "round": phrase("Round {number}. Everybody draws a card and wears it unseen. {opener:player} opens."),
        "shuffle": phrase("All the cards are shuffled into a new pile."),
        "pile-renewed": phrase("The pile is empty: the discards are shuffled into a new one."),
        "announced": phrase("{seat:player} says {number}."),
        "approved": phrase("{seat:player} takes {number} over."),
        "doubled": phrase("{seat:player} doubles: two marks if the next player contests."),
        "reversed": phrase("{seat:player} turns the direction round."),
        "extra": phrase("{seat:player} makes {target:player} wear a second card, unseen."),
        "restarted": phrase("{seat:player} refuses {number}: {target:player} has to say another number."),
        "next": phrase("{seat:player} chooses {target:player} to answer."),
        "turns-extra": phrase("{seat:player} turns up the top card of the pile."),
        "opened": phrase("{card:face} lies open before {seat:player} and counts."),
        "skipped": phrase("{seat:player} skips."),
        "replaced": phrase("{seat:player} draws a new card; the one that it covers doesn't count."),
        "guessed": phrase("{seat:player} says: my card is {card:face}."),
        "guess-right": phrase("Right: {seat:player} is out of the round, and {card:face} stays open."),
        "guess-right-open": phrase("Right: {card:face} stays open before {seat:player} and counts."),
        "leaves": phrase("{seat:player} leaves the round."),
        "stays": phrase("{seat:player} stays in the round."),
        "guess-wrong": phrase("Wrong: {seat:player} wears {card:face}, not {said:face}. The round is over."),
        "void": phrase("Only {seat:player} is left in the round: it is void."),
        "called": phrase("{seat:player} calls Coyote! {bidder:player} said {number}."),
        "called-double": phrase("{seat:player} calls Coyote! {bidder:player} said {number}, doubled."),
        "shown": phrase("On the table: {cards:faces}."),
        "set-aside": phrase("Covered, so not counted: {cards:faces}."),
        "no-draw": phrase("No card is left for the cave: it counts nothing."),
        "count-decoy": phrase("Without a value: {cards:faces}."),
        "count-draw": phrase("The cave draws {cards:faces}."),
        "count-cancel": phrase("The fox cancels {cards:faces}."),
        "count-cancel-none": phrase("The fox finds nothing to cancel."),
        "count-turn": phrase("MAX − turns {cards:faces} against the others."),
        "count-turn-none": phrase("MAX − finds nothing to turn."),
        "count-add": phrase("{cards:plus} = {sum:signed}"),
        "count-add-none": phrase("Nothing to add: 0"),
        "count-double-greens": phrase("The leader doubles what adds up: {start:signed} becomes {sum:signed}"),
        "count-double-total": phrase("The leader doubles the total: {start:signed} becomes {sum:signed}"),
        "count-subtract": phrase("{start:signed} {cards:minus} = {sum:signed}"),
        "count-night": phrase("Night: the whole deck is shuffled after this round."),
        "enough": phrase("The total is {total:signed}, {number} is reached: {bidder:player} wins the duel."),
        "short": phrase(
            "The total is {total:signed}, {number} is not reached: {contester:player} wins the duel."
        ),
        "mark": plural(
            "{seat:player} takes a mark: {marks} of {limit}.",
            "{seat:player} takes {taken} marks: {marks} of {limit}.",
            by="taken",
        ),
        "out": phrase("{seat:player} is out."),
        "won": phrase("{seat:player} wins the match."),
        "chance": phrase("When {seat:player} said {number}, the cards in sight gave it {percent:odds}."),
        "chance-about": phrase(
            "When {seat:player} said {number}, the cards in sight gave it {percent:odds}"
            " (whose card was whose isn't known)."
        ),
    },
    house={
        "edition": phrase("which edition is played"),
        "limit": phrase("marks that put a player out (Kidult: at most 4 with four players, 5 with three)"),
        "x2": phrase("what the leader doubles: as the edition says, what adds up, or the whole total"),
        "powers": phrase("optional rules that are agreed on"),
        "direction_persists": phrase("a direction that was turned round stays so in the next round"),
        "anyone_may_contest": phrase("anybody may call Coyote!, not only the player in turn"),
        "t_multi": phrase("Gigamic: a player may use several variants in one turn"),
        "o_contest_after_token": phrase("Oliphante: after a token one may contest instead of saying a number"),
        "o_guess_stays": phrase("Oliphante: after a right guess one may leave the round, or stay in it"),
        "boxes": phrase("Oliphante: two boxes, for more than six players, with one set of feathers"),
        "extra_tokens": phrase("Oliphante: tokens for one more card, turned up"),
        "skip_tokens": phrase("Oliphante: tokens to skip a turn"),
        "replace_tokens": phrase("Oliphante: tokens to replace one's card"),
        "reverse_tokens": phrase("Oliphante: tokens to turn the direction round"),
        "guess_tokens": phrase("Oliphante: tokens to guess one's own card"),
    },
    values={
        "x2.by_edition": phrase("as the edition says"),
        "x2.greens": phrase("what adds up"),
        "x2.total": phrase("the whole total"),
        "powers.approve": phrase("take the number over"),
        "powers.double": phrase("double the number"),
        "powers.extra": phrase("one more card for a player"),
        "powers.guess": phrase("guess one's own card"),
        "powers.next": phrase("choose who is next"),
        "powers.replace": phrase("replace one's card"),
        "powers.restart": phrase("let another number be said"),
        "powers.reverse": phrase("turn the direction round"),
        "powers.skip": phrase("skip a turn"),
        "powers.all": phrase("all of the edition's"),
    },
    refusals={
        "limit": phrase("with {seats} players, {most} marks at most may put one out, not {limit}"),
        "boxes": phrase("two boxes are played with in the oliphante edition only"),
        "tokens": phrase("there can be 0 to 8 tokens of a power"),
        "power": phrase("this edition has no power {power}; it has {powers:words}"),
    },
    remarks={
        "coach-bid": phrase(
            "{seat:player} said {number}: called at once, it would have held with {chance:share}."
        ),
        "coach-approve": phrase(
            "{seat:player} took {number} over: called at once, it would have held with {chance:share}."
        ),
        "coach-call": phrase(
            "{seat:player} called Coyote on {bidder:player}'s {number}: right with {chance:share}."
        ),
        "coach-least": phrase("The least number, {number}, would have held with {chance:share}."),
        "coach-rather-call": phrase(
            "A call of Coyote on {bidder:player}'s {number} would have been right with {chance:share}."
        ),
    },
    statistics={
        "standing-marks": phrase("Marks"),
        "rounds": phrase("Rounds"),
        "number": phrase("Number announced"),
        "total": phrase("Total"),
        "numbers": phrase("Numbers said"),
        "calls": phrase("“Coyote!” called"),
        "calls-right": phrase("“Coyote!” called rightly"),
        "contested": phrase("Own numbers contested"),
        "stood": phrase("Own numbers that stood"),
        "doubles": phrase("Numbers doubled"),
        "guesses": phrase("Own cards guessed"),
        "guesses-right": phrase("Own cards guessed right"),
        "marks": phrase("Marks taken"),
        "rate-calls": phrase("“Coyote!” right"),
        "rate-stood": phrase("Contested numbers that stood"),
        "mean-number": phrase("Number said, on average"),
        "mean-total": phrase("Total then, on average"),
        "mean-marks": phrase("Marks a round"),
    },
)
