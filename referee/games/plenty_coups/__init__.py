"""Plenty Coups: raids, horses and alliances of six clans, over twelve rounds until winter ends."""

from referee.contract import Feel, Game, OnTable, Play, Rules, Shown, TableLayout
from referee.games.plenty_coups import board, hands, rules, scenes, state
from referee.games.plenty_coups.book import BOOK
from referee.games.plenty_coups.coaching import judge_decisions
from referee.games.plenty_coups.finish import FINISH
from referee.games.plenty_coups.words import WORDS

PLENTY_COUPS = Game(
    name="plenty-coups",
    words=WORDS,
    rules=Rules(
        house=state.House,
        settings=state.SETTINGS,
        state=state.State,
        seats=lambda _house: range(2, 7),
        start=rules.start,
        asks=rules.asks,
        hear=rules.hear,
        standings=rules.standings,
        outcome=rules.outcome,
        no_way_back=frozenset({"draws", "offers", "exchange", "pile-renewed"}),
    ),
    table=OnTable(
        deck=lambda _house: state.PLENTY_COUPS,
        moves=hands.moves,
        sources=hands.sources,
        zones=hands.ZONES,
        parting=lambda seats: TableLayout(max(seats, 3), scenes.PARTS),
        turns=scenes.TURNS,
    ),
    shown=Shown(
        insight=board.insight,
        situation=board.situation,
        questions=board.questions,
        board=board.board,
        excused=board.EXCUSED,
        verdicts=board.VERDICTS,
    ),
    feel=Feel(
        cues=board.CUES,
        option_moods=board.OPTION_MOODS,
        art="hardware.decks.art.plenty_coups:ARTWORK",
        look="hardware.decks.looks.plenty_coups:LOOK",
        picture="hardware.twin.scenes.ours:lay_plenty_coups",
    ),
    book=BOOK,
    counting=board.COUNTING,
    finish=FINISH,
    play=Play(
        is_fair=hands.is_fair,
        coach=judge_decisions,
        bot="hardware.twin.bots.plenty_coups:choose_action",
        strong_bot="hardware.twin.bots.plenty_coups:choose_strongly",
        traits=("dares",),
    ),
)
