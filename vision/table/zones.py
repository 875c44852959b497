"""Where on the table a card lies: named areas in millimetres, defined by the game."""

from collections.abc import Mapping

import cv2
import numpy as np
from msgspec import Struct

from vision.sightings import Outline, Point, Sighting
from vision.table.calibration import Calibration, to_table
from vision.table.plane import Reals

Zones = Mapping[str, tuple[Point, ...]]
"""Polygons by name; where two overlap, the first counts."""


class PlacedCard(Struct, frozen=True):
    """A card and its place on the table, as far as the table is known."""

    card: Sighting
    middle: Point | None = None
    """Its middle in millimetres from the table's origin."""
    outline: Outline | None = None
    zone: str | None = None
    near: tuple[str, ...] = ()
    """The zones that the card doesn't lie in, the nearest first."""


def locate_card(card: Sighting, table: Calibration | None, zones: Zones) -> PlacedCard:
    """Find a card's place on the table."""
    if table is None:
        return PlacedCard(card)
    a, b, c, d = _points(to_table(table, np.array(card.outline)))
    # the diagonals meet in the card's middle from any viewpoint
    (middle,) = _points(to_table(table, _crossing(np.array(card.outline))[None]))
    zone = zone_of(zones, middle)
    return PlacedCard(card, middle, (a, b, c, d), zone, other_zones(zones, middle, zone))


def zone_of(zones: Zones, point: Point) -> str | None:
    """Name the zone that a point of the table lies in."""
    for name, corners in zones.items():
        if cv2.pointPolygonTest(np.array(corners, np.float32), point, False) >= 0:
            return name
    return None


def other_zones(zones: Zones, point: Point, zone: str | None) -> tuple[str, ...]:
    """Name the other zones, the nearest first."""
    far = {
        name: -cv2.pointPolygonTest(np.array(corners, np.float32), point, True)
        for name, corners in zones.items()
        if name != zone
    }
    return tuple(sorted(far, key=far.__getitem__))


def _points(mm: Reals) -> list[Point]:
    return [(round(float(x), 1), round(float(y), 1)) for x, y in mm]


def _crossing(corners: Reals) -> Reals:
    flat = np.column_stack((corners, np.ones(4)))
    met = np.cross(np.cross(flat[0], flat[2]), np.cross(flat[1], flat[3]))
    return np.asarray(met[:2] / met[2]) if abs(met[2]) > 1e-9 else np.asarray(corners.mean(axis=0))
