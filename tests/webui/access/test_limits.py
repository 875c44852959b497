"""Limits of attempts and guesses, foreign origins and codes, on both sides of each bound."""

from pathlib import Path
from random import Random

import pytest
from flask import Flask, Response, request

from firmware.services.attempt_limits import AttemptLimit
from firmware.storage.people.links import LETTERS, draw_codes, draw_pin, draw_token
from tests.given import Clock
from tests.tiers import tiered
from tests.webui.room import FakeClient, Room, hidden_fields, match_of, room_table
from webui.access import guess_limits
from webui.access.guess_limits import STRAINED_FREE, GuessLimit, Incident, Incidents, wait_after
from webui.access.origins import is_our_name, network_of, plain_address
from webui.access.viewers import SEAT, hint_mark, language_of, read_hints, with_cookie, with_hint_heard

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
    for kind, address in (("flood", "Ana"), ("guess", "Bo"), ("guess", "Bo")):
        incidents.note(kind, address)  # type: ignore[arg-type]
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
        *(({"Host": host, "Origin": origin}, 421) for host in UNREADABLE for origin in ("null", "", "http://")),
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


def test_cookies_have_max_age_and_http_only() -> None:
    with Flask("test").test_request_context():
        said = with_cookie(Response(), SEAT, "token").headers["Set-Cookie"]
    assert f"Max-Age={365 * 24 * 60 * 60};" in said
    assert "HttpOnly" in said
    assert "SameSite=Lax" in said


def test_hints_have_five_letters_and_two_hundred_are_stored() -> None:
    marks = [hint_mark("coup", f"ask {number}") for number in range(201)]
    assert {len(mark) for mark in marks} == {5}
    assert len(set(marks)) == 201
    cookie = ""
    for mark in marks:
        cookie = with_hint_heard(read_hints(cookie), mark)
    assert len(cookie) == 5 * 200
    assert read_hints(cookie + marks[0]).seen == read_hints(cookie).seen
    assert not read_hints("".join(marks[:3])).wants(marks[2])
    assert read_hints("".join(marks[:3])).wants(marks[3])


def test_page_language_follows_browser_then_table(tmp_path: Path) -> None:
    services = room_table(tmp_path, FakeClient(match_of()), language="fr")
    for wanted, code in (("en", "en"), ("fr", "fr"), ("de, en;q=0.5", "en"), ("de", "fr"), ("", "fr")):
        with Flask("test").test_request_context(headers={"Accept-Language": wanted}):
            assert language_of(services, request) == code
