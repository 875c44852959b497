"""What the referee says in Coup."""

from referee.contract.words import HeadlineWords, Label, Words, phrase, plural

WORDS = Words(
    title=phrase("Coup"),
    editions={},
    asks={
        "opener": phrase("Who begins?"),
        "action": phrase("{seats:players}: which action?"),
        "must-coup": phrase("{seats:players}: with ten coins or more it has to be a coup. Against whom?"),
        "challenge": phrase("{seats:players}: do you believe it?"),
        "challenge-or-block": phrase("{seats:players}: challenge, block, or let it pass?"),
        "block": phrase("{seats:players}: block it, or let it pass?"),
        "objections": phrase("{seats:players} may ask for objections; then the clock runs."),
        "concede": phrase("{seats:players}: show it, or give in?"),
        "prove": phrase("{seats:players}: to show it, lay the card under the camera, face up. Which is it?"),
        "swap": phrase("{seats:players}: swap that card for one of the Court, or keep it?"),
        "lose": phrase("{seats:players}: which card do you turn up?"),
        "exchange": phrase("{seats:players}: put any two back into the Court, shuffle it, and say done."),
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
    faces={
        "duke": phrase("Duke"),
        "assassin": phrase("Assassin"),
        "captain": phrase("Captain"),
        "ambassador": phrase("Ambassador"),
        "contessa": phrase("Contessa"),
    },
    situations={
        "turn": plural(
            "It is {seat:player}'s turn, with {coins} coin.",
            "It is {seat:player}'s turn, with {coins} coins.",
            by="coins",
        ),
        "asks-aid": phrase("{seat:player} asks for foreign aid: {coins} coins."),
        "claims-tax": phrase("{seat:player} claims the Duke, for {coins} coins of tax."),
        "claims-assassin": phrase("{seat:player} claims the Assassin, to strike {target:player}."),
        "claims-captain": plural(
            "{seat:player} claims the Captain, to take {coins} coin from {target:player}.",
            "{seat:player} claims the Captain, to take {coins} coins from {target:player}.",
            by="coins",
        ),
        "claims-ambassador": phrase("{seat:player} claims the Ambassador, to exchange cards with the Court."),
        "proven-assassin": phrase("{seat:player} has shown the Assassin, to strike {target:player}."),
        "proven-captain": plural(
            "{seat:player} has shown the Captain, to take {coins} coin from {target:player}.",
            "{seat:player} has shown the Captain, to take {coins} coins from {target:player}.",
            by="coins",
        ),
        "blocked-aid": phrase("{blocker:player} blocks {seat:player}'s foreign aid as the {face:face}."),
        "blocked-assassin": phrase("{blocker:player} blocks {seat:player}'s Assassin as the {face:face}."),
        "blocked-captain": phrase("{blocker:player} blocks {seat:player}'s Captain as the {face:face}."),
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
    questions={
        "action": phrase("What does {seat:player} do?"),
        "doubt": phrase("Does any player not believe it?"),
        "doubt-or-block": phrase("Does any player not believe it? {target:player} may also block."),
        "block-it": phrase("Does {target:player} block it?"),
        "aid": phrase("Does any player claim the Duke, to block it?"),
        "block": phrase("Does any player not believe the block?"),
        "prove": phrase("Can {seat:player} show the {face:face}?"),
        "lose": phrase("Which card does {seat:player} turn up?"),
    },
    cards={
        "lost": phrase("Lost influence"),
        "claimed": phrase("The claim"),
        "blocking": phrase("The block"),
    },
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
