"""Plenty Coups: raids, horses and alliances of six clans, twelve rounds until winter is over."""

from referee.contract import CENTRE, DISCARD, Book, Feel, Game, OnTable, Play, Rules, Shown
from referee.games.plenty_coups import rules
from referee.games.plenty_coups.board import EXCUSED, board, situation
from referee.games.plenty_coups.book import BOOK
from referee.games.plenty_coups.coaching import judge_decisions
from referee.games.plenty_coups.counting import COUNTING
from referee.games.plenty_coups.cues import CUES
from referee.games.plenty_coups.effects import OPTION_MOODS, effect, withheld
from referee.games.plenty_coups.hands import is_fair, moves, sources
from referee.games.plenty_coups.house import SETTINGS, House, deck_of, seats_of
from referee.games.plenty_coups.insight import insight
from referee.games.plenty_coups.pieces import PIECES, pieces_lying
from referee.games.plenty_coups.questions import questions
from referee.games.plenty_coups.refusals import why_not
from referee.games.plenty_coups.scenes import TURNS, table_layout
from referee.games.plenty_coups.state import State
from referee.games.plenty_coups.verdicts import VERDICTS
from referee.games.plenty_coups.view import view
from referee.games.plenty_coups.words import WORDS

PLENTY_COUPS = Game(
    name="plenty-coups",
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
        no_way_back=frozenset({"draws", "offers", "exchange", "pile-renewed"}),
    ),
    table=OnTable(
        deck=deck_of,
        moves=moves,
        sources=sources,
        filmed=(CENTRE, DISCARD),
        parting=table_layout,
        turns=TURNS,
        pieces=PIECES,
        pieces_lying=pieces_lying,
    ),
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
        art="hardware.decks.art.plenty_coups:ARTWORK",
        look="hardware.decks.looks.plenty_coups:LOOK",
        picture="hardware.twin.scenes.plenty_coups:lay_table",
    ),
    book=Book(why_not=why_not, effect=effect, withheld=withheld, chapters=BOOK),
    counting=COUNTING,
    play=Play(
        is_fair=is_fair,
        coach=judge_decisions,
        bot="hardware.twin.bots.plenty_coups:choose_action",
        strong_bot="hardware.twin.bots.strong_plenty_coups:choose_action",
    ),
)
