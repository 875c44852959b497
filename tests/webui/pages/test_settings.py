"""The settings for the host: what is typed is read, what is wrong is said, what is kept makes a new start."""

from datetime import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.webui.fakes import NOW, FakeSettings
from tests.webui.room import Browser, Room, match_of, room_with
from webui.doors.companion import TableChoice
from webui.pages.settings import choice_of, fields_of_choice

FIELDS = {**fields_of_choice(NOW), "from": "22:00", "to": "07:00", "volume": "30", "across": "800,5"}


@pytest.fixture
def fake_settings() -> FakeSettings:
    return FakeSettings()


@pytest.fixture
def room(tmp_path: Path, fake_settings: FakeSettings) -> Room:
    return room_with(match_of(), tmp_path, settings=fake_settings)


times = st.none() | st.tuples(*[st.times().map(lambda at: at.replace(second=0, microsecond=0))] * 2)
lengths = st.integers(20, 10_000).map(float)


@given(
    st.builds(
        TableChoice,
        st.sampled_from(["", "fr"]),
        st.integers(0, 100),
        st.integers(80, 450),
        times,
        st.just("usb:1"),
        st.booleans(),
        lengths,
        lengths,
        pieces=st.booleans(),
        clips=st.booleans(),
        second=st.sampled_from(["", "usb:0", "pi:1"]),
        live=st.booleans(),
    )
)
def test_what_the_form_shows_is_what_it_sends(choice: TableChoice) -> None:
    assert choice_of(fields_of_choice(choice)) == choice


@given(st.dictionaries(st.sampled_from(list(FIELDS)), st.text(max_size=9)))
def test_anything_typed_is_a_choice_or_is_told(form: dict[str, str]) -> None:
    read = choice_of(form)
    assert isinstance(read, TableChoice) or read


def test_a_choice_is_kept_and_the_table_starts_again_once_that_is_said(
    room: Room, fake_settings: FakeSettings
) -> None:
    host = room.browser().host()
    response = host.send("/host/settings", "/host/settings", **FIELDS)
    assert response.headers["Refresh"].endswith("; url=/host/settings")
    assert "The table is restarting" in response.text
    assert fake_settings.kept == [
        TableChoice("", 30, 165, (time(22), time(7)), "pi", mat=False, across=800.5, down=556.0)
    ]
    response.close()
    assert fake_settings.restarts == 1
    assert 'value="22:00"' in host.get("/host/settings").text


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("volume", "101", "Volume"),
        ("second", "pi", "Second camera"),
        ("second", "u" * 201, "Second camera"),
        ("volume", "loud", "Volume"),
        ("speed", "٣٠٠", "Speed"),
        ("to", "", "Quiet hours"),
        ("from", "25:00", "Quiet hours"),
        ("camera", " ", "Camera"),
        ("camera", "a" * 201, "Camera"),
        ("across", "nan", "Markers"),
        ("down", "1", "Markers"),
    ],
)
def test_a_mistake_is_told_and_nothing_typed_is_lost(
    room: Room, fake_settings: FakeSettings, field: str, text: str, said: str
) -> None:
    fields = {**FIELDS, "speed": "199", field: text}
    response = room.browser().host().send("/host/settings", "/host/settings", **fields)
    assert response.status_code == 400
    assert f"<li>{said}" in response.text
    assert field == "speed" or 'value="199"' in response.text
    assert fake_settings.kept == []
    assert fake_settings.restarts == 0


def test_what_the_table_says_against_it_is_shown(room: Room, fake_settings: FakeSettings) -> None:
    fake_settings.mistakes = ("no <camera>",)
    response = room.browser().host().send("/host/settings", "/host/settings", **FIELDS)
    assert response.status_code == 400
    assert "no &lt;camera&gt;" in response.text
    assert fake_settings.restarts == 0


def test_the_sound_is_tried_and_nothing_is_kept(room: Room, fake_settings: FakeSettings) -> None:
    host = room.browser().host()
    hidden = {"form": form_of(host)}
    response = host.post("/host/settings/sound", **hidden, **FIELDS)
    assert "The table is speaking now" in response.text
    assert 'value="800,5"' in response.text
    assert [choice.volume for choice in fake_settings.tried] == [30]
    assert fake_settings.kept == []
    assert "no &lt;voice&gt;" in host.post("/host/settings/sound", **hidden, **{**FIELDS, "volume": "0"}).text
    assert host.post("/host/settings/sound", **hidden).status_code == 400


def form_of(browser: Browser) -> str:
    return browser.get("/host/settings").text.split('name="form" value="')[1].split('"')[0]


def test_it_is_said_where_memory_makes_pictures_smaller(room: Room, fake_settings: FakeSettings) -> None:
    said = "This computer has little memory"
    assert said not in room.browser().host().get("/host/settings").text
    fake_settings.small_pictures = True
    assert said in room.browser().host().get("/host/settings").text


def test_only_the_host_sees_or_sends_them(room: Room, fake_settings: FakeSettings) -> None:
    host = room.browser().host()
    for phone in (room.browser(), room.browser().sit(0)):
        assert phone.get("/host/settings").headers["Location"] == "/host"
        for address in ("/host/settings", "/host/settings/sound"):
            assert phone.post(address, form=form_of(host), **FIELDS).status_code == 403
            assert host.post(address, **FIELDS).status_code == 403
    assert fake_settings.kept == fake_settings.tried == []


def test_the_way_there_is_on_the_hosts_page(room: Room, tmp_path: Path) -> None:
    assert 'href="/host/settings"' in room.browser().host().get("/host/more").text
    without = room_with(match_of(), tmp_path / "other")
    assert 'href="/host/settings"' not in without.browser().host().get("/host/more").text
    assert without.browser().host().get("/host/settings").status_code == 404


def test_nothing_in_the_page_breaks_the_policy(room: Room) -> None:
    response = room.browser().host().get("/host/settings")
    assert "script-src 'self'" in response.headers["Content-Security-Policy"]
    assert "style=" not in response.text
    assert "<script" not in response.text
