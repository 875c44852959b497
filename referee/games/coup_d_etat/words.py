"""What the referee says in Coup d'État."""

from referee.contract.words import HeadlineWords, Label, Wording, Words, phrase, plural
from referee.games.coup_d_etat.option_words import (
    ANSWERS,
    EFFECTS,
    HINTS,
    HOUSE,
    OPTIONS,
    REFUSALS,
    REMARKS,
    STATISTICS,
    TYPED,
    VALUES,
)
from referee.games.coup_d_etat.state import PIQUET
from referee.kit.french_cards import CARD_NAMES, SUIT_NAMES, SUIT_WORDS

WORDS = Words(
    title=phrase("Coup d'État"),
    pitch=phrase("Take tricks for the President, or take the Palace with the Coup card."),
    editions={},
    asks={
        "draw": Wording(
            phrase("Which card does {seats:players} draw? The highest makes the first President."),
            to={"seats": phrase("Which card do you draw? The highest makes the first President.")},
        ),
        "draw-again": Wording(
            phrase("Equal cards were drawn. Which one does {seats:players} draw now, to be President?"),
            to={"seats": phrase("Equal cards were drawn. Which one do you draw now, to be President?")},
        ),
        "holder": Wording(
            phrase("Does the holder of the Coup card attempt a coup? {president:player} is President."),
            to={"seats": phrase("Do you hold the Coup card? Then do you attempt a coup, in deal {deal}?")},
        ),
        "nobody": phrase("If no player holds the Coup card, turn the middle card up."),
        "contract": Wording(
            phrase("Which contract does President {seats:players} choose for deal {deal} of tour {tour}?"),
            to={"seats": phrase("President, which contract do you choose for deal {deal} of tour {tour}?")},
        ),
        "coup-contract": Wording(
            phrase("In which contract does {seats:players} attempt the coup of deal {deal}?"),
            to={"seats": phrase("In which contract do you attempt the coup of deal {deal}?")},
        ),
        "card-lead": Wording(
            phrase("Which card does {seats:players} lead to trick {trick} of {contract:face}?"),
            to={"seats": phrase("Which card do you lead to trick {trick} of {contract:face}?")},
        ),
        "card-follow": Wording(
            phrase(
                "Which card does {seats:players} lay on trick {trick} of {contract:face}, led in {suit:face}?"
            ),
            to={
                "seats": phrase(
                    "Which card do you lay on trick {trick} of {contract:face}, led in {suit:face}?"
                )
            },
        ),
        "card": Wording(
            phrase("Which card does {seats:players} lay on trick {trick} of {contract:face}?"),
            to={"seats": phrase("Which card do you lay on trick {trick} of {contract:face}?")},
        ),
        "only": Wording(
            phrase("Does {seats:players} hold only suits that {contract:face} doesn't let lead?"),
            to={"seats": phrase("Is your whole hand of suits that may not be led in {contract:face}?")},
            also=phrase("{seats:players} may also say that the whole hand is of suits that may not be led."),
        ),
        "suit": Wording(
            phrase(
                "Which suit do all follow on {seats:players}'s Coup card, trick {trick} of {contract:face}?"
            ),
            to={
                "seats": phrase("Which suit do all follow on your Coup card, trick {trick} of {contract:face}?")
            },
        ),
        "middle": Wording(
            phrase("Which middle card goes to {seats:players} with the first trick of {contract:face}?"),
            to={"seats": phrase("Which middle card goes to you with the first trick of {contract:face}?")},
        ),
        "secret": Wording(
            plural(
                "Did {seats:players} try a secret coup in {contract:face}?",
                "Who tried a secret coup in {contract:face}?",
                by="asked",
            ),
            to={"seats": phrase("Did you try a secret coup in {contract:face}?")},
        ),
        "domino-first": Wording(
            phrase("With which card does {seats:players} begin {contract:face}?"),
            to={"seats": phrase("With which card do you begin {contract:face}?")},
        ),
        "domino-or-pass": Wording(
            plural(
                "Will {seats:players}, with {left} card left in {contract:face}, lay it, or pass?",
                "Will {seats:players}, with {left} cards left in {contract:face}, lay one, or pass?",
                by="left",
            ),
            to={
                "seats": plural(
                    "With {left} card left in {contract:face}, do you lay it, or pass?",
                    "With {left} cards left in {contract:face}, which one do you lay, or do you pass?",
                    by="left",
                )
            },
        ),
        "domino-or-enough": Wording(
            phrase("{seats:players} has laid an ace in {contract:face}. Does another card follow?"),
            to={
                "seats": phrase(
                    "You have laid an ace in {contract:face}. Do you lay another card, or is it enough?"
                )
            },
        ),
        "stop": phrase("A revoke spoils this deal of {contract:face}. It may also be stopped here."),
        "borrow": Wording(
            plural(
                "Does {seats:players} ask for a loan of {loan:money} F before this deal?",
                "Who asks for a loan of {loan:money} F before this deal?",
                by="asked",
            ),
            to={"seats": phrase("Do you ask for a loan of {loan:money} F before this deal?")},
            also=plural(
                "{seats:players} may also ask for a loan of {loan:money} F.",
                "Those with less may also ask for a loan of {loan:money} F.",
                by="asked",
            ),
        ),
        "lend-ahead": Wording(
            phrase("{borrower:player} asks for {loan:money} F. Who lends it?"),
            to={"seats": phrase("{borrower:player} asks for {loan:money} F. Do you lend it?")},
        ),
        "lend": Wording(
            phrase("{payer:player} lacks {short:money} F for {payee:player}. Who lends it?"),
            to={
                "payee": phrase("{payer:player} lacks {short:money} F for you. Do you lend it?"),
                "seats": phrase("{payer:player} lacks {short:money} F for {payee:player}. Do you lend it?"),
            },
        ),
        "lend-bank": Wording(
            phrase("{payer:player} lacks {short:money} F for the bank. Who lends it?"),
            to={"seats": phrase("{payer:player} lacks {short:money} F for the bank. Do you lend it?")},
        ),
    },
    options=OPTIONS,
    typed=TYPED,
    answers=ANSWERS,
    effects=EFFECTS,
    hints=HINTS,
    suits={name: SUIT_NAMES[suit] for name, suit in SUIT_WORDS.items()},
    faces={
        "coup": phrase("Coup card"),
        **{card: CARD_NAMES[card] for card in PIQUET.counts if card in CARD_NAMES},
        # the suits and the contracts have names, too, because rulings and situations tell of them
        **SUIT_NAMES,
        "barbu": phrase("Barbu"),
        "victory": phrase("Victory"),
        "siege": phrase("Siege"),
        "prison": phrase("Prison"),
        "guillotine": phrase("Guillotine"),
        "dominos": phrase("Dominos"),
        "coup-barbu": phrase("the Barbu coup"),
        "coup-victory": phrase("the Victory coup"),
        "coup-siege": phrase("the Siege coup"),
        "coup-prison": phrase("the Prison coup"),
        "coup-guillotine": phrase("the Guillotine coup"),
        "coup-dominos": phrase("the Dominos coup"),
    },
    verdicts={
        "coup-won": Wording(
            phrase("{seat:player}'s coup succeeds, and brings {amount:money} F."),
            to={"seat": phrase("Your coup succeeds, and brings {amount:money} F.")},
        ),
        "coup-failed": Wording(
            phrase("{seat:player}'s coup fails, and costs {amount:money} F."),
            to={"seat": phrase("Your coup fails, and costs {amount:money} F.")},
        ),
        "secret-coup": Wording(
            phrase("A secret coup: {seat:player} took all that counts, for {amount:money} F."),
            to={"seat": phrase("A secret coup: you took all that counts, for {amount:money} F.")},
        ),
        "pays": Wording(
            phrase("{payer:player} paid {payee:player} {amount:money} F."),
            to={
                "payer": phrase("You paid {payee:player} {amount:money} F."),
                "payee": phrase("{payer:player} paid you {amount:money} F."),
            },
        ),
        "pay": Wording(
            phrase("{payers:players} paid {payee:player} {amount:money} F in all."),
            to={"payee": phrase("{payers:players} paid you {amount:money} F in all.")},
        ),
        "last-pays": Wording(
            phrase("{payer:player} was the last with cards, and paid {payee:player} {amount:money} F."),
            to={
                "payer": phrase("You were the last with cards, and paid {payee:player} {amount:money} F."),
                "payee": phrase("{payer:player} was the last with cards, and paid you {amount:money} F."),
            },
        ),
        "revoke": phrase("{seat:player} revoked, as the {shown:face} shows."),
        "revoke-said": phrase("{seat:player} revoked, as the {shown:face} shows."),
        "false-pass": phrase("{seat:player} passed, but held a card that fitted: {card:face}."),
        "declines": phrase("{seat:player} puts the Coup card out of play."),
        "lends": phrase("{payer:player} lends {payee:player} {amount:money} F."),
        "all-passed": phrase("Everybody has passed, but a card that fits is still there."),
        "trick": Wording(
            phrase("{seat:player} took trick {number}."),
            to={"seat": phrase("You took trick {number}.")},
        ),
    },
    reveals={
        "attempted": Wording(
            phrase("{seat:player} attempted the coup: {contract:face}"),
            to={"seat": phrase("You attempted the coup: {contract:face}")},
        ),
    },
    situations={
        "drawing": phrase("The highest card makes the first President."),
        "draw-again": phrase("{seats:players} drew equal: the highest card makes the first President."),
        "dealt": phrase("Tour {tour}, deal {deal}: President {president:player} has dealt."),
        "choosing": phrase(
            "Tour {tour}, deal {deal}: no coup is attempted, and President {president:player} chooses."
        ),
        "choosing-coup": phrase("Tour {tour}, deal {deal}: {claimant:player} attempts a coup."),
        "lead": phrase(
            "{contract:face} for President {president:player}, tour {tour}, trick {trick}:"
            " {leader:player} leads."
        ),
        "lead-coup": phrase(
            "{contract:face}, coup by {claimant:player}, tour {tour}, trick {trick}: {leader:player} leads."
        ),
        "follow": phrase(
            "{contract:face} for President {president:player}, tour {tour}, trick {trick}:"
            " {leader:player} led the {led:face}."
        ),
        "follow-coup": phrase(
            "{contract:face}, coup by {claimant:player}, tour {tour}, trick {trick}:"
            " {leader:player} led the {led:face}."
        ),
        "follow-named": phrase(
            "{contract:face}, coup by {claimant:player}, tour {tour}, trick {trick}:"
            " {leader:player} led the {led:face} and asks for {suit:face}."
        ),
        "naming": phrase(
            "{contract:face}, coup by {claimant:player}, tour {tour}, trick {trick}:"
            " {leader:player} led the {led:face}."
        ),
        "taking": phrase("The middle card goes with the first trick, to {leader:player}."),
        "confessing": phrase(
            "{contract:face} for President {president:player} is played."
            " A secret coup that failed pays the bank."
        ),
        "first-card": phrase("Dominos for President {president:player}, tour {tour}: {seat:player} begins."),
        "first-card-coup": phrase("Dominos, coup by {claimant:player}, tour {tour}: {seat:player} begins."),
        "rows": plural(
            "Dominos for President {president:player}, tour {tour}: {seat:player} holds {left} card.",
            "Dominos for President {president:player}, tour {tour}: {seat:player} holds {left} cards.",
            by="left",
        ),
        "rows-coup": plural(
            "Dominos, coup by {claimant:player}, tour {tour}: {seat:player} holds {left} card.",
            "Dominos, coup by {claimant:player}, tour {tour}: {seat:player} holds {left} cards.",
            by="left",
        ),
        "after-ace": phrase(
            "Dominos for President {president:player}, tour {tour}:"
            " {seat:player} has laid an ace and may go on."
        ),
        "after-ace-coup": phrase(
            "Dominos, coup by {claimant:player}, tour {tour}: {seat:player} has laid an ace and may go on."
        ),
        "borrowing": phrase("{seat:player} has {money:money} F and asks for a loan of {amount:money} F."),
        "owes": phrase("{seat:player} owes {payee:player} {amount:money} F and lacks {short:money} F."),
        "owes-bank": phrase("{seat:player} owes the bank {amount:money} F and lacks {short:money} F."),
    },
    facts={
        "debt": Label(phrase("Owes now"), phrase("{amount:money} F, lacks {short:money} F")),
        "contract": Label(phrase("Contract"), phrase("{contract:face}, for President {president:player}")),
        "coup": Label(phrase("Coup d'État"), phrase("{contract:face}, by {claimant:player}")),
        "barbu-president": Label(phrase("To avoid"), phrase("king of hearts, {amount:money} F")),
        "victory-president": Label(phrase("To avoid"), phrase("queens, {amount:money} F each")),
        "siege-president": Label(phrase("To avoid"), phrase("spades, {amount:money} F each")),
        "prison-president": Label(phrase("To avoid"), phrase("first and last trick, {amount:money} F each")),
        "guillotine-president": Label(
            phrase("To avoid"),
            phrase(
                "king of hearts, {king:money} F; each queen, {queen:money} F; each spade, {spade:money} F;"
                " first and last trick, {trick:money} F each"
            ),
        ),
        "dominos-president": Label(phrase("To avoid"), phrase("being the last with cards, {amount:money} F")),
        "barbu-coup": Label(phrase("To achieve"), phrase("take the king of hearts")),
        "victory-coup": Label(phrase("To achieve"), phrase("take all four queens")),
        "siege-coup": Label(phrase("To achieve"), phrase("take all the spades")),
        "prison-coup": Label(phrase("To achieve"), phrase("take the first trick and the last one")),
        "guillotine-coup": Label(
            phrase("To achieve"),
            phrase("take the king of hearts, all queens, all spades, the first trick and the last one"),
        ),
        "every-trick": Label(phrase("To achieve"), phrase("take every trick")),
        "dominos-coup": Label(phrase("To achieve"), phrase("be the first without cards")),
        "stake": Label(
            phrase("At stake"), phrase("{reward:money} F from everybody, or {amount:money} F to the bank")
        ),
        "trick": Label(phrase("Trick"), phrase("{number} of {tricks}")),
        "suit": Label(phrase("To follow"), phrase("{suit:face}")),
        "barred": Label(phrase("Not to be led"), phrase("{suits:faces}")),
        "holds": Label(phrase("Trick so far"), phrase("takes it")),
        "taken-by": Label(phrase("Taken by"), phrase("{by:player}")),
        "led": Label(phrase("Laid by"), phrase("{by:player} led")),
        "laid": Label(phrase("Laid by"), phrase("{by:player}")),
        "holds-trick": Label(phrase("Laid by"), phrase("{by:player} holds")),
        "to-play": Label(phrase("Still to play"), phrase("{by:player}")),
        "president": Label(phrase("Office"), phrase("President")),
        "claimant": Label(phrase("Attempts"), phrase("a coup")),
        "tour": Label(phrase("Tour"), phrase("{number} of {tours}, deal {deal} of {deals}")),
        "contracts-left": Label(phrase("Still to play"), phrase("{contracts:faces}")),
        "bank": Label(phrase("Bank"), phrase("{amount:money} F")),
        "drew": Label(phrase("Drew"), phrase("{card:face}")),
        "waiting": Label(phrase("Still to speak"), phrase("{seats:players}")),
        "first-trick": Label(phrase("Has taken"), phrase("the first trick")),
        "tricks": Label(phrase("Tricks"), phrase("{count}")),
        "left": Label(phrase("Cards left"), phrase("{count}")),
        "void": Label(phrase("Out of"), phrase("{suits:faces}")),
        "revoked": Label(phrase("Revoke"), phrase("in this deal")),
        "loan": Label(phrase("To pay back"), phrase("{back:money} F to {lender:player}")),
    },
    headlines={
        "contract": HeadlineWords(
            phrase("{amount:money} F"), phrase("{contract:face}"), phrase("for President {president:player}")
        ),
        "prices": HeadlineWords(
            phrase("{contract:face}"), phrase("Contract"), phrase("for President {president:player}")
        ),
        "coup": HeadlineWords(
            phrase("{reward:money} F"),
            phrase("Coup d'État, {contract:face}"),
            phrase("if {claimant:player} achieves it"),
        ),
        "coup-won": HeadlineWords(phrase("+{amount:money} F")),
        "coup-failed": HeadlineWords(phrase("−{amount:money} F")),
        "left": HeadlineWords(
            phrase("{count}"), phrase("{seat:player} holds"), plural("card", "cards", by="count")
        ),
        "tour": HeadlineWords(phrase("{tour}"), phrase("Tour"), phrase("of {tours}")),
        "debt": HeadlineWords(phrase("{amount:money} F"), phrase("{seat:player} owes")),
    },
    cards={
        "trick": phrase("Trick"),
        "spades": phrase("Spades"),
        "hearts": phrase("Hearts"),
        "diamonds": phrase("Diamonds"),
        "clubs": phrase("Clubs"),
        "counting": phrase("Taken, and counts"),
        "taken": phrase("Taken besides"),
    },
    counts={
        "money": phrase("{count:money} F"),
        "owing": phrase("{count:money} F to pay back"),
        "owed": phrase("{count:money} F to get back"),
    },
    rulings={
        "purses": phrase("Everybody begins with {amount:money} F."),
        "low-aside": phrase("With three players the 8s and 7s stay in the box."),
        "drew": phrase("{seat:player} draws: {card:face}."),
        "draw-again": phrase("Equal: {seats:players} draw again."),
        "tour": phrase(
            "Tour {number} of {tours}: {president:player} is President. All contracts are open again."
        ),
        "deal": phrase(
            "Deal {number} of {deals}: {president:player} shuffles, lets the cards be cut, and deals eight"
            " to each. The last one is the middle card: it stays face down, where the pile lies."
        ),
        "redeal": phrase("The Coup card lies in the middle: all cards are dealt again."),
        "attempts": phrase("{seat:player} holds the Coup card and attempts a coup."),
        "declines": phrase(
            "{seat:player} puts the Coup card out of play, and takes the middle card, unseen by the others."
        ),
        "barbu-president": phrase(
            "Barbu: the player who takes the king of hearts pays {seat:player} {amount:money} F."
            " {seat:player} leads, but no heart."
        ),
        "barbu-coup": phrase(
            "Coup with Barbu: {seat:player} has to take the king of hearts. It brings {reward:money} F from"
            " everybody, or costs {amount:money} F. {seat:player} leads, but no heart."
        ),
        "victory-president": phrase(
            "Victory: each queen taken costs {amount:money} F, for {seat:player}. {seat:player} leads."
        ),
        "victory-coup": phrase(
            "Coup with Victory: {seat:player} has to take all four queens. It brings {reward:money} F from"
            " everybody, or costs {amount:money} F. {seat:player} leads."
        ),
        "siege-president": phrase(
            "Siege: each spade taken costs {amount:money} F, for {seat:player}. {seat:player} leads, but no"
            " spade."
        ),
        "siege-coup": phrase(
            "Coup with Siege: {seat:player} has to take all the spades. It brings {reward:money} F from"
            " everybody, or costs {amount:money} F. {seat:player} leads, but no spade."
        ),
        "prison-president": phrase(
            "Prison: the first trick and the last one cost {amount:money} F each, for {seat:player}."
            " {seat:player} leads."
        ),
        "prison-coup": phrase(
            "Coup with Prison: {seat:player} has to take the first trick and the last one. It brings"
            " {reward:money} F from everybody, or costs {amount:money} F. {seat:player} leads."
        ),
        "guillotine-president": phrase(
            "Guillotine: the king of hearts, each queen, each spade, the first trick and the last one, all have"
            " their price, for {seat:player}. {seat:player} leads, but neither heart nor spade."
        ),
        "guillotine-coup": phrase(
            "Coup with Guillotine: {seat:player} has to take all that the other contracts name. It brings"
            " {reward:money} F from everybody, or costs {amount:money} F. {seat:player} leads, but neither"
            " heart nor spade."
        ),
        "dominos-president": phrase(
            "Dominos: the last one with cards pays {seat:player} {amount:money} F. {seat:player} begins"
            " with any card. The 10 lies between the jack and the 9."
        ),
        "dominos-coup": phrase(
            "Coup with Dominos: {seat:player} has to be the first without cards. It brings"
            " {reward:money} F from everybody, or costs {amount:money} F. {seat:player} begins with any"
            " card. The 10 lies between the jack and the 9."
        ),
        "swaps": phrase("{seat:player} lays the Coup card away and takes the middle card for it."),
        "plays": phrase("{seat:player} plays: {card:face}."),
        "only": phrase(
            "{seat:player} says: my whole hand is of suits that may not be led. So any card may be led."
        ),
        "names": phrase("{seat:player} asks for {suit:face}."),
        "revoke": phrase(
            "Revoke! In trick {first}, {seat:player} laid “{card:face}” and no {suit:face};"
            " in trick {second}, {seat:player} lays “{shown:face}”."
        ),
        "revoke-said": phrase(
            "Revoke! In trick {first}, {seat:player} said to hold only suits that may not be led;"
            " in trick {second}, {seat:player} lays “{shown:face}”."
        ),
        "trick": phrase("{seat:player} takes trick {number}: {cards:faces}."),
        "middle": phrase("{seat:player} takes the middle card with it: {card:face}."),
        "so-far-king": phrase("{seat:player} has the king of hearts now."),
        "so-far-queens": plural(
            "{seat:player} has {count} queen now.", "{seat:player} has {count} queens now.", by="count"
        ),
        "so-far-spades": plural(
            "{seat:player} has {count} spade now.", "{seat:player} has {count} spades now.", by="count"
        ),
        "count-king": phrase("{seat:player} has taken the king of hearts: {amount:money} F."),
        "count-queens": plural(
            "{seat:player} has taken {count} queen: {amount:money} F.",
            "{seat:player} has taken {count} queens: {amount:money} F.",
            by="count",
        ),
        "count-spades": plural(
            "{seat:player} has taken {count} spade: {amount:money} F.",
            "{seat:player} has taken {count} spades: {amount:money} F.",
            by="count",
        ),
        "count-first-trick": phrase("{seat:player} has taken the first trick: {amount:money} F."),
        "count-last-trick": phrase("{seat:player} has taken the last trick: {amount:money} F."),
        "nobody-pays": phrase("There is nothing to pay."),
        "coup-won": phrase("The coup of {seat:player} succeeds!"),
        "coup-failed": phrase("The coup of {seat:player} fails."),
        "secret-coup": phrase(
            "{seat:player} has taken all that counts, without a word: a secret coup! {seat:player} pays"
            " nothing."
        ),
        "tried": phrase("{seat:player} had tried a secret coup, and pays the bank instead of the President."),
        "void": phrase("The revoke of {seats:players} voids the deal. Its contract is used up."),
        "lays": phrase("{seat:player} lays: {card:face}."),
        "passes": phrase("{seat:player} passes."),
        "all-passed": phrase(
            "Everybody has passed, but a player holds one of these: {cards:faces}. Look again."
        ),
        "enough": phrase("{seat:player} lays no more."),
        "false-pass": phrase(
            "Revoke! {seat:player} passed after “{after:face}”, but held a card that fitted then:"
            " “{card:face}”."
        ),
        "out-of-cards": phrase("{seat:player} has no cards left."),
        "last-out": phrase("{seat:player} is the last one with cards."),
        "pays": phrase("{payer:player} pays {payee:player} {amount:money} F."),
        "pays-bank": phrase("{payer:player} pays the bank {amount:money} F."),
        "takes-bank": phrase("{payee:player} takes what is in the bank: {amount:money} F."),
        "gives-back": phrase("{payer:player} gives {payee:player} back {amount:money} F."),
        "short": phrase("{seat:player} owes {amount:money} F and lacks {short:money} F."),
        "asks-loan": phrase("{seat:player} asks for a loan of {amount:money} F."),
        "lends": phrase(
            "{payer:player} lends {payee:player} {amount:money} F; in the end {back:money} F come back."
        ),
        "refuses": phrase("{seat:player} lends {borrower:player} nothing."),
        "overdrawn": phrase("No player lends: {seat:player} is below zero for now."),
        "president": phrase("{seat:player} is President now."),
        "repays": phrase("{payer:player} pays {payee:player} back {amount:money} F, interest included."),
        "won": phrase("{seats:players} wins the match with {amount:money} F."),
        "shared": phrase("{seats:players} share the victory with {amount:money} F each."),
        "voids": phrase("{seat:player} is out of: {suits:faces}."),
    },
    house=HOUSE,
    values=VALUES,
    refusals=REFUSALS,
    remarks=REMARKS,
    statistics=STATISTICS,
)
