"""The four corner plates: an ArUco marker for the place, and a white patch for the light."""

import cv2

from hardware.decks.drawing import (
    PLAIN,
    Drawing,
    Item,
    Path,
    box,
    fill,
    line,
    path,
    placement,
    stroke,
    text,
    transform_path,
)

PLATE_WIDTH, PLATE_HEIGHT = 60.0, 84.0
MARKER = 40.0
"""The side of the black square."""
MARKER_AT = (10.0, 10.0)
PATCH = (20.0, 60.0, 20.0, 10.0)
"""The white patch on the plate: left, top, width, height."""
FRAME = (12.0, 56.0, 36.0, 18.0)
"""The neutral grey around it."""
GREY, INK, WHITE = "#808080", "#1d2030", "#ffffff"
BLACK = "#000000"
DICTIONARY = cv2.aruco.DICT_4X4_50


def plate(number: int) -> Drawing:
    """Draw a plate, with an arrow to its corner of the table."""
    left, top = MARKER_AT
    words = f"marker {number}   {MARKER:g} mm   DICT_4X4_50"
    items: tuple[Item, ...] = (
        stroke(box(0, 0, PLATE_WIDTH, PLATE_HEIGHT), "#b9bdc9", 0.12),
        fill(box(left, top, MARKER, MARKER), BLACK),
        fill(_bits(number), WHITE),
        fill(box(*FRAME), GREY),
        fill(box(*PATCH), WHITE),
        fill(text(words, PLATE_WIDTH / 2, 79.5, 1.7, font=PLAIN), INK),
        fill(text(_CORNERS[number], PLATE_WIDTH / 2, 5.6, 2.2, font=PLAIN), INK),
        *_arrow(number),
    )
    return Drawing(PLATE_WIDTH, PLATE_HEIGHT, items)


_CORNERS = ("far left", "far right", "near right", "near left")


def _bits(number: int) -> Path:
    cells = cv2.aruco.getPredefinedDictionary(DICTIONARY).generateImageMarker(number, 6)
    left, top = MARKER_AT
    step = MARKER / 6
    white = [(column, row) for row in range(6) for column in range(6) if cells[row, column]]
    # one path for all cells, so that no hairlines show between them
    return tuple(
        run for column, row in white for run in box(left + column * step, top + row * step, step, step)
    )


def _arrow(number: int) -> tuple[Item, ...]:
    turn = (0, 90, 180, 270)[number]
    x, y = ((3, 3), (PLATE_WIDTH - 3, 3), (PLATE_WIDTH - 3, PLATE_HEIGHT - 3), (3, PLATE_HEIGHT - 3))[number]
    head = transform_path(path("M0 0 H5 L0 5 Z"), placement(x, y, turn=turn))
    shaft = transform_path(line((2, 2), (6, 6)), placement(x, y, turn=turn))
    return (fill(head, INK), stroke(shaft, INK, 1))
