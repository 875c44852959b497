"""The machine on the host's pages: power, loudspeakers, a new start, lamps and pause, and what is kept.

That nobody but the host does any of it, and by no form without its token, `server/test_fuzz.py` tries on each.
"""

from datetime import time
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hardware.twin.player import play_on
from tests.webui.fakes import NOW, FakePower, FakePrivacy, FakeSaving, FakeSettings, FakeSound
from tests.webui.room import Browser, FakeStatus, Room, hidden_fields, match_of, room_with
from webui.doors.companion import TableChoice
from webui.doors.privacy import KeptKind
from webui.drawing.privacy_words import BOUNDS, NAMES
from webui.pages.privacy import TOLD
from webui.pages.settings import choice_of, fields_of_choice

POWER, SOUND, PRIVACY = "/host/power", "/host/loudspeakers", "/host/privacy"
DAY = "2026-11-21"


def host_with(folder: Path, **doors: object) -> Browser:
    return room_with(match_of(), folder, **doors).browser().host()


# power


def test_the_host_switches_the_computer_and_not_by_looking(tmp_path: Path) -> None:
    power = FakePower()
    host = host_with(tmp_path, power=power)
    for path in (POWER, f"{POWER}?what=off", f"{POWER}/off"):
        host.get(path)
    assert power.asked == []
    for kind in ("off", "again"):
        shown = host.send(POWER, POWER, what=kind)
        # only a computer that stays off is unplugged
        assert ("green light" in shown.text) == (kind == "off")
    assert power.asked == [("switch", "off"), ("switch", "again")]


@pytest.mark.parametrize("what", ["", "halt", "off;reboot", "OFF", "off" * 4000])
def test_what_else_is_sent_switches_nothing(tmp_path: Path, what: str) -> None:
    power = FakePower()
    assert host_with(tmp_path, power=power).send(POWER, POWER, what=what).status_code == 400
    assert power.asked == []


# loudspeakers


@pytest.mark.parametrize("path", [SOUND, f"{SOUND}/play"])
def test_what_goes_wrong_with_a_loudspeaker_is_told(tmp_path: Path, path: str) -> None:
    sound = FakeSound()
    sound.answers = dict.fromkeys(("play", "choose"), "It is <gone>.")
    host = host_with(tmp_path, sound=sound)
    shown = host.post(path, **hidden_fields(host.get(SOUND).text, f"{SOUND}/play"))
    assert (shown.status_code, "It is &lt;gone&gt;." in shown.text) == (409, True)
    assert "Have you heard" not in shown.text


# a table that can't save


def test_the_host_starts_a_table_again_that_cannot_save(tmp_path: Path) -> None:
    saving = FakeSaving()
    room = room_with(match_of(), tmp_path, saving=saving)
    assert "Delete &lt;this&gt;" not in room.browser().get("/host").text
    response = room.browser().host().send("/host", "/host/start-again")
    assert response.headers["Refresh"].endswith("; url=/host")
    assert saving.asked == []
    response.close()
    assert saving.asked == [("restart",)]


@pytest.mark.parametrize("is_saving", [True, False])
@pytest.mark.parametrize("is_over", [True, False])
def test_a_match_that_is_over_and_not_saved_can_be_taken_along(
    tmp_path: Path, *, is_saving: bool, is_over: bool
) -> None:
    room = room_with(play_on(match_of(), Random(1)) if is_over else match_of(), tmp_path)
    room.door.kept = replace(FakeStatus(), id=7, is_saving=is_saving)
    for page in (room.browser().get("/").text, room.browser().sit(0).get("/seat").text):
        assert ('href="/history/7.jsonl" download' in page) == (is_over and not is_saving)


# pause, lamps, who is right


def test_lamps_are_lit_by_seat(room: Room) -> None:
    host = room.browser().host()
    for seat in ("0", "2", "table"):
        assert host.send("/host/check", "/host/check/lamp", seat=seat).status_code == 303
    for strange in ("3", "-1", "x", "", "٢", "9" * 50):
        assert host.send("/host/check", "/host/check/lamp", seat=strange).status_code == 400
    assert room.door.actions == [("try_lamp", seat) for seat in (0, 2, None)]


def test_the_host_alone_sees_what_the_camera_sees(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    host = room.browser().host()
    shown = host.get("/host/picture.jpg")
    assert (shown.data, shown.content_type) == (b"jpeg", "image/jpeg")
    assert shown.headers["Cache-Control"] == "no-store"
    assert room.browser().sit(0).get("/host/picture.jpg").status_code == 403
    monkeypatch.setattr("webui.pages.checking.PATIENCE", 0.01)
    room.door.sees = False
    assert host.get("/host/picture.jpg").status_code == 503


# what is kept


def test_each_kind_that_is_kept_has_a_name_and_bounds() -> None:
    assert set(NAMES) == set(BOUNDS) == set(get_args(KeptKind))
    assert set(NAMES) > TOLD


def test_an_evening_is_forgotten_and_the_table_starts_again(tmp_path: Path) -> None:
    privacy = FakePrivacy()
    host = host_with(tmp_path, privacy=privacy)
    host.get(f"{PRIVACY}/forget?day={DAY}")
    assert privacy.asked == []
    response = host.send(PRIVACY, f"{PRIVACY}/forget", day=DAY)
    assert response.headers["Refresh"].endswith(f"; url={PRIVACY}")
    assert privacy.asked == [("forget", DAY)]
    response.close()
    assert privacy.asked == [("forget", DAY), ("restart",)]


@pytest.mark.parametrize("day", ["", "2026-11-20", "../../x", "<b>", DAY * 400])
def test_an_evening_that_isnt_there_is_refused_in_one_line(tmp_path: Path, day: str) -> None:
    privacy = FakePrivacy()
    said = host_with(tmp_path, privacy=privacy).send(PRIVACY, f"{PRIVACY}/forget", day=day)
    assert (said.status_code, privacy.asked) == (404, [])


@pytest.mark.parametrize("what", ["forget", "forget-clips"])
def test_what_hinders_forgetting_is_told_and_the_table_plays_on(tmp_path: Path, what: str) -> None:
    privacy = FakePrivacy()
    privacy.answers = dict.fromkeys(("forget", "forget_clips"), OSError("the disk is full"))
    said = host_with(tmp_path, privacy=privacy).send(PRIVACY, f"{PRIVACY}/{what}", day=DAY)
    assert (said.status_code, "the disk is full" in said.text) == (409, True)
    assert ("restart",) not in privacy.asked


def test_in_memory_no_evening_is_forgotten_for_good_but_clips_are(tmp_path: Path) -> None:
    privacy = FakePrivacy()
    room = room_with(match_of(), tmp_path, privacy=privacy)
    host = room.browser().host()
    form = hidden_fields(host.get(PRIVACY).text, f"{PRIVACY}/forget")
    room.door.kept = FakeStatus(is_saving=False)
    assert host.post(f"{PRIVACY}/forget", **form).status_code == 409
    assert host.send(PRIVACY, f"{PRIVACY}/forget-clips").status_code == 303
    assert privacy.asked == [("forget_clips",)]


@pytest.mark.parametrize("home", [POWER, PRIVACY, "/host/settings", "/host/table", "/twin"])
def test_a_table_without_it_has_no_such_page(tmp_path: Path, home: str) -> None:
    host = host_with(tmp_path)
    assert home not in host.get("/host/more").text
    assert host.get(home).status_code == host.post(home, form="").status_code == 404


FIELDS = {**fields_of_choice(NOW), "from": "22:00", "to": "07:00", "volume": "30", "across": "800,5"}


@pytest.fixture
def fake_settings() -> FakeSettings:
    return FakeSettings()


@pytest.fixture
def settings_room(tmp_path: Path, fake_settings: FakeSettings) -> Room:
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
    settings_room: Room, fake_settings: FakeSettings
) -> None:
    kept = TableChoice("", 30, 165, (time(22), time(7)), "pi", mat=False, across=800.5, down=556.0)
    response = settings_room.browser().host().send("/host/settings", "/host/settings", **FIELDS)
    assert response.headers["Refresh"].endswith("; url=/host/settings")
    assert fake_settings.asked == [("choose", kept)]
    response.close()
    assert fake_settings.asked == [("choose", kept), ("restart",)]


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
    settings_room: Room, fake_settings: FakeSettings, field: str, text: str, said: str
) -> None:
    fields = {**FIELDS, "speed": "199", field: text}
    response = settings_room.browser().host().send("/host/settings", "/host/settings", **fields)
    assert response.status_code == 400
    assert f"<li>{said}" in response.text
    assert field == "speed" or 'value="199"' in response.text
    assert fake_settings.asked == []


def test_the_sound_is_tried_and_nothing_is_kept(settings_room: Room, fake_settings: FakeSettings) -> None:
    host = settings_room.browser().host()
    hidden = {"form": hidden_fields(host.get("/host/settings").text, "/host/settings")["form"]}
    response = host.post("/host/settings/sound", **hidden, **FIELDS)
    assert "The table is speaking now" in response.text
    assert 'value="800,5"' in response.text
    assert [(what, choice.volume) for what, choice in fake_settings.asked] == [("try_sound", 30)]
    fake_settings.answers["try_sound"] = "no <voice>"
    assert "no &lt;voice&gt;" in host.post("/host/settings/sound", **hidden, **FIELDS).text
    assert host.post("/host/settings/sound", **hidden).status_code == 400
