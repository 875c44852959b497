"""Draw how small parts are soldered: a button, a lamp, the buzzer with its transistor."""

from collections.abc import Callable, Iterator, Mapping

from hardware.board.design.inks import BLACK, COLOURS, INK, SOFT, WHITE
from hardware.board.netlist import DARK_OHMS
from hardware.decks.drawing import (
    BOLD,
    PLAIN,
    Item,
    circle,
    fill,
    fill_and_stroke,
    line,
    polygon,
    rounded_box,
    stroke,
    text,
)

DETAILS: Mapping[str, frozenset[str]] = {
    "button": frozenset({"seat", "table button", "dial"}),
    "lamp": frozenset({"led"}),
    "buzzer": frozenset({"buzzer"}),
    "latch": frozenset({"register"}),
    "driver": frozenset({"driver"}),
    "shifter": frozenset({"shifter"}),
}
"""The details by name, each with the kinds of part that are soldered like it."""


def detail(name: str, x: float, y: float) -> Iterator[Item]:
    """Draw a detail with its upper left corner at a point."""
    return _DETAILS[name](x, y)


def _button(x: float, y: float) -> Iterator[Item]:
    yield from _bilingual_label(
        x, y, "Button: its resistor beside the Pi", "Bouton : sa résistance près du Raspberry Pi"
    )
    yield from _pin(x + 4, y + 18, "call")
    yield _lead((x + 14, y + 18), (x + 20, y + 18))
    yield _resistor(x + 20, y + 18)
    yield _lead((x + 32, y + 18), (x + 40, y + 18))
    yield _lead((x + 40, y + 18), (x + 51, y + 13))
    yield _lead((x + 52, y + 18), (x + 66, y + 18), (x + 66, y + 24))
    for contact in (40, 52):
        yield fill_and_stroke(circle(x + contact, y + 18, 0.9), WHITE, INK, 0.5)
    yield from _ground(x + 66, y + 24)


def _lamp(x: float, y: float) -> Iterator[Item]:
    yield from _bilingual_label(
        x,
        y,
        "Lamp: long leg to the resistor; two colours: middle leg to GND",
        "Lampe : patte longue vers la résistance ; bicolore : patte du milieu au GND",
    )
    yield from _pin(x + 4, y + 18, "green")
    yield _lead((x + 14, y + 18), (x + 24, y + 18))
    yield _resistor(x + 24, y + 18)
    yield _lead((x + 36, y + 18), (x + 46, y + 18))
    yield fill_and_stroke(
        polygon((x + 46, y + 15), (x + 46, y + 21), (x + 51, y + 18)), COLOURS["green"], INK, 0.4
    )
    yield _lead((x + 51, y + 15), (x + 51, y + 21))
    yield _lead((x + 51, y + 18), (x + 64, y + 18), (x + 64, y + 24))
    yield from _ground(x + 64, y + 24)
    yield fill(text("+", x + 43, y + 16.4, 2.2), INK)


def _buzzer(x: float, y: float) -> Iterator[Item]:
    yield from _bilingual_label(x, y, "Buzzer (passive, 5 V) with BC337", "Buzzer passif 5 V avec BC337")
    yield from _pin(x + 4, y + 28, "buzzer")
    yield _lead((x + 14, y + 28), (x + 22, y + 28))
    yield _resistor(x + 22, y + 28)
    yield _lead((x + 34, y + 28), (x + 44, y + 28))
    yield from _transistor(x + 44, y + 28)
    yield from _coil(x + 50, y + 13)
    yield _lead((x + 50, y + 32), (x + 50, y + 37))
    yield from _ground(x + 50, y + 37)


def _latch(x: float, y: float) -> Iterator[Item]:
    yield from _bilingual_label(
        x,
        y,
        "Latch and OE of all chips: dark until ready",
        "Verrou et OE de toutes les puces : éteint jusqu'au démarrage",
    )
    yield from _pin(x + 4, y + 22, "register latch")
    yield _lead((x + 14, y + 22), (x + 60, y + 22))
    yield _lead((x + 24, y + 22), (x + 24, y + 13), (x + 28, y + 13))
    yield _resistor(x + 28, y + 13)
    yield fill(text(f"{DARK_OHMS // 1000} kohm", x + 34, y + 13.7, 1.6, font=PLAIN), INK)
    yield _lead((x + 40, y + 13), (x + 46, y + 13))
    yield from draw_rail(x + 46, y + 13, "3V3")
    yield _lead((x + 52, y + 22), (x + 52, y + 28), (x + 60, y + 28))
    for leg, dy in (("LATCH 12", 22), ("OE 13", 28)):
        yield fill(rounded_box(x + 60, y + dy - 2.4, 18, 4.8, 0.8), BLACK)
        yield fill(text(leg, x + 69, y + dy + 0.8, 2.1, font=PLAIN), WHITE)


def _driver(x: float, y: float) -> Iterator[Item]:
    yield from _bilingual_label(
        x,
        y,
        "Lamp behind a ULN2803: its chip, input leg - output leg",
        "Lampe derrière un ULN2803 : sa puce, patte d'entrée - de sortie",
    )
    yield from _pin(x + 4, y + 22, "green", "GPIO / Q", 1.5)
    yield _lead((x + 14, y + 22), (x + 22, y + 22))
    yield fill(rounded_box(x + 22, y + 17, 22, 10, 0.8), BLACK)
    yield fill(text("IN 1-8   18-11 OUT", x + 33, y + 22.6, 1.9, font=PLAIN), WHITE)
    yield _lead((x + 44, y + 22), (x + 56, y + 22), (x + 56, y + 18.6))
    yield fill_and_stroke(circle(x + 56, y + 16, 2.6), COLOURS["green"], INK, 0.5)
    yield _lead((x + 56, y + 13.4), (x + 56, y + 11), (x + 64, y + 11))
    yield from draw_rail(x + 64, y + 11, "LAMP+")
    yield _lead((x + 27, y + 27), (x + 27, y + 31))
    yield from _ground(x + 27, y + 31)
    yield _lead((x + 39, y + 27), (x + 39, y + 32.7), (x + 46, y + 32.7))
    yield from draw_rail(x + 46, y + 32.7, "LAMP+")
    for leg, dx in (("9", 25.6), ("10", 37)):
        yield fill(text(leg, x + dx, y + 29.6, 1.7, font=PLAIN, side="right"), INK)
    for row, words in enumerate(("minus of the supply to GND", "moins de l'alimentation au GND")):
        yield fill(text(words, x + 58, y + 32.4 + 3.4 * row, 1.9, font=PLAIN, side="left"), (INK, SOFT)[row])


_LEGS = (
    ("GPIO10", "2", "3", "330 ohm, DIN (WS2812), 10 kohm to GND"),
    ("GPIO8", "OE 1", "", ""),
    ("GPIO10", "5", "6", "DIN (MAX7219)"),
    ("GPIO11", "9", "8", "CLK (MAX7219)"),
    ("GPIO7", "12", "11", "CS (MAX7219)"),
)
"""The ways through a level shifter: from which GPIO, by which legs, to what."""


def _shifter(x: float, y: float) -> Iterator[Item]:
    yield from _bilingual_label(
        x, y, "74AHCT125: 14 = 5V; 7 and 4, 10, 13 = GND", "74AHCT125 : 14 = 5V ; 7 et 4, 10, 13 = GND"
    )
    yield fill(rounded_box(x + 22, y + 10, 18, 34, 0.8), BLACK)
    for row, (gpio, leg, out, to) in enumerate(_LEGS):
        at = y + 14 + 6.4 * row
        yield _lead((x + 16, at), (x + 22, at))
        yield fill(text(gpio, x + 15, at + 0.8, 2.1, font=PLAIN, side="right"), INK)
        yield fill(text(leg, x + 23.5, at + 0.8, 2.1, font=PLAIN, side="left"), WHITE)
        if out:
            yield _lead((x + 40, at), (x + 46, at))
            yield fill(text(out, x + 38.5, at + 0.8, 2.1, font=PLAIN, side="right"), WHITE)
            yield fill(text(to, x + 47, at + 0.8, 2.1, font=PLAIN, side="left"), INK)


def draw_rail(x: float, y: float, rail: str) -> Iterator[Item]:
    """Draw a rail's flag, its left end at a point."""
    yield fill(rounded_box(x, y - 1.7, 9, 3.4, 0.8), COLOURS[rail])
    yield fill(text(rail, x + 4.5, y + 0.8, 1.9 if len(rail) < 4 else 1.6), WHITE)


def _transistor(x: float, y: float) -> Iterator[Item]:
    """Draw an NPN transistor, its base at a point, with the legs of a BC337 beside it."""
    yield _lead((x, y - 3.4), (x, y + 3.4))
    yield _lead((x, y - 1.2), (x + 6, y - 5))
    yield _lead((x, y + 1.2), (x + 6, y + 4))
    yield fill(polygon((x + 6, y + 4), (x + 3, y + 3.9), (x + 4.2, y + 1.9)), INK)
    for letter, dx, dy in (("B", -3, -1.4), ("C", 8.5, -2.8), ("E", 8.5, 4.4)):
        yield fill(text(letter, x + dx, y + dy, 2), INK)
    told = ("legs C B E, flat side to you", "pattes C B E, plat vers soi")
    for row, words in enumerate(told):
        yield fill(text(words, x + 14, y + 1 + 3.4 * row, 1.9, font=PLAIN, side="left"), (INK, SOFT)[row])


def _coil(x: float, y: float) -> Iterator[Item]:
    """Draw the buzzer between 5 V and the collector, its diode beside it."""
    yield fill(rounded_box(x - 4.5, y - 1.7, 9, 3.4, 0.8), COLOURS["5V"])
    yield fill(text("5V", x, y + 0.9, 1.9), WHITE)
    yield _lead((x, y + 1.7), (x, y + 10))
    yield fill_and_stroke(circle(x, y + 6, 2.6), WHITE, INK, 0.5)
    yield fill(text("+", x - 2.2, y + 3.4, 1.8), INK)
    yield _lead((x, y + 2.6), (x + 9, y + 2.6), (x + 9, y + 9.4), (x, y + 9.4))
    yield fill_and_stroke(polygon((x + 7.4, y + 7.4), (x + 10.6, y + 7.4), (x + 9, y + 4.6)), WHITE, INK, 0.4)
    yield _lead((x + 7.2, y + 4.6), (x + 10.8, y + 4.6))
    yield fill(text("1N4148", x + 12.4, y + 6.8, 1.8, font=PLAIN, side="left"), INK)


def _bilingual_label(x: float, y: float, english: str, french: str) -> Iterator[Item]:
    yield fill(text(english, x, y + 3, 2.4, font=BOLD, side="left"), INK)
    yield fill(text(french, x, y + 7, 2.1, font=PLAIN, side="left"), SOFT)


def _pin(x: float, y: float, what: str, told: str = "GPIO", high: float = 1.9) -> Iterator[Item]:
    yield fill(rounded_box(x, y - 2, 10, 4, 0.8), COLOURS[what])
    yield fill(text(told, x + 5, y + 0.9 * high / 1.9, high), WHITE)


def _ground(x: float, y: float) -> Iterator[Item]:
    yield fill(rounded_box(x - 4.5, y, 9, 3.4, 0.8), COLOURS["GND"])
    yield fill(text("GND", x, y + 2.6, 1.9), WHITE)


def _resistor(x: float, y: float) -> Item:
    """Draw a resistor, its left end at a point."""
    return fill_and_stroke(rounded_box(x, y - 1.8, 12, 3.6, 0.6), "#e8d8b0", INK, 0.4)


def _lead(*points: tuple[float, float]) -> Item:
    return stroke(line(*points), INK, 0.5)


_DETAILS: Mapping[str, Callable[[float, float], Iterator[Item]]] = {
    "button": _button,
    "lamp": _lamp,
    "buzzer": _buzzer,
    "latch": _latch,
    "driver": _driver,
    "shifter": _shifter,
}
