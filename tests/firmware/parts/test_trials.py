"""Bots play on from a what-if: in a process of its own, one at a time, never while a match goes on."""

import pytest

from firmware.parts import trials as module
from firmware.parts.trials import ALL, EACH, TrialRequest, Trials, TriedOut, play_branch_out, try_branch
from hardware.twin.playouts import Chances
from referee.film import MOST, Branch, encode_branch, film_of, read_branch
from referee.games.catalogue import GAMES
from referee.match import Match
from referee.record import record_lines
from tests.given import present
from tests.hardware.twin.test_trials import played_by_bots


@pytest.fixture(scope="module")
def match() -> Match:
    return played_by_bots(GAMES["coup"])


def wish_for(match: Match, at: int, said: str = "") -> TrialRequest:
    return TrialRequest(tuple(record_lines(match)), at, said, "plain")


def test_a_branch_is_tried_out_beside_the_match_as_it_was(match: Match) -> None:
    assert present(try_branch(wish_for(match, 3), 0.3)).played is None
    # the answer that came as a branch: the rules allow it for certain
    entry = present(film_of(match).moments[4].match.entry)
    told = present(try_branch(wish_for(match, 3, encode_branch([entry])), 0.3))
    assert told.played is not None
    assert told.branch.tries > 0


def test_what_is_damaged_or_goes_on_has_no_answer(match: Match) -> None:
    for at, said in ((10**6, ""), (-1, ""), (3, "no branch"), (3, "W10")):
        assert (play_branch_out(wish_for(match, at, said)) is None) == (said != "W10")
    going_on = played_by_bots(GAMES["coup"], most=9)
    assert try_branch(wish_for(going_on, 3), 0.3) is None


def test_the_process_answers(match: Match) -> None:
    trials, record = Trials(), record_lines(match)
    said = trials.play_out(record, 3, "", "strong", "here")
    branch = read_branch(film_of(match), 3, said)
    assert isinstance(branch, Branch)
    # bots that draw at random may come to the most that is played out
    assert not branch.match.asks or len(branch.answers) == MOST
    assert trials.play_out(record, 10**6, "", "plain", "here") == "failed"


def test_one_is_tried_at_a_time_and_not_too_often(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[TrialRequest] = []
    trials, record = Trials(), record_lines(match)

    def run(_work: object, wish: TrialRequest, _patience: float) -> TriedOut:
        asked.append(wish)
        # somebody else asks meanwhile
        assert trials.try_out(record, 9, "", "plain", "elsewhere") == "busy"
        return TriedOut(Chances(1, (1.0,), (1.0,)))

    monkeypatch.setattr(module, "do_job", run)
    told = [trials.try_out(record, at, "", "plain", "here") for at in range(EACH + 2)]
    assert [isinstance(each, TriedOut) for each in told] == [True] * EACH + [False] * 2
    assert told[-1] == "often"
    # the same question costs nothing
    assert trials.try_out(record, 0, "", "plain", "here") == told[0]
    for number in range(ALL):
        trials.try_out(record, number, "W10", "plain", f"phone {number}")
    assert len(asked) == ALL
