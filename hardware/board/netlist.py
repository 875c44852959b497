"""The board as devices with terminals, and the wire of each terminal."""

from msgspec import Struct

from hardware.board.board import (
    COLOURS,
    FORWARD_VOLTS,
    OUTPUTS,
    PIN_OF,
    PULLED_UP,
    Board,
    LampPins,
    Leds,
    Ohms,
    Register,
    lamp_supply,
)
from hardware.board.uses import PinUse, uses

GROUND, LOW, HIGH = "GND", "3V3", "5V"
DRIVER_OHMS, DRIVER_DROP = 2_700, 1.4
"""Input circuit of a ULN2803: a resistor and two transistors."""
BASE_VOLTS = 0.7  # base voltage of the buzzer's transistor
DARK_OHMS = 10_000
"""Pull-up that keeps latch and OE of all registers high until a program drives them.

A full table has no free pin for OE, so it shares the latch's. Registers copy on a rising latch, so it may rest
low (lamps lit) or high (lamps off). During boot this resistor overrides the Pi's 50 kΩ pull-down: 2.75 V, while
a 74HC595 needs 2.3 V.
"""
MODULE_OHMS = 10_000
"""Pull-up resistors to 3V3 on the modules of dial and display."""

CONTACTS = frozenset({"call", "second", "table", "dial a", "dial b", "dial push", "display data"})
"""Lines that may be grounded, by a finger or by a responding chip."""
WETTED = CONTACTS - {"display data"}
"""Mechanical contacts. They oxidise; a current of about 1 mA keeps them conducting."""
WETTING_OHMS = 3_300
"""Pull-up at each contact's terminal on the fabricated board, outside both resistors of the line.

A pressed contact grounds the terminal, so the pull-up draws no current through the line's resistors. The same
pull-up at the pin would leave 0.95 V there, too much for a low level (see levels.py).
"""
MODULES = frozenset({"dial a", "dial b", "dial push", "display clock", "display data"})
"""Lines with a pull-up resistor on their module."""


class Terminal(Struct, frozen=True):
    """The end of a wire: its GPIO, its series and pull-up resistors, and its lamp's voltage."""

    what: str
    gpio: int
    ohms: int = 0
    pull: int = 0
    drop: float = 0.0
    driver: int | None = None
    """Index of the ULN2803 input between pin and lamp, over all chips."""


class Device(Struct, frozen=True):
    """A device with terminals: its kind, and its number if there are several."""

    kind: str
    terminals: tuple[Terminal, ...]
    number: int | None = None


_KINDS = {
    **dict.fromkeys(("call", "second", "green", "red"), "seat"),
    "table": "table button",
    **dict.fromkeys(("spi data", "spi clock", "digits select"), "shifter"),
}
"""Devices of uses whose names don't start with the device."""


def _kind(what: str) -> str:
    return _KINDS.get(what, what.split(maxsplit=1)[0])


INSIDE = frozenset({"register", "shifter"})
"""Devices inside the box, connected only to inputs of chips."""


def devices(board: Board) -> tuple[Device, ...]:
    """Return the devices in order of their names, with the terminals that lead to pins."""
    grouped: dict[tuple[str, int | None], list[Terminal]] = {}
    for use in uses(board):
        grouped.setdefault((_kind(use.what), use.number), []).append(_terminal(board, use))
    return tuple(Device(kind, tuple(terminals), number) for (kind, number), terminals in grouped.items())


def _terminal(board: Board, use: PinUse) -> Terminal:
    behind = driven_lamps(board)
    lamp = (-1 if use.number is None else use.number, use.what)
    return Terminal(
        use.what,
        use.gpio,
        ohms=resistor(board, use),
        pull=pull_up(board, use.what),
        drop=drop(board, use.what),
        driver=behind.index(lamp) if lamp in behind else None,
    )


def driven_lamps(board: Board) -> tuple[tuple[int, str], ...]:
    """Return lamps with drivers as (seat, colour), in the order of their inputs."""
    if lamp_supply(board) is None:
        return ()
    lamps = [(use.number or 0, use.what) for use in uses(board) if use.what in COLOURS]
    return chain(board) or tuple(sorted(lamps))


def has_driver(board: Board, what: str) -> bool:
    return lamp_supply(board) is not None and what in COLOURS


def driver_legs(board: Board, place: int) -> tuple[int, int, int]:
    """Return a lamp's ULN2803, counted from 1, and the legs of its input and output.

    One beside a register is mounted upside down, so that their legs face each other: QA has leg 1, QB 8, QC 7
    ...
    """
    chip, output = divmod(place, OUTPUTS)
    leg = 1 + (-output % OUTPUTS if isinstance(board.lamps, Register) else output)
    return chip + 1, leg, 19 - leg


def drop(board: Board, what: str) -> float:
    """Return the voltage across a lamp, or at a transistor's base."""
    if has_driver(board, what):
        return DRIVER_DROP
    if what in Leds.__struct_fields__:
        return FORWARD_VOLTS[getattr(board.leds, what)]
    return BASE_VOLTS if what == "buzzer" else 0.0


def resistor(board: Board, use: PinUse) -> int:
    """Return the resistor at a pin; lines inside the box have none."""
    if has_driver(board, use.what):
        return 0
    if use.what in Ohms.__struct_fields__:
        return int(getattr(board.ohms, use.what))
    if _kind(use.what) in INSIDE:
        return 0
    return board.ohms.pin + (board.ohms.pulled if use.gpio in PULLED_UP else board.ohms.line)


def pull_up(board: Board, what: str) -> int:
    """Return the pull-up at a terminal or a chip, if any; boards with a clamp array have them at contacts."""
    if what == "register latch":
        return DARK_OHMS
    return WETTING_OHMS if board.ohms.pin and what in WETTED else 0


def chain(board: Board) -> tuple[tuple[int, str], ...]:
    """Return lamps on the shift registers as (seat, colour), from the first output."""
    if not isinstance(board.lamps, Register):
        return ()
    return tuple((seat, colour) for seat in range(board.seats) for colour in COLOURS)


def lamp_counts(board: Board) -> dict[str, int]:
    green = red = board.seats if isinstance(board.lamps, Register) else 0
    if isinstance(board.lamps, LampPins):
        green, red = len(board.lamps.green), len(board.lamps.red)
    return {"green": green, "red": red, "attention": int(board.attention is not None)}


# A solderless board: the breadboard hole of each wire, resistor and leg.
# The five holes of a half column are connected; the halves are separate. A resistor from E to F therefore
# connects the Pi's wire, above, to the button or lamp, below. The upper half of the last column is ground.


COLUMNS, UPPER, LOWER = 17, "ABCDE", "FGHIJ"
"""Holes of the smallest breadboard, sold with 170 holes."""
FIRST, APART, LEGS_APART = 2, 4, 2
"""Column of the first button, distance to the next one, and distance of a LED's outer legs."""
GROUND_COLUMN, GROUND_PIN = COLUMNS - 1, 6
MAX_BUTTONS = 4  # maximum number of buttons, one per ground hole


class Plug(Struct, frozen=True):
    """A line on the breadboard: its device, header pin, resistor, column and ground hole."""

    device: Device
    what: str
    pin: int
    ohms: int
    column: int
    ground: str


def plugs(board: Board) -> tuple[Plug, ...]:
    """Place the lines from the left; a LED's legs are side by side, the middle one at ground."""
    found, column = list[Plug](), FIRST
    lines = ((device, end) for device in devices(board) for end in device.terminals)
    for place, (device, end) in enumerate(lines):
        ground = f"{UPPER[1 + place]}{GROUND_COLUMN + 1}"
        is_first_leg = end.what == COLOURS[0]
        column += 2 * is_first_leg
        found.append(Plug(device, end.what, PIN_OF[end.gpio].number, end.ohms, column, ground))
        column += LEGS_APART if is_first_leg else APART
    return tuple(found)
