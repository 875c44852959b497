"""Symbols of the parts, for the wiring picture."""

from collections.abc import Callable, Iterator, Mapping

from hardware.board.design.inks import BLACK, CARD, COLOURS, INK, SOFT, WHITE
from hardware.board.netlist import Device
from hardware.decks.drawing import Item, box, circle, fill, fill_and_stroke, line, rounded_box, stroke, text


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
