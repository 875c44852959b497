"""A board on paper: its pins, what to buy, what to solder and how to test it."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping

from firmware.language.speaking import _
from hardware.board.board import Board, Boards, LedColour, LedRing, Register, has_spi, keys
from hardware.board.checks import milliamps, use_name
from hardware.board.header import (
    ALL_MILLIAMPS,
    DIGITS_SELECT,
    HEADER,
    PIN_MILLIAMPS,
    PIN_OF,
    RING_SELECT,
    SPI_CLOCK,
)
from hardware.board.lamps import LampOutput, lamp_outputs, rail_milliamps
from hardware.board.netlist import RING_OHMS, Device, Terminal, devices, driven_lamps, driver_legs
from hardware.board.parts import BoardPart, parts
from hardware.board.plugged import GROUND_COLUMN, GROUND_PIN, plugs
from hardware.board.slips import Slip, all_slips

DEVICES: Mapping[str, str] = {
    "seat": _("seat {number}"),
    "table button": _("table button {number}"),
    "dial": _("dial"),
    "display": _("display"),
    "register": _("shift registers"),
    "shifter": _("level shifter"),
    "selects": _("level shifter"),
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
    "spi data": _("inputs of data (pins 2 and 5)"),
    "spi clock": _("input of the clock (pin 9)"),
    "ring select": _("OE of the ring (pin 1)"),
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
    "second button": _("second push button, smaller (24 mm)"),
    "pair": _("two-colour LED, {colours}, 5 mm, common cathode (three legs)"),
    "lamp": _("LED, {colours}, 5 mm, diffused"),
    "attention lamp": _("LED, {colours}, 10 mm or 5 mm"),
    "driven lamp": _("lamp {value}, in its button or beside it (LED inserts: plus to LAMP+)"),
    "driver": _("lamp driver ULN2803A (DIP-18, with a socket)"),
    "lamp supply": _("power supply {value}, for the lamps only"),
    "register": _("shift register 74HC595 (DIP-16, with a socket)"),
    "capacitor": _("ceramic capacitor {value}, one beside each shift register"),
    "ring led": _("WS2812B LED, on a strip or ring that is cut, or one by one on wires"),
    "ring capacitor": _("capacitor {value}, where the LEDs get their 5 V"),
    "digits": _("display with MAX7219, {value} digits of seven strokes"),
    "shifter": _("level shifter 74AHCT125 (DIP-14, with a socket)"),
    "shifter capacitor": _("ceramic capacitor {value}, beside the level shifter"),
    "resistor": _("resistor {value}, 1/4 W"),
    "dial": _("rotary encoder with push, as a module (KY-040)"),
    "display": _("four-digit display with TM1637 (0.56 inch)"),
    "buzzer": _("passive buzzer, 5 V (it has no oscillator of its own)"),
    "transistor": _("NPN transistor {value}"),
    "diode": _("diode {value}, across the buzzer"),
    "pi": _("Raspberry Pi 4 or 5 (a Zero 2 W does for the smallest board), with a heat sink"),
    "camera": _("Raspberry Pi Camera Module 3"),
    "camera cable": _("flat cable for the camera, {value} (a Pi 5 and a Zero take the narrow kind)"),
    "supply": _("power supply made for that Pi"),
    "card": _("memory card, 16 GB or more, of a good brand"),
    "loudspeaker": _("USB loudspeaker (a Pi 5 and a Zero have no socket for another one)"),
    "light": _("lamp with a wide, even light that doesn't flicker, one from each side"),
    "header socket": _("socket of 2 x 20 for the header, on ribbon cable or a board"),
    "suppressor": _("suppressor diode {value}, against sparks of fingers, either way round"),
    "breadboard": _("strip board, 2.54 mm, at least {value} holes (strips by holes in each)"),
    "wire": _("hook-up wire, {value}, 0.14 mm², some colours"),
    "cable": _("cable to the places, {value}"),
    "screw terminal": _("plug and socket with {value} poles, one pair for each place"),
    "pi box": _("printed: box and lid for the Pi"),
    "seat box": _("printed: box and floor for a place"),
    "arm": _("printed: clamp, elbow and head of the camera's arm"),
    "screw": _("screw {value}"),
    "clamp nut": _("nut {value}, let into the clamp for the screw with wings"),
    "pipe": _("electrician's pipe, 20 mm outside, {value}"),
    "felt": _("felt pad, for below the boxes"),
}

LED_COLOURS: Mapping[LedColour, str] = {
    "red": _("red"),
    "orange": _("orange"),
    "yellow": _("yellow"),
    "green": _("green"),
    "emerald": _("emerald green"),
    "blue": _("blue"),
    "white": _("white"),
}


def document(board: Board, name: str) -> str:
    """Write the whole wiring as Markdown."""
    laid = (
        _("![breadboard](plugged-{name}.svg)") if board.solderless else _("![strip board](strips-{name}.svg)")
    )
    to_do = _("## Plug and test") if board.solderless else _("## Solder and test")
    shown = [_("![strip board of the shift registers](registers-{name}.svg)").format(name=name)]
    blocks = (
        [_("# Wiring: {name}").format(name=name)],
        [_("![wiring](wiring-{name}.svg)").format(name=name)],
        [laid.format(name=name)],
        *([shown] if isinstance(board.lamps, Register) else []),
        [_("## Pins"), "", *table(PIN_COLUMNS, _pin_cells(board))],
        [_("## Parts"), "", *table((_("how many"), _("what")), map(_part_cells, parts(board)))],
        [to_do, "", *(f"- [ ] {step}" for step in checklist(board))],
    )
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


PIN_COLUMNS = (_("pin"), "GPIO", _("part"), _("where"), _("resistor"), "mA")


def pin_rows(board: Board) -> str:
    """Write the pins as CSV, the header's pins in order, unused ones too."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(PIN_COLUMNS)
    writer.writerows(_all_pins(board))
    return text.getvalue()


def _all_pins(board: Board) -> Iterator[tuple[str, ...]]:
    used = {cells[0]: cells for cells in _pin_cells(board)}
    for pin in HEADER:
        number = str(pin.number)
        name = str(pin.gpio) if pin.gpio is not None else ""
        yield used.get(number, (number, name, pin.name if pin.gpio is None else "", "", "", ""))


def _pin_cells(board: Board) -> list[tuple[str, ...]]:
    found = [
        (PIN_OF[terminal.gpio].number, _cells(board, device, terminal, terminal.gpio))
        for device in devices(board)
        for terminal in device.terminals
        if terminal.gpio is not None
    ]
    return [cells for _number, cells in sorted(found)]


def _cells(board: Board, device: Device, terminal: Terminal, gpio: int) -> tuple[str, ...]:
    current = milliamps(board, terminal.what)
    return (
        str(PIN_OF[gpio].number),
        str(gpio),
        device_name(device),
        TERMINALS[terminal.what],
        f"{terminal.ohms} Ω" if terminal.ohms else "",
        f"{current:g}" if current else "",
    )


def device_name(device: Device) -> str:
    """Name a device; people count from 1."""
    number = 0 if device.number is None else device.number + 1
    return DEVICES[device.kind].format(number=number)


def _part_cells(part: BoardPart) -> tuple[str, ...]:
    optional = _(" (may be left out)") if part.optional else ""
    colours = _(" and ").join(LED_COLOURS[colour] for colour in part.leds)
    return str(part.count), PARTS[part.key].format(value=part.value, colours=colours) + optional


def table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Set a table so that it can be read as it is, too."""
    every = [columns, *rows]
    widths = [max(len(row[place]) for row in every) for place in range(len(columns))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in every
    ]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]


# What to do, in order; each step can be tested before the next one.


def checklist(board: Board) -> list[str]:
    """List the steps."""
    if board.solderless:
        return list(_plugged_steps(board))
    return [
        *_rails(board),
        *(step for device in devices(board) for step in _device_steps(board, device)),
        *(_behind_shifter(board) if has_spi(board) else ()),
        *(_EVERY_DRIVER if driven_lamps(board) else ()),
        *(_lamp_step(board, output) for output in lamp_outputs(board) if output.lamp is not None),
        *(
            _SUPPRESSORS.format(count=part.count, part=part.value)
            for part in parts(board)
            if part.key == "suppressor"
        ),
        *_LAST,
    ]


def _plugged_steps(board: Board) -> Iterator[str]:
    yield _("The Pi's supply is unplugged. Pin 1 of the header is at the corner away from the USB ports.")
    yield _("A jumper wire from header pin {pin} (GND) to hole A{column} of the breadboard.").format(
        pin=GROUND_PIN, column=GROUND_COLUMN + 1
    )
    for plug in plugs(board):
        told = _(
            "{name}: a jumper wire from header pin {pin} to hole A{column}; {ohms} Ω from E{column}"
            " to F{column}."
        )
        values = {"name": device_name(plug.device), "column": plug.column + 1}
        yield told.format(**values, pin=plug.pin, ohms=plug.ohms)
        told = _(
            "{name}: bell wire under both screws of its button, one core into J{column}, the other into"
            " {ground}."
        )
        yield told.format(**values, ground=plug.ground)
    yield _(
        "Compare with the picture: no two wires of the header in one column, none at header pins 1, 2, 4 or 17."
    )
    yield _("Plug in the supply: nothing gets warm.")


def _rails(board: Board) -> Iterator[str]:
    rails = {terminal.rail for device in devices(board) for terminal in device.terminals}
    yield _("Solder with no power: the Pi's supply is unplugged, the socket is not on the Pi.")
    yield _("Ground rail: join header pins 6, 9, 14, 20, 25, 30, 34 and 39 to one strip (GND).")
    if "3V3" in rails:
        yield _("3.3 V rail: join header pins 1 and 17 to one strip (3V3).")
    if has_spi(board):
        told = _(
            "5 V rail: join header pins 2 and 4 to one strip (5V), for the level shifter, what is behind it,"
            " and the buzzer. No other part may touch it. Ring and digits draw {milliamps} mA at most."
        )
        yield told.format(milliamps=round(rail_milliamps(board)))
    elif "5V" in rails:
        yield _("5 V rail: header pin 2, for the buzzer only. No other part may touch it.")
    yield _("Meter on ohms: GND to 3V3 and GND to 5V (pins 2 and 4) must not beep.")


_PLACES = {"seat", "table button", "attention"}
_BUTTONS = {"call", "second", "table"}
_BUTTON_STEP = _(
    "{name}, {what}: pin {pin}, {ohms} Ω, one contact; GND to the other."
    " On ohms, pin {pin} to GND: {ohms} while it is pressed, else nothing."
)
_PAIR_STEP = _(
    "{name}, {what}: pin {pin}, {ohms} Ω, an outer leg; middle leg to GND."
    " A 3 V coin cell, plus at pin {pin}, minus at GND, lights it."
)
_LAMP_STEP = _(
    "{name}, {what}: pin {pin}, {ohms} Ω, long leg; short leg to GND."
    " A 3 V coin cell, plus at pin {pin}, minus at GND, lights it."
)
_DRIVEN_STEP = _(
    "{name}, {what}: pin {pin} to leg {leg} of driver {chip}; lamp: minus to leg {out}, plus to LAMP+."
)
_LINE_STEP = _("{name}: pin {pin}, {ohms} Ω, {leg}.")
_LEGS = {"dial a": "CLK", "dial b": "DT", "dial push": "SW", "display clock": "CLK", "display data": "DIO"}
"""The legs of modules to which lines go."""
_STEPS: Mapping[str, tuple[str, ...]] = {
    "dial": (
        _("Dial: 3V3 to +, GND to GND."),
        _("Turn it slowly: on ohms, pin {a} to GND changes at every click between {ohms} and much more."),
    ),
    "display": (_("Display: 3V3 to VCC (never 5 V: it pulls the pins up), GND to GND."),),
    "register": (
        _("Shift registers: pin {clock} to pin 11 and pin {latch} to pin 12 of every chip."),
        _("Pin {data} to pin 14 of the first chip; pin 9 of each chip to pin 14 of the next one."),
        _("Every chip: pins 10 and 16 to 3V3, pin 8 to GND, pin 13 to pin 12, 100 nF between pins 16 and 8."),
        _("{ohms} Ω between pin {latch} and 3V3: all lamps are dark until the program has put them out."),
    ),
    "shifter": (
        _("Level shifter (74AHCT125): pin 14 to 5V, pin 7 to GND, 100 nF between them."),
        _("Level shifter: header pin {pin} to its pin 2 for a ring, to its pin 5 for digits."),
    ),
    "buzzer": (
        _("Buzzer: pin {pin}, {ohms} Ω, base of the transistor (middle leg); emitter to GND."),
        _("Buzzer: plus to 5V, minus to the collector; diode beside it, its ring at 5V."),
    ),
    # its select lines are soldered with what they select
    "selects": (),
}
_EVERY_DRIVER = (
    _("Every driver (ULN2803): leg 9 to GND, leg 10 to LAMP+."),
    _("The lamps' supply: minus to GND, plus to LAMP+, which touches no pin of the Pi; meter it."),
)
_SUPPRESSORS = _(
    "Suppressors ({part}, {count}): one from each line of a button or a LED to GND, behind its resistor as seen"
    " from the Pi, either way round. On ohms no line beeps to GND."
)
_LAST = (
    _("Look at every joint with a lens; tug at every wire."),
    _("Meter once more: GND to 3V3 and GND to 5V must not beep."),
    _("Put the socket on: pin 1 is the corner away from the USB ports. Plug in the supply: nothing gets warm."),
)


def _device_steps(board: Board, device: Device) -> Iterator[str]:
    """Solder and test a device: buttons by the meter, lamps by a coin cell."""
    lines = [(end, PIN_OF[end.gpio].number) for end in device.terminals if end.gpio is not None]
    if device.kind in _PLACES:
        yield from (_place_step(board, device, end, pin) for end, pin in lines)
        return
    for end, pin in lines:
        if end.what in _LEGS:
            yield _LINE_STEP.format(name=device_name(device), pin=pin, ohms=end.ohms, leg=_LEGS[end.what])
    pins = {end.what.rpartition(" ")[2]: pin for end, pin in lines}
    ohms = lines[0][0].ohms or max(end.pull for end, _pin in lines)
    yield from (told.format(**pins, pin=lines[0][1], ohms=ohms) for told in _STEPS[device.kind])


def _place_step(board: Board, device: Device, end: Terminal, pin: int) -> str:
    values = {"name": device_name(device), "what": TERMINALS[end.what], "pin": pin, "ohms": end.ohms}
    if end.driver is not None:
        chip, leg, out = driver_legs(board, end.driver)
        return _DRIVEN_STEP.format(**values, leg=leg, chip=chip, out=out)
    is_pair = {"green", "red"} <= {each.what for each in device.terminals}
    lamp_step = _PAIR_STEP if is_pair else _LAMP_STEP
    return (_BUTTON_STEP if end.what in _BUTTONS else lamp_step).format(**values)


def _behind_shifter(board: Board) -> Iterator[str]:
    """Solder what is behind the level shifter; inputs that nothing drives are at GND."""
    if isinstance(board.lamps, LedRing):
        told = _(
            "Ring: header pin {pin} to pin 1 of the level shifter; its pin 3 by {ohms} Ω to DIN of the first"
            " LED; 10 kΩ from that DIN to GND."
        )
        yield told.format(pin=PIN_OF[RING_SELECT].number, ohms=RING_OHMS)
        yield _("Ring: DOUT of each LED to DIN of the next one, seat after seat; 5V and GND to all.")
        yield _("Ring: 1000 µF between 5V and GND at the first LED, minus at GND.")
    else:
        yield _("Level shifter: pins 1 and 2 to GND, pin 3 free: there is no ring.")
    if board.max7219 is not None:
        told = _("Digits: header pin {clock} to pin 9 of the level shifter, header pin {load} to its pin 12.")
        yield told.format(clock=PIN_OF[SPI_CLOCK].number, load=PIN_OF[DIGITS_SELECT].number)
        yield _("Digits: pin 6 of the level shifter to DIN, pin 8 to CLK, pin 11 to CS; 5V to VCC, GND to GND.")
        yield _("Level shifter: pins 4, 10 and 13 to GND.")
    else:
        yield _("Level shifter: pins 4, 5, 9, 10, 12 and 13 to GND: there are no digits.")
    yield _(
        "Meter on ohms: no output of the level shifter beeps to a pin of the header. 5 V would kill the Pi."
    )


def _lamp_step(board: Board, output: LampOutput) -> str:
    """Solder a lamp behind a register: a LED with its resistor, or a driver with a lamp."""
    seat, colour = output.lamp or (0, "")
    values = {"number": seat + 1, "what": TERMINALS[colour], "chip": output.register, "leg": output.leg}
    if output.driver is None:
        told = _("Seat {number}, {what}: chip {chip}, pin {leg}, {ohms} Ω, an outer leg; middle leg to GND.")
        return told.format(**values, ohms=getattr(board.ohms, colour))
    driver, into, out = output.driver
    told = _(
        "Seat {number}, {what}: chip {chip}, pin {leg}, to leg {into} of driver {driver}; lamp: minus "
        "to leg {out}, plus to LAMP+."
    )
    return told.format(**values, driver=driver, into=into, out=out)


def summary(board: Board) -> str:
    """Say in a line what the board is."""
    used = len(_pin_cells(board))
    return _("{seats} seats, {buttons} buttons, {pins} of {all_pins} pins").format(
        seats=board.seats, buttons=len(keys(board)), pins=used, all_pins=len(PIN_OF)
    )


COLUMNS = (_("runs as"), _("built as"), _("worst pin"), _("meets"), "mA", _("all pins, mA"))


def slips_document(boards: Boards) -> str:
    """Write the worst of each pair of profiles, with every button pressed."""
    slips = tuple(all_slips(boards))
    lines = [_("# The wrong profile"), "", *table(COLUMNS, map(_slip_cells, slips)), "", *_verdict(slips)]
    return "\n".join(lines) + "\n"


def _slip_cells(slip: Slip) -> tuple[str, ...]:
    worst = slip.pins[0] if slip.pins else None
    pin = ("", "", "")
    if worst is not None:
        meets = _("nothing") if worst.meets is None else use_name(worst.meets)
        pin = (f"GPIO{worst.gpio}", meets, f"{worst.most:.1f}")
    return slip.run_as, slip.built_as, *pin, f"{slip.together:.1f}"


def _verdict(slips: tuple[Slip, ...]) -> Iterator[str]:
    limits = {"pin": PIN_MILLIAMPS, "all": ALL_MILLIAMPS}
    most = max((pin.most for slip in slips for pin in slip.pins), default=0.0)
    together = max((slip.together for slip in slips), default=0.0)
    told = _("At most a pin gives {most:.1f} mA ({pin:g} are allowed), all together {together:.1f} ({all:g}).")
    yield told.format(most=most, together=together, **limits)
    if most > PIN_MILLIAMPS or together > ALL_MILLIAMPS:
        yield _("That is too much: take larger resistors in the lines.")
