"""How long bots think, and let people look."""

from random import Random

from firmware.twin.bot_seats import PAUSE, TAKEN_BACK, thinking_seconds
from hardware.twin.player import any_answer
from referee.games.catalogue import GAMES
from referee.match import Match, Step, TakeBack, enter
from tests.referee.tables import new_match


def test_after_an_answer_was_taken_back_bots_let_people_speak_first() -> None:
    rng = Random(1)
    match = new_match(GAMES["coyote"], "kidult", 3)
    for _answer in range(3):
        after = enter(match, any_answer(match.asks, match.number, rng))
        assert isinstance(after, Match)
        match = after
    assert thinking_seconds(match, rng) < 2 * PAUSE
    seat = match.position.answer.seat if isinstance(match.position, Step) else None
    back = enter(match, TakeBack(match.number, seat))
    assert isinstance(back, Match)
    assert thinking_seconds(back, rng) == TAKEN_BACK
