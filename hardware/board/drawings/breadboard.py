"""Draws a breadboard with the wires and parts of a solderless board, and the Pi's pins."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from hardware.board import netlist
from hardware.board.board import COLOURS as LAMP_COLOURS
from hardware.board.board import HEADER, Board, LampLines
from hardware.decks.drawing import (
    PLAIN,
    Drawing,
    Item,
    Point,
    Run,
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

WIDE, PITCH, LEFT, TOP = 342.0, 8.0, 103.0, 84.0
"""Millimetres: width of the sheet, hole pitch, position of the first hole."""
PINS_LEFT, PINS_TOP = 91.0, 33.0
ROWS, TRENCH = netlist.UPPER + netlist.LOWER, 1.5
"""Rows from the top, and the extra gap between the halves, in pitches."""
PAPER, WHITE, BLACK, INK, SOFT, CARD = "#fbfaf6", "#ffffff", "#20242a", "#1d2733", "#66717d", "#cfc9ba"
PLASTIC, JOINED, RESISTOR = "#eceae2", "#dfd8c4", "#cfe0ee"
LETTERS, FOOT_ROW = 2.6, 4.2


Label = tuple[str, str]  # English and French text


class Look(Struct, frozen=True):
    """The content of breadboard.toml: wire colours, names of devices, labels of the picture."""

    colours: Mapping[str, str]
    devices: Mapping[str, Label]
    title: Label
    ports: Label
    foot: tuple[Label, ...]


STYLE = msgspec.toml.decode(Path(__file__).with_suffix(".toml").read_bytes(), type=Look)
COLOURS = STYLE.colours


def breadboard_picture(board: Board, name: str) -> Drawing:
    low = _place("J", 0)[1] + 20
    high = low + 2 * FOOT_ROW * len(STYLE.foot) + 8
    found = netlist.plugs(board)
    items = (
        fill(box(0, 0, WIDE, high), PAPER),
        fill(text(f"Coyote Table: {name}", 8, 11, 4.6, side="left"), INK),
        fill(text(" / ".join(STYLE.title), 8, 17.5, 3, font=PLAIN, side="left"), SOFT),
        *_holes({netlist.GROUND_COLUMN, *(plug.column for plug in found)}),
        *_header({netlist.GROUND_PIN: netlist.GROUND, **{plug.pin: plug.what for plug in found}}),
        *_jumper(netlist.GROUND_PIN, netlist.GROUND_COLUMN, netlist.GROUND),
        *(item for plug in found for item in _plug(plug)),
        *(item for row, told in enumerate(STYLE.foot) for item in _both(told, 8, low + 6 + 2 * FOOT_ROW * row)),
    )
    return Drawing(WIDE, high, items)


def one_seat(board: Board, lamps: LampLines) -> Board:
    first = LampLines(lamps.green[:1], lamps.red[:1])
    return Board(seats=1, call=board.call[:1], lamps=first, ohms=board.ohms, leds=board.leds)


def _header(wired: dict[int, str]) -> Iterator[Item]:
    """Draw the 40 pins as on a Pi whose USB sockets are at the right."""
    left, top, wide = PINS_LEFT - 5, PINS_TOP - 5, 19 * PITCH + 10
    yield fill(rounded_box(left, top, wide, PITCH + 10, 2), BLACK)
    for pin in HEADER:
        x, y = _pin_place(pin.number)
        rail = pin.name if pin.name in {netlist.LOW, netlist.HIGH} else ""
        yield fill_and_stroke(circle(x, y, 3), COLOURS.get(wired.get(pin.number, rail), CARD), WHITE, 0.2)
        is_dark = pin.number in wired or rail
        yield fill(text(str(pin.number), x, y + 0.9, 2), WHITE if is_dark else SOFT)
    yield from _both(STYLE.ports, left + wide + 4, PINS_TOP + 3)


def _pin_place(number: int) -> Point:
    """Return a pin's position; odd ones are in the lower row."""
    return PINS_LEFT + PITCH * ((number - 1) // 2), PINS_TOP + (PITCH if number % 2 else 0)


def _place(row: str, column: int) -> Point:
    down = ROWS.index(row)
    return LEFT + PITCH * column, TOP + PITCH * (down + (TRENCH if row in netlist.LOWER else 0))


def _holes(wired: set[int]) -> Iterator[Item]:
    (left, top), (right, low) = _place("A", 0), _place("J", netlist.COLUMNS - 1)
    yield fill_and_stroke(
        rounded_box(left - 12, top - 12, right - left + 24, low - top + 24, 3), PLASTIC, SOFT, 0.3
    )
    for column in range(netlist.COLUMNS):
        for half in (netlist.UPPER, netlist.LOWER):
            (x, y), (_x, end) = _place(half[0], column), _place(half[-1], column)
            yield fill(rounded_box(x - 2.4, y - 2.4, 4.8, end - y + 4.8, 2.4), JOINED)
            for row in half:
                yield fill(box(x - 0.9, _place(row, column)[1] - 0.9, 1.8, 1.8), SOFT)
        for y in (top - 6.5, low + 8.5):
            x = left + PITCH * column + (3 if column in wired else 0)
            yield fill(text(str(column + 1), x, y, 2.2, font=PLAIN), SOFT)
    for row in ROWS:
        yield fill(text(row, left - 7.5, _place(row, 0)[1] + 1.1, LETTERS, font=PLAIN), SOFT)


def _jumper(pin: int, column: int, what: str) -> Iterator[Item]:
    """Draw a wire from a pin to the top hole of a column, past the pins in between."""
    (x, y), (end_x, end_y) = _pin_place(pin), _place("A", column)
    aside = 0 if pin % 2 else PITCH / 2
    low = PINS_TOP + PITCH + 3
    curve = ((x + aside, low + 26), (end_x, end_y - 30), (end_x, end_y))
    steps = (((x + aside, y + 4.5),), ((x + aside, low),), curve)
    yield stroke((Run((x, y + 3), steps, closed=False),), COLOURS[what], 1.2)
    yield _end((end_x, end_y), what)


def _end(at: Point, what: str) -> Item:
    return fill_and_stroke(circle(*at, 1.9), COLOURS[what], WHITE, 0.3)


def _plug(plug: netlist.Plug) -> Iterator[Item]:
    yield from _jumper(plug.pin, plug.column, plug.what)
    yield from _resistor(plug)
    if plug.what not in LAMP_COLOURS:
        told = _name(plug.device)
        yield from _down(plug.column, plug.what, told)
        x, y = _place(plug.ground[0], int(plug.ground[1:]) - 1)
        yield _end((x, y), netlist.GROUND)
        yield stroke(line((x + 2.4, y), (x + 16, y)), COLOURS[netlist.GROUND], 0.8)
        yield fill(text(told, x + 18, y + 1, LETTERS, font=PLAIN, side="left"), INK)
    elif plug.what == LAMP_COLOURS[0]:
        yield from _lamp(plug)


def _name(device: netlist.Device) -> str:
    number = "" if device.number is None else f" {device.number + 1}"
    return " / ".join(f"{named}{number}" for named in STYLE.devices[device.kind])


def _down(column: int, what: str, told: str) -> Iterator[Item]:
    x, y = _place("J", column)
    high = min(LETTERS, LETTERS * 3.6 * PITCH / text_width(told, LETTERS))
    yield stroke(line((x, y), (x, y + 15)), COLOURS[what], 1.2)
    yield _end((x, y), what)
    yield fill(text(told, x, y + 16.5 + high, high), INK)


def _lamp(plug: netlist.Plug) -> Iterator[Item]:
    """Draw a two-colour LED: the outer legs at the resistors, the middle one at ground."""
    middle = plug.column + 1
    (left, y), (x, low), (right, _y) = (_place("H", column) for column in (plug.column, middle, middle + 1))
    for at, what in (((left, y), LAMP_COLOURS[0]), ((x, low), netlist.GROUND), ((right, y), LAMP_COLOURS[1])):
        yield stroke(line((x, y + 10), at), SOFT, 0.8)
        yield _end(at, what)
    yield fill_and_stroke(circle(x, y + 12, 4.5), COLOURS[LAMP_COLOURS[0]], INK, 0.3)
    yield fill(circle(x + 1.4, y + 12, 2.2), COLOURS[LAMP_COLOURS[1]])
    start, end = _place("G", middle), _place(plug.ground[0], netlist.GROUND_COLUMN)
    bend = (((start[0] + 5 * PITCH, start[1]), (end[0], start[1]), end),)
    yield stroke((Run(start, bend, closed=False),), COLOURS[netlist.GROUND], 0.8)
    yield from (_end(at, netlist.GROUND) for at in (start, end))


def _resistor(plug: netlist.Plug) -> Iterator[Item]:
    (x, y), (_x, end) = _place("E", plug.column), _place("F", plug.column)
    yield stroke(line((x, y), (x, end)), SOFT, 0.8)
    for leg in (y, end):
        yield fill(circle(x, leg, 1.2), SOFT)
    yield fill_and_stroke(rounded_box(x - 2.2, y + 4, 4.4, end - y - 8, 1.6), RESISTOR, INK, 0.3)
    side, aside = ("right", -4.5) if plug.what == LAMP_COLOURS[0] else ("left", 4.5)
    yield fill(text(f"{plug.ohms} ohm", x + aside, 0.7 * y + 0.3 * end + 0.9, 2.2, side=side), INK)


def _both(told: Label, x: float, y: float) -> Iterator[Item]:
    for row, (words, ink) in enumerate(zip(told, (INK, SOFT), strict=True)):
        yield fill(text(words, x, y + FOOT_ROW * row, LETTERS, font=PLAIN, side="left"), ink)
