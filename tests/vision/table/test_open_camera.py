"""Cameras by their names: what is opened, and which names mean the same device."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.vision.table.test_cameras import trouble
from vision.table.camera import CameraTroubleError
from vision.table.file_cameras import FolderCamera
from vision.table.open_camera import is_pi_camera, is_same_device, open_camera


def test_what_is_no_camera_is_said(tmp_path: Path) -> None:
    (tmp_path / "film.avi").write_bytes(b"no film")
    (tmp_path / "x.png").write_bytes(b"no picture")
    assert trouble(lambda: open_camera("webcam")) == "no such kind"
    assert trouble(lambda: open_camera("usb:front")) == "no such kind"
    assert trouble(lambda: open_camera(f"folder:{tmp_path / 'nowhere'}")) == "missing"
    assert trouble(open_camera(f"file:{tmp_path / 'film.avi'}").picture) == "missing"
    assert trouble(FolderCamera(tmp_path / "x.png").picture) == "missing"


@pytest.mark.parametrize(
    ("one", "two", "is_same"),
    [
        ("pi", "pi:0", True),
        ("pi", "pi:1", False),
        ("usb:0", "/dev/video0", True),
        ("usb:0@3840x2160", "usb:00", True),
        ("usb:0", "usb:1", False),
        ("live:a", "live:a", True),
        ("live:a", "live:b", False),
        ("pi", "", False),
    ],
)
def test_one_camera_has_several_names(one: str, two: str, is_same: bool) -> None:
    assert is_same_device(one, two) is is_same
    assert is_same_device(two, one) is is_same


def test_the_second_socket_of_a_pi_is_opened_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[int, ...]] = []

    def open_none(*number: int) -> None:
        opened.append(number)
        raise IndexError

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=open_none))
    for name in ("pi", "pi:0", "pi:1"):
        with pytest.raises(CameraTroubleError) as caught:
            open_camera(name).picture()
        assert caught.value.problem.values["camera"] == name
    assert opened == [(), (), (1,)]
    assert is_pi_camera("pi:1")
    assert not is_pi_camera("pipe")
    assert trouble(lambda: open_camera("pi:x")) == "no such kind"
