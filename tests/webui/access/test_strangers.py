"""No request of a stranger grants a right or makes a device known."""

import re
from pathlib import Path

from werkzeug.test import Client

from firmware.storage.people.links import form_token
from tests.tiers import tiered
from tests.webui.room import Browser, Room, hidden_fields, match_of, room_with
from tests.webui.server.hostile import FIELDS, Table, paths_of, settle
from webui.access.guess_limits import FREE, MAX_FAILURES, GuessLimit
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
