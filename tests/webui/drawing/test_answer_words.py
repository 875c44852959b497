"""Answers in words: who gave them, and whether it was the clock."""

from random import Random

from msgspec.structs import replace

from firmware.language.catalogues import language
from hardware.twin.player import any_answer
from referee.games.catalogue import GAMES
from referee.match import Match, enter
from referee.telling import Listener
from tests.referee.tables import new_match
from webui.drawing.answer_words import answer_lines


def test_an_answer_of_the_clock_says_that_the_time_was_up() -> None:
    match = new_match(GAMES["coup"], "rule text", 3)
    listener = Listener(match.setup.game.words, match.setup.names, language("en"))
    answer = any_answer(match.asks, match.number, Random(1))
    texts = []
    for sense in ("phone", "clock"):
        after = enter(match, replace(answer, sense=sense))
        assert isinstance(after, Match)
        texts.append(answer_lines(after, listener)[0].text)
    assert texts[1] == f"{texts[0]} (the time was up)"
