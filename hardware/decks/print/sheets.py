"""Sheets of paper: sizes, a grid of pieces to cut out, cut marks, and a ruler to check the printer."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from hardware.decks.drawing import PLAIN, Drawing, Group, Item, fill, group, line, placement, stroke, text

INK = "#1d2030"
RULER = 50.0  # length of the check ruler


class Paper(Struct, frozen=True):
    """A size of paper, upright."""

    name: str
    width: float
    height: float


PAPERS = {"a4": Paper("A4", 210, 297), "letter": Paper("Letter", 215.9, 279.4)}


class SheetGrid(Struct, frozen=True):
    """A grid of equal cells in the middle of the paper, with gutters between them."""

    paper: Paper
    columns: int
    rows: int
    width: float
    height: float
    gutter: float

    @property
    def corner(self) -> tuple[float, float]:
        """Return the upper left corner of the first cell."""
        across = self.columns * (self.width + self.gutter) - self.gutter
        down = self.rows * (self.height + self.gutter) - self.gutter
        return ((self.paper.width - across) / 2, (self.paper.height - down) / 2)


def place(grid: SheetGrid, number: int, *, behind: bool = False) -> tuple[float, float]:
    """Return a cell's upper left corner; with `behind`, on the back, flipped over the long edge."""
    row, column = divmod(number, grid.columns)
    column = grid.columns - 1 - column if behind else column
    x, y = grid.corner
    return (x + column * (grid.width + grid.gutter), y + row * (grid.height + grid.gutter))


def in_sheets(pieces: Sequence[tuple[Drawing, Drawing]], grid: SheetGrid, title: str) -> list[Drawing]:
    """Lay out pieces, each a front and a back, on sheets; each front page is followed by its back page."""
    size = grid.columns * grid.rows
    sheets = [pieces[first : first + size] for first in range(0, len(pieces), size)]
    pages: list[Drawing] = []
    for number, sheet in enumerate(sheets, 1):
        label = f"{title}  {number}/{len(sheets)}"
        pages.append(_page(grid, [front for front, _ in sheet], f"{label} front", behind=False))
        pages.append(_page(grid, [back for _, back in sheet], f"{label} back", behind=True))
    return pages


def _page(grid: SheetGrid, pieces: Sequence[Drawing], label: str, *, behind: bool) -> Drawing:
    places = (placement(*place(grid, number, behind=behind)) for number in range(len(pieces)))
    stamped = (Group(piece.items, at) for piece, at in zip(pieces, places, strict=True))
    items = (*_cut_marks(grid), *margin(grid.paper, label), *stamped)
    return Drawing(grid.paper.width, grid.paper.height, items)


def _cut_marks(grid: SheetGrid) -> Iterator[Item]:
    left, top = grid.corner
    right, low = grid.paper.width - left, grid.paper.height - top
    for x in _edges(left, grid.width, grid.gutter, grid.columns):
        for start, end in ((top - 1.2, top - 4.2), (low + 1.2, low + 4.2)):
            yield stroke(line((x, start), (x, end)), INK, 0.12)
    for y in _edges(top, grid.height, grid.gutter, grid.rows):
        for start, end in ((left - 1.2, left - 4.2), (right + 1.2, right + 4.2)):
            yield stroke(line((start, y), (end, y)), INK, 0.12)


def _edges(first: float, size: float, gutter: float, count: int) -> Iterator[float]:
    for number in range(count):
        start = first + number * (size + gutter)
        yield from (start, start + size)


def margin(paper: Paper, label: str) -> tuple[Item, ...]:
    """Return the check ruler and the sheet's label, in side margins that every printer can print."""
    low = paper.height / 2 + RULER / 2
    words = fill(text(label, 0, 0, 1.7, font=PLAIN), INK)
    return (*ruler(5.2, low), group(words, matrix=placement(paper.width - 4.4, paper.height / 2, turn=90)))


def ruler(x: float, low: float) -> tuple[Item, ...]:
    """Return an upright ruler of 50 mm, measured between the middles of its end lines, ending at a point."""
    ends = ((x - (0.8 if step % 5 else 1.4), low - 10 * step) for step in range(6))
    ticks = tuple(stroke(line((left, y), (x, y)), INK, 0.15) for left, y in ends)
    words = fill(text("50 mm", 0, 0, 1.4, font=PLAIN), INK)
    beside = group(words, matrix=placement(x - 2.4, low - RULER / 2, turn=-90))
    return (stroke(line((x, low), (x, low - RULER)), INK, 0.15), *ticks, beside)
