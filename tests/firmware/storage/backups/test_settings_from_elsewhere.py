"""Settings from a backup never redirect a path or address without a warning."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import fields

from firmware.storage.backups.archive import TablePlaces
from firmware.storage.backups.restoring import finish_restore, stage
from firmware.storage.configuration import PARTS, TableSettings, effective_settings, read_choice, settings_in
from firmware.storage.errors import BackupError
from tests.firmware.storage.backups.spoilt import pack_files
from tests.firmware.storage.backups.tables import backup_of, files_in, table_in

PATHS = ("file:/etc/hostname", "live:/home/x.jpg", "folder:/home", "/dev/../home/x.avi", "/dev/sda")
CAMERAS = (
    *PATHS, "/dev/video0/../../home/x.avi", "/dev/video\u0663", "/dev/video0\n", "/dev/video", "rtsp://192.0.2.1/",
    "http://192.0.2.1/x.mjpg", "usb:0;x", "pi:1\n", "usb:-1", "/dev/v4l/by-id/x", "../x", "", 0, None, ["pi"],
)  # fmt: skip
HOSTILE: Mapping[str, tuple[Any, ...]] = {
    "camera.name": CAMERAS,
    "board.file": ("/etc/passwd", "../x", "file:/x"),
    "board.profile": ("../../x", "/etc/passwd", "", "no such board"),
    "copy.folder": ("/", "/home", "../x"),
    "outside.webhooks": (["http://192.0.2.1/reboot"], ["file:///etc/passwd"], ["http://[::1"], "http://x"),
    "broker.host": ("192.0.2.1", "evil.example"),
    "broker.port": (1, 70_000, "x"),
    "broker.name": ("a/b", "#", "", "x" * 50),
    "broker.user": ("root",),
    "broker.password_file": ("/etc/shadow",),
    "broker.tls": ("x",),
    "broker.discovery": ("x", False),
    "camera.mat": ("x",),
    "camera.apart": ([1.0, 1.0], ["x", 1], [1e308, 1e308]),
    "camera.mains": (0, "x"),
    "camera.small": ("x",),
    "sound.volume": (101, -1, "x"),
    "sound.speed": (1, 9999),
    "sound.quiet": (["25:00:00", "x"], "x"),
    "play.game": (3,),
    "play.seats": ("x", [3]),
    "play.house": ({"x": 3}, "x"),
    "pages.https": ("x",),
}
"""Values each setting must not get from a backup."""


def leaves(kind: type[Struct] = TableSettings, before: str = "") -> Iterator[str]:
    for field in fields(kind):
        inner = field.type
        if isinstance(inner, type) and issubclass(inner, Struct):
            yield from leaves(inner, f"{before}{field.encode_name}.")
        else:
            yield f"{before}{field.encode_name}"


def value_of(settings: TableSettings, name: str) -> Any:
    part, key = name.split(".")
    return getattr(getattr(settings, part), key)


def test_every_setting_is_attacked() -> None:
    assert set(HOSTILE) == set(leaves())


@pytest.fixture(scope="module")
def strange(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    """Files of another table's backup."""
    folder = tmp_path_factory.mktemp("strange")
    return files_in(backup_of(table_in(folder, "Eve"), folder / "good.zip"))


@pytest.mark.parametrize("file", ["coyote.toml", "chosen.json"])
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_settings_are_reported(
    strange: Mapping[str, bytes], tmp_path: Path, name: str, file: str
) -> None:
    part, key = name.split(".")
    if file == "chosen.json" and part not in PARTS:
        return
    for number, value in enumerate(HOSTILE[name]):
        folder = tmp_path / str(number)
        here = table_in(folder / "here", "Zoë")
        before = holding(here)
        try:
            hostile = {**strange, file: hostile_settings(file, part, key, value)}
            reported = stage(pack_files(folder / "b.zip", hostile), here).strange
        except BackupError:
            assert holding(here) == before
            continue
        notices = [each.key for each in finish_restore(here) if each.key.startswith("configuration ")]
        holds = effective_settings(settings_in(here.configuration), here.state)
        assert value_of(holds.settings, name) == value_of(before, name), value
        assert reported or notices or holds.told or value is None, value


def holding(here: TablePlaces) -> TableSettings:
    return effective_settings(settings_in(here.configuration), here.state).settings


def hostile_settings(name: str, part: str, key: str, value: Any) -> bytes:
    if name == "chosen.json":
        chosen = {"language": "fr", "sound": {"volume": 7}}
        inner = {**({"volume": 7} if part == "sound" else {}), key: value}
        return msgspec.json.encode({**chosen, part: inner})
    said = json.dumps(value).replace('{"x": ', "{x = ")
    return f"[{part}]\n{key} = {said}\n".encode() if value is not None else b""


OWN_CAMERAS = ("pi", "pi:1", "usb:0", "usb:1@1280x720", "/dev/video2", "file:/own.avi")


@pytest.mark.parametrize("camera", [*OWN_CAMERAS, "live:/home/x.jpg"])
def test_choice_of_camera_is_applied_or_rejected_with_all_others_applied(tmp_path: Path, camera: str) -> None:
    friend, here = table_in(tmp_path / "friend", "Ana"), table_in(tmp_path / "here", "Zoë")
    here.configuration.write_text('[camera]\nname = "file:/own.avi"\n', encoding="utf-8")
    chosen = {"language": "fr", "camera": {"name": camera, "small": True}, "sound": {"volume": 7}}
    (friend.state / "chosen.json").write_bytes(msgspec.json.encode(chosen))
    own = {"name": camera} if camera in OWN_CAMERAS else {}
    assert stage(backup_of(friend, tmp_path / "b.zip"), here).strange == (() if own else ("camera.name",))
    assert "configuration leads elsewhere" not in [each.key for each in finish_restore(here)]
    choice = read_choice(here.state)
    assert (choice.language, choice.camera, choice.sound) == ("fr", {**own, "small": True}, {"volume": 7})
