"""Draw a breadboard with the wires and resistors of a board that isn't soldered, hole by hole."""

from collections.abc import Iterator

from hardware.board.board import Board
from hardware.board.design.look import COLOURS, INK, LOOK, PAPER, SOFT, WHITE, device_label
from hardware.board.design.strip_picture import FOOT_ROW, RESISTOR, foot_words
from hardware.board.netlist import GROUND
from hardware.board.plugged import COLUMNS, GROUND_COLUMN, GROUND_PIN, LOWER, UPPER, Plug, plugs
from hardware.decks.drawing import (
    PLAIN,
    Drawing,
    Item,
    box,
    circle,
    fill,
    fill_and_stroke,
    line,
    rounded_box,
    stroke,
    text,
    text_width,
)

WIDE, PITCH, LEFT, TOP = 342.0, 8.0, 103.0, 44.0
"""Millimetres: of the sheet, from hole to hole, of the first hole."""
ROWS, TRENCH = UPPER + LOWER, 1.5
"""The rows from above; between the halves is more room."""
PLASTIC, JOINED = "#eceae2", "#dfd8c4"
LETTERS = 2.6


def plugged_picture(board: Board, name: str) -> Drawing:
    """Draw the breadboard of a board."""
    foot = LOOK.foot["plugged"]
    low = _place("J", 0)[1] + 20
    high = low + 2 * FOOT_ROW * len(foot) + 8
    items = (
        fill(box(0, 0, WIDE, high), PAPER),
        fill(text(f"Coyote Table: {name}", 8, 11, 4.6, side="left"), INK),
        fill(
            text("breadboard, 170 holes / platine d'essai, 170 trous", 8, 17.5, 3, font=PLAIN, side="left"),
            SOFT,
        ),
        *_holes({GROUND_COLUMN, *(plug.column for plug in plugs(board))}),
        *_wire("A", GROUND_COLUMN, GROUND, f"{GROUND} {GROUND_PIN}"),
        *(item for plug in plugs(board) for item in _plug(plug)),
        *foot_words(low, foot),
    )
    return Drawing(WIDE, high, items)


def _place(row: str, column: int) -> tuple[float, float]:
    down = ROWS.index(row)
    return LEFT + PITCH * column, TOP + PITCH * (down + (TRENCH if row in LOWER else 0))


def _holes(wired: set[int]) -> Iterator[Item]:
    """Draw the holes, numbered beside the wires."""
    (left, top), (right, low) = _place("A", 0), _place("J", COLUMNS - 1)
    yield fill_and_stroke(
        rounded_box(left - 12, top - 12, right - left + 24, low - top + 24, 3), PLASTIC, SOFT, 0.3
    )
    for column in range(COLUMNS):
        for half in (UPPER, LOWER):
            (x, y), (_x, end) = _place(half[0], column), _place(half[-1], column)
            yield fill(rounded_box(x - 2.4, y - 2.4, 4.8, end - y + 4.8, 2.4), JOINED)
            for row in half:
                yield fill(box(x - 0.9, _place(row, column)[1] - 0.9, 1.8, 1.8), SOFT)
        for y in (top - 6.5, low + 8.5):
            x = left + PITCH * column + (3 if column in wired else 0)
            yield fill(text(str(column + 1), x, y, 2.2, font=PLAIN), SOFT)
    for row in ROWS:
        yield fill(text(row, left - 7.5, _place(row, 0)[1] + 1.1, LETTERS, font=PLAIN), SOFT)


def _plug(plug: Plug) -> Iterator[Item]:
    number = "" if plug.device.number is None else f" {plug.device.number + 1}"
    named = device_label(plug.device.kind)
    told = f"{named.english}{number} / {named.french}{number}"
    yield from _wire("A", plug.column, plug.device.terminals[0].what, str(plug.pin))
    yield from _resistor(plug)
    yield from _wire("J", plug.column, plug.device.terminals[0].what, told)
    row, column = plug.ground[0], int(plug.ground[1:]) - 1
    x, y = _place(row, column)
    yield fill_and_stroke(circle(x, y, 1.9), COLOURS[GROUND], WHITE, 0.3)
    yield stroke(line((x + 2.4, y), (x + 16, y)), COLOURS[GROUND], 0.8)
    yield fill(text(told, x + 18, y + 1, LETTERS, font=PLAIN, side="left"), INK)


def _wire(row: str, column: int, what: str, told: str) -> Iterator[Item]:
    """Draw a wire that leaves the breadboard, up to the Pi or down to a button."""
    x, y = _place(row, column)
    way = -1 if row == "A" else 1
    high = min(LETTERS, LETTERS * 3.6 * PITCH / text_width(told, LETTERS))
    yield stroke(line((x, y), (x, y + 15 * way)), COLOURS[what], 1.2)
    yield fill_and_stroke(circle(x, y, 1.9), COLOURS[what], WHITE, 0.3)
    yield fill(text(told, x, y + (-16.5 if way < 0 else 16.5 + high), high), INK)


def _resistor(plug: Plug) -> Iterator[Item]:
    (x, y), (_x, end) = _place("E", plug.column), _place("F", plug.column)
    yield stroke(line((x, y), (x, end)), SOFT, 0.8)
    for leg in (y, end):
        yield fill(circle(x, leg, 1.2), SOFT)
    yield fill_and_stroke(rounded_box(x - 2.2, y + 4, 4.4, end - y - 8, 1.6), RESISTOR, INK, 0.3)
    yield fill(text(f"{plug.ohms} ohm", x + 4.5, (y + end) / 2 + 0.9, LETTERS, side="left"), INK)
