"""Draw how small parts are soldered, as details.txt tells: a button, a lamp, the buzzer with its transistor."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from hardware.board.design.look import BLACK, COLOURS, INK, SOFT, WHITE
from hardware.decks.drawing import (
    BOLD,
    PLAIN,
    Item,
    Point,
    circle,
    fill,
    fill_and_stroke,
    line,
    polygon,
    rounded_box,
    stroke,
    text,
)

INKS: Mapping[str, str] = {"white": WHITE, "ink": INK, "soft": SOFT, "-": INK, **COLOURS}
Drawn = Callable[[float, float, Sequence[str]], Iterator[Item]]


class Detail(Struct, frozen=True):
    """The kinds of part that are soldered like it, and the lines that draw it."""

    kinds: frozenset[str]
    lines: tuple[str, ...]


def read_details(words: str) -> Mapping[str, Detail]:
    """Read the details by their names."""
    blocks = [block.splitlines() for block in words.split("\n\n") if block.startswith("detail ")]
    heads = [block[0].removeprefix("detail ").partition(":") for block in blocks]
    return {
        name: Detail(frozenset(map(str.strip, kinds.split(","))), tuple(block[1:]))
        for (name, _colon, kinds), block in zip(heads, blocks, strict=True)
    }


def detail(name: str, x: float, y: float) -> Iterator[Item]:
    """Draw a detail with its upper left corner at a point."""
    for told in DETAILS[name].lines:
        kind, *words = told.split(" ")
        yield from _DRAWN[kind](x, y, words)


def _points(x: float, y: float, words: Sequence[str]) -> list[Point]:
    numbers = list(map(float, words))
    return [(x + across, y + down) for across, down in zip(numbers[::2], numbers[1::2], strict=True)]


def _title(x: float, y: float, words: Sequence[str]) -> Iterator[Item]:
    english, french = " ".join(words).split(" | ")
    yield fill(text(english, x, y + 3, 2.4, font=BOLD, side="left"), INK)
    yield fill(text(french, x, y + 7, 2.1, font=PLAIN, side="left"), SOFT)


def _pin(x: float, y: float, words: Sequence[str]) -> Iterator[Item]:
    (left, down), high = _points(x, y, words[:2])[0], float(words[3])
    yield fill(rounded_box(left, down - 2, 10, 4, 0.8), COLOURS[words[2].replace("-", " ")])
    yield fill(text(" ".join(words[4:]), left + 5, down + 0.9 * high / 1.9, high), WHITE)


def _foot(x: float, y: float, words: Sequence[str]) -> Iterator[Item]:
    """Draw a rail's name below, or above, the point at which a lead ends."""
    ((middle, top),) = _points(x, y, words[:2])
    yield fill(rounded_box(middle - 4.5, top, 9, 3.4, 0.8), COLOURS[words[2]])
    yield fill(text(words[2], middle, top + 2.6, 1.9), WHITE)


def draw_rail(x: float, y: float, rail: str) -> Iterator[Item]:
    """Draw a rail's flag, its left end at a point."""
    yield fill(rounded_box(x, y - 1.7, 9, 3.4, 0.8), COLOURS[rail])
    yield fill(text(rail, x + 4.5, y + 0.8, 1.9 if len(rail) < 4 else 1.6), WHITE)


def _word(x: float, y: float, words: Sequence[str]) -> Iterator[Item]:
    ((across, down),), (high, ink, font, side) = _points(x, y, words[:2]), words[2:6]
    letters = {"plain": PLAIN, "bold": BOLD}[font]
    yield fill(text(" ".join(words[6:]), across, down, float(high), font=letters, side=side), INKS[ink])


def _resistor(x: float, y: float, words: Sequence[str]) -> Iterator[Item]:
    ((left, down),) = _points(x, y, words)
    yield fill_and_stroke(rounded_box(left, down - 1.8, 12, 3.6, 0.6), "#e8d8b0", INK, 0.4)


def _chip(x: float, y: float, words: Sequence[str]) -> Iterator[Item]:
    ((left, top),) = _points(x, y, words[:2])
    yield fill(rounded_box(left, top, float(words[2]), float(words[3]), 0.8), BLACK)


def _ring(x: float, y: float, words: Sequence[str]) -> Iterator[Item]:
    ((across, down),) = _points(x, y, words[:2])
    yield fill_and_stroke(circle(across, down, float(words[2])), INKS[words[3]], INK, float(words[4]))


def _arrow(x: float, y: float, words: Sequence[str]) -> Iterator[Item]:
    shape = polygon(*_points(x, y, words[2:]))
    yield fill(shape, INK) if words[0] == "-" else fill_and_stroke(shape, INKS[words[0]], INK, float(words[1]))


_DRAWN: Mapping[str, Drawn] = {
    "title": _title,
    "pin": _pin,
    "foot": _foot,
    "rail": lambda x, y, words: draw_rail(*_points(x, y, words[:2])[0], words[2]),
    "word": _word,
    "lead": lambda x, y, words: iter([stroke(line(*_points(x, y, words)), INK, 0.5)]),
    "resistor": _resistor,
    "chip": _chip,
    "ring": _ring,
    "arrow": _arrow,
}
DETAILS = read_details(Path(__file__).with_name("details.txt").read_text(encoding="utf-8"))
