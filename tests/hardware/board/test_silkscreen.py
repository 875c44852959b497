"""Printed texts keep apart from each other, from pads, and from the outlines of parts."""

from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise
from math import hypot

import pytest
from msgspec.structs import replace

from hardware.board.fab.ink import Label, labels, letters, outlines
from hardware.board.fab.layout import SIZE, pads

Box = tuple[float, float, float, float]  # left, low, right and top in mm
BESIDE, ABOVE, TO_PAD, TO_LINE, TO_EDGE = 0.5, 0.25, 0.15, 0.1, 0.5
"""Least distances in mm: of words side by side, which must not read as one; of lines; of words to the rest."""


def _box(label: Label) -> Box:
    points = [point for mark in letters(label) for point in mark.points]
    across, up = [x for x, _y in points], [y for _x, y in points]
    return min(across), min(up), max(across), max(up)


def _apart(one: Box, other: Box) -> tuple[float, float]:
    """Return the horizontal and the vertical distance; 0 where they overlap."""
    across = max(one[0] - other[2], other[0] - one[2], 0.0)
    return across, max(one[1] - other[3], other[1] - one[3], 0.0)


def text_faults(printed: tuple[Label, ...]) -> Iterator[str]:
    boxes = [(label, _box(label)) for label in printed]
    for (one, here), (other, there) in combinations(boxes, 2):
        across, up = _apart(here, there)
        beside, above = (up, across) if one.is_upright and other.is_upright else (across, up)
        if beside < BESIDE and above < ABOVE:
            yield f"{one.words} meets {other.words}"
    for label, here in boxes:
        for pad in pads():
            if hypot(*_apart(here, (*pad.at, *pad.at))) < pad.size / 2 + TO_PAD:
                yield f"{label.words} meets a pad of {pad.part}"
        for name, line, width in _lines():
            if hypot(*_apart(here, line)) < width / 2 + TO_LINE:
                yield f"{label.words} meets the outline of {name}"
        if min(here[0], here[1], SIZE[0] - here[2], SIZE[1] - here[3]) < TO_EDGE:
            yield f"{label.words} is at the edge"


def _lines() -> Iterator[tuple[str, Box, float]]:
    for name, marks in outlines().items():
        for mark in marks:
            for (x, y), (to_x, to_y) in pairwise((*mark.points, mark.points[-1])):
                yield name, (min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y)), mark.size


def test_texts_meet_neither_each_other_nor_pads_nor_outlines() -> None:
    assert [*text_faults(labels())] == []


@pytest.mark.parametrize(
    ("words", "changes", "told"),
    [
        ("button", {"height": 1.0}, "button meets green"),
        ("green", {"place": (2.54, 64.9)}, "button meets green"),
        ("R24 330", {"place": (30.5, 20.0)}, "R24 330 meets a pad of R24"),
        ("buzzer", {"place": (88.0, 43.0)}, "buzzer meets the outline of D1"),
        ("Coyote Table 1.1", {"place": (0.2, 3.8)}, "Coyote Table 1.1 is at the edge"),
    ],
)
def test_injected_overlap_is_found(words: str, changes: Mapping[str, object], told: str) -> None:
    printed = tuple(replace(label, **changes) if label.words == words else label for label in labels())
    assert told in [*text_faults(printed)]
