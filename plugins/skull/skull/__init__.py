"""Skull: bid how many flowers you can turn up, and avoid the skulls."""

from referee.contract import Feel, FinishRules, Game, OnTable, Play, Rules, Shown, StatisticsRules
from referee.kit.ranking import rank_by
from skull import rules, table
from skull.words import BOOK, CUES, WORDS

GAME = Game(
    name="skull",
    words=WORDS,
    rules=Rules(
        house=rules.House,
        settings={"usual": rules.House(), "short": rules.House(goal=1, heir="left")},
        state=rules.State,
        seats=lambda _house: range(3, 7),
        start=rules.start,
        asks=rules.asks,
        hear=rules.hear,
        standings=lambda state: rank_by("points", state.points, out=state.out, discs=state.discs),
        outcome=rules.outcome,
        no_way_back=frozenset({"kept", "skull", "skull-own", "loses"}),
    ),
    table=OnTable(
        deck=lambda _house: rules.DECK,
        moves=table.moves,
        sources=lambda state, _ask: (table.stack(state.aim),),
        zones=table.ZONES,
    ),
    shown=Shown(board=table.board, situation=table.situation, questions=table.questions, excused=table.EXCUSED),
    feel=Feel(cues=CUES, gestures={"add": "short", "pass": "short"}, art="skull.art:ARTWORK"),
    book=BOOK,
    counting=StatisticsRules(begins=("round", "seat"), score="points"),
    finish=FinishRules(reasons=table.reasons, highlight=table.highlight),
    play=Play(bot="skull.bot:choose_action"),
)
