"""Cells as people count them: from the first column and the first row that they see.

The record keeps the inner names of cells, which never change; only what is told, drawn and typed is counted.
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
    """Count a cell from the first that people see; its columns and rows begin with 0 here, with 1 when told."""
    return cell[0] - columns_of(grid).start, cell[1] - lines_of(grid).start


def inner_cell(grid: Grid, counted: Cell) -> Cell:
    return counted[0] + columns_of(grid).start, counted[1] + lines_of(grid).start


def grid_of(grids: Iterable[Grid], option: Option, seat: int | None) -> Grid | None:
    """Find the grid that an option is on: its own seat's, else that of the seat that is asked."""
    owner = seat if option.seat is None else option.seat
    return next((grid for grid in grids if grid.seat == owner), None)


def with_cell_counted(grids: Iterable[Grid], option: Option, seat: int | None) -> Option:
    """Count the cell of an option, for telling it; it isn't to be answered with."""
    if option.cell is None:
        return option
    grid = grid_of(grids, option, seat)
    return option if grid is None else replace(option, cell=count_cell(grid, option.cell))


def value_counted(game: Game, state: object, answer: Answer) -> Value:
    """Give what an answer says as people count, for telling it; the state is the one that it answered."""
    value = answer.value
    if not isinstance(value, Option) or value.cell is None:
        return value
    return with_cell_counted(game.table.grids(game.shown.view(state, None)), value, answer.seat)
