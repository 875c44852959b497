"""Coup's texts."""

from referee.contract.words import HeadlineWords, Label, Words, plural, wording

WORDS = Words(
    title="Coup",
    pitch="Claim whichever characters you like. Who dares to challenge you?",
    asks={
        "opener": "Who begins?",
        "action": wording(
            "Which action does {seats:players} take, with {coins} [coin|coins]?",
            seats="You have {coins} [coin|coins]. Which action do you take?",
        ),
        "must-coup": "[{seats:players} has|You have] {coins} coins, and must launch a coup. Against whom?",
        "challenge": wording("Who challenges it?", seats="Do you challenge it?"),
        "challenge-or-block-steal": wording(
            "Will {seats:players} challenge [{seat:actor}'s|your] Captain, block it, or lose"
            " {coins} [coin|coins]?",
            also="{seats:players} may also block the Captain.",
            seats="{seat:actor} claims the Captain, to take {coins} [coin|coins] from you. Do you challenge"
            " or block it?",
        ),
        "challenge-or-block-assassinate": wording(
            "Will {seats:players} challenge [{seat:actor}'s|your] Assassin, block it, or lose an influence?",
            also="{seats:players} may also block the Assassin.",
            seats="{seat:actor} claims the Assassin, to strike you. Do you challenge or block it?",
        ),
        "block-foreign-aid": wording(
            plural(
                "{seat:actor} asks for {coins} coins of foreign aid. Will {seats:players} block it?",
                "{seat:actor} asks for {coins} coins of foreign aid. Who blocks it as the Duke?",
                by="asked",
            ),
            seats="{seat:actor} asks for {coins} coins of foreign aid. Do you block it?",
            seat="You ask for {coins} coins of foreign aid. Who blocks it as the Duke?",
        ),
        "block-steal": wording(
            "Will {seats:players} block [{seat:actor}'s|your] Captain, or lose {coins} [coin|coins]?",
            seats="{seat:actor} has shown the Captain, to take {coins} [coin|coins] from you. Do you block it?",
        ),
        "block-assassinate": wording(
            "Will {seats:players} block [{seat:actor}'s|your] Assassin, or lose an influence?",
            seats="{seat:actor} has shown the Assassin, to strike you. Do you block it?",
        ),
        "objections": wording(
            "Will {seats:players} start the {seconds}-second clock?",
            also="{seats:players} may also start the {seconds}-second clock.",
            seats="Start the {seconds}-second clock?",
        ),
        "prove": wording(
            "Which card does {seats:players} show, to prove the {face:face} to {doubter:actor}?",
            seats="{doubter:actor} challenges your {face:face}. Which card do you show?",
            doubter="You challenge {seats:players}'s {face:face}. Which card proves it?",
        ),
        "prove-or-concede": wording(
            "Will {seats:players} show the {face:face} that [{doubter:actor} challenges|you challenge], or"
            " give in?",
            seats="{doubter:actor} challenges your {face:face}. Do you show it to the camera, or give in?",
        ),
        "swap": wording(
            "Does {seats:players} swap the {face:face} shown for a card of the Court, or keep it?",
            seats="You have shown the {face:face}. Do you swap it for a card of the Court, or keep it?",
        ),
        "lose-doubt": "[{seat:actor} has|You have] shown the {face:face}. Which card [does {seats:players}|do"
        " you] turn up?",
        "lose-claim": wording(
            "Which card does {seats:players} turn up, having shown no {face:face}?",
            seats="You have shown no {face:face}. Which card do you turn up?",
        ),
        "lose-coup": "Which card [does {seats:players}|do you] turn up, after [{seat:actor}'s|your] coup?",
        "lose-assassinate": "Which card [does {seats:players}|do you] turn up, after [{seat:actor}'s|your]"
        " Assassin?",
        "exchange": wording(
            "Has {seats:players}, as the Ambassador, put two cards back into the Court?",
            seats="You have two cards of the Court. Put any two back, shuffle it, and say that it is done.",
        ),
    },
    options={
        "opens": "{seat:player} begins",
        "income": "income: 1 coin",
        "foreign-aid": "foreign aid: 2 coins",
        "coup": "7 coins for a coup against {seat:player}",
        "tax": "as the Duke: 3 coins of tax",
        "assassinate": "as the Assassin: 3 coins to strike {seat:player}",
        "steal": "as the Captain: 2 coins from {seat:player}",
        "exchange": "as the Ambassador: exchange cards with the Court",
        "challenge": "I challenge it",
        "block": "I block as the {face:face}",
        "pass": "I let it pass",
        "objections": "start the clock",
        "concede": "I don't show it",
        "swap": "I swap it",
        "keep": "I keep it",
    },
    short={
        "income": "income",
        "foreign-aid": "foreign aid",
        "tax": "tax",
        "steal": "steal",
        "exchange": "exchange",
        "assassinate": "assassinate",
        "coup": "coup",
        "challenge": "I challenge",
        "block": "I block",
    },
    effects={
        "income": "No player can object.",
        "foreign-aid": "A Duke can block it.",
        "tax": "You say you are the Duke.",
        "steal": "{coins} [coin|coins], as the Captain",
        "exchange": "You swap cards, as the Ambassador.",
        "assassinate": "A player turns a card up, as you say you are the Assassin.",
        "coup": "A player turns a card up, and can't object.",
        "challenge": "Challenge {claimant:actor}'s {face:face}",
        "block": "I block as the {face:face}",
        "pass": "I let it pass",
        "concede": "You lose an influence.",
        "swap": "No player knows then what you hold.",
        "keep": "All have seen it.",
        "objections": "After {seconds} s, silence means passing.",
    },
    endings={
        "doubt-right-action": Label(
            "{claimant:player} shows no {face:face}", "{claimant:player} turns a card up, and the action fails"
        ),
        "doubt-right-keep": Label(
            "{claimant:player} shows no {face:face}",
            "{claimant:player} turns a card up, and you keep {coins} [coin|coins]",
        ),
        "doubt-right-block": Label(
            "{claimant:player} shows no {face:face}", "{claimant:player} turns a card up, and the block fails"
        ),
        "doubt-wrong-action": Label(
            "{claimant:player} shows the {face:face}", "you turn a card up, and the action goes on"
        ),
        "doubt-wrong-block": Label(
            "{claimant:player} shows the {face:face}", "you turn a card up, and the block holds"
        ),
        "block-passed": Label("No player challenges it", "{seat:player}'s action fails"),
        "block-caught": Label("Challenged, and no {face:face}", "you turn a card up, and the action goes on"),
        "pass-takes": Label("No player objects", "{seat:player} takes {coins} [coin|coins]"),
        "pass-assassinate": Label("No player objects", "[{target:player} turns|you turn] a card up"),
        "pass-exchange": Label("No player objects", "{seat:player} swaps cards with the Court"),
        "pass-blocked": Label("No player objects", "[{seat:player}'s|your] action fails"),
    },
    hints={
        "action": "A claim need not be true. If you are challenged and can't show the card, you turn one up.",
        "challenge": "Challenge it, or let it pass. If the card is shown, you turn one of yours up."
        " If it isn't, the other player does.",
        "challenge-or-block": "Challenge, block, or let it pass. To block, say that you hold a character that"
        " stops it. That can be challenged, too.",
        "block": "Block it, or let it pass. To block, say that you hold a character that stops it.",
        "concede": "The card under the camera proves it. Or give in, and turn a card up.",
        "lose": "Lay the card open before you. Which one is up to you.",
        "must-coup": "Ten coins or more must become a coup. Choose against whom.",
        "exchange": "Keep as many cards as you had. Look at yours and the two from the Court first.",
    },
    answers={
        "lose": "I turn up the {card:face}",
        "prove": "I show the {card:face}",
        "exchange": plural("Return this card", "Return these {count} cards", by="count"),
    },
    faces={
        "duke": "Duke",
        "assassin": "Assassin",
        "captain": "Captain",
        "ambassador": "Ambassador",
        "contessa": "Contessa",
    },
    definite={
        "duke": "the Duke",
        "assassin": "the Assassin",
        "captain": "the Captain",
        "ambassador": "the Ambassador",
        "contessa": "the Contessa",
    },
    indefinite={
        "duke": "a Duke",
        "assassin": "an Assassin",
        "captain": "a Captain",
        "ambassador": "an Ambassador",
        "contessa": "a Contessa",
    },
    verdicts={
        "not-shown": "[{seat:player} shows|You show] no {claimed:face}.",
        "not-shown-lost": "[{seat:player}|You] showed no {claimed:face}, and turned up the {card:face}.",
        "shown": "[{seat:player} shows|You show] the {shown:face}: [{other:player} was|you were] wrong.",
        "shown-lost": "[{seat:player}|You] showed the {shown:face}, and [{other:player}|you] turned up the"
        " {card:face}.",
        "shown-takes": "[{seat:player}|You] showed the {shown:face}, and took {coins} [coin|coins].",
        "shown-holds": wording(
            "{seat:player} showed the {shown:face}: the block holds.",
            seat="You showed the {shown:face}: your block holds.",
        ),
        "blocked": wording(
            "{seat:player} blocked [{other:player}|you], claiming the {claimed:face}.",
            seat="You blocked {other:player} as the {claimed:face}.",
        ),
        "coup-lost": "[{seat:player}|You] turned up the {card:face} after [{other:player}'s|your] coup.",
        "assassin-lost": "[{seat:player}|You] turned up the {card:face} after [{other:player}'s|your]"
        " Assassin.",
    },
    reveals={"doubted": "[{seat:player}|You] challenged [{claimant:player}'s|your] ⟦{face:face}⟧"},
    asides={
        "true": "I said the {face:face}, and it was true.",
        "dared": "I said the {face:face}: I dared it.",
        "unbelieving": "I had to challenge it.",
    },
    situations={
        "turn": "It is [{seat:player}'s|your] turn, with {coins} [coin|coins].",
        "asks-aid": "[{seat:actor} asks|You ask] for foreign aid: {coins} coins.",
        "claims-tax": "[{seat:actor} claims|You claim] the Duke, for {coins} coins of tax.",
        "claims-assassin": "[{seat:actor} claims|You claim] the Assassin, to strike [{target:player}|you].",
        "claims-captain": "[{seat:actor} claims|You claim] the Captain, to take {coins} [coin|coins] from"
        " [{target:player}|you].",
        "claims-ambassador": "[{seat:actor} claims|You claim] the Ambassador, to exchange cards with the"
        " Court.",
        "proven-assassin": "[{seat:actor} has|You have] shown the Assassin, to strike [{target:player}|you].",
        "proven-captain": "[{seat:actor} has|You have] shown the Captain, to take {coins} [coin|coins] from"
        " [{target:player}|you].",
        "blocked-aid": "[{blocker:actor} blocks|You block] [{seat:actor}'s|your] foreign aid as the"
        " {face:face}.",
        "blocked-assassin": "[{blocker:actor} blocks|You block] [{seat:actor}'s|your] Assassin as the"
        " {face:face}.",
        "blocked-captain": "[{blocker:actor} blocks|You block] [{seat:actor}'s|your] Captain as the"
        " {face:face}.",
        "doubted": "[{doubter:actor} challenges|You challenge] [{seat:actor}'s|your] {face:face}.",
        "shown": "[{seat:actor} has|You have] shown the {face:face}.",
        "doubt-wrong": "[{seat:actor} has|You have] shown the {face:face}: the challenge costs"
        " [{doubter:player}|you] an influence.",
        "claim-caught": wording(
            "{seat:player} doesn't show the {face:face}, and loses an influence.",
            seat="You don't show the {face:face}, and lose an influence.",
        ),
        "struck-coup": "[{seat:actor}'s|Your] coup costs [{target:player}|you] an influence.",
        "struck-assassin": "[{seat:actor}'s|Your] Assassin costs [{target:player}|you] an influence.",
        "exchanging": "[{seat:actor} has|You have] drawn two cards from the Court.",
    },
    places={
        "out-coup": "out in turn {turn}, a coup",
        "out-assassinate": "out in turn {turn}, an assassin",
        "out-caught": "out in turn {turn}, caught bluffing",
        "out-challenge": "out in turn {turn}, a wrong challenge",
    },
    highlights={
        "bluff": Label(
            "Best bluff",
            "{seat:actor} claimed the {face:face} [once|{count} times] without it. Nobody challenged.",
        ),
        "challenge-right": Label(
            "Last challenge",
            "Turn {turn}: {seat:actor} challenged {claimant:actor}'s {face:face}, and was right.",
        ),
        "challenge-wrong": Label(
            "Last challenge",
            "Turn {turn}: {seat:actor} challenged {claimant:actor}'s {face:face}, and was wrong.",
        ),
    },
    captions={"claimed": "claimed", "turned-up": "held"},
    length="{count} [turn|turns]",
    numbered="Turn {number}",
    by_round="Turn by turn",
    facts={
        "purse": Label("For a coup", "{missing} more [coin|coins]"),
        "rich": Label("For a coup", "you have enough"),
        "claim": Label("Claimed", "{face:face}, says {by:actor}"),
        "shown": Label("Shown", "{face:face}, by {by:actor}"),
        "not-shown": Label("Not shown", "{face:face}, by {by:actor}"),
        "doubt": Label("Challenged by", "{doubter:actor}"),
        "waiting": Label("Still to speak", "{seats:players}"),
        "treasury": Label("Treasury", "{coins} [coin|coins]"),
        "court": Label("Court", "{cards} [card|cards]"),
        "target": Label("Target of", "{by:actor}"),
        "means-challenge": Label("Means to", "challenge it"),
        "means-block": Label("Means to", "block as the {face:face}"),
        "claims": Label("Claims", "{claims} ({proven} shown, {caught} caught)"),
        "challenges": Label("Challenges", "{challenges} ({right} right)"),
    },
    headlines={
        "purse": HeadlineWords("{coins}", "{seat:player} has", plural("coin", "coins", by="coins")),
        "stake": HeadlineWords("{coins}", "At stake", plural("coin", "coins", by="coins")),
    },
    cards={"lost": "Lost influence", "claimed": "The claim", "blocking": "The block"},
    counts={"influence": "{count} [influence|influences]", "coins": "{count} [coin|coins]"},
    rulings={
        "dealt": "Everybody gets two cards, face down, and {coins} coins. The other cards are the Court.",
        "begins": "{seat:player} begins.",
        "first-coin": "With two players, {seat:player} begins with {coins} [coin|coins].",
        "asks-aid": "{seat:player} asks for foreign aid: {coins} coins.",
        "launches-coup": "{seat:player} pays {coins} coins for a coup against {target:player}.",
        "claims-tax": "{seat:player} claims the Duke: {coins} coins of tax.",
        "claims-assassin": "{seat:player} claims the Assassin, and pays {coins} coins to strike"
        " {target:player}.",
        "claims-captain": "{seat:player} claims the Captain, to take coins from {target:player}.",
        "claims-ambassador": "{seat:player} claims the Ambassador, to exchange cards with the Court.",
        "takes": "{seat:player} takes {coins} [coin|coins].",
        "treasury-empty": "The Treasury is empty.",
        "steals": "{seat:player} takes {coins} [coin|coins] from {target:player}.",
        "draws": "{seat:player} draws two cards from the Court.",
        "returns": "{seat:player} has put two cards back into the Court.",
        "objections": "{seat:player} starts the clock: {seconds} [second|seconds].",
        "tie": "{seat:player} comes before {others:players}, at the same instant.",
        "means-to-challenge": "{seat:player} means to challenge, unless another player comes first.",
        "means-to-block": "{seat:player} means to block as the {face:face}, unless another player comes first.",
        "blocks": "{seat:player} blocks as the {face:face}.",
        "challenged": "{seat:player} challenges: {claimant:player} has to show the {face:face}.",
        "proved": "{seat:player} shows the {card:face}: the challenge was wrong.",
        "swaps": "{seat:player} shuffles the {card:face} into the Court and draws another card.",
        "keeps": "{seat:player} keeps the {card:face}.",
        "concedes": "{seat:player} doesn't show the {face:face}: the challenge was right.",
        "disproved": "{seat:player} shows the {card:face}, not the {face:face}: the challenge was right.",
        "void": "{seat:actor}'s action fails.",
        "void-refunded": "{seat:actor}'s action fails; the {coins} coins come back.",
        "block-fails": "{seat:actor}'s block fails.",
        "block-holds": "The block holds: {seat:actor}'s action fails.",
        "block-holds-spent": "The block holds: {seat:actor}'s action fails, and the {coins} coins stay spent.",
        "loses": "{seat:player} loses the {card:face}.",
        "out": "{seat:player} is out.",
        "gives-back": "{seat:player}'s {coins} [coin goes|coins go] back to the Treasury.",
        "won": "{seat:player} wins the match.",
        "still-hidden": "Still hidden: Duke {duke}, Assassin {assassin}, Captain {captain}, Ambassador"
        " {ambassador}, Contessa {contessa}.",
        "all-open": "All three lie open: {faces:faces}. A player who claims that now is bluffing.",
        "tally": "{seat:people}: claims {claims} (challenged {doubted}, caught {caught}), challenges"
        " {challenges} (right {right}).",
    },
    instructions={"swaps": "You have shown the {card:face}. Shuffle it into the Court, and draw another card."},
    house={
        "two_player_first_coin": "starting coins of the first player in a match of two",
        "steal_zero": "whether the Captain may choose a player who has no coins",
        "challenger_may_block": "a target whose challenge failed may still block the action",
        "swap_after_proof": "whether a card that proved a claim is always swapped for one of the Court",
        "may_concede": "a challenged player may give in without laying a card, whether or not they have it",
        "priority": "the reaction that counts: of the first button, or of the next player clockwise",
        "window": "time to react: until everyone passes or somebody starts the clock, or by the clock",
        "window_seconds": "seconds for reacting, once the clock runs",
        "proof_seconds": "seconds for showing a card after a challenge",
        "bank_unlimited": "the Treasury never runs out of coins",
    },
    values={
        "steal_zero.allow": "yes",
        "steal_zero.forbid": "no",
        "swap_after_proof.mandatory": "always",
        "swap_after_proof.optional": "if its owner wants to",
        "priority.button": "the first button",
        "priority.clockwise": "the next one clockwise",
        "window.all_pass": "until all have let it pass",
        "window.timer": "by the clock",
    },
    refusals={
        "seconds": "the clock can be set to 1 to {most} seconds",
        "has-to-coup": "With {coins} coins, it has to be a coup.",
        "too-dear": "That costs {cost}, you have {coins}.",
        "not-aimed": "“{word:option}” isn't aimed at anybody.",
        "not-yourself": "Not yourself: choose another player.",
        "target-out": "{seat:player} is out of the game.",
        "no-coins": "{seat:player} has no coins to take.",
        "no-claim": "There is nothing to challenge: no character is claimed.",
        "block-stands": "{seat:player} has blocked: that can be challenged, not blocked.",
        "no-block": "“{word:option}” can't be blocked.",
        "not-target": "Only {seat:player} can block that.",
        "wrong-block": "That is blocked by {cards:faces} only.",
    },
    remarks={
        "coach-challenge": "{seat:player} challenged {claimant:player}'s {face:face}, true with"
        " {honest:share}.",
        "coach-pass": "{seat:player} let {claimant:player}'s {face:face} pass, true with {honest:share}.",
        "coach-rather-pass": "Passing was better: {gain} more wins in 100 (± {margin}).",
        "coach-rather-challenge": "A challenge was better: {gain} more wins in 100 (± {margin}).",
    },
    statistics={
        "standing-influence": "Influence",
        "standing-coins": "Coins",
        "turns": "Turns",
        "claims": "Characters claimed",
        "blocks": "Blocks",
        "proven": "Claims proven",
        "caught": "Claims caught",
        "doubted": "Claims challenged",
        "challenges": "Challenges",
        "challenges-right": "Challenges that were right",
        "coups": "Coups launched",
        "lost": "Lost influence",
        "rate-bluffs": "Bluffs among the claims challenged",
        "rate-caught": "Claims caught",
        "rate-challenges": "Challenges right",
    },
)
