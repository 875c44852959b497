"""The table's own Wi-Fi: the host keeps it by a device that has come by it, and in no other way."""

from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from tests.webui.fakes import ACCESS, FakeWifi, UpWifi
from tests.webui.pages.test_claiming import AT_HOME, HERE, table_in
from tests.webui.room import Browser, Room, hidden_fields, match_of, room_with

INSIDE, OUTSIDE = FakeWifi.INSIDE, "192.0.2.9"


@pytest.fixture
def wifi() -> FakeWifi:
    return FakeWifi()


@pytest.fixture
def room(tmp_path: Path, wifi: FakeWifi) -> Room:
    return room_with(match_of(), tmp_path, wifi=wifi)


def post_to(host: Browser) -> TestResponse:
    """Keep it as a page would that is out of date."""
    return host.post("/host/wifi", **hidden_fields(host.get("/host/people").text, "/host/pin"))


def test_the_host_keeps_it_by_a_phone_that_has_come_by_it(room: Room, wifi: FakeWifi) -> None:
    assert "comes back in" not in room.browser(INSIDE).sit(0).get("/host").text
    host = room.browser(INSIDE).host()
    assert "comes back in 77 s" in host.get("/host").text
    assert host.send("/host", "/host/wifi").status_code == 303
    assert wifi.asked == [("keep",)]
    # one that waits no more is told
    wifi.reply = False
    assert post_to(host).status_code == 409


def test_from_elsewhere_the_host_is_told_to_join_it(room: Room, wifi: FakeWifi) -> None:
    host = room.browser(OUTSIDE).host()
    page = host.get("/host").text
    assert "To keep it, join it with a phone" in page
    assert "/host/wifi" not in page
    assert post_to(host).status_code == 409
    assert wifi.asked == []


PROBE = {"HTTP_HOST": "captive.apple.com", "REMOTE_ADDR": INSIDE}


@pytest.mark.parametrize(
    ("port", "there"), [("80", "http://10.42.0.1/join"), ("8000", "http://10.42.0.1:8000/join")]
)
def test_a_phone_that_looks_for_a_page_of_the_wifi_is_led_to_the_table(
    room: Room, port: str, there: str
) -> None:
    probe = {**PROBE, "SERVER_PORT": port}
    for method in ("GET", "HEAD"):
        led = room.app.test_client().open("/hotspot-detect.html", method=method, environ_overrides=probe)
        assert (led.status_code, led.headers["Location"]) == (302, there)
        # neither a browser nor anything between keeps it, and no right is given by it
        assert led.headers["Cache-Control"] == "no-store"
        assert "Set-Cookie" not in led.headers


@pytest.mark.parametrize(
    "other",
    [
        {"REMOTE_ADDR": OUTSIDE},
        {"HTTP_HOST": "evil.example"},
        {"HTTP_HOST": "captive.apple.com.evil.example"},
        {"HTTP_HOST": "apple.com"},
        {"REQUEST_METHOD": "POST"},
    ],
)
def test_nobody_else_is_led_anywhere(room: Room, other: dict[str, str]) -> None:
    method = other.get("REQUEST_METHOD", "GET")
    led = room.app.test_client().open("/", method=method, environ_overrides={**PROBE, **other})
    assert led.status_code in {400, 421}
    assert "Location" not in led.headers


SECRET = ACCESS.password


def test_its_password_is_on_the_screen_and_on_the_hosts_phone_and_nowhere_else(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path, wifi=UpWifi())
    screen, host, guest = room.browser().host(), room.browser().host(), room.browser(INSIDE).sit(0)
    screen.send("/screen", "/screen/ask")
    assert SECRET in screen.get("/screen").text
    assert SECRET in host.get("/host/people/1").text
    pages = ("/", "/seat", "/join", "/screen", "/host", "/host/people/1", "/welcome", "/table.json")
    assert not any(SECRET in phone.get(page).text for page in pages for phone in (guest, room.browser(OUTSIDE)))
    # once all are here there is no need for it
    for seat in (1, 2):
        room.browser().sit(seat)
    assert SECRET not in screen.get("/screen").text


def test_the_screen_of_a_table_without_host_leads_through_it(tmp_path: Path) -> None:
    table = table_in(tmp_path, wifi=UpWifi())
    shown = table.screen.get("/screen", AT_HOME).text
    assert shown.count("<svg") > 2
    assert SECRET in shown
    assert SECRET not in table.room.browser(INSIDE).get("/claim").text
    assert SECRET not in table.room.browser(INSIDE).get("/screen").text
    assert SECRET not in table.room.browser(HERE).get("/claim", AT_HOME).text
