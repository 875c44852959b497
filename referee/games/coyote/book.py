"""Coyote's rule book: the rules of the three boxes, the optional ones, and what the rule texts leave open."""

from referee.contract import Chapter, Rule, phrase
from referee.games.coyote.book_powers import (
    SPECIAL,
    SPECIALS_CHAPTER,
    TOKENS_CHAPTER,
    VARIANTS,
    Holds,
    with_power,
)
from referee.games.coyote.house import deck_of, doubling_of, edition_of


def _in_box(*editions: str) -> Holds:
    return lambda house: house.edition in editions


def _has_card(face: str) -> Holds:
    return lambda house: face in deck_of(house).counts


THE_GAME = {
    "kidult": "« Déroulement de la partie »",
    "gigamic": "« Déroulement du jeu »",
    "oliphante": "« Déroulement de la partie »",
}
CARDS = {
    "kidult": "« Cartes spéciales »",
    "gigamic": "« Valeur des cartes-plumes »",
    "oliphante": "« Les plumes bleues »",
}
SUMS = {**THE_GAME, "gigamic": CARDS["gigamic"]}
THE_END = {
    "kidult": "« Fin de la partie »",
    "gigamic": "« Fin de partie »",
    "oliphante": "« La fin du jeu »",
}

_BEGIN = Chapter(
    phrase("A round begins"),
    (
        Rule(
            id="cards-worn",
            text=phrase(
                "Each round everybody draws a card and wears it: all others see it, its owner doesn't."
            ),
            place={**THE_GAME, "kidult": "« Préparation du jeu »", "gigamic": "« Préparation »"},
        ),
        Rule(
            id="pile-too-short",
            text=phrase("When there are too few cards for all, the whole deck is shuffled first."),
            place={"oliphante": THE_GAME["oliphante"]},
        ),
        Rule(
            id="first-opener/best-laugh",
            text=phrase("The best coyote laugh opens the first round; the table says who that is."),
            place=THE_GAME,
            holds=_in_box("kidult"),
            options=("opens",),
            asks=("opener",),
        ),
        Rule(
            id="first-opener/youngest",
            text=phrase("The youngest opens the first round; the table says who that is."),
            place=THE_GAME,
            holds=_in_box("gigamic", "oliphante"),
            options=("opens",),
            asks=("opener",),
        ),
        Rule(
            id="next-opener/loser",
            text=phrase("The loser of a round opens the next one; if that player is out, the opponent does."),
            place=THE_GAME,
            holds=lambda house: edition_of(house).opener == "loser",
        ),
        Rule(
            id="next-opener/winner",
            text=phrase("The winner of the duel opens the next round."),
            place=THE_GAME,
            holds=lambda house: edition_of(house).opener == "winner",
        ),
    ),
)

_NUMBERS = Chapter(
    phrase("Numbers"),
    (
        Rule(
            id="higher",
            text=phrase(
                "The first number is any above 0; the next player says a higher one, or calls Coyote. The turn"
                " goes clockwise."
            ),
            place=THE_GAME,
            refusals=("too-low",),
            asks=("announce",),
        ),
        Rule(
            id="four-digits",
            text=phrase("No number goes beyond 9999, what a display can show, unless 9999 has been said."),
            refusals=("too-high",),
        ),
        Rule(
            id="call/in-turn",
            text=phrase(
                "Instead of saying a number, the player in turn may call Coyote on the last as too high."
            ),
            place=THE_GAME,
            holds=lambda house: not house.anyone_may_contest,
            options=("coyote",),
            asks=("turn",),
        ),
        Rule(
            id="call/anytime",
            text=phrase("Everybody may call Coyote on the last number, at any time and out of turn."),
            otherwise=THE_GAME,
            holds=lambda house: house.anyone_may_contest,
            options=("coyote",),
            asks=("turn", "contest"),
        ),
        Rule(
            id="not-ones-own/all-skip",
            text=phrase(
                "Nobody calls Coyote on a number of their own: if all others skip, it has to be raised."
            ),
            holds=_in_box("oliphante"),
            options=("coyote",),
        ),
        Rule(
            id="not-ones-own",
            text=phrase("Nobody calls Coyote on a number of their own."),
            holds=_in_box("kidult", "gigamic"),
            options=("coyote",),
        ),
    ),
)

_COUNT = Chapter(
    phrase("The count"),
    (
        Rule(
            id="all-shown",
            text=phrase("After Coyote all cards go to the middle, face up, and are counted."),
            place=THE_GAME,
            asks=("reveal",),
        ),
        Rule(
            id="cave",
            text=phrase("The cave draws the top card of the pile, and that counts in its place."),
            place=CARDS,
            asks=("draw",),
        ),
        Rule(
            id="cave-draws-special",
            text=phrase("A special card that the cave draws takes effect."),
        ),
        Rule(
            id="pile-renewed",
            text=phrase(
                "When a card is to be drawn and the pile is empty, the discards are shuffled into a new one;"
                " with none left either, the cave counts nothing."
            ),
        ),
        Rule(
            id="decoy",
            text=phrase("Decoys have no value."),
            place={"kidult": "« Cartes ordinaires »"},
            holds=_has_card("0"),
        ),
        Rule(
            id="fox",
            text=phrase("The fox cancels the highest card above 0, one only; with none there it does nothing."),
            place=CARDS,
        ),
        Rule(
            id="max-minus",
            text=phrase(
                "MAX − turns the highest card left above 0, one only, against the others: it is subtracted."
            ),
            place=CARDS,
            holds=_has_card("max-"),
        ),
        Rule(
            id="added",
            text=phrase("The cards above 0 are added up."),
            place=SUMS,
        ),
        Rule(
            id="leader/greens",
            text=phrase("The leader doubles what adds up, not what is subtracted."),
            place={name: place for name, place in CARDS.items() if name != "gigamic"},
            otherwise={"gigamic": CARDS["gigamic"]},
            holds=lambda house: doubling_of(house) == "greens",
        ),
        Rule(
            id="leader/total",
            text=phrase("The leader doubles the whole total, after all is subtracted."),
            place={"gigamic": CARDS["gigamic"]},
            otherwise={name: place for name, place in CARDS.items() if name != "gigamic"},
            holds=lambda house: doubling_of(house) == "total",
        ),
        Rule(
            id="subtracted",
            text=phrase("Then the cards below 0 are subtracted."),
            place=SUMS,
        ),
        Rule(
            id="night",
            text=phrase("The night counts nothing; after the round the whole deck is shuffled."),
            place=CARDS,
        ),
    ),
)

_DUEL = Chapter(
    phrase("The duel and its marks"),
    (
        Rule(
            id="reached",
            text=phrase(
                "The bidder wins the duel when the total reaches the number, the caller when it falls short."
            ),
            place=THE_GAME,
        ),
        Rule(
            id="mark",
            text=phrase("The loser of the duel takes a mark."),
            place=THE_GAME,
        ),
        Rule(
            id="doubled-marks",
            text=phrase("A number that was doubled costs two marks, but never more than put a player out."),
            place={"kidult": SPECIAL, "gigamic": VARIANTS},
            holds=with_power("double", "kidult", "gigamic"),
        ),
        Rule(
            id="out",
            text=phrase("A player with {limit} marks is out."),
            place=THE_END,
        ),
        Rule(
            id="marks-in-box",
            text=phrase(
                "The last mark is never worn, so the box has enough marks unless a higher limit is agreed."
            ),
        ),
        Rule(id="last-one", text=phrase("The last player who is left wins."), place=THE_END),
    ),
)

_BOX = Chapter(
    phrase("Before the match"),
    (
        Rule(
            id="more-marks/kidult",
            text=phrase("Four players may agree on up to 4 marks, three on up to 5; all others play to 3."),
            place=THE_END,
            holds=_in_box("kidult"),
            refusals=("limit",),
        ),
        Rule(
            id="more-marks/oliphante",
            text=phrase("Three or four players may agree on 4 or 5 marks; all others play to 3."),
            place=THE_END,
            holds=_in_box("oliphante"),
            refusals=("limit",),
        ),
        Rule(
            id="more-marks/gigamic",
            text=phrase("The table may agree on up to 5 marks."),
            place=THE_END,
            holds=_in_box("gigamic"),
        ),
        Rule(
            id="boxes/one",
            text=phrase("Up to six play with one box."),
            place={"kidult": "« Coyote »", "oliphante": "« Règles du jeu »"},
            holds=lambda house: house.boxes == 1,
            refusals=("seats",),
        ),
        Rule(
            id="boxes/two",
            text=phrase(
                "With two boxes of the Oliphante edition more than six play, with one set of feathers."
            ),
            place={"oliphante": "« Avec plus de six joueurs »"},
            holds=lambda house: house.boxes == 2,
            refusals=("boxes", "seats"),
        ),
        Rule(
            id="agreed-powers",
            text=phrase("Which of the box's special rules are played is agreed before the match."),
            place={"kidult": SPECIAL, "gigamic": VARIANTS, "oliphante": VARIANTS},
            refusals=("power", "tokens"),
        ),
    ),
)

_TOLD = Chapter(
    phrase("Told afterwards"),
    (
        Rule(
            id="odds",
            text=phrase(
                "After a reveal the referee tells how likely each number was, by the cards its author saw."
            ),
        ),
    ),
)


BOOK = (_BEGIN, _NUMBERS, _COUNT, _DUEL, SPECIALS_CHAPTER, TOKENS_CHAPTER, _BOX, _TOLD)
