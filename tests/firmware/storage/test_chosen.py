"""What the host chose: laid over the configuration, on trial until the table was ready, never in the way."""

from datetime import time
from pathlib import Path
from threading import Event

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from firmware.core.watcher import EyesNews
from firmware.language.catalogues import languages, preferred_language
from firmware.start.pages.settings_door import ChoiceKeeper, is_camera
from firmware.state_folder import CHOSEN, NEW, READY, RESTORING
from firmware.storage.chosen import (
    HostChoice,
    count_try,
    difference,
    effective_settings,
    end_trial,
    keep,
    merge_choice,
    read_choice,
)
from firmware.storage.configuration import (
    CameraSettings,
    SettingsError,
    SoundSettings,
    TableSettings,
    settings_of,
)
from tests.firmware.board.senses.matches import bidden
from tests.firmware.core.placed import see_table
from tests.firmware.core.tables import open_bench

times = st.times().map(lambda at: at.replace(microsecond=0))
lengths = st.floats(20, 10_000)
names = st.text(max_size=9)
cameras = st.builds(CameraSettings, names, st.none() | names, st.booleans(), st.tuples(lengths, lengths))
sounds = st.builds(
    SoundSettings, st.integers(0, 100), st.integers(80, 450), st.none() | st.tuples(times, times)
)
tables = st.builds(TableSettings, camera=cameras, sound=sounds)


@given(tables, tables, st.sampled_from(["", "en", "fr"]))
def test_what_is_kept_gives_back_what_was_wanted(
    configured: TableSettings, wanted: TableSettings, code: str
) -> None:
    assert merge_choice(configured, difference(configured, wanted, code), CHOSEN) == wanted


@given(tables)
def test_what_is_as_the_configuration_has_it_is_not_kept(configured: TableSettings) -> None:
    assert difference(configured, configured, "") == HostChoice()


def test_what_was_not_chosen_follows_the_configuration() -> None:
    chosen = difference(TableSettings(), TableSettings(sound=SoundSettings(volume=20)), "")
    later = settings_of("sound.speed = 200\nsound.volume = 90", "coyote.toml")
    assert merge_choice(later, chosen, CHOSEN).sound == SoundSettings(20, 200)


def test_every_mistake_has_its_line() -> None:
    chosen = HostChoice(camera={"mat": 3, "nose": 1}, sound={"volume": 101})
    with pytest.raises(SettingsError) as error:
        merge_choice(TableSettings(), chosen, CHOSEN)
    assert [mistake.values["name"] for mistake in error.value.mistakes] == [
        "camera.mat",
        "camera.nose",
        "sound.volume",
    ]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        b"[1]",
        b'{"sound": {"volume": 101}}',
        b'{"language": "xx"}',
        b'{"play": {}}',
        b" " * 200_000,
    ],
)
def test_a_damaged_choice_is_set_aside_and_the_configuration_holds(tmp_path: Path, content: bytes) -> None:
    (tmp_path / CHOSEN).write_bytes(content)
    configured = TableSettings(sound=SoundSettings(speed=99))
    result = effective_settings(configured, tmp_path, languages())
    assert result.settings == configured
    assert result.told
    assert str(result.told[-1].values["aside"]).endswith("chosen.set-aside.json")
    assert not (tmp_path / CHOSEN).exists()
    assert (tmp_path / "chosen.set-aside.json").read_bytes() == content
    assert effective_settings(configured, tmp_path).told == ()


def test_a_choice_with_which_the_table_twice_was_not_ready_is_set_aside(tmp_path: Path) -> None:
    keep(HostChoice("fr", sound={"volume": 1}), tmp_path)
    for _start in range(2):
        assert effective_settings(TableSettings(), tmp_path).settings.sound.volume == 1
        count_try(tmp_path)
    environ = {"STATE_DIRECTORY": str(tmp_path), "NOTIFY_SOCKET": "/run/notify", "LANG": "C"}
    assert preferred_language(environ) == "en"
    last = effective_settings(TableSettings(), tmp_path)
    assert last.settings == TableSettings()
    assert len(last.told) == 1
    assert effective_settings(TableSettings(), tmp_path).told == ()


def test_a_choice_that_was_ready_once_is_never_set_aside_for_what_others_do(tmp_path: Path) -> None:
    keep(HostChoice(sound={"volume": 1}), tmp_path)
    count_try(tmp_path)
    end_trial(tmp_path)
    for _start in range(5):
        assert effective_settings(TableSettings(), tmp_path).settings.sound.volume == 1
        count_try(tmp_path)


def test_a_table_that_is_ready_and_sees_ends_the_trial(tmp_path: Path) -> None:
    ready = Event()
    with open_bench(bidden(5), tmp_path, at_ready=ready.set) as bench:
        assert not ready.is_set()
        bench.companion.put(EyesNews(see_table()))
        assert ready.wait(30)


def test_only_its_owner_reads_a_choice(tmp_path: Path) -> None:
    keep(HostChoice("fr"), tmp_path)
    assert (tmp_path / CHOSEN).stat().st_mode & 0o777 == 0o600


# the language


def test_the_table_speaks_what_was_chosen_and_no_other_command_does(tmp_path: Path) -> None:
    keep(HostChoice("fr"), tmp_path)
    environ = {"STATE_DIRECTORY": str(tmp_path), "LANG": "en_GB.UTF-8"}
    assert preferred_language(environ) == "en"
    assert preferred_language({**environ, "NOTIFY_SOCKET": "/run/notify"}) == "fr"
    (tmp_path / CHOSEN).write_bytes(b"{")
    assert preferred_language({**environ, "NOTIFY_SOCKET": "/run/notify"}) == "en"


def test_a_backup_that_waits_brings_its_language(tmp_path: Path) -> None:
    environ = {"STATE_DIRECTORY": str(tmp_path), "NOTIFY_SOCKET": "/run/notify", "LANG": "C"}
    new = tmp_path / RESTORING / NEW
    new.mkdir(parents=True)
    keep(HostChoice("fr"), new)
    assert preferred_language(environ) == "en"
    (tmp_path / RESTORING / READY).write_bytes(b"{}")
    assert preferred_language(environ) == "fr"


# from the page


def choice_keeper(folder: Path) -> ChoiceKeeper:
    (folder / "coyote.toml").write_text("sound.speed = 200\n", encoding="utf-8")
    return ChoiceKeeper(folder / "state", folder / "coyote.toml", {"LANG": "fr_FR.UTF-8"}, lambda: None)


def test_a_choice_is_kept_beside_a_configuration_that_stays(tmp_path: Path) -> None:
    page = choice_keeper(tmp_path)
    choice = replace(
        page.now(), language="en", volume=5, quiet=(time(22), time(7)), camera="usb:3", across=900.0
    )
    assert page.now().speed == 200
    assert page.choose(choice) == ()
    assert page.now() == choice
    assert read_choice(tmp_path / "state" / CHOSEN).sound == {"volume": 5, "quiet": ["22:00:00", "07:00:00"]}
    assert (tmp_path / "coyote.toml").read_text(encoding="utf-8") == "sound.speed = 200\n"


@pytest.mark.parametrize(
    "change",
    [
        {"camera": "live:/etc/passwd"},
        {"camera": "/dev/../etc"},
        {"second": "live:/etc/passwd"},
        {"second": "pi"},
        {"camera": "usb:2", "second": "/dev/video2"},
        {"language": "xx"},
        {"volume": 101},
        {"down": 1.0},
    ],
)
def test_what_keeps_the_table_from_starting_is_not_kept(tmp_path: Path, change: dict[str, object]) -> None:
    page = choice_keeper(tmp_path)
    assert page.choose(replace(page.now(), **change))
    assert not (tmp_path / "state" / CHOSEN).exists()


def test_a_second_camera_is_chosen_and_left_out_again(tmp_path: Path) -> None:
    page = choice_keeper(tmp_path)
    (tmp_path / "coyote.toml").write_text('camera.second = "usb:1"\n', encoding="utf-8")
    assert page.now().second == "usb:1"
    for second in ("pi:1", ""):
        choice = replace(page.now(), second=second)
        assert page.choose(choice) == ()
        assert page.now() == choice


def test_a_disk_that_takes_nothing_is_told(tmp_path: Path) -> None:
    page = choice_keeper(tmp_path)
    (tmp_path / "state").write_bytes(b"no folder")
    assert len(page.choose(page.now())) == 1


def test_languages_are_named_in_themselves(tmp_path: Path) -> None:
    assert choice_keeper(tmp_path).languages() == (("", "Français"), ("en", "English"), ("fr", "Français"))


def test_the_camera_that_is_named_already_may_stay() -> None:
    assert is_camera("live:/frames", "live:/frames")
    assert not is_camera("live:/frames", "pi")
    assert all(is_camera(name, "") for name in ("pi", "usb:0", "/dev/video12"))


def test_without_a_voice_trying_the_sound_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    page = choice_keeper(tmp_path)
    assert "espeak" in str(page.try_sound(page.now()))


def test_the_sound_is_tried_as_it_was_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = tmp_path / "said"
    voice = tmp_path / "espeak-ng"
    voice.write_text(
        f'#!/bin/sh\n(echo "$@"; /bin/cat) > {said}.new\n/bin/mv {said}.new {said}\n', encoding="utf-8"
    )
    voice.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("firmware.start.pages.settings_door.loudspeaker_trouble", lambda _used: None)
    monkeypatch.setattr("firmware.doors.sound_settings.loudspeakers", tuple)
    page = choice_keeper(tmp_path)
    choice = replace(page.now(), language="en", volume=10, quiet=(time(0), time(23, 59)))
    assert page.try_sound(choice) is None
    with page._speaking:
        assert said.read_text(encoding="utf-8").startswith("-v en-gb -a 20 -s 200 --stdin\nThis is how")
    assert page.now().volume == 80
