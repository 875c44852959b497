"""A board without solder: which hole of a breadboard each wire, resistor and leg is plugged into.

The five holes of a half column are joined inside, and the halves are apart. So a resistor from E to F leads
from the Pi's wire, above, to the button's or the lamp's, below; the last column's upper half is ground.
"""

from msgspec import Struct

from hardware.board.board import COLOURS, Board
from hardware.board.header import PIN_OF
from hardware.board.netlist import Device, devices

COLUMNS, UPPER, LOWER = 17, "ABCDE", "FGHIJ"
"""The holes of the smallest breadboard, which is sold as one of 170."""
FIRST, APART, LEGS_APART = 2, 4, 2
"""The column of the first button, and from there to the next; from an outer leg of a LED to the other one."""
GROUND_COLUMN, GROUND_PIN = COLUMNS - 1, 6
MOST = 4
"""The buttons that there is room for: each has a hole of ground."""


class Plug(Struct, frozen=True):
    """A line on the breadboard: whose, its pin of the header, its resistor, its column, its hole of ground."""

    device: Device
    what: str
    pin: int
    ohms: int
    column: int
    ground: str


def plugs(board: Board) -> tuple[Plug, ...]:
    """Place the lines from the left; the legs of a LED are side by side, the middle one at ground."""
    lines = [(device, end) for device in devices(board) for end in device.terminals]
    found, column = list[Plug](), FIRST
    for place, (device, end) in enumerate(lines):
        ground = f"{UPPER[1 + place]}{GROUND_COLUMN + 1}"
        is_first_leg = end.what == COLOURS[0]
        column += 2 * is_first_leg
        found.append(Plug(device, end.what, PIN_OF[end.gpio].number, end.ohms, column, ground))
        column += LEGS_APART if is_first_leg else APART
    return tuple(found)
