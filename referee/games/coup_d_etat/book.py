"""Coup d'État's rule book: tours of six contracts, the Coup card, and what the rule text leaves open."""

from referee.contract import Chapter, Rule, Ruling, phrase
from referee.games.coup_d_etat.book_contracts import MEMENTO_CHAPTERS
from referee.games.coup_d_etat.book_money import MONEY_CHAPTERS
from referee.games.coup_d_etat.book_play import PLAY_CHAPTERS


def _is_first_tour(ruling: Ruling) -> bool:
    return ruling.values["number"] == 1


def _is_later_tour(ruling: Ruling) -> bool:
    return not _is_first_tour(ruling)


THE_GAME = "« La partie »"
THE_CONTRACT = "« Le contrat »"
MEMENTO_IN_USE = "« L'utilisation du mémento \"Coups d'État\" »"
CHANGE_OF_POWER = "« Changement de pouvoir »"
THE_WINNER = "« Le vainqueur »"

_BEGIN = Chapter(
    phrase("Setting up"),
    (
        Rule(
            id="purse",
            text=phrase("Everybody begins with 10,000 F."),
            place="« Préparation »",
            rulings=("purses",),
        ),
        Rule(
            id="three-players",
            text=phrase("With three players the 8s and 7s stay in the box."),
            place=THE_GAME,
            rulings=("low-aside",),
        ),
        Rule(
            id="first-president",
            text=phrase("Everybody draws a card, and the highest makes the first President, who deals."),
            place="« Le premier Président »",
            rulings=("drew", "tour"),
            where=lambda ruling: ruling.key == "drew" or _is_first_tour(ruling),
            asks=("draw",),
        ),
        Rule(
            id="equal-draw",
            text=phrase("The Coup card is the highest of all. Those who share the highest card draw again."),
            rulings=("draw-again",),
            asks=("draw",),
        ),
    ),
)

_TOUR = Chapter(
    phrase("Tours and deals"),
    (
        Rule(
            id="tours",
            text=phrase("There are as many tours as players."),
            place=THE_WINNER,
            rulings=("tour",),
        ),
        Rule(
            id="tour-length/all",
            text=phrase("A tour has six deals, one for each contract."),
            place="« En cas d'échec »",
            holds=lambda house: not house.left_out,
            rulings=("tour", "deal"),
        ),
        Rule(
            id="tour-length/three",
            text=phrase(
                "Two different contracts are left out. A tour is over when three of the other four have been"
                " played."
            ),
            place="« Pour simplifier »",
            holds=lambda house: bool(house.left_out),
            rulings=("tour", "deal"),
            refusals=("left-out", "contract-left-out"),
        ),
        Rule(
            id="next-tour/starter",
            text=phrase("The next tour begins with the player to the left of the one who began this tour."),
            place=CHANGE_OF_POWER,
            holds=lambda house: house.next_tour == "left_of_starter",
            rulings=("tour",),
            where=_is_later_tour,
        ),
        Rule(
            id="next-tour/president",
            text=phrase("The next tour begins with the player to the left of the one who is President."),
            place=CHANGE_OF_POWER,
            holds=lambda house: house.next_tour == "left_of_president",
            rulings=("tour",),
            where=_is_later_tour,
        ),
        Rule(
            id="deal",
            text=phrase(
                "The President deals eight cards to each; the last one, face down, is the middle card."
            ),
            place=THE_GAME,
            rulings=("deal",),
        ),
        Rule(
            id="redeal",
            text=phrase(
                "If the Coup card is the middle card, the President shuffles and deals all cards again."
            ),
            place=THE_GAME,
            rulings=("redeal",),
            options=("redeal",),
            asks=("nobody",),
        ),
        Rule(
            id="holder",
            text=phrase("The holder of the Coup card has to say so, and decides whether to attempt a coup."),
            place=THE_GAME,
            rulings=("attempts", "declines"),
            asks=("holder",),
        ),
        Rule(
            id="attempt",
            text=phrase(
                "To attempt a coup, keep the Coup card, choose the contract and lead. You play alone against"
                " all others. The President may do so, too."
            ),
            place=MEMENTO_IN_USE,
            rulings=("attempts",),
            options=("attempt",),
            asks=("coup-contract",),
        ),
        Rule(
            id="decline",
            text=phrase(
                "Without a coup, the holder lays the Coup card away and takes the middle card; the President"
                " chooses the contract."
            ),
            place=THE_CONTRACT,
            rulings=("declines",),
            options=("decline",),
            asks=("contract",),
        ),
        Rule(
            id="coup-in-dominos",
            text=phrase("A coup with Dominos is played without the Coup card: the middle card replaces it."),
            place=MEMENTO_IN_USE,
            rulings=("swaps",),
        ),
        Rule(
            id="middle-unseen",
            text=phrase("A middle card that goes to a hand isn't shown to the others."),
            rulings=("declines", "swaps"),
        ),
        Rule(
            id="contract-used",
            text=phrase("A contract that has been played can't be chosen again in the same tour."),
            place=MEMENTO_IN_USE,
            refusals=("contract-used",),
            asks=("contract", "coup-contract"),
        ),
    ),
)

_TABLE = Chapter(
    phrase("Before the match"),
    (
        Rule(
            id="players",
            text=phrase("Three or four play."),
            place=THE_WINNER,
            refusals=("seats",),
        ),
    ),
)

_TOLD = Chapter(
    phrase("Told afterwards"),
    (
        Rule(
            id="so-far",
            text=phrase("After a trick the referee tells what its winner has now, of the cards that count."),
            rulings=("so-far-king", "so-far-queens", "so-far-spades"),
        ),
        Rule(
            id="voids",
            text=phrase("After a trick the referee tells who has turned out to lack a suit."),
            rulings=("voids",),
        ),
    ),
)

BOOK = (_BEGIN, _TOUR, *MEMENTO_CHAPTERS, *PLAY_CHAPTERS, *MONEY_CHAPTERS, _TABLE, _TOLD)
