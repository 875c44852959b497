"""How drawings of boards look: colours of wires as sold in shops, names in two languages, symbols of parts."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from hardware.board.netlist import Device
from hardware.decks.drawing import Item, box, circle, fill, fill_and_stroke, line, rounded_box, stroke, text

PAPER, WHITE, BLACK, INK, SOFT, CARD = "#fbfaf6", "#ffffff", "#20242a", "#1d2733", "#66717d", "#cfc9ba"


class Label(Struct, frozen=True, array_like=True):
    """A word in both languages."""

    english: str
    french: str


class Mistake(Struct, frozen=True):
    """What people get wrong, and at which parts, if not at all."""

    told: Label
    parts: frozenset[str] = frozenset()


class LookFile(Struct, frozen=True):
    """What is read from look.toml."""

    colours: Mapping[str, str]
    devices: Mapping[str, Label]
    terminals: Mapping[str, Label]
    foot: Mapping[str, tuple[Label, ...]]
    mistakes: tuple[Mistake, ...]


LOOK = msgspec.toml.decode(Path(__file__).with_name("look.toml").read_bytes(), type=LookFile)
COLOURS = LOOK.colours


def ink(ground: str) -> str:
    """Choose an ink that is readable on a ground."""
    red, green, blue = (int(ground[place : place + 2], 16) for place in (1, 3, 5))
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else WHITE


def device_label(kind: str) -> Label:
    """Name a device."""
    return LOOK.devices[kind]


def terminal_label(what: str) -> Label:
    """Name a terminal; rails have the same name in both languages."""
    return LOOK.terminals.get(what, Label(what, what))


# symbols


def symbol(device: Device, x: float, y: float) -> Iterator[Item]:
    """Draw a device's symbol around a point."""
    return _SYMBOLS[device.kind](device, x, y)


def _seat(device: Device, x: float, y: float) -> Iterator[Item]:
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
