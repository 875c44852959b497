"""Strangers: no request grants a right or makes a device known, and all attempts are limited."""

import re
from pathlib import Path
from random import Random

import pytest
from werkzeug.test import Client

from firmware.services.attempt_limits import AttemptLimit
from firmware.storage.people.links import LETTERS, draw_codes, draw_pin, draw_token, form_token
from tests.given import Clock
from tests.tiers import tiered
from tests.webui.room import Browser, Room, hidden_fields, match_of, room_with
from tests.webui.server.hostile import FIELDS, Table, paths_of, settle
from webui.access import guess_limits
from webui.access.guess_limits import (
    FREE,
    MAX_FAILURES,
    STRAINED_FREE,
    GuessLimit,
    Incident,
    Incidents,
    wait_after,
)
from webui.access.origins import is_our_name, network_of, plain_address
from webui.access.viewers import RIGHTS, VISITOR, cookie_name
from webui.server.serving import GATE

STRANGER = {"REMOTE_ADDR": "192.0.2.44"}


def cookies_of(room: Room | Table, client: Client) -> dict[str, str]:
    evening = room.links_file.evening()
    found = {name: client.get_cookie(name) for name in (cookie_name(evening, kind) for kind in RIGHTS)}
    return {name: cookie.value for name, cookie in found.items() if cookie is not None}


def is_known(room: Room | Table, client: Client) -> bool:
    return room.app.extensions[GATE].find_device(cookies_of(room, client)) is not None


def test_strangers_cannot_become_known_devices(table: Table) -> None:
    handed = set()
    fields = {**FIELDS, "form": form_token(table.evening.secret, "v"), "pin": "0", "code": "ZZZZZZ"}
    for method in ("GET", "POST"):
        for path in paths_of(table.app, method):
            client = table.app.test_client()
            client.set_cookie(VISITOR, "v")
            client.open(path, method=method, data=fields, environ_base=STRANGER, buffered=False).close()
            if cookies_of(table, client):
                handed.add((method, path))
            assert not is_known(table, client), (method, path)
    settle(table)
    # every other way to become known would be an attack surface
    assert handed == {("POST", "/screen/ask")}


def test_device_is_known_while_it_has_a_right(room: Room) -> None:
    seated, host, screen = room.browser().sit(0), room.browser().host(), room.browser()
    assert is_known(room, seated.client)
    assert is_known(room, host.client)
    screen.send("/screen", "/screen/ask")
    assert not is_known(room, screen.client)
    host.send("/host/people", "/host/people/everybody-out")
    assert not is_known(room, seated.client)


def limited_room(folder: Path, failures: int = MAX_FAILURES) -> Room:
    return room_with(match_of(), folder, lambda **most: GuessLimit(lambda: 0.0, **{"most": failures, **most}))


def guess_pin(phone: Browser, pin: str = "0") -> int:
    return phone.send("/host", "/host/enter", pin=pin).status_code


def guess_code(phone: Browser, code: str = "ZZZZZZZ") -> int:
    return phone.send("/seat", "/seat/take", code=code).status_code


def test_guesses_are_limited_per_network_and_pin_separately(tmp_path: Path) -> None:
    room, pins = limited_room(tmp_path), list[int]()
    for number in range(12):
        phone = room.browser(f"2001:db8::{number}")
        if number in {1, 2}:
            phone.send("/screen", "/screen/ask")
        if number in {3, 4}:
            phone.sit(number - 3)
        pins.append(guess_pin(phone))
    assert pins == [403] * 6 + [429] * 6
    codes = [guess_code(room.browser(f"2001:db8::{number}")) for number in range(12)]
    assert codes == [403] * 6 + [429] * 6
    assert guess_pin(room.browser("2001:db8:0:1::1")) == 403


def test_guessing_addresses_lock_out_no_valid_codes(tmp_path: Path) -> None:
    room = limited_room(tmp_path, tiered(20, MAX_FAILURES))
    stranger, before = room.browser("10.9.9.9"), room.browser("192.0.2.1").host()
    for page, form in (("/seat", "/seat/take"), ("/host", "/host/enter")):
        fields = {**hidden_fields(stranger.get(page).text, form), "code": "ZZZZZZZ", "pin": "0"}
        for number in range(tiered(6, 834)):
            there = {"REMOTE_ADDR": f"10.0.{number // 250}.{number % 250}"}
            sent = [stranger.client.post(form, data=fields, environ_overrides=there) for _guess in range(6)]
            assert {each.status_code for each in sent} <= {403, 429}
    for number in range(tiered(4, 20)):
        guest = room.browser(f"192.0.2.{50 + number}")
        # one mistyped code doesn't make a stranger
        assert guess_code(guest) == 403
        assert guess_code(guest, guest.links.codes[number % 2]) == 303
    # more hosts would remove the first one
    assert [guess_pin(room.browser(f"192.0.3.{number}"), before.links.pin) for number in range(3)] == [303] * 3
    assert before.get("/host/people").status_code == 200


def test_code_lookups_count_as_guesses(tmp_path: Path) -> None:
    room = room_with(match_of(), tmp_path, GuessLimit)
    phone = room.browser("192.0.2.50")
    right = phone.links.codes[1]
    assert 'name="name" value="Bo"' in phone.get(f"/seat?code={right}").text
    for _look in range(FREE):
        assert 'name="name"' not in phone.get("/seat?code=ZZZZZZZ").text
    # from now on a right guess looks like a wrong one, with any cookies
    for other in (phone, room.browser("192.0.2.50")):
        shown = (other.get(f"/seat?code={code}").text for code in (right, "ZZZZZZZ"))
        first, second = (re.sub(r'name="form" value="\w+"', "", text) for text in shown)
        assert first.replace(right, "ZZZZZZZ") == second
    # a request triggered by another site takes nobody's seat
    assert phone.send("/seat", "/seat/take", code=right).status_code == 303


# limits of attempts, foreign origins and secrets


HOUR = 3600.0


def tries(limit: AttemptLimit | GuessLimit, who: str, times: int) -> list[bool]:
    return [limit.may_try(who) for _time in range(times)]


def test_attempts_are_limited_per_address_and_in_total() -> None:
    clock = Clock()
    limit = AttemptLimit(clock)
    assert tries(limit, "Ana", 8) == [True] * 6 + [False] * 2
    assert [limit.may_try(f"address {number}") for number in range(55)] == [True] * 54 + [False]
    clock.seconds += 59.9
    # refused attempts aren't counted
    assert not limit.may_try("Ana")
    clock.seconds += 0.1
    assert tries(limit, "Ana", 7) == [True] * 6 + [False]


def test_wait_doubles_from_a_minute_to_half_an_hour() -> None:
    waits = {0: 0, 5: 0, 6: 60, 7: 120, 8: 240, 10: 960, 11: 1800, 12: 1800, 1000: 1800}
    assert {wrong: wait_after(wrong) for wrong in waits} == waits
    clock = Clock()
    limit = GuessLimit(clock)
    assert tries(limit, "Ana", 8) == [True] * 6 + [False] * 2
    for wait in (60, 120, 240):
        clock.seconds += wait - 0.1
        assert not limit.may_try("Ana")
        clock.seconds += 0.1
        assert tries(limit, "Ana", 2) == [True, False]


@pytest.mark.parametrize("seed", range(tiered(3, 20)))
def test_network_has_six_guesses_a_minute_and_59_a_day(seed: int) -> None:
    rng, clock, heard = Random(seed), Clock(), list[float]()
    limit = GuessLimit(clock)
    pauses = (0.0, 1.0, 14.9, 60.0, 61.0, 900.0, 1800.0, 6 * HOUR, 24 * HOUR)
    likely = [rng.random() ** 3 for _pause in pauses]
    while clock.seconds < 4 * 24 * HOUR:
        heard += [clock.seconds] * limit.may_try("Ana")
        clock.seconds += rng.choices((wait_after(len(heard)), *pauses), (1.0, *likely))[0] + 0.1
    for seconds, most in ((60.0, 6), (24 * HOUR, 59)):
        assert all(sum(at <= each < at + seconds for each in heard) <= most for at in heard)


def test_blocked_network_does_not_block_others() -> None:
    limit = GuessLimit(Clock())
    tries(limit, "Ana", 7)
    for _time in range(20):
        assert limit.may_try("Bo")
        limit.take_right("Bo")
    limit.take_right("nobody")


def test_concurrent_wrong_guess_is_counted() -> None:
    limit = GuessLimit(Clock())
    tries(limit, "Ana", 4)
    # the right one and a wrong one are counted before either is compared
    assert tries(limit, "Ana", 3) == [True, True, False]
    limit.take_right("Ana")
    assert tries(limit, "Ana", 2) == [True, False]


def test_oldest_network_is_evicted_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guess_limits, "KEPT", 3)
    limit = GuessLimit(Clock(), free=1, most=10**6)
    assert limit.may_try("first")
    assert all(limit.may_try(f"network {number}") for number in range(2))
    assert not limit.may_try("first")
    assert limit.may_try("one more")
    assert limit.may_try("first")
    assert not limit.may_try("one more")


def test_global_limit_spares_networks_with_few_guesses() -> None:
    clock = Clock()
    limit = GuessLimit(clock, most=50)
    for _time in range(60):
        assert limit.may_try("Ana")
        limit.take_right("Ana")
    assert all(limit.may_try(f"network {number}") for number in range(48))
    assert tries(limit, "early", 4) == [True] * 2 + [False] * 2
    assert tries(limit, "one more", 4) == [True] * STRAINED_FREE + [False] * 2
    for _time in range(60):
        assert limit.may_try("Bo")
        limit.take_right("Bo")
    clock.seconds += 24 * HOUR
    assert tries(limit, "one more", 7) == [True] * 6 + [False]


def test_hourly_incidents_are_sorted_by_count() -> None:
    clock = Clock()
    incidents = Incidents(clock)
    incidents.note("guess", "old")
    clock.seconds += 1
    incidents.note("flood", "Ana")
    for _time in range(2):
        incidents.note("guess", "Bo")
    clock.seconds += HOUR - 1
    assert incidents.recent() == [Incident("guess", "Bo", 2), Incident("flood", "Ana", 1)]
    clock.seconds += 1
    assert incidents.recent() == []

    for _time in range(1001):
        incidents.note("flood", "Ana")
    assert incidents.recent() == [Incident("flood", "Ana", 1000)]


UNREADABLE = [f"a{sign}b.evil.example" for sign in "_~+*, "] + ["", "a_b", "\xe9.evil.example", "table:99999"]
"""Host names that a browser may send for this machine, and that Werkzeug can't parse."""


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}, 303),
        ({"Sec-Fetch-Site": "none"}, 303),
        ({}, 303),
        *(({"Sec-Fetch-Site": site}, 403) for site in ("cross-site", "same-site")),
        *(
            ({"Origin": origin}, 403)
            for origin in ("http://evil.example", "null", "http://localhost:1", "", "http://", "http://[::1")
        ),
        # an unreadable name and an unreadable origin don't match each other
        *(({"Host": host, "Origin": "http://"}, 421) for host in UNREADABLE),
        *(
            ({"Host": host}, 421)
            for host in ("evil.example", "127.0.0.1.evil.example", "a.b", "evil.example:80")
        ),
    ],
)
def test_forms_need_our_own_name_and_origin(room: Room, headers: dict[str, str], code: int) -> None:
    phone = room.browser()
    form = {**hidden_fields(phone.get("/host").text, "/host/enter"), "pin": phone.links.pin}
    assert phone.client.post("/host/enter", data=form, headers=headers).status_code == code
    assert phone.client.get("/", headers=headers).status_code == (421 if code == 421 else 200)


def test_local_names_are_ours() -> None:
    ours = "10.0.0.5:8000 [fe80::1]:8000 coyote coyote.local coyote.local.:80 localhost t.lan"
    assert all(is_our_name(name) for name in ours.split())


def test_addresses_of_one_device_share_a_network() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:1:2:3") == "2001:db8::/64"
    assert network_of("fe80::1%eth0") == "fe80::/64"
    assert (
        network_of("::ffff:10.0.0.7")
        == network_of("10.0.0.7")
        == plain_address("::ffff:10.0.0.7")
        == "10.0.0.7"
    )
    assert network_of("10.0.0.8") != network_of("10.0.0.7")
    assert network_of("") == ""


def test_drawn_secrets_are_long() -> None:
    codes = draw_codes(20)
    assert {len(code) for code in codes} == {7}
    assert set("".join(codes)) <= set(LETTERS) - set("IOQ")
    assert (len(draw_pin()), len(draw_token())) == (8, 32)
