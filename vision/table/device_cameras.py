"""Open a camera by its name; drivers for connected cameras: USB cameras and the Pi's own.

A driver can hang for ever, so callers must be able to exit without an answer. A lost device is reopened when
the next picture is requested.
"""

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar, TypeVar

import cv2
import numpy as np

from vision.pictures import Picture
from vision.table.camera import FRAME_TIMEOUT, Camera, CameraTroubleError, FolderCamera, live_camera
from vision.table.camera_facts import FREE_FRAMES, HELD_FRAMES, CameraFacts, camera_facts, frames_of
from vision.table.camera_names import PHONE, PI, USB, is_network
from vision.table.optics import made_smaller, optics_of, usb_optics
from vision.table.thrift import PLENTY, Thrift
from vision.table.values import Optics
from vision.troubles import Problem

T = TypeVar("T")

FULL_HD = (1920, 1080)
SIZES = (
    (3840, 2160), (3264, 2448), (3264, 1836), (2592, 1944), (2688, 1520), (2560, 1440), (2304, 1536),
    (2048, 1536), (2304, 1296), FULL_HD, (1600, 1200), (1280, 960), (1280, 720), (800, 600), (640, 480),
)  # fmt: skip
"""Picture sizes of USB cameras, the largest first; reading larger pictures was never measured."""
LEAST_FRAMES = 5.0  # frames per second needed for watching hands and cards
MAIN = (2028, 1520)  # picture size of an unknown camera
UNKNOWN = Optics("", MAIN, 66.0, 0.0)
OPENING = 10.0  # seconds allowed for opening a camera and its first picture
AGAIN = 1.0  # seconds between attempts to reopen a lost camera


class DeviceCamera(Camera, ABC):
    """A connected camera: opened on demand; after a failure closed, and reopened after a pause."""

    following: ClassVar[Mapping[Any, Any]]  # controls for automatic exposure, white balance and focus

    def __init__(self, name: str, clock: Callable[[], float] = monotonic, again: float = AGAIN) -> None:
        self.name, self._clock, self._again = name, clock, again
        self._device: Any = None
        self._last: Problem | None = None
        """The latest failure; None after a success."""
        self._next = float("-inf")
        self._wished: Mapping[Any, Any] = {}

    @property
    def patience(self) -> float:
        return OPENING if self._device is None else FRAME_TIMEOUT

    def picture(self) -> Picture | None:
        return self._ask(self._read_frame)

    def close(self) -> None:
        """Close the device; the next picture reopens it."""
        device, self._device = self._device, None
        if device is not None:
            with suppress(Exception):
                self._close_device(device)

    def lock(self) -> None:
        """Lock exposure, white balance and focus; the lock survives a reconnect."""
        self._ask(self._hold_light)

    def unlock(self) -> None:
        self._wished = self.following
        self._ask(self._set_controls)

    def _ask(self, what: Callable[[Any], T]) -> T:
        """Call a function with the open device; raises `CameraTroubleError` for any failure."""
        if self._last is not None:
            # close only now, after the failure was reported: closing may hang
            self.close()
            if self._clock() < self._next:
                raise CameraTroubleError(self._last.key, **self._last.values)
            self._last = None
        try:
            if self._device is None:
                self._device = self._open()
            return what(self._device)
        except Exception as error:
            gone = Problem("gone", {"camera": self.name, "why": str(error)})
            self._last = error.problem if isinstance(error, CameraTroubleError) else gone
            self._next = self._clock() + self._again
            raise CameraTroubleError(self._last.key, **self._last.values) from error

    @abstractmethod
    def _open(self) -> Any: ...

    @abstractmethod
    def _read_frame(self, device: Any) -> Picture: ...

    @abstractmethod
    def _close_device(self, device: Any) -> None: ...

    @abstractmethod
    def _hold_light(self, device: Any) -> None:
        """Lock light and focus at their current values, and store these as the wished controls."""

    @abstractmethod
    def _set_controls(self, device: Any) -> None:
        """Set the wished controls that the device supports."""


Controls = Mapping[int, float]
HELD: Controls = {cv2.CAP_PROP_AUTO_EXPOSURE: 1, cv2.CAP_PROP_AUTO_WB: 0, cv2.CAP_PROP_AUTOFOCUS: 0}
FOLLOWING: Controls = {cv2.CAP_PROP_AUTO_EXPOSURE: 3, cv2.CAP_PROP_AUTO_WB: 1, cv2.CAP_PROP_AUTOFOCUS: 1}
"""V4L2's values for manual and automatic control."""
HELD_AT: Mapping[int, int] = {
    cv2.CAP_PROP_AUTO_EXPOSURE: cv2.CAP_PROP_EXPOSURE,
    cv2.CAP_PROP_AUTO_WB: cv2.CAP_PROP_WB_TEMPERATURE,
    cv2.CAP_PROP_AUTOFOCUS: cv2.CAP_PROP_FOCUS,
}
SETTLES = 5  # pictures until changed controls take effect
AS_BRIGHT = 0.2  # largest relative change of brightness when the exposure is locked


class UsbCamera(DeviceCamera):
    """A camera opened by OpenCV, by number or device file. It locks light and focus if it supports that.

    Without a size, the largest one up to `most` with enough frames per second is chosen once.
    """

    following = FOLLOWING

    def __init__(
        self,
        which: int | str,
        size: tuple[int, int] | None = None,
        opened: Callable[[int | str], Any] | None = None,
        most: tuple[int, int] = SIZES[0],
        **settings: Any,
    ) -> None:
        super().__init__(f"usb:{which}" if isinstance(which, int) else which, **settings)
        self._which, self._size, self._most, self._make = which, size, most, opened or _video
        self._across = (size or FULL_HD)[0]

    def _open(self) -> Any:
        device = self._make(self._which)
        if not device.isOpened():
            raise CameraTroubleError(_unopened(self._which), camera=self.name)
        device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._size = self._size or largest_size(device, self._most)
        set_size(device, self._size)
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._set_controls(device)
        return device

    def _hold_light(self, device: Any) -> None:
        before = self._read_frame(device).mean()
        held = {name: value for name, value in HELD.items() if device.set(name, value)}
        for _number in range(SETTLES):
            self._read_frame(device)
        if abs(self._read_frame(device).mean() - before) > AS_BRIGHT * before:
            # manual mode changed the exposure, so automatic exposure is better
            held = {name: value for name, value in held.items() if name != cv2.CAP_PROP_AUTO_EXPOSURE}
            device.set(cv2.CAP_PROP_AUTO_EXPOSURE, FOLLOWING[cv2.CAP_PROP_AUTO_EXPOSURE])
        values = {HELD_AT[name]: device.get(HELD_AT[name]) for name in held}
        self._wished = held | {name: value for name, value in values.items() if value >= 0}

    def _set_controls(self, device: Any) -> None:
        for name, value in self._wished.items():
            device.set(name, value)

    def _read_frame(self, device: Any) -> Picture:
        there, picture = device.read()
        if not there or picture is None:
            raise CameraTroubleError("gone", camera=self.name)
        # the camera may not support the requested size
        self._across = picture.shape[1]
        return np.asarray(picture, np.uint8)

    def _close_device(self, device: Any) -> None:
        device.release()

    def optics(self) -> Optics | None:
        return usb_optics(self._across)


def _unopened(which: int | str) -> str:
    """Return the problem with a camera that doesn't open."""
    if sys.platform == "darwin":
        # macOS doesn't say whether the camera is missing or forbidden
        return "not allowed"
    path = Path(f"/dev/video{which}" if isinstance(which, int) else which)
    if not path.exists():
        return "missing"
    return "busy" if os.access(path, os.R_OK | os.W_OK) else "no rights"


def largest_size(device: Any, most: tuple[int, int]) -> tuple[int, int]:
    """Return the largest picture size with enough frames per second; full HD if none is known to have them.

    A device accepts any size, and uses its own nearest one.
    """
    found: tuple[int, int] | None = None
    for size in (each for each in SIZES if pixels(each) <= pixels(most)):
        if found is not None and pixels(found) >= pixels(size):
            break
        set_size(device, size)
        given = int(device.get(cv2.CAP_PROP_FRAME_WIDTH)), int(device.get(cv2.CAP_PROP_FRAME_HEIGHT))
        if min(given) > 0 and pixels(given) <= pixels(most) and _has_enough_frames(device, given):
            found = max(given, found or given, key=pixels)
    return found or FULL_HD


def _has_enough_frames(device: Any, size: tuple[int, int]) -> bool:
    frames = device.get(cv2.CAP_PROP_FPS)
    # without a report of its rate, a camera is trusted with full HD, which nearly all support
    return frames >= LEAST_FRAMES if frames > 0 else pixels(size) <= pixels(FULL_HD)


def set_size(device: Any, size: tuple[int, int]) -> None:
    device.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    device.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])


def pixels(size: tuple[int, int]) -> int:
    return size[0] * size[1]


def _video(which: int | str) -> cv2.VideoCapture:
    # a lost camera is reported once by us; OpenCV would log every attempt
    limit_log(ERRORS)
    return cv2.VideoCapture(which)


ERRORS = 2  # level of OpenCV's log


def limit_log(level: int) -> None:
    """Limit OpenCV's log to a level; versions 4 and 5 name the function differently."""
    versions: tuple[Any, ...] = (cv2, getattr(cv2.utils, "logging", None))
    set_level = next(each.setLogLevel for each in versions if hasattr(each, "setLogLevel"))
    set_level(level)


MANUAL, CONTINUOUS = 0, 2
"""libcamera's autofocus modes: manual and continuous."""
SLOWEST = 100_000
"""Longest frame in microseconds: in the evening, a longer exposure is better than a grainy picture."""
FASTEST = 66_666  # shortest frame in microseconds: the rate of the eyes; unused frames cost time, too
FREE = {"AeEnable": True, "AwbEnable": True, "AfMode": CONTINUOUS}  # automatic light and focus
HELD_BY_PI = (
    "AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable", "ColourGains", "AfMode", "LensPosition",
)  # fmt: skip
"""Controls that lock light and focus at a frame's values."""
MAINS = 50  # usual mains frequency in hertz
BY_PERIOD = 1  # libcamera's flicker mode in which exposures are multiples of a given period


class PiCamera(DeviceCamera):
    """The Pi's own camera, in one fixed configuration that reads the whole sensor."""

    following = FREE

    def __init__(
        self, mains: int = MAINS, thrift: Thrift = PLENTY, name: str = "pi", number: int = 0, **settings: Any
    ) -> None:
        super().__init__(name, **settings)
        try:
            self._maker = import_module("picamera2").Picamera2
        except ImportError as error:
            raise CameraTroubleError("no picamera2", camera="pi") from error
        self._number, self._mains, self._thrift, self._model = number, mains, thrift, ""

    def optics(self) -> Optics | None:
        """Return the optics of a known camera once it was opened, else None."""
        known = optics_of(self._model)
        return None if known is None else made_smaller(known, self._thrift.share)

    def facts(self) -> CameraFacts:
        """Return the report, with frames in unlocked and in locked light; the camera is stopped after it."""
        free = self._ask(lambda device: frames_of(device, FREE_FRAMES))
        self.lock()
        held = self._ask(lambda device: frames_of(device, HELD_FRAMES, is_held=True))
        return self._ask(lambda device: camera_facts(device, self._wished, [*free, *held]))

    def _hold_light(self, device: Any) -> None:
        now = {**device.capture_metadata(), "AeEnable": False, "AwbEnable": False, "AfMode": MANUAL}
        self._wished = {name: now[name] for name in HELD_BY_PI if now.get(name) is not None}
        self._set_controls(device)

    def _set_controls(self, device: Any) -> None:
        # unsupported controls would be an error
        known = {name: value for name, value in self._wished.items() if name in device.camera_controls}
        if known:
            device.set_controls(known)

    def _open(self) -> Any:
        try:
            device = self._maker(self._number) if self._number else self._maker()
        except IndexError as error:  # picamera2 raises it if there is no camera
            raise CameraTroubleError("missing", camera=self.name) from error
        except Exception as error:
            raise CameraTroubleError("busy", camera=self.name, why=str(error)) from error
        try:
            self._model = str(device.camera_properties.get("Model", ""))
            wish = _configuration(device, self._model, self._mains, self._thrift)
            device.configure(device.create_video_configuration(**wish))
            device.start()
            self._set_controls(device)
        except Exception as error:
            with suppress(Exception):
                device.close()
            raise CameraTroubleError("busy", camera=self.name, why=str(error)) from error
        return device

    def _read_frame(self, device: Any) -> Picture:
        return np.asarray(device.capture_array("main"), np.uint8)

    def _close_device(self, device: Any) -> None:
        device.stop()
        device.close()


def _configuration(device: Any, model: str, mains: int, thrift: Thrift) -> dict[str, Any]:
    """Return the configuration with the mode that reads the whole sensor; an unknown camera keeps its own."""
    optics = optics_of(model) or UNKNOWN
    # picamera2's RGB888 gives arrays of blue, green, red
    main = {"size": made_smaller(optics, thrift.share).mode, "format": "RGB888"}
    whole = {} if optics is UNKNOWN else {"sensor": {"output_size": optics.mode}}
    # a lamp flickers twice per mains period
    begun = {
        "FrameDurationLimits": (FASTEST, SLOWEST),
        "AfMode": CONTINUOUS,
        "AeFlickerMode": BY_PERIOD,
        "AeFlickerPeriod": round(1_000_000 / (2 * mains)),
    }
    known = {name: value for name, value in begun.items() if name in device.camera_controls}
    # without this, picamera2 would allocate buffers for raw pictures, too
    return {"main": main, "raw": None, "buffer_count": thrift.buffers, "controls": known, **whole}


def open_camera(
    name: str, mains: int = MAINS, thrift: Thrift = PLENTY, size: tuple[int, int] | None = None
) -> Camera:
    """Open a camera by name: `pi`, `pi:1`, `usb:0`, `/dev/video0`, a network address, or a file's.

    `folder:PATH`, `file:PATH` and `live:PATH` are files: pictures, one picture or a video, a changing picture.
    A USB camera's picture size may follow its name, as in `usb:0@1280x720`; otherwise `size` applies.
    """
    kind, _colon, rest = name.partition(":")
    if (pi := PI.fullmatch(name)) is not None:
        return PiCamera(mains, thrift, name, int(pi[1] or 0))
    if (usb := USB.fullmatch(name)) is not None:
        number, device, width, height = usb.groups()
        named = size if width is None else (int(width), int(height))
        return UsbCamera(int(number) if number else device, named, most=thrift.largest)
    if name == PHONE:
        raise CameraTroubleError("browser only", camera=name)
    if is_network(name):
        # few tables need what a network loads
        from vision.table.network_cameras import NetworkCamera  # noqa: PLC0415

        return NetworkCamera(name)
    if kind in {"folder", "file"} and rest:
        return FolderCamera(Path(rest))
    if kind == "live" and rest:
        return live_camera(Path(rest))
    raise CameraTroubleError("no such kind", camera=name)
