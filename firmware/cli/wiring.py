"""Documents of a board: pins, shopping list, soldering steps and tests."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from math import ceil, floor
from typing import get_args

from firmware.language.speaking import _
from firmware.storage.wired_board import NO_BOARD
from hardware.board import board as wired
from hardware.board.board import PIN_OF, Board, is_fab
from hardware.board.checks import milliamps
from hardware.board.levels import INNER_DOWN, INNER_UP, cable_ohms, contact_line, pin_volts
from hardware.board.netlist import GROUND_COLUMN, GROUND_PIN, WETTING_OHMS, Device, Terminal, devices, plugs
from hardware.board.parts import PRICES, BoardPart, parts, price, total

DEVICES: Mapping[str, str] = {
    "seat": _("seat {number}"),
    "table button": _("table button {number}"),
    "dial": _("dial"),
    "display": _("display"),
    "register": _("shift registers"),
    "shifter": _("level shifter"),
    "attention": _("attention lamp"),
    "buzzer": _("buzzer"),
}
TERMINALS: Mapping[str, str] = {
    "call": _("button"),
    "table": _("button"),
    "second": _("second button"),
    "green": _("green lamp"),
    "red": _("red lamp"),
    "attention": _("lamp"),
    "buzzer": _("base of the transistor"),
    "dial a": "A (CLK)",
    "dial b": "B (DT)",
    "dial push": _("push (SW)"),
    "display clock": "CLK",
    "display data": "DIO",
    "register data": _("data (pin 14)"),
    "register clock": _("clock (pin 11)"),
    "register latch": _("latch (pins 12 and 13)"),
    "spi data": _("input of data (pin 5)"),
    "spi clock": _("input of the clock (pin 9)"),
    "digits select": _("input of LOAD (pin 12)"),
}
PARTS: Mapping[str, str] = {
    "button": _("push button, normally open, as large as you like (arcade button, 30 mm)"),
    "bell button": _(
        "doorbell button for the wall, with screw terminals, without a lamp or electronics inside"
    ),
    "plugged board": _("breadboard, the smallest (170 holes)"),
    "jumper": _("jumper wire, female to male, 20 cm"),
    "bell wire": _("bell wire, two cores, solid, 0.6 mm, {value}"),
    "pair": _("two-colour LED, {colours}, 5 mm, common cathode (three legs)"),
    "attention lamp": _("LED, {colours}, 10 mm or 5 mm"),
    "dial": _("rotary encoder with push, as a module (KY-040)"),
    "display": _("four-digit display with TM1637 (0.56 inch)"),
    "buzzer": _("passive buzzer, 5 V (it has no oscillator of its own)"),
    "fab board": _("the board itself, version {value}, from a fab: coyote print board -o board.zip"),
    "socket": _("female socket of {value}, 2.54 mm, 8.5 mm high, for the underside"),
    "terminal": _("screw terminal with {value} poles, 3.81 mm"),
    "resistor": _("resistor {value}, 1/4 W"),
    "capacitor": _("ceramic capacitor {value}, legs 5.08 mm apart"),
    "transistor": _("NPN transistor {value}"),
    "diode": _("diode {value}"),
    "fuse": _("resettable fuse (polyfuse), {value} hold current, legs 5.08 mm apart"),
    "array": _("protection array SP720 (Littelfuse SP720APP, DIP-16, with a socket)"),
    "register": _("shift register 74HC595 (DIP-16, with a socket)"),
    "cable": _("cable to the places, {value}"),
    "pi": _("Raspberry Pi 4 or 5, 1 GB or more, with a heat sink"),
    "camera": _("USB camera, 3840 x 2160 (1920 x 1080 for four seats), thread for a tripod, cable of {value}"),
    "supply": _("power supply made for that Pi"),
    "card": _("memory card, 16 GB or more, of a good brand"),
    "loudspeaker": _("USB loudspeaker (a Pi 5 and a Zero have no socket for another one)"),
    "light": _("lamp with a wide, even light that doesn't flicker, one from each side"),
    "pi box": _("printed: box and lid for the Pi"),
    "seat box": _("printed: box and floor for a place"),
    "arm": _("printed: clamp, elbow and head of the camera's arm"),
    "screw": _("screw {value}"),
    "screw M8 x 60": _("screw {value} with wings, for the clamp"),
    "clamp nut": _("nut {value}, let into the clamp for the screw with wings"),
    "spacer": _("spacer M2.5, {value}, between the Pi and the board"),
    "pipe": _("tube of aluminium or steel, 20 mm outside, 1.5 mm thick, {value}"),
    "felt": _("felt pad, for below the boxes"),
    "cable tie": _("cable tie, at most 3.6 mm wide"),
}

LED_COLOURS = {**{each: each for each in get_args(wired.LedColour)}, "emerald": "emerald green"}
PIN_COLUMNS = (_("pin"), "GPIO", _("part"), _("where"), _("resistor"), "mA")
SHOPPING = (_("how many"), _("what"), _("maker's number"), _("€ each"), _("€ together"))


def document(board: Board, name: str) -> str:
    steps, listed = [*checklist(board)], parts(board)
    blocks = [[_("# Wiring: {name}").format(name=name)]]
    if board.solderless:
        blocks.append([_("![breadboard](plugged-{name}.svg)").format(name=name)])
    elif is_fab(board):
        blocks.append([_("![the board](board-fab.jpg)")])
    elif board.seats and isinstance(board.lamps, wired.LampLines):
        blocks.append([_("![one seat on a breadboard](seat-{name}.svg)").format(name=name)])
    if board == NO_BOARD:
        blocks.append([_("No board is wired: phones do everything.")])
    else:
        blocks.append([_("## Pins"), "", *table(PIN_COLUMNS, _pin_cells(board))])
    if listed:
        blocks.append([_("## Parts"), "", *table((_("how many"), _("what")), map(_part_cells, listed))])
    if steps:
        to_do = _("## Plug and test") if board.solderless else _("## Solder and test")
        blocks.append([to_do, "", *(f"- [ ] {step}" for step in steps)])
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def plain_text(document: str) -> str:
    """Return a document for a terminal: without pictures, and with columns instead of Markdown."""
    lines = (line for line in document.splitlines() if not line.startswith(("![", "|-")))
    shown = (re.sub(r"^(#+ |\| |- )| \|$", "", line).replace(" | ", "   ").rstrip() for line in lines)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(shown)) + "\n"


def pin_rows(board: Board) -> str:
    text, used = io.StringIO(), {cells[0]: cells for cells in _pin_cells(board)}
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(PIN_COLUMNS)
    for pin in wired.HEADER:
        # unused pins included
        number, is_line = str(pin.number), pin.gpio is not None
        unused = (number, str(pin.gpio) if is_line else "", "" if is_line else pin.name, "", "", "")
        writer.writerow(used.get(number, unused))
    return text.getvalue()


def _pin_cells(board: Board) -> list[tuple[str, ...]]:
    ends = ((device, end) for device in devices(board) for end in device.terminals)
    return sorted((_cells(board, *each) for each in ends), key=lambda cells: int(cells[0]))


def _cells(board: Board, device: Device, terminal: Terminal) -> tuple[str, ...]:
    current = milliamps(board, terminal.what)
    return (
        str(PIN_OF[terminal.gpio].number),
        str(terminal.gpio),
        device_name(device),
        TERMINALS[terminal.what],
        f"{terminal.ohms} Ω" if terminal.ohms else "",
        f"{current:g}" if current else "",
    )


def device_name(device: Device) -> str:
    """Return a device's name, numbered from 1."""
    number = 0 if device.number is None else device.number + 1
    return DEVICES[device.kind].format(number=number)


def _part_cells(part: BoardPart) -> tuple[str, ...]:
    optional = _(" (may be left out)") if part.optional else ""
    colours = _(" and ").join(_(LED_COLOURS[colour]) for colour in part.leds)
    words = PARTS.get(f"{part.key} {part.value}") or PARTS[part.key]
    return str(part.count), words.format(value=part.value, colours=colours) + optional


def shopping_list(board: Board, name: str) -> str:
    listed, rows = parts(board), list[tuple[str, ...]]()
    for part in listed:
        one = price(part)
        each, together = (f"{count * one.low:.2f} - {count * one.high:.2f}" for count in (1, part.count))
        rows.append((*_part_cells(part), part.maker or one.maker, each, together))
    low, high = total(listed)
    message = _("Together {low:.0f} to {high:.0f} €, as estimated in {month}; no shop was asked for an offer.")
    end = message.format(low=low, high=high, month=PRICES.estimated)
    lines = (_("# Parts: {name}").format(name=name), "", *table(SHOPPING, rows), "", end)
    return "\n".join(lines) + "\n"


def table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Format a Markdown table with aligned columns."""
    every = [columns, *rows]
    widths = [max(len(row[place]) for row in every) for place in range(len(columns))]
    padded = (map(str.ljust, row, widths) for row in every)
    head, *lines = (f"| {' | '.join(row)} |" for row in padded)
    return [head, "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines]


# Steps in order; each can be tested before the next one.


def checklist(board: Board) -> Iterator[str]:
    if board.solderless:
        yield from _plugged_steps(board)
    elif is_fab(board):
        yield from _SOLDER
        for device in devices(board):
            for end in device.terminals:
                # lines without resistors lead to chips, which aren't in their sockets yet
                if end.ohms and end.what in POLE_NAMES:
                    values = {"name": device_name(device), "pin": PIN_OF[end.gpio].number, "ohms": end.ohms}
                    yield _LINE_STEP.format(**values, pole=POLE_NAMES[end.what])
        yield _PULL_UPS.format(ohms=WETTING_OHMS)
        yield _FUSE
        yield _CHIPS
        yield _CABLES
        yield from _LAST
        yield _levels_step(board)


def _plugged_steps(board: Board) -> Iterator[str]:
    yield _("The Pi's supply is unplugged. Pin 1 of the header is at the corner away from the USB ports.")
    yield _("A jumper wire from header pin {pin} (GND) to hole A{column} of the breadboard.").format(
        pin=GROUND_PIN, column=GROUND_COLUMN + 1
    )
    wire = _(
        "{name}: a jumper wire from header pin {pin} to hole A{column}; {ohms} Ω from E{column} to F{column}."
    )
    bell = _(
        "{name}: bell wire under both screws of its button, one core into J{column}, the other into {ground}."
    )
    for plug in plugs(board):
        values = {"name": device_name(plug.device), "column": plug.column + 1}
        yield wire.format(**values, pin=plug.pin, ohms=plug.ohms)
        yield bell.format(**values, ground=plug.ground)
    yield _(
        "Compare with the picture: no two wires of the header in one column, none at header pins 1, 2, 4 or 17."
    )
    yield _("Plug in the supply: nothing gets warm.")


_SOLDER = (
    _(
        "Solder with no power, and the Pi away. Names and values are printed on the board; what you lack"
        " stays empty."
    ),
    _("Flat parts first: resistors, then the diode, its ring as printed."),
    _(
        "Sockets of the chips, their notch at the round mark; capacitors; the fuse; the transistor, its flat"
        " side as printed."
    ),
    _("Screw terminals, their holes outwards. From below: the socket of 2 x 20."),
    _("Look at every joint with a lens. On ohms, header pin 6 (GND) to pins 1 (3V3) and 2 (5V) must not beep."),
)
_LINE_STEP = _(
    "{name}: on ohms header pin {pin} to its pole “{pole}”: {ohms} Ω; to the pole beside it much more."
)
_PULL_UPS = _(
    "On ohms header pin 1 (3V3) to each pole “button” and to CLK, DT and SW of the dial: {ohms} Ω. A board"
    " without a version on it is 1.0: much more there, and R38 to R46 stay empty."
)
_FUSE = _("On ohms header pin 1 to the poles “3V3”: a few ohms, the fuse. A board 1.0 has none: it beeps.")
POLE_NAMES: Mapping[str, str] = {
    "call": "button",
    "dial a": "CLK",
    "dial b": "DT",
    "dial push": "SW",
    "display clock": "CLK",
    "display data": "DIO",
    "attention": "+",
}
"""Names printed on the board, beside the poles of its terminals."""
_CHIPS = _("Chips into their sockets, their notch at the round mark.")
_CABLES = _(
    "Cables by the names of the poles. The middle leg of a two-colour LED goes to GND, a display's VCC to 3V3."
)
_LAST = (
    _("Put the board on the Pi's pins: all 40 are in the socket, none beside it."),
    _("Plug in the supply: nothing gets warm."),
)


def _levels_step(board: Board) -> str:
    """Return the step that measures a button's pole, with bounds for any pull of the Pi and a cable of 10 m."""
    call = next(end for device in devices(board) for end in device.terminals if end.what == "call")
    released, _most = pin_volts(contact_line(call, INNER_DOWN))
    _least, pressed = pin_volts(contact_line(call, INNER_UP), cable_ohms(10))
    message = _(
        "On volts each pole “button” of a board 1.1 to GND: more than {released:g} V; less than {pressed:g} V"
        " while its button is pressed."
    )
    return message.format(released=floor(10 * released) / 10, pressed=ceil(10 * pressed) / 10)


def summary(board: Board) -> str:
    used, told = len(_pin_cells(board)), _("{seats} seats, {buttons} buttons, {pins} of {all_pins} pins")
    return told.format(seats=board.seats, buttons=len(wired.keys(board)), pins=used, all_pins=len(PIN_OF))
