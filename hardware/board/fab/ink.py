"""The silkscreen for soldering: outlines, names and values of parts, labels of terminals."""

from collections.abc import Iterator, Mapping

from hardware.board.fab.components import DIGITS, MINUS, RING_DATA, FabPart, fab_parts
from hardware.board.fab.copper import Mark
from hardware.board.fab.layout import LAYOUT, STEP, Point, at, body
from hardware.decks.drawing import PLAIN, flatten_run, text

LINE, SMALL, USUAL, LARGE = 0.15, 0.9, 1.3, 2.2
"""Millimetres: width of lines, and heights of letters."""
FINENESS = 0.3
POLE_NAMES: Mapping[str, str] = {
    "call": "button",
    "dial a": "CLK",
    "dial b": "DT",
    "dial push": "SW",
    "display clock": "CLK",
    "display data": "DIO",
    "attention": "+",
    MINUS: "-",
    RING_DATA: "DIN",
    **dict(zip(DIGITS, ("DIN", "CS", "CLK"), strict=True)),
}
"""Names of poles, as on the modules that are wired to them."""


def ink() -> tuple[Mark, ...]:
    title = _words("Coyote Table", (5 * STEP, 3 * STEP), LARGE, side="left")
    return (*title, *(mark for part in fab_parts() for mark in _of_part(part)))


def _of_part(part: FabPart) -> Iterator[Mark]:
    (left, low), (right, top) = body(part)
    yield Mark(((left, low), (right, low), (right, top), (left, top), (left, low)), LINE)
    match part.kind:
        case "socket":
            yield from _words("1", at(part, (-1.6, -0.4)), SMALL)
            below = "socket of 2 x 20 on the underside, onto the pins of the Pi"
            yield from _words(below, at(part, (19, 3.5)), SMALL)
        case "terminal":
            yield from _terminal(part)
        case "transistor":
            # beside the legs, which occupy the middle
            for words, up in ((part.name, 0.9), (part.value, -0.13)):
                yield from _words(words, at(part, (-0.9, up)), SMALL, side="right")
            yield from _first_leg(part)
        case _:
            turn = LAYOUT.places[part.name][2] % 180
            for words, down in _labels(part):
                away = SMALL / 2 + down
                middle = ((left + right) / 2 + (away if turn else 0), (low + top) / 2 - (0 if turn else away))
                yield from _words(words, middle, SMALL, turn)
            yield from _first_leg(part)


def _labels(part: FabPart) -> tuple[tuple[str, float], ...]:
    """Return the printed lines, each with its distance below the part's middle in millimetres."""
    match part.kind:
        case "resistor":
            ohms = int(part.value.removesuffix(" Ω"))
            return ((f"{part.name} {ohms}" if ohms < 1000 else f"{part.name} {ohms // 1000}k", 0),)
        case "capacitor":
            return (part.name, -0.6), (part.value.replace(" nF", "n"), 0.6)
        case "bulk" | "diode":
            # the legs leave space only for the name
            return (part.name, 0), (part.value.split(",")[0], 1.7)
        case _:
            return ((f"{part.name} {part.value}", 0),)


def _first_leg(part: FabPart) -> Iterator[Mark]:
    """Yield a polarity mark: a chip's notch, a diode's ring, a plus, a transistor's flat side."""
    match part.kind:
        case "dip14" | "dip16":
            yield Mark((at(part, (-0.4, 3)),), 0.8)
        case "diode":
            yield Mark((at(part, (2, -0.7)), at(part, (2, 0.7))), 3 * LINE)
        case "bulk":
            yield from _words("+", at(part, (-1.4, 0.6)), USUAL)
        case "transistor":
            yield Mark((at(part, (-0.2, -1.6)), at(part, (4.2, -1.6))), 3 * LINE)


def _terminal(part: FabPart) -> Iterator[Mark]:
    """Yield the names of the poles, opposite the cable, and of the terminal; seats are numbered."""
    turn = LAYOUT.places[part.name][2]
    side = {0: "middle", 90: "left", 270: "right"}[round(turn)]
    for leg, net in enumerate(part.nets):
        x, y = at(part, (3 * leg, -3.3))
        what = net.split(" ", 2)[2] if net.startswith("seat") else net
        yield from _words(
            POLE_NAMES.get(what, what), (x, y - (SMALL if side == "middle" else SMALL / 2)), SMALL, side=side
        )
    if side == "middle":
        yield from _words(part.value.removeprefix("seat "), at(part, (9, -11.4)), LARGE)
    else:
        yield from _words(
            part.value, at(part, (-1.1 if turn == 270 else 3 * len(part.nets) - 1.9, -3.3)), USUAL, side=side
        )


def _words(words: str, place: Point, height: float, turn: float = 0, side: str = "middle") -> Iterator[Mark]:
    """Yield words as outlines of letters, then their counters."""
    across, up = (0.0, 1.0) if turn else (1.0, 0.0)
    matrix = (across, up, up, -across, *place)
    runs = [flatten_run(run, matrix, FINENESS) for run in text(words, 0, 0, height, font=PLAIN, side=side)]
    for is_dark in (True, False):
        for points in runs:
            if (_area(points) > 0) == is_dark:
                yield Mark((*points, points[0]), is_dark=is_dark)


def _area(points: list[Point]) -> float:
    return sum(a * d - b * c for (a, b), (c, d) in zip(points, [*points[1:], points[0]], strict=True)) / 2
