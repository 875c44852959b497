"""The live picture on its way from the eyes to the pages: the newest alone, and none that is old.

It goes past the table's loop, which has lamps to light: five pages that look on cost it nothing.
"""

from collections.abc import Callable
from threading import Condition
from time import monotonic
from zlib import crc32

from msgspec import Struct

from firmware.table.watcher import EyesNews, FromEyes
from vision.pictures import Picture, small_jpeg, unpack_picture
from vision.process.messages import LivePicture

SHARPNESS = (640, 480, 320)
"""Pixels across a picture that may have so many bytes: the first that is small enough."""


def jpeg_within(jpeg: bytes, most: int) -> bytes:
    """Shrink a picture until it has at most so many bytes; empty if it can't be read, or not be so small."""
    picture = unpack_picture(jpeg)
    smaller = () if picture is None else (small_jpeg(picture, across) for across in SHARPNESS)
    return next((each for each in smaller if len(each) <= most), b"")


def shot_name(picture: Picture) -> str:
    """Name a picture so that another picture has another name."""
    return f"{crc32(picture.tobytes()):08x}"


OLD = 5.0  # seconds after which a picture isn't shown any more: the eyes may be gone


class TakenPicture(Struct, frozen=True, eq=False):
    """A picture, and its number: later ones have larger numbers."""

    number: int
    jpeg: bytes


class LivePictures:
    """The newest picture; pages wait here for the next."""

    def __init__(self, clock: Callable[[], float] = monotonic, *, is_on: bool) -> None:
        self._clock, self._is_on = clock, is_on
        self._news = Condition()
        self._taken, self._at = TakenPicture(0, b""), 0.0

    def is_on(self) -> bool:
        return self._is_on

    def show(self, picture: LivePicture) -> None:
        """Take the newest picture, or withdraw the last one."""
        with self._news:
            self._taken, self._at = TakenPicture(self._taken.number + 1, picture.jpeg), self._clock()
            self._news.notify_all()

    def pass_on(self, put: Callable[[FromEyes], None], item: FromEyes) -> None:
        """Show live pictures, and pass on all else that the eyes tell."""
        if isinstance(item, EyesNews) and isinstance(item.news, LivePicture):
            self.show(item.news)
        else:
            put(item)

    def newest(self) -> TakenPicture | None:
        """Give the newest picture; None while nothing may be shown."""
        with self._news:
            return self._shown()

    def after(self, number: int, seconds: float) -> TakenPicture | None:
        """Wait so long for a picture later than this one; None if none comes, or the last was withdrawn."""
        with self._news:
            self._news.wait_for(lambda: self._taken.number > number, seconds)
            shown = self._shown()
        return shown if shown is not None and shown.number > number else None

    def _shown(self) -> TakenPicture | None:
        return self._taken if self._taken.jpeg and self._clock() - self._at <= OLD else None
