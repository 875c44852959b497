"""The first phone at the table becomes host, and confirms its Wi-Fi from a device connected through it."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from firmware.services.presence import CODE_LIFETIME, REPEAT_INTERVAL, SCREEN_TIMEOUT
from firmware.storage.people.links_file import LinksFile
from tests.firmware.board.inputs.matches import bidden
from tests.webui.fakes import ACCESS, FakeWifi, UpWifi
from tests.webui.laptop import AT_HOME, CODE, UnclaimedTable, unclaimed_table
from tests.webui.room import Browser, Room, hidden_fields, match_of, room_with
from webui.access.guess_limits import GuessLimit

HERE = "127.0.0.1"


@pytest.fixture
def table(tmp_path: Path) -> UnclaimedTable:
    return unclaimed_table(tmp_path)


def claim(phone: Browser, number: str) -> int:
    return phone.send("/claim?number=000000", "/claim", number=number).status_code


def is_host(phone: Browser) -> bool:
    return "/host/more" in phone.get("/host", {}).text


def test_first_phone_claims_the_table_by_code(table: UnclaimedTable) -> None:
    phone, code = table.room.browser(), table.code()
    for page in ("/", "/host"):
        assert phone.get(page).headers["Location"] == "/claim"
    assert 'href="/claim"' in phone.get("/join").text
    text = phone.get(f"/claim?number={code}").text
    assert f'value="{code}"' in text
    answer = phone.post("/claim", **hidden_fields(text, "/claim"), number=code)
    pin = phone.links.pin
    assert f"{pin[:4]} {pin[4:]}" in answer.text
    assert phone.links.has_had_host
    assert is_host(phone)
    assert pin in phone.get("/host/people").text
    assert table.said() == ["has host"]
    # nothing is left to claim, and pages are as usual
    assert table.screen.get("/screen", AT_HOME).text.count("/screen/ask")
    stranger = table.room.browser()
    assert stranger.get("/").status_code == 200
    assert "/host/enter" in stranger.get("/host").text
    # the code is used up
    form = hidden_fields(stranger.get("/claim").text, "/claim/tell")
    assert stranger.post("/claim", **form, number=code).status_code == 403
    assert not is_host(stranger)


def test_claim_code_is_on_no_other_page(table: UnclaimedTable) -> None:
    code = table.code()
    spoken = code[:3], code[3:]
    phone = table.room.browser("192.0.2.50")
    for page in ("/", "/claim", "/screen", "/screen/number", "/join", "/host/enter", "/seat", "/public.json"):
        for host in ("localhost", "192.0.2.7:8000", "coyote.local"):
            text = phone.get(page, {"Host": host}).text
            assert not any(half in text for half in (code, " ".join(spoken))), page


LOCALLY = {"HTTP_HOST": "localhost"}
OTHERS = ("evil.example", "coyote.local", "192.0.2.7", "localhost.evil.example")
PROXIES = ("X_FORWARDED_FOR", "FORWARDED", "VIA", "X_REAL_IP")


@pytest.mark.parametrize(
    "asked",
    [
        *({"HTTP_HOST": name} for name in OTHERS),
        *({**LOCALLY, f"HTTP_{name}": "192.0.2.50"} for name in PROXIES),
        {**LOCALLY, "SERVER_PROTOCOL": "HTTP/1.0"},
    ],
    ids=str,
)
def test_proxy_or_foreign_host_name_gets_no_code(table: UnclaimedTable, asked: dict[str, str]) -> None:
    assert table.code()
    for page in ("/screen", "/screen/number"):
        answer = table.screen.client.get(page, environ_overrides=asked)
        assert not CODE.search(answer.text)
        assert answer.status_code in {200, 204, 421}


def test_simultaneous_claims_make_one_host(table: UnclaimedTable) -> None:
    code = table.code()
    phones = [table.room.browser(f"192.0.2.{number}") for number in range(8)]
    forms = [hidden_fields(phone.get("/claim?number=000000").text, "/claim") for phone in phones]
    with ThreadPoolExecutor(len(phones)) as threads:
        sent = threads.map(
            lambda each: each[0].post("/claim", **each[1], number=code).status_code,
            zip(phones, forms, strict=True),
        )
        assert sorted(sent) == [200] + [403] * 7
    assert len(table.screen.links.hosts) == 1


def strained_limit(**most: int) -> GuessLimit:
    """Return a limit after 1200 wrong guesses from 400 networks: more than any limit allows in a day."""
    limit = GuessLimit(**most)
    for number in range(400):
        for _guess in range(3):
            limit.may_try(f"10.1.{number // 250}.{number % 250}")
    return limit


@pytest.mark.parametrize("is_first", [True, False])
def test_guessing_networks_do_not_block_a_correct_claim(is_first: bool, tmp_path: Path) -> None:
    table = unclaimed_table(tmp_path, strained_limit)
    if not is_first:
        assert claim(table.room.browser(), table.code()) == 200
        assert table.room.browser().send("/claim", "/claim/tell").status_code == 303
    code = table.presence.code_for_screen(is_wanted=False) or table.code()
    wrong = "000000" if code != "000000" else "000001"
    stranger = table.room.browser("10.9.9.9")
    fields = hidden_fields(stranger.get("/claim?number=000000").text, "/claim")
    sent = [
        stranger.client.post(
            "/claim",
            data={**fields, "number": wrong},
            environ_overrides={"REMOTE_ADDR": f"10.0.{number // 250}.{number % 250}"},
        ).status_code
        for number in range(10)
        for _guess in range(3)
    ]
    assert set(sent) == {403, 429}
    ana = table.room.browser("192.0.2.50")
    assert claim(ana, code) == 200
    assert is_host(ana)


def test_claim_number_is_shown_30_seconds_in_10_minutes(table: UnclaimedTable) -> None:
    stranger, table.room.client.match = table.room.browser(), bidden(5)
    for second in range(0, 1800, 10):
        answer = stranger.send("/claim", "/claim/tell")
        assert answer.status_code == (429 if second % CODE_LIFETIME else 303)
        table.presence.keep()
        is_told = second % CODE_LIFETIME < REPEAT_INTERVAL
        assert (table.told()[-1] is not None) == is_told
        table.clock.seconds += 10
    # each was announced once
    said = [sign.code for sign in table.told() if sign is not None]
    assert len({*said}) == len(said) == 3
    assert "for half a minute every ten minutes" in answer.text
    table.room.client.match = match_of()
    assert stranger.send("/claim", "/claim/tell").status_code == 303


def test_claim_page_lists_available_methods(table: UnclaimedTable) -> None:
    phone = table.room.browser()
    assert "loudspeaker" not in phone.get("/claim").text
    table.means.clear()
    assert "Plug in a screen or a loudspeaker" in phone.get("/claim").text
    assert 'action="/claim' not in phone.get("/claim").text
    table.code()
    assert "Its screen shows" in phone.get("/claim").text
    # a screen that is switched off doesn't count
    table.clock.seconds += SCREEN_TIMEOUT
    assert "Its screen shows" not in phone.get("/claim").text


@pytest.fixture
def mute(tmp_path: Path) -> UnclaimedTable:
    table = unclaimed_table(tmp_path)
    table.means.clear()
    table.means.add("lamps")
    return table


def drawn_seat(table: UnclaimedTable, phone: Browser) -> int:
    assert phone.send("/claim", "/claim/blink").status_code == 303
    sign = table.told()[-1]
    assert sign.code == ""
    seat: int = sign.seat
    return seat


def test_three_presses_of_the_blinking_button_make_a_host(mute: UnclaimedTable) -> None:
    phone, other = mute.room.browser("192.0.2.50"), mute.room.browser("192.0.2.51")
    seat = drawn_seat(mute, phone)
    assert "press its button three times" in phone.get("/claim").text
    # the page doesn't name the seat, and other phones have no turn meanwhile
    assert not re.search(r"[Ss]eat", phone.get("/claim").text)
    assert "press its button three times" not in other.get("/claim").text
    waits = other.send("/claim", "/claim/blink")
    assert waits.status_code == 429
    assert "Try again in 45 seconds" in waits.text
    assert [mute.press(seat, at) for at in (1.0, 2.0, 3.0)] == [True] * 3
    other_form = hidden_fields(phone.get("/claim").text, "/claim")
    assert other.post("/claim", **other_form).status_code == 403
    assert phone.send("/claim", "/claim").status_code == 200
    assert is_host(phone)
    mute.presence.keep()
    assert mute.told()[-1] is None
    assert not mute.press(seat, 10.0)


def test_pin_reset_preserves_other_hosts(table: UnclaimedTable) -> None:
    host, code = table.room.browser(), table.code()
    claim(host, code)
    before = host.links.pin
    phone = table.room.browser("192.0.2.50")
    assert 'href="/claim"' in phone.get("/host").text
    # the computer's screen shows a number only on request
    assert table.screen.get("/screen/number", AT_HOME).status_code == 204
    assert phone.send("/claim", "/claim/tell").status_code == 303
    text = table.screen.get("/screen/number", AT_HOME).text
    assert phone.get("/screen/number").status_code == 204
    answer = phone.send("/claim", "/claim", number="".join(re.findall(r"\d{3}", text)))
    after = phone.links.pin
    assert after != before
    assert f"{after[:4]} {after[4:]}" in answer.text
    assert is_host(host)
    assert is_host(phone)
    assert table.said() == ["has host", "pin anew"]
    stranger = table.room.browser()
    assert stranger.send("/host/enter", "/host/enter", pin=before).status_code == 403


def test_table_that_may_have_had_a_host_cannot_be_claimed(tmp_path: Path) -> None:
    file = tmp_path / "links.json"
    file.write_text("unreadable")
    assert LinksFile(file, match_of).evening().has_had_host
    # a table without a presence check is led from its own computer
    assert room_with(match_of(), tmp_path).browser().get("/claim").status_code == 404


INSIDE, OUTSIDE = FakeWifi.INSIDE, "192.0.2.9"


@pytest.fixture
def wifi() -> FakeWifi:
    return FakeWifi()


@pytest.fixture
def room(tmp_path: Path, wifi: FakeWifi) -> Room:
    return room_with(match_of(), tmp_path, wifi=wifi)


def post_to(host: Browser) -> TestResponse:
    """Confirm it like an outdated page."""
    return host.post("/host/wifi", **hidden_fields(host.get("/host/people").text, "/host/pin"))


def test_host_confirms_the_new_wifi_from_inside_it(room: Room, wifi: FakeWifi) -> None:
    outside = room.browser(OUTSIDE).host()
    assert "/host/wifi" not in outside.get("/host").text
    assert post_to(outside).status_code == 409
    assert wifi.asked == []
    host = room.browser(INSIDE).host()
    assert "returns in 77 s" in host.get("/host").text
    assert host.send("/host", "/host/wifi").status_code == 303
    assert wifi.asked == [("keep",)]
    # an expired request is reported
    wifi.reply = False
    assert post_to(host).status_code == 409


PROBE = {"HTTP_HOST": "captive.apple.com", "REMOTE_ADDR": INSIDE}


@pytest.mark.parametrize(
    ("asked", "there"),
    [
        ({}, "http://10.42.0.1/join"),
        ({"REQUEST_METHOD": "HEAD", "SERVER_PORT": "8000"}, "http://10.42.0.1:8000/join"),
        # whatever isn't such a check of a device inside
        ({"REMOTE_ADDR": OUTSIDE}, None),
        ({"HTTP_HOST": "evil.example"}, None),
        ({"HTTP_HOST": "captive.apple.com.evil.example"}, None),
        ({"HTTP_HOST": "apple.com"}, None),
        ({"REQUEST_METHOD": "POST"}, None),
    ],
)
def test_only_a_captive_portal_check_is_redirected(
    room: Room, asked: dict[str, str], there: str | None
) -> None:
    probe = {**PROBE, "SERVER_PORT": "80", **asked}
    led = room.app.test_client().open("/", method=asked.get("REQUEST_METHOD", "GET"), environ_overrides=probe)
    assert led.headers.get("Location") == there
    assert led.status_code in ({302} if there else {400, 421})
    # browsers and proxies don't store it, and it grants no right
    assert there is None or led.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in led.headers or there is None


SECRET = ACCESS.password


def test_wifi_password_is_on_screen_and_host_phone_only(tmp_path: Path) -> None:
    table = unclaimed_table(tmp_path / "unclaimed", wifi=UpWifi())
    assert SECRET in table.screen.get("/screen", AT_HOME).text
    room = room_with(match_of(), tmp_path, wifi=UpWifi())
    screen, host, guest = room.browser().host(), room.browser().host(), room.browser(INSIDE).sit(0)
    screen.send("/screen", "/screen/ask")
    assert SECRET in screen.get("/screen").text
    assert SECRET in host.get("/host/people/1").text
    others = (guest, room.browser(OUTSIDE), table.room.browser(INSIDE), table.room.browser(HERE))
    pages = ("/", "/seat", "/join", "/screen", "/claim", "/host", "/host/people/1", "/welcome", "/table.json")
    assert not any(SECRET in phone.get(page, AT_HOME).text for page in pages for phone in others)
    # the code disappears once everybody has joined
    for seat in (1, 2):
        room.browser().sit(seat)
    assert SECRET not in screen.get("/screen").text
