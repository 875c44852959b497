"""What a camera is, and which pictures aren't to be trusted: black, too bright, garbled and frozen ones."""

import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep

import cv2
import numpy as np
from msgspec import Struct

from vision.pictures import Picture, load_picture, unpack_picture
from vision.table.optics import Optics
from vision.troubles import TroubleError

FRAME_TIMEOUT, LONGEST = 2.0, 30.0  # seconds that a camera on a cable may take for a picture, and any other one
WARM = 12  # pictures that a camera needs before its exposure has settled


class CameraTroubleError(TroubleError):
    """A camera that gives no picture: missing, busy, gone, too slow, frozen, black, too bright or garbled."""


class Camera:
    """A source of pictures; what one can't do, it leaves."""

    @property
    def patience(self) -> float:
        """Give the seconds that the next picture may take: after that it hangs."""
        return LONGEST

    def picture(self) -> Picture | None:
        """Take the next picture (blue, green, red); None when there are no more."""
        raise NotImplementedError

    def optics(self) -> Optics | None:
        """Return what lens it has; None if that isn't known, or not yet."""

    def lock(self) -> None:
        """Hold exposure and white balance as they are now, where the camera can."""

    def unlock(self) -> None:
        """Let exposure and white balance follow the light again."""

    def close(self) -> None:
        """Let go of the device."""


class Glance(Struct, frozen=True):
    """What is kept of a picture to judge its camera."""

    size: tuple[int, int]
    traces: tuple[int | None, ...]  # a checksum of each strip of the picture; None where no noise can be seen
    top: float  # the level that one pixel in a hundred exceeds
    blown: float  # the share of pixels that are white
    missing: float
    """The share of rows of a single colour, in one half of the picture only: data that never arrived."""
    grain: float  # the mean difference of neighbouring pixels in levels: a lens's picture is smooth


FROZEN = 5  # pictures in a row of which a part is the same, if the camera stands still
BLACK = 16.0
WHITE = 250
BLOWN = 0.6
MISSING, GRAIN = 0.05, 40.0
USED_TO = 30  # pictures of another size after which that size is accepted
ANEW = 15  # pictures after which a camera that is still frozen is opened once more


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
        # bars above and below belong to some cameras
        float((plain & ~plain[::-1]).mean()),
        float(np.mean(cv2.mean(cv2.absdiff(coarse[:, : beside.shape[1]], beside))[:3])),
    )


def _coarse(picture: Picture) -> Picture:
    high, wide = (max(1, side // 8) for side in picture.shape[:2])
    # much faster than numpy's steps
    whole = picture[: 8 * high, : 8 * wide]
    return np.asarray(cv2.resize(whole, (wide, high), interpolation=cv2.INTER_NEAREST), np.uint8)


def camera_fault(glances: Sequence[Glance], before: str | None = None) -> str | None:
    """Name the fault that a camera's last pictures show: black, too bright, garbled, frozen, or None."""
    if not glances:
        return None
    last = glances[-1]
    if last.top < BLACK:
        return "black"
    if last.blown > BLOWN:
        return "too bright"
    if last.missing > MISSING or last.grain > GRAIN:
        return "garbled"
    # a live sensor has noise: no two of its pictures are the same; once frozen, it must change every time
    strips = zip(*(each.traces for each in glances[-FROZEN:]), strict=True)
    changes = [[one != other for one, other in pairwise(traces)] for traces in strips if None not in traces]
    enough = all if before == "frozen" else any
    return "frozen" if len(glances) >= FROZEN and not all(enough(each) for each in changes) else None


class WatchedCamera:
    """Judges a live camera's pictures as they come; it is reopened while it is frozen."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self._glances: tuple[Glance, ...] = ()
        self._wrong: str | None = None
        self._size: tuple[int, int] | None = None
        self._resized = self._frozen = 0

    def picture(self) -> Picture | None:
        """Take a picture; raise trouble if it can't be trusted."""
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
            raise CameraTroubleError(self._wrong, camera=getattr(self.camera, "name", ""))
        return picture

    def _is_resized(self, size: tuple[int, int]) -> bool:
        """Return whether a picture's size isn't the usual one; a size that stays becomes the usual one."""
        self._resized = 0 if size == self._size else self._resized + 1
        if self._size is None or self._resized > USED_TO:
            self._size, self._resized = size, 0
        return size != self._size


LIVE = 15.0
"""Seconds until the next frame of another program: one that draws on a busy machine is slow, not dead."""
NAP = 0.004  # seconds between two looks at its file
STILLS = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp"})


class FolderCamera(Camera):
    """The pictures of a folder in the order of their names, one picture, or the frames of a video."""

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
    """A file that another program, such as the twin, replaces with every frame.

    The file is replaced whole (`show_live`). If it is gone, the camera counts as unplugged; if it isn't
    replaced for long, as too slow. One that stands still is replaced by the same frame: its pictures tell that.
    """

    def __init__(self, file: Path, clock: Callable[[], float] = monotonic) -> None:
        """Take the file's name; the file needn't exist yet."""
        self.name, self._file, self._clock = f"live:{file}", file, clock
        self._shown: tuple[int, int] | None = None

    def picture(self) -> Picture | None:
        end = self._clock() + LIVE
        while (frame := self._next()) is None:
            if self._clock() >= end:
                raise CameraTroubleError("too slow", camera=self.name, seconds=LIVE)
            sleep(NAP)
        return frame

    def _next(self) -> Picture | None:
        """Load the file if it was replaced since the last picture."""
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
    """Replace a `live:` camera's file with a frame, by a rename, so that no reader sees half of it."""
    _pack(_draft_of(file), picture).replace(file)


class LiveFrames:
    """Frames that a `live:` camera's file shows again and again; each is packed and written once."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._kept: dict[int, Path] = {}

    def show(self, number: int, draw: Callable[[], Picture]) -> None:
        """Show a frame by its number; it is drawn only if it isn't kept. Neighbours have other numbers."""
        kept = self._kept.get(number)
        if kept is None:
            kept = self._kept[number] = _pack(self._file.with_name(f".{self._file.name}.{number}"), draw())
        draft = _draft_of(self._file)
        draft.unlink(missing_ok=True)
        os.link(kept, draft)
        draft.replace(self._file)

    def forget(self) -> None:
        """Keep no frame: what they show has changed."""
        for kept in self._kept.values():
            kept.unlink(missing_ok=True)
        self._kept.clear()


def _draft_of(file: Path) -> Path:
    return file.with_name(f".{file.name}.{os.getpid()}")


def _pack(file: Path, picture: Picture) -> Path:
    # a bitmap takes no time to pack and unpack
    file.write_bytes(cv2.imencode(".bmp", picture)[1].tobytes())
    return file
