"""The areas of a table in its picture: their outlines, and where each player sits."""

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.sightings import Point
from vision.table import calibration
from vision.table.values import Calibration, Zones

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
    # draw the first area last, because it covers others that it overlaps
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


FARTHEST_SEAT, SEAT_STEP = 1500.0, 20.0  # millimetres from the middle to a player, and between tried places
INSET = 0.07  # share of the picture's size that a name keeps from its edge


def seat_places(table: Calibration, zones: Zones) -> tuple[tuple[int, Point], ...]:
    """Return each seat with the place of the picture where its player sits: at the edge, in its direction."""
    inset = np.array(table.size) * INSET
    steps = np.arange(SEAT_STEP, FARTHEST_SEAT, SEAT_STEP)[:, None]
    found = list[tuple[int, Point]]()
    for name, outline in zones.items():
        if not name.startswith("seat "):
            continue
        away = np.array(outline).mean(axis=0)
        seen = calibration.to_pixels(table, steps * away / max(1e-6, float(np.hypot(*away))))
        is_inside = ((seen >= inset) & (seen <= np.array(table.size) - inset)).all(axis=1)
        # beyond the first place outside, the far side of a slanted view may fold back into the picture
        last = int(np.argmin(is_inside)) - 1 if not is_inside.all() else len(seen) - 1
        x, y = seen[max(0, last)].tolist()
        found.append((int(name.split(" ")[1]), (x, y)))
    return tuple(sorted(found))
