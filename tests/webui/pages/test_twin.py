"""The page of the simulated table: what it shows to whom, and what it lets whom do."""

import re
from pathlib import Path

import pytest

from firmware.language.catalogues import language, languages
from referee.contract import Answer, Option
from referee.match import Match, hear
from tests.webui.coyote_round import open_round
from tests.webui.fakes import FakeTwin
from tests.webui.room import (
    ADDRESS,
    Browser,
    FakeDoor,
    Room,
    hidden_fields,
    match_of,
    room_with,
    unlimited_attempts,
)
from webui.access.links import form_token
from webui.access.links_file import LinksFile
from webui.doors.companion import Services
from webui.doors.simulated_table import RequestedPose
from webui.server.app import create_app

FAR = {"REMOTE_ADDR": "192.0.2.44"}


@pytest.fixture
def twin() -> FakeTwin:
    return FakeTwin()


@pytest.fixture
def room(twin: FakeTwin, tmp_path: Path) -> Room:
    return room_of(match_of(), twin, tmp_path)


def room_of(match: Match, twin: FakeTwin, folder: Path) -> Room:
    """Put a simulated table into a room."""
    door, links_file = FakeDoor(match), LinksFile(folder / "links.json")
    spoken = {code: language(code) for code in languages()}
    services = Services(
        door, links_file, spoken, "en", lambda told, _listener: str(told), lambda: ADDRESS, twin=twin
    )
    return Room(door, links_file, create_app(services, unlimited_attempts()))


def sit_down(room: Room, seat: int = 0) -> Browser:
    """Sit down by one tap."""
    browser = room.browser()
    assert browser.send("/twin", "/twin/sit", seat=seat).status_code == 303
    return browser


def test_a_real_table_has_no_such_page(tmp_path: Path) -> None:
    browser = room_with(match_of(), tmp_path).browser()
    assert browser.get("/twin").status_code == 404
    assert 'href="/twin"' not in browser.get("/").text


def test_a_spectator_sees_backs_and_can_do_nothing(room: Room, twin: FakeTwin) -> None:
    page = room.browser().get("/twin").text
    assert "coyote-kidult/20.png" not in page
    assert "coyote-kidult/back.png" in page
    assert "coyote-kidult/x2.png" in page
    browser = room.browser()
    form = hidden_fields(browser.get("/twin").text, "/twin/sit")
    for address in ("lay", "move", "press", "mischief", "bot", "again"):
        assert browser.post(f"/twin/{address}", **form, what="hand", seat=0).status_code == 403
    assert twin.done == []


def test_a_seat_sees_the_others_and_not_itself(room: Room) -> None:
    page = sit_down(room).get("/twin").text
    assert "coyote-kidult/20.png" not in page
    assert "coyote-kidult/max-.png" in page
    assert "coyote-kidult/%3F.png" in page


def test_a_seat_whose_turn_it_is_finds_the_table(room: Room, tmp_path: Path) -> None:
    look = '<a class="digit" href="/twin">'
    room.door.match = open_round(room.door.match)
    assert look in sit_down(room).get("/seat").text
    assert look not in sit_down(room, 1).get("/seat").text
    real = room_with(room.door.match, tmp_path)
    assert look not in real.browser().sit(0).get("/seat").text


def test_one_tap_sits_down_here_and_nowhere_else(room: Room, twin: FakeTwin) -> None:
    far = room.browser()
    far.client.environ_base.update(FAR)
    page = far.get("/twin").text
    assert "/twin/sit" not in page
    form = hidden_fields(far.get("/seat").text, "/seat/take")
    assert far.post("/twin/sit", **form, seat=0).status_code == 403
    sit_down(room, 1)
    assert twin.bots == {2}
    again = room.browser()
    hidden = hidden_fields(again.get("/twin").text, "/twin/sit")
    assert again.post("/twin/sit", **hidden, seat=1).status_code == 403
    assert again.post("/twin/sit", **hidden, seat=77).status_code == 403
    assert again.post("/twin/sit", seat=0).status_code == 403


NAMES = {
    **dict.fromkeys(("localhost:8000", "127.0.0.1", "[::1]:8000", "192.0.2.7"), True),
    **dict.fromkeys(("evil.example", "localhost.evil.example", "127.0.0.1.evil.example"), False),
    **dict.fromkeys(("[::1", "", "a b"), False),
}


@pytest.mark.parametrize("host", NAMES)
def test_a_page_of_another_site_does_not_sit_down_here(room: Room, host: str) -> None:
    client, said = room.app.test_client(use_cookies=False), {"Host": host, "Cookie": "visitor=v"}
    page = client.get("/twin", headers=said).text
    assert ("/twin/sit" in page) is NAMES[host]
    form = {"form": form_token(room.browser().links.secret, "v"), "seat": 0}
    sent = client.post("/twin/sit", data=form, headers=said)
    assert sent.status_code in ((303,) if NAMES[host] else (403, 421))


def test_hands_do_what_is_sent(room: Room, twin: FakeTwin) -> None:
    browser = sit_down(room)
    page = browser.get("/twin").text
    assert browser.send("/twin", "/twin/lay").status_code == 303
    form = {"form": re.findall(r'data-form="(\w+)"', page)[0], "quiet": "1"}
    sent: list[tuple[str, dict[str, str]]] = [
        ("lay", {"where": "worn", "place": "0", "x": "1.5", "y": "-2"}),
        ("move", {"number": "7", "x": "3", "y": "4", "angle": "90", "up": "0"}),
        ("lift", {"number": "7"}),
        ("take", {"number": "7"}),
        ("arrange", {"place": "1", "to": "0"}),
        ("press", {"role": "call", "how": "long"}),
        ("press", {"role": "second"}),
        ("press", {"role": "table"}),
        ("press", {"role": "turn", "clicks": "-5"}),
        ("press", {"role": "push"}),
        ("mischief", {"what": "black"}),
        ("mischief", {"what": "well"}),
    ]
    for address, fields in sent:
        assert browser.post(f"/twin/{address}", **form, **fields).status_code == 204
    assert twin.done == [
        ("lay", 0, "worn", 0, None),
        ("lay", 0, "worn", 0, RequestedPose(1.5, -2.0)),
        ("move", 0, 7, RequestedPose(3.0, 4.0, 90.0, is_up=False)),
        ("lift", 0, 7),
        ("take", 0, 7),
        ("arrange", 0, 1, 0),
        ("press", 0, "call", "long"),
        ("press", 0, "second", "short"),
        ("press", None, "call", "short"),
        ("turn", -5),
        ("push",),
        ("mischief", "black"),
        ("well",),
    ]


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        ("lay", {"where": "worn"}),
        ("move", {"number": "7", "x": "nan", "y": "0"}),
        ("move", {"number": "7", "x": "9e99", "y": "0"}),
        ("move", {"number": "x", "x": "0", "y": "0"}),
        ("take", {"number": "²"}),
        ("press", {"role": "a"}),
        ("press", {"role": "turn", "clicks": "9" * 20}),
        ("press", {"role": "call", "how": "for ever"}),
        ("mischief", {"what": "fire"}),
        ("bot", {"seat": "2"}),
        ("bot", {"seat": "99"}),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(
    room: Room, twin: FakeTwin, address: str, fields: dict[str, str]
) -> None:
    browser = sit_down(room)
    form = hidden_fields(browser.get("/twin").text, "/twin/lay")
    answer = browser.post(f"/twin/{address}", form=form["form"], quiet="1", **fields)
    assert answer.status_code == 409
    assert answer.text == "That isn't possible right now."
    assert twin.done == []
    assert 'role="alert"' in browser.post(f"/twin/{address}", form=form["form"], **fields).text


def test_what_the_table_refuses_is_told(room: Room, twin: FakeTwin) -> None:
    twin.can = False
    browser = sit_down(room)
    assert browser.send("/twin", "/twin/lay").status_code == 409


def test_bots_come_and_go_as_their_seat_or_the_host_likes(room: Room, twin: FakeTwin) -> None:
    browser = sit_down(room)
    assert browser.send("/twin", "/twin/bot", seat=0).status_code == 303
    assert twin.bots == {0, 1, 2}
    browser.host()
    assert browser.send("/twin", "/twin/bot", seat=2).status_code == 303
    assert twin.bots == {0, 1}


def test_the_host_sees_no_more_than_anybody(room: Room) -> None:
    host = room.browser().host()
    assert "coyote-kidult/20.png" not in host.get("/twin").text


def test_pictures_are_public_and_kept(room: Room) -> None:
    browser = room.browser()
    answer = browser.get("/twin/card/coyote-kidult/%3F.png")
    assert answer.data == b"PNG"
    assert "max-age" in answer.headers["Cache-Control"]
    assert browser.get("/twin/card/coyote-kidult/4711.png").status_code == 404
    assert browser.get("/twin/card/../app.png").status_code == 404
    assert browser.get("/twin/camera.jpg").status_code == 204


def test_the_table_is_sent_when_it_changes(room: Room) -> None:
    browser = sit_down(room)
    stream = browser.client.get("/twin/events", buffered=False).iter_encoded()
    sent = b"".join(next(stream) for _piece in range(3)).decode()
    assert sent.startswith("retry:")
    assert "event: table\n" in sent
    assert '"digits":"  12"' in sent
    assert "coyote-kidult/20.png" not in sent
    assert " style=" not in browser.get("/twin").text


def test_what_is_compared_is_pushed_into_the_middle_and_back(room: Room, twin: FakeTwin) -> None:
    ana, looker = sit_down(room), room.browser()
    assert "/twin/bring" not in ana.get("/twin").text
    twin.is_compared = True
    assert "/twin/bring" not in looker.get("/twin").text
    assert ana.send("/twin", "/twin/bring").status_code == 303
    twin.is_brought = True
    assert "Put them back" in ana.get("/twin").text
    assert ana.send("/twin", "/twin/bring", back="1").status_code == 303
    assert twin.done == [("bring",), ("put_back",)]
    assert looker.post("/twin/bring").status_code == 403


def test_a_card_that_lies_astray_is_put_right_by_one_tap(room: Room, twin: FakeTwin) -> None:
    room.door.match = called_match(room.door.match)
    browser = sit_down(room)
    assert "Outside the marked area" not in browser.get("/twin").text
    twin.is_astray = True
    assert "Outside the marked area" in browser.get("/twin").text
    assert browser.send("/twin", "/twin/move").status_code == 303
    assert twin.done == [("move", 0, 7, RequestedPose(4.0, 5.0, 0.0, is_up=True))]


def called_match(match: Match) -> Match:
    """Go on to where cards are asked for."""
    for ask, value, seat in (
        ("opener", Option("opens", seat=0), None),
        ("announce", 30, 0),
        ("turn", Option("coyote"), 1),
    ):
        heard = hear(match, Answer(match.number, ask, value, seat))
        assert isinstance(heard, Match)
        match = heard
    return match
