"""Coyote: guess how many coyotes hide on all the foreheads, your own included."""

from referee.contract import CENTRE, DISCARD, PROOF, Book, Feel, Game, OnTable, Play, Rules, Shown
from referee.games.coyote import rules
from referee.games.coyote.board import EXCUSED, board, situation
from referee.games.coyote.book import BOOK
from referee.games.coyote.coaching import judge_decisions
from referee.games.coyote.counting import COUNTING
from referee.games.coyote.cues import CUES
from referee.games.coyote.effects import OPTION_MOODS, effect
from referee.games.coyote.hands import moves, sources
from referee.games.coyote.house import SETTINGS, House, deck_of, idle_rules, seats_of
from referee.games.coyote.odds import insight
from referee.games.coyote.questions import questions
from referee.games.coyote.state import State
from referee.games.coyote.verdicts import VERDICTS
from referee.games.coyote.view import view
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
    table=OnTable(deck=deck_of, moves=moves, sources=sources, filmed=(CENTRE, PROOF, DISCARD)),
    shown=Shown(
        view=view,
        insight=insight,
        situation=situation,
        questions=questions,
        board=board,
        excused=EXCUSED,
        verdicts=VERDICTS,
    ),
    feel=Feel(
        cues=CUES,
        option_moods=OPTION_MOODS,
        art="hardware.decks.art.coyote:ARTWORK",
        look="hardware.decks.looks.coyote:LOOK",
        picture="hardware.twin.scenes.coyote:lay_table",
    ),
    book=Book(effect=effect, chapters=BOOK),
    counting=COUNTING,
    play=Play(
        coach=judge_decisions,
        bot="hardware.twin.bots.coyote:choose_action",
        strong_bot="hardware.twin.bots.strong_coyote:choose_action",
    ),
)
