"""The parts list of a board: what to buy, and how many."""

from collections import Counter
from math import ceil

from msgspec import Struct

from hardware.board.board import OUTPUTS, Board, LampSupply, LedColour, LedRing, Register, has_spi, lamp_supply
from hardware.board.lamps import lamp_outputs
from hardware.board.netlist import (
    DECOUPLING,
    SUPPRESSED,
    chain,
    devices,
    driven_lamps,
    has_driver,
    lamp_counts,
    needs_suppressor,
    ring_resistors,
)
from hardware.board.strips import COLUMNS, signals, strips
from hardware.board.uses import uses
from hardware.case.pieces import CLAMP_BOLT, PIPE_SOLD, count_screws

METRES_A_PLACE = 1.5
CABLE_RINGS = (5, 10, 25, 50)
"""Metres of cable with several cores, as sold."""
CAMERA_CABLE = 2
"""Metres of the camera's flat cable, the longest that is sold: along the arm and to the box."""
WIRE_METRES = 10
FEET = 4
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
    found = (
        *_buttons(board),
        *_lamps(board),
        *_resistors(board),
        *_devices(board),
        *_common(board),
        *_case(board),
    )
    return tuple(part for part in found if part.count)


def _buttons(board: Board) -> tuple[BoardPart, ...]:
    if board.solderless:
        return (BoardPart("bell button", len(uses(board))),)
    return (
        BoardPart("button", len(board.call) + len(board.table)),
        BoardPart("second button", len(board.second), optional=True),
    )


def _lamps(board: Board) -> tuple[BoardPart, ...]:
    chips = board.lamps.chips if isinstance(board.lamps, Register) else 0
    if isinstance(board.lamps, LedRing):
        return (
            BoardPart("ring led", board.seats * board.lamps.each),
            BoardPart("ring capacitor", 1, "1000 µF, 6.3 V"),
            _attention_lamp(board),
        )
    supply = lamp_supply(board)
    return (
        *(_leds(board) if supply is None else _driven_lamps(board, supply)),
        _attention_lamp(board),
        BoardPart("register", chips),
        BoardPart("capacitor", chips, DECOUPLING),
    )


def _leds(board: Board) -> tuple[BoardPart, ...]:
    lit = lamp_counts(board)
    pairs = min(lit["green"], lit["red"])
    return (
        BoardPart("pair", pairs, leds=(board.leds.red, board.leds.green)),
        BoardPart("lamp", lit["green"] - pairs, leds=(board.leds.green,)),
        BoardPart("lamp", lit["red"] - pairs, leds=(board.leds.red,)),
    )


def _attention_lamp(board: Board) -> BoardPart:
    return BoardPart("attention lamp", lamp_counts(board)["attention"], leds=(board.leds.attention,))


def _driven_lamps(board: Board, lamps: LampSupply) -> tuple[BoardPart, ...]:
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
    behind = [getattr(board.ohms, colour) for _seat, colour in chain(board) if not has_driver(board, colour)]
    counts = Counter(ohms for ohms in (*at_pins, *behind, *ring_resistors(board)) if ohms)
    return tuple(BoardPart("resistor", count, f"{ohms} Ω") for ohms, count in sorted(counts.items()))


def _devices(board: Board) -> tuple[BoardPart, ...]:
    buzzer = int(board.buzzer is not None)
    return (
        BoardPart("dial", int(board.dial is not None)),
        BoardPart("display", int(board.display is not None)),
        *_spi_devices(board),
        BoardPart("buzzer", buzzer),
        BoardPart("transistor", buzzer, "BC337-40"),
        BoardPart("diode", buzzer, "1N4148"),
    )


def _spi_devices(board: Board) -> tuple[BoardPart, ...]:
    digits = 0 if board.max7219 is None else board.max7219.digits
    shifters = int(has_spi(board))
    return (
        BoardPart("digits", int(digits > 0), f"{digits}"),
        BoardPart("shifter", shifters),
        BoardPart("shifter capacitor", shifters, "100 nF"),
    )


def _common(board: Board) -> tuple[BoardPart, ...]:
    return (
        BoardPart("pi", 1),
        BoardPart("camera", 1),
        BoardPart("camera cable", 1, f"{CAMERA_CABLE} m"),
        BoardPart("supply", 1),
        BoardPart("card", 1),
        BoardPart("loudspeaker", 1, optional=True),
        BoardPart("light", 2),
        *(_plugged(board) if board.solderless else _soldered(board)),
    )


def _plugged(board: Board) -> tuple[BoardPart, ...]:
    lines = len(uses(board))
    metres = METRES_A_PLACE * lines
    return (
        BoardPart("plugged board", 1),
        BoardPart("jumper", lines + 1),
        BoardPart("bell wire", 1, f"{next(ring for ring in CABLE_RINGS if ring >= metres)} m"),
    )


def _soldered(board: Board) -> tuple[BoardPart, ...]:
    suppressors = sum(needs_suppressor(*line) for line in signals(board))
    suppressors += sum(output.lamp is not None and output.driver is None for output in lamp_outputs(board))
    return (
        BoardPart("header socket", 1),
        BoardPart("suppressor", suppressors, SUPPRESSED),
        *(BoardPart("breadboard", 1, f"{len(each)} x {COLUMNS}") for each in strips(board)),
        BoardPart("wire", 1, f"{WIRE_METRES} m"),
        *_cables(board),
    )


def _cables(board: Board) -> tuple[BoardPart, ...]:
    places, cores = count_places(board), cores_a_place(board)
    metres = METRES_A_PLACE * places
    ring = next((ring for ring in CABLE_RINGS if ring >= metres), CABLE_RINGS[-1])
    return (
        BoardPart("cable", ceil(metres / ring), f"{ring} m, {cores} x 0.14 mm²"),
        BoardPart("screw terminal", places, f"{cores}"),
    )


def _case(board: Board) -> tuple[BoardPart, ...]:
    # a doorbell's button has a box of its own
    places = 0 if board.solderless else count_places(board)
    screws = count_screws(places).items()
    return (
        BoardPart("pi box", 1),
        BoardPart("seat box", places),
        BoardPart("arm", 1),
        *(BoardPart("screw", count, f"{screw.thread} x {screw.length}") for screw, count in screws),
        BoardPart("clamp nut", 1, CLAMP_BOLT.thread),
        BoardPart("pipe", 1, f"{PIPE_SOLD // 100} m"),
        BoardPart("felt", FEET * places),
    )


def count_places(board: Board) -> int:
    """Count the places with a box: the seats, or the table's buttons where they are all there is."""
    return max(board.seats, len(board.table))


def cores_a_place(board: Board) -> int:
    """Count the wires to each place: its buttons, its lamps, and ground."""
    lit = lamp_counts(board)
    return 2 + sum(map(bool, (board.second, lit["green"], lit["red"], driven_lamps(board))))
