"""The host ends a match early, after a confirmation; every page reports it."""

from pathlib import Path
from random import Random

import pytest

from firmware.storage.journal import open_journal
from firmware.storage.match_history import History
from referee.match import ENDED_EARLY, EndMatch, hear
from tests.given import allowed
from tests.webui.matches import open_round
from tests.webui.room import Room, hidden_fields, match_of, move_on, room_with

SAID = "The host has ended the match: nobody wins it."


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return room_with(open_round(match_of()), tmp_path)


def test_host_ends_a_match(room: Room) -> None:
    host, guest, screen = room.browser().sit(0).host(), room.browser().sit(1), room.browser()
    fields = hidden_fields(host.get("/host").text, "/host/end")
    # play goes on until the host has confirmed
    number = move_on(room, Random(1)).number
    assert host.post("/host/end", **fields).status_code == 303
    assert room.client.entries == [EndMatch(number)]
    assert room.client.match.outcome == ENDED_EARLY
    for page in (host.get("/seat"), guest.get("/seat"), screen.get("/")):
        assert SAID in page.text
    assert "/seat/again" in guest.get("/seat").text
    assert "/seat/back" not in host.get("/seat").text
    control = host.get("/host").text
    assert "/host/again" in control
    assert "/host/end" not in control
    assert 'action="/host/back"' not in control


def test_only_the_host_ends_a_running_match(room: Room, tmp_path: Path) -> None:
    guest, host = room.browser().sit(1), room.browser().host()
    assert "/host/end" not in guest.get("/seat").text
    fields = hidden_fields(host.get("/host").text, "/host/end")
    assert guest.post("/host/end", **fields).status_code == 403
    assert host.post("/host/end", **{**fields, "match": "another"}).status_code == 409
    assert room.client.match.outcome is None
    fresh = room_with(match_of(), tmp_path / "fresh")
    assert "/host/end" not in fresh.browser().host().get("/host").text


def test_history_shows_ended_match_without_resume(tmp_path: Path) -> None:
    match, path = open_round(match_of()), tmp_path / "journal.sqlite3"
    ended = allowed(hear(match, EndMatch(match.number, "2026-01-02T21:00:00+01:00")))
    with open_journal(path) as opened:
        opened.journal.begin(ended)
        history = History(path)
        room = room_with(match_of(), tmp_path, history=history)
        host = room.browser().host()
        listed, page = host.get("/history").text, host.get("/history/1").text
        figures = host.get("/statistics").text
    assert "ended early by the host" in listed
    assert "▶" not in listed
    assert "ended early by the host" in page
    assert "Standings so far" in page
    assert "/host/go-on-with/1" not in page
    assert "Finished matches only" not in figures
