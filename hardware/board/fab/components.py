"""Parts of the fabricated board and the net of each leg, from the netlist of its profile."""

from collections import Counter
from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from hardware.board.board import HEADER, Board, our_boards
from hardware.board.lamps import register_leg
from hardware.board.netlist import (
    ARRAY,
    DECOUPLING,
    FUSED,
    GROUND,
    HIGH,
    LOW,
    Device,
    Terminal,
    chain,
    devices,
    is_clamped,
)

VERSION = "1.1"
"""Version of the board, printed on it.

Boards of 1.0, printed without a version, lack the last parts: F1 and the contacts' pull-ups. Pins, profiles and
all other parts are the same.
"""
FAB = "fab"
"""Profile of the board."""
MINUS = "buzzer minus"
POLES: Mapping[str, tuple[str, ...]] = {
    "seat": ("call", "green", "red", GROUND),
    "dial": ("dial a", "dial b", "dial push", FUSED, GROUND),
    "display": ("display clock", "display data", FUSED, GROUND),
    "attention": ("attention", GROUND),
    "buzzer": (HIGH, MINUS),
}
"""Net of each pole of a device's terminal, in the pin order of common modules."""
ARRAY_INPUTS = (*range(1, 8), *range(9, 16))
"""Legs of an SP720 for lines; leg 8 is ground, leg 16 is 3V3."""


class FabPart(Struct, frozen=True):
    """A part: its kind, its value, and the net of each leg ("" if unconnected)."""

    kind: str
    value: str
    nets: tuple[str, ...]
    name: str = ""  # printed designator, such as R7


_LETTERS: Mapping[str, str] = {
    **dict.fromkeys(("socket", "terminal"), "J"),
    "capacitor": "C",
    "dip16": "U",
    "resistor": "R",
    "transistor": "Q",
    "diode": "D",
    "fuse": "F",
}
FUSE = "0.2 A"


def is_fab(board: Board) -> bool:
    """Return whether a board is the fabricated one, regardless of its name."""
    return board == our_boards()[FAB]


def fab_parts() -> tuple[FabPart, ...]:
    """Return the parts of the board with designators."""
    numbers = Counter[str]()
    named = []
    for part in _parts(our_boards()[FAB]):
        letter = _LETTERS[part.kind]
        numbers[letter] += 1
        named.append(replace(part, name=f"{letter}{numbers[letter]}"))
    return tuple(named)


def _parts(board: Board) -> Iterator[FabPart]:
    wired = devices(board)
    yield _socket(wired)
    for device in wired:
        if device.kind in POLES:
            yield _terminal(device.kind, device.number)
    lines = [(device, end) for device in wired for end in device.terminals]
    for device, end in lines:
        yield from _line(board, device, end)
    yield from _array([f"{_net(device, end)} clamped" for device, end in lines if is_clamped(board, end)])
    yield from _registers(board)
    # parts since 1.1 come last, so that those of 1.0 keep their designators
    for device, end in lines:
        if end.ohms and end.pull:
            yield _resistor(end.pull, LOW, _net(device, end))
    yield FabPart("fuse", FUSE, (LOW, FUSED))


def _net(device: Device, end: Terminal) -> str:
    return f"{_seat(device.number)} {end.what}" if device.number is not None else end.what


def _seat(number: int) -> str:
    return f"seat {number + 1}"


def pin_net(gpio: int) -> str:
    return f"GPIO{gpio}"


def _socket(wired: tuple[Device, ...]) -> FabPart:
    used = {end.gpio for device in wired for end in device.terminals}
    nets = (pin.name if pin.gpio in used or pin.name in {GROUND, LOW, HIGH} else "" for pin in HEADER)
    return FabPart("socket", "2 x 20", tuple(nets))


def _terminal(kind: str, number: int | None) -> FabPart:
    if number is None:
        return FabPart("terminal", kind, POLES[kind])
    nets = (what if what == GROUND else f"{_seat(number)} {what}" for what in POLES[kind])
    return FabPart("terminal", _seat(number), tuple(nets))


def _line(board: Board, device: Device, end: Terminal) -> Iterator[FabPart]:
    """Yield the resistors of a line; a clamped line has one on each side of the array."""
    net, pin = _net(device, end), pin_net(end.gpio)
    if device.kind == "buzzer":
        yield _resistor(end.ohms, pin, "buzzer base")
        yield FabPart("transistor", "BC337-40", (MINUS, "buzzer base", GROUND))
        yield FabPart("diode", "1N4148", (HIGH, MINUS))
    elif is_clamped(board, end):
        yield _resistor(board.ohms.pin, pin, f"{net} clamped")
        yield _resistor(end.ohms - board.ohms.pin, f"{net} clamped", net)
    elif end.ohms:
        yield _resistor(end.ohms, pin, net)
    elif end.pull:
        yield _resistor(end.pull, pin, LOW)


def _resistor(ohms: int, *nets: str) -> FabPart:
    return FabPart("resistor", f"{ohms} Ω", nets)


def _array(nets: list[str]) -> Iterator[FabPart]:
    yield from _chip(ARRAY, dict(zip(ARRAY_INPUTS, nets, strict=False)) | {8: GROUND, 16: LOW})


def _chip(value: str, legs: Mapping[int, str]) -> Iterator[FabPart]:
    """Yield a chip and its capacitor; the last leg is the supply."""
    yield FabPart("dip16", value, tuple(legs.get(leg, "") for leg in range(1, 17)))
    yield FabPart("capacitor", DECOUPLING, (legs[16], GROUND))


def _registers(board: Board) -> Iterator[FabPart]:
    """Yield the chained registers; outputs with a lamp are clamped behind a resistor."""
    pins = {end.what: pin_net(end.gpio) for device in devices(board) for end in device.terminals}
    lamps = [f"{_seat(seat)} {colour}" for seat, colour in chain(board)]
    driven = {register_leg(place): f"{lamp} driven" for place, lamp in enumerate(lamps)}
    chips = sorted({chip for chip, _leg in driven})
    for chip in chips:
        legs = {leg: net for (number, leg), net in driven.items() if number == chip}
        legs |= {8: GROUND, 10: LOW, 16: LOW, 11: pins["register clock"]}
        legs |= dict.fromkeys((12, 13), pins["register latch"])
        legs |= {14: pins["register data"] if chip == chips[0] else f"register {chip}"}
        legs |= {9: f"register {chip + 1}"} if chip != chips[-1] else {}
        yield from _chip("74HC595", legs)
    yield from _array([*driven.values()])
    for lamp in lamps:
        yield _resistor(getattr(board.ohms, lamp.split()[-1]), f"{lamp} driven", lamp)
