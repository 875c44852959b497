"""Where pictures come from: cameras, folders, videos, another program. What fails is said as data.

A camera may hang for ever in its driver, so every call has a time-out; one that hangs is given up, and the
process that holds it is best started anew. A camera that is gone is looked for again whenever somebody asks.
"""

import os
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import Any, Protocol, TypeVar

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.pictures import unpack_picture
from vision.troubles import Problem, TroubleError

Picture = NDArray[np.uint8]
T = TypeVar("T")

MAIN = (2028, 1520)
SMALL = (512, 384)
"""The low-resolution stream; its width is one that needs no padding."""
PATIENCE, OPENING, LOADING = 2.0, 10.0, 16.0
"""Seconds that a picture may take, opening a camera, and loading what opens it: picamera2 takes its time."""
AGAIN = 1.0
"""Seconds between two tries to open a camera that is gone."""
HANGS = "hangs"
"""What trouble has among its values if a call never came back: it holds its camera for good."""
WARM = 12
"""Pictures that a camera takes before it has found its exposure."""
STILLS = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp"})


class CameraTroubleError(TroubleError):
    """A camera that gives no picture: missing, busy, gone, too slow, frozen, black, too bright or garbled."""


class Camera(Protocol):
    """Something that gives pictures."""

    def picture(self) -> Picture | None:
        """Take the next picture (blue, green, red); None when there are no more."""

    def lock(self) -> None:
        """Hold exposure and white balance as they are now, where the camera can."""

    def unlock(self) -> None:
        """Let exposure and white balance follow the light again."""

    def close(self) -> None:
        """Let go of the device."""


# a folder or a video


class FolderCamera:
    """The pictures of a folder in the order of their names, one picture, or the frames of a video."""

    def __init__(self, path: Path) -> None:
        """Look whether there is anything to show."""
        if not path.exists():
            raise CameraTroubleError("missing", camera=str(path))
        self._pictures = _folder_pictures(path) if path.is_dir() else _file_pictures(path)

    def picture(self) -> Picture | None:
        """Take the next picture; files that are none are passed over."""
        return next(self._pictures, None)

    def lock(self) -> None:
        """Leave the pictures as they were taken."""

    def unlock(self) -> None:
        """Leave the pictures as they were taken."""

    def close(self) -> None:
        """Show no more."""
        self._pictures = iter(())


def _folder_pictures(folder: Path) -> Iterator[Picture]:
    for file in sorted(file for file in folder.iterdir() if file.suffix.lower() in STILLS):
        picture = _load_picture(file)
        if picture is not None:
            yield picture


def _load_picture(file: Path) -> Picture | None:
    """Load a picture; a file that is none, or too large for any, gives none."""
    try:
        return unpack_picture(file.read_bytes())
    except OSError:
        return None


def _file_pictures(file: Path) -> Iterator[Picture]:
    if file.suffix.lower() in STILLS:
        picture = _load_picture(file)
        if picture is None:
            raise CameraTroubleError("missing", camera=str(file))
        yield picture
        return
    yield from _video_frames(file)


def _video_frames(file: Path) -> Iterator[Picture]:
    video = cv2.VideoCapture(str(file))
    try:
        if not video.isOpened():
            raise CameraTroubleError("missing", camera=str(file))
        while True:
            there, picture = video.read()
            if not there:
                return
            yield np.asarray(picture, np.uint8)
    finally:
        video.release()


# pictures that another program puts in place of each other


class LiveCamera:
    """A file that another program replaces with every frame, as the twin does.

    The file is replaced whole (`show_live`). One that is gone is a camera that was unplugged; one that isn't
    replaced any more is frozen.
    """

    def __init__(
        self, file: Path, patience: float = PATIENCE, clock: Callable[[], float] = monotonic, nap: float = 0.004
    ) -> None:
        """Take the file's name; it needn't be there yet."""
        self.name, self._file = f"live:{file}", file
        self._patience, self._clock, self._nap = patience, clock, nap
        self._shown: tuple[int, int] | None = None

    def picture(self) -> Picture | None:
        """Wait for the next frame."""
        end = self._clock() + self._patience
        while (frame := self._next()) is None:
            if self._clock() >= end:
                raise CameraTroubleError("frozen", camera=self.name)
            sleep(self._nap)
        return frame

    def lock(self) -> None:
        """Leave the light to whoever makes the frames."""

    def unlock(self) -> None:
        """Leave the light to whoever makes the frames."""

    def close(self) -> None:
        """Hold nothing."""

    def _next(self) -> Picture | None:
        """Load the file, if it is another than that which was shown last."""
        try:
            with self._file.open("rb") as file:
                status = os.fstat(file.fileno())
                which = (status.st_ino, status.st_mtime_ns)
                content = file.read() if which != self._shown else None
        except OSError as error:
            raise CameraTroubleError("missing", camera=self.name) from error
        if content is None:
            return None
        self._shown = which
        frame = unpack_picture(content)
        if frame is None:
            raise CameraTroubleError("gone", camera=self.name)
        return frame


def show_live(file: Path, picture: Picture) -> None:
    """Put a frame where a `live:` camera looks for it: beside it first, so that nobody sees half of it."""
    draft = file.with_name(f".{file.name}.{os.getpid()}")
    # a bitmap takes no time to pack and unpack
    draft.write_bytes(cv2.imencode(".bmp", picture)[1].tobytes())
    draft.replace(file)


# calls that may hang


class Worker:
    """A thread that makes calls which may never come back; it never keeps the process from ending."""

    def __init__(self) -> None:
        """Wait for the first call."""
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: Thread | None = None
        self.stuck = False

    def call(self, what: Callable[[], T], seconds: float, camera: str) -> T:
        """Make a call; one that takes too long is trouble, and so is each one after it until it comes back."""
        answers: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()
        if self.stuck:
            raise CameraTroubleError("too slow", camera=camera, seconds=seconds)
        if self._thread is None:
            self._thread = Thread(target=self._work, daemon=True)
            self._thread.start()
        self.stuck = True
        self._calls.put(lambda: answers.put(_outcome(what, self)))
        try:
            value, error = answers.get(timeout=seconds)
        except Empty:
            raise CameraTroubleError("too slow", camera=camera, seconds=seconds) from None
        if error is not None:
            try:
                raise error
            finally:
                # it holds this frame, and this frame would hold it, and the camera with both
                del error
        return value  # type: ignore[return-value]

    def end(self) -> None:
        """Let the thread go, as soon as it is free."""
        self._calls.put(None)

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            call()
            # waiting for the next one, it would hold what this one was about
            del call


def _outcome(what: Callable[[], T], worker: Worker) -> tuple[T | None, BaseException | None]:
    try:
        return what(), None
    except BaseException as error:  # noqa: BLE001 - it is raised again where the call was made
        return None, error.with_traceback(None)
    finally:
        worker.stuck = False


class _Device(ABC):
    """A camera on a cable: opened when it is needed, given up when it fails, tried again after a while."""

    def __init__(
        self,
        name: str,
        patience: float = PATIENCE,
        clock: Callable[[], float] = monotonic,
        again: float = AGAIN,
    ) -> None:
        """Take its name; nothing is opened yet."""
        self.name, self._patience, self._clock, self._again = name, patience, clock, again
        self._worker = Worker()
        self._device: Any = None
        self._next = float("-inf")
        self._last = Problem("missing", {"camera": name})

    def picture(self) -> Picture | None:
        """Take a picture, or say why there is none."""
        return self._take_picture(self._read_frame)

    def close(self) -> None:
        """Let go of the device; the next picture opens it anew."""
        self._give_up()
        self._worker.end()
        self._worker = Worker()

    def _take_picture(self, read: Callable[[Any], Picture]) -> Picture:
        device = self._ensure_open()
        return self._call_device(lambda: read(device), self._patience)

    def _call_device(self, what: Callable[[], T], seconds: float) -> T:
        """Make a call to the device; whatever goes wrong with it is trouble, and it is given up."""
        try:
            return self._worker.call(what, seconds, self.name)
        except CameraTroubleError as error:
            self._note_failure(error.problem)
            raise CameraTroubleError(self._last.key, **self._last.values) from error
        except Exception as error:
            self._note_failure(Problem("gone", {"camera": self.name, "why": str(error)}))
            raise CameraTroubleError(self._last.key, **self._last.values) from error

    def _ensure_open(self) -> Any:
        if self._device is None:
            if self._clock() < self._next:
                raise CameraTroubleError(self._last.key, **self._last.values)
            self._call_device(self._load, LOADING)
            self._device = self._call_device(self._open, OPENING)
        return self._device

    def _note_failure(self, problem: Problem) -> None:
        values = {**problem.values, HANGS: 1} if self._give_up() else problem.values
        self._next, self._last = self._clock() + self._again, Problem(problem.key, values)

    def _give_up(self) -> bool:
        """Close the device; where it hangs, leave it with its thread, and tell so."""
        device, self._device = self._device, None
        if device is not None and not self._worker.stuck:
            with suppress(Exception):
                self._worker.call(lambda: self._close_device(device), self._patience, self.name)
        is_left = self._worker.stuck
        if is_left:
            self._worker.end()
            self._worker = Worker()
        return is_left

    @abstractmethod
    def _load(self) -> None:
        """Load what opens the device."""

    @abstractmethod
    def _open(self) -> Any:
        """Open the device."""

    @abstractmethod
    def _read_frame(self, device: Any) -> Picture:
        """Take a picture."""

    @abstractmethod
    def _close_device(self, device: Any) -> None:
        """Close the device."""


# a camera on USB


class UsbCamera(_Device):
    """A camera that OpenCV can open, by its number or its device."""

    def __init__(
        self,
        which: int | str,
        opened: Callable[[int | str], Any] | None = None,
        **settings: Any,
    ) -> None:
        """Take its number or path."""
        super().__init__(f"usb:{which}" if isinstance(which, int) else which, **settings)
        self._which, self._make = which, opened or _video

    def _load(self) -> None:
        """Load nothing: OpenCV is there."""

    def _open(self) -> Any:
        device = self._make(self._which)
        if not device.isOpened():
            path = Path(f"/dev/video{self._which}" if isinstance(self._which, int) else self._which)
            raise CameraTroubleError("busy" if path.exists() else "missing", camera=self.name)
        device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        device.set(cv2.CAP_PROP_FRAME_WIDTH, 1920)
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, 1080)
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        return device

    def _read_frame(self, device: Any) -> Picture:
        there, picture = device.read()
        if not there or picture is None:
            raise CameraTroubleError("gone", camera=self.name)
        return np.asarray(picture, np.uint8)

    def _close_device(self, device: Any) -> None:
        device.release()

    def lock(self) -> None:
        """Leave the light to the camera: few webcams agree on how they are told to hold it."""

    def unlock(self) -> None:
        """Leave the light to the camera."""


def _video(which: int | str) -> cv2.VideoCapture:
    return cv2.VideoCapture(which)


# the Pi's camera


class PiCamera(_Device):
    """The Pi's own camera: one configuration for ever, and light that can be locked."""

    def __init__(self, **settings: Any) -> None:
        """Take settings; picamera2 is looked for when the first picture is."""
        super().__init__("pi", **settings)
        self._locked: dict[str, Any] = {}

    def small_picture(self) -> Picture:
        """Take a small grey picture from the low-resolution stream."""
        return self._take_picture(_capture_small)

    def lock(self) -> None:
        """Hold exposure and white balance as they are now, also when the camera comes back after a fault."""
        self._tell_device(self._hold_light)

    def unlock(self) -> None:
        """Let exposure and white balance follow the light again."""
        self._locked = {"AeEnable": True, "AwbEnable": True}
        self._tell_device(self._set_controls)

    def _tell_device(self, say: Callable[[Any], None]) -> None:
        device = self._ensure_open()
        self._call_device(lambda: say(device), self._patience)

    def _hold_light(self, device: Any) -> None:
        now = device.capture_metadata()
        wished = {
            "AeEnable": False,
            "ExposureTime": now.get("ExposureTime"),
            "AnalogueGain": now.get("AnalogueGain"),
            "AwbEnable": False,
            "ColourGains": now.get("ColourGains"),
        }
        self._locked = {name: value for name, value in wished.items() if value is not None}
        self._set_controls(device)

    def _set_controls(self, device: Any) -> None:
        """Set what is locked; a control that this camera doesn't have would be an error."""
        known = {name: value for name, value in self._locked.items() if name in device.camera_controls}
        if known:
            device.set_controls(known)

    def _load(self) -> None:
        _picamera2()

    def _open(self) -> Any:
        device = _pi_device()
        try:
            wish = {"size": MAIN, "format": "RGB888"}  # its arrays are blue, green, red
            small = {"size": SMALL, "format": "YUV420"}
            device.configure(device.create_video_configuration(main=wish, lores=small, buffer_count=3))
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


def _picamera2() -> Any:
    try:
        return import_module("picamera2")
    except ImportError as error:
        raise CameraTroubleError("no picamera2", camera="pi") from error


def _pi_device() -> Any:
    maker = _picamera2().Picamera2
    try:
        return maker()
    except IndexError as error:  # how picamera2 says that there is no camera
        raise CameraTroubleError("missing", camera="pi") from error
    except Exception as error:
        raise CameraTroubleError("busy", camera="pi", why=str(error)) from error


def _capture_small(device: Any) -> Picture:
    """Take the brightness part of the small stream: the rows above its colours."""
    return np.asarray(device.capture_array("lores")[: SMALL[1], : SMALL[0]], np.uint8)


# what a sequence of pictures tells of its camera


class Glance(Struct, frozen=True):
    """What is kept of a picture to judge its camera by."""

    size: tuple[int, int]
    traces: tuple[int | None, ...]
    """For each strip of the picture, the same for the same bytes; none where no noise can be seen."""
    top: float
    """The level that one pixel of a hundred exceeds."""
    blown: float
    """The share of pixels that are white."""
    missing: float
    """The share of rows that are of one colour from side to side, on one half only: nothing came there."""
    grain: float
    """How many levels a pixel differs from the next one: what a lens shows is soft."""


FROZEN = 5
STRIPS = 4
BLACK = 16.0
WHITE = 250
BLOWN = 0.6
MISSING, GRAIN = 0.05, 40.0
USED_TO = 30
"""Pictures of another size after which a camera is taken at its word."""
ANEW = 15
"""Pictures after which a camera that was opened anew, and is still frozen, is so again."""


def glance_at(picture: Picture) -> Glance:
    """Keep of a picture what its camera is judged by."""
    coarse = np.ascontiguousarray(picture[::8, ::8])
    beside = picture[::8, 1::8]
    rows = (coarse == coarse[:, :1]).all(axis=(1, 2)) & (coarse < WHITE).any(axis=(1, 2))
    return Glance(
        (picture.shape[1], picture.shape[0]),
        tuple(_trace(strip) for strip in np.array_split(coarse, STRIPS)),
        float(np.percentile(coarse, 99)),
        float((coarse >= WHITE).mean()),
        # bars above and below belong to some cameras
        float((rows & ~rows[::-1]).mean()),
        float(cv2.absdiff(coarse[:, : beside.shape[1]], np.ascontiguousarray(beside)).mean()),
    )


def _trace(strip: Picture) -> int | None:
    has_noise = strip.size and strip.max() >= BLACK and strip.min() < WHITE
    return zlib.crc32(strip.data) if has_noise else None


def camera_fault(glances: Sequence[Glance], same: int = FROZEN, before: str | None = None) -> str | None:
    """Say what is wrong with a camera by its last pictures: black, too bright, garbled, frozen, or nothing."""
    if not glances:
        return None
    last = glances[-1]
    if last.top < BLACK:
        return "black"
    if last.blown > BLOWN:
        return "too bright"
    if last.missing > MISSING or last.grain > GRAIN:
        return "garbled"
    return "frozen" if _is_standing_still(glances[-same:], same, before) else None


def _is_standing_still(glances: Sequence[Glance], same: int, before: str | None) -> bool:
    """Tell whether a part of the picture never changes; after that it is trusted once it always does."""
    # a live sensor has noise: no two of its pictures are the same
    strips = zip(*(each.traces for each in glances), strict=True)
    changes = [[one != other for one, other in pairwise(traces)] for traces in strips if None not in traces]
    enough = all if before == "frozen" else any
    return len(glances) >= same and not all(enough(each) for each in changes)


class WatchedCamera:
    """A live camera whose pictures are judged as they come; while it is frozen, it is opened anew."""

    def __init__(self, camera: Camera, same: int = FROZEN) -> None:
        """Take a camera that should be alive."""
        self.camera, self._same = camera, same
        self._glances: tuple[Glance, ...] = ()
        self._wrong: str | None = None
        self._size: tuple[int, int] | None = None
        self._resized = self._frozen = 0

    def picture(self) -> Picture | None:
        """Take a picture; one that can't be trusted is trouble."""
        picture = self.camera.picture()
        if picture is None:
            return None
        glance = glance_at(picture)
        self._glances = (*self._glances, glance)[-self._same :]
        self._wrong = camera_fault(self._glances, self._same, self._wrong)
        if self._is_resized(glance.size):
            self._wrong = self._wrong or "garbled"
        if self._wrong == "frozen" and self._frozen % ANEW == 0:
            self.camera.close()
        self._frozen = self._frozen + 1 if self._wrong == "frozen" else 0
        if self._wrong is not None:
            raise CameraTroubleError(self._wrong, camera=getattr(self.camera, "name", ""))
        return picture

    def _is_resized(self, size: tuple[int, int]) -> bool:
        """Tell whether a picture has another size than those before; if it stays so, it is the camera's now."""
        self._resized = 0 if size == self._size else self._resized + 1
        if self._size is None or self._resized > USED_TO:
            self._size, self._resized = size, 0
        return size != self._size

    def lock(self) -> None:
        """Hold its light."""
        self.camera.lock()

    def unlock(self) -> None:
        """Let its light go."""
        self.camera.unlock()

    def close(self) -> None:
        """Let go of the camera."""
        self.camera.close()


def is_live(name: str) -> bool:
    """Tell whether pictures of a camera by this name are of now."""
    return not name.startswith(("folder:", "file:"))


def open_camera(name: str) -> Camera:
    """Open a camera by name: `pi`, `usb:0`, `/dev/video0`, `folder:PATH`, `file:PATH` or `live:PATH`."""
    kind, _colon, rest = name.partition(":")
    if name == "pi":
        return PiCamera()
    if kind == "usb" and rest.isdecimal():
        return UsbCamera(int(rest))
    if name.startswith("/dev/"):
        return UsbCamera(name)
    if kind in {"folder", "file"} and rest:
        return FolderCamera(Path(rest))
    if kind == "live" and rest:
        return LiveCamera(Path(rest))
    raise CameraTroubleError("no such kind", camera=name)
