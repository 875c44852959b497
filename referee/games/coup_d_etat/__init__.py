"""Coup d'État: six contracts against the President, and one card that reverses a contract."""

from referee.contract import Cue, Feel, Game, Mood, OnTable, Play, Rules, Shown
from referee.games.coup_d_etat import board, hands, rules
from referee.games.coup_d_etat.board import VERDICTS
from referee.games.coup_d_etat.book import BOOK
from referee.games.coup_d_etat.coaching import judge_decisions
from referee.games.coup_d_etat.deals import start
from referee.games.coup_d_etat.finish import FINISH
from referee.games.coup_d_etat.hands import COUNTING
from referee.games.coup_d_etat.state import PIQUET, SETTINGS, House, State
from referee.games.coup_d_etat.words import WORDS

COUP_D_ETAT = Game(
    name="coup-d-etat",
    words=WORDS,
    rules=Rules(
        house=House,
        settings=SETTINGS,
        state=State,
        seats=lambda _house: range(3, 5),
        start=start,
        asks=rules.asks,
        hear=rules.hear,
        standings=rules.standings,
        outcome=rules.outcome,
        no_way_back=frozenset({"deal", "declines", "swaps"}),
    ),
    table=OnTable(deck=lambda _house: PIQUET, moves=hands.moves, sources=hands.sources, zones=hands.ZONES),
    shown=Shown(
        insight=board.insight,
        situation=board.situation,
        questions=board.questions,
        board=board.board,
        excused=board.EXCUSED,
        verdicts=VERDICTS,
    ),
    feel=Feel(
        cues={
            **dict.fromkeys(("tour", "deal"), Cue(Mood.SEASON, "president")),
            "attempts": Cue(Mood.CLAIM),
            "trick": Cue(Mood.TRICK),
            **dict.fromkeys(("revoke", "revoke-said", "false-pass"), Cue(Mood.LIE)),
            "void": Cue(Mood.REVERSAL, "seats"),
            **dict.fromkeys(("coup-won", "secret-coup", "out-of-cards", "president"), Cue(Mood.GAIN)),
            **dict.fromkeys(("coup-failed", "overdrawn"), Cue(Mood.LOSS)),
            **dict.fromkeys(("pays", "pays-bank"), Cue(Mood.LOSS, "payer")),
            "takes-bank": Cue(Mood.GAIN, "payee"),
            **dict.fromkeys(("won", "shared"), Cue(Mood.WIN, "seats")),
        },
        option_moods={"attempt": Mood.CLAIM},
        gestures={"pass": "double"},
        art="hardware.decks.art.piquet:ARTWORK",
        look="hardware.decks.looks.patterned:COUP_D_ETAT",
        picture="hardware.twin.scenes.ours:lay_coup_d_etat",
    ),
    book=BOOK,
    counting=COUNTING,
    finish=FINISH,
    play=Play(
        is_fair=hands.is_fair,
        coach=judge_decisions,
        bot="hardware.twin.bots.coup_d_etat:choose_action",
        strong_bot="hardware.twin.bots.coup_d_etat:choose_strongly",
        traits=("dares",),
    ),
)
