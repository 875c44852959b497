"""The board as devices with terminals, and the wire that each terminal gets."""

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
"""What is inside a ULN2803 behind an input: a resistor and two transistors."""
BASE_VOLTS = 0.7  # the volts at the base of the buzzer's transistor
DARK_OHMS = 10_000
"""The resistor that holds the latch and OE of all registers high until a program drives them.

At a table with everything no pin is left for OE alone. It shares the latch's: a register copies when that
rises, so it may rest low, with the lamps lit, or high, with all of them dark. Where nothing drives the pin, as
at boot, this resistor wins against the 50 kΩ in the Pi that pull down: 2.75 V, where a 74HC595 wants 2.3.
"""
RING_OHMS = 330
"""The resistor in a ring's data line, behind the 74AHCT125; DARK_OHMS hold it low while nothing is sent."""
MODULE_OHMS = 10_000
"""The resistors on the modules of the dial and the display that pull their lines up to 3V3."""

CONTACTS = frozenset({"call", "second", "table", "dial a", "dial b", "dial push", "display data"})
"""What may be connected to ground: by a finger, or by a chip that answers."""
MODULES = frozenset({"dial a", "dial b", "dial push", "display clock", "display data"})
"""What a resistor on its module pulls up."""
DECOUPLING, ARRAY = "100 nF", "SP720"
"""The capacitor between supply and ground of each chip, and what keeps sparks of fingers out of 14 lines.

An array is between two resistors of a line. Of a spark of 4 kV 3 A come through the one at the cable; they lift
its input 4 V beyond a rail, and of these the other resistor leaves the pin some 11 mA. What is at the cable's
end of a line instead, as boards had that were soldered before, lets 21 V through: 17 mA, behind 330 Ω 52 mA.
"""


class Terminal(Struct, frozen=True):
    """The end of a wire: its GPIO, its resistors, one that pulls it up, the volts across its lamp."""

    what: str
    gpio: int
    ohms: int = 0
    pull: int = 0
    drop: float = 0.0
    driver: int | None = None
    """The place of the ULN2803's input between the pin and the lamp, over all chips."""


class Device(Struct, frozen=True):
    """A thing with terminals: its kind, and its number if there are several."""

    kind: str
    terminals: tuple[Terminal, ...]
    number: int | None = None


_KINDS = {
    **dict.fromkeys(("call", "second", "green", "red"), "seat"),
    "table": "table button",
    **dict.fromkeys(("spi data", "spi clock"), "shifter"),
    **dict.fromkeys(("ring select", "digits select"), "selects"),
}
"""The devices of uses that don't begin with their name."""


def _kind(what: str) -> str:
    return _KINDS.get(what, what.split(maxsplit=1)[0])


INSIDE = frozenset({"register", "shifter", "selects"})
"""Devices that stay in the box, and meet nothing but inputs of chips."""


def devices(board: Board) -> tuple[Device, ...]:
    """List the devices in the order of their names, each with the terminals that lead to pins."""
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
        pull=DARK_OHMS if use.what == "register latch" else 0,
        drop=drop(board, use.what),
        driver=behind.index(lamp) if lamp in behind else None,
    )


def driven_lamps(board: Board) -> tuple[tuple[int, str], ...]:
    """List the lamps behind drivers in the order of their inputs, seat after seat: seat and colour."""
    if lamp_supply(board) is None:
        return ()
    lamps = [(use.number or 0, use.what) for use in uses(board) if use.what in COLOURS]
    return chain(board) or tuple(sorted(lamps))


def has_driver(board: Board, what: str) -> bool:
    return lamp_supply(board) is not None and what in COLOURS


def driver_legs(board: Board, place: int) -> tuple[int, int, int]:
    """Give the number of a lamp's ULN2803, counted from 1, and the legs of its input and output.

    One beside a register lies upside down, so that the legs face each other: QA has leg 1, QB 8, QC 7 ...
    """
    chip, output = divmod(place, OUTPUTS)
    leg = 1 + (-output % OUTPUTS if isinstance(board.lamps, Register) else output)
    return chip + 1, leg, 19 - leg


def drop(board: Board, what: str) -> float:
    """Give the volts across a lamp, or at a transistor's base; the resistor takes the rest."""
    if has_driver(board, what):
        return DRIVER_DROP
    if what in Leds.__struct_fields__:
        return FORWARD_VOLTS[getattr(board.leds, what)]
    return BASE_VOLTS if what == "buzzer" else 0.0


def resistor(board: Board, use: PinUse) -> int:
    """Give the resistor at a pin; lines that stay in the box meet nothing but inputs."""
    if has_driver(board, use.what):
        return 0
    if use.what in Ohms.__struct_fields__:
        return int(getattr(board.ohms, use.what))
    if _kind(use.what) in INSIDE:
        return 0
    return board.ohms.pin + (board.ohms.pulled if use.gpio in PULLED_UP else board.ohms.line)


def chain(board: Board) -> tuple[tuple[int, str], ...]:
    """List the lamps on the shift registers' outputs, from the first: seat and colour."""
    if not isinstance(board.lamps, Register):
        return ()
    return tuple((seat, colour) for seat in range(board.seats) for colour in COLOURS)


def lamp_counts(board: Board) -> dict[str, int]:
    green = red = board.seats if isinstance(board.lamps, Register) else 0
    if isinstance(board.lamps, LampPins):
        green, red = len(board.lamps.green), len(board.lamps.red)
    return {"green": green, "red": red, "attention": int(board.attention is not None)}


def is_clamped(board: Board, end: Terminal) -> bool:
    """Return whether a line is clamped at its pin: one that a finger may reach, where a board has an array."""
    return board.ohms.pin > 0 and end.what not in Ohms.__struct_fields__ and end.ohms > 0


# A board without solder: which hole of a breadboard each wire, resistor and leg is plugged into.
# The five holes of a half column are joined inside, and the halves are apart. So a resistor from E to F leads
# from the Pi's wire, above, to the button's or the lamp's, below; the last column's upper half is ground.


COLUMNS, UPPER, LOWER = 17, "ABCDE", "FGHIJ"
"""The holes of the smallest breadboard, which is sold as one of 170."""
FIRST, APART, LEGS_APART = 2, 4, 2
"""The column of the first button, and from there to the next; from an outer leg of a LED to the other one."""
GROUND_COLUMN, GROUND_PIN = COLUMNS - 1, 6
MOST = 4  # the buttons that there is room for: each has a hole of ground


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
    found, column = list[Plug](), FIRST
    lines = ((device, end) for device in devices(board) for end in device.terminals)
    for place, (device, end) in enumerate(lines):
        ground = f"{UPPER[1 + place]}{GROUND_COLUMN + 1}"
        is_first_leg = end.what == COLOURS[0]
        column += 2 * is_first_leg
        found.append(Plug(device, end.what, PIN_OF[end.gpio].number, end.ohms, column, ground))
        column += LEGS_APART if is_first_leg else APART
    return tuple(found)
