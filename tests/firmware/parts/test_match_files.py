"""Match files of guests: played in a process of their own, which ends at its limit."""

import re
from io import BytesIO
from pathlib import Path
from typing import NoReturn

import pytest

from firmware.parts import jobs
from firmware.parts.looks import Looks
from firmware.parts.trials import MatchFiles
from referee import match as matches
from referee.games.catalogue import GAMES
from referee.match import MOST_REHEARD, Correct, standing_answers
from referee.record import entry_line, record_lines
from tests.tiers import slow
from tests.webui.matches import play_match
from tests.webui.room import match_of, room_with
from webui.server.film_sources import LONGEST

COUP = "\n".join(record_lines(play_match(GAMES["coup"]))).encode()


def costly_file() -> bytes:
    """Correct the first answer of a match, each time to what it was, until the rules allow no more of that."""
    match = play_match(GAMES["plenty-coups"])
    first = standing_answers(match)[0]
    corrections = (
        entry_line(Correct(match.number + number, first.heard_at, first.answer.value))
        for number in range(MOST_REHEARD // match.number)
    )
    return "\n".join((*record_lines(match), *corrections)).encode()


def refuse_to_play(*_asked: object) -> NoReturn:
    raise AssertionError("the companion plays a file of a guest")


@slow("a process loads the games, twice")
def test_the_companion_plays_nothing_of_a_guests_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = room_with(match_of(), tmp_path, looks=Looks(), match_files=MatchFiles()).browser()
    browser.sit(0)
    form = re.search(r'name="form" value="([^"]*)"', browser.get("/seat").text)
    assert form is not None
    monkeypatch.setattr(matches, "step_from", refuse_to_play)

    def send(content: bytes) -> tuple[int, str]:
        data = {"form": form[1], "match": (BytesIO(content), "match.jsonl")}
        reply = browser.client.post("/film", data=data, content_type="multipart/form-data")
        return reply.status_code, reply.headers.get("Location", "")

    code, where = send(COUP)
    assert code == 303
    pages = [browser.get(address) for address in (where, f"{where}?at=5", f"{where}/7", "/")]
    assert [page.status_code for page in pages] == [200] * 4
    assert send(b"no match at all")[0] == 400


@slow("a process that plays until its limit")
def test_a_file_with_more_work_than_its_limit_is_given_up() -> None:
    costly = costly_file()
    assert len(costly) < LONGEST
    door = MatchFiles(seconds=1)
    assert door.read(BytesIO(costly)) == "too much"
    # and the next one is played
    assert isinstance(MatchFiles().read(BytesIO(COUP)), bytes)


def test_a_process_that_dies_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "PROGRAM", "firmware.nothing_of_that_name")
    assert MatchFiles().read(BytesIO(COUP)) == "too much"
