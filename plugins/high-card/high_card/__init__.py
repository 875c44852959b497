"""High Card: the game, assembled from rules, table, display and moods."""

from high_card import board, rules
from high_card.book import BOOK
from high_card.words import CUES, GESTURES, WORDS
from referee.contract import Feel, Game, OnTable, Play, Rules, Shown
from referee.kit.hidden_hands import moves_of_tricks
from referee.kit.ranking import rank_by

GAME = Game(
    name="high-card",
    words=WORDS,
    rules=Rules(
        house=rules.House,
        settings=rules.SETTINGS,
        state=rules.State,
        seats=lambda _house: range(2, 6),
        start=rules.start,
        asks=rules.asks,
        hear=rules.hear,
        standings=lambda state: rank_by("points", state.points),
        outcome=rules.outcome,
        no_way_back=frozenset({"deal"}),
    ),
    table=OnTable(
        deck=lambda _house: rules.DECK,
        moves=lambda state, ruling: moves_of_tricks(len(state.points), rules.HAND, ruling),
    ),
    shown=Shown(board=board.board, situation=board.situation, excused=board.EXCUSED),
    feel=Feel(cues=CUES, gestures=GESTURES, art="high_card.art:ARTWORK"),
    book=BOOK,
    play=Play(bot="high_card.bot:choose_action"),
)
