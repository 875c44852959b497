"""What the referee says in Coup d'État."""

from referee.contract.words import HeadlineWords, Label, Words, plural, wording
from referee.games.coup_d_etat.option_words import (
    ANSWERS,
    EFFECTS,
    HINTS,
    HOUSE,
    OPTIONS,
    REFUSALS,
    REMARKS,
    STATISTICS,
    VALUES,
)
from referee.games.coup_d_etat.state import PIQUET
from referee.kit.french_cards import CARD_NAMES, SUIT_NAMES, SUIT_WORDS

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
            seats="Do you hold the Coup card? Then do you attempt a coup, in deal {deal}?",
        ),
        "nobody": "If no player holds the Coup card, turn the middle card up.",
        "contract": "[Which contract does President {seats:players}|President, which contract do you] choose"
        " for deal {deal} of tour {tour}?",
        "coup-contract": "In which contract [does {seats:players}|do you] attempt the coup of deal {deal}?",
        "card-lead": "Which card [does {seats:players}|do you] lead to trick {trick} of {contract:face}?",
        "card-follow": "Which card [does {seats:players}|do you] lay on trick {trick} of {contract:face}, led"
        " in {suit:face}?",
        "card": "Which card [does {seats:players}|do you] lay on trick {trick} of {contract:face}?",
        "only": wording(
            "Does {seats:players} hold only suits that {contract:face} doesn't let lead?",
            also="{seats:players} may also say that the whole hand is of suits that may not be led.",
            seats="Is your whole hand of suits that may not be led in {contract:face}?",
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
            "{borrower:player} asks for {loan:money} F. Who lends it?",
            seats="{borrower:player} asks for {loan:money} F. Do you lend it?",
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
        # the suits and the contracts have names, too, because rulings and situations tell of them
        **SUIT_NAMES,
        "barbu": "Barbu",
        "victory": "Victory",
        "siege": "Siege",
        "prison": "Prison",
        "guillotine": "Guillotine",
        "dominos": "Dominos",
        "coup-barbu": "the Barbu coup",
        "coup-victory": "the Victory coup",
        "coup-siege": "the Siege coup",
        "coup-prison": "the Prison coup",
        "coup-guillotine": "the Guillotine coup",
        "coup-dominos": "the Dominos coup",
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
        "choosing-coup": "Tour {tour}, deal {deal}: {claimant:player} attempts a coup.",
        "lead": "{contract:face} for President {president:player}, tour {tour}, trick {trick}: {leader:player}"
        " leads.",
        "lead-coup": "{contract:face}, coup by {claimant:player}, tour {tour}, trick {trick}: {leader:player}"
        " leads.",
        "follow": "{contract:face} for President {president:player}, tour {tour}, trick {trick}:"
        " {leader:player} led the {led:face}.",
        "follow-coup": "{contract:face}, coup by {claimant:player}, tour {tour}, trick {trick}:"
        " {leader:player} led the {led:face}.",
        "follow-named": "{contract:face}, coup by {claimant:player}, tour {tour}, trick {trick}:"
        " {leader:player} led the {led:face} and asks for {suit:face}.",
        "naming": "{contract:face}, coup by {claimant:player}, tour {tour}, trick {trick}: {leader:player} led"
        " the {led:face}.",
        "taking": "The middle card goes with the first trick, to {leader:player}.",
        "confessing": "{contract:face} for President {president:player} is played. A secret coup that failed"
        " pays the bank.",
        "first-card": "Dominos for President {president:player}, tour {tour}: {seat:player} begins.",
        "first-card-coup": "Dominos, coup by {claimant:player}, tour {tour}: {seat:player} begins.",
        "rows": "Dominos for President {president:player}, tour {tour}: {seat:player} holds {left}"
        " [card|cards].",
        "rows-coup": "Dominos, coup by {claimant:player}, tour {tour}: {seat:player} holds {left}"
        " [card|cards].",
        "after-ace": "Dominos for President {president:player}, tour {tour}: {seat:player} has laid an ace and"
        " may go on.",
        "after-ace-coup": "Dominos, coup by {claimant:player}, tour {tour}: {seat:player} has laid an ace and"
        " may go on.",
        "borrowing": "{seat:player} has {money:money} F and asks for a loan of {amount:money} F.",
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
        "taken-by": Label("Taken by", "{by:player}"),
        "led": Label("Laid by", "{by:player} led"),
        "laid": Label("Laid by", "{by:player}"),
        "holds-trick": Label("Laid by", "{by:player} holds"),
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
    cards={
        "trick": "Trick",
        "spades": "Spades",
        "hearts": "Hearts",
        "diamonds": "Diamonds",
        "clubs": "Clubs",
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
        " to each. The last one is the middle card: it stays face down, where the pile lies.",
        "redeal": "The Coup card lies in the middle: all cards are dealt again.",
        "attempts": "{seat:player} holds the Coup card and attempts a coup.",
        "declines": "{seat:player} puts the Coup card out of play, and takes the middle card, unseen by the"
        " others.",
        "barbu-president": "Barbu: the player who takes the king of hearts pays {seat:player} {amount:money}"
        " F. {seat:player} leads, but no heart.",
        "barbu-coup": "Coup with Barbu: {seat:player} has to take the king of hearts. It brings {reward:money}"
        " F from everybody, or costs {amount:money} F. {seat:player} leads, but no heart.",
        "victory-president": "Victory: each queen taken costs {amount:money} F, for {seat:player}."
        " {seat:player} leads.",
        "victory-coup": "Coup with Victory: {seat:player} has to take all four queens. It brings"
        " {reward:money} F from everybody, or costs {amount:money} F. {seat:player} leads.",
        "siege-president": "Siege: each spade taken costs {amount:money} F, for {seat:player}. {seat:player}"
        " leads, but no spade.",
        "siege-coup": "Coup with Siege: {seat:player} has to take all the spades. It brings {reward:money} F"
        " from everybody, or costs {amount:money} F. {seat:player} leads, but no spade.",
        "prison-president": "Prison: the first trick and the last one cost {amount:money} F each, for"
        " {seat:player}. {seat:player} leads.",
        "prison-coup": "Coup with Prison: {seat:player} has to take the first trick and the last one. It"
        " brings {reward:money} F from everybody, or costs {amount:money} F. {seat:player} leads.",
        "guillotine-president": "Guillotine: the king of hearts, each queen, each spade, the first trick and"
        " the last one, all have their price, for {seat:player}. {seat:player} leads, but neither heart nor"
        " spade.",
        "guillotine-coup": "Coup with Guillotine: {seat:player} has to take all that the other contracts name."
        " It brings {reward:money} F from everybody, or costs {amount:money} F. {seat:player} leads, but"
        " neither heart nor spade.",
        "dominos-president": "Dominos: the last one with cards pays {seat:player} {amount:money} F."
        " {seat:player} begins with any card. The 10 lies between the jack and the 9.",
        "dominos-coup": "Coup with Dominos: {seat:player} has to be the first without cards. It brings"
        " {reward:money} F from everybody, or costs {amount:money} F. {seat:player} begins with any card. The"
        " 10 lies between the jack and the 9.",
        "swaps": "{seat:player} lays the Coup card away and takes the middle card for it.",
        "plays": "{seat:player} plays: {card:face}.",
        "only": "{seat:player} says: my whole hand is of suits that may not be led. So any card may be led.",
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
        "coup-won": "The coup of {seat:player} succeeds!",
        "coup-failed": "The coup of {seat:player} fails.",
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
        "takes-bank": "{payee:player} takes what is in the bank: {amount:money} F.",
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
