"""Second copies on the host's page: which sticks there are, which one is used, which copy is restored."""

from pathlib import Path

import pytest

from tests.webui.fakes import FakeBackups, FakeCopies
from tests.webui.room import Room, match_of, room_with


@pytest.fixture
def copies() -> FakeCopies:
    return FakeCopies()


@pytest.fixture
def room(tmp_path: Path, copies: FakeCopies) -> Room:
    return room_with(match_of(), tmp_path, backups=FakeBackups(), copies=copies)


def test_the_host_sees_what_lies_where(room: Room) -> None:
    text = room.browser().host().get("/host/backup").text
    assert "<h3>A &lt;&amp;&gt;</h3>" in text
    assert "⚠ It is full." in text
    assert "This table: 2026-11-20 21:04, Matches: 12." in text
    assert "Another table, or this one with another card: 2026-11-18" in text
    assert text.count('action="/host/copy/use"') == 1
    assert text.count('action="/host/copy/restore"') == 2


def test_without_a_stick_it_says_so(room: Room, copies: FakeCopies) -> None:
    copies.there = ()
    assert "No stick is plugged in." in room.browser().host().get("/host/backup").text


def test_a_stick_is_chosen_by_one_tap(room: Room, copies: FakeCopies) -> None:
    host = room.browser().host()
    assert host.send("/host/backup", "/host/copy/use").headers["Location"] == "/host/backup"
    assert copies.used == ["/media/B"]
    response = host.send("/host/backup", "/host/copy/use", place="/media/C")
    assert (response.status_code, "That stick isn&#39;t there." in response.text) == (409, True)


def test_a_copy_is_restored_by_one_tap(room: Room, copies: FakeCopies) -> None:
    response = room.browser().host().send("/host/backup", "/host/copy/restore")
    assert response.headers["Refresh"].endswith("; url=/host/backup")
    assert "Not in it: &lt;x&gt;" in response.text
    response.close()
    assert copies.restored == [("/media/A", "a1", "")]
    assert copies.restarts == 1


def test_only_the_host_does_that(room: Room, copies: FakeCopies) -> None:
    said = {"place": "/media/A", "table": "a1", "name": ""}
    for phone in (room.browser(), room.browser().sit(0), room.browser().host()):
        for address in ("/host/copy/use", "/host/copy/restore"):
            assert phone.post(address, form="", **said).status_code == 403
    assert (copies.used, copies.restored, copies.restarts) == ([], [], 0)


def test_where_no_copies_are_kept_there_is_nothing_of_it(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path, backups=FakeBackups())
    assert "Second copy" not in room.browser().host().get("/host/backup").text
