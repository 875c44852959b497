"""Cheat: play cards face down, claim their rank, and don't get caught."""

from cheat import board, hands, rules
from cheat.book import BOOK
from cheat.finish import FINISH
from cheat.words import CUES, WORDS
from referee.contract import Feel, Game, OnTable, Play, Rules, Shown, StatisticsRules
from referee.kit.french_cards import FRENCH_DECK
from referee.kit.ranking import rank_by

GAME = Game(
    name="cheat",
    words=WORDS,
    rules=Rules(
        house=rules.House,
        settings={"usual": rules.House(), "short": rules.House(seconds=5, tours=5)},
        state=rules.State,
        seats=lambda _house: range(3, 7),
        start=rules.start,
        asks=rules.asks,
        hear=rules.hear,
        standings=lambda state: rank_by("cards", state.cards, is_most_best=False),
        outcome=rules.outcome,
        in_order=rules.in_order,
        no_way_back=frozenset({"dealt", "honest", "lied"}),
    ),
    table=OnTable(
        deck=lambda _house: FRENCH_DECK,
        moves=hands.moves,
        sources=lambda _state, _ask: (hands.CLAIM,),
        zones=hands.ZONES,
    ),
    shown=Shown(board=board.board, situation=board.situation, excused=board.EXCUSED),
    feel=Feel(
        cues=CUES,
        gestures={"challenge": "short", "pass": "double"},
        art="hardware.decks.art.piquet:FRENCH",
        look="hardware.decks.looks.patterned:FRENCH",
    ),
    book=BOOK,
    counting=StatisticsRules(begins=("dealt", "seat"), score="cards", is_most_best=False),
    finish=FINISH,
    # no bluffing trait: a player without the rank is forced to lie
    play=Play(bot="cheat.bot:choose_action", traits=("doubts",)),
)
