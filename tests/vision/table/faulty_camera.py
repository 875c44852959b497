"""A Pi's camera that fails as cameras do, in the eyes' own process; the test controls it by a file.

`Faulty(folder)` writes a `picamera2` that the eyes import; what it shows and how it fails can be changed at any
time, even while the eyes hold it, hang in it or are replaced.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Fault = Literal[
    "unplugged",
    "busy",
    "opening hangs",
    "reading hangs",
    "closing hangs",
    "slow",
    "frozen",
    "stuck",
    "black",
    "white",
    "glaring",
    "half",
    "half black",
    "half old",
    "small",
    "garbage",
]
FAULTS: tuple[Fault, ...] = get_args(Fault)

FOUND_BY = "from tests.vision.table.faulty_camera import camera\n\nPicamera2 = camera({folder!r})\n"
FRAME = 1 / 15  # seconds from picture to picture
SLOW = 3.0
SPECKLE = 4  # how strong a sensor's noise is, in steps of grey
HELD = "held"
NOISES = 7
GREY = 128  # the value that a decoder leaves where data is missing


class Faulty:
    """The test's control of the camera: what it shows, and its fault."""

    def __init__(self, folder: Path, picture: Picture) -> None:
        self.folder = folder
        self._plugged = 0
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "picamera2.py").write_text(FOUND_BY.format(folder=str(folder)), encoding="utf-8")
        self.show(picture)
        self.fail(None)

    def show(self, picture: Picture) -> None:
        draft = self.folder / "draft.npy"
        np.save(draft, picture)
        draft.replace(self.folder / "picture.npy")

    @property
    def is_held(self) -> bool:
        return (self.folder / HELD).exists()

    def fail(self, fault: Fault | None) -> None:
        # a camera that was pulled out has lost its lock
        self._plugged += fault in {"unplugged", "busy", "opening hangs"}
        draft = self.folder / "draft.json"
        draft.write_text(json.dumps([fault, self._plugged]), encoding="ascii")
        draft.replace(self.folder / "fault.json")


def camera(folder: str) -> type[Any]:
    """Make the class that the eyes know as `Picamera2`."""
    return type("Picamera2", (_Picamera2,), {"folder": Path(folder)})


class _Picamera2:
    """The used part of picamera2."""

    folder: Path
    camera_properties: Mapping[str, str] = {}
    camera_controls = dict.fromkeys(("AeEnable", "ExposureTime", "AnalogueGain", "AwbEnable"), (0, 1, 0))

    def __init__(self) -> None:
        fault, self._plug = self._wrong()
        if fault == "opening hangs":
            Event().wait()
        if fault == "unplugged":
            raise IndexError("list index out of range")
        if fault == "busy":
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self._kept: tuple[int, Picture] = (-1, np.zeros((1, 1, 3), np.uint8))
        high, wide, _colours = self._picture().shape
        self._noise = np.random.default_rng().integers(0, SPECKLE, (high + NOISES, wide, 3), np.uint8)
        self._number, self._next = 0, monotonic()
        self._last = self._picture()
        self._is_stuck = False
        self._held_in: str | None = None
        (self.folder / HELD).unlink(missing_ok=True)

    def create_video_configuration(self, **wish: Any) -> dict[str, Any]:
        return wish

    def configure(self, _wish: dict[str, Any]) -> None:
        """Take any wish."""

    def start(self) -> None:
        """Begin to take pictures."""

    def stop(self) -> None:
        if self._wrong()[0] == "closing hangs":
            Event().wait()

    def close(self) -> None:
        """Let go."""

    def set_controls(self, controls: dict[str, Any]) -> None:
        (self.folder / HELD).unlink(missing_ok=True)
        self._held_in = None if controls["AeEnable"] else self._light()
        if self._held_in:
            (self.folder / HELD).touch()

    def capture_metadata(self) -> dict[str, Any]:
        return {"ExposureTime": 9000, "AnalogueGain": 2.0}

    def capture_array(self, _stream: str) -> Picture:
        fault, plug = self._wrong()
        if plug != self._plug or fault == "closing hangs":
            raise RuntimeError("Camera frontend has timed out!")
        if fault == "reading hangs":
            Event().wait()
        self._next = max(self._next + FRAME, monotonic() + (SLOW if fault == "slow" else 0.0))
        sleep(max(0.0, self._next - monotonic()))  # pictures come at a camera's pace
        self._is_stuck |= fault == "stuck"
        if fault != "frozen" and not self._is_stuck:
            self._last = self._spoil(fault)
        return self._last

    def _spoil(self, fault: Fault | None) -> Picture:
        self._number += 1
        shown = self._picture()
        noise = self._noise[self._number % NOISES :][: shown.shape[0]]
        if self._held_in not in {None, self._light()}:
            # a light was switched on or off, and the exposure is held as it was
            shown = _overexpose(shown) if self._held_in == "dim" else shown // 16
        picture = np.where(shown > 255 - SPECKLE, shown, shown + noise).astype(np.uint8)
        middle = picture.shape[0] // 2
        match fault:
            case "black":
                return noise
            case "white":
                return np.full_like(picture, 255)
            case "half" | "half black":
                picture[middle:] = GREY if fault == "half" else 0
            case "half old":
                picture[middle:] = self._last[middle:]
            case "small":
                return np.ascontiguousarray(picture[::2, ::2])
            case "garbage":
                return np.random.default_rng(self._number).integers(0, 256, picture.shape, np.uint8)
            case _:
                pass
        return picture

    def _light(self) -> str:
        return "bright" if self._wrong()[0] == "glaring" else "dim"

    def _wrong(self) -> tuple[Fault | None, int]:
        fault, plugged = json.loads((self.folder / "fault.json").read_text(encoding="ascii"))
        return fault, plugged

    def _picture(self) -> Picture:
        file = self.folder / "picture.npy"
        now = file.stat().st_mtime_ns
        if self._kept[0] != now:
            self._kept = now, np.load(file)
        return self._kept[1]


def _overexpose(picture: Picture) -> Picture:
    return np.minimum(picture.astype(np.uint16) * 16 + 180, 255).astype(np.uint8)
