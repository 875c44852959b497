"""How drawings of boards look: colours of wires as sold in shops, names in two languages, symbols of parts."""

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from hardware.board.netlist import Device
from hardware.decks.drawing import Item, box, circle, fill, fill_and_stroke, line, rounded_box, stroke, text

PAPER, WHITE, BLACK, INK, SOFT, CARD = "#fbfaf6", "#ffffff", "#20242a", "#1d2733", "#66717d", "#cfc9ba"

COLOURS: Mapping[str, str] = {
    "GND": "#20242a",
    "3V3": "#d35400",
    "5V": "#b01818",
    "LAMP+": "#7d1f4f",
    "call": "#1f6fb2",
    "table": "#1f6fb2",
    "second": "#7a4fa3",
    "green": "#2e8b57",
    "red": "#d0342c",
    "attention": "#b58b00",
    "buzzer": "#c2408f",
    "dial a": "#8a5a2b",
    "dial b": "#8a5a2b",
    "dial push": "#8a5a2b",
    "display clock": "#148f9b",
    "display data": "#148f9b",
    "register data": "#5d6b1f",
    "register clock": "#5d6b1f",
    "register latch": "#5d6b1f",
    "spi data": "#4b3f9e",
    "spi clock": "#4b3f9e",
    "ring select": "#4b3f9e",
    "digits select": "#4b3f9e",
}
"""The colour of each purpose of a wire."""


def ink(ground: str) -> str:
    """Choose an ink that is readable on a ground."""
    red, green, blue = (int(ground[place : place + 2], 16) for place in (1, 3, 5))
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else WHITE


# names


class Label(Struct, frozen=True):
    """A word in both languages."""

    english: str
    french: str


_DEVICES: Mapping[str, Label] = {
    "seat": Label("Seat", "Place"),
    "table button": Label("Table button", "Bouton de table"),
    "dial": Label("Dial", "Molette"),
    "display": Label("Display TM1637", "Afficheur TM1637"),
    "register": Label("74HC595", "74HC595"),
    "shifter": Label("74AHCT125", "74AHCT125"),
    "selects": Label("74AHCT125", "74AHCT125"),
    "attention": Label("Attention lamp", "Lampe d'appel"),
    "buzzer": Label("Buzzer", "Buzzer"),
    "supply": Label("Lamps' supply", "Alimentation des lampes"),
}
_TERMINALS: Mapping[str, Label] = {
    "call": Label("button", "bouton"),
    "table": Label("button", "bouton"),
    "second": Label("2nd button", "2e bouton"),
    "green": Label("green", "vert"),
    "red": Label("red", "rouge"),
    "dial push": Label("push SW", "poussoir SW"),
    "dial a": Label("A CLK", "A CLK"),
    "dial b": Label("B DT", "B DT"),
    "attention": Label("lamp +", "lampe +"),
    "buzzer": Label("to base", "vers base"),
    "display clock": Label("CLK", "CLK"),
    "display data": Label("DIO", "DIO"),
    "register data": Label("data 14", "données 14"),
    "register clock": Label("clock 11", "horloge 11"),
    "register latch": Label("latch 12, OE 13", "verrou"),
    "spi data": Label("in 2, 5", "entrées 2, 5"),
    "spi clock": Label("in 9", "entrée 9"),
    "ring select": Label("OE 1", "OE 1"),
    "digits select": Label("in 12", "entrée 12"),
}


def device_label(kind: str) -> Label:
    """Name a device."""
    return _DEVICES[kind]


def terminal_label(what: str) -> Label:
    """Name a terminal; rails have the same name in both languages."""
    return _TERMINALS.get(what, Label(what, what))


# symbols


def symbol(device: Device, x: float, y: float) -> Iterator[Item]:
    """Draw a device's symbol around a point."""
    return _SYMBOLS[device.kind](device, x, y)


def _seat(device: Device, x: float, y: float) -> Iterator[Item]:
    """Draw a seat's button, with its lamp and second button if there are any."""
    has = {terminal.what for terminal in device.terminals}
    yield fill_and_stroke(circle(x, y, 6), CARD, SOFT, 0.3)
    yield fill_and_stroke(circle(x, y, 4.4), COLOURS["call"], INK, 0.3)
    if "second" in has:
        yield fill_and_stroke(circle(x + 5, y + 5, 1.9), COLOURS["second"], INK, 0.3)
    for place, colour in enumerate(sorted(has & {"green", "red"})):
        yield fill_and_stroke(circle(x - 1.6 + 3.2 * place, y, 1.2), COLOURS[colour], WHITE, 0.2)


def _dial(_device: Device, x: float, y: float) -> Iterator[Item]:
    yield fill_and_stroke(circle(x, y, 6), CARD, SOFT, 0.3)
    yield fill_and_stroke(circle(x, y, 3.8), BLACK, BLACK, 0.3)
    yield stroke(line((x, y), (x + 2.4, y - 2.4)), WHITE, 0.6)


def _display(_device: Device, x: float, y: float) -> Iterator[Item]:
    yield fill_and_stroke(rounded_box(x - 7, y - 3.8, 14, 7.6, 0.8), BLACK, SOFT, 0.3)
    yield fill(text("18:88", x, y + 1.7, 3.2), "#ff5a3c")


def _register(_device: Device, x: float, y: float) -> Iterator[Item]:
    yield fill(box(x - 3, y - 7, 6, 14), BLACK)
    for place in range(7):
        for side in (-4.2, 3):
            yield fill(box(x + side, y - 6.4 + 1.9 * place, 1.2, 0.8), SOFT)


def _attention(_device: Device, x: float, y: float) -> Iterator[Item]:
    yield fill_and_stroke(circle(x, y, 3.4), COLOURS["attention"], INK, 0.3)
    yield fill(circle(x - 1, y - 1, 0.9), WHITE)


def _buzzer(_device: Device, x: float, y: float) -> Iterator[Item]:
    yield fill_and_stroke(circle(x, y, 5.4), BLACK, SOFT, 0.3)
    yield fill(circle(x, y, 1), CARD)


_SYMBOLS: Mapping[str, Callable[[Device, float, float], Iterator[Item]]] = {
    "seat": _seat,
    "table button": _seat,
    "dial": _dial,
    "display": _display,
    "register": _register,
    "shifter": _register,
    "selects": _register,
    "attention": _attention,
    "buzzer": _buzzer,
}
