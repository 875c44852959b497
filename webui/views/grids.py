"""Grids of cards as tables: card in each cell, groups, and legal cells; pure functions."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from msgspec import Struct

from referee.answers_view import AnswersView, OptionView
from referee.cells import columns_of, count_cell, face_at, lines_of
from referee.contract import CardGroup, Cell, Choice, Grid, Option, Span
from referee.contract.words import phrase
from referee.match import Match
from referee.sentences import Listener, face_name, labelled_text, ruling_text
from webui.views.options import encode_option
from webui.views.words import Texts, page_text


class CellButton(Struct, frozen=True):
    """Button on a cell: its value, its short text, and its label for screen readers."""

    value: str
    text: str
    label: str


class Square(Struct, frozen=True):
    """A cell: column, card, connection to its neighbours, and button."""

    column: int
    face: str
    kind: str
    marks: tuple[CellButton, ...] = ()
    card: str = ""
    is_allowed: bool = False  # a card may be placed there now

    @property
    def is_whole(self) -> bool:
        """Return whether the cell belongs to a complete group."""
        return self.kind.startswith("whole")

    @property
    def is_free(self) -> bool:
        return not (self.card or self.is_allowed)


class GridRow(Struct, frozen=True):
    """A row, with its number starting at 1."""

    number: int
    squares: tuple[Square, ...]


class NamedSpan(Struct, frozen=True):
    """A row or a group of adjacent cards, and its name."""

    span: Span
    text: str


class Sheet(Struct, frozen=True):
    """A player's grid, drawn with the column and row numbers that rulings use."""

    seat: int
    name: str
    columns: tuple[int, ...]
    lines: tuple[GridRow, ...]
    groups: tuple[NamedSpan, ...]
    rows: tuple[NamedSpan, ...]
    beside: tuple[str, ...]
    is_asking: bool


CellButtons = Mapping[Cell, tuple[CellButton, ...]]


def grids_of(match: Match, viewer: int | None) -> tuple[Grid, ...]:
    game = match.setup.game
    return game.table.grids(game.shown.view(match.state, viewer))


def sheet_of(grid: Grid, listener: Listener, marks: CellButtons | None = None) -> Sheet:
    marks = marks or {}
    is_drawn = bool(grid.rows or marks)
    columns = columns_of(grid) if is_drawn else range(0)
    rows = lines_of(grid) if is_drawn else range(0)
    return Sheet(
        seat=grid.seat,
        name=listener.names[grid.seat],
        columns=tuple(range(1, len(columns) + 1)),
        lines=grid_rows(grid, listener, columns, rows, marks),
        groups=tuple(_group(grid, group, listener) for group in grid.groups),
        rows=tuple(_rows(grid, listener)),
        beside=tuple(face_name(listener, face) for face in grid.beside),
        is_asking=bool(marks),
    )


def grid_rows(
    grid: Grid,
    listener: Listener,
    columns: range,
    rows: range,
    marks: CellButtons,
    allowed: Collection[Cell] = (),
) -> tuple[GridRow, ...]:
    def square(number: int, cell: Cell) -> Square:
        text, buttons = _face_text(grid, cell, listener), marks.get(cell, ())
        return Square(number, text, _kind(grid, cell), buttons, face_at(grid, cell), cell in allowed)

    return tuple(
        GridRow(number, tuple(square(place, (column, row)) for place, column in enumerate(columns, 1)))
        for number, row in enumerate(rows, 1)
    )


def whole_grid(grid: Grid, listener: Listener) -> tuple[GridRow, ...]:
    """Return all rows of a grid, without buttons."""
    return grid_rows(grid, listener, columns_of(grid), lines_of(grid), {})


def _face_text(grid: Grid, cell: Cell, listener: Listener) -> str:
    face = face_at(grid, cell)
    return face_name(listener, face) if face else ""


def _kind(grid: Grid, cell: Cell) -> str:
    """Return how a cell joins its neighbours, as a CSS class."""
    for group in grid.groups:
        place = cell[0] - group.span.cell[0]
        if cell[1] == group.span.cell[1] and 0 <= place < group.span.length:
            ends = (" start" if place == 0 else "") + (" end" if place == group.span.length - 1 else "")
            return f"{'whole' if group.is_whole else 'part'}{ends}"
    return "card" if face_at(grid, cell) else "free"


def _group(grid: Grid, group: CardGroup, listener: Listener) -> NamedSpan:
    where = span_text(grid, group.span, listener)
    sentences = (ruling_text(listener, ruling) for ruling in group.told)
    told = page_text(listener.language, phrase("; ")).join(sentences)
    return NamedSpan(group.span, labelled_text(listener.language, where, told) if told else where)


def _rows(grid: Grid, listener: Listener) -> Iterator[NamedSpan]:
    for line, row in enumerate(grid.rows):
        span = Span(grid.seat, (grid.first[0], grid.first[1] + line), len(row))
        yield NamedSpan(
            span, page_text(listener.language, phrase("all of row {row}"), row=_counted(grid, span.cell)[1])
        )


def _counted(grid: Grid, cell: Cell) -> Cell:
    """Return a cell's column and row counted from 1, starting at the first drawn ones."""
    column, row = count_cell(grid, cell)
    return column + 1, row + 1


def span_text(grid: Grid, span: Span, listener: Listener) -> str:
    column, row = _counted(grid, span.cell)
    if span.length == 1:
        return page_text(listener.language, Texts.cell, row=row, column=column)
    return page_text(
        listener.language,
        phrase("row {row}, columns {first} to {last}"),
        row=row,
        first=column,
        last=column + span.length - 1,
    )


def asking_sheets(told: AnswersView, ask: Choice, grids: Iterable[Grid], seat: int | None) -> tuple[Sheet, ...]:
    """Return the grids for an ask, with a button on each legal cell."""
    found = []
    for grid in grids:
        chosen = [option for option in ask.options if option.cell and _owner(ask, option, seat) == grid.seat]
        if chosen:
            marks = _cell_buttons(grid, [told.options[option] for option in chosen], told.listener)
            found.append(sheet_of(grid, told.listener, marks))
    return tuple(found)


def is_on_grid(ask: Choice, option: Option, grids: Iterable[Grid], seat: int | None) -> bool:
    return option.cell is not None and _owner(ask, option, seat) in {grid.seat for grid in grids}


def _owner(ask: Choice, option: Option, seat: int | None) -> int | None:
    """Return the seat whose grid an option is on: the option's own, otherwise the asked seat."""
    if option.seat is not None:
        return option.seat
    return ask.seats[0] if len(ask.seats) == 1 else seat


def _cell_buttons(
    grid: Grid, options: Iterable[OptionView], listener: Listener
) -> dict[Cell, tuple[CellButton, ...]]:
    marks: dict[Cell, tuple[CellButton, ...]] = {}
    for told in options:
        cell = told.option.cell
        if cell is not None:
            # for a card, use the option's text
            where = told.text if face_at(grid, cell) else _place(grid, cell, listener)
            label = labelled_text(listener.language, told.cell, where) if told.cell else where
            mark = CellButton(encode_option(told.option), told.cell, label)
            marks[cell] = (*marks.get(cell, ()), mark)
    return marks


def _place(grid: Grid, cell: Cell, listener: Listener) -> str:
    column, row = cell
    left, right = (_face_text(grid, (near, row), listener) for near in (column - 1, column + 1))
    text = {
        (True, True): phrase("between {left} and {right}, row {row}"),
        (True, False): phrase("to the right of {left}, row {row}"),
        (False, True): phrase("to the left of {right}, row {row}"),
    }.get((bool(left), bool(right)), Texts.cell)
    counted = _counted(grid, cell)
    return page_text(listener.language, text, left=left, right=right, row=counted[1], column=counted[0])
