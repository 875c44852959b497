"""Connected cameras, and the choices of camera, table and deck."""

import sys
from gettext import NullTranslations
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from firmware.language.speaking import say
from firmware.services import real_cards
from firmware.services.real_cards import (
    CameraTried,
    FoundCamera,
    RealCards,
    find_by_trying,
    listed_cameras,
    open_and_look,
    take_small_picture,
)
from firmware.services.settings import SettingsKeeper
from firmware.storage.cards_choice import CARDS_CHOICE
from referee.games.catalogue import GAMES
from vision.pictures import unpack_picture
from vision.table.camera import CameraTroubleError
from vision.troubles import Problem


def device(root: Path, number: int, title: str, index: int = 0) -> None:
    folder = root / f"sys/class/video4linux/video{number}"
    folder.mkdir(parents=True)
    (folder / "name").write_text(f"{title}\n")
    (folder / "index").write_text(f"{index}\n")


def cards(folder: Path, **more: Any) -> RealCards:
    usual: dict[str, Any] = {"kind": "simulated", "camera": "pi", "is_pi": False, "is_fixed": False}
    settings = SettingsKeeper(folder, folder / "coyote.toml")
    return RealCards(folder, settings, **{**usual, **more})


def test_lists_webcams_by_their_first_device(tmp_path: Path) -> None:
    assert listed_cameras(tmp_path, is_pi=False) == ()
    device(tmp_path, 0, "HD Webcam: HD Webcam")
    device(tmp_path, 1, "HD Webcam: HD Webcam", index=1)
    device(tmp_path, 10, "bcm2835-codec-decode")
    device(tmp_path, 2, "USB\x1b[2J")
    device(tmp_path, 3, "Brio: Logitech")
    webcams = (
        FoundCamera("usb:0", "HD Webcam"),
        FoundCamera("usb:2", "usb:2"),
        FoundCamera("usb:3", "Brio: Logitech"),
    )
    assert listed_cameras(tmp_path, is_pi=True) == webcams
    device(tmp_path, 4, "unicam-image")
    assert listed_cameras(tmp_path, is_pi=True) == (FoundCamera("pi", say("Raspberry Pi camera")), *webcams)
    assert listed_cameras(tmp_path, is_pi=False) == webcams


def test_tries_numbers_on_macos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()

    def try_numbers(_work: object, most: int, _seconds: float, **_more: object) -> tuple[int, ...]:
        asked.append(most)
        return (0, 2)

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(real_cards, "do_job", try_numbers)
    table = cards(tmp_path)
    assert table.is_camera_likely
    assert [camera.name for camera in table.cameras()] == ["usb:0", "usb:2"]
    assert len(table.cameras()) == 2
    assert asked == [3]


def test_only_cameras_with_pictures_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Camera:
        def __init__(self, number: int) -> None:
            self.number = number

        def picture(self) -> None:
            if self.number == 1:
                raise CameraTroubleError("missing")

        def close(self) -> None: ...

    monkeypatch.setattr(real_cards, "UsbCamera", Camera)
    assert find_by_trying(3) == (0, 2)


def test_small_picture_of_a_camera(tmp_path: Path) -> None:
    film = cv2.VideoWriter(str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 25.0, (1280, 720))
    for _number in range(13):
        film.write(np.full((720, 1280, 3), 90, np.uint8))
    film.release()
    picture = unpack_picture(take_small_picture(f"file:{tmp_path / 'film.avi'}"))
    assert picture is not None
    assert picture.shape == (450, 800, 3)


def test_picture_is_taken_of_unused_connected_cameras_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[object]()
    found = (FoundCamera("usb:0", "one"), FoundCamera("usb:1", "two"))
    monkeypatch.setattr(real_cards, "listed_cameras", lambda **_where: found)
    monkeypatch.setattr(
        real_cards, "do_job", lambda _work, name, *_rest, **_more: asked.append(name) or b"jpeg"
    )
    table = cards(tmp_path, kind="real", camera="usb:0")
    assert [table.picture(name) for name in ("usb:0", "usb:1", "usb:2", "file:/etc/passwd")] == [
        None, b"jpeg", None, None,
    ]  # fmt: skip
    assert asked == ["usb:1"]


@pytest.mark.parametrize("name", ["file:/etc/passwd", "live:x", "usb", "", "http://cam:x/", "imx708"])
def test_pages_choose_no_files_and_no_unknown_cameras(tmp_path: Path, name: str) -> None:
    assert cards(tmp_path).use_camera(name, "coup") is not None
    assert cards(tmp_path).camera == ""
    assert CARDS_CHOICE.read(tmp_path).kind is None


def test_who_leads_without_pin(tmp_path: Path) -> None:
    led = {
        (kind, is_pi): cards(tmp_path, kind=kind, is_pi=is_pi).is_led_here
        for kind in ("real", "simulated")
        for is_pi in (True, False)
    }
    assert [key for key, is_led in led.items() if not is_led] == [("real", True)]


def test_full_disk_is_reported(tmp_path: Path) -> None:
    table = cards(tmp_path / "file" / "state")
    (tmp_path / "file").touch()
    assert table.simulate() is not None
    assert table.use_printed(["coup"]) is not None


def test_printed_own_or_new_deck_is_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    table = cards(tmp_path)
    assert table.use_printed(["coup"]) is None
    assert table.is_printed("coup")
    assert table.use_own("coup", "coup-2") is None
    assert not table.is_printed("coup")
    assert table.learn(["coyote-kidult", "coyote-gigamic"], "Our Coyote") is None
    learning = CARDS_CHOICE.read(tmp_path).learning
    assert learning == dict.fromkeys(("coyote-kidult", "coyote-gigamic"), "Our Coyote")


LOGIN = Problem("login refused", {"camera": "rtsp://192.0.2.40/…"})


@pytest.mark.parametrize(
    ("address", "tried", "told"),
    [
        ("rtsp://192.0.2.40/live", CameraTried(), None),
        ("rtsp://192.0.2.40/live", None, "the camera doesn't answer"),
        ("rtsp://192.0.2.40/live", CameraTried(LOGIN), "rtsp://name:password@192.0.2.40/live"),
        ("rtsp://ana:x@192.0.2.40/live", CameraTried(LOGIN), "refuses name and password"),
    ],
)
def test_addresses_are_tried_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, tried: CameraTried | None, told: str | None
) -> None:
    monkeypatch.setattr(real_cards, "do_job", lambda *_asked, **_how: tried)
    why = cards(tmp_path).why_not(address)
    assert (why is None) == (told is None)
    assert told is None or (why is not None and told in str(why.told(NullTranslations())))


def test_camera_that_cannot_be_opened_is_told() -> None:
    assert open_and_look("http://127.0.0.1:9/none").problem == Problem(
        "unreachable", {"camera": "http://127.0.0.1:9/…"}
    )


def test_players_wait_for_the_found_table(tmp_path: Path) -> None:
    cards(tmp_path).await_players(("Ana", "Bo"), {"edition": "gigamic"})
    assert cards(tmp_path).use_camera("usb:0", "coyote") is None
    table = cards(tmp_path, kind="real", camera="usb:0")
    assert table.awaited(GAMES["coyote"]) == (("Ana", "Bo"), {"edition": "gigamic"})
    assert table.awaited(GAMES["coup"]) is None
    table.use_printed(["coyote-kidult"])
    assert table.awaited(GAMES["coyote"]) is None
