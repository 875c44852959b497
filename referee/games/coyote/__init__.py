"""Coyote: bid on the sum of the cards on all foreheads, your own unseen one included."""

from referee.contract import Feel, Game, OnTable, Play, Rules, Shown
from referee.games.coyote import board, rules
from referee.games.coyote.book import BOOK
from referee.games.coyote.coaching import insight, judge_decisions
from referee.games.coyote.finish import FINISH
from referee.games.coyote.hands import COUNTING, ZONES, moves, sources
from referee.games.coyote.state import SETTINGS, House, State, idle_rules, seats_of
from referee.games.coyote.words import WORDS

COYOTE = Game(
    name="coyote",
    words=WORDS,
    rules=Rules(
        house=House,
        settings=SETTINGS,
        state=State,
        seats=seats_of,
        start=rules.start,
        asks=rules.asks,
        hear=rules.hear,
        standings=rules.standings,
        outcome=rules.outcome,
        idle_rules=idle_rules,
        no_way_back=frozenset({"extra", "turns-extra", "replaced", "guessed"}),
    ),
    table=OnTable(deck=lambda house: house.deck, moves=moves, sources=sources, zones=ZONES),
    shown=Shown(
        insight=insight,
        situation=board.situation,
        questions=board.questions,
        board=board.board,
        excused=board.EXCUSED,
        verdicts=board.VERDICTS,
    ),
    feel=Feel(
        cues=board.CUES,
        option_moods=board.OPTION_MOODS,
        art="hardware.decks.art.coyote:ARTWORK",
        look="hardware.decks.looks.coyote:LOOK",
        picture="hardware.twin.scenes.ours:lay_coyote",
    ),
    book=BOOK,
    counting=COUNTING,
    finish=FINISH,
    play=Play(
        coach=judge_decisions,
        bot="hardware.twin.bots.coyote:choose_action",
        strong_bot="hardware.twin.bots.coyote:choose_strongly",
        traits=("doubts", "dares"),
    ),
)
