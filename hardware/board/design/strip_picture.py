"""Draw a strip board, seen from the side of its parts; cuts are marked where they lie on the other side."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from hardware.board.board import Board
from hardware.board.design.look import (
    BLACK,
    CARD,
    COLOURS,
    INK,
    LOOK,
    PAPER,
    SOFT,
    WHITE,
    Label,
    device_label,
    terminal_label,
)
from hardware.board.design.register_strips import strip_boards
from hardware.board.design.strip_board import APART, MINUS, CableEnd, Fitted, Hole, StripBoard
from hardware.board.strips import COLUMNS
from hardware.decks.drawing import (
    PLAIN,
    Drawing,
    Item,
    box,
    circle,
    fill,
    fill_and_stroke,
    line,
    rounded_box,
    stroke,
    text,
    text_width,
)

CHIP_NAMES: Mapping[str, tuple[str, str]] = {"register": ("74HC", "595"), "driver": ("ULN", "2803")}
PITCH = 5.08
"""Millimetres from hole to hole: twice the real thing."""
MARGIN, TOP, FOOT_ROW = 100.0, 30.0, 4.2
COPPER, RESISTOR, SUPPRESSOR, GLASS, LINK = "#dcae6e", "#cfe0ee", "#3a3f47", "#e9734b", "#8f9aa5"
CERAMIC, WIRE = "#e0a53a", "#f4f0d9"
RAILS: Mapping[str, str] = {
    "GND": "#a9adb3",
    "3V3": "#eab088",
    "5V": "#e29a9a",
    "LAMP+": "#c79ab0",
    "buzzer": "#e3b3cf",
}


def strip_pictures(board: Board, name: str) -> Mapping[str, Drawing]:
    """Draw the strip boards of a wiring, by the names of their files."""
    lines, *registers = strip_boards(board)
    drawn = {f"strips-{name}": strip_picture(lines, name)}
    return drawn | {f"registers-{name}": strip_picture(each, f"{name}, 74HC595") for each in registers}


def strip_picture(layout: StripBoard, name: str) -> Drawing:
    """Draw a strip board."""
    kinds = {part.kind for part in layout.fitted}
    told = LOOK.foot["drivers" if "driver" in kinds else "leds" if "register" in kinds else "lines"]
    if kinds.isdisjoint({"register", "transistor"}):
        told = told[:-1]
    foot = 2 * FOOT_ROW * len(told) + 6.4
    wide, high = 2 * MARGIN + COLUMNS * PITCH, TOP + len(layout.strips) * PITCH + foot
    items = (
        fill(box(0, 0, wide, high), PAPER),
        *_title(layout, name, wide),
        *_strips(layout),
        *_numbers(layout),
        *(item for part in layout.fitted for item in _PARTS[part.kind](part)),
        *(item for cut in layout.cuts for item in _cut(cut)),
        *_wires(layout),
        *_ends(layout.ends),
        *foot_words(high - foot, told),
    )
    return Drawing(wide, high, items)


def place(hole: Hole) -> tuple[float, float]:
    """Give where a hole lies in the picture."""
    row, column = hole
    return MARGIN + (column + 0.5) * PITCH, TOP + (row + 0.5) * PITCH


def _title(layout: StripBoard, name: str, wide: float) -> Iterator[Item]:
    yield fill(text(f"Coyote Table: {name}", 8, 11, 4.6, side="left"), INK)
    size = f"{len(layout.strips)} strips x {COLUMNS} holes / {len(layout.strips)} bandes x {COLUMNS} trous"
    yield fill(text(size, 8, 17.5, 3, font=PLAIN, side="left"), SOFT)
    for row, told in enumerate(("Seen from above, copper below", "Vu de dessus, cuivre dessous")):
        yield fill(text(told, wide - 8, 11 + 4.4 * row, 2.8, font=PLAIN, side="right"), (INK, SOFT)[row])


def _strips(layout: StripBoard) -> Iterator[Item]:
    for row, strip in enumerate(layout.strips):
        x, y = place((row, 0))
        copper = rounded_box(x - PITCH / 2, y - 1.8, COLUMNS * PITCH, 3.6, 1)
        yield fill(copper, RAILS.get(strip, COPPER))
        for column in range(COLUMNS):
            yield fill(circle(*place((row, column)), 0.62), WHITE)


def _numbers(layout: StripBoard) -> Iterator[Item]:
    """Number holes and strips from 1, so that no hole is counted blind."""
    for column in range(COLUMNS):
        x, y = place((-1, column))
        yield fill(text(str(column + 1), x, y + 2.2, 1.9, font=PLAIN), SOFT)
    for row in range(len(layout.strips)):
        for x in (MARGIN - 2.4, MARGIN + COLUMNS * PITCH + 2.4):
            yield fill(text(str(row + 1), x, place((row, 0))[1] + 0.7, 1.9, font=PLAIN), SOFT)


def _cut(hole: Hole) -> Iterator[Item]:
    x, y = place(hole)
    yield fill(circle(x, y, 2.3), PAPER)
    for way in (-1, 1):
        yield stroke(line((x - 1.3, y - 1.3 * way), (x + 1.3, y + 1.3 * way)), COLOURS["red"], 0.5)


def _lead(part: Fitted) -> Iterator[Item]:
    for one, other in pairwise(part.legs):
        yield stroke(line(place(one), place(other)), SOFT, 0.6)
    for leg in part.legs:
        yield fill(circle(*place(leg), 0.9), SOFT)


def _middle(legs: Sequence[Hole]) -> tuple[float, float]:
    places = [place(leg) for leg in legs]
    return sum(x for x, _y in places) / len(places), sum(y for _x, y in places) / len(places)


def _resistor(part: Fitted) -> Iterator[Item]:
    yield from _lead(part)
    x, y = _middle(part.legs)
    lies = part.legs[0][0] == part.legs[1][0]
    wide, high = (9.6, 3.2) if lies else (3.2, 3.6)
    if lies:
        # beside the cut, which is on the side of the edge
        x += 2.6 if part.legs[0][1] > part.legs[1][1] else -2.6
    yield fill_and_stroke(rounded_box(x - wide / 2, y - high / 2, wide, high, 1.2), RESISTOR, INK, 0.2)
    yield fill(text(part.value.removesuffix(" Ω") if lies else "10k", x, y + 0.75, 2.1 if lies else 1.3), INK)


def _suppressor(part: Fitted) -> Iterator[Item]:
    yield from _lead(part)
    x, y = _middle(part.legs)
    yield fill(rounded_box(x - 1.2, y - 1.7, 2.4, 3.4, 0.7), SUPPRESSOR)
    yield fill(box(x - 1.2, y - 0.3, 2.4, 0.6), CARD)


def _diode(part: Fitted) -> Iterator[Item]:
    yield from _lead(part)
    x, y = _middle(part.legs)
    yield fill(rounded_box(x - 1.1, y - 1.6, 2.2, 3.2, 0.6), GLASS)
    # the ring is at the cathode
    yield fill(box(x - 1.1, y - 1.2, 2.2, 0.6), BLACK)


def _transistor(part: Fitted) -> Iterator[Item]:
    x, y = _middle(part.legs)
    yield fill(rounded_box(x - 2, y - 6.4, 4, 12.8, 1.6), BLACK)
    # with its flat side to the left, collector, base and emitter come in this order
    yield fill(box(x - 2, y - 6.4, 1, 12.8), CARD)
    for leg, letter in zip(part.legs, "CBE", strict=True):
        yield fill(text(letter, place(leg)[0], place(leg)[1] + 0.8, 2.4), WHITE)


def _capacitor(part: Fitted) -> Iterator[Item]:
    yield from _lead(part)
    x, y = _middle(part.legs)
    yield fill(rounded_box(x - 1.4, y - 1.2, 2.8, 2.4, 1), CERAMIC)


def _chip(part: Fitted) -> Iterator[Item]:
    """Draw a chip across its strips: its notch is between its first leg and its last one."""
    across, down = zip(*(place(leg) for leg in part.legs), strict=True)
    left, right, top, bottom = min(across), max(across), min(down), max(down)
    middle = (left + right) / 2
    yield fill(rounded_box(left + 1.2, top - 2.2, right - left - 2.4, bottom - top + 4.4, 1), BLACK)
    yield fill(
        circle(
            middle,
            bottom + 0.8 if part.legs[0][0] == max(row for row, _column in part.legs) else top - 0.8,
            0.9,
        ),
        CARD,
    )
    for number, leg in enumerate(part.legs, 1):
        x, y = place(leg)
        yield fill(circle(x, y, 1), SOFT)
        yield fill(text(str(number), x - 2.5 if x < middle else x + 2.5, y + 0.6, 1.5, font=PLAIN), INK)
    # beside the cuts
    for row, words in enumerate((*CHIP_NAMES[part.kind], f"no. {part.value}")):
        yield fill(text(words, middle + 3.1, (top + bottom) / 2 - 2.2 + 3 * row, 1.7), WHITE)


def _wire(part: Fitted) -> Iterator[Item]:
    """Draw the ends of an insulated wire; a number says which belong together."""
    for leg in part.legs:
        x, y = place(leg)
        yield fill_and_stroke(circle(x, y, 1.9), WIRE, INK, 0.25)
        yield fill(text(part.value, x, y + 0.7, 1.7), INK)


def _link(part: Fitted) -> Iterator[Item]:
    yield stroke(line(*(place(leg) for leg in part.legs)), LINK, 1.3)
    for leg in part.legs:
        yield fill(circle(*place(leg), 1), LINK)


_PARTS: Mapping[str, Callable[[Fitted], Iterator[Item]]] = {
    "resistor": _resistor,
    "suppressor": _suppressor,
    "diode": _diode,
    "transistor": _transistor,
    "capacitor": _capacitor,
    "register": _chip,
    "driver": _chip,
    "wire": _wire,
    "link": _link,
}


def _wires(layout: StripBoard) -> Iterator[Item]:
    for wire in layout.wires:
        x, y = place(wire.hole)
        if wire.gpio is None:
            told, ink, wide = f"{wire.rail} {wire.pin}", COLOURS[wire.rail], 11.0
        else:
            told, ink, wide = str(wire.pin), COLOURS["call"], 8.0
        beside = x + (2.4 + wide / 2) * (1 if wire.hole[1] < APART else -1)
        yield fill_and_stroke(circle(x, y, 1.5), ink, WHITE, 0.3)
        yield fill(rounded_box(beside - wide / 2, y - 1.7, wide, 3.4, 0.8), WHITE)
        yield fill(text(told, beside, y + 0.9, 2.5), INK)


def _ends(ends: Sequence[CableEnd]) -> Iterator[Item]:
    told: dict[tuple[int, bool], list[CableEnd]] = defaultdict(list)
    for end in ends:
        yield fill_and_stroke(
            circle(*place(end.hole), 1.5), COLOURS.get(end.what, COLOURS["buzzer"]), WHITE, 0.3
        )
        told[end.hole[0], end.hole[1] < APART].append(end)
    for (row, is_left), here in told.items():
        x = MARGIN - 6 if is_left else MARGIN + COLUMNS * PITCH + 6
        y = TOP + (row + 0.5) * PITCH
        side = "right" if is_left else "left"
        told_here = " / ".join(_told(here))
        # what hangs on a rail may be a long list: it is set smaller, and stays on the sheet
        high = min(2.5, 2.5 * (MARGIN - 10) / text_width(told_here, 2.5, PLAIN))
        yield fill(text(told_here, x, y + 0.9, high, font=PLAIN, side=side), INK)


def _told(ends: Sequence[CableEnd]) -> tuple[str, str]:
    """Name the wires of a strip in both languages; a rail once, with all that hang on it."""
    what = terminal_label("GND" if not ends else ends[0].what)
    numbers: dict[str, list[str]] = {}
    for end in ends:
        here = numbers.setdefault(end.device.kind, [])
        here += [] if end.device.number is None else [str(end.device.number + 1)]
    named = [(device_label(kind), ", ".join(each)) for kind, each in numbers.items()]
    english = ", ".join(f"{label.english} {each}".strip() for label, each in named)
    french = ", ".join(f"{label.french} {each}".strip() for label, each in named)
    if ends[0].what == MINUS:
        return f"{english}: minus", f"{french} : moins"
    return f"{english}: {what.english}", f"{french} : {what.french}"


def foot_words(top: float, told: Sequence[Label]) -> Iterator[Item]:
    """Write sentences below a picture, each in English and in French."""
    rows = [row for each in told for row in ((each.english, INK), (each.french, SOFT))]
    for row, (words, ink) in enumerate(rows):
        yield fill(text(words, 8, top + 6 + FOOT_ROW * row, 2.6, font=PLAIN, side="left"), ink)
