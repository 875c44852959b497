"""Coyote's rule book: the rules of the three boxes, the optional ones, and what the rule texts leave open."""

from referee.contract import Chapter, Rule, Ruling, phrase
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


def _is_first_round(ruling: Ruling) -> bool:
    return ruling.values["number"] == 1


def _is_later_round(ruling: Ruling) -> bool:
    return not _is_first_round(ruling)


def _draws_special(ruling: Ruling) -> bool:
    cards = ruling.values["cards"]
    return isinstance(cards, tuple) and not PLAIN.issuperset(cards)


def _has_higher_limit(ruling: Ruling) -> bool:
    limit = ruling.values["limit"]
    return isinstance(limit, int) and limit > 3


def _is_doubled(ruling: Ruling) -> bool:
    return ruling.values["taken"] == 2


PLAIN = frozenset(map(str, range(-10, 21)))
"""Cards that are no special ones."""
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
            rulings=("round",),
        ),
        Rule(
            id="pile-too-short",
            text=phrase("When there are too few cards for all, the whole deck is shuffled first."),
            place={"oliphante": THE_GAME["oliphante"]},
            rulings=("shuffle",),
        ),
        Rule(
            id="first-opener/best-laugh",
            text=phrase("The best coyote laugh opens the first round; the table says who that is."),
            place=THE_GAME,
            holds=_in_box("kidult"),
            rulings=("round",),
            where=_is_first_round,
            options=("opens",),
            asks=("opener",),
        ),
        Rule(
            id="first-opener/youngest",
            text=phrase("The youngest opens the first round; the table says who that is."),
            place=THE_GAME,
            holds=_in_box("gigamic", "oliphante"),
            rulings=("round",),
            where=_is_first_round,
            options=("opens",),
            asks=("opener",),
        ),
        Rule(
            id="next-opener/loser",
            text=phrase("The loser of a round opens the next one; if that player is out, the opponent does."),
            place=THE_GAME,
            holds=lambda house: edition_of(house).opener == "loser",
            rulings=("round",),
            where=_is_later_round,
        ),
        Rule(
            id="next-opener/winner",
            text=phrase("The winner of the duel opens the next round."),
            place=THE_GAME,
            holds=lambda house: edition_of(house).opener == "winner",
            rulings=("round",),
            where=_is_later_round,
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
            rulings=("announced",),
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
            rulings=("called", "called-double"),
            options=("coyote",),
            asks=("turn",),
        ),
        Rule(
            id="call/anytime",
            text=phrase("Everybody may call Coyote on the last number, at any time and out of turn."),
            holds=lambda house: house.anyone_may_contest,
            rulings=("called", "called-double"),
            options=("coyote",),
            asks=("turn", "contest"),
        ),
        Rule(
            id="not-ones-own",
            text=phrase(
                "Nobody calls Coyote on a number of their own: if all others skip, it has to be raised."
            ),
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
            rulings=("shown",),
            asks=("reveal",),
        ),
        Rule(
            id="cave",
            text=phrase("The cave draws the top card of the pile, and that counts in its place."),
            place=CARDS,
            rulings=("count-draw",),
            asks=("draw",),
        ),
        Rule(
            id="cave-draws-special",
            text=phrase("A special card that the cave draws takes effect."),
            rulings=("count-draw",),
            where=_draws_special,
        ),
        Rule(
            id="pile-renewed",
            text=phrase(
                "When a card is to be drawn and the pile is empty, the discards are shuffled into a new one;"
                " with none left either, the cave counts nothing."
            ),
            rulings=("pile-renewed", "no-draw"),
        ),
        Rule(
            id="decoy",
            text=phrase("Decoys have no value."),
            place={"kidult": "« Cartes ordinaires »"},
            holds=_has_card("0"),
            rulings=("count-decoy",),
        ),
        Rule(
            id="fox",
            text=phrase("The fox cancels the highest card above 0, one only; with none there it does nothing."),
            place=CARDS,
            rulings=("count-cancel", "count-cancel-none"),
        ),
        Rule(
            id="max-minus",
            text=phrase(
                "MAX − turns the highest card left above 0, one only, against the others: it is subtracted."
            ),
            place=CARDS,
            holds=_has_card("max-"),
            rulings=("count-turn", "count-turn-none"),
        ),
        Rule(
            id="added",
            text=phrase("The cards above 0 are added up."),
            place=THE_GAME,
            rulings=("count-add", "count-add-none"),
        ),
        Rule(
            id="leader/greens",
            text=phrase("The leader doubles what adds up, not what is subtracted."),
            place={name: place for name, place in CARDS.items() if name != "gigamic"},
            holds=lambda house: doubling_of(house) == "greens",
            rulings=("count-double-greens",),
        ),
        Rule(
            id="leader/total",
            text=phrase("The leader doubles the whole total, after all is subtracted."),
            place={"gigamic": CARDS["gigamic"]},
            holds=lambda house: doubling_of(house) == "total",
            rulings=("count-double-total",),
        ),
        Rule(
            id="subtracted",
            text=phrase("Then the cards below 0 are subtracted."),
            place=THE_GAME,
            rulings=("count-subtract",),
        ),
        Rule(
            id="night",
            text=phrase("The night counts nothing; after the round the whole deck is shuffled."),
            place=CARDS,
            rulings=("count-night", "shuffle"),
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
            rulings=("enough", "short"),
        ),
        Rule(
            id="mark",
            text=phrase("The loser of the duel takes a mark."),
            place=THE_GAME,
            rulings=("mark",),
        ),
        Rule(
            id="doubled-marks",
            text=phrase("A number that was doubled costs two marks, but never more than put a player out."),
            place={"kidult": SPECIAL, "gigamic": VARIANTS},
            holds=with_power("double", "kidult", "gigamic"),
            rulings=("mark",),
            where=_is_doubled,
        ),
        Rule(
            id="out",
            text=phrase("A player with {limit} marks is out."),
            place=THE_END,
            rulings=("out", "mark"),
        ),
        Rule(
            id="marks-in-box",
            text=phrase(
                "The last mark is never worn, so the box has enough marks unless a higher limit is agreed."
            ),
            rulings=("marks-short",),
        ),
        Rule(id="last-one", text=phrase("The last player who is left wins."), place=THE_END, rulings=("won",)),
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
            rulings=("mark",),
            where=_has_higher_limit,
            refusals=("limit",),
        ),
        Rule(
            id="more-marks/oliphante",
            text=phrase("Three or four players may agree on 4 or 5 marks; all others play to 3."),
            place=THE_END,
            holds=_in_box("oliphante"),
            rulings=("mark",),
            where=_has_higher_limit,
            refusals=("limit",),
        ),
        Rule(
            id="more-marks/gigamic",
            text=phrase("The table may agree on up to 5 marks."),
            place=THE_END,
            holds=_in_box("gigamic"),
            rulings=("mark",),
            where=_has_higher_limit,
        ),
        Rule(
            id="boxes/one",
            text=phrase("Up to six play with one box."),
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
            rulings=("chance", "chance-about"),
        ),
    ),
)


BOOK = (_BEGIN, _NUMBERS, _COUNT, _DUEL, SPECIALS_CHAPTER, TOKENS_CHAPTER, _BOX, _TOLD)
