"""How the table lies in the picture, as pages draw it: its parts, gauges, where the camera has to go; pure."""

from collections.abc import Iterator
from typing import Literal

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.sightings import Outline, Point
from vision.table.calibration import BLURRED, Calibration, to_table
from vision.table.framing import Framing, tell_move
from vision.table.plates import BRIGHT, DARK
from vision.table.zones import Zones
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
    mm = to_table(table, places)
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


class CameraFraming(Struct, frozen=True):
    """How the table lies in the live picture, and what hands should do next."""

    size: tuple[int, int]
    outline: Outline  # where the markers belong in the picture
    seen: int  # markers that are seen, of four
    gauges: tuple[Gauge, ...]
    way: str = ""
    """Which way the camera has to go: raise, left, look left, turn left, and so on; empty if it is right."""
    move: Problem | None = None

    @property
    def is_good(self) -> bool:
        return self.seen == MARKERS and self.move is None


def shown_framing(framing: Framing) -> CameraFraming:
    seen, move = len(framing.seen), framing.moves[0] if framing.moves else None
    return CameraFraming(
        size=framing.size,
        outline=framing.outline,
        seen=seen,
        gauges=tuple(_gauges(seen, framing.blur, framing.light)),
        way="" if move is None else move.way,
        move=None if move is None else tell_move(move),
    )


def wrong_besides(framing: Framing) -> tuple[Problem, ...]:
    """List what is wrong besides what a move cures, or what is said of the table as a whole."""
    cured = {"too far"} | ({"marker hidden", "too low"} if framing.moves or not framing.seen else set())
    return tuple(problem for problem in framing.wrong if problem.key not in cured)


def _gauges(seen: int, blur: float, light: float | None) -> Iterator[Gauge]:
    good = GOOD_TO - GOOD_FROM
    yield Gauge("markers", GOOD_TO if seen == MARKERS else GOOD_FROM * seen / MARKERS, "count")
    if blur <= BLURRED:
        yield Gauge("focus", GOOD_TO - good * blur / BLURRED, "sharp")
    else:
        yield Gauge("focus", GOOD_FROM * BLURRED / blur, "blurred")
    if light is None:
        yield Gauge("light", 0.0, "unknown")
    elif light < DARK:
        yield Gauge("light", GOOD_FROM * light / DARK, "too dark")
    elif light >= BRIGHT:
        yield Gauge("light", 100.0, "too bright")
    else:
        yield Gauge("light", GOOD_FROM + good * (light - DARK) / (BRIGHT - DARK), "good")
