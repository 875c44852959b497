"""The configuration: what isn't said is as it comes, and every mistake has its line."""

from datetime import time
from pathlib import Path

import pytest

from firmware.board.voices.sentences import Quiet
from firmware.doors.sound_settings import sound_of
from firmware.language.troubles import problem_text
from firmware.storage.configuration import SettingsError, TableSettings, settings_in, settings_of


def test_without_a_file_everything_is_as_it_comes(tmp_path: Path) -> None:
    assert settings_in(tmp_path / "coyote.toml") == TableSettings()


def test_what_is_said_counts() -> None:
    text = """
    board.profile = "full"
    camera = { name = "usb:0", apart = [800, 600.5] }
    sound = { volume = 30, quiet = [22:00:00, 07:00:00] }
    play = { game = "coyote", seats = ["Ana", "Bo"], house = { edition = "gigamic" } }
    """
    settings = settings_of(text, "coyote.toml")
    assert settings.board.profile == "full"
    assert settings.camera.apart == (800.0, 600.5)
    assert settings.play.seats == ("Ana", "Bo")
    sound = sound_of(settings.sound, "fr", Path("state"))
    assert (sound.language, sound.volume, sound.quiet) == ("fr", 30, Quiet(time(22), time(7)))


def test_every_mistake_is_told_in_a_line_of_its_own() -> None:
    text = 'bord = 1\nsound.volume = "loud"\ncamera = 5\n[play]\nseats = [1]\nhouse = { powers = "all" }\n'
    with pytest.raises(SettingsError) as error:
        settings_of(text, "coyote.toml")
    names = [mistake.values["name"] for mistake in error.value.mistakes]
    assert names == ["bord", "sound.volume", "camera", "play.seats"]
    assert all("\n" not in problem_text(mistake) for mistake in error.value.mistakes)


@pytest.mark.parametrize(
    "text", ["sound.volume = 101", "sound.speed = -4", "camera.apart = [nan, 500]", "camera.apart = [0, inf]"]
)
def test_a_figure_that_no_table_has_is_told(text: str) -> None:
    with pytest.raises(SettingsError) as error:
        settings_of(text, "coyote.toml")
    assert error.value.mistakes[0].values["name"] == text.split(" = ", maxsplit=1)[0]


@pytest.mark.parametrize("content", [b"[", b"\xff\xfe"])
def test_a_file_that_is_no_configuration_is_told(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "coyote.toml"
    file.write_bytes(content)
    with pytest.raises(SettingsError) as error:
        settings_in(file)
    assert error.value.mistakes[0].values["file"] == str(file)
