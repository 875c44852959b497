"""Ogallala's rule book: its chapters in order, and what the rule text leaves open."""

from referee.contract import Chapter, Rule, phrase
from referee.games.ogallala.book_canoes import ATTACKS, PADDLERS, PLACING, SPECIAL_CARDS
from referee.games.ogallala.house import House

BEGINNING = "« Mise en place »"
A_TURN = "« Déroulement d'un tour »"
THE_END = "« Fin de la partie »"


def _has_open_pile(house: House) -> bool:
    return house.discard == "fourth_pile"


def _plays_out_open_pile(house: House) -> bool:
    return house.end_of_piles == "all_piles"


_SETTING_UP = Chapter(
    phrase("Setting up"),
    (
        Rule(
            id="piles",
            text=phrase("All cards are shuffled and form three draw piles, face down."),
            place=BEGINNING,
        ),
        Rule(
            id="box",
            text=phrase(
                "How many there are of each card isn't printed. If your box has other counts than usual,"
                " agree on them before the match."
            ),
            refusals=("box", "already-seen"),
        ),
        Rule(
            id="youngest",
            text=phrase("The youngest begins, in a rematch, too."),
            options=("opens",),
            asks=("opener",),
        ),
    ),
)

_TURN = Chapter(
    phrase("A turn"),
    (
        Rule(
            id="draw",
            text=phrase("Draw a card from any pile and lay it; so it goes on until a card ends the turn."),
            place=A_TURN,
            asks=("draw",),
        ),
        Rule(
            id="discards/fourth-pile",
            text=phrase("Discards form a fourth pile, face up: its top card may be drawn as well."),
            place=A_TURN,
            holds=_has_open_pile,
            refusals=("not-open", "no-open-card"),
            options=("take",),
            asks=("turn",),
        ),
        Rule(
            id="discards/shuffled",
            text=phrase(
                "Discards aren't drawn from: when a pile is used up, they are shuffled into a new one, if"
                " a card was laid since the last time."
            ),
            otherwise=BEGINNING,
            holds=lambda house: not _has_open_pile(house),
            refusals=("no-open-card",),
            options=("refill",),
            asks=("turn",),
        ),
        Rule(
            id="which-pile",
            text=phrase("If a card can be from a pile or be the open one, the player who drew it says which."),
            holds=_has_open_pile,
            options=("from-pile", "from-discard"),
            asks=("from",),
        ),
        Rule(
            id="doubles/territory",
            text=phrase(
                "A card whose picture lies in your territory already is the last of the turn. It may still be"
                " laid, in another canoe."
            ),
            place=A_TURN,
            holds=lambda house: house.doubles == "territory",
        ),
        Rule(
            id="doubles/incomplete",
            text=phrase(
                "A card whose picture lies in an incomplete canoe of yours is the last of the turn. It"
                " may still be laid, in another canoe."
            ),
            otherwise=A_TURN,
            holds=lambda house: house.doubles == "incomplete",
        ),
        Rule(
            id="special-ends",
            text=phrase("A Lasso, an Archer or a Saboteur is the last card of the turn."),
            place=A_TURN,
        ),
        Rule(
            id="canoe-ends",
            text=phrase("A canoe that is completed ends the turn."),
            place=A_TURN,
        ),
        Rule(
            id="discard",
            text=phrase("A card that you can't lay, or don't want to, is discarded and ends the turn."),
            place=A_TURN,
            options=("discard",),
        ),
        Rule(
            id="stop/free",
            text=phrase("After the first card, you may stop before drawing another one."),
            otherwise=A_TURN,
            holds=lambda house: house.voluntary_stop,
            refusals=("draw-first",),
            options=("stop",),
            asks=("turn",),
        ),
        Rule(
            id="stop/never",
            text=phrase("You can't stop before a card ends the turn."),
            place=A_TURN,
            holds=lambda house: not house.voluntary_stop,
            asks=("draw",),
        ),
        Rule(
            id="next",
            text=phrase("After a turn it is the turn of the next player on the left."),
            place=A_TURN,
        ),
    ),
)

_END = Chapter(
    phrase("The end"),
    (
        Rule(
            id="third",
            text=phrase(
                "On completing your third or fourth canoe you may end the match; else others may on"
                " completing theirs, and you on your next one."
            ),
            place=THE_END,
            options=("end", "go-on"),
            asks=("end",),
        ),
        Rule(
            id="fifth",
            text=phrase("With the fifth canoe the match is over."),
            place=THE_END,
            options=("go-on",),
        ),
        Rule(
            id="which-canoes/held",
            text=phrase(
                "For the end, the complete canoes count that you have at the moment when you complete one."
            ),
            holds=lambda house: not house.count_ever,
        ),
        Rule(
            id="which-canoes/ever",
            text=phrase(
                "For the end, all canoes count that you have ever completed, also those that you have lost."
            ),
            holds=lambda house: house.count_ever,
        ),
        Rule(
            id="attack-before-end",
            text=phrase("First the canoe may attack, then the match may end."),
        ),
        Rule(
            id="standstill",
            text=phrase(
                "Who gives the open card back has had a turn. When all have done nothing else for three"
                " rounds, the player in turn may end the match."
            ),
            holds=_has_open_pile,
            options=("end",),
            asks=("turn",),
        ),
        Rule(
            id="no-cards/face-down",
            text=phrase("When a card is to be drawn and none lies face down any more, the match is over."),
            place=THE_END,
            holds=lambda house: _has_open_pile(house) and not _plays_out_open_pile(house),
        ),
        Rule(
            id="no-cards/open-pile-too",
            text=phrase(
                "When no card lies face down any more, the open pile is played out; the match is over"
                " when that is empty, too, or a card is discarded."
            ),
            holds=lambda house: _has_open_pile(house) and _plays_out_open_pile(house),
        ),
        Rule(
            id="no-cards/shuffled",
            text=phrase(
                "When no card is left to draw, and the discards can't be shuffled into a new pile, the"
                " match is over."
            ),
            holds=lambda house: not _has_open_pile(house),
        ),
        Rule(
            id="piles-empty",
            text=phrase(
                "As a box may have fewer cards, the piles may be said to be empty when a quarter of the"
                " deck or less should be left."
            ),
            options=("empty",),
            asks=("turn",),
        ),
    ),
)

_COUNT = Chapter(
    phrase("The count"),
    (
        Rule(
            id="complete-only",
            text=phrase("Only complete canoes count."),
            place=THE_END,
        ),
        Rule(
            id="record",
            text=phrase(
                "A canoe is shown to the camera, which has to see what the record has, or the table says"
                " that it is as recorded."
            ),
            options=("as-recorded", "all-as-recorded"),
            asks=("record", "count"),
        ),
        Rule(
            id="length",
            text=phrase(
                "A canoe of 2 to 7 cards brings 1 point for each card, one of 8 to 14 cards 2 points for each."
            ),
            place=THE_END,
        ),
        Rule(
            id="prizes",
            text=phrase("Each piece of booty brings 10 points, half a prize and a character, too."),
            place=THE_END,
        ),
        Rule(
            id="guardian-counts",
            text=phrase("A Guardian is no booty: it counts as a card of its canoe, no more."),
        ),
        Rule(
            id="pair",
            text=phrase("The two halves of a prize side by side bring 40 points instead of 20."),
            place=THE_END,
        ),
        Rule(
            id="set",
            text=phrase(
                "Side by side with their character beside them, the two halves bring 90 points, all three"
                " together."
            ),
            place=THE_END,
        ),
        Rule(
            id="order/strict",
            text=phrase(
                "Halves count as a pair with the left one on the left, and with their character if it is at"
                " either end of the pair."
            ),
            holds=lambda house: house.combo_order == "strict",
        ),
        Rule(
            id="order/any",
            text=phrase(
                "Halves, and their character with them, count in any order, if no other card is between."
            ),
            holds=lambda house: house.combo_order == "any",
        ),
        Rule(
            id="most-points",
            text=phrase("The most points win."),
            place="« But du jeu »",
        ),
        Rule(
            id="shared",
            text=phrase("Players with equally many points share the victory."),
        ),
    ),
)

_CREWS = Chapter(
    phrase("Two crews"),
    (
        Rule(
            id="one-crew",
            text=phrase("A canoe takes paddlers of one crew only, with red numbers or with black ones."),
            place="« Variante »",
            holds=lambda house: house.two_crews,
            refusals=("twice",),
        ),
        Rule(
            id="other-crew",
            text=phrase(
                "A canoe can attack one of the other crew, not of its own. One without paddlers can be attacked"
                " by both."
            ),
            place="« Variante »",
            holds=lambda house: house.two_crews,
            refusals=("same-crew",),
        ),
    ),
)

_TOLD = Chapter(
    phrase("Told afterwards"),
    (
        Rule(
            id="odds",
            text=phrase(
                "The referee tells how many of the cards that lie face down would be the last of the turn."
            ),
        ),
    ),
)

BOOK = (_SETTING_UP, _TURN, PLACING, PADDLERS, SPECIAL_CARDS, ATTACKS, _END, _COUNT, _CREWS, _TOLD)
