"""Displayed cells count from the first visible one; internal cells never change; empty places have no face."""

import pytest
from msgspec.structs import replace

from referee.cells import columns_of, count_cell, face_at, grid_of, inner_cell, lines_of, with_cell_counted
from referee.contract import Cell, Grid, Option

ROWS = (("a", ""), ("b", "c", "d"), ())
BARE = Grid(1, (-2, 5), ROWS)
FRAMED = replace(BARE, frame=((-4, 3), (1, 9)))


def test_default_frame_covers_all_rows() -> None:
    assert (columns_of(BARE), lines_of(BARE)) == (range(-2, 1), range(5, 8))
    empty = Grid(0, (7, -3), ())
    assert (columns_of(empty), lines_of(empty)) == (range(7, 7), range(-3, -3))


def test_frame_limits_are_inclusive() -> None:
    assert (columns_of(FRAMED), lines_of(FRAMED)) == (range(-4, 2), range(3, 10))


@pytest.mark.parametrize("grid", [BARE, FRAMED])
def test_face_at_returns_the_face_or_nothing(grid: Grid) -> None:
    there = {(-2 + x, 5 + y): face for y, row in enumerate(ROWS) for x, face in enumerate(row)}
    cells = [(x, y) for x in range(-8, 8) for y in range(-2, 14)]
    assert {cell: face for cell in cells if (face := face_at(grid, cell))} == {
        cell: face for cell, face in there.items() if face
    }


@pytest.mark.parametrize(("grid", "first"), [(BARE, (-2, 5)), (FRAMED, (-4, 3))])
def test_cells_count_from_the_first_visible_one(grid: Grid, first: Cell) -> None:
    assert count_cell(grid, first) == (0, 0)
    assert count_cell(grid, (first[0] + 2, first[1] + 1)) == (2, 1)
    for cell in ((0, 0), (3, -7), (-2, 5)):
        assert inner_cell(grid, count_cell(grid, cell)) == cell


def test_option_grid_is_its_seats_or_the_asked_seats() -> None:
    grids = (replace(BARE, seat=0, first=(1, 1)), BARE)
    put = Option("put", cell=(1, 6))
    assert [grid_of(grids, put, seat) for seat in (0, 1, 2, None)] == [*grids, None, None]
    assert grid_of(grids, replace(put, seat=0), 1) is grids[0]
    assert with_cell_counted(grids, put, 1) == Option("put", cell=(3, 1))
    assert with_cell_counted(grids, put, 0) == Option("put", cell=(0, 5))
    assert with_cell_counted(grids, put, 2) == put
    assert with_cell_counted(grids, Option("put"), 1) == Option("put")
