"""Love Letter: sixteen cards, one in each hand."""

from love_letter import rules, table
from love_letter.finish import FINISH
from love_letter.words import BOOK, CUES, WORDS
from referee.contract import Feel, Game, OnTable, Play, Rules, Shown
from referee.kit.ranking import rank_by

GAME = Game(
    name="love-letter",
    words=WORDS,
    rules=Rules(
        house=rules.House,
        settings={"usual": rules.House(), "no shared rounds": rules.House(tied="none")},
        state=rules.State,
        seats=lambda _house: range(2, 5),
        start=rules.start,
        asks=rules.asks,
        hear=rules.hear,
        standings=lambda state: rank_by("tokens", state.tokens),
        outcome=rules.outcome,
        no_way_back=frozenset({"draws", "takes-aside", "aims", "aims-own", "deal"}),
    ),
    table=OnTable(deck=lambda _house: rules.DECK, moves=table.moves, zones=table.ZONES),
    shown=Shown(board=table.board, situation=table.situation, questions=table.questions, excused=table.EXCUSED),
    feel=Feel(cues=CUES, art="love_letter.art:ARTWORK"),
    book=BOOK,
    finish=FINISH,
    play=Play(bot="love_letter.bot:choose_action", is_fair=table.is_fair),
)
