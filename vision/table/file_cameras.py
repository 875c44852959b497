"""Cameras that read files: a folder, a picture, a video, or a file that another program keeps replacing."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep

import cv2
import numpy as np

from vision.pictures import load_picture, unpack_picture
from vision.table.camera import Camera, CameraTroubleError, Picture

LIVE = 15.0
"""Seconds until the next frame of another program: one that draws on a busy machine is slow, not dead."""
STILLS = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp"})


class FolderCamera(Camera):
    """The pictures of a folder in the order of their names, one picture, or the frames of a video."""

    def __init__(self, path: Path) -> None:
        """Take a folder, a picture or a video; it must exist."""
        if not path.exists():
            raise CameraTroubleError("missing", camera=str(path))
        self._pictures = _folder_pictures(path) if path.is_dir() else _file_pictures(path)

    def picture(self) -> Picture | None:
        """Take the next picture; skip files that aren't pictures."""
        return next(self._pictures, None)

    def close(self) -> None:
        """Show no more."""
        self._pictures = iter(())


def _folder_pictures(folder: Path) -> Iterator[Picture]:
    for file in sorted(file for file in folder.iterdir() if file.suffix.lower() in STILLS):
        picture = load_picture(file)
        if picture is not None:
            yield picture


def _file_pictures(file: Path) -> Iterator[Picture]:
    if file.suffix.lower() in STILLS:
        picture = load_picture(file)
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


class LiveCamera(Camera):
    """A file that another program, such as the twin, replaces with every frame.

    The file is replaced whole (`show_live`). If it is gone, the camera counts as unplugged; if it isn't
    replaced for long, as too slow. One that stands still is replaced by the same frame: its pictures tell that.
    """

    def __init__(
        self, file: Path, patience: float = LIVE, clock: Callable[[], float] = monotonic, nap: float = 0.004
    ) -> None:
        """Take the file's name; the file needn't exist yet."""
        self.name, self._file = f"live:{file}", file
        self._patience, self._clock, self._nap = patience, clock, nap
        self._shown: tuple[int, int] | None = None

    def picture(self) -> Picture | None:
        """Wait for the next frame."""
        end = self._clock() + self._patience
        while (frame := self._next()) is None:
            if self._clock() >= end:
                raise CameraTroubleError("too slow", camera=self.name, seconds=self._patience)
            sleep(self._nap)
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
        """Take the file that is replaced."""
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
