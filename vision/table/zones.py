"""Where on the table a card lies: named areas in millimetres, defined by the game."""

from collections.abc import Mapping

import cv2
import numpy as np
from msgspec import Struct

from vision.sightings import Outline, Point, Sighting
from vision.table.calibration import Calibration, to_table

Zones = Mapping[str, tuple[Point, ...]]  # polygons by name; where two overlap, the first counts
ASIDE: tuple[Point, ...] = ((0.0, 0.0), (15.0, 0.0), (-15.0, 0.0), (0.0, 15.0), (0.0, -15.0))
"""Millimetres by which people lay cards aside of where they sit."""
OUTWARDS = tuple(1.3**step for step in range(10))
"""How many times as far from the middle a place may begin: each is deeper than such a step."""


class PlacedCard(Struct, frozen=True):
    """A card and its place on the table, as far as the table is known."""

    card: Sighting
    middle: Point | None = None  # its middle in millimetres from the table's origin
    outline: Outline | None = None
    zone: str | None = None
    toward: str | None = None  # the player's place towards which it lies from the middle, where that is clear


def locate_card(card: Sighting, table: Calibration | None, zones: Zones) -> PlacedCard:
    if table is None:
        return PlacedCard(card)
    corners = np.array(card.outline)
    # the diagonals meet in the card's middle from any viewpoint
    flat = np.column_stack((corners, np.ones(4)))
    met = np.cross(np.cross(flat[0], flat[2]), np.cross(flat[1], flat[3]))
    crossing = met[:2] / met[2] if abs(met[2]) > 1e-9 else corners.mean(axis=0)
    spots = to_table(table, np.vstack((corners, crossing)))
    a, b, c, d, middle = ((round(float(x), 1), round(float(y), 1)) for x, y in spots)
    return PlacedCard(card, middle, (a, b, c, d), zone_of(zones, middle), place_toward(zones, middle))


def zone_of(zones: Zones, point: Point) -> str | None:
    for name, corners in zones.items():
        if cv2.pointPolygonTest(np.array(corners, np.float32), point, False) >= 0:
            return name
    return None


def place_toward(zones: Zones, point: Point) -> str | None:
    """Name the player's place that a card was laid from: it would be the same if it lay a little aside."""
    seats = {name: corners for name, corners in zones.items() if name.startswith("seat ")}
    xs, ys = zip(*zones.get("centre", ((0.0, 0.0),)), strict=True)
    middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    found = {_first_outwards(seats, middle, (point[0] + x, point[1] + y)) for x, y in ASIDE}
    return found.pop() if len(found) == 1 else None


def _first_outwards(seats: Zones, middle: Point, point: Point) -> str | None:
    """Go outwards from the middle through a point, up to the first place on the way."""
    across, down = point[0] - middle[0], point[1] - middle[1]
    way = ((middle[0] + across * far, middle[1] + down * far) for far in OUTWARDS)
    return next((name for spot in way if (name := zone_of(seats, spot)) is not None), None)
