"""Bots play on from a what-if: in a process of its own, one at a time, never while a match goes on."""

from typing import Literal

import msgspec
import pytest

from firmware.start.pages import trial_door
from firmware.start.pages.trial_door import ALL, EACH, Trials
from firmware.start.trial_process import TrialRequest, answer_to
from referee.film import film_of
from referee.games.catalogue import GAMES
from referee.match import Match
from referee.record import record_lines
from tests.hardware.twin.test_trials import played_by_bots
from webui.doors.trials import SeatChances, TriedOut
from webui.drawing.branches import Branch, encode_branch, read_branch


@pytest.fixture(scope="module")
def match() -> Match:
    return played_by_bots(GAMES["coup"])


def wish_for(match: Match, what: Literal["tries", "play"], at: int, said: str = "") -> TrialRequest:
    return TrialRequest(what, tuple(record_lines(match)), at, said, "plain")


def test_a_branch_is_tried_out_beside_the_match_as_it_was(match: Match) -> None:
    alone = msgspec.json.decode(answer_to(wish_for(match, "tries", 3), 0.3), type=TriedOut)
    assert alone.played is None
    # the answer that came as a branch: the rules allow it for certain
    entry = film_of(match).moments[4].match.entry
    assert entry is not None
    told = msgspec.json.decode(
        answer_to(wish_for(match, "tries", 3, encode_branch([entry])), 0.3), type=TriedOut
    )
    assert told.played is not None
    assert told.branch.tries > 0


def test_what_is_damaged_or_goes_on_has_no_answer(match: Match) -> None:
    for at, said in ((10**6, ""), (-1, ""), (3, "no branch"), (3, "W10")):
        assert (answer_to(wish_for(match, "play", at, said)) == b"") == (said != "W10")
    going_on = played_by_bots(GAMES["coup"], most=9)
    assert answer_to(wish_for(going_on, "tries", 3), 0.3) == b""


def test_the_process_answers(match: Match) -> None:
    trials, record = Trials(), record_lines(match)
    said = trials.play_out(record, 3, "", "strong", "here")
    branch = read_branch(film_of(match), 3, said)
    assert isinstance(branch, Branch)
    assert not branch.match.asks
    assert trials.play_out(record, 10**6, "", "plain", "here") == "failed"


def test_one_is_tried_at_a_time_and_not_too_often(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[TrialRequest] = []
    trials, record = Trials(), record_lines(match)

    def run(wish: TrialRequest) -> bytes:
        asked.append(wish)
        # somebody else asks meanwhile
        assert trials.try_out(record, 9, "", "plain", "elsewhere") == "busy"
        return msgspec.json.encode(TriedOut(SeatChances(1, (1.0,), (1.0,))))

    monkeypatch.setattr(trial_door, "_run", run)
    told = [trials.try_out(record, at, "", "plain", "here") for at in range(EACH + 2)]
    assert [isinstance(each, TriedOut) for each in told] == [True] * EACH + [False] * 2
    assert told[-1] == "often"
    # the same question costs nothing
    assert trials.try_out(record, 0, "", "plain", "here") == told[0]
    for number in range(ALL):
        trials.try_out(record, number, "W10", "plain", f"phone {number}")
    assert len(asked) == ALL
