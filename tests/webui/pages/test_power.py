"""The computer's power on the host's page: only the host, only by a form, and only where it is allowed."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.webui.fakes import FakePower
from tests.webui.room import FakeStatus, Room, match_of, room_with

HOME = "/host/power"


@pytest.fixture
def power() -> FakePower:
    return FakePower()


@pytest.fixture
def room(tmp_path: Path, power: FakePower) -> Room:
    return room_with(match_of(), tmp_path, power=power)


@pytest.mark.parametrize(
    ("kind", "title"), [("off", "The computer shuts down"), ("again", "The computer starts anew")]
)
def test_the_host_switches_and_is_told_what_to_wait_for(
    room: Room, power: FakePower, kind: str, title: str
) -> None:
    host = room.browser().host()
    assert HOME in host.get("/host/more").text
    shown = host.send(HOME, HOME, what=kind)
    assert power.switched == [kind]
    assert f"<h1>{title}</h1>" in shown.text
    assert ("green light" in shown.text) == (kind == "off")


def test_it_is_asked_once_more_and_nothing_happens_by_looking(room: Room, power: FakePower) -> None:
    host = room.browser().host()
    page = host.get(HOME).text
    assert page.count('<details class="sure">') == 2
    assert "hold the dial" in page
    for path in (f"{HOME}?what=off", f"{HOME}/off"):
        host.get(path)
    assert power.switched == []


def test_nobody_but_the_host_switches_and_no_form_without_its_token_counts(
    room: Room, power: FakePower
) -> None:
    for phone in (room.browser(), room.browser().sit(0)):
        assert phone.get(HOME).status_code == 303
        assert phone.post(HOME, form="", what="off").status_code == 403
    host = room.browser().host()
    assert host.post(HOME, form="", what="off").status_code == 403
    assert host.post(HOME, form="stolen", what="off").status_code == 403
    assert power.switched == []


@pytest.mark.parametrize("what", ["", "halt", "off;reboot", "OFF", "off" * 4000])
def test_what_else_is_sent_is_not_understood(room: Room, power: FakePower, what: str) -> None:
    assert room.browser().host().send(HOME, HOME, what=what).status_code == 400
    assert power.switched == []


def test_where_it_is_not_allowed_a_line_says_so_in_the_place_of_buttons(room: Room, power: FakePower) -> None:
    power.why = "The table <may> not."
    host = room.browser().host()
    page = host.get(HOME).text
    assert "The table &lt;may&gt; not." in page
    assert "details" not in page
    power.why, power.fails = "", "Operation inhibited"
    shown = host.send(HOME, HOME, what="off")
    assert (shown.status_code, "Operation inhibited" in shown.text) == (409, True)


@pytest.mark.parametrize("is_saving", [True, False])
def test_who_would_lose_something_is_told(
    room: Room, monkeypatch: pytest.MonkeyPatch, *, is_saving: bool
) -> None:
    host = room.browser().host()
    monkeypatch.setattr(room.door, "state", lambda: replace(FakeStatus(), is_saving=is_saving))
    assert ("is lost without power" in host.get(HOME).text) == (not is_saving)


def test_a_computer_that_is_no_tables_own_has_no_such_page(tmp_path: Path) -> None:
    host = room_with(match_of(), tmp_path).browser().host()
    assert HOME not in host.get("/host/more").text
    assert host.get(HOME).status_code == 404
