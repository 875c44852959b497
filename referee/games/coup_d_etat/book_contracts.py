"""The contracts in Coup d'État's rule book: both sides of the memento card."""

from collections.abc import Callable

from referee.contract import Chapter, Rule, phrase
from referee.games.coup_d_etat.contracts import Contract
from referee.games.coup_d_etat.house import House, contracts_of

Holds = Callable[[House], bool]


def plays(*contracts: Contract) -> Holds:
    """Hold where one of these contracts is played."""
    return lambda house: not {*contracts}.isdisjoint(contracts_of(house))


PRESIDENT_SIDE = "« Mémento du Président »"
COUP_SIDE = "« Mémento du coup d'État »"

_PRESIDENT = Chapter(
    phrase("Contracts of the President"),
    (
        Rule(
            id="barbu",
            text=phrase("Barbu: the player who takes the king of hearts pays the President 800 F."),
            place=PRESIDENT_SIDE,
            holds=plays("barbu"),
            rulings=("barbu-president", "count-king"),
            options=("barbu",),
        ),
        Rule(
            id="victory",
            text=phrase("Victory: each queen that you take costs 200 F, paid to the President."),
            place=PRESIDENT_SIDE,
            holds=plays("victory"),
            rulings=("victory-president", "count-queens"),
            options=("victory",),
        ),
        Rule(
            id="siege",
            text=phrase("Siege: each spade that you take costs 100 F, paid to the President."),
            place=PRESIDENT_SIDE,
            holds=plays("siege"),
            rulings=("siege-president", "count-spades"),
            options=("siege",),
        ),
        Rule(
            id="prison",
            text=phrase("Prison: the first trick and the last one cost 400 F each, paid to the President."),
            place=PRESIDENT_SIDE,
            holds=plays("prison"),
            rulings=("prison-president", "count-first-trick", "count-last-trick"),
            options=("prison",),
        ),
        Rule(
            id="guillotine",
            text=phrase(
                "Guillotine: the king of hearts costs 800 F, each queen 200 F, each spade 100 F, the first"
                " trick and the last one 400 F each, all paid to the President."
            ),
            place=PRESIDENT_SIDE,
            holds=plays("guillotine"),
            rulings=(
                "guillotine-president",
                "count-king",
                "count-queens",
                "count-spades",
                "count-first-trick",
                "count-last-trick",
            ),
            options=("guillotine",),
        ),
        Rule(
            id="dominos",
            text=phrase("Dominos: the last player who has cards pays the President 800 F."),
            place=PRESIDENT_SIDE,
            holds=plays("dominos"),
            rulings=("dominos-president", "last-out"),
            options=("dominos",),
        ),
        Rule(
            id="president-pays-nothing",
            text=phrase(
                "Presidents pay nothing for what they take themselves, or for being the last with cards."
            ),
            rulings=("nobody-pays",),
        ),
    ),
)

_COUP = Chapter(
    phrase("Contracts of a coup"),
    (
        Rule(
            id="coup-barbu",
            text=phrase("Coup with Barbu: take the king of hearts. It brings 600 F from each other player."),
            place=COUP_SIDE,
            holds=plays("barbu"),
            rulings=("barbu-coup",),
            options=("barbu",),
        ),
        Rule(
            id="coup-victory",
            text=phrase("Coup with Victory: take all four queens. It brings 1,000 F from each other player."),
            place=COUP_SIDE,
            holds=plays("victory"),
            rulings=("victory-coup",),
            options=("victory",),
        ),
        Rule(
            id="coup-siege",
            text=phrase("Coup with Siege: take all the spades. It brings 1,000 F from each other player."),
            place=COUP_SIDE,
            holds=plays("siege"),
            rulings=("siege-coup",),
            options=("siege",),
        ),
        Rule(
            id="coup-prison",
            text=phrase(
                "Coup with Prison: take the first trick and the last one. It brings 600 F from each other"
                " player."
            ),
            place=COUP_SIDE,
            holds=plays("prison"),
            rulings=("prison-coup",),
            options=("prison",),
        ),
        Rule(
            id="coup-guillotine/listed",
            text=phrase(
                "Coup with Guillotine: take the king of hearts, all queens, all spades, the first trick and the"
                " last one. It brings 1,500 F from each other player."
            ),
            place=COUP_SIDE,
            holds=lambda house: plays("guillotine")(house) and house.guillotine == "listed",
            rulings=("guillotine-coup",),
            options=("guillotine",),
        ),
        Rule(
            id="coup-guillotine/all-tricks",
            text=phrase("Coup with Guillotine: take every trick. It brings 1,500 F from each other player."),
            place="« Conseils pour bien jouer »",
            holds=lambda house: plays("guillotine")(house) and house.guillotine == "all_tricks",
            rulings=("guillotine-coup",),
            options=("guillotine",),
        ),
        Rule(
            id="coup-dominos",
            text=phrase(
                "Coup with Dominos: be the first to have laid all your cards. It brings 600 F from each other"
                " player."
            ),
            place=COUP_SIDE,
            holds=plays("dominos"),
            rulings=("dominos-coup",),
            options=("dominos",),
        ),
    ),
)

MEMENTO_CHAPTERS = (_PRESIDENT, _COUP)
