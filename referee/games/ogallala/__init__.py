"""Ogallala: canoes that grow card by card, carry booty, and attack each other."""

from referee.contract import Feel, Game, OnTable, Play, Rules, Shown
from referee.games.ogallala import board, rules
from referee.games.ogallala.board import CUES, VERDICTS
from referee.games.ogallala.book import BOOK
from referee.games.ogallala.coaching import judge_decisions
from referee.games.ogallala.deck import SETTINGS, House, seats_of, with_box
from referee.games.ogallala.final_count import audit_span, outcome, standings
from referee.games.ogallala.finish import FINISH
from referee.games.ogallala.hands import COUNTING, ZONES, is_fair, moves, sources
from referee.games.ogallala.state import State
from referee.games.ogallala.words import WORDS

OGALLALA = Game(
    name="ogallala",
    words=WORDS,
    rules=Rules(
        house=House,
        settings=SETTINGS,
        state=State,
        seats=seats_of,
        start=rules.start,
        asks=rules.asks,
        hear=rules.hear,
        standings=standings,
        outcome=outcome,
        no_way_back=frozenset({"refill"}),
        boxed=with_box,
    ),
    table=OnTable(
        deck=lambda house: house.deck,
        moves=moves,
        sources=sources,
        zones=ZONES,
        grids=board.grids,
        audited=audit_span,
    ),
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
        art="hardware.decks.art.ogallala:ARTWORK",
        look="hardware.decks.looks.patterned:OGALLALA",
        picture="hardware.twin.scenes.ours:lay_ogallala",
    ),
    book=BOOK,
    counting=COUNTING,
    finish=FINISH,
    play=Play(
        is_fair=is_fair,
        coach=judge_decisions,
        bot="hardware.twin.bots.ogallala:choose_action",
        strong_bot="hardware.twin.bots.ogallala:choose_strongly",
    ),
)
