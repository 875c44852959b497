"""Coup d'État's texts."""

from referee.contract.words import HeadlineWords, Label, Words, plural, wording
from referee.games.coup_d_etat.state import CONTRACTS, PIQUET
from referee.kit.french_cards import CARD_NAMES, SUIT_NAMES, SUIT_WORDS

_CONTRACTS: dict[str, str] = {name: name.capitalize() for name in CONTRACTS}
OPTIONS = {
    "attempt": "I hold the Coup card and attempt a coup",
    "decline": "I hold the Coup card and lay it away",
    "redeal": "the Coup card lies in the middle: deal again",
    **_CONTRACTS,
    "only": "I hold only suits that may not be led",
    **{word: word for word in SUIT_WORDS},
    "tried": "yes, I tried a secret coup",
    "untried": "no",
    "pass": "I pass",
    "enough": "that is enough",
    "stop": "stop this deal here",
    "borrow": "I ask for a loan",
    "lend": "I lend it",
    "refuse": "I don't lend",
}
EFFECTS = {
    "attempt": "Fulfil a contract alone, or pay the bank {amount:money} F.",
    "decline": "You take the middle card for it, and the President chooses.",
    "redeal": "No player holds it: all cards are dealt anew.",
    "barbu-president": "{amount:money} F for the king of hearts",
    "victory-president": "{amount:money} F for each queen",
    "siege-president": "{amount:money} F for each spade",
    "prison-president": "{amount:money} F for the first trick, and for the last",
    "guillotine-president": "king, queens, spades, first and last trick",
    "dominos-president": "{amount:money} F from the last with cards",
    "barbu-coup": "take the king of hearts: {reward:money} F from each",
    "victory-coup": "take all four queens: {reward:money} F from each",
    "siege-coup": "take all spades: {reward:money} F from each",
    "prison-coup": "take the first and the last trick: {reward:money} F from each",
    "guillotine-coup": "take all that counts: {reward:money} F from each",
    "dominos-coup": "be the first without cards: {reward:money} F from each",
    "only": "Then any card may be led. Later cards show whether it was so.",
    "tried": "You pay the bank, not the President.",
    "untried": "You pay the President.",
    "borrow": "{amount:money} F now if another player lends, {back:money} F back in the end",
    "lend": "{amount:money} F now, {back:money} F back in the end",
    "refuse": "The next player is asked.",
    "pass": "Only if none of your cards fits.",
    "enough": "The next player lays.",
    "stop": "The deal ends here, and its contract is used up.",
}
HINTS = {
    "draw": "The highest card makes the President. Each draws one: lay yours open before you.",
    "holder": "The Coup card turns the deal round. Who holds it may play alone against all. Look at your hand"
    " first.",
    "contract": "The contract says what costs money. It holds for this deal, and each is played once in a"
    " tour.",
    "card": "Lay a card in the middle. The camera reads it. Follow the suit that was led, if you can.",
    "domino": "Begin a suit's row, or lay next to it. Rows go up and down; the 10 lies between jack and 9.",
    "lend": "You may lend what is missing. In the end it comes back with interest.",
    "lend-ahead": "You may lend what is asked for. In the end it comes back with interest.",
    "only": "Some suits may not be led now. Say so if your hand holds nothing else.",
}
ANSWERS = {
    "card": "I laid the {card:face}",
    "domino": "I laid the {card:face}",
    "draw": "I drew the {card:face}",
    "middle": "It is the {card:face}",
}
REFUSALS = {
    "contract-used": "{word:face} has been played in this tour already.",
    "contract-left-out": "{word:face} is left out of the simplified game.",
    "suit-barred": "That suit can't be asked for here: {suits:faces} may not be led.",
    "left-out": "the simplified game leaves out {count} different contracts",
    "lead-barbu": "{card:face}: in Barbu no heart may be led here. Take it back, or say first that the hand"
    " has nothing else.",
    "lead-siege": "{card:face}: in Siege no spade may be led here. Take it back, or say first that the hand"
    " has nothing else.",
    "lead-guillotine": "{card:face}: in Guillotine neither heart nor spade may be led here. Take it back, or"
    " say first that the hand has nothing else.",
    "coup-of-another": "The Coup card belongs to the player who attempts the coup: take it back, play another.",
    "coup-last": "{card:face} can't be the last card of this hand: that is the Coup card, which has not been"
    " played yet.",
    "no-fit": "{card:face} fits no row: take it back. Play one that continues a row or opens one, or pass.",
    "already-seen": "{card:face} has been seen already: take it away. If it was misread then, correct that.",
    "card-count": "One card at a time, not {shown}: leave the card of who is in turn, take the others back.",
}
HOUSE = {
    "next_tour": "who is President in the next tour: left of who began this tour, or of who is President",
    "lead_rule": "the suits that may not be led: in the first trick, or in all of them",
    "coup_card": "when the Coup card may be played: at any time, or only if one can't follow suit",
    "coup_led": "when the Coup card is led, the others are free, or its player names a suit",
    "guillotine": "what a coup with Guillotine has to take: all that the memento lists, or every trick",
    "secret_coup": "a player who takes all that counts against the President becomes President",
    "secret_takes_bank": "a secret coup also brings what is in the bank",
    "secret_fail": "payee of a player who declares a failed secret coup",
    "domino_open": "which rank opens a row in Dominos: that of the first card, or any that lies there",
    "ace_chain": "after which ace one may go on laying: one laid on a king, or any",
    "revoke_penalty": "a revoke voids the deal and costs 800 F; or only costs 800 F; or is only announced",
    "early_stop": "a deal ends as soon as all that counts has been taken",
    "loans_ahead": "a player with less than 1000 F may borrow before a deal, without owing any",
    "left_out": "simplified game: two contracts to leave out",
}
VALUES = {
    "next_tour.left_of_starter": "left of who began this tour",
    "next_tour.left_of_president": "left of who is President",
    "lead_rule.opening": "in the first trick",
    "lead_rule.all_leads": "in all of them",
    "coup_card.free": "at any time",
    "coup_card.only_when_void": "only if one can't follow suit",
    "coup_led.free": "the others are free",
    "coup_led.leader_names_suit": "its player names a suit",
    "guillotine.listed": "all that the memento lists",
    "guillotine.all_tricks": "every trick",
    "secret_fail.president": "the President",
    "secret_fail.bank": "the bank",
    "domino_open.start_rank": "that of the first card",
    "domino_open.any_matching": "any that lies there",
    "ace_chain.on_king": "one laid on a king",
    "ace_chain.any_ace": "any ace",
    "revoke_penalty.void": "the deal is void, and it costs 800 F",
    "revoke_penalty.pays": "it costs 800 F",
    "revoke_penalty.told": "it is only announced",
}
REMARKS = {
    "coach-card": "{seat:player} laid {card:face}: {chance:share} to take the trick, worth {stake:money} F.",
    "coach-card-sure": "{seat:player} laid {card:face}, sure to take the trick, worth {stake:money} F.",
    "coach-card-coup": "{seat:player} laid {card:face}: {chance:share} to take the trick.",
    "coach-card-lost": "{seat:player} laid {card:face}, which couldn't take the trick.",
    "coach-rather-card": "{card:face} was better: {chance:share}, about {lost:money} F more.",
    "coach-played-on-card": "{seat:player} laid {instead:face}. {card:face} was better: about {gain:money} F"
    " more (± {margin:money} F).",
}
STATISTICS = {
    "standing-money": "Money, in F",
    "deals": "Deals",
    "contracts": "Contracts chosen as President",
    "contracts-made": "Contracts that brought money",
    "coups": "Coups attempted",
    "coups-won": "Coups that succeeded",
    "deals-won": "Deals that brought money",
    "money-won": "Money won, in F",
    "money-lost": "Money lost, in F",
    "revokes": "Revokes",
    "rate-contracts": "Contracts made",
    "rate-coups": "Coups won",
    "rate-deals": "Deals won",
    "mean-won": "Won a deal, in F",
    "mean-lost": "Lost a deal, in F",
}


WORDS = Words(
    title="Coup d'État",
    pitch="Take tricks for the President, or take the Palace with the Coup card.",
    editions={},
    asks={
        "draw": "Which card [does {seats:players}|do you] draw? The highest makes the first President.",
        "draw-again": "Equal cards were drawn. Which one [does {seats:players}|do you] draw now, to be"
        " President?",
        "holder": wording(
            "Does the holder of the Coup card attempt a coup? {president:player} is President.",
            seats="Do you hold the Coup card? If so, do you attempt a coup in deal {deal}?",
        ),
        "nobody": "If no player holds the Coup card, turn the middle card up.",
        "contract": "[Which contract does President {seats:players}|President, which contract do you] choose"
        " for deal {deal} of tour {tour}?",
        "coup-contract": "In which contract [does {seats:players}|do you] attempt the coup of deal {deal}?",
        "card-lead": "Which card [does {seats:players}|do you] lead to trick {trick} of {contract:face}?",
        "card-follow": "Which card [does {seats:players}|do you] lay on trick {trick} of {contract:face}, led"
        " in {suit:face}?",
        "card": "Which card [does {seats:players}|do you] lay on trick {trick} of {contract:face}?",
        "card-coup": "[{seats:players} has|You have] only the Coup card left. If not, the host corrects who"
        " attempted a coup.",
        "only": wording(
            "Does {seats:players} hold only suits that {contract:face} doesn't let lead?",
            also="{seats:players} may also say: I hold only suits that may not be led.",
            seats="Do you hold only suits that may not be led in {contract:face}?",
        ),
        "suit": "Which suit do all follow on [{seats:players}'s|your] Coup card, trick {trick} of"
        " {contract:face}?",
        "middle": "Which middle card goes to [{seats:players}|you] with the first trick of {contract:face}?",
        "secret": wording(
            plural(
                "Did {seats:players} try a secret coup in {contract:face}?",
                "Who tried a secret coup in {contract:face}?",
                by="asked",
            ),
            seats="Did you try a secret coup in {contract:face}?",
        ),
        "domino-first": "With which card [does {seats:players}|do you] begin {contract:face}?",
        "domino-or-pass": wording(
            "Will {seats:players}, with {left} [card|cards] left in {contract:face}, lay [it|one], or pass?",
            seats="With {left} [card|cards] left in {contract:face}, [do you lay it, or|which one do you lay,"
            " or do you] pass?",
        ),
        "domino-or-enough": wording(
            "{seats:players} has laid an ace in {contract:face}. Does another card follow?",
            seats="You have laid an ace in {contract:face}. Do you lay another card, or is it enough?",
        ),
        "stop": "A revoke spoils this deal of {contract:face}. It may also be stopped here.",
        "borrow": wording(
            plural(
                "Does {seats:players} ask for a loan of {loan:money} F before this deal?",
                "Who asks for a loan of {loan:money} F before this deal?",
                by="asked",
            ),
            also=plural(
                "{seats:players} may also ask for a loan of {loan:money} F.",
                "Those with less may also ask for a loan of {loan:money} F.",
                by="asked",
            ),
            seats="Do you ask for a loan of {loan:money} F before this deal?",
        ),
        "lend-ahead": wording(
            "{borrower:actor} asks for {loan:money} F. Who lends it?",
            seats="{borrower:actor} asks for {loan:money} F. Do you lend it?",
        ),
        "lend": wording(
            "{payer:player} lacks {short:money} F for {payee:player}. Who lends it?",
            payee="{payer:player} lacks {short:money} F for you. Do you lend it?",
            seats="{payer:player} lacks {short:money} F for {payee:player}. Do you lend it?",
        ),
        "lend-bank": wording(
            "{payer:player} lacks {short:money} F for the bank. Who lends it?",
            seats="{payer:player} lacks {short:money} F for the bank. Do you lend it?",
        ),
    },
    options=OPTIONS,
    answers=ANSWERS,
    effects=EFFECTS,
    hints=HINTS,
    suits={name: SUIT_NAMES[suit] for name, suit in SUIT_WORDS.items()},
    faces={
        "coup": "Coup card",
        **{card: CARD_NAMES[card] for card in PIQUET.counts if card in CARD_NAMES},
        # suits and contracts are faces, too, because rulings and situations name them
        **SUIT_NAMES,
        **_CONTRACTS,
        **{f"coup-{name}": f"the {told} coup" for name, told in _CONTRACTS.items()},
    },
    verdicts={
        "coup-won": "[{seat:player}'s|Your] coup succeeds, and brings {amount:money} F.",
        "coup-failed": "[{seat:player}'s|Your] coup fails, and costs {amount:money} F.",
        "secret-coup": "A secret coup: [{seat:player}|you] took all that counts, for {amount:money} F.",
        "pays": "[{payer:player}|You] paid [{payee:player}|you] {amount:money} F.",
        "pay": "{payers:players} paid [{payee:player}|you] {amount:money} F in all.",
        "last-pays": "[{payer:player} was|You were] the last with cards, and paid [{payee:player}|you]"
        " {amount:money} F.",
        "revoke": "{seat:player} revoked, as the {shown:face} shows.",
        "revoke-said": "{seat:player} revoked, as the {shown:face} shows.",
        "false-pass": "{seat:player} passed, but held a card that fitted: {card:face}.",
        "declines": "{seat:player} puts the Coup card out of play.",
        "lends": "{payer:player} lends {payee:player} {amount:money} F.",
        "all-passed": "Everybody has passed, but a card that fits is still there.",
        "trick": "[{seat:player}|You] took trick {number}.",
    },
    reveals={"attempted": "[{seat:player}|You] attempted the coup: {contract:face}"},
    situations={
        "drawing": "The highest card makes the first President.",
        "draw-again": "{seats:players} drew equal: the highest card makes the first President.",
        "dealt": "Tour {tour}, deal {deal}: President {president:player} has dealt.",
        "choosing": "Tour {tour}, deal {deal}: no coup is attempted, and President {president:player} chooses.",
        "choosing-coup": "Tour {tour}, deal {deal}: {claimant:actor} attempts a coup.",
        "lead": "{contract:face} for President {president:player}, tour {tour}, trick {trick}: {leader:player}"
        " leads.",
        "lead-coup": "{contract:face}, coup by {claimant:player}, tour {tour}, trick {trick}: {leader:player}"
        " leads.",
        "follow": "{contract:face} for President {president:player}, tour {tour}, trick {trick}:"
        " {leader:actor} led the {led:face}.",
        "follow-coup": "{contract:face}, coup by {claimant:player}, tour {tour}, trick {trick}:"
        " {leader:actor} led the {led:face}.",
        "follow-named": "{contract:face}, coup by {claimant:player}, tour {tour}, trick {trick}:"
        " {leader:actor} led the {led:face} and asks for {suit:face}.",
        "naming": "{contract:face}, coup by {claimant:player}, tour {tour}, trick {trick}: {leader:actor} led"
        " the {led:face}.",
        "taking": "The middle card goes with the first trick, to {leader:player}.",
        "confessing": "{contract:face} for President {president:player} is over. A player who tried a secret"
        " coup pays the bank instead.",
        "first-card": "Dominos for President {president:player}, tour {tour}: {seat:player} begins.",
        "first-card-coup": "Dominos, coup by {claimant:player}, tour {tour}: {seat:player} begins.",
        "rows": "Dominos for President {president:player}, tour {tour}: {seat:player} holds {left}"
        " [card|cards].",
        "rows-coup": "Dominos, coup by {claimant:player}, tour {tour}: {seat:player} holds {left}"
        " [card|cards].",
        "after-ace": "Dominos for President {president:player}, tour {tour}: {seat:actor} has laid an ace and"
        " may go on.",
        "after-ace-coup": "Dominos, coup by {claimant:player}, tour {tour}: {seat:actor} has laid an ace and"
        " may go on.",
        "borrowing": "{seat:actor} has {money:money} F and asks for a loan of {amount:money} F.",
        "owes": "{seat:player} owes {payee:player} {amount:money} F and lacks {short:money} F.",
        "owes-bank": "{seat:player} owes the bank {amount:money} F and lacks {short:money} F.",
    },
    facts={
        "debt": Label("Owes now", "{amount:money} F, lacks {short:money} F"),
        "contract": Label("Contract", "{contract:face}, for President {president:player}"),
        "coup": Label("Coup d'État", "{contract:face}, by {claimant:player}"),
        "barbu-president": Label("To avoid", "king of hearts, {amount:money} F"),
        "victory-president": Label("To avoid", "queens, {amount:money} F each"),
        "siege-president": Label("To avoid", "spades, {amount:money} F each"),
        "prison-president": Label("To avoid", "first and last trick, {amount:money} F each"),
        "guillotine-president": Label(
            "To avoid",
            "king of hearts, {king:money} F; each queen, {queen:money} F; each spade, {spade:money} F; first"
            " and last trick, {trick:money} F each",
        ),
        "dominos-president": Label("To avoid", "being the last with cards, {amount:money} F"),
        "barbu-coup": Label("To achieve", "take the king of hearts"),
        "victory-coup": Label("To achieve", "take all four queens"),
        "siege-coup": Label("To achieve", "take all the spades"),
        "prison-coup": Label("To achieve", "take the first trick and the last one"),
        "guillotine-coup": Label(
            "To achieve", "take the king of hearts, all queens, all spades, the first trick and the last one"
        ),
        "every-trick": Label("To achieve", "take every trick"),
        "dominos-coup": Label("To achieve", "be the first without cards"),
        "stake": Label("At stake", "{reward:money} F from everybody, or {amount:money} F to the bank"),
        "trick": Label("Trick", "{number} of {tricks}"),
        "suit": Label("To follow", "{suit:face}"),
        "barred": Label("Not to be led", "{suits:faces}"),
        "holds": Label("Trick so far", "takes it"),
        "taken-by": Label("Taken by", "{by:actor}"),
        "led": Label("Laid by", "{by:actor} led"),
        "laid": Label("Laid by", "{by:actor}"),
        "holds-trick": Label("Laid by", "{by:actor} holds"),
        "to-play": Label("Still to play", "{by:player}"),
        "president": Label("Office", "President"),
        "claimant": Label("Attempts", "a coup"),
        "tour": Label("Tour", "{number} of {tours}, deal {deal} of {deals}"),
        "contracts-left": Label("Still to play", "{contracts:faces}"),
        "bank": Label("Bank", "{amount:money} F"),
        "drew": Label("Drew", "{card:face}"),
        "waiting": Label("Still to speak", "{seats:players}"),
        "first-trick": Label("Has taken", "the first trick"),
        "tricks": Label("Tricks", "{count}"),
        "left": Label("Cards left", "{count}"),
        "void": Label("Out of", "{suits:faces}"),
        "revoked": Label("Revoke", "in this deal"),
        "loan": Label("To pay back", "{back:money} F to {lender:player}"),
    },
    headlines={
        "contract": HeadlineWords("{amount:money} F", "{contract:face}", "for President {president:player}"),
        "prices": HeadlineWords("{contract:face}", "Contract", "for President {president:player}"),
        "coup": HeadlineWords(
            "{reward:money} F", "Coup d'État, {contract:face}", "if {claimant:player} achieves it"
        ),
        "coup-won": HeadlineWords("+{amount:money} F"),
        "coup-failed": HeadlineWords("−{amount:money} F"),
        "left": HeadlineWords("{count}", "{seat:player} holds", plural("card", "cards", by="count")),
        "tour": HeadlineWords("{tour}", "Tour", "of {tours}"),
        "debt": HeadlineWords("{amount:money} F", "{seat:player} owes"),
    },
    highlights={
        "contract": Label(
            "Dearest contract", "Deal {round}: {contract:face} brought {seat:actor} {amount:money} F."
        ),
        "coup-won": Label("Boldest coup", "Deal {round}: {seat:actor} won {contract:face}, alone against all."),
        "coup-failed": Label(
            "Boldest coup", "Deal {round}: {seat:actor} attempted {contract:face}, and failed."
        ),
        "secret-coup": Label(
            "Secret coup", "Deal {round}: {seat:actor} took all that counts in {contract:face}, without a word."
        ),
    },
    length="{count} [deal|deals]",
    numbered="Deal {number}",
    by_round="Deal by deal",
    cards={
        "trick": "Trick",
        **{word: word.capitalize() for word in SUIT_WORDS},
        "counting": "Taken, and counts",
        "taken": "Taken besides",
    },
    counts={
        "money": "{count:money} F",
        "owing": "{count:money} F to pay back",
        "owed": "{count:money} F to get back",
    },
    rulings={
        "purses": "Everybody begins with {amount:money} F.",
        "low-aside": "With three players the 8s and 7s stay in the box.",
        "drew": "{seat:player} draws: {card:face}.",
        "draw-again": "Equal: {seats:players} draw again.",
        "tour": "Tour {number} of {tours}: {president:player} is President. All contracts are open again.",
        "deal": "Deal {number} of {deals}: {president:player} shuffles, lets the cards be cut, and deals eight"
        " each. The last one is the middle card: it stays face down, where the pile lies.",
        "redeal": "The Coup card lies in the middle: all cards are dealt again.",
        "attempts": "{seat:player} holds the Coup card and attempts a coup.",
        "declines": "{seat:player} puts the Coup card out of play, and takes the middle card, unseen by the"
        " others.",
        "barbu-president": "Barbu: the player who takes the king of hearts pays {seat:player} {amount:money}"
        " F. {seat:player} leads, but no heart.",
        "barbu-coup": "Coup with Barbu: {seat:player} has to take the king of hearts. It brings {reward:money}"
        " F from everybody, or costs {amount:money} F. {seat:player} leads, but no heart.",
        "victory-president": "Victory: each queen taken costs {amount:money} F, paid to {seat:player}."
        " {seat:player} leads.",
        "victory-coup": "Coup with Victory: {seat:player} has to take all four queens. It brings"
        " {reward:money} F from everybody, or costs {amount:money} F. {seat:player} leads.",
        "siege-president": "Siege: each spade taken costs {amount:money} F, paid to {seat:player}."
        " {seat:player} leads, but no spade.",
        "siege-coup": "Coup with Siege: {seat:player} has to take all the spades. It brings {reward:money} F"
        " from everybody, or costs {amount:money} F. {seat:player} leads, but no spade.",
        "prison-president": "Prison: the first trick and the last one cost {amount:money} F each, paid"
        " to {seat:player}. {seat:player} leads.",
        "prison-coup": "Coup with Prison: {seat:player} has to take the first trick and the last one. It"
        " brings {reward:money} F from everybody, or costs {amount:money} F. {seat:player} leads.",
        "guillotine-president": "Guillotine: the king of hearts, each queen, each spade, the first trick and"
        " the last one, all have their price, paid to {seat:player}. {seat:player} leads, but neither heart nor"
        " spade.",
        "guillotine-coup": "Coup with Guillotine: {seat:player} has to take all that the other contracts name."
        " It brings {reward:money} F from everybody, or costs {amount:money} F. {seat:player} leads, but"
        " neither heart nor spade.",
        "dominos-president": "Dominos: the last one with cards pays {seat:player} {amount:money} F."
        " {seat:player} begins with any card. The 10 lies between the jack and the 9.",
        "dominos-coup": "Coup with Dominos: {seat:player} has to be the first without cards. It brings"
        " {reward:money} F from everybody, or costs {amount:money} F. {seat:player} begins with any card. The"
        " 10 lies between the jack and the 9.",
        "swaps": "{seat:player} sets the Coup card aside and takes the middle card instead.",
        "plays": "{seat:player} plays: {card:face}.",
        "only": "{seat:player} declares: I hold only suits that may not be led. So any card may be led.",
        "names": "{seat:player} asks for {suit:face}.",
        "revoke": "Revoke! In trick {first}, {seat:player} laid “{card:face}” and no {suit:face}; in trick"
        " {second}, {seat:player} lays “{shown:face}”.",
        "revoke-said": "Revoke! In trick {first}, {seat:player} said to hold only suits that may not be led;"
        " in trick {second}, {seat:player} lays “{shown:face}”.",
        "trick": "{seat:player} takes trick {number}: {cards:faces}.",
        "middle": "{seat:player} takes the middle card with it: {card:face}.",
        "so-far-king": "{seat:player} has the king of hearts now.",
        "so-far-queens": "{seat:player} has {count} [queen|queens] now.",
        "so-far-spades": "{seat:player} has {count} [spade|spades] now.",
        "count-king": "{seat:player} has taken the king of hearts: {amount:money} F.",
        "count-queens": "{seat:player} has taken {count} [queen|queens]: {amount:money} F.",
        "count-spades": "{seat:player} has taken {count} [spade|spades]: {amount:money} F.",
        "count-first-trick": "{seat:player} has taken the first trick: {amount:money} F.",
        "count-last-trick": "{seat:player} has taken the last trick: {amount:money} F.",
        "nobody-pays": "There is nothing to pay.",
        "coup-won": "{seat:player}'s coup succeeds!",
        "coup-failed": "{seat:player}'s coup fails.",
        "secret-coup": "{seat:player} has taken all that counts, without a word: a secret coup! {seat:player}"
        " pays nothing.",
        "tried": "{seat:player} had tried a secret coup, and pays the bank instead of the President.",
        "void": "The revoke of {seats:players} voids the deal. Its contract is used up.",
        "lays": "{seat:player} lays: {card:face}.",
        "passes": "{seat:player} passes.",
        "all-passed": "Everybody has passed, but a player holds one of these: {cards:faces}. Look again.",
        "enough": "{seat:player} lays no more.",
        "false-pass": "Revoke! {seat:player} passed after “{after:face}”, but held a card that fitted then:"
        " “{card:face}”.",
        "out-of-cards": "{seat:player} has no cards left.",
        "last-out": "{seat:player} is the last one with cards.",
        "pays": "{payer:player} pays {payee:player} {amount:money} F.",
        "pays-bank": "{payer:player} pays the bank {amount:money} F.",
        "takes-bank": "{payee:player} takes the bank: {amount:money} F.",
        "gives-back": "{payer:player} gives {payee:player} back {amount:money} F.",
        "short": "{seat:player} owes {amount:money} F and lacks {short:money} F.",
        "asks-loan": "{seat:player} asks for a loan of {amount:money} F.",
        "lends": "{payer:player} lends {payee:player} {amount:money} F; in the end {back:money} F come back.",
        "refuses": "{seat:player} lends {borrower:player} nothing.",
        "overdrawn": "No player lends: {seat:player} is below zero for now.",
        "president": "{seat:player} is President now.",
        "repays": "{payer:player} pays {payee:player} back {amount:money} F, interest included.",
        "won": "{seats:players} wins the match with {amount:money} F.",
        "shared": "{seats:players} share the victory with {amount:money} F each.",
        "voids": "{seat:player} is out of: {suits:faces}.",
    },
    house=HOUSE,
    values=VALUES,
    refusals=REFUSALS,
    remarks=REMARKS,
    statistics=STATISTICS,
)
