"""Coup d'État's rule book as data: each rule in a sentence, with its place in the printed text."""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from referee.contract import Chapter, Rule, phrase
from referee.contract.rule_book import in_any_house
from referee.contract.words import Phrase
from referee.games.coup_d_etat.state import SECRET, House, contracts_of
from referee.kit.french_cards import SUIT_WORDS

Holds = Callable[[House], bool]

THE_GAME = "« La partie »"
THE_PLAY = "« Le jeu de la carte »"
DOMINOS = '« Le contrat "Dominos" »'
MEMENTO_IN_USE = "« L'utilisation du mémento \"Coups d'État\" »"
PAYMENTS = "« Les paiements »"
FAILURE = "« En cas d'échec »"
SECRET_COUP = "« Coup secret »"
THE_WINNER = "« Le vainqueur »"
COUP_SIDE = "« Mémento du coup d'État »"
NOT_TO_BE_LED = ("lead-barbu", "lead-siege", "lead-guillotine", "suit-barred")


def printed(name: str, place: str, text: Phrase, **more: Any) -> Rule:
    """Give a rule that stands under a heading of the printed text."""
    return Rule(id=name, text=text, place=place, **more)


def left_open(name: str, text: Phrase, **more: Any) -> Rule:
    """Give a rule of which the printed text says nothing."""
    return Rule(id=name, text=text, **more)


def otherwise(name: str, place: str, text: Phrase, **more: Any) -> Rule:
    """Give a rule where the printed text says something else, and it is ruled so here."""
    return Rule(id=name, text=text, otherwise=place, **more)


def plays(*contracts: str) -> Holds:
    """Hold where one of these contracts is played."""
    return lambda house: not {*contracts}.isdisjoint(contracts_of(house))


def chapter(title: Phrase, *rules: Rule, holds: Holds = in_any_house) -> Chapter:
    """Give a chapter, all of whose rules hold where something is played."""
    return Chapter(title, tuple(replace(rule, holds=both(holds, rule.holds)) for rule in rules))


def both(one: Holds, other: Holds) -> Holds:
    """Hold where two things do."""
    return lambda house: one(house) and other(house)


def in_secret(holds: Holds) -> Holds:
    """Hold where there are secret coups, and where something else does."""
    return both(lambda house: house.secret_coup and plays(*SECRET)(house), holds)


def sides(place: str, before: str = "", **texts: Phrase) -> Iterator[Rule]:
    """Give one side of the memento card: a rule for each contract, where it is played."""
    for name, text in texts.items():
        yield printed(before + name, place, text, holds=plays(name), options=(name,))


BOOK = (
    chapter(
        phrase("Setting up"),
        printed("players", THE_WINNER, phrase("Three or four play."), refusals=("seats",)),
        printed("purse", "« Préparation »", phrase("Everybody begins with 10,000 F.")),
        printed("three-players", THE_GAME, phrase("With three players the 8s and 7s stay in the box.")),
        printed(
            "first-president",
            "« Le premier Président »",
            phrase("Everybody draws a card, and the highest makes the first President, who deals."),
            asks=("draw",),
        ),
        left_open(
            "equal-draw",
            phrase("The Coup card is the highest of all. Those who share the highest card draw again."),
            asks=("draw",),
        ),
    ),
    chapter(
        phrase("Tours and deals"),
        printed(
            "tour-length/all",
            "« En cas d'échec »",
            phrase("A tour has six deals, one for each contract."),
            holds=lambda house: not house.left_out,
            asks=("contract", "coup-contract"),
        ),
        printed(
            "tour-length/three",
            "« Pour simplifier »",
            phrase(
                "Two different contracts are left out. A tour is over when three of the other four have been"
                " played."
            ),
            holds=lambda house: bool(house.left_out),
            refusals=("left-out", "contract-left-out"),
        ),
        otherwise(
            "next-tour/starter",
            "« Changement de pouvoir »",
            phrase("The next tour begins with the player to the left of the one who began this tour."),
            holds=lambda house: house.next_tour == "left_of_starter",
        ),
        printed(
            "next-tour/president",
            "« Changement de pouvoir »",
            phrase("The next tour begins with the player to the left of the one who is President."),
            holds=lambda house: house.next_tour == "left_of_president",
        ),
        printed(
            "deal",
            THE_GAME,
            phrase("The President deals eight cards to each; the last one, face down, is the middle card."),
        ),
        printed(
            "redeal",
            THE_GAME,
            phrase("If the Coup card is the middle card, the President shuffles and deals all cards again."),
            options=("redeal",),
            asks=("nobody",),
        ),
        printed(
            "holder",
            THE_GAME,
            phrase("The holder of the Coup card has to say so, and decides whether to attempt a coup."),
            asks=("holder",),
        ),
        printed(
            "attempt",
            MEMENTO_IN_USE,
            phrase(
                "To attempt a coup, keep the Coup card, choose the contract and lead. You play alone against"
                " all others. The President may do so, too."
            ),
            options=("attempt",),
            asks=("coup-contract",),
        ),
        printed(
            "decline",
            "« Le contrat »",
            phrase(
                "Without a coup, the holder lays the Coup card away and takes the middle card; the President"
                " chooses the contract."
            ),
            options=("decline",),
            asks=("contract",),
        ),
        printed(
            "coup-in-dominos",
            MEMENTO_IN_USE,
            phrase("A coup with Dominos is played without the Coup card: the middle card replaces it."),
        ),
        printed(
            "contract-used",
            MEMENTO_IN_USE,
            phrase("A contract that was chosen, in a coup too, can't be chosen again in the same tour."),
            refusals=("contract-used",),
            asks=("contract", "coup-contract"),
        ),
    ),
    chapter(
        phrase("Contracts of the President"),
        *sides(
            "« Mémento du Président »",
            barbu=phrase("Barbu: the player who takes the king of hearts pays the President 800 F."),
            victory=phrase("Victory: each queen that you take costs 200 F, paid to the President."),
            siege=phrase("Siege: each spade that you take costs 100 F, paid to the President."),
            prison=phrase("Prison: the first trick and the last one cost 400 F each, paid to the President."),
            guillotine=phrase(
                "Guillotine: the king of hearts costs 800 F, each queen 200 F, each spade 100 F, the first"
                " trick and the last one 400 F each, all paid to the President."
            ),
            dominos=phrase("Dominos: the last player who has cards pays the President 800 F."),
        ),
        left_open(
            "president-pays-nothing",
            phrase("Presidents pay nothing for what they take themselves, or for being the last with cards."),
        ),
    ),
    chapter(
        phrase("Contracts of a coup"),
        *sides(
            COUP_SIDE,
            "coup-",
            barbu=phrase("Coup with Barbu: take the king of hearts. It brings 600 F from each other player."),
            victory=phrase(
                "Coup with Victory: take all four queens. It brings 1,000 F from each other player."
            ),
            siege=phrase("Coup with Siege: take all the spades. It brings 1,000 F from each other player."),
            prison=phrase(
                "Coup with Prison: take the first trick and the last one. It brings 600 F from each other"
                " player."
            ),
            dominos=phrase(
                "Coup with Dominos: be the first to have laid all your cards. It brings 600 F from each other"
                " player."
            ),
        ),
        printed(
            "coup-guillotine/listed",
            COUP_SIDE,
            phrase(
                "Coup with Guillotine: take the king of hearts, all queens, all spades, the first trick and"
                " the last one. It brings 1,500 F from each other player."
            ),
            holds=both(plays("guillotine"), lambda house: house.guillotine == "listed"),
            options=("guillotine",),
        ),
        printed(
            "coup-guillotine/all-tricks",
            "« Conseils pour bien jouer »",
            phrase("Coup with Guillotine: take every trick. It brings 1,500 F from each other player."),
            holds=both(plays("guillotine"), lambda house: house.guillotine == "all_tricks"),
            options=("guillotine",),
        ),
    ),
    chapter(
        phrase("Tricks"),
        printed(
            "follow",
            THE_PLAY,
            phrase("Follow the suit that was led if you can; if you can't, lay any card."),
            asks=("card",),
        ),
        printed(
            "leader",
            THE_PLAY,
            phrase(
                "The President leads first, in a coup the player who attempts it. The others follow clockwise."
            ),
            asks=("card",),
        ),
        printed(
            "one-card",
            THE_PLAY,
            phrase("Everybody lays one card at a time, and only in turn."),
            refusals=("card-count",),
        ),
        left_open(
            "seen-once",
            phrase("Each card is there only once, so none that has been seen in the deal comes again."),
            refusals=("already-seen",),
        ),
        printed(
            "trick",
            THE_PLAY,
            phrase("The highest card of the suit that was led takes the trick, and its owner leads next."),
        ),
        printed(
            "ranks",
            "« L'ordre des cartes »",
            phrase("From the highest to the lowest: ace, 10, king, queen, jack, 9, 8, 7."),
        ),
        printed(
            "all-tricks/all",
            THE_PLAY,
            phrase("All eight tricks are played, even if all that counts has been taken."),
            holds=lambda house: not house.early_stop,
            asks=("card",),
        ),
        otherwise(
            "all-tricks/early-stop",
            THE_PLAY,
            phrase("A deal ends as soon as all that counts has been taken."),
            holds=lambda house: house.early_stop,
            asks=("card",),
        ),
        printed(
            "not-led/opening",
            THE_PLAY,
            phrase(
                "The first trick may not be led with a heart in Barbu, with a spade in Siege, with either in"
                " Guillotine."
            ),
            holds=lambda house: house.lead_rule == "opening",
            refusals=NOT_TO_BE_LED,
        ),
        left_open(
            "not-led/ever",
            phrase(
                "No trick may be led with a heart in Barbu, with a spade in Siege, with either in Guillotine."
            ),
            holds=lambda house: house.lead_rule == "all_leads",
            refusals=NOT_TO_BE_LED,
        ),
        left_open(
            "not-led-in-coup",
            phrase(
                "Suits that may not be led bind a coup as well. The Coup card is of no suit, so it may be led."
            ),
            holds=plays("barbu", "siege", "guillotine"),
        ),
        left_open(
            "nothing-else",
            phrase(
                "If your whole hand is of suits that may not be led, say so, and lead any card. Leading"
                " another suit takes it back."
            ),
            options=("only",),
            asks=("only",),
        ),
    ),
    chapter(
        phrase("The Coup card in tricks"),
        printed(
            "coup-takes",
            MEMENTO_IN_USE,
            phrase("The Coup card is the highest of all: it takes the trick, even from an ace."),
        ),
        printed(
            "coup-holder",
            MEMENTO_IN_USE,
            phrase("Only the player who attempts a coup holds the Coup card."),
            refusals=("coup-of-another",),
        ),
        left_open(
            "coup-card/free",
            phrase("The Coup card is of no suit. It may be played to any trick, even if you could follow."),
            holds=lambda house: house.coup_card == "free",
        ),
        left_open(
            "coup-card/void",
            phrase("The Coup card may be laid on a suit only if you can't follow; else it is a revoke."),
            holds=lambda house: house.coup_card == "only_when_void",
        ),
        left_open(
            "coup-last",
            phrase("A Coup card that hasn't been played before is the last card of its hand."),
            refusals=("coup-last",),
        ),
        left_open(
            "coup-led/free",
            phrase("When the Coup card is led, the others lay any card."),
            holds=lambda house: house.coup_led == "free",
        ),
        left_open(
            "coup-led/named",
            phrase("When the Coup card is led, its player names the suit that the others follow."),
            holds=lambda house: house.coup_led == "leader_names_suit",
            options=tuple(SUIT_WORDS),
            asks=("suit",),
        ),
        printed(
            "middle",
            MEMENTO_IN_USE,
            phrase("In a coup, the winner of the first trick takes the middle card: it is part of it."),
            asks=("middle",),
        ),
        left_open(
            "middle-shown",
            phrase(
                "A middle card that goes to a trick is shown to all, because it counts; one that goes to a"
                " hand isn't."
            ),
            asks=("middle",),
        ),
    ),
    chapter(
        phrase("Revokes"),
        left_open(
            "revoke",
            phrase(
                "Denying a suit that you hold is a revoke, as is passing with a card that fits. It is known as"
                " soon as that card falls."
            ),
        ),
        left_open(
            "revoke-costs/void",
            phrase(
                "A revoke voids the deal and costs 800 F, paid to the bank. Nothing else is paid, the contract"
                " is used up. The table may stop at once, or play on."
            ),
            holds=lambda house: house.revoke_penalty == "void",
            options=("stop",),
            asks=("stop",),
        ),
        left_open(
            "revoke-costs/pays",
            phrase("A revoke costs 800 F, paid to the bank, and the deal counts as it was played."),
            holds=lambda house: house.revoke_penalty == "pays",
        ),
        left_open(
            "revoke-costs/told",
            phrase("A revoke is told and costs nothing, and the deal counts as it was played."),
            holds=lambda house: house.revoke_penalty == "told",
        ),
    ),
    chapter(
        phrase("Dominos"),
        printed(
            "domino-begin",
            DOMINOS,
            phrase("The player who leads begins Dominos with any card; the others go on clockwise."),
            asks=("domino",),
        ),
        printed(
            "domino-fit",
            DOMINOS,
            phrase("Lay a card of the next higher or the next lower rank at a row of its suit, or open one."),
            refusals=("no-fit",),
            asks=("domino",),
        ),
        printed(
            "domino-ranks",
            DOMINOS,
            phrase("In Dominos the 10 lies between the jack and the 9."),
            refusals=("no-fit",),
        ),
        printed(
            "domino-open/first-rank",
            DOMINOS,
            phrase("A row is opened with a card of the same rank as the very first one."),
            holds=lambda house: house.domino_open == "start_rank",
            refusals=("no-fit",),
        ),
        printed(
            "domino-open/any-rank",
            DOMINOS,
            phrase("A row is opened with a card of the same rank as any that lies there."),
            holds=lambda house: house.domino_open == "any_matching",
            refusals=("no-fit",),
        ),
        printed(
            "domino-pass",
            DOMINOS,
            phrase("Pass only if none of your cards fits."),
            options=("pass",),
            asks=("pass",),
        ),
        left_open(
            "domino-all-pass", phrase("When all pass, one of them holds a card that fits: they go round again.")
        ),
        printed(
            "ace-chain/on-king",
            DOMINOS,
            phrase(
                "If you lay an ace on a king, you may go on with all your cards that fit, and stop at any time."
            ),
            holds=lambda house: house.ace_chain == "on_king",
            options=("enough",),
            asks=("chain",),
        ),
        otherwise(
            "ace-chain/any-ace",
            DOMINOS,
            phrase("If you lay an ace, you may go on with all your cards that fit, and stop at any time."),
            holds=lambda house: house.ace_chain == "any_ace",
            options=("enough",),
            asks=("chain",),
        ),
        otherwise(
            "domino-end",
            DOMINOS,
            phrase("Dominos goes on until only one player has cards; in a coup, until the first one has none."),
        ),
        holds=plays("dominos"),
    ),
    chapter(
        phrase("Payments"),
        printed(
            "first-trick-paid",
            PAYMENTS,
            phrase("In Prison and Guillotine the first trick is paid for as soon as it is taken."),
            holds=plays("prison", "guillotine"),
        ),
        printed(
            "paid-in-the-end",
            PAYMENTS,
            phrase("All else that was taken is counted and paid for at the end of the deal."),
        ),
        left_open(
            "given-back",
            phrase(
                "What was paid for the first trick is given back if the deal is void, or if its payer owes the"
                " President nothing after all."
            ),
        ),
    ),
    chapter(
        phrase("After a coup"),
        printed(
            "coup-won",
            "« En cas de réussite »",
            phrase("A coup that succeeds is paid for by all others, and its player takes what is in the bank."),
        ),
        printed(
            "presidency",
            "« En cas de réussite »",
            phrase("After a coup that succeeds its player is President, from the next deal on."),
        ),
        printed(
            "coup-failed",
            FAILURE,
            phrase("A coup that fails costs 800 F, paid to the bank, and the President stays President."),
        ),
        printed(
            "bank",
            FAILURE,
            phrase(
                "The bank keeps what is paid to it for the first coup that succeeds. What is left after a tour"
                " goes to the player who is President then."
            ),
        ),
        printed(
            "secret-coup/presidency",
            SECRET_COUP,
            phrase(
                "In Victory, Siege or Guillotine of the President, another player may take all that a coup"
                " would have to, without a word: that brings the same money, and the presidency, but not the"
                " bank."
            ),
            holds=in_secret(lambda house: not house.secret_takes_bank),
        ),
        printed(
            "secret-coup/bank",
            FAILURE,
            phrase(
                "In Victory, Siege or Guillotine of the President, another player may take all that a coup"
                " would have to, without a word: that brings the same money, the presidency, and what is in the"
                " bank."
            ),
            holds=in_secret(lambda house: house.secret_takes_bank),
        ),
        otherwise(
            "secret-fail/president",
            SECRET_COUP,
            phrase("A secret coup that fails isn't known: its penalties go to the President, like all others."),
            holds=in_secret(lambda house: house.secret_fail == "president"),
        ),
        printed(
            "secret-fail/bank",
            SECRET_COUP,
            phrase(
                "After the deal, those who have to pay may say that they tried a secret coup: they pay the"
                " bank instead of the President."
            ),
            holds=in_secret(lambda house: house.secret_fail == "bank"),
            options=("tried", "untried"),
            asks=("secret",),
        ),
    ),
    chapter(
        phrase("Loans and the winner"),
        printed(
            "loan",
            "« Comment emprunter »",
            phrase(
                "If you are short of money you may borrow from another player. In the end you pay back a fifth"
                " more."
            ),
            options=("lend",),
            asks=("lend",),
        ),
        left_open(
            "loan-ahead",
            phrase(
                "Before a deal, a player with less than 1000 F may ask for a loan of 1000 F, once a deal. The"
                " first who lends gives it, or all there is if that is less; if none does, the deal goes on."
            ),
            holds=lambda house: house.loans_ahead,
            options=("borrow", "lend", "refuse"),
            asks=("borrow", "lend-ahead"),
        ),
        left_open(
            "lender",
            phrase("The first player who lends gives what is missing, or all there is if that is less."),
            options=("lend", "refuse"),
        ),
        left_open(
            "overdrawn", phrase("If no player lends what you owe, you fall below zero."), options=("refuse",)
        ),
        printed("paid-back", THE_WINNER, phrase("After the last tour all loans are paid back, with interest.")),
        printed(
            "most-money",
            THE_WINNER,
            phrase(
                "There are as many tours as players. After the last one the player with the most money wins."
            ),
        ),
        left_open("equal-money", phrase("Players who have the same amount share the victory.")),
    ),
    chapter(
        phrase("Told afterwards"),
        left_open(
            "told",
            phrase(
                "After a trick the referee tells what its winner has now, of the cards that count, and who has"
                " turned out to lack a suit."
            ),
        ),
    ),
)
