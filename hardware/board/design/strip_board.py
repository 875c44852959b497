"""A strip board for a wiring: which hole each part and wire goes into, made from the same netlist as all else.

Strips lie across. Wires from the Pi arrive in the middle, cables leave at the edges. Each line has a strip of
its own, cut below its resistor; a ground strip lies beside it, and what leaves the box has a suppressor to it.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, pairwise
from typing import Literal

from msgspec import Struct

from hardware.board.board import Board
from hardware.board.header import PIN_OF
from hardware.board.netlist import GROUND, HIGH, LOW, SUPPRESSED, Device, Terminal, devices, needs_suppressor
from hardware.board.strips import COLUMNS, Strip, devices_on_lines, line_strips, signals

Hole = tuple[int, int]
"""A row, and a column; both from 0, the upper left."""
Kind = Literal[
    "resistor", "suppressor", "transistor", "diode", "capacitor", "register", "driver", "link", "wire"
]

END, NEXT, SUPPRESSOR = 0, 1, 2
"""Columns of a half, from its edge: a cable's wire, its neighbour, a suppressor."""
LINKS, NEAR, CUT, FAR, PI = (3, 4), 5, 6, 9, 10
"""Wires between ground strips; a resistor's leg, the cut below it, the other leg, the Pi's wire."""
APART = 13
"""The column at which the halves of a strip are cut apart."""
RAIL_PIN: Mapping[str, int] = {"GND": 6, "3V3": 1, "5V": 2}
"""The pins of the header that the rails come from."""
MINUS = "minus"
"""What the buzzer's other wire is called: it goes to the transistor."""


class Fitted(Struct, frozen=True):
    """A part and its legs' holes: of a transistor C, B, E, of a diode its anode first, of a chip as numbered.

    The value of a chip is its number, that of a wire what stands at both of its ends.
    """

    kind: Kind
    legs: tuple[Hole, ...]
    value: str = ""


class CableEnd(Struct, frozen=True):
    """A wire of a cable: which device's, and to which of its terminals."""

    hole: Hole
    device: Device
    what: str


class PiWire(Struct, frozen=True):
    """A wire from the Pi: a GPIO's, or a rail's."""

    hole: Hole
    gpio: int | None
    rail: str = ""
    pin: int = 0
    """Of the header."""


class StripBoard(Struct, frozen=True):
    """A whole strip board, seen from above."""

    strips: tuple[Strip, ...]
    cuts: tuple[Hole, ...]
    fitted: tuple[Fitted, ...]
    ends: tuple[CableEnd, ...]
    wires: tuple[PiWire, ...]


class Line(Struct, frozen=True):
    """A line from the Pi to a device, and where it runs."""

    device: Device
    terminal: Terminal
    row: int
    is_left: bool

    def hole(self, column: int) -> Hole:
        """Give a hole of this line's half."""
        return self.row, mirrored(column, is_left=self.is_left)


def mirrored(column: int, *, is_left: bool) -> int:
    """Give a column of a half, counted from its edge."""
    return column if is_left else COLUMNS - 1 - column


def strip_board(board: Board) -> StripBoard:
    """Lay out the strip board of a wiring."""
    strips = line_strips(board)
    lines = tuple(_lines(board, strips))
    grounds = [row for row, strip in enumerate(strips) if strip == "GND"]
    fitted = (*fit_lines(lines, strips), *_fitted_to_buzzer(strips), *link_grounds(grounds))
    taken = {hole for part in fitted for hole in part.legs}
    ends = tuple(_ends(board, lines, strips, taken))
    wires = (*(_pi_wire(line) for line in lines), *_rail_wires(strips))
    return StripBoard(strips, tuple(cut_lines(lines, strips)), fitted, ends, wires)


# strips


def line_slots(strips: Sequence[Strip]) -> Iterator[tuple[int, bool]]:
    """List where lines can run: down the left half, where the buzzer has its place, then down the right one."""
    rows = [row for row, strip in enumerate(strips) if strip == "line"]
    buzzer = _buzzer_row(strips)
    yield from ((row, True) for row in rows if row != buzzer)
    yield from ((row, False) for row in rows)


def _buzzer_row(strips: Sequence[Strip]) -> int | None:
    return strips.index("buzzer") + 1 if "buzzer" in strips else None


def _lines(board: Board, strips: Sequence[Strip]) -> Iterator[Line]:
    slots = line_slots(strips)
    for device, terminal in signals(board):
        buzzer = _buzzer_row(strips) if device.kind == "buzzer" else None
        row, is_left = next(slots) if buzzer is None else (buzzer, True)
        yield Line(device, terminal, row, is_left)


def cut_lines(lines: Sequence[Line], strips: Sequence[Strip]) -> Iterator[Hole]:
    """Cut the strips of lines below their resistors, and in the middle."""
    yield from (line.hole(CUT) for line in lines if line.terminal.ohms)
    yield from ((row, APART) for row, strip in enumerate(strips) if strip == "line")


# parts


def fit_lines(lines: Sequence[Line], strips: Sequence[Strip]) -> Iterator[Fitted]:
    """Fit each line's resistor, and its suppressor if it leaves the box."""
    for line in lines:
        if line.terminal.ohms:
            yield Fitted("resistor", (line.hole(FAR), line.hole(NEAR)), f"{line.terminal.ohms} Ω")
        if needs_suppressor(line.device, line.terminal):
            ground = line.row + 1 if strips[line.row + 1] == "GND" else line.row - 1
            # a ground strip serves the lines above and below it: each has holes of its own
            column = SUPPRESSOR if ground > line.row else NEXT
            legs = line.hole(column), (ground, mirrored(column, is_left=line.is_left))
            yield Fitted("suppressor", legs, SUPPRESSED)


def _fitted_to_buzzer(strips: Sequence[Strip]) -> Iterator[Fitted]:
    base = _buzzer_row(strips)
    if base is not None:
        legs = (base - 1, SUPPRESSOR), (base, SUPPRESSOR), (base + 1, SUPPRESSOR)
        yield Fitted("transistor", legs, "BC337-40")
        yield Fitted("diode", ((base - 1, NEAR), (base - 2, NEAR)), "1N4148")


def link_grounds(grounds: Sequence[int]) -> Iterator[Fitted]:
    """Join ground strips, one to the next."""
    for (one, other), column in zip(pairwise(grounds), cycle(LINKS), strict=False):
        yield Fitted("link", ((one, column), (other, column)))


# wires


def _pi_wire(line: Line) -> PiWire:
    gpio = line.terminal.gpio
    return PiWire(line.hole(PI), gpio, pin=0 if gpio is None else PIN_OF[gpio].number)


def _rail_wires(strips: Sequence[Strip]) -> Iterator[PiWire]:
    for rail in (GROUND, LOW, HIGH):
        if rail in strips:
            yield PiWire((strips.index(rail), PI), None, rail, RAIL_PIN[rail])


def _ends(board: Board, lines: Sequence[Line], strips: Sequence[Strip], taken: set[Hole]) -> Iterator[CableEnd]:
    """Give each terminal its wire: lines at the edge, rails in the next free hole of their strip."""
    yield from end_lines([line for line in lines if line.device.kind != "buzzer"])
    if "buzzer" in strips:
        (buzzer,) = (device for device in devices(board) if device.kind == "buzzer")
        yield CableEnd((strips.index("buzzer"), END), buzzer, MINUS)
    for device in devices_on_lines(board):
        near = next(line for line in lines if line.device == device)
        for terminal in device.terminals:
            # the transistor is the buzzer's way to ground
            if terminal.rail in strips and (device.kind, terminal.rail) != ("buzzer", GROUND):
                hole = _free_hole(strips, terminal.rail, near, taken)
                taken.add(hole)
                yield CableEnd(hole, device, terminal.rail)


def end_lines(lines: Sequence[Line]) -> Iterator[CableEnd]:
    """Give each line's cable its wire at the edge."""
    yield from (CableEnd(line.hole(END), line.device, line.terminal.what) for line in lines)


def _free_hole(strips: Sequence[Strip], rail: str, near: Line, taken: set[Hole]) -> Hole:
    """Find the free hole of a rail that is next to a device's line, at the edge if there is one."""
    columns = (END, NEXT, NEAR, CUT, CUT + 1, FAR)
    rows = [row for row, strip in enumerate(strips) if strip == rail]
    sides = (near.is_left, not near.is_left)
    holes = [
        (row, mirrored(column, is_left=is_left))
        for is_left in sides
        for row in sorted(rows, key=lambda row: abs(row - near.row))
        for column in columns
    ]
    return next(hole for hole in holes if hole not in taken)
