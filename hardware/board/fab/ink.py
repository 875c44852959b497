"""The silkscreen for soldering: outlines, names and values of parts, labels of terminals."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from hardware.board.fab.components import MINUS, VERSION, FabPart, fab_parts
from hardware.board.fab.copper import Mark, is_counterclockwise
from hardware.board.fab.layout import LAYOUT, STEP, Point, at, body
from hardware.board.netlist import FUSED, LOW
from hardware.decks.drawing import PLAIN, flatten_run, text

LINE, SMALLEST, SMALL, USUAL, LARGE = 0.15, 0.8, 0.9, 1.3, 2.2
"""Millimetres: width of lines, and heights of letters; fabs print letters from 0.8 mm on."""
FINENESS = 0.3
POLE_NAMES: Mapping[str, str] = {
    "call": "button",
    "dial a": "CLK",
    "dial b": "DT",
    "dial push": "SW",
    "display clock": "CLK",
    "display data": "DIO",
    "attention": "+",
    FUSED: LOW,
    MINUS: "-",
}
"""Names of poles, as on the modules that are wired to them."""


class Label(Struct, frozen=True):
    """Printed words: the place of their base line, the height of capitals, and whether they run upwards."""

    words: str
    place: Point
    height: float = SMALL
    is_upright: bool = False
    side: Literal["left", "middle", "right"] = "middle"


def ink() -> tuple[Mark, ...]:
    drawn = (mark for marks in outlines().values() for mark in marks)
    return (*drawn, *(mark for label in labels() for mark in letters(label)))


def labels() -> tuple[Label, ...]:
    """Return all texts: the board's name and version, and the labels of each part."""
    title = Label(f"Coyote Table {VERSION}", (5 * STEP, 3 * STEP), LARGE, side="left")
    return (title, *(label for part in fab_parts() for label in _labels(part)))


def outlines() -> Mapping[str, tuple[Mark, ...]]:
    """Return each part's outline and polarity mark, by designator."""
    return {part.name: (_outline(part), *_polarity(part)) for part in fab_parts()}


def _outline(part: FabPart) -> Mark:
    (left, low), (right, top) = body(part)
    return Mark(((left, low), (right, low), (right, top), (left, top), (left, low)), LINE)


def _labels(part: FabPart) -> Iterator[Label]:
    match part.kind:
        case "socket":
            yield Label("1", at(part, (-1.6, -0.4)))
            yield Label("socket of 2 x 20 on the underside, onto the pins of the Pi", at(part, (19, 3.5)))
        case "terminal":
            yield from _terminal(part)
        case "transistor":
            # beside the legs, which occupy the middle
            for words, up in ((part.name, 0.9), (part.value, -0.13)):
                yield Label(words, at(part, (-0.9, up)), side="right")
        case _:
            (left, low), (right, top) = body(part)
            is_upright = LAYOUT.places[part.name][2] % 180 == 90
            for words, height, down in _lines(part):
                away = height / 2 + down
                across, up = (away, 0.0) if is_upright else (0.0, -away)
                yield Label(words, ((left + right) / 2 + across, (low + top) / 2 + up), height, is_upright)


def _lines(part: FabPart) -> tuple[tuple[str, float, float], ...]:
    """Return the printed lines: words, height, and distance below the part's middle in millimetres."""
    match part.kind:
        case "resistor":
            return ((f"{part.name} {_short(int(part.value.removesuffix(' Ω')))}", SMALL, 0),)
        case "capacitor":
            return (part.name, SMALLEST, -0.55), (part.value.replace(" nF", "n"), SMALLEST, 0.55)
        case "fuse":
            return (part.name, SMALL, -0.65), (part.value.replace(" ", ""), SMALL, 0.65)
        case "diode":
            # the legs leave space only for the name
            return (part.name, SMALL, 0), (part.value.split(",")[0], SMALL, 1.7)
        case _:
            return ((f"{part.name} {part.value}", SMALL, 0),)


def _short(ohms: int) -> str:
    """Return a resistance as printed on parts lists: 330, 1k, 3k3."""
    return f"{ohms}" if ohms < 1000 else f"{ohms // 1000}k{ohms % 1000 // 100 or ''}"


def _polarity(part: FabPart) -> Iterator[Mark]:
    """Yield a polarity mark: a chip's notch, a diode's ring, a transistor's flat side."""
    match part.kind:
        case "dip16":
            yield Mark((at(part, (-0.4, 3)),), 0.8)
        case "diode":
            yield Mark((at(part, (2, -0.7)), at(part, (2, 0.7))), 3 * LINE)
        case "transistor":
            yield Mark((at(part, (-0.2, -1.6)), at(part, (4.2, -1.6))), 3 * LINE)


def _terminal(part: FabPart) -> Iterator[Label]:
    """Yield the names of the poles, opposite the cable, and of the terminal; seats are numbered."""
    turn = LAYOUT.places[part.name][2]
    for leg, net in enumerate(part.nets):
        x, y = at(part, (3 * leg, -3.3))
        what = net.split(" ", 2)[2] if net.startswith("seat") else net
        name = POLE_NAMES.get(what, what)
        match turn:
            case 0:
                yield Label(name, (x, y - SMALLEST), SMALLEST)
            case 90:
                yield Label(name, (x, y - SMALL / 2), side="left")
            case _:
                yield Label(name, (x, y - SMALL / 2), side="right")
    match turn:
        case 0:
            yield Label(part.value.removeprefix("seat "), at(part, (9, -11.4)), LARGE)
        case 90:
            yield Label(part.value, at(part, (3 * len(part.nets) - 1.9, -3.3)), USUAL, side="left")
        case _:
            yield Label(part.value, at(part, (-1.1, -3.3)), USUAL, side="right")


def letters(label: Label) -> Iterator[Mark]:
    """Yield the outlines of a label's letters, then their counters."""
    across, up = (0.0, 1.0) if label.is_upright else (1.0, 0.0)
    matrix = (across, up, up, -across, *label.place)
    path = text(label.words, 0, 0, label.height, font=PLAIN, side=label.side)
    runs = [flatten_run(run, matrix, FINENESS) for run in path]
    for is_dark in (True, False):
        for points in runs:
            if is_counterclockwise(points) == is_dark:
                yield Mark((*points, points[0]), is_dark=is_dark)
