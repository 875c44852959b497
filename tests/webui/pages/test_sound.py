"""The loudspeakers on the host's page: only the host tries and chooses one, and only by a form."""

from pathlib import Path

import pytest

from tests.webui.fakes import FakeSound
from tests.webui.room import Room, hidden_fields, match_of, room_with

HOME = "/host/loudspeakers"


@pytest.fixture
def sound() -> FakeSound:
    return FakeSound()


@pytest.fixture
def room(tmp_path: Path, sound: FakeSound) -> Room:
    return room_with(match_of(), tmp_path, sound=sound)


def test_the_host_tries_one_and_says_that_it_was_heard(room: Room, sound: FakeSound) -> None:
    host = room.browser().host()
    assert HOME in host.get("/host/more").text
    assert "Have you heard" not in host.get(HOME).text
    played = host.send(HOME, f"{HOME}/play", card="Device")
    assert "Have you heard the tune?" in played.text
    assert (sound.played, sound.chosen) == (["Device"], [])
    form = hidden_fields(played.text, HOME)
    assert form["card"] == "Device"
    assert host.post(HOME, **form).headers["Location"] == HOME
    assert sound.chosen == ["Device"]


def test_names_of_devices_are_no_markup(room: Room) -> None:
    assert "A &lt;b&gt;loud&lt;/b&gt; one" in room.browser().host().get(HOME).text


@pytest.mark.parametrize("path", [HOME, f"{HOME}/play"])
def test_nobody_else_does_and_no_form_without_its_token_counts(room: Room, sound: FakeSound, path: str) -> None:
    for phone in (room.browser(), room.browser().sit(0)):
        assert phone.get(HOME).status_code == 303
        assert phone.post(path, form="", card="Device").status_code == 403
    host = room.browser().host()
    assert host.post(path, form="", card="Device").status_code == 403
    assert host.get(f"{path}?card=Device").status_code in {200, 405}
    assert (sound.played, sound.chosen) == ([], [])


@pytest.mark.parametrize("path", [HOME, f"{HOME}/play"])
def test_what_goes_wrong_is_told(room: Room, sound: FakeSound, path: str) -> None:
    sound.why = "It is <gone>."
    host = room.browser().host()
    form = hidden_fields(host.get(HOME).text, f"{HOME}/play")
    shown = host.post(path, **form)
    assert (shown.status_code, "It is &lt;gone&gt;." in shown.text) == (409, True)
    assert "Have you heard" not in shown.text


def test_where_nothing_is_plugged_in_or_heard_it_says_so(room: Room, sound: FakeSound) -> None:
    sound.is_used = False
    assert "Nothing can be heard" in room.browser().host().get(HOME).text
    sound.is_there = False
    assert "has no sound card" in room.browser().host().get(HOME).text
