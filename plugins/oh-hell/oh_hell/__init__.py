"""Oh Hell: bid a number of tricks, and take exactly as many."""

from oh_hell import board, hands, rules
from oh_hell.book import BOOK
from oh_hell.finish import FINISH
from oh_hell.words import CUES, WORDS
from referee.contract import Feel, Game, OnTable, Play, Rules, Shown, StatisticsRules
from referee.kit.french_cards import FRENCH_DECK
from referee.kit.ranking import rank_by

GAME = Game(
    name="oh-hell",
    words=WORDS,
    rules=Rules(
        house=rules.House,
        settings={"usual": rules.House(), "short": rules.House(most=3, hook=False, and_back=True)},
        state=rules.State,
        seats=lambda _house: range(3, 8),
        start=rules.start,
        asks=rules.asks,
        hear=rules.hear,
        standings=lambda state: rank_by("points", state.points),
        outcome=rules.outcome,
        no_way_back=frozenset({"deal", "trump"}),
    ),
    table=OnTable(deck=lambda _house: FRENCH_DECK, moves=hands.moves),
    shown=Shown(board=board.board, situation=board.situation, excused=board.EXCUSED),
    feel=Feel(cues=CUES, art="hardware.decks.art.piquet:FRENCH", look="hardware.decks.looks.patterned:FRENCH"),
    book=BOOK,
    counting=StatisticsRules(
        ends=lambda stretch: any(ruling.key == "scored" for ruling in stretch.rulings),
        opens=frozenset({"deal"}),
        score="points",
    ),
    finish=FINISH,
    play=Play(bot="oh_hell.bot:choose_action", is_fair=hands.is_fair),
)
