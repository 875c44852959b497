"""Finding the table by phone: how it lies in a picture, markers or taps in that, its seats; then it is kept."""

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

STEP = 8  # pixels of the picture from one place that is looked at to the next
PER_MM = 0.5  # so fine, in places a millimetre, parts are drawn before the camera looks at them
ROUGH = 0.8  # by how many steps an outline may be simpler than what it goes round
Numbers = NDArray[np.int32]


class PartOutline(Struct, frozen=True):
    """A part in the picture, in pixels."""

    name: str
    outline: tuple[Point, ...]
    middle: Point  # where it is widest


def visible_parts(table: Calibration, zones: Zones) -> tuple[PartOutline, ...]:
    """Show where the parts of a table lie in the picture; those out of sight are left out."""
    numbers = _numbers(table, zones)
    seen = (_part_outline(name, numbers == number) for number, name in enumerate(zones, 1))
    return tuple(part for part in seen if part is not None)


def _numbers(table: Calibration, zones: Zones) -> Numbers:
    wide, high = (side // STEP for side in table.size)
    grid = np.stack(np.meshgrid(np.arange(wide), np.arange(high)), -1).reshape(-1, 2)
    places = (grid.astype(np.float64) + 0.5) * STEP
    mm = calibration.to_table(table, places)
    least = np.floor(mm.min(axis=0))
    drawn = np.zeros(np.ceil((mm.max(axis=0) - least) * PER_MM).astype(int)[::-1] + 2, np.int32)
    # the first part counts where two lie over each other: it is drawn last
    for number, outline in reversed(list(enumerate(zones.values(), 1))):
        points = ((np.array(outline) - least) * PER_MM).round().astype(np.int32)
        cv2.fillPoly(drawn, [points], number)
    x, y = ((mm - least) * PER_MM).astype(int).T
    return np.asarray(drawn[y, x].reshape(high, wide), np.int32)


def _part_outline(name: str, mask: NDArray[np.bool_]) -> PartOutline | None:
    room = np.pad(mask, 1).astype(np.uint8)
    if not room.any():
        return None
    contours, _tree = cv2.findContours(room, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    around = cv2.approxPolyDP(max(contours, key=cv2.contourArea), ROUGH, True).reshape(-1, 2)
    y, x = np.unravel_index(int(cv2.distanceTransform(room, cv2.DIST_L2, 3).argmax()), room.shape)
    return PartOutline(name, tuple(_pixels(*corner) for corner in around.tolist()), _pixels(float(x), float(y)))


def _pixels(x: float, y: float) -> Point:
    """Give the picture's pixels of a place that has a row of others before it."""
    return (x - 0.5) * STEP, (y - 0.5) * STEP


GOOD_FROM, GOOD_TO = 55.0, 92.0  # where a gauge's good range lies, of 100
MARKERS = 4


class Gauge(Struct, frozen=True):
    """How good something is: a share of 100, good between 55 and 92, and in a word."""

    part: Literal["markers", "focus", "light"]
    share: float
    word: Literal["count", "sharp", "blurred", "good", "too dark", "too bright", "unknown"]

    @property
    def is_good(self) -> bool:
        return self.share > GOOD_FROM and self.word in {"count", "sharp", "good"}


def wrong_besides(framing: Framing) -> tuple[Problem, ...]:
    """List what is wrong besides what a move cures, or what is said of the table as a whole."""
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


# the table is found step by step


T = TypeVar("T")
IDLE = 600.0  # seconds without a sign of the person who is guided, after which the table goes on


class Pausing:
    """The table's pause; each that is guided leaves in its own way when it stays idle."""

    def __init__(self, client: TableClient, seconds: float = IDLE) -> None:
        self._client, self._seconds = client, seconds
        self._leave: dict[str, Callable[[], object]] = {}
        self._was_paused = False
        self._timer: Timer | None = None
        self._lock = Lock()

    def enter(self, name: str, leave: Callable[[], object]) -> None:
        """Pause for a person under this name; `leave` is called when they stay idle."""
        with self._lock:
            if not self._leave:
                # a pause of the host's own outlasts this one
                self._was_paused = self._client.state().is_paused
                self._client.pause()
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
            # it may have rung just before it was wound anew
            leaving = list(self._leave.values()) if timer is self._timer else []
        for leave in leaving:
            leave()


SNAPSHOT_TIMEOUT = 8.0  # seconds that the eyes may take for a picture: the camera measures the light first
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
    framing: Framing | None = None
    """How the table lies in the live picture, if there is one; not once a photograph was taken."""
    frame: bytes = b""
    layout: Layout = Layout()
    found: Calibration | None = None

    @property
    def is_framed(self) -> bool:
        return self.framing is not None and len(self.framing.seen) == MARKERS and not self.framing.moves


class TableFinder:
    """Finds the table step by step, while it pauses; it is in one hand at a time."""

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
        framed = _in_time(self._client.show(FrameTable(load_layout(self._file).apart), TableFramed), SOON)
        if framed is None:
            return replace(now, wrong=self._client.troubles())
        return replace(now, wrong=wrong_besides(framed.framing), framing=framed.framing)

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
        """Take four places of the picture for the corners of a rectangle."""
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
        """Let every seat be one place farther on."""
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
        return self._parted(layout, parting_of(self._client.moment()))


def _in_time(asked: "Future[T]", seconds: float) -> T | None:
    try:
        return asked.result(seconds)
    except (TimeoutError, CancelledError):
        return None


def _decode_picture(jpeg: bytes) -> Picture:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _is_plausible(apart: Point) -> bool:
    return all(NEAREST < length < FARTHEST for length in apart)


def _corner_distances(found: Calibration) -> Point | None:
    apart = plates_apart(found)
    return apart if _is_plausible(apart) else None
