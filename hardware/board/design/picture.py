"""Draw the wiring: the header in the middle, parts and wires around it, labels in English and French."""

from collections.abc import Iterator

from msgspec import Struct

from hardware.board.board import OUTPUTS, Board, keys
from hardware.board.design.details import DETAILS, detail, draw_rail
from hardware.board.design.look import (
    BLACK,
    CARD,
    COLOURS,
    INK,
    PAPER,
    SOFT,
    WHITE,
    Label,
    device_label,
    ink,
    symbol,
    terminal_label,
)
from hardware.board.header import HEADER, PIN_OF
from hardware.board.lamps import LampOutput, lamp_outputs
from hardware.board.netlist import (
    GROUND,
    HIGH,
    LOW,
    Device,
    Terminal,
    chain,
    devices,
    driven_lamps,
    driver_legs,
    has_driver,
    lamp_counts,
)
from hardware.decks.drawing import (
    BOLD,
    PLAIN,
    Drawing,
    Item,
    Run,
    box,
    circle,
    fill,
    fill_and_stroke,
    rounded_box,
    stroke,
    text,
)

WIDTH = 330.0
TOP = 30.0
ROW = 7.6
"""The distance between rows of the header."""
PITCH = 5.4
"""The distance between terminals."""
GAP = 5.0
"""The gap between two devices."""
DEVICE = 62.0
EDGE = 8.0
BESIDE = 22.0
"""From a pin to the resistor or driver in its wire, which is soldered beside the Pi."""
CHIP_HEIGHT = 44.0
DETAIL_HEIGHT = 52.0
DETAILS_A_ROW = 3


class PlacedDevice(Struct, frozen=True):
    """A device in the picture: its top, and its side of the header."""

    device: Device
    top: float
    left: bool

    def terminal(self, place: int) -> float:
        """Give the height of a terminal."""
        return self.top + PITCH * (place + 0.75)


def picture(board: Board, name: str) -> Drawing:
    """Draw the wiring of a board."""
    everything = [*place_devices(board, left=True), *place_devices(board, left=False)]
    low = max(TOP + 20 * ROW, *(device.top + _height(device.device) for device in everything), TOP) + 8
    chips = CHIP_HEIGHT * -(-len(chain(board)) // (2 * OUTPUTS))
    high = low + chips + DETAIL_HEIGHT * -(-len(_details_of(board)) // DETAILS_A_ROW)
    items = [
        fill(box(0, 0, WIDTH, high), PAPER),
        *_title(board, name),
        *(item for device in everything for item in _wires(board, device)),
        *_header(board),
        *(item for device in everything for item in _device(device)),
        *_chips(board, low),
        *_details(board, low + chips),
    ]
    return Drawing(WIDTH, high, tuple(items))


def _title(board: Board, name: str) -> Iterator[Item]:
    yield fill(text(f"Coyote Table: {name}", EDGE, 12, 4.6, side="left"), INK)
    seats = f"{board.seats} seats / places" if board.seats else f"{len(keys(board))} buttons / boutons"
    yield fill(
        text(f"{seats}, {len(_terminals_by_gpio(board))} GPIO", EDGE, 19, 3, font=PLAIN, side="left"), SOFT
    )
    told = Label("Seen from above, USB ports below", "Vu de dessus, ports USB en bas")
    yield fill(text(told.english, WIDTH / 2, 12, 2.6, font=PLAIN), INK)
    yield fill(text(told.french, WIDTH / 2, 16.4, 2.6, font=PLAIN), SOFT)
    rails = Label(
        "A flag is a rail: join all that have the same name", "Un drapeau est un rail : relier les mêmes noms"
    )
    yield fill(text(rails.english, WIDTH - EDGE, 12, 2.6, font=PLAIN, side="right"), INK)
    yield fill(text(rails.french, WIDTH - EDGE, 16.4, 2.6, font=PLAIN, side="right"), SOFT)


# Places: devices stand on the side of their pins, in the order of their pins, so that no two wires cross.


def _terminals_by_gpio(board: Board) -> dict[int, Terminal]:
    return {
        terminal.gpio: terminal
        for device in devices(board)
        for terminal in device.terminals
        if terminal.gpio is not None
    }


def place_devices(board: Board, *, left: bool) -> list[PlacedDevice]:
    """Stack the devices of one side, spread over the height of the header."""
    here = sorted((device for device in devices(board) if _first_pin(device) % 2 == left), key=_first_pin)
    here = [_order_terminals(device) for device in here]
    high = sum(map(_height, here)) + GAP * (len(here) - 1)
    top = TOP + max(0.0, (20 * ROW - high) / 2)
    column = []
    for device in here:
        column.append(PlacedDevice(device, top, left))
        top += _height(device) + GAP
    return column


def _first_pin(device: Device) -> int:
    return min(PIN_OF[terminal.gpio].number for terminal in device.terminals if terminal.gpio is not None)


def _order_terminals(device: Device) -> Device:
    """Put a device's terminals in the order of their pins; the rails come last."""
    ordered = sorted(
        device.terminals, key=lambda end: PIN_OF[end.gpio].number if end.gpio is not None else len(HEADER) + 1
    )
    return Device(device.kind, tuple(ordered), device.number)


def _height(device: Device) -> float:
    return PITCH * (max(3, len(device.terminals)) + 0.5)


# The header.


def _pin_at(number: int) -> tuple[float, float]:
    """Find a pin's place: odd numbers are on the left."""
    side = -1 if number % 2 else 1
    return WIDTH / 2 + side * 3.6, TOP + ROW * ((number - 1) // 2 + 0.5)


def _header(board: Board) -> Iterator[Item]:
    used = _terminals_by_gpio(board)
    middle = WIDTH / 2
    yield fill_and_stroke(rounded_box(middle - 7.6, TOP - 2, 15.2, 20 * ROW + 4, 2), BLACK, BLACK, 0.3)
    for pin in HEADER:
        x, y = _pin_at(pin.number)
        what = used[pin.gpio].what if pin.gpio in used else pin.name
        yield fill_and_stroke(circle(x, y, 2.9), COLOURS.get(what, CARD), WHITE, 0.3)
        yield fill(text(str(pin.number), x, y + 0.95, 1.9), ink(COLOURS.get(what, CARD)))
        yield from _pin_name(pin.number, pin.name, is_used=what != pin.name)


def _pin_name(number: int, name: str, *, is_used: bool) -> Iterator[Item]:
    x, y = _pin_at(number)
    left = number % 2 == 1
    out = x + (-5.4 if left else 5.4)
    if name in {GROUND, LOW, HIGH}:
        yield from _flag(out, y, name, left=left)
        return
    told = "ID (EEPROM)" if name == "ID" else name
    yield fill(
        text(told, out, y - 0.9 if is_used else y + 0.8, 1.9, font=PLAIN, side="right" if left else "left"),
        INK if is_used else SOFT,
    )


def _flag(x: float, y: float, rail: str, *, left: bool) -> Iterator[Item]:
    start = x - 9 if left else x
    yield from draw_rail(start, y, rail)


# Parts and wires.


def _inner_edge(laid: PlacedDevice) -> float:
    return EDGE + DEVICE if laid.left else WIDTH - EDGE - DEVICE


def _wires(board: Board, laid: PlacedDevice) -> Iterator[Item]:
    """Draw a curved wire from each terminal to its pin, and the resistor or driver in it."""
    side = 1 if laid.left else -1
    for place, terminal in enumerate(laid.device.terminals):
        x, y = _inner_edge(laid), laid.terminal(place)
        if terminal.gpio is None:
            yield stroke(_straight(x, x + side * 3, y), COLOURS[terminal.rail], 0.8)
            yield from _flag(x + side * 3, y, terminal.rail, left=not laid.left)
            continue
        pin_x, pin_y = _pin_at(PIN_OF[terminal.gpio].number)
        colour = COLOURS[terminal.what]
        yield stroke(_wire((x + side * 14, y), (pin_x, pin_y)), colour, 0.8)
        yield stroke(_straight(x, x + side * 14, y), colour, 0.8)
        # beside the header, a wire to its far side passes the name of another pin, which a part would cover
        is_near = (pin_x < WIDTH / 2) == laid.left
        part_at = (pin_x - side * BESIDE, pin_y) if is_near else (x + side * 7.5, y)
        if terminal.ohms:
            yield from _resistor(*part_at, terminal.ohms)
        if terminal.driver is not None:
            yield from _driver(*part_at, driver_legs(board, terminal.driver))


def _straight(x: float, end: float, y: float) -> tuple[Run, ...]:
    return (Run((x, y), (((end, y),),), closed=False),)


def _wire(start: tuple[float, float], end: tuple[float, float]) -> tuple[Run, ...]:
    """Curve from a terminal to a pin; curves of one side have the same shape, so ordered ones don't cross."""
    (x, y), (pin_x, pin_y) = start, end
    turn = pin_x + (-BESIDE - 7 if x < pin_x else BESIDE + 7)
    middle = (x + turn) / 2
    curve = ((middle, y), (middle, pin_y), (turn, pin_y))
    return (Run((x, y), (curve, ((pin_x, pin_y),)), closed=False),)


def _resistor(x: float, y: float, ohms: int) -> Iterator[Item]:
    yield fill_and_stroke(rounded_box(x - 5.5, y - 1.5, 11, 3, 0.6), "#e8d8b0", "#8c7440", 0.3)
    yield fill(text(f"{ohms} ohm", x, y + 0.75, 1.5, font=PLAIN), INK)


def _driver(x: float, y: float, legs: tuple[int, int, int]) -> Iterator[Item]:
    chip, leg, out = legs
    yield fill(rounded_box(x - 5.5, y - 1.5, 11, 3, 0.6), BLACK)
    yield fill(text(f"ULN {chip}: {leg}-{out}", x, y + 0.75, 1.5, font=PLAIN), WHITE)


def _device(laid: PlacedDevice) -> Iterator[Item]:
    device, height = laid.device, _height(laid.device)
    left = EDGE if laid.left else WIDTH - EDGE - DEVICE
    yield fill_and_stroke(rounded_box(left, laid.top, DEVICE, height, 2), WHITE, SOFT, 0.35)
    outer = left + 9 if laid.left else left + DEVICE - 9
    yield from symbol(device, outer, laid.top + height / 2)
    number = "" if device.number is None else f" {device.number + 1}"
    named = device_label(device.kind)
    x, y = left + (19 if laid.left else DEVICE - 19), laid.top + height / 2
    side = "left" if laid.left else "right"
    yield fill(text(named.english + number, x, y - 0.4, 2.3, font=BOLD, side=side), INK)
    yield fill(text(named.french + number, x, y + 3.4, 2.1, font=PLAIN, side=side), SOFT)
    for place, terminal in enumerate(device.terminals):
        yield from _terminal(laid, terminal, laid.terminal(place))


def _terminal(laid: PlacedDevice, terminal: Terminal, y: float) -> Iterator[Item]:
    x, away = _inner_edge(laid), -2.4 if laid.left else 2.4
    side = "right" if laid.left else "left"
    named = terminal_label(terminal.what)
    both = named.english if named.english == named.french else f"{named.english} / {named.french}"
    yield fill(circle(x, y, 0.9), COLOURS[terminal.what])
    yield fill(text(both, x + away, y + 0.75, 1.6, font=PLAIN, side=side), INK)


# Below: the shift registers with their lamps, and how small parts are soldered.


def _chips(board: Board, top: float) -> Iterator[Item]:
    outputs = [output for output in lamp_outputs(board) if output.lamp is not None]
    for output in outputs:
        number, place = divmod(output.place, OUTPUTS)
        wide = (WIDTH - 3 * EDGE) / 2
        left, row = EDGE + number % 2 * (wide + EDGE), top + number // 2 * CHIP_HEIGHT
        if place == 0:
            yield from _chip(number, left, row, wide)
        yield from _output(board, left + wide * (place + 0.5) / OUTPUTS, row + 13, output)


def _chip(number: int, left: float, top: float, wide: float) -> Iterator[Item]:
    yield fill_and_stroke(rounded_box(left, top, wide, 13, 1.5), BLACK, BLACK, 0.3)
    fed = "DATA 14" if number == 0 else f"14 = 9 (no. {number})"
    told = f"74HC595 no. {number + 1}: {fed}, CLOCK 11, LATCH 12 = OE 13; VCC 16, MR 10 = 3V3; GND 8 = GND"
    yield fill(text(told, left + wide / 2, top + 6, 2.1, font=PLAIN), WHITE)


def _output(board: Board, x: float, y: float, output: LampOutput) -> Iterator[Item]:
    """Draw an output with its lamp: behind a resistor to ground, or behind a driver to the lamps' supply."""
    seat, colour = output.lamp or (0, "")
    yield fill(text(f"Q{'ABCDEFGH'[output.place % OUTPUTS]} {output.leg}", x, y - 1.6, 1.9), WHITE)
    yield stroke((Run((x, y), (((x, y + 20),),), closed=False),), COLOURS[colour], 0.8)
    if output.driver is None:
        yield from _resistor(x, y + 5, getattr(board.ohms, colour))
    else:
        yield from _driver(x, y + 5, output.driver)
    yield fill_and_stroke(circle(x, y + 12, 3.4), COLOURS[colour], INK, 0.3)
    yield fill(text(str(seat + 1), x, y + 13.3, 2.6), WHITE)
    yield from _flag(x - 4.5, y + 20, "GND" if output.driver is None else "LAMP+", left=False)


def _details_of(board: Board) -> list[str]:
    kinds = {device.kind for device in devices(board)}
    has_leds = any(count and not has_driver(board, what) for what, count in lamp_counts(board).items())
    kinds |= {name for name, is_there in (("led", has_leds), ("driver", driven_lamps(board))) if is_there}
    return [name for name, each in DETAILS.items() if each.kinds & kinds]


def _details(board: Board, top: float) -> Iterator[Item]:
    """Draw how a button, a lamp, the buzzer and the chips' latch are soldered, if the board has them."""
    for place, name in enumerate(_details_of(board)):
        row, column = divmod(place, DETAILS_A_ROW)
        yield from detail(name, EDGE + column * 104, top + 4 + row * DETAIL_HEIGHT)
