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

from vision.pictures import Picture, packed_jpeg
from vision.process.messages import FilmedParts, LivePicture
from vision.process.on_frame import EyesState
from vision.table.calibration import Calibration, to_pixels
from vision.table.framing import lens_for
from vision.table.optics import focal_length
from vision.table.plane import Reals, inverse
from vision.table.zones import Zones

MOST = (640, 480)  # the most pixels that are shown, across and down
FINEST = 2.0  # pixels a millimetre at most: no camera sees more
HELD, DRAWN = 300.0, 120.0
"""Millimetres above the table up to which a hand of cards is held, and a card is lifted from a pile."""
STEP = 15.0  # millimetres between the places at which a ray is looked at
BESIDE = 12.0  # millimetres around a closed part that belong to it: piles aren't laid by the millimetre
GROUND = (30, 27, 24)  # what is shown in place of what is masked
NOWHERE = -10_000.0


class OpenView(Struct, frozen=True, eq=False):
    """Where each pixel comes from in the camera's picture; masked ones come from nowhere."""

    across: NDArray[Any]
    down: NDArray[Any]
    scale: float  # pixels a millimetre


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
    corners = np.concatenate(opened)
    corner = corners.min(axis=0)
    span = corners.max(axis=0) - corner
    scale = min(*(MOST / np.maximum(span, 1)).tolist(), FINEST)
    sides = np.maximum(1, span * scale).astype(int)
    ways = (start + (np.arange(side) + 0.5) / scale for start, side in zip(corner, sides, strict=True))
    # the place of each pixel, (high, wide, 2)
    mm = np.stack(np.meshgrid(*ways), axis=-1)
    shown = _is_inside(mm, opened) & _is_unobstructed(mm, lens, (*opened, *closed), closed)
    if not shown.any():
        return None
    where = to_pixels(table, mm.reshape(-1, 2)).reshape(mm.shape)
    shown &= ((where >= 0) & (where <= np.array(table.size) - 1)).all(axis=-1)
    where = np.where(shown[..., None], where, NOWHERE).astype(np.float32)
    across, down = cv2.convertMaps(where[..., 0], where[..., 1], cv2.CV_16SC2)
    return OpenView(across, down, scale)


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


LIVE = 2.5  # pictures a second
EARLY = 0.03  # seconds by which a picture may come too early: cameras aren't clockwork
LOST = frozenset({"nudged", "wrong size", "too dark", "too bright", "no marker"})
"""Problems with which it can't be said where the table's parts are."""
MOST_HIDDEN = 2  # plates that may be hidden, as by a sleeve: the others say that nothing was moved


class LiveView:
    """Gives pictures of the open parts, in the eyes' process."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._place: tuple[Calibration, Zones, FilmedParts, float] | None = None
        self._view: OpenView | None = None
        self._given: float | None = None
        """When the last picture was given; None if that was withdrawn."""

    def go_on(self, eyes: EyesState) -> tuple[LivePicture, ...]:
        """Give the picture that was looked at, if it is time; withdraw the last once none may be shown."""
        settings, table, place = eyes.settings, eyes.settings.table, None
        keys = [problem.key for problem in eyes.wrong.get("table", ())]
        # the table is where it was found, as far as its plates show
        is_there = eyes.watch is not None and not LOST & {*keys} and keys.count("marker hidden") <= MOST_HIDDEN
        if settings.filmed is not None and table is not None and is_there:
            place = table, settings.zones, settings.filmed, focal_length(lens_for(eyes.optics, table.size))
        is_new = place != self._place
        if is_new:
            self._place, self._view = place, None if place is None else open_view(*place)
        if self._view is None:
            was_given, self._given = self._given is not None, None
            return (LivePicture(b""),) if was_given else ()
        is_time = is_new or self._given is None or self._clock() - self._given >= 1 / LIVE - EARLY
        if eyes.picture is None or not is_time:
            return ()
        self._given = self._clock()
        return (LivePicture(packed_jpeg(show_open_parts(self._view, eyes.picture), 50)),)
