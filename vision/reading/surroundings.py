"""What a picture shows besides cards: the table's plane, the markers' plates, the empty table's own edges."""

from collections.abc import Sequence
from typing import TypeAlias

import cv2
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from vision.sightings import Outline
from vision.table.calibration import Calibration, flat_plane
from vision.table.plane import as_outline

Picture: TypeAlias = NDArray[np.uint8]
Slope: TypeAlias = NDArray[np.int16]

QUARTER = 4
"""The empty table's lines are kept at this fraction of the picture's size."""


class Surroundings(Struct, frozen=True, eq=False):
    """What is known of the table before any card lies on it."""

    plane: NDArray[np.float64]
    """Maps the table's millimetres to the picture's pixels."""
    things: tuple[Outline, ...] = ()
    """Outlines of things that are no cards: the markers' plates."""
    lines: Picture | None = None
    """How strong the edges of the empty table are: its grain, a printed mat."""


def surroundings(
    plane: NDArray[np.float64], things: Sequence[Outline] = (), empty: Picture | None = None
) -> Surroundings:
    """Collect what is known; `empty` is the same camera's picture of the table without cards."""
    return Surroundings(plane, tuple(things), None if empty is None else lines_of(empty))


def surroundings_at(table: Calibration, empty: Picture | None = None) -> Surroundings:
    """Collect what is known of a calibrated table."""
    return surroundings(flat_plane(table), [plate_around(code) for code in table.markers.values()], empty)


def lines_of(empty: Picture) -> Picture:
    """Measure an empty table's edges above the noise, and widen them a little."""
    high, wide = empty.shape[:2]
    half = cv2.resize(empty, (wide // 2, high // 2), interpolation=cv2.INTER_AREA)
    grey = cv2.GaussianBlur(cv2.cvtColor(half, cv2.COLOR_BGR2GRAY), (3, 3), 0)
    quarter = cv2.resize(
        strength(slopes_of(np.asarray(grey, np.uint8))),
        (wide // QUARTER, high // QUARTER),
        interpolation=cv2.INTER_AREA,
    )
    wider = cv2.dilate(quarter, np.ones((3, 3)))
    return np.asarray(cv2.subtract(wider, np.full_like(wider, np.median(wider))), np.uint8)


def slopes_of(grey: Picture) -> tuple[Slope, Slope]:
    """Measure how grey changes at each place, across and down, above single pixels' noise."""
    across, down = cv2.spatialGradient(cv2.GaussianBlur(grey, (3, 3), 0), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(across, np.int16), np.asarray(down, np.int16)


def strength(slopes: tuple[Slope, Slope]) -> Picture:
    """Measure how steeply grey changes at each place: the mean over both axes."""
    across, down = (cv2.convertScaleAbs(each, alpha=0.5) for each in slopes)
    return np.asarray(cv2.add(across, down), np.uint8)


PLATE = (-0.25, -0.25, 1.25, 1.85)
"""Left, top, right and bottom of a marker's plate, in sides of its code from the code's upper left corner."""


def plate_around(code: Outline) -> Outline:
    """Outline the plate that a marker's code is printed on."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    left, top, right, bottom = PLATE
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)
    matrix = cv2.getPerspectiveTransform(square, np.array(code, np.float32))
    return as_outline(cv2.perspectiveTransform(corners[None], matrix)[0])
