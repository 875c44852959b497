"""What the referee says in Coup."""

from referee.contract.words import HeadlineWords, Label, Words, phrase, plural, wording

WORDS = Words(
    title=phrase("Coup"),
    pitch=phrase("Claim whichever characters you like. Who dares to doubt you?"),
    asks={
        "opener": phrase("Who begins?"),
        "action": wording(
            plural(
                "Which action does {seats:players} take, with {coins} coin?",
                "Which action does {seats:players} take, with {coins} coins?",
                by="coins",
            ),
            seats=plural(
                "You have {coins} coin. Which action do you take?",
                "You have {coins} coins. Which action do you take?",
                by="coins",
            ),
        ),
        "must-coup": wording(
            phrase("{seats:players} has {coins} coins, and must launch a coup. Against whom?"),
            seats=phrase("You have {coins} coins, and must launch a coup. Against whom?"),
        ),
        "challenge": wording(phrase("Who doubts it?"), seats=phrase("Do you believe it?")),
        "challenge-or-block-steal": wording(
            plural(
                "Will {seats:players} doubt {seat:player}'s Captain, block it, or lose {coins} coin?",
                "Will {seats:players} doubt {seat:player}'s Captain, block it, or lose {coins} coins?",
                by="coins",
            ),
            also=phrase("{seats:players} may also block the Captain."),
            seats=plural(
                "{seat:player} claims the Captain and takes {coins} coin from you. Do you believe or block it?",
                "{seat:player} claims the Captain and takes {coins} coins from you."
                " Do you believe or block it?",
                by="coins",
            ),
            seat=plural(
                "Will {seats:players} doubt your Captain, block it, or lose {coins} coin?",
                "Will {seats:players} doubt your Captain, block it, or lose {coins} coins?",
                by="coins",
            ),
        ),
        "challenge-or-block-assassinate": wording(
            phrase("Will {seats:players} doubt {seat:player}'s Assassin, block it, or lose an influence?"),
            also=phrase("{seats:players} may also block the Assassin."),
            seats=phrase("{seat:player} claims the Assassin, to strike you. Do you believe it, or block it?"),
            seat=phrase("Will {seats:players} doubt your Assassin, block it, or lose an influence?"),
        ),
        "block-foreign-aid": wording(
            plural(
                "{seat:player} asks for {coins} coins of foreign aid. Will {seats:players} block it?",
                "{seat:player} asks for {coins} coins of foreign aid. Who blocks it as the Duke?",
                by="asked",
            ),
            seats=phrase("{seat:player} asks for {coins} coins of foreign aid. Do you block it?"),
            seat=phrase("You ask for {coins} coins of foreign aid. Who blocks it as the Duke?"),
        ),
        "block-steal": wording(
            plural(
                "Will {seats:players} block {seat:player}'s Captain, or lose {coins} coin?",
                "Will {seats:players} block {seat:player}'s Captain, or lose {coins} coins?",
                by="coins",
            ),
            seats=plural(
                "{seat:player} has shown the Captain, to take {coins} coin from you. Do you block it?",
                "{seat:player} has shown the Captain, to take {coins} coins from you. Do you block it?",
                by="coins",
            ),
            seat=plural(
                "Will {seats:players} block your Captain, or lose {coins} coin?",
                "Will {seats:players} block your Captain, or lose {coins} coins?",
                by="coins",
            ),
        ),
        "block-assassinate": wording(
            phrase("Will {seats:players} block {seat:player}'s Assassin, or lose an influence?"),
            seats=phrase("{seat:player} has shown the Assassin, to strike you. Do you block it?"),
            seat=phrase("Will {seats:players} block your Assassin, or lose an influence?"),
        ),
        "objections": wording(
            phrase("Will {seats:players} ask?"),
            also=phrase("{seats:players} may also ask for objections, so that the clock runs."),
            seats=phrase("Any objections?"),
        ),
        "prove": wording(
            phrase("Which card does {seats:players} show, to prove the {face:face} to {doubter:player}?"),
            seats=phrase("{doubter:player} doubts your {face:face}. Which card do you show?"),
            doubter=phrase("You doubt {seats:players}'s {face:face}. Which card proves it?"),
        ),
        "prove-or-concede": wording(
            phrase("Will {seats:players} show the {face:face} that {doubter:player} doubts, or give in?"),
            seats=phrase("{doubter:player} doubts your {face:face}. Do you show it to the camera, or give in?"),
            doubter=phrase("Will {seats:players} show the {face:face} that you doubt, or give in?"),
        ),
        "swap": wording(
            phrase("Does {seats:players} swap the {face:face} shown for a card of the Court, or keep it?"),
            seats=phrase("You have shown the {face:face}. Do you swap it for a card of the Court, or keep it?"),
        ),
        "lose-doubt": wording(
            phrase("{seat:player} has shown the {face:face}. Which card does {seats:players} turn up?"),
            seats=phrase("{seat:player} has shown the {face:face}. Which card do you turn up?"),
            seat=phrase("You have shown the {face:face}. Which card does {seats:players} turn up?"),
        ),
        "lose-claim": wording(
            phrase("Which card does {seats:players} turn up, having shown no {face:face}?"),
            seats=phrase("You have shown no {face:face}. Which card do you turn up?"),
        ),
        "lose-coup": wording(
            phrase("Which card does {seats:players} turn up, after {seat:player}'s coup?"),
            seats=phrase("Which card do you turn up, after {seat:player}'s coup?"),
            seat=phrase("Which card does {seats:players} turn up, after your coup?"),
        ),
        "lose-assassinate": wording(
            phrase("Which card does {seats:players} turn up, after {seat:player}'s Assassin?"),
            seats=phrase("Which card do you turn up, after {seat:player}'s Assassin?"),
            seat=phrase("Which card does {seats:players} turn up, after your Assassin?"),
        ),
        "exchange": wording(
            phrase("Has {seats:players}, as the Ambassador, put two cards back into the Court?"),
            seats=phrase(
                "You have two cards of the Court. Put any two back, shuffle it, and say that it is done."
            ),
        ),
    },
    options={
        "opens": phrase("{seat:player} begins"),
        "income": phrase("income: 1 coin"),
        "foreign-aid": phrase("foreign aid: 2 coins"),
        "coup": phrase("7 coins for a coup against {seat:player}"),
        "tax": phrase("as the Duke: 3 coins of tax"),
        "assassinate": phrase("as the Assassin: 3 coins to strike {seat:player}"),
        "steal": phrase("as the Captain: 2 coins from {seat:player}"),
        "exchange": phrase("as the Ambassador: exchange cards with the Court"),
        "challenge": phrase("I don't believe it"),
        "block": phrase("I block as the {face:face}"),
        "pass": phrase("I let it pass"),
        "objections": phrase("any objections?"),
        "concede": phrase("I don't show it"),
        "swap": phrase("I swap it"),
        "keep": phrase("I keep it"),
    },
    typed={
        "opens": phrase("opens"),
        "income": phrase("income"),
        "foreign-aid": phrase("foreign-aid"),
        "coup": phrase("coup"),
        "tax": phrase("tax"),
        "assassinate": phrase("assassinate"),
        "steal": phrase("steal"),
        "exchange": phrase("exchange"),
        "challenge": phrase("challenge"),
        "block": phrase("block"),
        "pass": phrase("pass"),
        "objections": phrase("objections"),
        "concede": phrase("concede"),
        "swap": phrase("swap"),
        "keep": phrase("keep"),
    },
    short={
        "income": phrase("income"),
        "foreign-aid": phrase("foreign aid"),
        "tax": phrase("tax"),
        "steal": phrase("steal"),
        "exchange": phrase("exchange"),
        "assassinate": phrase("assassinate"),
        "coup": phrase("coup"),
        "block": phrase("I am the {face:face}"),
    },
    effects={
        "income": phrase("No player can object."),
        "foreign-aid": phrase("A Duke can block it."),
        "tax": phrase("You say you are the Duke."),
        "steal": phrase("2 from a player, as the Captain"),
        "steal-from": plural("takes {coins} coin", "takes {coins} coins", by="coins"),
        "exchange": phrase("You swap cards, as the Ambassador."),
        "assassinate": phrase("A player turns a card up, as you say you are the Assassin."),
        "coup": phrase("A player turns a card up, and can't object."),
        "challenge": phrase("{claimant:player} must show the {face:face}."),
        "pass-takes": plural(
            "{seat:player} takes {coins} coin.", "{seat:player} takes {coins} coins.", by="coins"
        ),
        "pass-assassinate": phrase("{target:player} turns a card up."),
        "pass-exchange": phrase("{seat:player} swaps cards with the Court."),
        "pass-blocked": phrase("The action of {seat:player} fails."),
        "block": phrase("The action of {seat:player} fails, unless you are doubted."),
        "concede": phrase("You lose an influence."),
        "swap": phrase("No player knows then what you hold."),
        "keep": phrase("All have seen it."),
        "objections": phrase("Then the clock runs."),
    },
    hints={
        "action": phrase(
            "A claim need not be true. If you are doubted and can't show the card, you turn one up."
        ),
        "challenge": phrase(
            "Doubt it, or let it pass. If you doubt and the card is shown, you turn one of yours up. If it"
            " isn't, the other player does."
        ),
        "challenge-or-block": phrase(
            "You may doubt, block, or let it pass. To block, say that you hold a character that stops it. That"
            " can be doubted, too."
        ),
        "block": phrase("Block it, or let it pass. To block, say that you hold a character that stops it."),
        "concede": phrase("The card under the camera proves it. Or give in, and turn a card up."),
        "lose": phrase("Lay the card open before you. Which one is up to you."),
        "must-coup": phrase("Ten coins or more must become a coup. Choose against whom."),
        "exchange": phrase("Keep as many cards as you had. Look at yours and the two from the Court first."),
    },
    answers={"lose": phrase("I turn up the {card:face}"), "prove": phrase("I show the {card:face}")},
    faces={
        "duke": phrase("Duke"),
        "assassin": phrase("Assassin"),
        "captain": phrase("Captain"),
        "ambassador": phrase("Ambassador"),
        "contessa": phrase("Contessa"),
    },
    verdicts={
        "not-shown": wording(
            phrase("{seat:player} shows no {claimed:face}."), seat=phrase("You show no {claimed:face}.")
        ),
        "not-shown-lost": wording(
            phrase("{seat:player} showed no {claimed:face}, and turned up the {card:face}."),
            seat=phrase("You showed no {claimed:face}, and turned up the {card:face}."),
        ),
        "shown": wording(
            phrase("{seat:player} shows the {shown:face}: {other:player} was wrong."),
            seat=phrase("You show the {shown:face}: {other:player} was wrong."),
            other=phrase("{seat:player} shows the {shown:face}: you were wrong."),
        ),
        "shown-lost": wording(
            phrase("{seat:player} showed the {shown:face}, and {other:player} turned up the {card:face}."),
            seat=phrase("You showed the {shown:face}, and {other:player} turned up the {card:face}."),
            other=phrase("{seat:player} showed the {shown:face}, and you turned up the {card:face}."),
        ),
        "shown-takes": wording(
            plural(
                "{seat:player} showed the {shown:face}, and took {coins} coin.",
                "{seat:player} showed the {shown:face}, and took {coins} coins.",
                by="coins",
            ),
            seat=plural(
                "You showed the {shown:face}, and took {coins} coin.",
                "You showed the {shown:face}, and took {coins} coins.",
                by="coins",
            ),
        ),
        "shown-holds": wording(
            phrase("{seat:player} showed the {shown:face}: the block holds."),
            seat=phrase("You showed the {shown:face}: your block holds."),
        ),
        "blocked": wording(
            phrase("{seat:player} blocked {other:player}, and says to be the {claimed:face}."),
            seat=phrase("You blocked {other:player} as the {claimed:face}."),
            other=phrase("{seat:player} blocked you, and says to be the {claimed:face}."),
        ),
        "coup-lost": wording(
            phrase("{seat:player} turned up the {card:face} after {other:player}'s coup."),
            seat=phrase("You turned up the {card:face} after {other:player}'s coup."),
            other=phrase("{seat:player} turned up the {card:face} after your coup."),
        ),
        "assassin-lost": wording(
            phrase("{seat:player} turned up the {card:face} after {other:player}'s Assassin."),
            seat=phrase("You turned up the {card:face} after {other:player}'s Assassin."),
            other=phrase("{seat:player} turned up the {card:face} after your Assassin."),
        ),
    },
    reveals={
        "doubted": wording(
            phrase("{seat:player} doubted {claimant:player}'s ⟦{face:face}⟧"),
            seat=phrase("You doubted {claimant:player}'s ⟦{face:face}⟧"),
            claimant=phrase("{seat:player} doubted your ⟦{face:face}⟧"),
        )
    },
    situations={
        "turn": plural(
            "It is {seat:player}'s turn, with {coins} coin.",
            "It is {seat:player}'s turn, with {coins} coins.",
            by="coins",
        ),
        "asks-aid": wording(
            phrase("{seat:player} asks for foreign aid: {coins} coins."),
            seat=phrase("You ask for foreign aid: {coins} coins."),
        ),
        "claims-tax": wording(
            phrase("{seat:player} claims the Duke, for {coins} coins of tax."),
            seat=phrase("You claim the Duke, for {coins} coins of tax."),
        ),
        "claims-assassin": wording(
            phrase("{seat:player} claims the Assassin, to strike {target:player}."),
            seat=phrase("You claim the Assassin, to strike {target:player}."),
            target=phrase("{seat:player} claims the Assassin, to strike you."),
        ),
        "claims-captain": wording(
            plural(
                "{seat:player} claims the Captain and takes {coins} coin from {target:player}.",
                "{seat:player} claims the Captain and takes {coins} coins from {target:player}.",
                by="coins",
            ),
            seat=plural(
                "You claim the Captain and take {coins} coin from {target:player}.",
                "You claim the Captain and take {coins} coins from {target:player}.",
                by="coins",
            ),
            target=plural(
                "{seat:player} claims the Captain and takes {coins} coin from you.",
                "{seat:player} claims the Captain and takes {coins} coins from you.",
                by="coins",
            ),
        ),
        "claims-ambassador": wording(
            phrase("{seat:player} claims the Ambassador, to exchange cards with the Court."),
            seat=phrase("You claim the Ambassador, to exchange cards with the Court."),
        ),
        "proven-assassin": phrase("{seat:player} has shown the Assassin, to strike {target:player}."),
        "proven-captain": plural(
            "{seat:player} has shown the Captain, to take {coins} coin from {target:player}.",
            "{seat:player} has shown the Captain, to take {coins} coins from {target:player}.",
            by="coins",
        ),
        "blocked-aid": wording(
            phrase("{blocker:player} blocks {seat:player}'s foreign aid as the {face:face}."),
            blocker=phrase("You block {seat:player}'s foreign aid as the {face:face}."),
            seat=phrase("{blocker:player} blocks your foreign aid as the {face:face}."),
        ),
        "blocked-assassin": wording(
            phrase("{blocker:player} blocks {seat:player}'s Assassin as the {face:face}."),
            blocker=phrase("You block {seat:player}'s Assassin as the {face:face}."),
            seat=phrase("{blocker:player} blocks your Assassin as the {face:face}."),
        ),
        "blocked-captain": wording(
            phrase("{blocker:player} blocks {seat:player}'s Captain as the {face:face}."),
            blocker=phrase("You block {seat:player}'s Captain as the {face:face}."),
            seat=phrase("{blocker:player} blocks your Captain as the {face:face}."),
        ),
        "doubted": phrase("{doubter:player} doubts {seat:player}'s {face:face}."),
        "shown": phrase("{seat:player} has shown the {face:face}."),
        "doubt-wrong": phrase(
            "{seat:player} has shown the {face:face}: the doubt costs {doubter:player} an influence."
        ),
        "claim-caught": phrase("{seat:player} doesn't show the {face:face}, and loses an influence."),
        "struck-coup": phrase("The coup of {seat:player} costs {target:player} an influence."),
        "struck-assassin": phrase("The Assassin of {seat:player} costs {target:player} an influence."),
        "exchanging": phrase("{seat:player} has drawn two cards from the Court."),
    },
    facts={
        "purse": Label(
            phrase("For a coup"), plural("{missing} more coin", "{missing} more coins", by="missing")
        ),
        "rich": Label(phrase("For a coup"), phrase("you have enough")),
        "claim": Label(phrase("Claimed"), phrase("{face:face}, says {by:player}")),
        "shown": Label(phrase("Shown"), phrase("{face:face}, by {by:player}")),
        "not-shown": Label(phrase("Not shown"), phrase("{face:face}, by {by:player}")),
        "doubt": Label(phrase("Doubted by"), phrase("{doubter:player}")),
        "waiting": Label(phrase("Still to speak"), phrase("{seats:players}")),
        "treasury": Label(phrase("Treasury"), plural("{coins} coin", "{coins} coins", by="coins")),
        "court": Label(phrase("Court"), plural("{cards} card", "{cards} cards", by="cards")),
        "target": Label(phrase("Target of"), phrase("{by:player}")),
        "means-challenge": Label(phrase("Means to"), phrase("challenge it")),
        "means-block": Label(phrase("Means to"), phrase("block as the {face:face}")),
        "claims": Label(phrase("Claims"), phrase("{claims} ({proven} shown, {caught} not)")),
        "challenges": Label(phrase("Challenges"), phrase("{challenges} ({right} right)")),
    },
    headlines={
        "purse": HeadlineWords(
            phrase("{coins}"), phrase("{seat:player} has"), plural("coin", "coins", by="coins")
        ),
        "stake": HeadlineWords(phrase("{coins}"), phrase("At stake"), plural("coin", "coins", by="coins")),
    },
    cards={"lost": phrase("Lost influence"), "claimed": phrase("The claim"), "blocking": phrase("The block")},
    counts={
        "influence": plural("{count} influence", "{count} influences", by="count"),
        "coins": plural("{count} coin", "{count} coins", by="count"),
    },
    rulings={
        "dealt": phrase(
            "Everybody gets two cards, face down, and {coins} coins. The other cards are the Court."
        ),
        "begins": phrase("{seat:player} begins."),
        "first-coin": plural(
            "With two players, {seat:player} begins with {coins} coin.",
            "With two players, {seat:player} begins with {coins} coins.",
            by="coins",
        ),
        "asks-aid": phrase("{seat:player} asks for foreign aid: {coins} coins."),
        "launches-coup": phrase("{seat:player} pays {coins} coins for a coup against {target:player}."),
        "claims-tax": phrase("{seat:player} claims the Duke: {coins} coins of tax."),
        "claims-assassin": phrase(
            "{seat:player} claims the Assassin, and pays {coins} coins to strike {target:player}."
        ),
        "claims-captain": phrase("{seat:player} claims the Captain, to take coins from {target:player}."),
        "claims-ambassador": phrase("{seat:player} claims the Ambassador, to exchange cards with the Court."),
        "takes": plural("{seat:player} takes {coins} coin.", "{seat:player} takes {coins} coins.", by="coins"),
        "treasury-empty": phrase("The Treasury is empty."),
        "steals": plural(
            "{seat:player} takes {coins} coin from {target:player}.",
            "{seat:player} takes {coins} coins from {target:player}.",
            by="coins",
        ),
        "draws": phrase("{seat:player} draws two cards from the Court."),
        "returns": phrase("{seat:player} has put two cards back into the Court."),
        "objections": plural(
            "{seat:player} asks: any objections? {seconds} second.",
            "{seat:player} asks: any objections? {seconds} seconds.",
            by="seconds",
        ),
        "tie": phrase("{seat:player} comes before {others:players}, at the same instant."),
        "means-to-challenge": phrase("{seat:player} means to challenge, unless another player comes first."),
        "means-to-block": phrase(
            "{seat:player} means to block as the {face:face}, unless another player comes first."
        ),
        "blocks": phrase("{seat:player} blocks as the {face:face}."),
        "challenged": phrase("{seat:player} challenges: {claimant:player} has to show the {face:face}."),
        "proved": phrase("{seat:player} shows the {card:face}: the challenge fails."),
        "swaps": phrase("{seat:player} shuffles the {card:face} into the Court and draws another card."),
        "keeps": phrase("{seat:player} keeps the {card:face}."),
        "concedes": phrase("{seat:player} doesn't show the {face:face}: the challenge succeeds."),
        "disproved": phrase(
            "{seat:player} shows the {card:face}, not the {face:face}: the challenge succeeds."
        ),
        "void": phrase("The action of {seat:player} fails."),
        "void-refunded": phrase("The action of {seat:player} fails; the {coins} coins come back."),
        "block-fails": phrase("The block of {seat:player} fails."),
        "block-holds": phrase("The block holds: the action of {seat:player} fails."),
        "block-holds-spent": phrase(
            "The block holds: the action of {seat:player} fails, and the {coins} coins stay spent."
        ),
        "loses": phrase("{seat:player} loses the {card:face}."),
        "out": phrase("{seat:player} is out."),
        "gives-back": plural(
            "{coins} coin of {seat:player} goes back to the Treasury.",
            "{coins} coins of {seat:player} go back to the Treasury.",
            by="coins",
        ),
        "won": phrase("{seat:player} wins the match."),
        "still-hidden": phrase(
            "Still hidden: Duke {duke}, Assassin {assassin}, Captain {captain}, Ambassador {ambassador},"
            " Contessa {contessa}."
        ),
        "all-open": phrase("All three lie open: {faces:faces}. A player who claims that now is bluffing."),
        "tally": phrase(
            "{seat:player}: claims {claims} (doubted {doubted}, disproved {caught}),"
            " challenges {challenges} (right {right})."
        ),
    },
    house={
        "two_player_first_coin": phrase("coins that the first player begins with, if there are two players"),
        "steal_zero": phrase("whether the Captain may choose a player who has no coins"),
        "challenger_may_block": phrase("the target who has challenged the action in vain may still block it"),
        "swap_after_proof": phrase("whether a card that proved a claim is always swapped for one of the Court"),
        "may_concede": phrase(
            "who is challenged may give in without laying a card, whether or not it is there"
        ),
        "priority": phrase("who comes first of several who react: the first button, or the next one clockwise"),
        "window": phrase(
            "until when one may react: until all let it pass or are asked for objections, or by the clock"
        ),
        "window_seconds": phrase("seconds for reacting, once the clock runs"),
        "proof_seconds": phrase("seconds for showing a card after a challenge"),
        "bank_unlimited": phrase("the Treasury never runs out of coins"),
    },
    values={
        "steal_zero.allow": phrase("yes"),
        "steal_zero.forbid": phrase("no"),
        "swap_after_proof.mandatory": phrase("always"),
        "swap_after_proof.optional": phrase("if its owner wants to"),
        "priority.button": phrase("the first button"),
        "priority.clockwise": phrase("the next one clockwise"),
        "window.all_pass": phrase("until all have let it pass"),
        "window.timer": phrase("by the clock"),
    },
    refusals={
        "seconds": phrase("the clock can be set to 1 to {most} seconds"),
        "has-to-coup": phrase("With {coins} coins, it has to be a coup."),
        "too-dear": phrase("That costs {cost}, you have {coins}."),
        "not-aimed": phrase("“{word:option}” isn't aimed at anybody."),
        "not-yourself": phrase("Not yourself: choose another player."),
        "target-out": phrase("{seat:player} is out of the game."),
        "no-coins": phrase("{seat:player} has no coins to take."),
        "no-claim": phrase("There is nothing to challenge: no character is claimed."),
        "block-stands": phrase("{seat:player} has blocked: that can be challenged, not blocked."),
        "no-block": phrase("“{word:option}” can't be blocked."),
        "not-target": phrase("Only {seat:player} can block that."),
        "wrong-block": phrase("That is blocked by {cards:faces} only."),
    },
    remarks={
        "coach-challenge": phrase(
            "{seat:player} challenged {claimant:player}'s {face:face}. By the cards that were known it was true"
            " with {chance:share}; with {honest:share} if one claim in eight is a bluff."
        ),
        "coach-pass": phrase(
            "{seat:player} let {claimant:player}'s {face:face} pass. By the cards that were known it was true"
            " with {chance:share}; with {honest:share} if one claim in eight is a bluff."
        ),
        "coach-unseen": plural(
            "{cards} card of that hand never came to light: these chances don't know it.",
            "{cards} cards of that hand never came to light: these chances don't know them.",
            by="cards",
        ),
        "coach-played-on": phrase(
            "Played on {deals} times with hidden hands dealt anew, plain bots won {challenge:share} after a"
            " challenge and {passing:share} after a pass, give or take {error:share}; random bots"
            " {random_challenge:share} and {random_passing:share}."
        ),
    },
    statistics={
        "standing-influence": phrase("Influence"),
        "standing-coins": phrase("Coins"),
        "turns": phrase("Turns"),
        "claims": phrase("Characters claimed"),
        "blocks": phrase("Blocks"),
        "proven": phrase("Claims proven"),
        "caught": phrase("Claims disproved"),
        "doubted": phrase("Claims challenged"),
        "challenges": phrase("Challenges"),
        "challenges-right": phrase("Challenges that were right"),
        "coups": phrase("Coups launched"),
        "lost": phrase("Influence lost"),
        "rate-bluffs": phrase("Bluffs among the claims challenged"),
        "rate-caught": phrase("Claims caught"),
        "rate-challenges": phrase("Challenges right"),
    },
)
