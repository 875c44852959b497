"""Finding the table by phone: a picture, markers or four taps in it, a look at the seats; then it is kept."""

from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as TooSlow
from itertools import count
from pathlib import Path
from threading import Lock, RLock, Timer
from typing import TypeVar

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from firmware.parts.shown_table import CameraFraming, PartOutline, shown_framing, visible_parts, wrong_besides
from firmware.storage.found_table import Layout, keep_table, load_layout, parting_of
from firmware.table.door import LastingTrouble, TableDoor
from firmware.table.notices import Notice
from referee.contract import TableLayout
from vision.pictures import Picture, small_jpeg
from vision.process.messages import FrameTable, FrameTaken, TableFramed, TakeFrame, UseTable, UseZones
from vision.sightings import Outline, Point
from vision.table import calibration
from vision.table.framing import plates_apart, sight_problems
from vision.table.plane import as_outline
from vision.table.zones import Zones

T = TypeVar("T")
IDLE = 600.0  # seconds without a sign of the person who is guided, after which the table goes on


class Pausing:
    """The table's pause; each that is guided leaves in its own way when it stays idle."""

    def __init__(self, door: TableDoor, seconds: float = IDLE) -> None:
        self._door, self._seconds = door, seconds
        self._leave: dict[str, Callable[[], object]] = {}
        self._was_paused = False
        self._timer: Timer | None = None
        self._lock = Lock()

    def enter(self, name: str, leave: Callable[[], object]) -> None:
        """Pause for a person under this name; `leave` is called when they stay idle."""
        with self._lock:
            if not self._leave:
                # a pause of the host's own outlasts this one
                self._was_paused = self._door.state().is_paused
                self._door.pause()
            self._leave[name] = leave
            self._wind()

    def touch(self) -> None:
        """Note a sign of the person who is guided: the time for leaving starts anew."""
        with self._lock:
            if self._leave:
                self._wind()

    def leave(self, name: str) -> None:
        """Let the table go on, if no other person is guided and it wasn't paused before."""
        with self._lock:
            if self._leave.pop(name, None) is None or self._leave:
                return
            self._unwind()
            if not self._was_paused:
                self._door.go_on()

    def _wind(self) -> None:
        self._unwind()
        self._timer = Timer(self._seconds, self._idle)
        self._timer.daemon = True
        self._timer.start()

    def _unwind(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _idle(self) -> None:
        for leave in list(self._leave.values()):
            leave()


PATIENCE = 8.0  # seconds that the eyes may take for a picture: the camera measures the light first
SOON = 2.0  # seconds that the eyes may take to look once
SMALL = 1280  # pixels across the picture for a page
NEAREST, FARTHEST = 20.0, 10_000.0  # millimetres that corners can be apart
GUIDED = "table"
Home = tuple[Path, Callable[[Layout, TableLayout], Zones]]
"""Where the table is kept, and the parts of one that is laid out so, for these places."""


class FindingProgress(Struct, frozen=True):
    """The progress of finding the table: a picture of it, and what was found in that."""

    is_open: bool = False
    is_kept: bool = False
    photograph: int = 0  # the number of the photograph; 0 if none was taken
    size: tuple[int, int] = (0, 0)
    markers: tuple[Outline, ...] = ()
    parts: tuple[PartOutline, ...] = ()
    wrong: tuple[LastingTrouble, ...] = ()
    framing: CameraFraming | None = None
    """How the table lies in the live picture, if there is one; not once a photograph was taken."""
    frame: bytes = b""
    layout: Layout = Layout()
    found: calibration.Calibration | None = None

    @property
    def apart(self) -> Point | None:
        """Give the distances between the corners, in millimetres: across and down."""
        return self.layout.apart


class TableFinder:
    """Finds the table step by step, while it pauses; it is in one hand at a time."""

    def __init__(self, door: TableDoor, home: Home, pausing: Pausing) -> None:
        self._door, self._pausing = door, pausing
        self._file, self._parted = home
        self._lock, self._numbers = RLock(), count(1)
        self._now = FindingProgress()

    def sight(self) -> FindingProgress:
        now = replace(self._now, is_kept=self._file.exists())
        if now.found is not None:
            return replace(now, parts=visible_parts(now.found, self._zones(now.layout)))
        if now.photograph or not now.is_open:
            return now
        framed = _in_time(self._door.show(FrameTable(load_layout(self._file).apart), TableFramed), SOON)
        if framed is None:
            return replace(now, wrong=self._door.troubles())
        return replace(now, wrong=wrong_besides(framed.framing), framing=shown_framing(framed.framing))

    def markers(self) -> bytes:
        # a table starts without what draws the sheets
        from hardware.decks.print.documents import markers  # noqa: PLC0415

        return markers()

    def open(self) -> None:
        with self._lock:
            self._now = FindingProgress(is_open=True)
        self._pausing.enter(GUIDED, self.close)

    def close(self) -> None:
        """Leave: the table stays as it was."""
        with self._lock:
            self._now = FindingProgress()
        self._pausing.leave(GUIDED)

    def find(self, apart: Point | None) -> Notice | None:
        if (apart is not None and not _is_plausible(apart)) or not self._touch():
            return Notice("no corners")
        frame = _in_time(self._door.show(TakeFrame(), FrameTaken), PATIENCE)
        if frame is None:
            return Notice("no frame")
        picture = _decode_picture(frame.jpeg)
        found, wrong = calibration.calibrate(picture, apart), sight_problems(picture, frame.optics, apart)
        found = found if found is not None and calibration.is_sound(found) else None
        markers = tuple(as_outline(corners) for corners in calibration.find_markers(picture).values())
        seen_apart = None if found is None else _corner_distances(found)
        layout = replace(load_layout(self._file), apart=apart or seen_apart)
        missing = (Notice("not found"),) if found is None and not wrong else ()
        size = picture.shape[1], picture.shape[0]
        self._show(
            FindingProgress(
                photograph=next(self._numbers),
                size=size,
                markers=markers,
                wrong=(*wrong, *missing),
                frame=frame.jpeg,
                layout=layout,
                found=found,
            )
        )
        return None

    def tap(self, taps: tuple[Point, ...], apart: Point) -> Notice | None:
        """Take four places of the picture for the corners of a rectangle."""
        shown = self._now
        if not shown.photograph or not self._touch():
            return Notice("no frame")
        wide, high = shown.size
        are_inside = all(0 <= x < wide and 0 <= y < high for x, y in taps)
        if len(taps) != 4 or not are_inside or not _is_plausible(apart):
            return Notice("no corners")
        a, b, c, d = taps
        corners: Outline = a, b, c, d
        if not calibration.is_clockwise(corners):
            return Notice("no corners")
        found = calibration.calibrate_from_taps(_decode_picture(shown.frame), corners, apart)
        if not calibration.is_sound(found):
            return Notice("no corners")
        layout, number = replace(shown.layout, apart=apart), next(self._numbers)
        self._show(replace(shown, photograph=number, markers=(corners,), layout=layout, found=found, wrong=()))
        return None

    def turn(self) -> None:
        """Let every seat be one place farther on."""
        with self._lock:
            if self._now.photograph and self._touch():
                layout = self._now.layout
                seats = sum(name.startswith("seat ") for name in self._zones(layout))
                self._now = replace(self._now, layout=replace(layout, first=(layout.first + 1) % seats))

    def keep(self, *, is_empty: bool) -> Notice | None:
        shown = self._now
        if shown.found is None:
            return Notice("not found")
        try:
            bare = _decode_picture(shown.frame) if is_empty else None
            keep_table(self._file, shown.found, shown.layout, bare)
        except OSError as error:
            return Notice("not written", {"why": error.strerror or str(error)})
        self._door.order(UseZones(self._zones(shown.layout)))
        self._door.order(UseTable(shown.found))
        self.close()
        return None

    def photograph(self) -> bytes | None:
        shown = self._now
        return small_jpeg(_decode_picture(shown.frame), SMALL) if shown.photograph else None

    def _touch(self) -> bool:
        """Return whether it is still open; asking counts as a sign of the person who is guided."""
        self._pausing.touch()
        return self._now.is_open

    def _show(self, shown: FindingProgress) -> None:
        with self._lock:
            # a person who has left meanwhile doesn't want it any more
            if self._now.is_open:
                self._now = replace(shown, is_open=True)

    def _zones(self, layout: Layout) -> Zones:
        return self._parted(layout, parting_of(self._door.moment()))


def _in_time(asked: "Future[T]", seconds: float) -> T | None:
    try:
        return asked.result(seconds)
    except (TooSlow, CancelledError):
        return None


def _decode_picture(jpeg: bytes) -> Picture:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _is_plausible(apart: Point) -> bool:
    return all(NEAREST < length < FARTHEST for length in apart)


def _corner_distances(found: calibration.Calibration) -> Point | None:
    across, down = plates_apart(found)
    apart = round(across, 1), round(down, 1)
    return apart if _is_plausible(apart) else None
