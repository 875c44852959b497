"""Coup: claim any character, as long as no other player makes you prove it."""

from referee.contract import Feel, Game, OnTable, Play, Rules, Shown
from referee.games.coup import board, rules
from referee.games.coup.board import CUES, VERDICTS
from referee.games.coup.book import BOOK
from referee.games.coup.coaching import judge_decisions
from referee.games.coup.finish import FINISH
from referee.games.coup.hands import COUNTING, moves
from referee.games.coup.state import DECK, SETTINGS, House, State
from referee.games.coup.words import WORDS

COUP = Game(
    name="coup",
    words=WORDS,
    rules=Rules(
        house=House,
        settings=SETTINGS,
        state=State,
        seats=lambda _house: range(2, 7),
        start=rules.start,
        asks=rules.asks,
        hear=rules.hear,
        standings=rules.standings,
        outcome=rules.outcome,
        in_order=rules.in_order,
        no_way_back=frozenset({"swaps", "draws", "returns"}),
    ),
    table=OnTable(deck=lambda _house: DECK, moves=moves),
    shown=Shown(
        insight=board.insight,
        situation=board.situation,
        questions=board.questions,
        board=board.board,
        excused=board.EXCUSED,
        verdicts=VERDICTS,
    ),
    feel=Feel(
        cues=CUES,
        option_moods=board.OPTION_MOODS,
        gestures={"challenge": "short", "block": "long", "pass": "double", "concede": "long"},
        art="hardware.decks.art.coup:ARTWORK",
        look="hardware.decks.looks.patterned:COUP",
        picture="hardware.twin.scenes.ours:lay_coup",
    ),
    book=BOOK,
    counting=COUNTING,
    finish=FINISH,
    play=Play(
        coach=judge_decisions,
        bot="hardware.twin.bots.coup:choose_action",
        strong_bot="hardware.twin.bots.coup:choose_strongly",
        traits=("bluffs", "doubts"),
    ),
)
