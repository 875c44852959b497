"""Coup: claim any character you like, as long as no player makes you show it."""

from referee.contract import PROOF, Book, Feel, Game, OnTable, Play, Rules, Shown
from referee.games.coup import rules
from referee.games.coup.board import board, situation
from referee.games.coup.book import BOOK
from referee.games.coup.coaching import judge_decisions
from referee.games.coup.counting import COUNTING
from referee.games.coup.cues import CUES, GESTURES
from referee.games.coup.effects import OPTION_MOODS, effect, withheld
from referee.games.coup.hands import moves, sources
from referee.games.coup.house import SETTINGS, House, deck_of, seats_of
from referee.games.coup.insight import insight
from referee.games.coup.pieces import PIECES, pieces_lying
from referee.games.coup.questions import questions
from referee.games.coup.refusals import why_not
from referee.games.coup.state import State
from referee.games.coup.verdicts import VERDICTS
from referee.games.coup.view import view
from referee.games.coup.windows import in_order
from referee.games.coup.words import WORDS

COUP = Game(
    name="coup",
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
        in_order=in_order,
        no_way_back=frozenset({"swaps", "draws", "returns"}),
    ),
    table=OnTable(
        deck=deck_of, moves=moves, sources=sources, filmed=(PROOF,), pieces=PIECES, pieces_lying=pieces_lying
    ),
    shown=Shown(
        view=view, insight=insight, situation=situation, questions=questions, board=board, verdicts=VERDICTS
    ),
    feel=Feel(
        cues=CUES,
        option_moods=OPTION_MOODS,
        gestures=GESTURES,
        art="hardware.decks.art.coup:ARTWORK",
        look="hardware.decks.looks.coup:LOOK",
        picture="hardware.twin.scenes.coup:lay_table",
    ),
    book=Book(why_not=why_not, effect=effect, chapters=BOOK, withheld=withheld),
    counting=COUNTING,
    play=Play(
        coach=judge_decisions,
        bot="hardware.twin.bots.coup:choose_action",
        strong_bot="hardware.twin.bots.strong_coup:choose_action",
    ),
)
