"""Cameras that read files: a folder, a picture, a video, or a file that another program keeps replacing."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import cv2
import numpy as np

from vision.pictures import unpack_picture
from vision.table.camera import PATIENCE, CameraTroubleError, Picture

STILLS = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp"})


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
