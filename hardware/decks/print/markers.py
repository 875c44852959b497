"""The four corner plates: an ArUco marker for the position, and a white patch for the light."""

import cv2

from hardware.decks import drawing

PLATE_WIDTH, PLATE_HEIGHT = 60.0, 84.0
MARKER = 40.0  # side of the black square
MARKER_AT = (10.0, 10.0)
PATCH = (20.0, 60.0, 20.0, 10.0)  # the white patch on the plate: left, top, width, height
FRAME = (12.0, 56.0, 36.0, 18.0)  # the neutral grey around it
GREY, INK, WHITE = "#808080", "#1d2030", "#ffffff"
BLACK = "#000000"
DICTIONARY = cv2.aruco.DICT_4X4_50


def plate(number: int) -> drawing.Drawing:
    """Draw a plate, with an arrow to its corner of the table."""
    left, top = MARKER_AT
    words = f"marker {number}   {MARKER:g} mm   DICT_4X4_50"
    items: tuple[drawing.Item, ...] = (
        drawing.stroke(drawing.box(0, 0, PLATE_WIDTH, PLATE_HEIGHT), "#b9bdc9", 0.12),
        drawing.fill(drawing.box(left, top, MARKER, MARKER), BLACK),
        drawing.fill(_bits(number), WHITE),
        drawing.fill(drawing.box(*FRAME), GREY),
        drawing.fill(drawing.box(*PATCH), WHITE),
        drawing.fill(drawing.text(words, PLATE_WIDTH / 2, 79.5, 1.7, font=drawing.PLAIN), INK),
        drawing.fill(drawing.text(_CORNERS[number], PLATE_WIDTH / 2, 5.6, 2.2, font=drawing.PLAIN), INK),
        *_arrow(number),
    )
    return drawing.Drawing(PLATE_WIDTH, PLATE_HEIGHT, items)


_CORNERS = ("far left", "far right", "near right", "near left")


def _bits(number: int) -> drawing.Path:
    cells = cv2.aruco.getPredefinedDictionary(DICTIONARY).generateImageMarker(number, 6)
    left, top = MARKER_AT
    step = MARKER / 6
    white = ((left + k * step, top + row * step) for row in range(6) for k in range(6) if cells[row, k])
    # one path for all cells, so that no hairlines show between them
    return tuple(run for x, y in white for run in drawing.box(x, y, step, step))


def _arrow(number: int) -> tuple[drawing.Item, ...]:
    turn = (0, 90, 180, 270)[number]
    x, y = ((3, 3), (PLATE_WIDTH - 3, 3), (PLATE_WIDTH - 3, PLATE_HEIGHT - 3), (3, PLATE_HEIGHT - 3))[number]
    head = drawing.transform_path(drawing.path("M0 0 H5 L0 5 Z"), drawing.placement(x, y, turn=turn))
    shaft = drawing.transform_path(drawing.line((2, 2), (6, 6)), drawing.placement(x, y, turn=turn))
    return (drawing.fill(head, INK), drawing.stroke(shaft, INK, 1))
