"""The rules of the table itself, for every game: what counts as an answer, and how a record is put right."""

from referee.contract import Rule, phrase
from referee.contract.asks import Reason

TABLE_RULES: tuple[Rule, ...] = (
    Rule(
        id="asked-now",
        text=phrase(
            "An answer counts for what is asked at that moment, and only from the players who are asked."
        ),
        refusals=(Reason.STALE, Reason.FUTURE, Reason.NOT_ASKED, Reason.NOT_YOU, Reason.OUT_OF_TURN),
    ),
    Rule(
        id="kind-of-answer",
        text=phrase("A number, a choice or cards: the answer is of the kind that is asked for."),
        refusals=(Reason.WRONG_KIND,),
    ),
    Rule(
        id="offered",
        text=phrase("Only what is offered can be chosen: the referee offers all that the rules allow."),
        refusals=(
            Reason.NO_SUCH_OPTION,
            Reason.OTHER_PLAYER,
            Reason.OTHER_CARD,
            Reason.OTHER_PLACE,
            Reason.TOO_LOW,
            Reason.TOO_HIGH,
            Reason.BARRED,
            Reason.CARD_BARRED,
        ),
    ),
    Rule(
        id="match-over",
        text=phrase("After the end of a match nothing counts but a correction by the host."),
        refusals=(Reason.OVER,),
    ),
    Rule(
        id="cards-of-the-deck",
        text=phrase("Each card lies in one place only, and there are no more of them than the deck has."),
        refusals=(
            Reason.CARD_COUNT,
            Reason.UNKNOWN_CARD,
            Reason.MORE_THAN_DECK,
            Reason.ALREADY_SEEN,
            Reason.CARD_MISSING,
            Reason.OWNERS,
        ),
    ),
    Rule(
        id="begin",
        text=phrase(
            "A match begins with as many named players as the game allows, and with house rules that fit."
        ),
        refusals=(Reason.NAME, Reason.SEATS, Reason.HOUSE, Reason.NO_SUCH_RULE, Reason.RULE_VALUE),
    ),
    Rule(
        id="take-back",
        text=phrase("A player may take the last answer back until another card has come to light."),
        refusals=(Reason.NOTHING_BACK, Reason.NOT_YOURS_BACK, Reason.SEEN_BACK),
    ),
    Rule(
        id="correct",
        text=phrase("The host may put any answer right; later answers stand as long as they fit."),
        refusals=(Reason.NO_SUCH_MOMENT,),
    ),
    Rule(
        id="bounds",
        text=phrase("A match has its bounds, so that every table can keep it."),
        refusals=(Reason.TOO_LONG, Reason.TOO_MUCH),
    ),
)
