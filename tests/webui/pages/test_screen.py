"""Screen and overlay: only a confirmed device shows codes and plays sounds."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from firmware.storage.people.links import device_id
from referee.match import rematch
from tests.given import allowed
from tests.webui.fakes import FakeSound
from tests.webui.matches import open_round
from tests.webui.room import Room, events_of, hidden_fields, match_of, move_on, room_with, said
from webui.access.viewers import SCREEN
from webui.pages.players.overlay import PARTS, OverlayChoice, read_choice


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return room_with(match_of(), tmp_path, sound=FakeSound())


def codes_on(room: Room, page: str) -> set[str]:
    return {code for code in room.browser().links.codes if code in page}


def test_only_a_confirmed_screen_shows_codes(room: Room) -> None:
    screen, host = room.browser(), room.browser().host()
    screen.send("/screen", "/screen/ask")
    asking = screen.get("/screen").text
    word = device_id(screen.cookie(SCREEN))[:4].upper()
    assert word in asking
    assert not codes_on(room, asking)
    assert word in host.get("/host").text
    assert screen.cookie(SCREEN) not in host.get("/host").text
    assert host.send("/host", "/host/screen").status_code == 303
    assert codes_on(room, screen.get("/screen").text) == set(screen.links.codes)
    # a device of the host is confirmed at once
    host.send("/screen", "/screen/ask")
    assert codes_on(room, host.get("/screen").text) == set(host.links.codes)
    for browser in (room.browser().sit(0), room.browser()):
        for page in ("/", "/screen", "/seat", "/join", "/overlay"):
            assert not codes_on(room, browser.get(page).text)
        with browser.get("/events/screen") as response:
            assert [event["event"] for event in events_of(response.iter_encoded())] == ["gone"]


def test_codes_disappear_with_their_seat_and_with_the_screen(room: Room) -> None:
    screen, host = room.screen(), room.browser().host()
    heard = events_of(screen.get("/events/screen").iter_encoded())
    assert codes_on(room, next(heard)["data"]) == set(screen.links.codes)
    old = screen.links.codes[1]
    room.browser().sit(1)
    room.client.tell(said("joined"))
    drawn, notice = next(heard), next(heard)
    assert (drawn["event"], notice["event"]) == ("moment", "notice")
    codes = screen.links.codes
    assert old not in drawn["data"]
    assert codes_on(room, drawn["data"]) == {codes[0], codes[2]}
    form = hidden_fields(host.get("/host/people").text, "/host/people/out")
    host.post("/host/people/out", **{**form, "device": device_id(screen.cookie(SCREEN))})
    assert [event["event"] for event in heard] == ["gone"]
    assert not codes_on(room, screen.get("/screen").text)


def test_latest_arrival_is_shown_before_the_first_answer(room: Room) -> None:
    screen = room.screen()
    for seat in range(3):
        assert "Everybody is here." not in screen.get("/screen").text
        room.browser().sit(seat)
    text = screen.get("/screen").text
    assert "Everybody is here." in text
    assert "<b>Chloé &lt;b&gt;</b><small>has just sat down</small>" in text
    assert "Who opens the first round?" in text
    assert "Everybody is here." not in room.browser().get("/").text
    # an answer starts the game; a player seated earlier sees the next one at once
    beginning, room.client.match = room.client.match, open_round(room.client.match, 1)
    assert "Everybody is here." not in screen.get("/screen").text
    room.client.match = allowed(rematch(beginning, "2026-01-02T21:00:00+01:00"))
    assert "Everybody is here." not in screen.get("/screen").text


def test_pending_screens_are_limited(room: Room) -> None:
    asked = [room.browser().send("/screen", "/screen/ask").status_code for _device in range(8)]
    assert asked == [303] * 6 + [429] * 2
    assert len(room.browser().links.screens) == 6


def speeches(heard: Iterator[dict[str, str]]) -> list[dict[str, list[tuple[str, str]]]]:
    """Return the announcements before the next heartbeat."""
    found = []
    for event in heard:
        if event["event"] == "beat":
            break
        if event["event"] == "speech":
            found.append(msgspec.json.decode(event["data"]))
    return found


def test_quiet_hours_and_pauses_are_silent(tmp_path: Path) -> None:
    quiet, rng = [True], Random(2)
    room = room_with(match_of(), tmp_path, sound=FakeSound(is_quiet=lambda: quiet[0]))
    room.browser().host().send("/host/people", "/host/announcer", level="play")
    heard = events_of(room.screen().get("/events/screen").iter_encoded())
    assert speeches(heard) == []
    move_on(room, rng)
    assert speeches(heard) == []
    quiet[0] = False
    room.client.summary = replace(room.client.summary, is_paused=True)
    move_on(room, rng)
    assert speeches(heard) == []
    room.client.summary = replace(room.client.summary, is_paused=False)
    move_on(room, rng)
    assert speeches(heard)


@pytest.mark.parametrize(
    ("asked", "choice"),
    [
        ({}, OverlayChoice(PARTS, 100)),
        ({"parts": "card,score"}, OverlayChoice(("score", "card"), 100)),
        ({"parts": "nothing that there is"}, OverlayChoice(PARTS, 100)),
        ({"scale": "1.3", "delay": "12.5"}, OverlayChoice(PARTS, 125)),
        ({"scale": "1.75"}, OverlayChoice(PARTS, 175)),
        ({"scale": "1000"}, OverlayChoice(PARTS, 200)),
        ({"scale": "-3"}, OverlayChoice(PARTS, 50)),
        ({"scale": "nan"}, OverlayChoice(PARTS, 100)),
        ({"scale": '"><script>'}, OverlayChoice(PARTS, 100)),
    ],
)
def test_url_options_set_the_screen_style(asked: dict[str, str], choice: OverlayChoice) -> None:
    assert read_choice(asked) == choice
