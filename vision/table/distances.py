"""How far apart the plates are by the printed size of their codes, and whether typed distances can be."""

import numpy as np

from vision.table.calibration import Calibration, Picture, calibrate, to_table
from vision.table.optics import Millimetres

FAR_OFF = 0.1
"""The share by which distances may differ from those by the codes: these are within 2 %, and prints shrink."""


def distances_by_codes(picture: Picture) -> Millimetres | None:
    """Measure how far apart the plates are, across and down, by their codes alone; None if some aren't seen."""
    table = calibrate(picture)
    return None if table is None else _distances(table)


def _distances(table: Calibration) -> Millimetres:
    a, b, c, d = (to_table(table, np.array(table.markers[str(number)])).mean(axis=0) for number in range(4))
    across, down = (np.hypot(*(b - a)) + np.hypot(*(c - d))) / 2, (np.hypot(*(d - a)) + np.hypot(*(c - b))) / 2
    return float(across), float(down)


def can_be(typed: Millimetres, seen: Millimetres) -> bool:
    """Tell whether distances that were typed can be those of plates that are seen so far apart."""
    return all(abs(one / other - 1) <= FAR_OFF for one, other in zip(typed, seen, strict=True))
