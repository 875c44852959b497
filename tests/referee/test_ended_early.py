"""A match that the host ends early: no further answers, no winner, and an exact replay."""

from gettext import NullTranslations
from random import Random

import pytest

from referee.coaching import line_of
from referee.contract import Game, Reason
from referee.film import film_of
from referee.grounds import newest_grounds
from referee.match import (
    ENDED_EARLY,
    Correct,
    EndMatch,
    Match,
    SitDown,
    TakeBack,
    hear,
    rematch,
    standing_answers,
)
from referee.moment_view import view_of
from referee.public_moment import public_moment
from referee.record import read_record, record_lines
from referee.summaries import rounds_of, statistics, summary_of
from tests.given import allowed, present, refused
from tests.referee.tables import OUTER, after_any, new_match

every_game = pytest.mark.parametrize(("game", "rules", "seats"), OUTER)
ENGLISH = NullTranslations()
SAID = "The host has ended the match: nobody wins it."


def ended_match(game: Game, rules: str, seats: int, answers: int = 5) -> Match:
    match, rng = new_match(game, rules, seats), Random(answers)
    for _answer in range(answers):
        match = after_any(match, rng) if match.asks else match
    return allowed(hear(match, EndMatch(match.number, "2026-05-01T21:00:00+02:00")))


@every_game
def test_ended_match_has_no_winner_replays_and_is_not_counted(game: Game, rules: str, seats: int) -> None:
    match = ended_match(game, rules, seats)
    before = present(match.before)
    assert (match.asks, match.outcome, match.decided, match.state) == ((), ENDED_EARLY, None, before.state)
    for entry in (TakeBack(match.number), SitDown(match.number, 0, 1), EndMatch(match.number)):
        assert refused(hear(match, entry)).reason is Reason.OVER
    view = view_of(match, ENGLISH)
    assert view.situation == SAID
    assert not any(player.is_winner or player.has_turn or player.is_asked for player in view.players)
    assert public_moment(match, ENGLISH).is_over
    assert [ground.rule.id for ground in newest_grounds(match)] == ["end-early"]
    assert film_of(match).last == match.number
    assert len(line_of(match)) == len(standing_answers(before))
    again = read_record(record_lines(match))
    assert (again.fault, again.gaps) == (None, ())
    replayed = present(again.match)
    assert (replayed.state, replayed.outcome, replayed.number) == (match.state, match.outcome, match.number)
    summary = summary_of(replayed)
    assert (summary.winners, summary.is_ended_early) == (None, True)
    assert summary.ended == "2026-05-01T21:00:00+02:00"
    assert statistics([summary]) == ()
    assert sum(each.is_over for each in rounds_of(replayed)) == summary.rounds
    after = allowed(rematch(match, "later"))
    assert after.setup.after == match.setup.after is None
    assert after.state == new_match(game, rules, seats).state


def test_corrections_keep_a_match_ended() -> None:
    match = ended_match(*OUTER[0].values)
    step = standing_answers(match)[-1]
    struck = allowed(hear(match, Correct(match.number, step.heard_at)))
    assert (struck.outcome, struck.asks, len(standing_answers(struck))) == (ENDED_EARLY, (), 4)
    again = read_record(record_lines(struck))
    assert present(again.match).outcome == ENDED_EARLY
    assert present(again.match).state == struck.state


def test_finished_match_cannot_be_ended() -> None:
    match, rng = new_match(*OUTER[0].values), Random(1)
    while match.outcome is None:
        match = after_any(match, rng)
    assert refused(hear(match, EndMatch(match.number))).reason is Reason.OVER
    assert refused(hear(match, EndMatch(match.number - 1))).reason is Reason.STALE
