"""A board without solder: which hole of a breadboard each wire and resistor of a button is plugged into.

The five holes of a half column are joined inside, and the halves are apart. So a resistor from E to F leads
from the Pi's wire, above, to the button's, below; the last column's upper half is ground.
"""

from collections.abc import Iterator

from msgspec import Struct

from hardware.board.board import Board
from hardware.board.header import PIN_OF
from hardware.board.netlist import Device, devices

COLUMNS, UPPER, LOWER = 17, "ABCDE", "FGHIJ"
"""The holes of the smallest breadboard, which is sold as one of 170."""
FIRST, APART = 2, 4
"""The column of the first button, and from there to the next."""
GROUND_COLUMN, GROUND_PIN = COLUMNS - 1, 6
MOST = 4
"""The buttons that there is room for: each has a hole of ground."""


class Plug(Struct, frozen=True):
    """A button on the breadboard: its pin of the header, its resistor, its column, its hole of ground."""

    device: Device
    pin: int
    ohms: int
    column: int
    ground: str


def plugs(board: Board) -> tuple[Plug, ...]:
    """Place the buttons from the left."""
    return tuple(_plugs(board))


def _plugs(board: Board) -> Iterator[Plug]:
    ends = [(device, end) for device in devices(board) for end in device.terminals]
    lines = [(device, end.gpio, end.ohms) for device, end in ends if end.gpio is not None]
    for place, (device, gpio, ohms) in enumerate(lines):
        ground = f"{UPPER[1 + place]}{GROUND_COLUMN + 1}"
        yield Plug(device, PIN_OF[gpio].number, ohms, FIRST + APART * place, ground)
