"""What is struck before a tune: a gavel at a verdict, a drum at a claim, a coin where coins move."""

from firmware.board.voices.strikes import COIN, DRUM, GAVEL, strike
from firmware.board.voices.tunes import ruling_tune
from firmware.start.phones import notes_of
from referee.contract import Mood
from referee.cues import moods_of
from referee.match import Match, moments
from tests.browser.moments import MOMENTS, find_match


def coins(match: Match) -> list[int]:
    return [standing.counts["coins"] for standing in match.setup.game.standings(match.state)]


def test_each_strike_comes_where_it_belongs() -> None:
    match = find_match(next(each for each in MOMENTS if (each.game, each.name) == ("coup", "won")))
    heard = set()
    for moment in moments(match):
        moods, struck = moods_of(moment), strike(moment)
        heard.update(struck)
        assert len(struck) <= 1
        if moods & {Mood.TRUTH, Mood.LIE}:
            assert struck == (GAVEL,)
        elif moods & {Mood.CLAIM, Mood.COUNTER}:
            assert struck == (DRUM,)
        elif moment.before is not None and struck:
            coins = [
                [each.counts["coins"] for each in at.setup.game.standings(at.state)]
                for at in (moment, moment.before)
            ]
            assert coins[0] != coins[1]
    assert heard == {GAVEL, DRUM, COIN}


def test_a_game_without_coins_has_none_and_a_tune_follows_the_strike() -> None:
    match = find_match(next(each for each in MOMENTS if (each.game, each.name) == ("coyote", "won")))
    for moment in moments(match):
        assert COIN not in strike(moment)
        notes = notes_of(ruling_tune, None)(moment)
        assert notes == (*strike(moment), *((note.hertz, note.seconds) for note in ruling_tune(moment)))
