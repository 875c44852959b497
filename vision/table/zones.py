"""Zones of the table, defined by the game in millimetres, and the cards in them."""

import numpy as np

from vision.sightings import Point, Sighting
from vision.table.calibration import to_table
from vision.table.plane import holds
from vision.table.values import Calibration, PlacedCard, Zones

ASIDE: tuple[Point, ...] = ((0.0, 0.0), (15.0, 0.0), (-15.0, 0.0), (0.0, 15.0), (0.0, -15.0))
"""Offsets in millimetres by which a card may be off its player's direction."""
OUTWARDS = tuple(1.3**step for step in range(10))
"""Multiples of a card's distance from the middle at which zones are searched; zones are deeper than a step."""


def locate_card(card: Sighting, table: Calibration | None, zones: Zones) -> PlacedCard:
    if table is None:
        return PlacedCard(card)
    corners = np.array(card.outline)
    # the diagonals meet in the card's middle in any perspective
    flat = np.column_stack((corners, np.ones(4)))
    met = np.cross(np.cross(flat[0], flat[2]), np.cross(flat[1], flat[3]))
    crossing = met[:2] / met[2] if abs(met[2]) > 1e-9 else corners.mean(axis=0)
    spots = to_table(table, np.vstack((corners, crossing)))
    a, b, c, d, middle = ((round(float(x), 1), round(float(y), 1)) for x, y in spots)
    return PlacedCard(card, middle, (a, b, c, d), zone_of(zones, middle), place_toward(zones, middle))


def zone_of(zones: Zones, point: Point) -> str | None:
    for name, corners in zones.items():
        if holds(corners, point):
            return name
    return None


def place_toward(zones: Zones, point: Point) -> str | None:
    """Return the player's zone in a card's direction; None if a small offset would change it."""
    seats = {name: corners for name, corners in zones.items() if name.startswith("seat ")}
    xs, ys = zip(*zones.get("centre", ((0.0, 0.0),)), strict=True)
    middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    found = set[str | None]()
    for x, y in ASIDE:
        # the first zone on the ray from the middle through the point
        across, down = point[0] + x - middle[0], point[1] + y - middle[1]
        ray = ((middle[0] + across * far, middle[1] + down * far) for far in OUTWARDS)
        found.add(next((name for spot in ray if (name := zone_of(seats, spot)) is not None), None))
    return found.pop() if len(found) == 1 else None
