"""Records the last seconds of the table's open parts in memory; keeps them where a ruling rests on the camera.

It runs beside the looking: a picture is looked at first, then five a second are shrunk and remembered.
Nothing is remembered unless the host has switched it on, the table is known, and cards are watched.
Where the host wants a live picture, every other one of these pictures is given to who looks on.

What is shown is seen straight from above. A part is left out wherever something that is held up beside it
could stand before it in the picture: each ray from the lens to the open part has to stay above the table's
middle, and clear of parts where cards are drawn.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.process.evidence import LARGEST, Clip, ClipFrame, keep_clip
from vision.process.messages import EvidenceKept, EyesMessage, EyesSettings, FilmedParts, KeepClip, LivePicture
from vision.process.on_frame import EyesState, EyesStep, note_problems
from vision.table.calibration import Calibration, to_pixels
from vision.table.framing import lens_for
from vision.table.optics import focal_length
from vision.table.plane import Reals, inverse
from vision.table.zones import Zones
from vision.troubles import Problem

Picture = NDArray[np.uint8]

WIDE, HIGH = 640, 480
"""The most pixels of a clip, across and down."""
FINEST = 2.0
"""Pixels a millimetre at most: no camera sees more."""
HELD, DRAWN = 300.0, 120.0
"""Millimetres above the table up to which a hand of cards is held, and a card is lifted from a pile."""
STEP = 15.0
"""Millimetres between the places at which a ray is looked at."""
BESIDE = 12.0
"""Millimetres around a closed part that belong to it: piles aren't laid by the millimetre."""
GROUND = (30, 27, 24)
"""What is shown where nothing is recorded."""
NOWHERE = -10_000.0


class ClipView(Struct, frozen=True, eq=False):
    """Where each pixel of a clip comes from in the camera's picture; masked ones come from nowhere."""

    across: NDArray[Any]
    down: NDArray[Any]
    scale: float
    """Pixels a millimetre."""


def show_clip_part(view: ClipView, picture: Picture) -> Picture:
    """Take the open parts out of a picture; what is masked never enters."""
    seen = cv2.remap(
        picture, view.across, view.down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=GROUND
    )
    return np.asarray(seen, np.uint8)


def clip_view(table: Calibration, zones: Zones, parts: FilmedParts, focal: float) -> ClipView | None:
    """Work out what a clip shows of a table; None if nothing may be recorded."""
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
    where = np.where((shown & _is_in_picture(where, table))[..., None], where, NOWHERE).astype(np.float32)
    across, down = cv2.convertMaps(where[..., 0], where[..., 1], cv2.CV_16SC2)
    return ClipView(across, down, scale)


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
    grown = [_grown(each) for each in closed]
    shown = np.ones(mm.shape[:2], np.bool_)
    for up in np.arange(0.0, HELD + STEP, STEP):
        above = mm + (below - mm) * min(up, HELD) / height
        shown &= _is_inside(above, [middle])
        if up <= DRAWN:
            shown &= ~_is_inside(above, grown)
    return shown


def _grown(part: Reals) -> Reals:
    away = part - part.mean(axis=0)
    out: Reals = part + BESIDE * np.sign(away)
    return out


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


def _is_in_picture(where: Reals, table: Calibration) -> NDArray[np.bool_]:
    wide, high = table.size
    x, y = where[..., 0], where[..., 1]
    return np.asarray((x >= 0) & (y >= 0) & (x <= wide - 1) & (y <= high - 1))


# what is recorded

BEFORE, AFTER = 8.0, 2.0
"""Seconds that a clip shows before a ruling, and after it."""
A_SECOND = 5
"""Frames a second."""
LIVE = 2.5
"""Pictures a second for who looks on."""
EARLY = 0.03
"""Seconds by which a frame may come too early: pictures don't come like clockwork."""
QUALITY = 50
LOST = frozenset({"nudged", "wrong size", "too dark", "too bright", "no marker"})
"""Problems with which it can't be said where the table's parts are."""
MOST_HIDDEN = 2
"""Plates that may be hidden: the others say that nothing was moved."""


class RingFrame(Struct, frozen=True):
    """A frame, and when it was taken."""

    at: float
    jpeg: bytes


Ring = tuple[RingFrame, ...]


def add_frame(ring: Ring, frame: RingFrame, most: int = LARGEST) -> Ring:
    """Add a frame; the oldest go, for time or for room."""
    kept = (*(each for each in ring if each.at >= frame.at - BEFORE - AFTER), frame)
    while len(kept) > 1 and sum(len(each.jpeg) for each in kept) > most:
        kept = kept[1:]
    return kept


class DueClip(Struct, frozen=True):
    """A ruling whose clip is kept once what follows was recorded, too."""

    match: str
    moment: int
    ruled: float
    by_hand: bool = False


def clip_of(ring: Ring, due: DueClip) -> Clip | None:
    """Make a clip of what was recorded; None if nothing was."""
    if not ring:
        return None
    first = ring[0].at
    frames = tuple(ClipFrame(round((each.at - first) * 1000), each.jpeg) for each in ring)
    ruled = max(0, round((due.ruled - first) * 1000))
    return Clip(due.match, due.moment, frames, ruled, by_hand=due.by_hand)


class _Place(Struct, frozen=True):
    """What a view was worked out from."""

    table: Calibration
    zones: Zones
    parts: FilmedParts
    focal: float


class ClipRecorder:
    """Remembers the last seconds, in the eyes' process."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._place: _Place | None = None
        self._view: ClipView | None = None
        self.ring: Ring = ()
        self._newest: RingFrame | None = None
        self._given: RingFrame | None = None
        """What who looks on was given last; None if that was withdrawn."""
        self._due: tuple[DueClip, ...] = ()
        self._unwritten: tuple[Clip, ...] = ()
        self._told: SimpleQueue[str] = SimpleQueue()
        self._writer: Thread | None = None

    def note_ruling(self, news: EvidenceKept | KeepClip) -> None:
        """Note that a clip of what was just seen is to be kept: for a ruling, or because a person asks."""
        if self.ring:
            due = DueClip(news.match, news.moment, self._clock(), by_hand=isinstance(news, KeepClip))
            self._due = (*self._due, due)

    def note_rulings(self, news: Iterable[EyesMessage]) -> None:
        """Note the rulings whose evidence was kept."""
        for each in news:
            if isinstance(each, EvidenceKept):
                self.note_ruling(each)

    def go_on(self, eyes: EyesState) -> EyesStep:
        """Remember the picture that was looked at, if it is time for it; keep the clips that are due."""
        place = _place_of(eyes)
        if place != self._place:
            self._begin_anew(place, eyes)
        if self._view is not None and eyes.picture is not None and self._is_time():
            self._remember(self._view, eyes.picture, eyes.settings)
        self._finish_due(self._clock() - AFTER)
        self._write_next(Path(eyes.settings.evidence))
        eyes, told = self._tell_of_writing(eyes)
        return eyes, (*self._live_pictures(eyes.settings), *told)

    def wait(self) -> None:
        """Wait until what is being written is on the disk."""
        if self._writer is not None:
            self._writer.join()

    def _begin_anew(self, place: _Place | None, eyes: EyesState) -> None:
        """Forget all: what was recorded was of another table, of other parts, or isn't wanted any more."""
        if self._place is not None and self._place.table is eyes.settings.table and _is_in_place(eyes):
            # what was ruled a moment ago doesn't wait for pictures that don't come
            self._finish_due(self._clock())
        self._place, self.ring, self._due, self._newest = place, (), (), None
        self._view = None if place is None else clip_view(place.table, place.zones, place.parts, place.focal)

    def _is_time(self) -> bool:
        return self._newest is None or self._clock() - self._newest.at >= 1 / A_SECOND - EARLY

    def _remember(self, view: ClipView, picture: Picture, settings: EyesSettings) -> None:
        shown = show_clip_part(view, picture)
        jpeg = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()
        self._newest = RingFrame(self._clock(), jpeg)
        self.ring = add_frame(self.ring, self._newest) if settings.clips else ()

    def _live_pictures(self, settings: EyesSettings) -> tuple[LivePicture, ...]:
        """Give the newest picture, if it is time for it; withdraw the last one once nothing may be shown."""
        newest, given = self._newest if settings.live else None, self._given
        if newest is not None and given is not None and newest.at - given.at < 1 / LIVE - EARLY:
            return ()
        self._given = newest
        if newest is None:
            return () if given is None else (LivePicture(b""),)
        return (LivePicture(newest.jpeg),)

    def _finish_due(self, ruled_by: float) -> None:
        """Make clips of what was recorded around the rulings until then."""
        made = (clip_of(self.ring, due) for due in self._due if due.ruled <= ruled_by)
        self._unwritten = (*self._unwritten, *(clip for clip in made if clip is not None))
        self._due = tuple(due for due in self._due if due.ruled > ruled_by)

    def _write_next(self, folder: Path) -> None:
        """Have a clip written, one at a time: the disk may be slow, and the eyes look on."""
        is_writing = self._writer is not None and self._writer.is_alive()
        if not self._unwritten or is_writing:
            return
        clip, *rest = self._unwritten
        self._unwritten = tuple(rest)
        self._writer = Thread(target=self._write, args=(folder, clip), name="clip", daemon=True)
        self._writer.start()

    def _write(self, folder: Path, clip: Clip) -> None:
        try:
            keep_clip(folder, clip)
        except (OSError, ValueError) as error:
            self._told.put(str(error))
        else:
            self._told.put("")

    def _tell_of_writing(self, eyes: EyesState) -> EyesStep:
        """Report that a clip couldn't be kept, and that one could be again."""
        try:
            why = self._told.get_nowait()
        except Empty:
            return eyes, ()
        wrong: Sequence[Problem] = (Problem("no clip", {"why": why}),) if why else ()
        return note_problems(eyes, "clips", wrong)


def _place_of(eyes: EyesState) -> _Place | None:
    """Give what may be recorded now: nothing while the table may have been moved, or no match is played."""
    settings = eyes.settings
    if settings.filmed is None or not settings.evidence or settings.table is None:
        return None
    if eyes.watch is None or not _is_in_place(eyes):
        return None
    focal = focal_length(lens_for(eyes.optics, settings.table.size))
    return _Place(settings.table, settings.zones, settings.filmed, focal)


def _is_in_place(eyes: EyesState) -> bool:
    """Return whether the table is where it was found, as far as its plates show; a sleeve may hide some."""
    keys = [problem.key for problem in eyes.wrong.get("table", ())]
    return not LOST & {*keys} and keys.count("marker hidden") <= MOST_HIDDEN
