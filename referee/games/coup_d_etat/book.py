"""Coup d'État's rule book as data: one sentence per rule, with its place in the printed text."""

from referee.contract import Book, Condition, write_chapters
from referee.games.coup_d_etat import board, rules
from referee.games.coup_d_etat.state import CONTRACTS, SECRET
from referee.kit.french_cards import SUIT_WORDS


def plays(*contracts: str) -> Condition:
    return lambda house: not {*contracts}.isdisjoint(house.contracts)


CHAPTERS = write_chapters(
    {
        "Setting up": {
            "players": "Three or four play.",
            "purse": "Everybody begins with 10,000 F.",
            "three-players": "With three players the 8s and 7s stay in the box.",
            "first-president": "Everybody draws a card, and the highest makes the first President, who deals.",
            "equal-draw": "The Coup card is the highest of all. Those who share the highest card draw again.",
        },
        "Tours and deals": {
            "tour-length/all": "A tour has six deals, one for each contract.",
            "tour-length/three": "Two different contracts are left out. A tour is over when three of the other"
            " four have been played.",
            "next-tour/starter": "The next tour begins with the player to the left of the one who began this"
            " tour.",
            "next-tour/president": "The next tour begins with the player to the left of the one who is"
            " President.",
            "deal": "The President deals eight cards to each; the last one, face down, is the middle card.",
            "redeal": "If the Coup card is the middle card, the President shuffles and deals all cards again.",
            "holder": "The holder of the Coup card has to say so, and decides whether to attempt a coup.",
            "attempt": "To attempt a coup, keep the Coup card, choose the contract and lead. You play alone"
            " against all others. The President may do so, too.",
            "decline": "Without a coup, the holder lays the Coup card away and takes the middle card; the"
            " President chooses the contract.",
            "coup-in-dominos": "A coup with Dominos is played without the Coup card: the middle card replaces"
            " it.",
            "contract-used": "A contract that was chosen, in a coup too, can't be chosen again in the same"
            " tour.",
        },
        "Contracts of the President": {
            "barbu": "Barbu: the player who takes the king of hearts pays the President 800 F.",
            "victory": "Victory: each queen that you take costs 200 F, paid to the President.",
            "siege": "Siege: each spade that you take costs 100 F, paid to the President.",
            "prison": "Prison: the first trick and the last one cost 400 F each, paid to the President.",
            "guillotine": "Guillotine: the king of hearts costs 800 F, each queen 200 F, each spade 100 F, the"
            " first trick and the last one 400 F each, all paid to the President.",
            "dominos": "Dominos: the last player who has cards pays the President 800 F.",
            "president-pays-nothing": "Presidents pay nothing for what they take themselves, or for being the"
            " last with cards.",
        },
        "Contracts of a coup": {
            "coup-barbu": "Coup with Barbu: take the king of hearts. It brings 600 F from each other player.",
            "coup-victory": "Coup with Victory: take all four queens. It brings 1,000 F from each other"
            " player.",
            "coup-siege": "Coup with Siege: take all the spades. It brings 1,000 F from each other player.",
            "coup-prison": "Coup with Prison: take the first trick and the last one. It brings 600 F from each"
            " other player.",
            "coup-dominos": "Coup with Dominos: be the first to have laid all your cards. It brings 600 F from"
            " each other player.",
            "coup-guillotine/listed": "Coup with Guillotine: take the king of hearts, all queens, all spades,"
            " the first trick and the last one. It brings 1,500 F from each other player.",
            "coup-guillotine/all-tricks": "Coup with Guillotine: take every trick. It brings 1,500 F from each"
            " other player.",
        },
        "Tricks": {
            "follow": "Follow the suit that was led if you can; if you can't, lay any card.",
            "leader": "The President leads first, in a coup the player who attempts it. The others follow"
            " clockwise.",
            "one-card": "Everybody lays one card at a time, and only in turn.",
            "seen-once": "Each card is there only once, so none that has been seen in the deal comes again.",
            "trick": "The highest card of the suit that was led takes the trick, and its owner leads next.",
            "ranks": "From the highest to the lowest: ace, 10, king, queen, jack, 9, 8, 7.",
            "all-tricks/all": "All eight tricks are played, even if all that counts has been taken.",
            "all-tricks/early-stop": "A deal ends as soon as all that counts has been taken.",
            "not-led/opening": "The first trick may not be led with a heart in Barbu, with a spade in Siege,"
            " with either in Guillotine.",
            "not-led/ever": "No trick may be led with a heart in Barbu, with a spade in Siege, with either in"
            " Guillotine.",
            "not-led-in-coup": "Suits that may not be led bind a coup as well. The Coup card is of no suit, so"
            " it may be led.",
            "nothing-else": "If your whole hand is of suits that may not be led, say so, and lead any card."
            " Leading another suit takes it back.",
        },
        "The Coup card in tricks": {
            "coup-takes": "The Coup card is the highest of all: it takes the trick, even from an ace.",
            "coup-holder": "Only the player who attempts a coup holds the Coup card.",
            "coup-card/free": "The Coup card is of no suit. It may be played to any trick, even if you could"
            " follow.",
            "coup-card/void": "The Coup card may be laid on a suit only if you can't follow; else it is a"
            " revoke.",
            "coup-last": "A Coup card that hasn't been played before is the last card of its hand.",
            "coup-led/free": "When the Coup card is led, the others lay any card.",
            "coup-led/named": "When the Coup card is led, its player names the suit that the others follow.",
            "middle": "In a coup, the winner of the first trick takes the middle card: it is part of it.",
            "middle-shown": "A middle card that goes to a trick is shown to all, because it counts; one that"
            " goes to a hand isn't.",
        },
        "Revokes": {
            "revoke": "Denying a suit that you hold is a revoke, as is passing with a card that fits. It is"
            " known as soon as that card falls.",
            "revoke-costs/void": "A revoke voids the deal and costs 800 F, paid to the bank. Nothing else is"
            " paid, the contract is used up. The table may stop at once, or play on.",
            "revoke-costs/pays": "A revoke costs 800 F, paid to the bank, and the deal counts as it was"
            " played.",
            "revoke-costs/told": "A revoke is announced and costs nothing, and the deal counts as played.",
        },
        "Dominos": {
            "domino-begin": "The player who leads begins Dominos with any card; the others go on clockwise.",
            "domino-fit": "Lay a card of the next higher or the next lower rank at a row of its suit, or open"
            " one.",
            "domino-ranks": "In Dominos the 10 lies between the jack and the 9.",
            "domino-open/first-rank": "A row is opened with a card of the same rank as the very first one.",
            "domino-open/any-rank": "A row is opened with a card of the same rank as any that lies there.",
            "domino-pass": "Pass only if none of your cards fits.",
            "domino-all-pass": "When all pass, one of them holds a card that fits: they go round again.",
            "ace-chain/on-king": "If you lay an ace on a king, you may go on with all your cards that fit, and"
            " stop at any time.",
            "ace-chain/any-ace": "If you lay an ace, you may go on with all your cards that fit, and stop at"
            " any time.",
            "domino-end": "Dominos goes on until only one player has cards; in a coup, until the first one has"
            " none.",
        },
        "Payments": {
            "tricks-paid": "In Prison and Guillotine the first trick and the last one are paid for as soon as"
            " they are taken.",
            "paid-in-the-end": "All else that was taken is counted and paid for at the end of the deal.",
            "given-back": "What was paid for the first trick is given back if the deal is void, or if its"
            " payer owes the President nothing after all.",
        },
        "After a coup": {
            "coup-won": "A coup that succeeds is paid for by all others, and its player takes what is in the"
            " bank.",
            "presidency": "After a coup that succeeds its player is President, from the next deal on.",
            "coup-failed": "A coup that fails costs 800 F, paid to the bank, and the President stays"
            " President.",
            "bank": "The bank keeps what is paid to it for the first coup that succeeds. What is left after a"
            " tour goes to the player who is President then.",
            "secret-coup/presidency": "In Victory, Siege or Guillotine of the President, another player may"
            " take all that a coup would have to, without a word: that brings the same money, and the"
            " presidency, but not the bank.",
            "secret-coup/bank": "In Victory, Siege or Guillotine of the President, another player may take all"
            " that a coup would have to, without a word: that brings the same money, the presidency, and what"
            " is in the bank.",
            "secret-fail/president": "A secret coup that fails isn't known: its penalties go to the President,"
            " like all others.",
            "secret-fail/bank": "After the deal, those who have to pay may say that they tried a secret coup:"
            " they pay the bank instead of the President.",
        },
        "Loans and the winner": {
            "loan": "If you are short of money you may borrow from another player. In the end you pay back a"
            " fifth more.",
            "loan-ahead": "Before a deal, a player with less than 1000 F may ask for a loan of 1000 F, once a"
            " deal. The first who lends gives it, or all there is if that is less; if none does, the deal goes"
            " on.",
            "lender": "The first player who lends gives what is missing, or all there is if that is less.",
            "overdrawn": "If no player lends what you owe, you fall below zero.",
            "paid-back": "After the last tour all loans are paid back, with interest.",
            "most-money": "There are as many tours as players. After the last one the player with the most"
            " money wins.",
            "equal-money": "Players who have the same amount share the victory.",
        },
        "After the match": {
            "told": "After a trick the referee tells what its winner has now, of the cards that count, and who"
            " has turned out to lack a suit."
        },
    },
    printed=(
        ("« Le vainqueur »", "players paid-back most-money"),
        ("« Préparation »", "purse"),
        ("« La partie »", "three-players deal redeal holder"),
        ("« Le premier Président »", "first-president"),
        ("« En cas d'échec »", "tour-length/all coup-failed bank secret-coup/bank"),
        ("« Pour simplifier »", "tour-length/three"),
        ("« Changement de pouvoir »", "next-tour/president"),
        ("« L'utilisation du mémento \"Coups d'État\" »", "attempt coup-in-dominos contract-used coup-takes"),
        ("« L'utilisation du mémento \"Coups d'État\" »", "coup-holder middle"),
        ("« Le contrat »", "decline"),
        ("« Mémento du Président »", "barbu victory siege prison guillotine dominos"),
        ("« Mémento du coup d'État »", "coup-barbu coup-victory coup-siege coup-prison coup-dominos"),
        ("« Mémento du coup d'État »", "coup-guillotine/listed"),
        ("« Conseils pour bien jouer »", "coup-guillotine/all-tricks"),
        ("« Le jeu de la carte »", "follow leader one-card trick all-tricks/all not-led/opening"),
        ("« L'ordre des cartes »", "ranks"),
        ('« Le contrat "Dominos" »', "domino-begin domino-fit domino-ranks domino-open/first-rank"),
        ('« Le contrat "Dominos" »', "domino-open/any-rank domino-pass ace-chain/on-king"),
        ("« Les paiements »", "tricks-paid paid-in-the-end"),
        ("« En cas de réussite »", "coup-won presidency"),
        ("« Coup secret »", "secret-coup/presidency secret-fail/bank"),
        ("« Comment emprunter »", "loan"),
    ),
    otherwise=(
        ("« Changement de pouvoir »", "next-tour/starter"),
        ("« Le jeu de la carte »", "all-tricks/early-stop"),
        ('« Le contrat "Dominos" »', "ace-chain/any-ace domino-end"),
        ("« Coup secret »", "secret-fail/president"),
    ),
    agreed={
        "left_out": {(): "tour-length/all"},
        "next_tour": {"left_of_starter": "next-tour/starter", "left_of_president": "next-tour/president"},
        "guillotine": {"listed": "coup-guillotine/listed", "all_tricks": "coup-guillotine/all-tricks"},
        "early_stop": {False: "all-tricks/all", True: "all-tricks/early-stop"},
        "lead_rule": {"opening": "not-led/opening", "all_leads": "not-led/ever"},
        "coup_card": {"free": "coup-card/free", "only_when_void": "coup-card/void"},
        "coup_led": {"free": "coup-led/free", "leader_names_suit": "coup-led/named"},
        "revoke_penalty": {kind: f"revoke-costs/{kind}" for kind in ("void", "pays", "told")},
        "domino_open": {"start_rank": "domino-open/first-rank", "any_matching": "domino-open/any-rank"},
        "ace_chain": {"on_king": "ace-chain/on-king", "any_ace": "ace-chain/any-ace"},
        "secret_coup": {True: "secret-coup/presidency secret-coup/bank secret-fail/president secret-fail/bank"},
        "secret_takes_bank": {False: "secret-coup/presidency", True: "secret-coup/bank"},
        "secret_fail": {"president": "secret-fail/president", "bank": "secret-fail/bank"},
        "loans_ahead": {True: "loan-ahead"},
    },
    holds=(
        (lambda house: bool(house.left_out), "tour-length/three"),
        (plays("barbu"), "barbu coup-barbu"),
        (plays("victory"), "victory coup-victory"),
        (plays("siege"), "siege coup-siege"),
        (plays("prison"), "prison coup-prison"),
        (plays("guillotine"), "guillotine coup-guillotine/listed coup-guillotine/all-tricks"),
        (plays("dominos"), "dominos coup-dominos domino-begin domino-fit domino-ranks domino-open/first-rank"),
        (plays("dominos"), "domino-open/any-rank domino-pass domino-all-pass ace-chain/on-king"),
        (plays("dominos"), "ace-chain/any-ace domino-end"),
        (plays("barbu", "siege", "guillotine"), "not-led-in-coup"),
        (plays("prison", "guillotine"), "tricks-paid"),
        (plays(*SECRET), "secret-coup/presidency secret-coup/bank secret-fail/president secret-fail/bank"),
    ),
)
BOOK = Book(
    chapters=CHAPTERS,
    options={
        **{name: f"{name} coup-{name}" for name in CONTRACTS},
        "only": "nothing-else",
        **dict.fromkeys(SUIT_WORDS, "coup-led/named"),
        "stop": "revoke-costs/void",
        "pass": "domino-pass",
        "enough": "ace-chain",
        "tried": "secret-fail/bank",
        "untried": "secret-fail/bank",
        "lend": "loan loan-ahead lender",
        "borrow": "loan-ahead",
        "refuse": "loan-ahead lender overdrawn",
    },
    asks={
        "draw": "first-president equal-draw",
        "contract": "tour-length/all decline contract-used",
        "coup-contract": "tour-length/all attempt contract-used",
        "nobody": "redeal",
        "card": "follow leader all-tricks",
        "only": "nothing-else",
        "suit": "coup-led/named",
        "middle": "middle middle-shown",
        "stop": "revoke-costs/void",
        "domino": "domino-begin domino-fit",
        "pass": "domino-pass",
        "chain": "ace-chain",
        "secret": "secret-fail/bank",
        "lend": "loan",
        "borrow": "loan-ahead",
        "lend-ahead": "loan-ahead",
    },
    refusals={
        "seats": "players",
        "left-out": "tour-length/three",
        "contract-left-out": "tour-length/three",
        "card-count": "one-card",
        "already-seen": "seen-once",
        **dict.fromkeys(("lead-barbu", "lead-siege", "lead-guillotine", "suit-barred"), "not-led"),
        "coup-of-another": "coup-holder",
        "no-fit": "domino-fit domino-ranks domino-open",
    },
    why_not=rules.why_not,
    effect=board.effect,
    withheld=board.withheld,
)
