"""The table's own Wi-Fi: the host keeps it by a device that has come by it, and in no other way."""

from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from tests.webui.fakes import FakeWifi
from tests.webui.room import Browser, Room, hidden_fields, match_of, room_with

INSIDE, OUTSIDE = "10.42.0.17", "192.0.2.9"


@pytest.fixture
def wifi() -> FakeWifi:
    return FakeWifi(INSIDE)


@pytest.fixture
def room(tmp_path: Path, wifi: FakeWifi) -> Room:
    return room_with(match_of(), tmp_path, wifi=wifi)


def post_to(host: Browser) -> TestResponse:
    """Keep it as a page would that is out of date."""
    return host.post("/host/wifi", **hidden_fields(host.get("/host/people").text, "/host/pin"))


def test_the_host_keeps_it_by_a_phone_that_has_come_by_it(room: Room, wifi: FakeWifi) -> None:
    host = room.browser(INSIDE).host()
    assert "comes back in 77 s" in host.get("/host").text
    assert host.send("/host", "/host/wifi").status_code == 303
    assert wifi.is_kept
    assert "comes back in" not in host.get("/host").text


def test_from_elsewhere_the_host_is_told_to_join_it(room: Room, wifi: FakeWifi) -> None:
    host = room.browser(OUTSIDE).host()
    page = host.get("/host").text
    assert "To keep it, join it with a phone" in page
    assert "/host/wifi" not in page
    assert post_to(host).status_code == 409
    assert not wifi.is_kept


def test_no_other_device_and_no_other_site_keeps_it(room: Room, wifi: FakeWifi) -> None:
    for phone in (room.browser(INSIDE), room.browser(INSIDE).sit(0)):
        assert "comes back in" not in phone.get("/host").text
        assert phone.post("/host/wifi", form="").status_code == 403
    assert room.browser(INSIDE).host().post("/host/wifi", form="").status_code == 403
    assert room.browser(INSIDE).get("/host/wifi").status_code == 405
    assert not wifi.is_kept


def test_one_that_waits_no_more_is_told(room: Room, wifi: FakeWifi) -> None:
    host = room.browser(INSIDE).host()
    wifi.is_waiting = False
    assert post_to(host).status_code == 409
