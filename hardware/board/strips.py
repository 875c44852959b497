"""The strips of the boards that parts are soldered to: how many, and what runs along each.

`design` lays parts and wires into their holes; the parts list counts them.
"""

from typing import Literal

from hardware.board.board import OUTPUTS, Board, Register
from hardware.board.lamps import driver_count, lamp_outputs
from hardware.board.netlist import HIGH, LOW, Device, Terminal, devices

COLUMNS = 28
"""The holes of a strip."""
LEGS = 8
"""The strips across which a chip stands."""
Strip = Literal["line", "buzzer", "chip", "GND", "3V3", "5V", "LAMP+"]
_A_STRIP: Strip = "chip"
CHIP: tuple[Strip, ...] = (_A_STRIP,) * LEGS
TWO_LINES: tuple[Strip, ...] = ("line", "line", "GND")
"""Ground beside each line: four lines have room, two at the left and two at the right."""


def strips(board: Board) -> tuple[tuple[Strip, ...], ...]:
    """List the strips of each board from above: the lines', and the registers' if there are any."""
    if board.solderless:
        return ()
    return (line_strips(board), *([register_strips(board)] if isinstance(board.lamps, Register) else []))


def devices_on_lines(board: Board) -> tuple[Device, ...]:
    """List what is wired to the board of the lines; the registers have one of their own."""
    return tuple(device for device in devices(board) if device.kind != "register")


def signals(board: Board) -> list[tuple[Device, Terminal]]:
    """List the lines: the buzzer's last, which has a place of its own."""
    found = [
        (device, end) for device in devices_on_lines(board) for end in device.terminals if end.gpio is not None
    ]
    return sorted(found, key=lambda line: line[0].kind == "buzzer")


def line_strips(board: Board) -> tuple[Strip, ...]:
    """List the strips of the lines: rails where they are needed, ground beside each line."""
    rails = {end.rail for device in devices_on_lines(board) for end in device.terminals}
    head: list[Strip] = [*(("3V3", "line", "GND") if LOW in rails else ())]
    if board.buzzer is not None:
        head += ["5V", "buzzer", "line", "GND"]
    elif HIGH in rails:
        head += ["5V", "line", "GND"]
    head = head or ["GND"]
    # the buzzer's strip has its transistor on the left
    missing = max(0, len(signals(board)) - 2 * head.count("line"))
    return (*head, *(TWO_LINES * -(-missing // 4)))


def register_strips(board: Board) -> tuple[Strip, ...]:
    """List the strips of the registers: their rails, the chip's own, and lines for LEDs without a driver."""
    rails: tuple[Strip, ...] = ("LAMP+", "3V3", "GND") if driver_count(board) else ("3V3", "GND")
    outputs = lamp_outputs(board)
    leds = sum(output.lamp is not None and output.driver is None for output in outputs)
    below: tuple[Strip, ...] = ("GND", *(TWO_LINES * -(-leds // 4))) if leds else ()
    return (*((*rails, *CHIP) * (len(outputs) // OUTPUTS)), *below)
