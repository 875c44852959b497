"""The parts list of a board: what to buy, and how many."""

from collections import Counter

from msgspec import Struct

from hardware.board.board import OUTPUTS, Board, LampDrivers, Register
from hardware.board.leds import LedColour
from hardware.board.netlist import chain, devices, driven_lamps, lamp_counts

METRES_A_SEAT = 1.5
SUPPLIES = (0.5, 1.0, 1.5, 2.0, 3.0)
"""Amperes of plug-in supplies, as sold."""


class BoardPart(Struct, frozen=True):
    """A kind of part: its key, how many, its value or colours if it has any, and whether it may be left out."""

    key: str
    count: int
    value: str = ""
    optional: bool = False
    leds: tuple[LedColour, ...] = ()


def parts(board: Board) -> tuple[BoardPart, ...]:
    """List the parts that a board needs."""
    found = (*_buttons(board), *_lamps(board), *_resistors(board), *_devices(board), *_common(board))
    return tuple(part for part in found if part.count)


def _buttons(board: Board) -> tuple[BoardPart, ...]:
    return (
        BoardPart("button", len(board.call) + len(board.table)),
        BoardPart("second button", len(board.second), optional=True),
    )


def _lamps(board: Board) -> tuple[BoardPart, ...]:
    chips = board.lamps.chips if isinstance(board.lamps, Register) else 0
    if isinstance(board.lamps, LampDrivers):
        return (*_driven_lamps(board, board.lamps), _attention_lamp(board))
    lit = lamp_counts(board)
    pairs = min(lit["green"], lit["red"])
    return (
        BoardPart("pair", pairs, leds=(board.leds.red, board.leds.green)),
        BoardPart("lamp", lit["green"] - pairs, leds=(board.leds.green,)),
        BoardPart("lamp", lit["red"] - pairs, leds=(board.leds.red,)),
        _attention_lamp(board),
        BoardPart("register", chips),
        BoardPart("capacitor", chips, "100 nF"),
    )


def _attention_lamp(board: Board) -> BoardPart:
    return BoardPart("attention lamp", lamp_counts(board)["attention"], leds=(board.leds.attention,))


def _driven_lamps(board: Board, lamps: LampDrivers) -> tuple[BoardPart, ...]:
    """List lamps with a supply of their own, the chips that switch them, and the smallest supply that does."""
    count = len(driven_lamps(board))
    volts, drawn = f"{lamps.volts:g} V", count * lamps.milliamps / 1000
    supply = next((amperes for amperes in SUPPLIES if amperes >= drawn), drawn)
    return (
        BoardPart("driven lamp", count, f"{volts}, {lamps.milliamps:g} mA"),
        BoardPart("driver", -(-count // OUTPUTS)),
        BoardPart("lamp supply", int(count > 0), f"{volts}, {supply:g} A"),
    )


def _resistors(board: Board) -> tuple[BoardPart, ...]:
    """Count the resistors of each value: at the pins, and behind the chips."""
    ends = [terminal for device in devices(board) for terminal in device.terminals]
    at_pins = [ohms for end in ends for ohms in (end.ohms, end.pull)]
    behind = [getattr(board.ohms, colour) for _seat, colour in chain(board)]
    counts = Counter(ohms for ohms in (*at_pins, *behind) if ohms)
    return tuple(BoardPart("resistor", count, f"{ohms} Ω") for ohms, count in sorted(counts.items()))


def _devices(board: Board) -> tuple[BoardPart, ...]:
    buzzer = int(board.buzzer is not None)
    return (
        BoardPart("dial", int(board.dial is not None)),
        BoardPart("display", int(board.display is not None)),
        BoardPart("buzzer", buzzer),
        BoardPart("transistor", buzzer, "BC337-40"),
        BoardPart("diode", buzzer, "1N4148"),
    )


def _common(board: Board) -> tuple[BoardPart, ...]:
    """List what every board needs: the computer, a strip board, wire."""
    places = max(board.seats, len(board.table))
    cores = f"{cores_a_place(board)}"
    return (
        BoardPart("pi", 1),
        BoardPart("camera", 1),
        BoardPart("supply", 1),
        BoardPart("card", 1),
        BoardPart("header socket", 1),
        BoardPart("breadboard", 1),
        BoardPart("cable", round(METRES_A_SEAT * places), cores),
        BoardPart("screw terminal", places, cores),
    )


def cores_a_place(board: Board) -> int:
    """Count the wires to each place: its buttons, its lamps, and ground."""
    lit = lamp_counts(board)
    return 2 + sum(map(bool, (board.second, lit["green"], lit["red"], driven_lamps(board))))
