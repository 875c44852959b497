"""Cameras: folders, videos, USB and Pi cameras, working and faulty."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from tests.firmware.storage.backups.tables import TABLE
from tests.given import Clock, present
from tests.vision.table.noisy_pictures import noisy
from vision.process.eyes import EyesCamera
from vision.process.messages import EyesSettings
from vision.table import device_cameras
from vision.table.camera import (
    ANEW,
    FROZEN,
    LIVE,
    PHONE_TIMEOUT,
    USED_TO,
    WARM,
    Camera,
    CameraTroubleError,
    FolderCamera,
    LiveCamera,
    PhoneCamera,
    SentPictures,
    WatchedCamera,
    show_live,
    watched,
)
from vision.table.camera_names import PHONE_FRAMES, is_pi_camera
from vision.table.device_cameras import ERRORS, MAIN, PiCamera, UsbCamera, limit_log, open_camera
from vision.table.optics import CAMERAS, made_smaller
from vision.table.thrift import PLENTY, SMALL, Thrift
from vision.troubles import Problem

GREY = np.full((48, 64, 3), 85, np.uint8)


def trouble(call: Callable[[], object]) -> str:
    with pytest.raises(CameraTroubleError) as raised:
        call()
    return raised.value.problem.key


def test_folder_shows_pictures_in_order(tmp_path: Path) -> None:
    for number in (2, 1, 3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), GREY + number)
    (tmp_path / "0.png").write_bytes(b"no picture")
    (tmp_path / "notes.txt").touch()
    camera = open_camera(f"folder:{tmp_path}")
    assert [int(present(camera.picture())[0, 0, 0]) for _ in range(3)] == [86, 87, 88]
    assert camera.picture() is None


def test_shows_picture_and_video_file(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), GREY)
    assert open_camera(f"file:{tmp_path / 'one.png'}").picture() is not None
    film = cv2.VideoWriter(str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for number in range(3):
        film.write(GREY + 20 * number)
    film.release()
    camera = open_camera(f"file:{tmp_path / 'film.avi'}")
    assert [round(float(present(camera.picture()).mean())) // 10 for _ in range(3)] == [8, 10, 12]
    assert camera.picture() is None


@pytest.mark.parametrize(
    "name",
    ["webcam", "usb:front", "pi:x", "/dev/../home/x.avi", "/dev/sda", "/dev/video", "/dev/video0/../x",
     "/dev/video\u0663"],
)  # fmt: skip
def test_rejects_unknown_camera_names(name: str) -> None:
    assert trouble(lambda: open_camera(name)) == "no such kind"


def test_reports_missing_picture_or_video(tmp_path: Path) -> None:
    (tmp_path / "film.avi").write_bytes(b"no film")
    (tmp_path / "x.png").write_bytes(b"no picture")
    assert trouble(lambda: open_camera(f"folder:{tmp_path / 'nowhere'}")) == "missing"
    assert trouble(open_camera(f"file:{tmp_path / 'film.avi'}").picture) == "missing"
    assert trouble(FolderCamera(tmp_path / "x.png").picture) == "missing"


Mode = tuple[str, tuple[int, int], float]  # how its pictures are packed, their size, and frames a second
RAW: tuple[Mode, ...] = (("YUYV", (640, 480), 30.0), ("YUYV", (1920, 1080), 5.0), ("YUYV", (3840, 2160), 1.0))
LOGITECH: tuple[Mode, ...] = (*RAW, ("MJPG", (1280, 720), 60.0), ("MJPG", (1920, 1080), 30.0))
FOUR_K: tuple[Mode, ...] = (*LOGITECH, ("MJPG", (3840, 2160), 30.0))
SCANNER: tuple[Mode, ...] = (
    ("MJPG", (1920, 1080), 15.0), ("MJPG", (2592, 1944), 7.5), ("MJPG", (3264, 2448), 3.0),
    ("MJPG", (4656, 3496), 10.0),
)  # fmt: skip
MUTE: tuple[Mode, ...] = (("MJPG", (1920, 1080), 0.0), ("MJPG", (3840, 2160), 0.0))
SLOW: tuple[Mode, ...] = (("MJPG", (1920, 1080), 3.0), ("MJPG", (3840, 2160), 1.0))
LOW: tuple[Mode, ...] = (("MJPG", (640, 480), 30.0), ("MJPG", (1280, 720), 30.0))


class _Webcam:
    """OpenCV's view of a camera that can be unplugged; its locked exposure may be dark.

    As with V4L2, it silently picks the mode that comes nearest to what is wished: what overlaps best. A width
    counts once a height was set; without the packing that is wished, it keeps its own.
    """

    def __init__(self, modes: tuple[Mode, ...] = LOW, *, is_dark_when_held: bool = False) -> None:
        self.there, self.released, self.is_dark_when_held = True, 0, is_dark_when_held
        self.modes, self.mode, self.wide = modes, modes[0], 0
        self.settings: dict[int, float] = {
            cv2.CAP_PROP_AUTO_EXPOSURE: 3,
            cv2.CAP_PROP_EXPOSURE: 156,
            cv2.CAP_PROP_AUTOFOCUS: 1,
            cv2.CAP_PROP_FOCUS: 0,
        }

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.there

    def set(self, name: int, value: float) -> bool:
        if name == cv2.CAP_PROP_FOURCC:
            packed = int(value).to_bytes(4, "little").decode()
            self.mode = next((mode for mode in self.modes if mode[0] == packed), self.mode)
        elif name == cv2.CAP_PROP_FRAME_WIDTH:
            self.wide = int(value)
        elif name == cv2.CAP_PROP_FRAME_HEIGHT:
            wished, packed_so = (
                (self.wide, int(value)),
                [mode for mode in self.modes if mode[0] == self.mode[0]],
            )
            self.mode = min(packed_so, key=lambda mode: _unshared(mode[1], wished))
        elif name in self.settings:
            self.settings = {**self.settings, name: value}
        return True

    def get(self, name: int) -> float:
        (wide, high), frames = self.mode[1:]
        shown = {cv2.CAP_PROP_FRAME_WIDTH: wide, cv2.CAP_PROP_FRAME_HEIGHT: high, cv2.CAP_PROP_FPS: frames}
        return {**self.settings, **shown}.get(name, -1)

    def read(self) -> tuple[bool, np.ndarray]:
        is_dark = self.is_dark_when_held and self.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
        wide, high = self.mode[1]
        return self.there, np.full((high, wide, 3), 28 if is_dark else 85, np.uint8)

    def release(self) -> None:
        self.released += 1


def _unshared(one: tuple[int, int], other: tuple[int, int]) -> int:
    shared = min(one[0], other[0]) * min(one[1], other[1])
    return one[0] * one[1] + other[0] * other[1] - 2 * shared


def test_unplugged_webcam_is_reopened() -> None:
    webcam, clock = _Webcam(), Clock(0.0)
    camera = UsbCamera(7, opened=lambda _which: webcam, clock=clock)
    assert camera.picture() is not None
    webcam.there = False
    assert trouble(camera.picture) == "gone"
    assert webcam.released == 0  # that may hang, and what is wrong is told before
    webcam.there = True
    assert trouble(camera.picture) == "gone"  # not yet tried again
    assert webcam.released == 1
    clock.seconds = 1.5
    assert camera.picture() is not None
    camera.close()
    assert webcam.released == 2


def test_webcam_keeps_exposure_lock_after_reconnect() -> None:
    lens = _Webcam()
    before = lens.settings
    camera = UsbCamera(7, opened=lambda _which: lens, again=0.0)
    camera.lock()
    held = {**before, cv2.CAP_PROP_AUTO_EXPOSURE: 1, cv2.CAP_PROP_AUTOFOCUS: 0}
    assert lens.settings == held
    lens.there = False
    assert trouble(camera.picture) == "gone"
    lens.there, lens.settings = True, {**before, cv2.CAP_PROP_EXPOSURE: 20}
    assert camera.picture() is not None
    assert lens.settings == held
    camera.unlock()
    assert lens.settings == before


def test_dark_webcam_keeps_automatic_exposure() -> None:
    lens = _Webcam(is_dark_when_held=True)
    UsbCamera(7, opened=lambda _which: lens).lock()
    assert lens.settings[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
    assert lens.settings[cv2.CAP_PROP_AUTOFOCUS] == 0


@pytest.mark.parametrize(
    ("which", "system", "may_open", "key"),
    [
        (7777, "linux", True, "missing"),
        ("/dev/null", "linux", True, "busy"),
        ("/dev/null", "linux", False, "no rights"),
        ("/dev/null", "darwin", False, "not allowed"),
    ],
)
def test_webcam_that_does_not_open_has_a_reason(
    monkeypatch: pytest.MonkeyPatch, which: int | str, system: str, key: str, *, may_open: bool
) -> None:
    webcam = _Webcam()
    webcam.there = False
    monkeypatch.setattr(device_cameras.sys, "platform", system)
    monkeypatch.setattr(device_cameras.os, "access", lambda *_wanted: may_open)
    assert trouble(UsbCamera(which, opened=lambda _which: webcam).picture) == key


MARKER = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


def shown_size(camera: Camera) -> tuple[int, int]:
    high, wide = present(camera.picture()).shape[:2]
    return wide, high


@pytest.mark.parametrize(
    ("name", "modes", "options", "size"),
    [
        # the largest size at five frames a second
        ("usb:0", FOUR_K, {}, (3840, 2160)),
        ("usb:0", LOGITECH, {}, (1920, 1080)),
        ("usb:0", RAW, {}, (1920, 1080)),
        ("usb:0", SCANNER, {}, (2592, 1944)),
        ("usb:0", MUTE, {}, (1920, 1080)),
        ("usb:0", SLOW, {}, (1920, 1080)),
        ("usb:0", LOW, {}, (1280, 720)),
        # within the memory, as wished, or as named, if the camera has that size
        ("usb:0", FOUR_K, {"thrift": SMALL}, (1920, 1080)),
        ("usb:0", FOUR_K, {"size": (1920, 1080)}, (1920, 1080)),
        ("usb:0@1280x720", FOUR_K, {"size": (3840, 2160)}, (1280, 720)),
        ("/dev/video2@3840x2160", FOUR_K, {}, (3840, 2160)),
        ("usb:12@3840x2160", LOW, {}, (1280, 720)),
    ],
)
def test_usb_camera_has_the_best_size_it_can(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    modes: tuple[Mode, ...],
    options: dict[str, Any],
    size: tuple[int, int],
) -> None:
    webcam = _Webcam(modes)
    monkeypatch.setattr(device_cameras, "_video", lambda _which: webcam)
    camera = open_camera(name, **options)
    assert shown_size(camera) == size
    # plugged in again, it gives the same picture
    webcam.mode = modes[0]
    camera.close()
    assert shown_size(camera) == size


@pytest.mark.parametrize(("has_markers", "size"), [(False, (1280, 720)), (True, (3840, 2160))])
def test_tapped_table_keeps_its_picture_size(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], *, has_markers: bool
) -> None:
    monkeypatch.setattr(device_cameras, "_video", lambda _which: _Webcam(FOUR_K))
    table = replace(TABLE, size=(1280, 720), markers={"0": MARKER} if has_markers else {})
    camera = EyesCamera(EyesSettings("usb:0", table=table))
    # a stand-in's picture is black, and the camera known by it
    camera.picture(held=False)
    assert present(camera.optics()).mode == size


def test_file_is_over_after_its_last_picture(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), GREY)
    name = f"file:{tmp_path / 'one.png'}"
    camera = EyesCamera(EyesSettings(name))
    assert not isinstance(camera.picture(held=False), Problem)
    assert camera.picture(held=False) == Problem("over", {"camera": name})


def test_live_file_shows_each_frame_once(tmp_path: Path) -> None:
    file, now = tmp_path / "frame.bmp", [0.0]
    camera = LiveCamera(file, clock=lambda: now.__setitem__(0, now[0] + 0.5) or now[0])
    assert trouble(camera.picture) == "missing"
    for number in range(3):
        show_live(file, GREY + number)
        assert present(camera.picture())[0, 0, 0] == 85 + number
    began = now[0]
    assert trouble(camera.picture) == "too slow"
    assert LIVE <= now[0] - began < LIVE + 2
    assert sorted(each.name for each in tmp_path.iterdir()) == ["frame.bmp"]
    file.unlink()
    assert trouble(camera.picture) == "missing"
    file.write_bytes(b"no picture")
    assert trouble(camera.picture) == "gone"
    assert isinstance(open_camera(f"live:{file}"), LiveCamera)


def test_phone_is_lost_without_fresh_pictures_and_comes_back(tmp_path: Path) -> None:
    file, now, wall = tmp_path / PHONE_FRAMES, [0.0], [1000.0]
    camera = PhoneCamera(file, lambda: now.__setitem__(0, now[0] + 0.5) or now[0], lambda: wall[0])

    def send(at: float) -> None:
        show_live(file, GREY)
        os.utime(file, (at, at))

    # nothing was sent yet, then something long ago
    for sent in (None, wall[0] - 3600.0):
        if sent is not None:
            send(sent)
        began = now[0]
        assert trouble(camera.picture) == "phone lost"
        assert PHONE_TIMEOUT <= now[0] - began < PHONE_TIMEOUT + 2
    send(wall[0])
    assert camera.picture() is not None
    # the same picture counts once; while nothing moves, the next one comes seconds later
    assert trouble(camera.picture) == "phone lost"
    wall[0] += 4.0
    send(wall[0])
    assert camera.picture() is not None
    file.write_bytes(b"no picture")
    assert trouble(camera.picture) == "phone lost"
    file.unlink()
    assert trouble(camera.picture) == "phone lost"


def test_phone_may_repeat_pictures_and_turn() -> None:
    shown = [noisy(1)] * (2 * FROZEN) + [np.asarray(noisy(1).transpose(1, 0, 2))] * 2 + [GREY // 20]
    pictures = iter(shown)
    phone = SentPictures(_Still(lambda: next(pictures)))
    for _picture in shown[:-1]:
        assert phone.picture() is not None
    assert trouble(phone.picture) == "black"


def test_only_the_file_of_a_browser_is_a_phone(tmp_path: Path) -> None:
    phone, other = (
        open_camera(f"live:{tmp_path / PHONE_FRAMES}"),
        open_camera(f"live:{tmp_path / 'camera.bmp'}"),
    )
    assert (type(phone), type(other)) == (PhoneCamera, LiveCamera)
    assert (type(watched(phone)), type(watched(other))) == (SentPictures, WatchedCamera)


class _Still(Camera):
    """A camera that shows given pictures, and counts how often it is reopened."""

    def __init__(self, show: Callable[[], np.ndarray]) -> None:
        self.show, self.closed = show, 0

    def picture(self) -> np.ndarray:
        return self.show()

    def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize(("name", "key"), [("", "frozen"), ("rtsp://192.0.2.40/…", "repeating")])
def test_frozen_camera_is_reopened(name: str, key: str) -> None:
    device = _Still(lambda: noisy(0))
    device.name = name
    camera = WatchedCamera(device)
    for _picture in range(FROZEN - 1):
        assert camera.picture() is not None
    closed = []
    for _picture in range(2 * ANEW):
        assert trouble(camera.picture) == key
        closed.append(device.closed)
    assert closed == [1] * ANEW + [2] * ANEW
    # the first picture of a camera that was opened anew is another one in any case
    shown = iter((noisy(1), *(noisy(number) for number in range(1, FROZEN + 1))))
    device.show = lambda: next(shown)
    assert [trouble(camera.picture) for _ in range(FROZEN)] == [key] * FROZEN
    assert camera.picture() is not None


def test_accepts_new_picture_size_after_a_while() -> None:
    numbers = iter(range(1000))
    device = _Still(lambda: noisy(next(numbers)))
    camera = WatchedCamera(device)
    assert camera.picture() is not None
    device.show = lambda: noisy(next(numbers))[::2, ::2]
    assert [trouble(camera.picture) for _ in range(USED_TO)] == ["garbled"] * USED_TO
    assert camera.picture() is not None
    device.show = lambda: noisy(next(numbers))
    assert trouble(camera.picture) == "garbled"


CONTROLS = ("AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable")
MODULE_3 = (*CONTROLS, "AfMode", "LensPosition", "FrameDurationLimits")


class _FakePi:
    """The used part of picamera2; it records calls."""

    made: "list[_FakePi]" = []  # noqa: RUF012 - one list for all of them, on purpose
    model = "simulated"
    controls: tuple[str, ...] = CONTROLS

    def __init__(self) -> None:
        self.calls: list[Any] = []
        self.camera_controls = dict.fromkeys(self.controls, (0, 1, 0))
        self.camera_properties = {"Model": self.model}
        self.configure = self.set_controls = self.calls.append
        self.start, self.stop, self.close = (lambda word=word: self.calls.append(word) for word in CALLS)
        self.fails = False
        _FakePi.made.append(self)

    def create_video_configuration(self, **wish: Any) -> tuple[dict[str, Any]]:
        return (wish,)

    def capture_metadata(self) -> dict[str, Any]:
        return {"ExposureTime": 9000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.8)}

    def capture_array(self, stream: str) -> np.ndarray:
        if self.fails:
            raise RuntimeError("camera frontend has timed out")
        assert stream == "main"
        return np.zeros((MAIN[1], MAIN[0], 3), np.uint8)


CALLS = ("start", "stop", "close")


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> type[_FakePi]:
    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=_FakePi))
    monkeypatch.setattr(_FakePi, "made", [])
    return _FakePi


def wish_of(pi: type[_FakePi]) -> dict[str, Any]:
    """Return the only configuration requested of a camera."""
    (wish,) = (call[0] for call in pi.made[0].calls if isinstance(call, tuple))
    return dict(wish)


@pytest.mark.parametrize("thrift", [PLENTY, SMALL])
def test_pi_camera_uses_whole_sensor_within_memory(
    pi: type[_FakePi], monkeypatch: pytest.MonkeyPatch, thrift: Thrift
) -> None:
    monkeypatch.setattr(_FakePi, "model", "imx708_noir")
    monkeypatch.setattr(_FakePi, "controls", (*MODULE_3, "AeFlickerMode", "AeFlickerPeriod"))
    mains, period = (50, 10_000) if thrift is PLENTY else (60, 8_333)
    camera = open_camera("pi", mains, thrift=thrift)
    assert camera.optics() is None
    camera.picture()
    wish = wish_of(pi)
    size, buffers = ((2304, 1296), 3) if thrift is PLENTY else ((1728, 972), 2)
    assert (wish["main"]["size"], wish["buffer_count"]) == (size, buffers)
    assert wish["sensor"] == {"output_size": (2304, 1296)}
    # no buffers for unused raw pictures
    assert wish["raw"] is None
    # exposures avoid the flicker of lamps
    flicker = {"AeFlickerMode": 1, "AeFlickerPeriod": period}
    assert wish["controls"] == {"FrameDurationLimits": (66_666, 100_000), "AfMode": 2} | flicker
    assert camera.optics() == made_smaller(CAMERAS["imx708"], thrift.share)


def test_autofocus_runs_until_locked(pi: type[_FakePi], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_FakePi, "controls", MODULE_3)
    monkeypatch.setattr(_FakePi, "capture_metadata", lambda _self: {"LensPosition": 1.25})
    camera = PiCamera()
    camera.lock()
    held = {"AeEnable": False, "AwbEnable": False, "AfMode": 0, "LensPosition": 1.25}
    assert pi.made[0].calls[-1] == held
    camera.unlock()
    assert pi.made[0].calls[-1] == {"AeEnable": True, "AwbEnable": True, "AfMode": 2}


def test_exposure_lock_survives_reconnect(pi: type[_FakePi]) -> None:
    camera = PiCamera(again=0.0)
    camera.lock()
    assert wish_of(pi)["main"] == {"size": (2028, 1520), "format": "RGB888"}
    held = {"AeEnable": False, "ExposureTime": 9000, "AnalogueGain": 2.0, "AwbEnable": False}
    assert pi.made[0].calls[-1] == held  # no colour gains: this camera has no such control
    pi.made[0].fails = True
    assert trouble(camera.picture) == "gone"
    assert np.shape(camera.picture()) == (1520, 2028, 3)
    assert pi.made[0].calls[-2:] == ["stop", "close"]
    assert pi.made[1].calls[-1] == held


@pytest.mark.parametrize(("level", "key"), [(255, "too bright"), (0, "black")])
def test_unusable_locked_exposure_is_unlocked(
    pi: type[_FakePi], monkeypatch: pytest.MonkeyPatch, level: int, key: str
) -> None:
    sight = EyesCamera(EyesSettings("pi"))
    following = {"AeEnable": True, "AwbEnable": True}
    # pictures are well for a while, too bright or dark, and well again in the new light
    pictures = iter(
        [*map(noisy, range(WARM + 1)), *[np.full_like(GREY, level)] * 2, *map(noisy, range(100, 120))]
    )
    monkeypatch.setattr(_FakePi, "capture_array", lambda _self, _stream: next(pictures))
    for _ in range(WARM + 1):
        sight.picture(held=True)
    assert pi.made[0].calls[-1]["AeEnable"] is False
    problem = sight.picture(held=True)
    assert isinstance(problem, Problem)
    assert problem.key == key
    sight.picture(held=True)
    assert pi.made[0].calls[-1] == following
    for _ in range(WARM + 1):
        sight.picture(held=True)
    assert pi.made[0].calls[-1]["AeEnable"] is False
    # searching for the table unlocks it
    sight.picture(held=False)
    assert pi.made[0].calls[-1] == following


@pytest.mark.parametrize(("wrong", "key"), [(IndexError, "missing"), (RuntimeError, "busy")])
def test_missing_pi_camera_names_its_port(
    monkeypatch: pytest.MonkeyPatch, wrong: type[Exception], key: str
) -> None:
    opened: list[tuple[int, ...]] = []

    def open_none(*number: int) -> None:
        opened.append(number)
        raise wrong

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=open_none))
    for name in ("pi", "pi:0", "pi:1"):
        with pytest.raises(CameraTroubleError) as caught:
            open_camera(name).picture()
        assert (caught.value.problem.key, caught.value.problem.values["camera"]) == (key, name)
    assert opened == [(), (), (1,)]
    assert [is_pi_camera(name) for name in ("pi:1", "pipe")] == [True, False]
    monkeypatch.setitem(sys.modules, "picamera2", None)
    assert trouble(PiCamera) == "no picamera2"


def test_log_of_opencv_can_be_limited_in_every_version() -> None:
    limit_log(ERRORS)
