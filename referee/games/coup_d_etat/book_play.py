"""The play of the cards in Coup d'État's rule book: tricks, what may be led, revokes, Dominos."""

from referee.contract import Chapter, Rule, Ruling, phrase
from referee.games.coup_d_etat.book_contracts import plays
from referee.games.coup_d_etat.deck import COUP, HAND, SUIT_WORDS


def _cards(ruling: Ruling) -> tuple[object, ...]:
    cards = ruling.values["cards"]
    return cards if isinstance(cards, tuple) else ()


def _has_coup_card(ruling: Ruling) -> bool:
    return COUP in _cards(ruling)


def _has_coup_card_led(ruling: Ruling) -> bool:
    return _cards(ruling)[:1] == (COUP,)


def _is_coup_card(ruling: Ruling) -> bool:
    return ruling.values["card"] == COUP


def _is_last_trick(ruling: Ruling) -> bool:
    return ruling.values["number"] == HAND


THE_PLAY = "« Le jeu de la carte »"
MEMENTO_IN_USE = "« L'utilisation du mémento \"Coups d'État\" »"
DOMINOS = '« Le contrat "Dominos" »'
NOT_TO_BE_LED = ("lead-barbu", "lead-siege", "lead-guillotine", "suit-barred")
REVOKES = ("revoke", "revoke-said", "false-pass")

_TRICKS = Chapter(
    phrase("Tricks"),
    (
        Rule(
            id="follow",
            text=phrase("Follow the suit that was led if you can; if you can't, lay any card."),
            place=THE_PLAY,
            rulings=("plays",),
            asks=("card",),
        ),
        Rule(
            id="leader",
            text=phrase(
                "The President leads first, in a coup the player who attempts it. The others follow clockwise."
            ),
            place=THE_PLAY,
            rulings=("plays",),
            asks=("card",),
        ),
        Rule(
            id="one-card",
            text=phrase("Everybody lays one card at a time, and only in turn."),
            place=THE_PLAY,
            refusals=("card-count",),
        ),
        Rule(
            id="seen-once",
            text=phrase("Each card is there only once, so none that has been seen in the deal comes again."),
            refusals=("already-seen",),
        ),
        Rule(
            id="trick",
            text=phrase("The highest card of the suit that was led takes the trick, and its owner leads next."),
            place=THE_PLAY,
            rulings=("trick",),
        ),
        Rule(
            id="ranks",
            text=phrase("From the highest to the lowest: ace, 10, king, queen, jack, 9, 8, 7."),
            place="« L'ordre des cartes »",
            rulings=("trick",),
        ),
        Rule(
            id="all-tricks/all",
            text=phrase("All eight tricks are played, even if all that counts has been taken."),
            place=THE_PLAY,
            holds=lambda house: not house.early_stop,
            rulings=("trick",),
            where=_is_last_trick,
        ),
        Rule(
            id="all-tricks/early-stop",
            text=phrase("A deal ends as soon as all that counts has been taken."),
            holds=lambda house: house.early_stop,
            asks=("card",),
        ),
        Rule(
            id="not-led/opening",
            text=phrase(
                "The first trick may not be led with a heart in Barbu, with a spade in Siege, with either in"
                " Guillotine."
            ),
            place=THE_PLAY,
            holds=lambda house: house.lead_rule == "opening",
            refusals=NOT_TO_BE_LED,
        ),
        Rule(
            id="not-led/ever",
            text=phrase(
                "No trick may be led with a heart in Barbu, with a spade in Siege, with either in Guillotine."
            ),
            holds=lambda house: house.lead_rule == "all_leads",
            refusals=NOT_TO_BE_LED,
        ),
        Rule(
            id="not-led-in-coup",
            text=phrase(
                "Suits that may not be led bind a coup as well. The Coup card is of no suit, so it may be led."
            ),
            holds=plays("barbu", "siege", "guillotine"),
            rulings=("barbu-coup", "siege-coup", "guillotine-coup"),
        ),
        Rule(
            id="nothing-else",
            text=phrase(
                "If your whole hand is of suits that may not be led, say so, and lead any card. Leading another"
                " suit takes it back."
            ),
            rulings=("only",),
            options=("only",),
            asks=("only",),
        ),
    ),
)

_COUP_CARD = Chapter(
    phrase("The Coup card in tricks"),
    (
        Rule(
            id="coup-takes",
            text=phrase("The Coup card is the highest of all: it takes the trick, even from an ace."),
            place=MEMENTO_IN_USE,
            rulings=("trick",),
            where=_has_coup_card,
        ),
        Rule(
            id="coup-holder",
            text=phrase("Only the player who attempts a coup holds the Coup card."),
            place=MEMENTO_IN_USE,
            refusals=("coup-of-another",),
        ),
        Rule(
            id="coup-card/free",
            text=phrase(
                "The Coup card is of no suit. It may be played to any trick, even if you could follow."
            ),
            holds=lambda house: house.coup_card == "free",
            rulings=("plays",),
            where=_is_coup_card,
        ),
        Rule(
            id="coup-card/void",
            text=phrase("The Coup card may be laid on a suit only if you can't follow; else it is a revoke."),
            holds=lambda house: house.coup_card == "only_when_void",
            rulings=("plays",),
            where=_is_coup_card,
        ),
        Rule(
            id="coup-last",
            text=phrase("A Coup card that hasn't been played before is the last card of its hand."),
            refusals=("coup-last",),
        ),
        Rule(
            id="coup-led/free",
            text=phrase("When the Coup card is led, the others lay any card."),
            holds=lambda house: house.coup_led == "free",
            rulings=("trick",),
            where=_has_coup_card_led,
        ),
        Rule(
            id="coup-led/named",
            text=phrase("When the Coup card is led, its player names the suit that the others follow."),
            holds=lambda house: house.coup_led == "leader_names_suit",
            rulings=("names",),
            options=tuple(SUIT_WORDS),
            asks=("suit",),
        ),
        Rule(
            id="middle",
            text=phrase("In a coup, the winner of the first trick takes the middle card: it is part of it."),
            place=MEMENTO_IN_USE,
            rulings=("middle",),
            asks=("middle",),
        ),
        Rule(
            id="middle-shown",
            text=phrase("A middle card that goes to a trick is shown to all, because it counts."),
            rulings=("middle",),
        ),
    ),
)

_REVOKES = Chapter(
    phrase("Revokes"),
    (
        Rule(
            id="revoke",
            text=phrase(
                "Denying a suit that you hold is a revoke, as is passing with a card that fits. It is known as"
                " soon as that card falls."
            ),
            rulings=REVOKES,
        ),
        Rule(
            id="revoke-costs/void",
            text=phrase(
                "A revoke voids the deal and costs 800 F, paid to the bank. Nothing else is paid, the contract"
                " is used up. The table may stop at once, or play on."
            ),
            holds=lambda house: house.revoke_penalty == "void",
            rulings=("void", *REVOKES),
            options=("stop",),
            asks=("stop",),
        ),
        Rule(
            id="revoke-costs/pays",
            text=phrase("A revoke costs 800 F, paid to the bank, and the deal counts as it was played."),
            holds=lambda house: house.revoke_penalty == "pays",
            rulings=REVOKES,
        ),
        Rule(
            id="revoke-costs/told",
            text=phrase("A revoke is told and costs nothing, and the deal counts as it was played."),
            holds=lambda house: house.revoke_penalty == "told",
            rulings=REVOKES,
        ),
    ),
)

_DOMINOS = Chapter(
    phrase("Dominos"),
    (
        Rule(
            id="domino-begin",
            text=phrase("The player who leads begins Dominos with any card; the others go on clockwise."),
            place=DOMINOS,
            holds=plays("dominos"),
            rulings=("dominos-president", "dominos-coup"),
            asks=("domino",),
        ),
        Rule(
            id="domino-fit",
            text=phrase(
                "Lay a card of the next higher or the next lower rank at a row of its suit, or open one."
            ),
            place=DOMINOS,
            holds=plays("dominos"),
            rulings=("lays",),
            refusals=("no-fit",),
            asks=("domino",),
        ),
        Rule(
            id="domino-ranks",
            text=phrase("In Dominos the 10 lies between the jack and the 9."),
            place=DOMINOS,
            holds=plays("dominos"),
            rulings=("dominos-president", "dominos-coup"),
            refusals=("no-fit",),
        ),
        Rule(
            id="domino-open/first-rank",
            text=phrase("A row is opened with a card of the same rank as the very first one."),
            place=DOMINOS,
            holds=lambda house: plays("dominos")(house) and house.domino_open == "start_rank",
            rulings=("lays",),
            refusals=("no-fit",),
        ),
        Rule(
            id="domino-open/any-rank",
            text=phrase("A row is opened with a card of the same rank as any that lies there."),
            place=DOMINOS,
            holds=lambda house: plays("dominos")(house) and house.domino_open == "any_matching",
            rulings=("lays",),
            refusals=("no-fit",),
        ),
        Rule(
            id="domino-pass",
            text=phrase("Pass only if none of your cards fits."),
            place=DOMINOS,
            holds=plays("dominos"),
            rulings=("passes", "false-pass"),
            options=("pass",),
            asks=("pass",),
        ),
        Rule(
            id="domino-all-pass",
            text=phrase("When all pass, one of them holds a card that fits: they go round again."),
            holds=plays("dominos"),
            rulings=("all-passed",),
        ),
        Rule(
            id="ace-chain/on-king",
            text=phrase("If you lay an ace on a king, you may go on with all your cards that fit."),
            place=DOMINOS,
            holds=lambda house: plays("dominos")(house) and house.ace_chain == "on_king",
            rulings=("enough",),
            asks=("chain",),
        ),
        Rule(
            id="ace-chain/any-ace",
            text=phrase("If you lay an ace, you may go on with all your cards that fit."),
            holds=lambda house: plays("dominos")(house) and house.ace_chain == "any_ace",
            rulings=("enough",),
            asks=("chain",),
        ),
        Rule(
            id="ace-chain-ends",
            text=phrase("After an ace you may stop at any time, even if another card fits."),
            holds=plays("dominos"),
            rulings=("enough",),
            options=("enough",),
        ),
        Rule(
            id="domino-end",
            text=phrase(
                "Dominos goes on until only one player has cards; in a coup, until the first one has none."
            ),
            place=DOMINOS,
            holds=plays("dominos"),
            rulings=("out-of-cards",),
        ),
    ),
)

PLAY_CHAPTERS = (_TRICKS, _COUP_CARD, _REVOKES, _DOMINOS)
