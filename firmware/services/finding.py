"""Finding the table by phone: a picture, its markers or taps, the seats; then it is saved."""

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from itertools import count
from pathlib import Path
from threading import Lock, RLock, Timer
from typing import Literal, TypeVar

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from firmware.storage.found_table import Layout, keep_table, load_layout, parting_of
from firmware.table.client import TableClient
from firmware.table.notice_keys import NoticeKey
from firmware.table.notices import LastingTrouble, Notice
from referee.contract import TableLayout
from vision.pictures import Picture, small_jpeg
from vision.process.messages import FrameTable, FrameTaken, TableFramed, TakeFrame, UseTable, UseZones
from vision.sightings import Outline, Point
from vision.table import calibration
from vision.table.framing import denied_by_size, plates_apart, sight_problems
from vision.table.plane import as_outline
from vision.table.plates import BRIGHT, DARK
from vision.table.values import Calibration, Framing, Zones
from vision.troubles import Problem

SAMPLE_STEP = 8  # pixels between sampled points of the picture
PIXELS_PER_MM = 0.5  # resolution in pixels per millimetre of the drawn areas
OUTLINE_TOLERANCE = 0.8  # tolerance of an outline in steps
Numbers = NDArray[np.int32]


class PartOutline(Struct, frozen=True):
    """An area of the table in the picture, in pixels."""

    name: str
    outline: tuple[Point, ...]
    middle: Point  # center of its widest part


def visible_parts(table: Calibration, zones: Zones) -> tuple[PartOutline, ...]:
    """Return the visible areas of a table in the picture."""
    numbers = _numbers(table, zones)
    seen = (_part_outline(name, numbers == number) for number, name in enumerate(zones, 1))
    return tuple(part for part in seen if part is not None)


def _numbers(table: Calibration, zones: Zones) -> Numbers:
    wide, high = (side // SAMPLE_STEP for side in table.size)
    grid = np.stack(np.meshgrid(np.arange(wide), np.arange(high)), -1).reshape(-1, 2)
    places = (grid.astype(np.float64) + 0.5) * SAMPLE_STEP
    mm = calibration.to_table(table, places)
    least = np.floor(mm.min(axis=0))
    drawn = np.zeros(np.ceil((mm.max(axis=0) - least) * PIXELS_PER_MM).astype(int)[::-1] + 2, np.int32)
    # where areas overlap, the first one wins, so it is drawn last
    for number, outline in reversed(list(enumerate(zones.values(), 1))):
        points = ((np.array(outline) - least) * PIXELS_PER_MM).round().astype(np.int32)
        cv2.fillPoly(drawn, [points], number)
    x, y = ((mm - least) * PIXELS_PER_MM).astype(int).T
    return np.asarray(drawn[y, x].reshape(high, wide), np.int32)


def _part_outline(name: str, mask: NDArray[np.bool_]) -> PartOutline | None:
    room = np.pad(mask, 1).astype(np.uint8)
    if not room.any():
        return None
    contours, _tree = cv2.findContours(room, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    around = cv2.approxPolyDP(max(contours, key=cv2.contourArea), OUTLINE_TOLERANCE, True).reshape(-1, 2)
    y, x = np.unravel_index(int(cv2.distanceTransform(room, cv2.DIST_L2, 3).argmax()), room.shape)
    return PartOutline(name, tuple(_pixels(*corner) for corner in around.tolist()), _pixels(float(x), float(y)))


def _pixels(x: float, y: float) -> Point:
    """Convert grid coordinates, padded by one, to pixels of the picture."""
    return (x - 0.5) * SAMPLE_STEP, (y - 0.5) * SAMPLE_STEP


GOOD_FROM, GOOD_TO = 55.0, 92.0  # the good range of a gauge from 0 to 100
MARKERS = 4


class Gauge(Struct, frozen=True):
    """A gauge's value from 0 to 100 (55 to 92 is good), and a word for it."""

    part: Literal["markers", "focus", "light"]
    share: float
    word: Literal["count", "sharp", "blurred", "good", "too dark", "too bright", "unknown"]

    @property
    def is_good(self) -> bool:
        return self.share > GOOD_FROM and self.word in {"count", "sharp", "good"}


def wrong_besides(framing: Framing) -> tuple[Problem, ...]:
    """Return the problems that neither a move of the camera nor the table's own status covers."""
    cured = {"too far"} | ({"marker hidden", "too low"} if framing.moves or not framing.seen else set())
    return tuple(problem for problem in framing.wrong if problem.key not in cured)


def gauges_of(framing: Framing) -> Iterator[Gauge]:
    seen, blur, light, good = len(framing.seen), framing.blur, framing.light, GOOD_TO - GOOD_FROM
    yield Gauge("markers", GOOD_TO if seen == MARKERS else GOOD_FROM * seen / MARKERS, "count")
    if blur <= calibration.BLURRED:
        yield Gauge("focus", GOOD_TO - good * blur / calibration.BLURRED, "sharp")
    else:
        yield Gauge("focus", GOOD_FROM * calibration.BLURRED / blur, "blurred")
    if light is None:
        yield Gauge("light", 0.0, "unknown")
    elif light < DARK:
        yield Gauge("light", GOOD_FROM * light / DARK, "too dark")
    elif light >= BRIGHT:
        yield Gauge("light", 100.0, "too bright")
    else:
        yield Gauge("light", GOOD_FROM + good * (light - DARK) / (BRIGHT - DARK), "good")


# steps of finding the table


T = TypeVar("T")
IDLE_TIMEOUT = 600.0  # seconds of inactivity before the table resumes


class Pausing:
    """Pauses the table during guided steps; each guide closes itself when idle."""

    def __init__(self, client: TableClient, seconds: float = IDLE_TIMEOUT) -> None:
        self._client, self._seconds = client, seconds
        self._leave: dict[str, Callable[[], object]] = {}
        self._was_paused = False
        self._timer: Timer | None = None
        self._lock = Lock()

    def enter(self, name: str, leave: Callable[[], object]) -> None:
        """Pause for a guide; `leave` is called when it is idle."""
        with self._lock:
            if not self._leave:
                # a pause by the host outlasts this one
                self._was_paused = self._client.state().is_paused
                self._client.pause()
            self._leave[name] = leave
            self._wind()

    def touch(self) -> None:
        """Restart the idle timer."""
        with self._lock:
            if self._leave:
                self._wind()

    def leave(self, name: str) -> None:
        """Resume, unless another guide is open or the table was paused before."""
        with self._lock:
            if self._leave.pop(name, None) is None or self._leave:
                return
            self._unwind()
            if not self._was_paused:
                self._client.go_on()

    def _wind(self) -> None:
        self._unwind()
        self._timer = timer = Timer(self._seconds, lambda: self._idle(timer))
        timer.daemon = True
        timer.start()

    def _unwind(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _idle(self, timer: Timer) -> None:
        with self._lock:
            # the timer may have fired just before it was restarted
            leaving = list(self._leave.values()) if timer is self._timer else []
        for leave in leaving:
            leave()


SNAPSHOT_TIMEOUT = 8.0  # seconds for a picture; the camera measures the light first
LOOK_TIMEOUT = 2.0  # seconds for a single look
PICTURE_WIDTH = 1280  # width in pixels of a picture on a page
MIN_DISTANCE, MAX_DISTANCE = 20.0, 10_000.0  # limits in millimetres for distances between corners
GUIDED = "table"
Home = tuple[Path, Callable[[Layout, TableLayout], Zones]]
"""The file of the table, and a function that returns its areas for a layout."""


class FindingProgress(Struct, frozen=True):
    """The progress of finding the table: a picture and the results in it."""

    is_open: bool = False
    is_kept: bool = False
    photograph: int = 0  # number of the photograph; 0 if none was taken
    size: tuple[int, int] = (0, 0)
    markers: tuple[Outline, ...] = ()
    parts: tuple[PartOutline, ...] = ()
    wrong: tuple[LastingTrouble, ...] = ()
    framing: Framing | None = None
    """The table in the live picture; None once a photograph was taken."""
    frame: bytes = b""
    layout: Layout = Layout()
    found: Calibration | None = None

    @property
    def is_framed(self) -> bool:
        return self.framing is not None and len(self.framing.seen) == MARKERS and not self.framing.moves


class TableFinder:
    """Finds the table step by step while it is paused; one person at a time."""

    def __init__(self, client: TableClient, home: Home, pausing: Pausing) -> None:
        self._client, self._pausing = client, pausing
        self._file, self._parted = home
        self._lock, self._numbers = RLock(), count(1)
        self._now = FindingProgress()

    def sight(self) -> FindingProgress:
        now = replace(self._now, is_kept=self._file.exists())
        if now.found is not None:
            return replace(now, parts=visible_parts(now.found, self._zones(now.layout)))
        if now.photograph or not now.is_open:
            return now
        framed = _in_time(
            self._client.show(FrameTable(load_layout(self._file).apart), TableFramed), LOOK_TIMEOUT
        )
        if framed is None:
            return replace(now, wrong=self._client.troubles())
        return replace(now, wrong=wrong_besides(framed.framing), framing=framed.framing)

    def markers(self) -> bytes:
        # imported here, so that a table starts without the drawing code
        from hardware.decks.print.documents import markers  # noqa: PLC0415

        return markers()

    def open(self) -> None:
        with self._lock:
            self._now = FindingProgress(is_open=True)
        self._pausing.enter(GUIDED, self.close)

    def close(self) -> None:
        """Close without changes."""
        with self._lock:
            self._now = FindingProgress()
        self._pausing.leave(GUIDED)

    def find(self, apart: Point | None) -> Notice | None:
        if not self._touch():
            return None
        frame = _in_time(self._client.show(TakeFrame(), FrameTaken), SNAPSHOT_TIMEOUT)
        if frame is None:
            return Notice(NoticeKey.NO_FRAME)
        picture = _decode_picture(frame.jpeg)
        if apart is not None and (not _is_plausible(apart) or denied_by_size(picture, apart)):
            return Notice(NoticeKey.MARKERS_TOO_FAR)
        found, wrong = calibration.calibrate(picture, apart), sight_problems(picture, frame.optics, apart)
        found = found if found is not None and calibration.is_sound(found) else None
        markers = tuple(as_outline(corners) for corners in calibration.find_markers(picture).values())
        seen_apart = None if found is None else _corner_distances(found)
        layout = replace(load_layout(self._file), apart=apart or seen_apart)
        missing = (Notice(NoticeKey.NOT_FOUND),) if found is None and not wrong else ()
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
        """Use four points of the picture as the corners of a rectangle."""
        shown = self._now
        if not shown.photograph or not self._touch():
            return Notice(NoticeKey.NO_FRAME)
        wide, high = shown.size
        are_inside = all(0 <= x < wide and 0 <= y < high for x, y in taps)
        if len(taps) != 4 or not are_inside or not _is_plausible(apart):
            return Notice(NoticeKey.NO_CORNERS)
        a, b, c, d = taps
        corners: Outline = a, b, c, d
        if not calibration.is_clockwise(corners):
            return Notice(NoticeKey.NO_CORNERS)
        found = calibration.calibrate_from_taps(_decode_picture(shown.frame), corners, apart)
        if not calibration.is_sound(found):
            return Notice(NoticeKey.NO_CORNERS)
        layout, number = replace(shown.layout, apart=apart), next(self._numbers)
        self._show(replace(shown, photograph=number, markers=(corners,), layout=layout, found=found, wrong=()))
        return None

    def turn(self) -> None:
        """Shift every seat by one place."""
        with self._lock:
            if self._now.photograph and self._touch():
                layout = self._now.layout
                seats = sum(name.startswith("seat ") for name in self._zones(layout))
                self._now = replace(self._now, layout=replace(layout, first=(layout.first + 1) % seats))

    def keep(self, *, is_empty: bool) -> Notice | None:
        shown = self._now
        if shown.found is None:
            return Notice(NoticeKey.NOT_FOUND)
        try:
            bare = _decode_picture(shown.frame) if is_empty else None
            keep_table(self._file, shown.found, shown.layout, bare)
        except OSError as error:
            return Notice(NoticeKey.NOT_WRITTEN, {"why": error.strerror or str(error)})
        self._client.do(UseZones(self._zones(shown.layout)))
        self._client.do(UseTable(shown.found))
        self.close()
        return None

    def photograph(self) -> bytes | None:
        shown = self._now
        return small_jpeg(_decode_picture(shown.frame), PICTURE_WIDTH) if shown.photograph else None

    def _touch(self) -> bool:
        """Restart the idle timer; returns whether the guide is still open."""
        self._pausing.touch()
        return self._now.is_open

    def _show(self, shown: FindingProgress) -> None:
        with self._lock:
            # discard the result if the person has left
            if self._now.is_open:
                self._now = replace(shown, is_open=True)

    def _zones(self, layout: Layout) -> Zones:
        return self._parted(layout, parting_of(self._client.moment()))


def _in_time(asked: "Future[T]", seconds: float) -> T | None:
    try:
        return asked.result(seconds)
    except (TimeoutError, CancelledError):
        return None


def _decode_picture(jpeg: bytes) -> Picture:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _is_plausible(apart: Point) -> bool:
    return all(MIN_DISTANCE < length < MAX_DISTANCE for length in apart)


def _corner_distances(found: Calibration) -> Point | None:
    apart = plates_apart(found)
    return apart if _is_plausible(apart) else None
