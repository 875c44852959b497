"""Where the words of a drawing lie: their outlines' boxes, as they are set."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import combinations
from types import ModuleType
from typing import Any

from msgspec import Struct

from hardware.board import details, picture, strip_picture, symbols
from hardware.decks import drawing
from hardware.decks.drawing import Drawing

DRAWN_BY: tuple[ModuleType, ...] = (picture, details, symbols, strip_picture)


class LabelBox(Struct, frozen=True):
    """Words, and the box around their ink."""

    words: str
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "LabelBox") -> bool:
        """Tell whether two labels lie over each other."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def is_within(self, other: "LabelBox") -> bool:
        """Tell whether it lies within another box."""
        return (
            other.left <= self.left
            and other.top <= self.top
            and self.right <= other.right
            and self.bottom <= other.bottom
        )


def labels_of(draw: Callable[[], Drawing]) -> tuple[Drawing, list[LabelBox]]:
    """Draw, and give the boxes of all words that were set."""
    found: list[LabelBox] = []

    def setting(words: str, *place: Any, **how: Any) -> drawing.Path:
        path = drawing.text(words, *place, **how)
        if words.strip():
            found.append(_box(words, path))
        return path

    with _set_by(setting):
        return draw(), found


def overlaps(labels: list[LabelBox]) -> list[tuple[str, str]]:
    """List the labels that lie over each other."""
    return [(one.words, other.words) for one, other in combinations(labels, 2) if one.meets(other)]


def _box(words: str, path: drawing.Path) -> LabelBox:
    # handles of curves count as ink: a label is a hair smaller than its box
    points = [point for run in path for point in (run.start, *(each for step in run.steps for each in step))]
    across, down = [x for x, _y in points], [y for _x, y in points]
    return LabelBox(words, min(across), min(down), max(across), max(down))


@contextmanager
def _set_by(setting: Callable[..., drawing.Path]) -> Iterator[None]:
    """Have all that draws boards set its words by something else."""
    usual = drawing.text
    for module in DRAWN_BY:
        module.text = setting  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for module in DRAWN_BY:
            module.text = usual  # type: ignore[attr-defined]
