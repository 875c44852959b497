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
            "equal-draw": "The Coup card is the highest of all. Players who tie for the highest card draw"
            " again.",
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
            "holder": "The holder of the Coup card must announce it, and decides whether to attempt a coup.",
            "attempt": "To attempt a coup, keep the Coup card, choose the contract and lead. You play alone"
            " against all others. The President may do so, too.",
            "decline": "Without a coup, the holder sets the Coup card aside and takes the middle card; the"
            " President chooses the contract.",
            "coup-in-dominos": "A coup with Dominos is played without the Coup card: the middle card replaces"
            " it.",
            "contract-used": "Each contract can be chosen only once per tour, coups included.",
        },
        "Contracts of the President": {
            "barbu": "Barbu: the player who takes the king of hearts pays the President 800 F.",
            "victory": "Victory: each queen that you take costs 200 F, paid to the President.",
            "siege": "Siege: each spade that you take costs 100 F, paid to the President.",
            "prison": "Prison: the first trick and the last one cost 400 F each, paid to the President.",
            "guillotine": "Guillotine: the king of hearts costs 800 F, each queen 200 F, each spade 100 F, the"
            " first trick and the last one 400 F each, all paid to the President.",
            "dominos": "Dominos: the last player who has cards pays the President 800 F.",
            "president-pays-nothing": "Presidents pay nothing for cards that they take, or for being the last"
            " with cards.",
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
            "seen-once": "Each card exists only once, so a card that was seen in this deal can't appear again.",
            "trick": "The highest card of the suit that was led takes the trick, and its owner leads next.",
            "ranks": "From the highest to the lowest: ace, 10, king, queen, jack, 9, 8, 7.",
            "all-tricks/all": "All eight tricks are played, even if all that counts has been taken.",
            "all-tricks/early-stop": "A deal ends as soon as all that counts has been taken.",
            "not-led/opening": "The first trick may not be led with a heart in Barbu, with a spade in Siege,"
            " with either in Guillotine.",
            "not-led/ever": "No trick may be led with a heart in Barbu, with a spade in Siege, with either in"
            " Guillotine.",
            "not-led-in-coup": "Suits that may not be led are barred in a coup as well. The Coup card has no"
            " suit, so it may be led.",
            "nothing-else": "If your hand has only suits that may not be led, say so and lead any card."
            " Leading another suit withdraws the claim.",
        },
        "The Coup card in tricks": {
            "coup-takes": "The Coup card is the highest of all: it takes the trick, even from an ace.",
            "coup-holder": "Only the player who attempts a coup holds the Coup card.",
            "coup-card/free": "The Coup card has no suit. It may be played to any trick, even if you could"
            " follow.",
            "coup-card/void": "The Coup card may be played only if you can't follow suit; otherwise it is a"
            " revoke.",
            "coup-last": "If it wasn't played earlier, the Coup card is the last card of its hand.",
            "coup-led/free": "When the Coup card is led, the others may play any card.",
            "coup-led/named": "When the Coup card is led, its player names the suit that the others follow.",
            "middle": "In a coup, the middle card belongs to the first trick, so the winner of that trick"
            " takes it.",
            "middle-shown": "A middle card that joins a trick is shown to all, because it counts; one that"
            " joins a hand isn't.",
        },
        "Revokes": {
            "revoke": "Not following a suit that you hold is a revoke, and so is passing with a card that"
            " fits. It is discovered when that card is played.",
            "revoke-costs/void": "A revoke voids the deal and costs 800 F, paid to the bank. Nothing else is"
            " paid, and the contract is used up. The table may stop at once or play on.",
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
            "domino-all-pass": "If everyone passes, somebody must hold a card that fits: go round again.",
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
            "paid-in-the-end": "Everything else is counted and paid for at the end of the deal.",
            "given-back": "The payment for the first trick is returned if the deal is void, or if the payer"
            " owes the President nothing after all.",
        },
        "After a coup": {
            "coup-won": "All others pay for a successful coup, and its player takes the money in the bank.",
            "presidency": "After a successful coup its player is President from the next deal on.",
            "coup-failed": "A failed coup costs 800 F, paid to the bank, and the President stays in office.",
            "bank": "Money in the bank goes to the first successful coup. If there is none by the end of the"
            " tour, it goes to the current President.",
            "secret-coup/presidency": "In the President's Victory, Siege or Guillotine, another player may"
            " secretly take everything that a coup needs. That earns the same money and the presidency,"
            " but not the bank.",
            "secret-coup/bank": "In the President's Victory, Siege or Guillotine, another player may secretly"
            " take everything that a coup needs. That earns the same money, the presidency and the bank.",
            "secret-fail/president": "A failed secret coup stays secret: its penalties go to the President,"
            " like all others.",
            "secret-fail/bank": "After the deal, players who owe money may declare that they tried a secret"
            " coup: they pay the bank instead of the President.",
        },
        "Loans and the winner": {
            "loan": "If you are short of money you may borrow from another player. In the end you pay back a"
            " fifth more.",
            "loan-ahead": "Before a deal, a player with less than 1000 F may ask for a loan of 1000 F, once"
            " per deal. The first lender gives it, or everything if that is less. If nobody lends, the"
            " deal goes on.",
            "lender": "The first lender gives the missing amount, or everything if that is less.",
            "overdrawn": "If nobody lends you the missing money, you fall below zero.",
            "paid-back": "After the last tour all loans are paid back, with interest.",
            "most-money": "There are as many tours as players. After the last one the player with the most"
            " money wins.",
            "equal-money": "Players who have the same amount share the victory.",
        },
        "After the match": {
            "told": "After a trick, the referee reports the winner's cards that count, and the players who"
            " turned out to lack a suit."
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
