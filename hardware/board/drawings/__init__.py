"""Drawings of boards: the fabricated one, and breadboards."""

from collections.abc import Iterable, Iterator, Mapping

from hardware.board.board import Board, LampLines
from hardware.board.drawings.breadboard import breadboard_picture, one_seat
from hardware.board.fab.components import is_fab
from hardware.board.fab.copper import Mark, copper, drills, mask, routed
from hardware.board.fab.ink import ink
from hardware.board.fab.layout import SIZE, Point
from hardware.decks.drawing import Drawing, Item, fill, line, polygon, rounded_box, stroke
from hardware.decks.print.small_svg import small_svg


def drawings_of(board: Board, name: str) -> Mapping[str, bytes]:
    if is_fab(board):
        drawn = {"board-fab.svg": board_picture()}
    elif board.solderless:
        drawn = {f"plugged-{name}.svg": breadboard_picture(board, name)}
    elif board.seats and isinstance(board.lamps, LampLines):
        drawn = {f"seat-{name}.svg": breadboard_picture(one_seat(board, board.lamps), name)}
    else:
        drawn = {}
    return {file: small_svg(drawing, unit="mm").encode() for file, drawing in drawn.items()}


# the fabricated board from above, drawn from its production data


LACQUER, COVERED, GOLD, HOLE, WHITE = "#1d5b3f", "#2a7350", "#d9b45b", "#cfc9ba", "#ffffff"
MARGIN = 3.0


def board_picture() -> Drawing:
    wide, high = (side + 2 * MARGIN for side in SIZE)
    nets = routed()
    holes = [Mark((drill.at,), drill.size) for drill in drills(nets)]
    items = (
        fill(rounded_box(MARGIN, MARGIN, *SIZE, 1), LACQUER),
        *_painted(copper("top", nets), COVERED, LACQUER),
        *_painted(mask(), GOLD, LACQUER),
        *_painted(holes, HOLE, LACQUER),
        *_painted(ink(), WHITE, COVERED),
    )
    return Drawing(wide, high, items)


def _painted(marks: Iterable[Mark], dark: str, clear: str) -> Iterator[Item]:
    for mark in marks:
        points, colour = [_place(point) for point in mark.points], dark if mark.is_dark else clear
        # a line of one point is drawn as a disc, in fewer bytes
        drawn = line(points[0], *points[1:] or points)
        yield stroke(drawn, colour, mark.size) if mark.size else fill(polygon(*points), colour)


def _place(point: Point) -> Point:
    """Convert board coordinates (y upwards) to a drawing's (y downwards)."""
    return MARGIN + point[0], MARGIN + SIZE[1] - point[1]
