"""Hearts: four players avoid hearts and the queen of spades."""

from hearts import board, hands, rules
from hearts.book import BOOK
from hearts.finish import FINISH
from hearts.words import CUES, WORDS
from referee.contract import Feel, Game, OnTable, Play, Rules, Shown, StatisticsRules
from referee.kit.french_cards import FRENCH_DECK
from referee.kit.ranking import rank_by

GAME = Game(
    name="hearts",
    words=WORDS,
    rules=Rules(
        house=rules.House,
        settings={"to 100": rules.House(), "to 50": rules.House(target=50, moon="own", passing=False)},
        state=rules.State,
        seats=lambda _house: range(4, 5),
        start=rules.start,
        asks=rules.asks,
        hear=rules.hear,
        standings=lambda state: rank_by("points", state.points, is_most_best=False),
        outcome=rules.outcome,
        no_way_back=frozenset({"deal", "passed"}),
    ),
    table=OnTable(deck=lambda _house: FRENCH_DECK, moves=hands.moves),
    shown=Shown(board=board.board, situation=board.situation, excused=board.EXCUSED),
    feel=Feel(cues=CUES, art="hardware.decks.art.piquet:FRENCH", look="hardware.decks.looks.patterned:FRENCH"),
    book=BOOK,
    counting=StatisticsRules(
        ends=lambda stretch: any(ruling.key in {"scored", "moon"} for ruling in stretch.rulings),
        opens=frozenset({"deal"}),
        score="points",
        is_most_best=False,
    ),
    finish=FINISH,
    play=Play(bot="hearts.bot:choose_action", is_fair=hands.is_fair),
)
