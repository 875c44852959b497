"""What a camera is, the trouble it raises, and whether its pictures are to be trusted.

Pictures that are black, too bright, garbled or frozen are not.
"""

import zlib
from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.table.optics import Optics
from vision.troubles import TroubleError

Picture = NDArray[np.uint8]

PATIENCE = 2.0
"""Seconds that taking a picture may last."""
HANGS = "hangs"
"""The key among a trouble's values that marks a call that never came back: it holds the camera for good."""
WARM = 12
"""Pictures that a camera needs before its exposure has settled."""


class CameraTroubleError(TroubleError):
    """A camera that gives no picture: missing, busy, gone, too slow, frozen, black, too bright or garbled."""


class Camera:
    """A source of pictures; what one can't do, it leaves."""

    def picture(self) -> Picture | None:
        """Take the next picture (blue, green, red); None when there are no more."""
        raise NotImplementedError

    def optics(self) -> Optics | None:
        """Tell what lens it has; None if that isn't known, or not yet."""

    def lock(self) -> None:
        """Hold exposure and white balance as they are now, where the camera can."""

    def unlock(self) -> None:
        """Let exposure and white balance follow the light again."""

    def close(self) -> None:
        """Let go of the device."""


# whether it is to be trusted


class Glance(Struct, frozen=True):
    """What is kept of a picture to judge its camera."""

    size: tuple[int, int]
    traces: tuple[int | None, ...]
    """A checksum of each strip of the picture; None where no noise can be seen."""
    top: float
    """The level that one pixel in a hundred exceeds."""
    blown: float
    """The share of pixels that are white."""
    missing: float
    """The share of rows of a single colour, in one half of the picture only: data that never arrived."""
    grain: float
    """The mean difference of neighbouring pixels in levels: a lens's picture is smooth."""


FROZEN = 5
STRIPS = 4
BLACK = 16.0
WHITE = 250
BLOWN = 0.6
MISSING, GRAIN = 0.05, 40.0
USED_TO = 30
"""Pictures of another size after which that size is accepted."""
ANEW = 15
"""Pictures after which a camera that is still frozen is opened once more."""


def glance_at(picture: Picture) -> Glance:
    """Summarise a picture for judging its camera."""
    coarse, beside = _coarse(picture), _coarse(picture[:, 1:] if picture.shape[1] > 1 else picture)
    levels = cv2.calcHist([coarse.reshape(-1)], [0], None, [256], [0, 256]).ravel().cumsum() / coarse.size
    plain = _rows_of_one_colour(coarse)
    return Glance(
        (picture.shape[1], picture.shape[0]),
        tuple(_trace(strip) for strip in np.array_split(coarse, STRIPS)),
        float(np.searchsorted(levels, 0.99)),
        float(1 - levels[WHITE - 1]),
        # bars above and below belong to some cameras
        float((plain & ~plain[::-1]).mean()),
        float(np.mean(cv2.mean(cv2.absdiff(coarse[:, : beside.shape[1]], beside))[:3])),
    )


def _rows_of_one_colour(coarse: Picture) -> NDArray[np.bool_]:
    """Find rows of a single colour that isn't white."""
    is_plain = (coarse == coarse[:, :1]).reshape(len(coarse), -1).all(axis=1)
    return np.asarray(is_plain & (coarse[:, 0] < WHITE).any(axis=1))


def _coarse(picture: Picture) -> Picture:
    """Take every eighth pixel of every eighth row."""
    high, wide = (max(1, side // 8) for side in picture.shape[:2])
    # much faster than numpy's steps
    whole = picture[: 8 * high, : 8 * wide]
    return np.asarray(cv2.resize(whole, (wide, high), interpolation=cv2.INTER_NEAREST), np.uint8)


def _trace(strip: Picture) -> int | None:
    has_noise = strip.size and strip.max() >= BLACK and strip.min() < WHITE
    return zlib.crc32(strip.data) if has_noise else None


def camera_fault(glances: Sequence[Glance], same: int = FROZEN, before: str | None = None) -> str | None:
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
    return "frozen" if _is_standing_still(glances[-same:], same, before) else None


def _is_standing_still(glances: Sequence[Glance], same: int, before: str | None) -> bool:
    """Tell whether a part of the picture never changes; once frozen, it must change every time."""
    # a live sensor has noise: no two of its pictures are the same
    strips = zip(*(each.traces for each in glances), strict=True)
    changes = [[one != other for one, other in pairwise(traces)] for traces in strips if None not in traces]
    enough = all if before == "frozen" else any
    return len(glances) >= same and not all(enough(each) for each in changes)


class WatchedCamera(Camera):
    """A live camera whose pictures are judged as they come; it is reopened while it is frozen."""

    def __init__(self, camera: Camera, same: int = FROZEN) -> None:
        """Watch a camera that should be live."""
        self.camera, self._same = camera, same
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
        """Tell whether a picture's size differs from the usual one; a size that stays becomes the usual one."""
        self._resized = 0 if size == self._size else self._resized + 1
        if self._size is None or self._resized > USED_TO:
            self._size, self._resized = size, 0
        return size != self._size

    def optics(self) -> Optics | None:
        """Tell what lens the camera has."""
        return self.camera.optics()

    def lock(self) -> None:
        """Lock the camera's light."""
        self.camera.lock()

    def unlock(self) -> None:
        """Unlock the camera's light."""
        self.camera.unlock()

    def close(self) -> None:
        """Let go of the camera."""
        self.camera.close()
