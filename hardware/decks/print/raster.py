"""Paints drawings as BGR pixels: enlarged, then reduced for smooth edges."""

from math import ceil, hypot

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.decks.drawing import Drawing, Group, Item, Matrix, Path, Shape, flatten_run, multiply, placement

Picture = NDArray[np.uint8]

_FINE = 16  # minimum pixels per millimetre while drawing
_MOST = 1 << 26  # maximum bytes before reduction; a play mat is painted in bands
_SHIFT = 4  # fractional bits of pixel coordinates: sixteenths of a pixel


def picture(drawing: Drawing, pixels_per_mm: float) -> Picture:
    """Paint a drawing on white."""
    size = (round(drawing.width * pixels_per_mm), round(drawing.height * pixels_per_mm))
    times_finer = max(3, ceil(_FINE / pixels_per_mm))
    rows = max(1, _MOST // (3 * size[0] * times_finer**2))
    done = np.empty((size[1], size[0], 3), np.uint8)
    for top in range(0, size[1], rows):
        band = done[top : top + rows]
        canvas = np.full((len(band) * times_finer, size[0] * times_finer, 3), 255, np.uint8)
        for item in drawing.items:
            _paint(canvas, item, placement(0, -top * times_finer, pixels_per_mm * times_finer))
        cv2.resize(canvas, (size[0], len(band)), dst=band, interpolation=cv2.INTER_AREA)
    return done


def _paint(canvas: Picture, item: Item, matrix: Matrix) -> None:
    if isinstance(item, Shape):
        outlines = _outlines(item.path, matrix)
        if item.fill:
            cv2.fillPoly(canvas, outlines, _colour(item.fill), cv2.LINE_8, _SHIFT)
        if item.stroke:
            thick = max(1, round(item.width * (abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) ** 0.5)))
            for run, outline in zip(item.path, outlines, strict=True):
                cv2.polylines(canvas, [outline], run.closed, _colour(item.stroke), thick, cv2.LINE_8, _SHIFT)
    elif item.window is not None:
        _paint_window(canvas, item, item.window, multiply(matrix, item.matrix))
    else:
        for part in item.items:
            _paint(canvas, part, multiply(matrix, item.matrix))


def _paint_window(canvas: Picture, item: Group, window: Path, matrix: Matrix) -> None:
    """Paint a group on a separate canvas, and copy the part inside its window."""
    outlines = _outlines(window, matrix)
    every = np.concatenate(outlines) / (1 << _SHIFT)
    low = np.maximum(np.floor(every.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(every.max(axis=0)).astype(int) + 1, (canvas.shape[1], canvas.shape[0]))
    x, y, width, height = int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])
    if width <= 0 or height <= 0:
        return
    part = canvas[y : y + height, x : x + width]
    shifted = multiply((1, 0, 0, 1, -x, -y), matrix)
    aside = part.copy()
    for inner in item.items:
        _paint(aside, inner, shifted)
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, _outlines(window, shifted), 255, cv2.LINE_8, _SHIFT)
    cv2.copyTo(aside, mask, part)


def _outlines(path: Path, matrix: Matrix) -> list[NDArray[np.int32]]:
    # at a twelfth of a curve's size, or 3 pixels, pieces look round
    fineness = max(3.0, 0.02 * hypot(matrix[0], matrix[1]))
    runs = (np.array(flatten_run(run, matrix, fineness)) for run in path)
    return [np.round(run * (1 << _SHIFT)).astype(np.int32) for run in runs]


def _colour(text: str) -> tuple[int, int, int]:
    return (int(text[5:7], 16), int(text[3:5], 16), int(text[1:3], 16))
