"""Grids in a terminal: a letter for each card, what it means, and the numbers that name cells."""

from collections.abc import Collection, Iterator
from string import ascii_uppercase

from referee.cells import columns_of, face_at, lines_of
from referee.contract import Cell, Grid
from referee.telling import Listener, tell_face

LETTERS = (*ascii_uppercase, *(a + b for a in ascii_uppercase for b in ascii_uppercase))
FREE, OFFERED = "·", "+"
WIDTH = 3


def draw_grid(listener: Listener, grid: Grid, offered: Collection[Cell] = ()) -> list[str]:
    """Draw a grid; cells that may be chosen and are free have a sign of their own."""
    letters = _letters(grid)
    legend = [f"{letter} {tell_face(listener, face)}" for face, letter in letters.items()]
    head = " " * WIDTH + "".join(str(number).rjust(WIDTH) for number, _column in enumerate(columns_of(grid), 1))
    lines = [
        str(number).rjust(WIDTH)
        + "".join(_sign(grid, (column, row), letters, offered) for column in columns_of(grid))
        for number, row in enumerate(lines_of(grid), 1)
    ]
    beside = [f"({', '.join(tell_face(listener, face) for face in grid.beside)})"] if grid.beside else []
    return [listener.names[grid.seat], head, *lines, *([", ".join(legend)] if legend else []), *beside]


def _letters(grid: Grid) -> dict[str, str]:
    faces = dict.fromkeys(_faces(grid))
    return dict(zip(faces, LETTERS, strict=False))


def _faces(grid: Grid) -> Iterator[str]:
    return (face for row in grid.rows for face in row if face)


def _sign(grid: Grid, cell: Cell, letters: dict[str, str], offered: Collection[Cell]) -> str:
    face = face_at(grid, cell)
    sign = letters[face] if face else OFFERED if cell in offered else FREE
    return sign.rjust(WIDTH)
