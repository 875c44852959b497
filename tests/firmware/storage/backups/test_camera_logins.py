"""Backups contain no camera logins; a restore keeps this table's own or asks for the camera again."""

from pathlib import Path
from random import Random

import pytest

from firmware.language.speaking import problem_sentence
from firmware.services.backups import left_out_of
from firmware.state_folder import CONFIGURATION
from firmware.storage.backups.camera_logins import without_login
from firmware.storage.backups.restoring import finish_restore, stage
from firmware.storage.configuration import HostChoice, keep, read_choice
from tests.firmware.storage.backups.camera_logins import PLACES, attack_logins
from tests.firmware.storage.backups.tables import backup_of, files_in, places_in, table_in
from tests.tiers import tiered
from vision.troubles import Problem

CAMERA = "rtsp://admin:hunter2@192.0.2.1/stream"


@pytest.mark.parametrize("place", PLACES)
def test_no_backup_contains_a_login(tmp_path: Path, place: str) -> None:
    for number in range(tiered(1, 20)):
        figures = attack_logins(tmp_path / f"{number}", Random(f"{place} {number}"), place)
        restored = place != "escaped"
        assert (figures.wrong, figures.kept, figures.asked) == ([], restored, restored)


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("http://192.0.2.1/v.cgi?user=admin&pwd=hunter2", "http://192.0.2.1/…"),
        ("http://192.0.2.1/hunter2", "http://192.0.2.1/…"),
        ("http://192.0.2.1/v.cgi?pwd='hunter2", "http://192.0.2.1/…"),
        ("rtsp://admin:hunter2@192.0.2.1", "rtsp://192.0.2.1"),
        ("http://192.0.2.1:8080", "http://192.0.2.1:8080"),
    ],
)
def test_comment_loses_any_login(written: str, stored: str) -> None:
    text = '[camera]\n# name = "{0}" # or {0}, "{0}"\nname = "usb:0" # {0}\n# the end\n'
    content = without_login(CONFIGURATION, text.format(written).encode())
    assert content is not None
    assert content.decode() == text.format(stored)


@pytest.mark.parametrize(
    "value",
    [
        '"http://192.0.2.1/hook/#a"',
        "'http://192.0.2.1/hook/#a'",
        """'http://192.0.2.1/hook?a="#'""",
        r'"http://192.0.2.1/hook?a=\"#b"',
        '"""http://192.0.2.1/hook?a="#b"""',
        "'''http://192.0.2.1/hook?a='#b'''",
    ],
)
def test_address_of_a_webhook_is_no_comment(value: str) -> None:
    content = f"[outside] # \"\nwebhooks = [{value}, {value}] # '\n".encode()
    assert without_login(CONFIGURATION, content) == content


def test_restore_elsewhere_asks_for_the_camera_in_one_sentence(tmp_path: Path) -> None:
    old, here = table_in(tmp_path / "old", "Ana"), places_in(tmp_path / "here")
    keep(HostChoice("fr", camera={"name": CAMERA, "small": True}), old.state)
    file = backup_of(old, tmp_path / "b.zip")
    assert b"rtsp://192.0.2.1/\xe2\x80\xa6" in files_in(file)["chosen.json"]
    [note] = left_out_of(stage(file, here))
    assert note == problem_sentence(Problem("camera left out"))
    finish_restore(here)
    assert read_choice(here.state).camera == {"small": True}
    # another camera would see the table from elsewhere
    assert not (here.state / "table.json").exists()
