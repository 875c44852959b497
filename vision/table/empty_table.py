"""The empty table as a rectified picture, two pixels a millimetre, which stays valid when the camera moves."""

from pathlib import Path

import cv2
import numpy as np

from vision.files import write_whole
from vision.table.calibration import Calibration, to_pixels, to_table
from vision.table.plane import Reals, Size
from vision.table.plates import Picture

PER_MM = 2
"""Pixels per millimetre of the kept picture: about what a camera over a table resolves."""
LARGEST = 1600
"""The most millimetres that are kept, across and down."""
COARSE = 8
"""Places are computed for every so many pixels each way; the lens bends little between them."""


def flatten_table(picture: Picture, table: Calibration) -> Picture:
    """Rectify the table, its origin in the middle; black where it is out of sight."""
    wide, high = _size(picture, table)
    x, y = np.meshgrid(np.arange(0, wide + COARSE, COARSE), np.arange(0, high + COARSE, COARSE))
    mm = np.column_stack((x.ravel() - (wide - 1) / 2, y.ravel() - (high - 1) / 2)) / PER_MM
    return _show(picture, to_pixels(table, mm).reshape(*x.shape, 2), (wide, high))


def _size(picture: Picture, table: Calibration) -> tuple[int, int]:
    high, wide = picture.shape[:2]
    steps = np.stack(np.meshgrid(np.linspace(0, wide - 1, 9), np.linspace(0, high - 1, 9)), -1).reshape(-1, 2)
    reach = np.abs(to_table(table, steps)).max(axis=0)
    across, down = (2 * PER_MM * min(LARGEST // 2, int(far)) for far in reach)
    return across, down


def project_empty_table(empty: Picture, table: Calibration) -> Picture:
    """Show the empty table from the camera's present position; black where it was out of sight."""
    wide, high = table.size
    steps = np.stack(np.meshgrid(np.arange(0, wide + COARSE, COARSE), np.arange(0, high + COARSE, COARSE)), -1)
    mm = to_table(table, steps.reshape(-1, 2).astype(np.float64)).reshape(steps.shape)
    middle = np.array([(empty.shape[1] - 1) / 2, (empty.shape[0] - 1) / 2])
    return _show(empty, mm * PER_MM + middle, (wide, high))


def _show(picture: Picture, coarse: Reals, size: Size) -> Picture:
    """Show what a picture has at places that are given for every COARSE pixels, and interpolated between."""
    x, y = np.meshgrid(*(np.arange(side, dtype=np.float32) for side in size))
    where = cv2.remap(coarse.astype(np.float32), x / COARSE, y / COARSE, cv2.INTER_LINEAR)
    across, down = np.ascontiguousarray(where[..., 0]), np.ascontiguousarray(where[..., 1])
    return np.asarray(cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderValue=(0, 0, 0)), np.uint8)


def save_empty_table(file: Path, empty: Picture) -> None:
    """Save a rectified empty table."""
    write_whole(file, cv2.imencode(".png", empty)[1].tobytes())
