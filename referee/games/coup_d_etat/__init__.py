"""Coup d'État: six contracts against the President, and one card that turns a contract round."""

from referee.contract import CENTRE, PROOF, Book, Feel, Game, OnTable, Play, Rules, Shown
from referee.games.coup_d_etat import rules
from referee.games.coup_d_etat.board import EXCUSED, board, situation
from referee.games.coup_d_etat.book import BOOK
from referee.games.coup_d_etat.coaching import judge_decisions
from referee.games.coup_d_etat.counting import COUNTING
from referee.games.coup_d_etat.cues import CUES, GESTURES
from referee.games.coup_d_etat.dealing import start
from referee.games.coup_d_etat.effects import OPTION_MOODS, effect, withheld
from referee.games.coup_d_etat.hands import is_fair, moves, sources
from referee.games.coup_d_etat.house import SETTINGS, House, deck_of, seats_of
from referee.games.coup_d_etat.insight import insight
from referee.games.coup_d_etat.questions import questions
from referee.games.coup_d_etat.refusals import why_not
from referee.games.coup_d_etat.state import State
from referee.games.coup_d_etat.verdicts import VERDICTS
from referee.games.coup_d_etat.view import view
from referee.games.coup_d_etat.words import WORDS

COUP_D_ETAT = Game(
    name="coup-d-etat",
    words=WORDS,
    rules=Rules(
        house=House,
        settings=SETTINGS,
        state=State,
        seats=seats_of,
        start=start,
        asks=rules.asks,
        hear=rules.hear,
        standings=rules.standings,
        outcome=rules.outcome,
        no_way_back=frozenset({"deal", "declines", "swaps"}),
    ),
    table=OnTable(deck=deck_of, moves=moves, sources=sources, filmed=(CENTRE, PROOF)),
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
        gestures=GESTURES,
        art="hardware.decks.art.piquet:ARTWORK",
        look="hardware.decks.looks.coup_d_etat:LOOK",
        picture="hardware.twin.scenes.coup_d_etat:lay_table",
    ),
    book=Book(why_not=why_not, effect=effect, withheld=withheld, chapters=BOOK),
    counting=COUNTING,
    play=Play(
        is_fair=is_fair,
        coach=judge_decisions,
        bot="hardware.twin.bots.coup_d_etat:choose_action",
        strong_bot="hardware.twin.bots.strong_coup_d_etat:choose_action",
    ),
)
