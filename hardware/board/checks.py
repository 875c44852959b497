"""Checks of a board: duplicate or missing pins, pull-ups, currents, incomplete seats."""

from collections.abc import Iterator

from hardware.board import lamps, netlist
from hardware.board.board import (
    ALL_MILLIAMPS,
    FORWARD_VOLTS,
    INSIDE_OHMS,
    INTERFACES,
    ON_PI_OHMS,
    OUTPUTS,
    PIN_MILLIAMPS,
    PIN_OF,
    PULLED_UP,
    VOLTS,
    Board,
    LampPins,
    LedColour,
    Register,
    Trouble,
    lamp_supply,
)
from hardware.board.uses import PinUse, uses

SPREAD_VOLTS = 0.3  # maximum difference in forward voltage between LEDs of one colour
LEAST_MILLIAMPS = 0.1  # current at which even a bright LED becomes visible in a lit room
LOW_VOLTS = 0.8  # highest voltage that a pin reliably reads as low
EEPROM = frozenset({0, 1})  # pins reserved for the EEPROM of add-on boards
CHIP_MILLIAMPS = 70.0  # maximum milliamperes from all outputs of a 74HC595
OUTPUT_MILLIAMPS = 6.0  # maximum milliamperes from one output at a valid logic level
DRIVER_MILLIAMPS = 100.0
"""Maximum milliamperes per output of a ULN2803 with all eight on continuously, in a warm box."""
DRIVER_VOLTS = 3.0, 24.0  # range of supply voltages for lamps with exposed wires
MOST_SEATS = 8


def troubles(board: Board) -> tuple[Trouble, ...]:
    pins, seats = (*_pins(board), *_clashes(board)), (*_seats(board), *_on_spi(board))
    plugged = _plugged(board) if board.solderless else ()
    return (*pins, *seats, *plugged, *_currents(board), *_lines(board), *_dim(board))


def _pins(board: Board) -> Iterator[Trouble]:
    """Yield pins that don't exist, are reserved, or have a pull-up resistor."""
    kept = {gpio: name for name in board.keeps for gpio in INTERFACES[name]}
    ours = frozenset[int]() if board.max7219 is None else INTERFACES["spi"]
    for use in uses(board):
        if use.gpio in EEPROM:
            yield _trouble("eeprom", use)
        elif use.gpio not in PIN_OF:
            yield _trouble("no such pin", use)
        elif use.gpio in kept:
            yield _trouble("kept", use, interface=kept[use.gpio])
        elif use.gpio in ours and use.what not in {"spi data", "spi clock", "digits select"}:
            yield _trouble("spi", use)
        elif use.gpio in PULLED_UP and use.is_output:
            yield _trouble("pulled up", use)


def _clashes(board: Board) -> Iterator[Trouble]:
    first: dict[int, PinUse] = {}
    for use in uses(board):
        if use.gpio in first:
            yield _trouble("clash", use, other=use_name(first[use.gpio]))
        first.setdefault(use.gpio, use)


def _seats(board: Board) -> Iterator[Trouble]:
    if not 0 <= board.seats <= MOST_SEATS:
        yield Trouble("seats", {"seats": board.seats, "most": MOST_SEATS})
    if len(board.table) > 2:
        yield Trouble("table buttons", {"count": len(board.table)})
    lists = {"second": board.second}
    if isinstance(board.lamps, LampPins):
        lists |= {"green": board.lamps.green, "red": board.lamps.red}
    counts = {"call": len(board.call)} | {what: len(pins) for what, pins in lists.items() if pins}
    for what, count in counts.items():
        if count != board.seats:
            yield Trouble("not for each seat", {"what": what, "count": count, "seats": board.seats})
    needed = max(1, 2 * board.seats)
    if isinstance(board.lamps, Register) and board.lamps.chips * OUTPUTS < needed:
        yield Trouble("too few outputs", {"chips": board.lamps.chips, "needed": needed})


def _plugged(board: Board) -> Iterator[Trouble]:
    found = uses(board)
    others = [use for use in found if use.what not in {"call", "second", "table"}]
    if others or len(found) > netlist.MAX_BUTTONS:
        yield Trouble("solderless", {"most": netlist.MAX_BUTTONS, "count": len(found) - len(others)})


def _on_spi(board: Board) -> Iterator[Trouble]:
    if board.max7219 is not None:
        digits, light = board.max7219.digits, board.max7219.light
        if not lamps.LEAST_DIGITS <= digits <= lamps.MOST_DIGITS or not 0 <= light <= lamps.BRIGHTEST:
            limits = {"least": lamps.LEAST_DIGITS, "most": lamps.MOST_DIGITS, "full": lamps.BRIGHTEST}
            yield Trouble("digits", {"digits": digits, "light": light, **limits})
        if board.display is not None:
            yield Trouble("two displays")


def _currents(board: Board) -> Iterator[Trouble]:
    drawn = {use: milliamps(board, use.what) for use in uses(board)}
    for use, current in drawn.items():
        if current > PIN_MILLIAMPS:
            yield _trouble("pin current", use, milliamps=current, most=PIN_MILLIAMPS)
    total = sum(drawn.values())
    if total > ALL_MILLIAMPS:
        yield Trouble("total current", {"milliamps": round(total, 1), "most": ALL_MILLIAMPS})
    if isinstance(board.lamps, Register):
        each = [milliamps(board, colour) for colour in ("green", "red")]
        if max(each) > OUTPUT_MILLIAMPS:
            yield Trouble("output current", {"milliamps": max(each), "most": OUTPUT_MILLIAMPS})
        chip = round(sum(each) * OUTPUTS / 2, 1)
        if chip > CHIP_MILLIAMPS:
            yield Trouble("chip current", {"milliamps": chip, "most": CHIP_MILLIAMPS})
    if (supply := lamp_supply(board)) is not None:
        # the outputs of a ULN2803 may all be on continuously within these limits
        least, most = DRIVER_VOLTS
        if not least <= supply.volts <= most:
            yield Trouble("driver volts", {"volts": supply.volts, "least": least, "most": most})
        if not 0 < supply.milliamps <= DRIVER_MILLIAMPS:
            yield Trouble("driver current", {"milliamps": supply.milliamps, "most": DRIVER_MILLIAMPS})


def _dim(board: Board) -> Iterator[Trouble]:
    """Yield LEDs that may stay dark because of their voltage or their resistor."""
    for what, count in netlist.lamp_counts(board).items():
        if not count or netlist.has_driver(board, what):
            continue
        colour: LedColour = getattr(board.leds, what)
        volts = FORWARD_VOLTS[colour] + SPREAD_VOLTS
        least = round(_milliamps_with(board, what, volts), 2)
        if volts >= VOLTS:
            yield Trouble("dark lamp", {"what": what, "colour": colour, "volts": volts, "most": VOLTS})
        elif least < LEAST_MILLIAMPS:
            yield Trouble("dim", {"what": what, "milliamps": least, "least": LEAST_MILLIAMPS})


def _lines(board: Board) -> Iterator[Trouble]:
    """Yield line resistors that don't protect a pin from a press, or that hide a press."""
    ohms = {use: netlist.resistor(board, use) for use in uses(board) if use.what in _PULL_UPS}
    # current of a pin that is driven by mistake while a press grounds its resistor
    presses = {use: round(1000 * VOLTS / max(1, each), 1) for use, each in ohms.items()}
    for use, current in presses.items():
        if current > PIN_MILLIAMPS:
            yield _trouble("line current", use, milliamps=current, most=PIN_MILLIAMPS)
    total = sum(current for use, current in presses.items() if use.what in _FINGERS)
    if total > ALL_MILLIAMPS:
        yield Trouble("presses' current", {"milliamps": round(total, 1), "most": ALL_MILLIAMPS})
    for use, each in ohms.items():
        # the voltage of a line whose far end is grounded, against all pull-ups
        pulls = (INSIDE_OHMS, ON_PI_OHMS if use.gpio in PULLED_UP else 0, _PULL_UPS[use.what])
        up = sum(1 / pull for pull in pulls if pull)
        volts = round(VOLTS * each * up / (1 + each * up), 2)
        if volts > LOW_VOLTS:
            yield _trouble("not low", use, volts=volts, most=LOW_VOLTS)


_PULL_UPS = {
    what: netlist.MODULE_OHMS if what in netlist.MODULES else 0 for what in netlist.CONTACTS | netlist.MODULES
}
"""Lines that a contact or a chip may ground, and the pull-up resistor at their far end."""
_FINGERS = {"call", "table"}
"""Buttons that may be pressed at the same time, one by each player."""


def milliamps(board: Board, what: str) -> float:
    """Return the current of a lamp or the buzzer's transistor; that of inputs is negligible."""
    volts = netlist.drop(board, what)
    if netlist.has_driver(board, what):
        return round(1000 * (VOLTS - volts) / netlist.DRIVER_OHMS, 1)
    return round(_milliamps_with(board, what, volts), 1) if volts else 0.0


def _milliamps_with(board: Board, what: str, volts: float) -> float:
    ohms: int = getattr(board.ohms, what)
    return 1000 * max(0.0, VOLTS - volts) / max(1, ohms)


def use_name(use: PinUse) -> str:
    """Return a use in one or two words; seats count from 1."""
    return use.what if use.number is None else f"{use.what} {use.number + 1}"


def _trouble(key: str, use: PinUse, **values: float | str) -> Trouble:
    return Trouble(key, {"gpio": use.gpio, "what": use_name(use), **values})
