"""Guests' match files, each read in its own process."""

from io import BytesIO

import msgspec
import pytest

from firmware.services import match_files as part
from firmware.services.jobs import JobError
from referee.film import film_of
from referee.games.catalogue import GAMES
from referee.match import MAX_REPLAYED, Correct, TakeBack, seat_person, standing_answers
from referee.record import entry_line, read_record, record_lines
from tests.given import allowed, present
from tests.tiers import slow, tiered
from tests.webui.matches import play_match
from webui.server.film_sources import MAX_FILE_BYTES

COUP = "\n".join(record_lines(play_match(GAMES["coup"]))).encode()


def corrected(game: str, times: int) -> bytes:
    """Correct a match's first answer to its own value this often."""
    match = play_match(GAMES[game])
    first = standing_answers(match)[0]
    corrections = (Correct(match.number + each, first.heard_at, first.answer.value) for each in range(times))
    return "\n".join((*record_lines(match), *map(entry_line, corrections))).encode()


@pytest.mark.parametrize("game", tiered(["coyote", "plenty-coups"], list(GAMES)))
def test_guests_file_is_shown_as_played_and_fills_no_hole_again(game: str) -> None:
    match = allowed(seat_person(play_match(GAMES[game], moments=12), 1, "Zoé"))
    lines = [*record_lines(match), entry_line(TakeBack(10**9))]
    del lines[4]
    reading = read_record(lines)
    played = played_of("\n".join(lines).encode())
    assert (played.fault, played.gaps) == (reading.fault, reading.gaps)
    assert played.fault is not None
    again = read_record(played.record)
    assert (again.fault, again.gaps) == (None, ())
    one, other = (film_of(present(each.match)) for each in (reading, again))
    assert [each.match.state for each in one.moments] == [each.match.state for each in other.moments]
    assert [each.match.setup for each in one.moments] == [each.match.setup for each in other.moments]
    assert (one.turns, one.calls) == (other.turns, other.calls)


def played_of(content: bytes) -> part.PlayedFile:
    return msgspec.msgpack.decode(present(part.play_file(None, BytesIO(content))), type=part.PlayedFile)


def test_file_with_too_many_replays_is_not_played() -> None:
    most = part.MAX_ANSWERS // play_match(GAMES["coup"]).number
    assert played_of(corrected("coup", most // 2)).fault is None
    with pytest.raises(JobError):
        part.play_file(None, BytesIO(corrected("coup", most + 1)))


@slow("a process that plays until its limit")
def test_file_beyond_work_limit_is_given_up() -> None:
    costly = corrected("plenty-coups", MAX_REPLAYED // play_match(GAMES["plenty-coups"]).number)
    assert len(costly) < MAX_FILE_BYTES
    assert part.MatchFiles(seconds=1).read(BytesIO(costly)) == "too much"
    # and the next one is played
    assert isinstance(part.MatchFiles().read(BytesIO(COUP)), bytes)
