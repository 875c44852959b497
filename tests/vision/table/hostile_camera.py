"""A network camera that first shows cards on a table, and then attacks its reader."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import ClassVar

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from hardware.twin.rendering.renderer import faces_of, render
from tests.vision.process.live import CAPTAIN, DECK, DUKE, TABLE
from tests.vision.table.network_server import Camera, grey_pictures, make_film
from vision.pictures import Picture

SIZE = (3456, 2592)
"""The largest picture that is accepted, in the shape of `TABLE`."""
MEGABYTES = 1_000_000
ENDLESS = 2_000 * MEGABYTES  # bytes that a part of a film claims to have
PARTS, PAUSE = 60, 0.1  # parts in which a film is sent, as fast as it was taken, and the seconds after each
CARDS = ((DUKE,), (DUKE, CAPTAIN))
SEGMENT, UNKNOWN_SIZE = b"\x18\x53\x80\x67", b"\x01" + b"\xff" * 7  # Matroska's
CONTAINERS = {"avi": "MJPG", "ts": "mp4v", "mkv": "MJPG", "webm": "VP80", "flv": "FLV1", "mpg": "PIM1"}
"""Endings of films that FFmpeg reads, with a codec."""


class Film(Struct, frozen=True):
    """What a camera answers: a type of content, and its beginning, perhaps with endless zeros behind."""

    kind: str
    start: Callable[[], bytes]
    is_endless: bool = False


class HostileCamera(Camera):
    """A camera whose only address does what `attack` names: a film, or an address of `Camera`."""

    attack: ClassVar[str] = "missing"
    asked: ClassVar[int] = 0
    shown_elsewhere: ClassVar[int] = 0

    def do_GET(self) -> None:  # noqa: N802 - the library's name
        if self.path == "/still":
            HostileCamera.shown_elsewhere += 1
        HostileCamera.asked += 1
        film = FILMS.get(self.attack)
        if film is None:
            getattr(self, f"show_{self.attack}")()
            return
        start = start_of(self.attack)
        self._send(film.kind, b"")
        step = -(-len(start) // PARTS)
        for place in range(0, len(start), step):
            self.wfile.write(start[place : place + step])
            self.over.wait(PAUSE)
        while film.is_endless and not self.over.is_set():
            self.wfile.write(bytes(MEGABYTES))

    def show_missing(self) -> None:
        self.send_error(404)

    def show_honest(self) -> None:
        """Show cards, and lay and take one."""
        self._stream(self._changing(".jpg"))

    def show_heavy(self) -> None:
        """Show them in pictures that are as large as allowed, and hard to decode."""
        self._stream(
            self._changing(".jpg", cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, 0x111111)
        )

    def show_png(self) -> None:
        self._stream(self._changing(".png"))

    def _changing(self, ending: str, *options: int) -> Iterator[bytes]:
        """Yield pictures of the table until the next attack."""
        number, attack = 0, self.attack
        while self.attack == attack and not self.over.wait(PAUSE):
            yield _packed(number // PARTS % 2, number % 4, ending, options)
            number += 1


@cache
def _packed(laid: int, noise: int, ending: str, options: tuple[int, ...]) -> bytes:
    return cv2.imencode(ending, _noisy(laid, noise), options)[1].tobytes()


def _noisy(laid: int, noise: int) -> Picture:
    """Return a picture of the table; a camera's pictures are never the same twice."""
    grain = np.random.default_rng(noise).integers(0, 6, (SIZE[1], SIZE[0], 3), np.uint8)
    return np.asarray(cv2.add(table_picture(laid), grain), np.uint8)


@cache
def table_picture(laid: int = 0) -> Picture:
    small = render(replace(TABLE, cards=CARDS[laid]), faces_of(DECK))
    return np.asarray(cv2.resize(small, SIZE, interpolation=cv2.INTER_CUBIC), np.uint8)


def _with_attachment(film: bytes, size: int) -> bytes:
    """Insert the head of an attached file of this size into a Matroska film, before its pictures."""
    data = b"\x46\x5c" + _sized(size)
    name, kind = b"\x46\x6e\x81a", b"\x46\x60\x98application/octet-stream"
    number = b"\x46\xae\x81\x01"
    file = name + kind + number + data
    attached = b"\x61\xa7" + _sized(len(file) + size) + file
    attachments = b"\x19\x41\xa4\x69" + _sized(len(attached) + size) + attached
    start = film.index(SEGMENT)
    return film[:start] + SEGMENT + UNKNOWN_SIZE + attachments


def _sized(size: int) -> bytes:
    return (size | 1 << 56).to_bytes(8, "big")


def _ballast(size: int) -> bytes:
    """Return a film of the table, with a file attached that FFmpeg keeps in memory."""
    film = make_film((_noisy(0, number % 4) for number in range(PARTS)), "mkv")
    return _with_attachment(film, size) + bytes(size) + film[film.index(SEGMENT) + 12 :]


def _disguised(ending: str) -> Film:
    return Film("video/mp4", lambda: make_film(grey_pictures(), ending, CONTAINERS[ending]))


FILMS = {
    **{f"{ending} as mp4": _disguised(ending) for ending in CONTAINERS},
    "2 GB of brands in mp4": Film(
        "video/mp4", lambda: ENDLESS.to_bytes(4, "big") + b"ftypisom" + bytes(4), is_endless=True
    ),
    "56 megapixels in avi": Film(
        "video/x-msvideo", lambda: make_film([np.zeros((7000, 8000, 3), np.uint8)] * 3, "avi")
    ),
    "25 MB attached, and pictures": Film("video/x-matroska", lambda: _ballast(25 * MEGABYTES)),
    "60 MB attached, and pictures": Film("video/x-matroska", lambda: _ballast(60 * MEGABYTES)),
}


@cache
def start_of(name: str) -> bytes:
    """Return the beginning of a film, which takes seconds at first."""
    return FILMS[name].start()


ATTACKS = (
    *("heavy", "png", "huge", "wide", "endless", "headless", "claimed", "playlist", "elsewhere", "file"),
    *FILMS,
)
"""Everything that this camera does, but for `honest` and `missing`."""
