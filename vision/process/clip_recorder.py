"""Records the last seconds of the table's open parts in memory; keeps them where a ruling rests on the camera.

It runs beside the looking: a picture is looked at first, then five a second are shrunk and remembered.
Nothing is remembered unless the host has switched it on, the table is known, and cards are watched.
Where the host wants a live picture, every other one of these pictures is given to who looks on.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic

import cv2
from msgspec import Struct

from vision.process.clip_files import LARGEST, Clip, ClipFrame, keep_clip
from vision.process.clip_view import ClipView, FilmedParts, Picture, clip_view, show_clip_part
from vision.process.messages import EvidenceKept, EyesMessage, EyesSettings, KeepClip, LivePicture
from vision.process.on_frame import EyesState, EyesStep, note_problems
from vision.table.calibration import Calibration
from vision.table.framing import lens_for
from vision.table.optics import focal_length
from vision.table.zones import Zones
from vision.troubles import Problem

BEFORE, AFTER = 8.0, 2.0
"""Seconds that a clip shows before a ruling, and after it."""
A_SECOND = 5
"""Frames a second."""
LIVE = 2.5
"""Pictures a second for who looks on."""
EARLY = 0.03
"""Seconds by which a frame may come too early: pictures don't come like clockwork."""
QUALITY = 50
LOST = frozenset({"nudged", "wrong size", "too dark", "too bright"})
"""Problems with which nobody can say where the table's parts are."""
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


class _Place(Struct, frozen=True, eq=False):
    """What a view was worked out from."""

    table: Calibration
    zones: Zones
    parts: FilmedParts
    focal: float


class ClipRecorder:
    """Remembers the last seconds, in the eyes' process."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        """Begin with nothing remembered."""
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
        """Note that a clip of what was just seen is to be kept: for a ruling, or because somebody asks."""
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
        if not _is_same(place, self._place):
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
        """Tell that a clip couldn't be kept, and that one could be again."""
        try:
            why = self._told.get_nowait()
        except Empty:
            return eyes, ()
        wrong: Sequence[Problem] = (Problem("no clip", {"why": why}),) if why else ()
        return note_problems(eyes, "clips", wrong)


def _place_of(eyes: EyesState) -> _Place | None:
    """Give what may be recorded now: nothing while the table may have been moved, or nobody plays."""
    settings = eyes.settings
    if settings.filmed is None or not settings.evidence or settings.table is None:
        return None
    if eyes.watch is None or not _is_in_place(eyes):
        return None
    focal = focal_length(lens_for(eyes.optics, settings.table.size))
    return _Place(settings.table, settings.zones, settings.filmed, focal)


def _is_in_place(eyes: EyesState) -> bool:
    """Tell whether the table lies where it was found, as far as its plates can say; a sleeve may hide some."""
    keys = [problem.key for problem in eyes.wrong.get("table", ())]
    return not LOST & {*keys} and keys.count("marker hidden") <= MOST_HIDDEN


def _is_same(one: _Place | None, other: _Place | None) -> bool:
    if one is None or other is None:
        return one is other
    same = one.table is other.table and one.zones is other.zones and one.parts == other.parts
    return same and one.focal == other.focal
