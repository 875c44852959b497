"""The camera interface, file cameras, and checks for black, overexposed, garbled and frozen pictures."""

import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep, time

import cv2
import numpy as np
from msgspec import Struct

from vision.pictures import Picture, load_picture, unpack_picture
from vision.table.camera_names import PHONE, PHONE_FRAMES, is_network, shown_name
from vision.table.values import Optics
from vision.troubles import TroubleError

FRAME_TIMEOUT, LONGEST = 2.0, 30.0  # seconds allowed for a picture: of a connected camera, of any other source
WARM = 12  # pictures until a camera's exposure has settled


class CameraTroubleError(TroubleError):
    """No usable picture: the camera is missing, busy, gone, too slow, frozen, black, too bright or garbled."""


def slow_camera(name: str, seconds: float) -> CameraTroubleError:
    """Return the error of a camera that sends no picture in time; it says what to check for its kind."""
    shown = shown_name(name)
    key = "phone lost" if shown == PHONE else "stream slow" if is_network(shown) else "too slow"
    return CameraTroubleError(key, camera=shown, seconds=seconds)


class Camera:
    """A source of pictures. Methods that a source doesn't support do nothing."""

    @property
    def patience(self) -> float:
        """Return the seconds after which a missing picture means that the camera hangs."""
        return LONGEST

    def picture(self) -> Picture | None:
        """Return the next picture (blue, green, red); None after the last one."""
        raise NotImplementedError

    def optics(self) -> Optics | None:
        """Return the optics; None if they are unknown, or not known yet."""

    def lock(self) -> None:
        """Lock exposure and white balance, if the camera supports it."""

    def unlock(self) -> None:
        """Unlock exposure and white balance."""

    def close(self) -> None:
        """Release the device."""


class Glance(Struct, frozen=True):
    """Measurements of a picture for checking its camera."""

    size: tuple[int, int]
    traces: tuple[int | None, ...]  # checksum of each strip; None if black or white hides the sensor's noise
    top: float  # 99 % quantile of the levels
    blown: float  # share of white pixels
    missing: float
    """Share of rows of a single colour in only one half of the picture: data that never arrived."""
    grain: float  # mean difference of neighbouring pixels in levels: pictures of a lens are smooth


FROZEN = 5  # consecutive pictures with an identical part that mean a frozen camera
BLACK = 16.0  # level below which a picture is black
WHITE = 250  # level from which on a pixel is white
BLOWN = 0.6  # share of white pixels above which a picture is too bright
MISSING, GRAIN = 0.05, 40.0  # limits of `Glance.missing` and `Glance.grain` for a garbled picture
USED_TO = 30  # consecutive pictures of another size after which that size is accepted
ANEW = 15  # pictures between attempts to reopen a frozen camera


def glance_at(picture: Picture) -> Glance:
    coarse, beside = _coarse(picture), _coarse(picture[:, 1:] if picture.shape[1] > 1 else picture)
    levels = cv2.calcHist([coarse.reshape(-1)], [0], None, [256], [0, 256]).ravel().cumsum() / coarse.size
    # rows of a single colour that isn't white
    plain = (coarse == coarse[:, :1]).reshape(len(coarse), -1).all(axis=1)
    plain &= (coarse[:, 0] < WHITE).any(axis=1)
    return Glance(
        (picture.shape[1], picture.shape[0]),
        tuple(
            zlib.crc32(strip.data) if strip.size and strip.max() >= BLACK and strip.min() < WHITE else None
            for strip in np.array_split(coarse, 4)
        ),
        float(np.searchsorted(levels, 0.99)),
        float(1 - levels[WHITE - 1]),
        # some cameras add bars above and below
        float((plain & ~plain[::-1]).mean()),
        float(np.mean(cv2.mean(cv2.absdiff(coarse[:, : beside.shape[1]], beside))[:3])),
    )


def _coarse(picture: Picture) -> Picture:
    high, wide = (max(1, side // 8) for side in picture.shape[:2])
    # much faster than slicing with a step in NumPy
    whole = picture[: 8 * high, : 8 * wide]
    return np.asarray(cv2.resize(whole, (wide, high), interpolation=cv2.INTER_NEAREST), np.uint8)


def camera_fault(glances: Sequence[Glance], before: str | None = None) -> str | None:
    """Return the fault in a camera's latest pictures: black, too bright, garbled, frozen, or None."""
    if not glances:
        return None
    last = glances[-1]
    if last.top < BLACK:
        return "black"
    if last.blown > BLOWN:
        return "too bright"
    if last.missing > MISSING or last.grain > GRAIN:
        return "garbled"
    # a live sensor has noise, so no two pictures are equal; a frozen camera must change in every picture
    strips = zip(*(each.traces for each in glances[-FROZEN:]), strict=True)
    changes = [[one != other for one, other in pairwise(traces)] for traces in strips if None not in traces]
    enough = all if before == "frozen" else any
    return "frozen" if len(glances) >= FROZEN and not all(enough(each) for each in changes) else None


class WatchedCamera:
    """Checks each picture of a live camera, and reopens a frozen one."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self._glances: tuple[Glance, ...] = ()
        self._wrong: str | None = None
        self._size: tuple[int, int] | None = None
        self._resized = self._frozen = 0

    def picture(self) -> Picture | None:
        """Return the next picture; raises `CameraTroubleError` if it is faulty."""
        picture = self.camera.picture()
        if picture is None:
            return None
        glance = glance_at(picture)
        self._glances = (*self._glances, glance)[-FROZEN:]
        self._wrong = camera_fault(self._glances, self._wrong)
        if self._is_resized(glance.size):
            self._wrong = self._wrong or "garbled"
        if self._wrong == "frozen" and self._frozen % ANEW == 0:
            self.camera.close()
        self._frozen = self._frozen + 1 if self._wrong == "frozen" else 0
        if self._wrong is not None:
            name = getattr(self.camera, "name", "")
            is_stream = self._wrong == "frozen" and is_network(name)
            raise CameraTroubleError("repeating" if is_stream else self._wrong, camera=name)
        return picture

    def _is_resized(self, size: tuple[int, int]) -> bool:
        """Return whether a picture's size is unusual; a size that lasts becomes the usual one."""
        self._resized = 0 if size == self._size else self._resized + 1
        if self._size is None or self._resized > USED_TO:
            self._size, self._resized = size, 0
        return size != self._size


class SentPictures:
    """Checks each picture of a browser by itself: pictures may repeat exactly, and turn with the phone."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera

    def picture(self) -> Picture | None:
        """Return the next picture; raises `CameraTroubleError` if it is faulty."""
        picture = self.camera.picture()
        fault = None if picture is None else camera_fault((glance_at(picture),))
        if fault is not None:
            raise CameraTroubleError(fault, camera=getattr(self.camera, "name", ""))
        return picture


PHONE_TIMEOUT = 5.0
"""Seconds without a picture after which the browser counts as lost; at rest it sends one each second."""
LIVE = 15.0
"""Seconds allowed for another program's next frame: on a busy machine, drawing is slow."""
NAP = 0.004  # seconds between checks of its file
STILLS = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp"})


class FolderCamera(Camera):
    """The pictures of a folder in order of name, a single picture, or the frames of a video."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise CameraTroubleError("missing", camera=str(path))
        self._pictures = _pictures_at(path)

    def picture(self) -> Picture | None:
        return next(self._pictures, None)

    def close(self) -> None:
        self._pictures = iter(())


def _pictures_at(path: Path) -> Iterator[Picture]:
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix.lower() in STILLS)
        yield from (picture for file in files if (picture := load_picture(file)) is not None)
    elif path.suffix.lower() in STILLS:
        picture = load_picture(path)
        if picture is None:
            raise CameraTroubleError("missing", camera=str(path))
        yield picture
    else:
        yield from _video_frames(path)


def _video_frames(file: Path) -> Iterator[Picture]:
    video = cv2.VideoCapture(str(file))
    try:
        if not video.isOpened():
            raise CameraTroubleError("missing", camera=str(file))
        while (frame := video.read())[0]:
            yield np.asarray(frame[1], np.uint8)
    finally:
        video.release()


class LiveCamera(Camera):
    """A file that another program, such as the twin, replaces with each frame by `show_live`.

    A missing file counts as an unplugged camera; a file that isn't replaced for long, as a slow one. A frozen
    camera is simulated by the same frame in new files.
    """

    timeout = LIVE

    def __init__(self, file: Path, clock: Callable[[], float] = monotonic) -> None:
        """Create the camera; the file needn't exist yet."""
        self.name, self._file, self._clock = shown_name(f"live:{file}"), file, clock
        self._shown: tuple[int, int] | None = None

    def picture(self) -> Picture | None:
        end = self._clock() + self.timeout
        while (frame := self._next()) is None:
            if self._clock() >= end:
                raise slow_camera(self.name, self.timeout)
            sleep(NAP)
        return frame

    def _next(self) -> Picture | None:
        """Return the file's picture if it was replaced since the last call, else None."""
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


class PhoneCamera(LiveCamera):
    """The pictures that a browser sends, a phone's or this computer's.

    A missing or outdated file means that nothing was sent lately.
    """

    timeout = PHONE_TIMEOUT

    def __init__(
        self, file: Path, clock: Callable[[], float] = monotonic, wall_clock: Callable[[], float] = time
    ) -> None:
        super().__init__(file, clock)
        self.name, self._wall_clock = PHONE, wall_clock

    def _next(self) -> Picture | None:
        try:
            is_outdated = self._wall_clock() > self._file.stat().st_mtime + PHONE_TIMEOUT
            return None if is_outdated else super()._next()
        except (OSError, CameraTroubleError):
            return None


def live_camera(file: Path) -> LiveCamera:
    """Return the camera for a changing file, by the file's name."""
    return PhoneCamera(file) if file.name == PHONE_FRAMES else LiveCamera(file)


def watched(camera: Camera) -> WatchedCamera | SentPictures:
    """Return a live camera with the checks that suit it."""
    return SentPictures(camera) if isinstance(camera, PhoneCamera) else WatchedCamera(camera)


def show_live(file: Path, picture: Picture) -> None:
    """Replace a `live:` camera's file with a frame, atomically by a rename."""
    _pack(_draft_of(file), picture).replace(file)


class LiveFrames:
    """A cache of frames for a `live:` camera's file: repeated frames are encoded and written once."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._kept: dict[int, Path] = {}

    def show(self, number: int, draw: Callable[[], Picture]) -> None:
        """Show a frame by its number; it is drawn only if it isn't cached. Consecutive numbers must differ."""
        kept = self._kept.get(number)
        if kept is None:
            kept = self._kept[number] = _pack(self._file.with_name(f".{self._file.name}.{number}"), draw())
        draft = _draft_of(self._file)
        draft.unlink(missing_ok=True)
        os.link(kept, draft)
        draft.replace(self._file)

    def forget(self) -> None:
        """Delete all cached frames, after the scene has changed."""
        for kept in self._kept.values():
            kept.unlink(missing_ok=True)
        self._kept.clear()


def _draft_of(file: Path) -> Path:
    return file.with_name(f".{file.name}.{os.getpid()}")


def _pack(file: Path, picture: Picture) -> Path:
    # a bitmap is encoded and decoded fastest
    file.write_bytes(cv2.imencode(".bmp", picture)[1].tobytes())
    return file
