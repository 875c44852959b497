"""Trying the table: pause, lamps, the live picture, and who is right."""

from pathlib import Path

import pytest

from tests.webui.room import Room, match_of, room_with

POSTS = ("/host/pause", "/host/go-on", "/host/table-is-right", "/host/record-is-right", "/host/check/lamp")


def test_only_the_host_tries_the_table(room: Room) -> None:
    guest, host = room.browser().sit(0), room.browser().host()
    assert guest.get("/host/check").status_code == 303
    assert guest.get("/host/picture.jpg").status_code == 403
    for address in POSTS:
        assert guest.post(address, seat="0").status_code == 403
        assert host.post(address, seat="0").status_code == 403
    assert room.door.actions == []
    assert not room.door.kept.is_paused


def test_the_host_pauses_and_goes_on_from_either_page(room: Room) -> None:
    host = room.browser().host()
    assert host.send("/host", "/host/pause").headers["Location"] == "/host"
    assert room.door.kept.is_paused
    assert "Paused: no answer counts" in host.get("/host").text
    assert host.send("/host/check", "/host/go-on").headers["Location"] == "/host/check"
    assert not room.door.kept.is_paused


def test_lamps_are_lit_by_seat(room: Room) -> None:
    host = room.browser().host()
    for seat in ("0", "2", "table"):
        assert host.send("/host/check", "/host/check/lamp", seat=seat).status_code == 303
    assert room.door.actions == [0, 2, None]
    for strange in ("3", "-1", "x", "", "٢", "9" * 50):
        assert host.send("/host/check", "/host/check/lamp", seat=strange).status_code == 400
    assert room.door.actions == [0, 2, None]


def test_who_is_right_is_told(room: Room) -> None:
    host = room.browser().host()
    assert "told: table agrees" in host.send("/host/check", "/host/table-is-right").text
    assert host.send("/host/check", "/host/record-is-right").status_code == 303
    assert room.door.actions == ["table", "record"]


def test_the_host_sees_what_the_camera_sees(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    host = room.browser().host()
    shown = host.get("/host/picture.jpg")
    assert (shown.data, shown.content_type) == (b"jpeg", "image/jpeg")
    assert shown.headers["Cache-Control"] == "no-store"
    monkeypatch.setattr("webui.pages.checking.PATIENCE", 0.01)
    room.door.sees = False
    assert host.get("/host/picture.jpg").status_code == 503


def test_what_is_wrong_is_said_there(room: Room) -> None:
    room.door.wrong = ("no camera",)
    assert "told: no camera" in room.browser().host().get("/host/check").text


def test_buttons_by_radio_are_said_to_be_less_fair(tmp_path: Path) -> None:
    assert "by radio" not in room_with(match_of(), tmp_path).browser().host().get("/host/check").text
    page = room_with(match_of(), tmp_path, wireless=6).browser().host().get("/host/check").text
    assert "Seats 1 to 6 may have a button by radio." in page
