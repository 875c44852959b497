"""Configured, chosen, wired and learned settings: unreadable ones are reported and block no start."""

from datetime import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.language.catalogues import languages, preferred_language
from firmware.services.settings import SettingsKeeper, TableChoice
from firmware.services.table_sound import sound_of
from firmware.state_folder import BOARD, CHOSEN, USB_BUTTONS
from firmware.storage import configuration
from firmware.storage.configuration import CameraSettings, SoundSettings, TableSettings, settings_of
from firmware.storage.wired_board import KEPT_BUTTONS, WIRED_BOARD, BoardFaults, WiredBoard, read_board_faults
from hardware.board.usb_box import UsbBox, UsbButton

# the configuration

USB = ("usb1/1-1", "UVC camera")
"""A USB camera's port, and the kernel's names for it."""


def test_settings_override_defaults(tmp_path: Path) -> None:
    text = """
    board.profile = "full"
    camera = { name = "usb:0", apart = [800, 600.5] }
    sound = { volume = 30, quiet = [22:00:00, 07:00:00] }
    play = { game = "coyote", seats = ["Ana", "Bo"], house = { edition = "gigamic" } }
    """
    assert configuration.settings_in(tmp_path / "coyote.toml") == TableSettings()
    settings = settings_of(text, "coyote.toml")
    assert settings.board.profile == "full"
    assert settings.camera.apart == (800.0, 600.5)
    assert settings.play.seats == ("Ana", "Bo")
    sound = sound_of(settings.sound, "fr", Path("state"))
    assert (sound.language, sound.volume, sound.quiet) == ("fr", 30, (time(22), time(7)))


@pytest.mark.parametrize(
    ("model", "nodes", "name"),
    [
        # a USB camera has two nodes, the second for frame metadata
        ("Raspberry Pi 4 Model B Rev 1.5\0", {10: ("codec", "bcm2835-codec"), 1: USB, 0: USB}, "usb:0"),
        ("Raspberry Pi 4 Model B Rev 1.5\0", {0: ("csi", "unicam-image"), 1: USB}, "pi"),
        ("Raspberry Pi 5 Model B Rev 1.0\0", {0: ("csi", "rp1-cfe-csi2_ch0"), 8: USB}, "pi"),
        ("Raspberry Pi 5 Model B Rev 1.0\0", {19: ("hevc", "rpi-hevc-dec"), 8: USB}, "usb:8"),
        ("Raspberry Pi 5 Model B Rev 1.0\0", {}, "pi"),
        ("", {0: USB}, "pi"),
    ],
)
def test_pi_defaults_to_its_usb_camera(
    tmp_path: Path, model: str, nodes: dict[int, tuple[str, str]], name: str
) -> None:
    (tmp_path / "proc" / "device-tree").mkdir(parents=True)
    (tmp_path / "proc" / "device-tree" / "model").write_text(model, encoding="utf-8")
    listed = tmp_path / "sys" / "class" / "video4linux"
    listed.mkdir(parents=True)
    for number, (place, told) in nodes.items():
        there = tmp_path / "sys" / "devices" / place / f"video{number}"
        there.mkdir(parents=True)
        (there / "name").write_text(f"{told}\n", encoding="utf-8")
        (listed / there.name).symlink_to(there)
    assert configuration.usual_camera(tmp_path) == name
    assert configuration.usual_camera(tmp_path / "nowhere") == "pi"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            'bord = 1\nsound.volume = "loud"\ncamera = 5\n[play]\nseats = [1]\nhouse = { powers = "all" }\n',
            ["bord", "sound.volume", "camera", "play.seats"],
        ),
        ("sound.volume = 101", ["sound.volume"]),
        ("sound.speed = -4", ["sound.speed"]),
        ("camera.apart = [nan, 500]", ["camera.apart"]),
        ("camera.apart = [0, inf]", ["camera.apart"]),
    ],
)
def test_reports_every_mistake(text: str, names: list[str]) -> None:
    with pytest.raises(configuration.SettingsError) as error:
        settings_of(text, "coyote.toml")
    assert [mistake.values["name"] for mistake in error.value.mistakes] == names


@pytest.mark.parametrize("text", ['outside.webhooks = ["example.org"]', 'broker.name = "my table"'])
def test_tells_how_to_write_a_setting_with_a_form(text: str) -> None:
    with pytest.raises(configuration.SettingsError) as error:
        settings_of(text, "coyote.toml")
    (mistake,) = error.value.mistakes
    assert str(mistake.values["why"]).startswith("write ")


def test_reports_invalid_configuration(tmp_path: Path) -> None:
    file = tmp_path / "coyote.toml"
    for content in (b"[", b"\xff\xfe"):
        file.write_bytes(content)
        with pytest.raises(configuration.SettingsError) as error:
            configuration.settings_in(file)
        assert error.value.mistakes[0].values["file"] == str(file)


# owner of the USB buttons

BUTTONS = (UsbButton(UsbBox("Box “é”", "usb-1/input0"), 288, 0), UsbButton(UsbBox("Other"), 30, 15, "second"))


def test_learned_buttons_survive_a_restart(tmp_path: Path) -> None:
    assert KEPT_BUTTONS.read(tmp_path / "state") == ()
    KEPT_BUTTONS.keep(tmp_path / "state", BUTTONS)
    assert KEPT_BUTTONS.read(tmp_path / "state") == BUTTONS
    for wrong in ('"seat": 16', '"seat": -1', '"seat": 0, "role": "a"'):
        content = f'[{{"box": {{"name": "a"}}, "code": 1, {wrong}}}]'.encode()
        (tmp_path / USB_BUTTONS).write_bytes(content)
        assert KEPT_BUTTONS.read(tmp_path) == ()


# the wired board: only a person's choice drives pins


def test_drives_nothing_before_a_choice(tmp_path: Path) -> None:
    assert not WIRED_BOARD.read(tmp_path).is_driven
    WIRED_BOARD.keep(tmp_path, WiredBoard("fab", "trial"))
    assert not WIRED_BOARD.read(tmp_path).is_driven
    WIRED_BOARD.keep(tmp_path, WiredBoard("fab", "confirmed"))
    assert WIRED_BOARD.read(tmp_path) == WiredBoard("fab", "confirmed")
    assert WIRED_BOARD.read(tmp_path).is_driven
    assert read_board_faults(tmp_path, "fab") == BoardFaults("fab")
    for unreadable in (b"\xff", b'{"profile":"fab","stage":"assumed"}', b"[" * 100_000):
        (tmp_path / BOARD).write_bytes(unreadable)
        assert WIRED_BOARD.find(tmp_path) == WIRED_BOARD.read(tmp_path / BOARD) == WiredBoard()


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff", b'{"sound": {"volume": 101}}', b'{"language": "xx"}', b'{"play": {}}', b" " * 200_000],
)
def test_damaged_choice_is_set_aside(tmp_path: Path, content: bytes) -> None:
    (tmp_path / CHOSEN).write_bytes(content)
    configured = TableSettings(sound=SoundSettings(speed=99))
    result = configuration.effective_settings(configured, tmp_path, languages())
    assert result.settings == configured
    assert result.told
    assert str(result.told[-1].values["aside"]).endswith("chosen.set-aside.json")
    assert not (tmp_path / CHOSEN).exists()
    assert (tmp_path / "chosen.set-aside.json").read_bytes() == content
    assert configuration.effective_settings(configured, tmp_path).told == ()


def test_only_the_service_uses_the_chosen_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configuration.keep(configuration.HostChoice("fr"), tmp_path)
    assert (tmp_path / CHOSEN).stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    assert preferred_language() == "en"
    monkeypatch.setenv("NOTIFY_SOCKET", "/run/notify")
    assert preferred_language() == "fr"


# from the page


def settings_keeper(folder: Path) -> SettingsKeeper:
    (folder / "coyote.toml").write_text("sound.speed = 200\n", encoding="utf-8")
    return SettingsKeeper(folder / "state", folder / "coyote.toml")


def test_choice_leaves_configuration_unchanged(tmp_path: Path) -> None:
    page = settings_keeper(tmp_path)
    now = page.now()
    sound = replace(now.sound, volume=5, quiet=(time(22), time(7)))
    choice = TableChoice("en", sound, replace(now.camera, name="usb:3", apart=(900.0, 556.0)))
    assert now.sound.speed == 200
    assert page.choose(choice) == ()
    assert page.now() == choice
    assert configuration.read_choice(tmp_path / "state").sound == {
        "volume": 5,
        "quiet": ["22:00:00", "07:00:00"],
    }
    assert (tmp_path / "coyote.toml").read_text(encoding="utf-8") == "sound.speed = 200\n"


@pytest.mark.parametrize(
    "choice",
    [
        TableChoice("", SoundSettings(), CameraSettings("live:/etc/passwd")),
        TableChoice("", SoundSettings(), CameraSettings("/dev/../etc")),
        TableChoice("xx", SoundSettings(), CameraSettings()),
        TableChoice("", SoundSettings(volume=101), CameraSettings()),
        TableChoice("", SoundSettings(), CameraSettings(apart=(844.0, 1.0))),
    ],
)
def test_rejects_choice_that_prevents_starting(tmp_path: Path, choice: TableChoice) -> None:
    page = settings_keeper(tmp_path)
    assert page.choose(choice)
    assert not (tmp_path / "state" / CHOSEN).exists()
