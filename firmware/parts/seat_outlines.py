"""The parts of a table as a camera sees them: outlines in its picture, and where there is room for a name."""

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.sightings import Point
from vision.table.calibration import Calibration, to_table
from vision.table.zones import Zones

STEP = 8
"""Pixels of the picture from one place that is looked at to the next."""
PER_MM = 0.5
"""So fine, in places a millimetre, parts are drawn before the camera looks at them."""
ROUGH = 0.8
"""By how many steps an outline may be simpler than what it goes round."""
Numbers = NDArray[np.int32]


class PartOutline(Struct, frozen=True):
    """A part in the picture, in pixels."""

    name: str
    outline: tuple[Point, ...]
    middle: Point
    """Where it is widest."""


def visible_parts(table: Calibration, zones: Zones) -> tuple[PartOutline, ...]:
    """Show where the parts of a table lie in the picture; those out of sight are left out."""
    numbers = _numbers(table, zones)
    seen = (_part_outline(name, numbers == number) for number, name in enumerate(zones, 1))
    return tuple(part for part in seen if part is not None)


def _numbers(table: Calibration, zones: Zones) -> Numbers:
    """Number each place of the picture by the part that it shows; 0 for none."""
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
    """Go round a part, and find where it is widest."""
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
