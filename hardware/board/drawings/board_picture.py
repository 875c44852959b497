"""Draw the board that a fab makes, from above, of the very marks that its files have."""

from collections.abc import Iterable, Iterator

from hardware.board.drawings.look import CARD, WHITE
from hardware.board.fab.copper import Mark, copper, drills, mask, routed
from hardware.board.fab.ink import ink
from hardware.board.fab.layout import SIZE, Point
from hardware.decks.drawing import Drawing, Item, Path, Run, fill, line, polygon, rounded_box, stroke

LACQUER, COVERED, GOLD, HOLE = "#1d5b3f", "#2a7350", "#d9b45b", CARD
MARGIN = 3.0


def board_picture() -> Drawing:
    """Draw copper below lacquer, bare pads, holes and ink; with what is drawn alike in one path."""
    wide, high = (side + 2 * MARGIN for side in SIZE)
    nets = routed()
    holes = [Mark((drill.at,), drill.size) for drill in drills(nets)]
    items = (
        fill(rounded_box(MARGIN, MARGIN, *SIZE, 1), LACQUER),
        *_painted(copper("top", nets), COVERED, LACQUER),
        *_painted(mask(), GOLD, LACQUER),
        *_painted(holes, HOLE, LACQUER),
        *_letters(ink()),
    )
    return Drawing(wide, high, items)


def _painted(marks: Iterable[Mark], dark: str, clear: str) -> Iterator[Item]:
    for mark in marks:
        yield _shape(mark, dark if mark.is_dark else clear)


def _shape(mark: Mark, colour: str) -> Item:
    points = [_place(point) for point in mark.points]
    if not mark.size:
        return fill(polygon(*points), colour)
    # a line that goes nowhere has round ends: it is a disc, in fewer bytes
    return stroke(line(points[0], *points[1:] or points), colour, mark.size)


def _letters(marks: Iterable[Mark]) -> Iterator[Item]:
    """Fill all letters as one path: what is open within them is left out."""
    areas: list[Run] = []
    for mark in marks:
        if mark.size:
            yield _shape(mark, WHITE)
        else:
            areas += _outline(mark)
    yield fill(tuple(areas), WHITE)


def _outline(mark: Mark) -> Path:
    return polygon(*(_place(point) for point in mark.points[:-1]))


def _place(point: Point) -> Point:
    """Turn the board's y, which goes up, into a drawing's."""
    return MARGIN + point[0], MARGIN + SIZE[1] - point[1]
