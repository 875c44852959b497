"""What-ifs played on by bots, and guests' match files, each in its own process."""

from io import BytesIO

import msgspec
import pytest

from firmware.services import trials as part
from firmware.services.jobs import JobError
from hardware.twin.strengths import Strength
from referee.film import MAX_BRANCH_ANSWERS, Branch, film_of, read_branch
from referee.games.catalogue import GAMES
from referee.match import MAX_REPLAYED, Correct, Match, TakeBack, seat_person, standing_answers
from referee.record import entry_line, read_film, record_lines, what_if_lines
from tests.given import allowed, present
from tests.referee.laboratories import match_by_bots
from tests.tiers import slow
from tests.webui.matches import play_match
from webui.server.film_sources import MAX_FILE_BYTES


@pytest.fixture(scope="module")
def match() -> Match:
    return match_by_bots("coup", "rule text", 3)


def play_out_request(match: Match, at: int, said: str = "", strength: Strength = "plain") -> part.TrialRequest:
    return part.TrialRequest(tuple(record_lines(match)), at, said, strength)


def test_damaged_or_unfinished_match_has_no_answer(match: Match) -> None:
    for at, said in ((10**6, ""), (-1, ""), (3, "no branch"), (3, "W10")):
        assert (part.play_branch_out(play_out_request(match, at, said)) is None) == (said != "W10")
    assert part.play_branch_out(play_out_request(film_of(match).moments[9].match, 3)) is None


def test_the_process_answers(match: Match) -> None:
    trials = part.Trials()
    branch = read_branch(
        film_of(match), 3, trials.play_out(play_out_request(match, 3, strength="strong"), "here")
    )
    assert isinstance(branch, Branch)
    # random bots may reach the limit of playouts
    assert not branch.match.asks or len(branch.answers) == MAX_BRANCH_ANSWERS
    assert trials.play_out(play_out_request(match, 10**6), "here") == "failed"


def test_what_ifs_run_one_at_a_time_and_rate_limited(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[part.TrialRequest] = []
    trials = part.Trials()

    def run(_work: object, wish: part.TrialRequest, _patience: float) -> str:
        asked.append(wish)
        # another person asks meanwhile
        assert trials.play_out(play_out_request(match, 9), "elsewhere") == "busy"
        return "W10"

    monkeypatch.setattr(part, "do_job", run)
    told = [trials.play_out(play_out_request(match, 3), "here") for _time in range(part.PER_ADDRESS + 2)]
    assert told == ["W10"] * part.PER_ADDRESS + ["often"] * 2
    for number in range(part.IN_TOTAL):
        trials.play_out(play_out_request(match, 3), f"phone {number}")
    assert len(asked) == part.IN_TOTAL


# guests' match files

COUP = "\n".join(record_lines(play_match(GAMES["coup"]))).encode()


def costly_file() -> bytes:
    """Correct a match's first answer to its own value as often as the rules allow."""
    match = play_match(GAMES["plenty-coups"])
    first = standing_answers(match)[0]
    corrections = (
        entry_line(Correct(match.number + number, first.heard_at, first.answer.value))
        for number in range(MAX_REPLAYED // match.number)
    )
    return "\n".join((*record_lines(match), *corrections)).encode()


@pytest.mark.parametrize("game", GAMES)
def test_guests_file_is_shown_as_played_and_fills_no_hole_again(game: str) -> None:
    match = allowed(seat_person(play_match(GAMES[game], moments=12), 1, "Zoé"))
    lines = [*what_if_lines(match, 3), entry_line(TakeBack(10**9))]
    del lines[4]
    reading = read_film(lines)
    played = played_of("\n".join(lines).encode())
    assert (played.fault, played.gaps) == (reading.fault, reading.gaps)
    assert played.fault is not None
    again = read_film(played.record)
    assert (again.fault, again.gaps, again.what_if) == (None, (), 3)
    one, other = (film_of(present(each.match)) for each in (reading, again))
    assert [each.match.state for each in one.moments] == [each.match.state for each in other.moments]
    assert [each.match.setup for each in one.moments] == [each.match.setup for each in other.moments]
    assert (one.turns, one.calls) == (other.turns, other.calls)


def played_of(content: bytes) -> part.PlayedFile:
    return msgspec.msgpack.decode(present(part.play_file(None, BytesIO(content))), type=part.PlayedFile)


def test_file_with_too_many_replays_is_not_played() -> None:
    match = play_match(GAMES["coup"])
    first = standing_answers(match)[0]
    corrections = (
        entry_line(Correct(match.number + each, first.heard_at, first.answer.value))
        for each in range(1 + part.MAX_ANSWERS // match.number)
    )
    lines = [*record_lines(match), *corrections]
    assert played_of("\n".join(lines[: len(lines) // 2]).encode()).fault is None
    with pytest.raises(JobError):
        part.play_file(None, BytesIO("\n".join(lines).encode()))


@slow("a process that plays until its limit")
def test_file_beyond_work_limit_is_given_up() -> None:
    costly = costly_file()
    assert len(costly) < MAX_FILE_BYTES
    assert part.MatchFiles(seconds=1).read(BytesIO(costly)) == "too much"
    # and the next one is played
    assert isinstance(part.MatchFiles().read(BytesIO(COUP)), bytes)
