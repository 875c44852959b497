"""Shows who looks on the table's open parts as they are now, where the host wants it; nothing is remembered.

A picture is looked at first, then some a second are shrunk and given. It is seen straight from above. A part is
left out wherever something that is held up beside it could stand before it in the picture: each ray from the
lens to the open part has to stay above the table's middle, and clear of parts where cards are drawn.
"""

from collections.abc import Callable
from time import monotonic
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.pictures import Picture
from vision.process.messages import FilmedParts, LivePicture
from vision.process.on_frame import EyesState
from vision.table.calibration import Calibration, to_pixels
from vision.table.framing import lens_for
from vision.table.optics import focal_length
from vision.table.plane import Reals, inverse
from vision.table.zones import Zones

WIDE, HIGH = 640, 480
"""The most pixels that are shown, across and down."""
FINEST = 2.0
"""Pixels a millimetre at most: no camera sees more."""
HELD, DRAWN = 300.0, 120.0
"""Millimetres above the table up to which a hand of cards is held, and a card is lifted from a pile."""
STEP = 15.0
"""Millimetres between the places at which a ray is looked at."""
BESIDE = 12.0
"""Millimetres around a closed part that belong to it: piles aren't laid by the millimetre."""
GROUND = (30, 27, 24)
"""What is shown in place of what is masked."""
NOWHERE = -10_000.0


class OpenView(Struct, frozen=True, eq=False):
    """Where each pixel comes from in the camera's picture; masked ones come from nowhere."""

    across: NDArray[Any]
    down: NDArray[Any]
    scale: float
    """Pixels a millimetre."""


def show_open_parts(view: OpenView, picture: Picture) -> Picture:
    """Take the open parts out of a picture; what is masked never enters."""
    seen = cv2.remap(
        picture, view.across, view.down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=GROUND
    )
    return np.asarray(seen, np.uint8)


def open_view(table: Calibration, zones: Zones, parts: FilmedParts, focal: float) -> OpenView | None:
    """Work out what may be shown of a table; None if nothing may."""
    lens = lens_place(table, focal)
    opened = [np.array(zones[name], np.float64) for name in parts.open if name in zones]
    closed = [np.array(zones[name], np.float64) for name in parts.closed if name in zones]
    if lens is None or not opened:
        return None
    corner, scale, size = _frame_around(opened)
    mm = _pixel_places(corner, scale, size)
    shown = _is_inside(mm, opened) & _is_unobstructed(mm, lens, (*opened, *closed), closed)
    if not shown.any():
        return None
    where = to_pixels(table, mm.reshape(-1, 2)).reshape(mm.shape)
    shown &= ((where >= 0) & (where <= np.array(table.size) - 1)).all(axis=-1)
    where = np.where(shown[..., None], where, NOWHERE).astype(np.float32)
    across, down = cv2.convertMaps(where[..., 0], where[..., 1], cv2.CV_16SC2)
    return OpenView(across, down, scale)


# where the lens is


def lens_place(table: Calibration, focal: float) -> tuple[float, float, float] | None:
    """Find the place of the lens: millimetres across and down, and above the table; None if there is none."""
    middle = (np.array(table.size, np.float64) - 1) / 2
    unproject = np.array([(1 / focal, 0, -middle[0] / focal), (0, 1 / focal, -middle[1] / focal), (0, 0, 1)])
    seen = unproject @ np.array(table.plane, np.float64)
    length = float(np.linalg.norm(seen[:, 0]) + np.linalg.norm(seen[:, 1])) / 2
    if not np.isfinite(seen).all() or length < 1e-12:
        return None
    seen *= np.copysign(1 / length, seen[2, 2])
    axes = np.column_stack((seen[:, 0], seen[:, 1], np.cross(seen[:, 0], seen[:, 1])))
    if abs(float(np.linalg.det(axes))) < 1e-6:
        return None
    x, y, depth = (-inverse(axes) @ seen[:, 2]).tolist()
    # depth goes down into the table
    return (x, y, -depth) if -depth > HELD else None


# what may be shown


def _frame_around(opened: list[Reals]) -> tuple[tuple[float, float], float, tuple[int, int]]:
    """Put a frame around the open parts: its corner, its pixels a millimetre, its size."""
    corners = np.concatenate(opened)
    (left, top), (right, low) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    scale = min(WIDE / max(right - left, 1), HIGH / max(low - top, 1), FINEST)
    return (left, top), scale, (max(1, int((right - left) * scale)), max(1, int((low - top) * scale)))


def _pixel_places(corner: tuple[float, float], scale: float, size: tuple[int, int]) -> Reals:
    """Give the place on the table of each pixel, (high, wide, 2)."""
    across, down = (start + (np.arange(count) + 0.5) / scale for start, count in zip(corner, size, strict=True))
    return np.stack(np.meshgrid(across, down), axis=-1)


def _is_unobstructed(
    mm: Reals, lens: tuple[float, float, float], shared: tuple[Reals, ...], closed: list[Reals]
) -> NDArray[np.bool_]:
    """Return for each place whether nothing that is held up beside the open parts can be shown there."""
    below, height = np.array(lens[:2]), lens[2]
    middle = cv2.convexHull(np.concatenate(shared).astype(np.float32))[:, 0].astype(np.float64)
    grown = [each + BESIDE * np.sign(each - each.mean(axis=0)) for each in closed]
    shown = np.ones(mm.shape[:2], np.bool_)
    for up in np.arange(0.0, HELD + STEP, STEP):
        above = mm + (below - mm) * min(up, HELD) / height
        shown &= _is_inside(above, [middle])
        if up <= DRAWN:
            shown &= ~_is_inside(above, grown)
    return shown


def _is_inside(mm: Reals, parts: list[Reals]) -> NDArray[np.bool_]:
    """Return for each place whether it is in one of these polygons, edges included."""
    inside = np.zeros(mm.shape[:2], np.bool_)
    for part in parts:
        odd = np.zeros(mm.shape[:2], np.bool_)
        for (ax, ay), (bx, by) in zip(part.tolist(), np.roll(part, -1, axis=0).tolist(), strict=True):
            if ay != by:
                crosses = (mm[..., 1] < ay) != (mm[..., 1] < by)
                odd ^= crosses & (mm[..., 0] < ax + (mm[..., 1] - ay) * (bx - ax) / (by - ay))
        inside |= odd
    return inside


# what is given

LIVE = 2.5
"""Pictures a second."""
EARLY = 0.03
"""Seconds by which a picture may come too early: cameras aren't clockwork."""
QUALITY = 50
LOST = frozenset({"nudged", "wrong size", "too dark", "too bright", "no marker"})
"""Problems with which it can't be said where the table's parts are."""
MOST_HIDDEN = 2
"""Plates that may be hidden: the others say that nothing was moved."""


_Place = tuple[Calibration, Zones, FilmedParts, float]
"""What a view is worked out from; the last is the lens's focal length."""


class LiveView:
    """Gives pictures of the open parts, in the eyes' process."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._place: _Place | None = None
        self._view: OpenView | None = None
        self._given: float | None = None
        """When the last picture was given; None if that was withdrawn."""

    def go_on(self, eyes: EyesState) -> tuple[LivePicture, ...]:
        """Give the picture that was looked at, if it is time; withdraw the last once none may be shown."""
        place = _place_of(eyes)
        is_new = place != self._place
        if is_new:
            self._place, self._view = place, None if place is None else open_view(*place)
        if self._view is None:
            was_given, self._given = self._given is not None, None
            return (LivePicture(b""),) if was_given else ()
        if eyes.picture is None or not (is_new or self._is_time()):
            return ()
        self._given = self._clock()
        shown = show_open_parts(self._view, eyes.picture)
        return (LivePicture(cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()),)

    def _is_time(self) -> bool:
        return self._given is None or self._clock() - self._given >= 1 / LIVE - EARLY


def _place_of(eyes: EyesState) -> _Place | None:
    """Give what may be shown now: nothing while the table may have been moved, or no match is played."""
    settings = eyes.settings
    if settings.filmed is None or settings.table is None or eyes.watch is None or not _is_in_place(eyes):
        return None
    focal = focal_length(lens_for(eyes.optics, settings.table.size))
    return settings.table, settings.zones, settings.filmed, focal


def _is_in_place(eyes: EyesState) -> bool:
    """Return whether the table is where it was found, as far as its plates show; a sleeve may hide some."""
    keys = [problem.key for problem in eyes.wrong.get("table", ())]
    return not LOST & {*keys} and keys.count("marker hidden") <= MOST_HIDDEN
