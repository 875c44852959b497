"""Conversion between internal cells and displayed cells, which count from the first visible column and row.

The record uses internal cells, which never change. Only text, drawings and typed input use displayed cells.
"""

from collections.abc import Iterable

from msgspec.structs import replace

from referee.contract import Answer, Cell, Game, Grid, Option, Value


def columns_of(grid: Grid) -> range:
    if grid.frame is not None:
        return range(grid.frame[0][0], grid.frame[1][0] + 1)
    return range(grid.first[0], grid.first[0] + max(map(len, grid.rows), default=0))


def lines_of(grid: Grid) -> range:
    if grid.frame is not None:
        return range(grid.frame[0][1], grid.frame[1][1] + 1)
    return range(grid.first[1], grid.first[1] + len(grid.rows))


def face_at(grid: Grid, cell: Cell) -> str:
    place, line = cell[0] - grid.first[0], cell[1] - grid.first[1]
    if not 0 <= line < len(grid.rows):
        return ""
    row = grid.rows[line]
    return row[place] if 0 <= place < len(row) else ""


def count_cell(grid: Grid, cell: Cell) -> Cell:
    """Return the offset of a cell from the first visible one; displayed numbers are one higher."""
    return cell[0] - columns_of(grid).start, cell[1] - lines_of(grid).start


def inner_cell(grid: Grid, counted: Cell) -> Cell:
    return counted[0] + columns_of(grid).start, counted[1] + lines_of(grid).start


def grid_of(grids: Iterable[Grid], option: Option, seat: int | None) -> Grid | None:
    """Return the grid of an option: its own seat's, or that of the asked seat."""
    owner = seat if option.seat is None else option.seat
    return next((grid for grid in grids if grid.seat == owner), None)


def with_cell_counted(grids: Iterable[Grid], option: Option, seat: int | None) -> Option:
    """Return an option with its displayed cell, for texts only; it isn't a valid answer."""
    if option.cell is None:
        return option
    grid = grid_of(grids, option, seat)
    return option if grid is None else replace(option, cell=count_cell(grid, option.cell))


def value_counted(game: Game, state: object, answer: Answer) -> Value:
    """Return an answer's value with its displayed cell, for texts; `state` is the one it answered."""
    value = answer.value
    if not isinstance(value, Option) or value.cell is None:
        return value
    return with_cell_counted(game.table.grids(game.shown.view(state, None)), value, answer.seat)
