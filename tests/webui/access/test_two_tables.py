"""Two tables at one address: browsers keep the cookies of both together, whatever their ports."""

from pathlib import Path

import pytest

from tests.webui.room import Browser, Room, match_of, room_with
from webui.access.viewers import RIGHTS, SCREEN, SEAT, cookie_name


@pytest.fixture
def tables(tmp_path: Path) -> tuple[Room, Room]:
    folders = tmp_path / "one", tmp_path / "other"
    for folder in folders:
        folder.mkdir()
    return room_with(match_of(), folders[0]), room_with(match_of(), folders[1])


def at(room: Room, phone: Browser) -> Browser:
    """Go to another table with the same browser: its cookies go with it."""
    there = room.browser()
    there.client._cookies = phone.client._cookies
    return there


def with_earlier_names(phone: Browser) -> Browser:
    """Give a phone the cookies that it would have of an earlier version."""
    earlier = phone.room.browser()
    for kind in RIGHTS:
        earlier.client.set_cookie(kind, phone.cookie(kind))
    return earlier


def test_cookies_with_earlier_names_are_taken_over_once_by_their_own_table(tables: tuple[Room, Room]) -> None:
    one, other = tables
    known = one.browser().host().sit(0)
    known.send("/screen", "/screen/ask")
    phone = with_earlier_names(known)
    elsewhere = at(other, phone)
    elsewhere.get("/seat")
    assert elsewhere.client.get_cookie(cookie_name(elsewhere.links, SEAT)) is None
    assert "You are Ana." in phone.get("/seat").text
    assert [phone.cookie(kind) for kind in RIGHTS] == [known.cookie(kind) for kind in RIGHTS]
    # another table of an earlier version may write over those names now
    for kind in RIGHTS:
        phone.client.set_cookie(kind, "another's")
    assert "You are Ana." in phone.get("/seat").text
    assert phone.get("/host/people").status_code == 200
    assert 'data-live="/events/screen"' in phone.get("/screen").text
    assert phone.cookie(SCREEN) == known.cookie(SCREEN)


def test_who_leaves_a_seat_that_an_earlier_cookie_names_has_none(tables: tuple[Room, Room]) -> None:
    known = tables[0].browser().host().sit(0)
    known.send("/screen", "/screen/ask")
    phone = with_earlier_names(known)
    phone.send("/seat", "/seat/hand-over")
    assert phone.client.get_cookie(SEAT) is None
    assert phone.client.get_cookie(cookie_name(phone.links, SEAT)) is None
