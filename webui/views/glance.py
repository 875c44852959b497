"""The table at a glance, for a phone that waits: the latest act, and all possessions; pure functions."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from referee.cells import columns_of, lines_of
from referee.contract import Answer, Cell, Option, Weight
from referee.match import Match, moments
from referee.moment_view import CountView, MomentView, PlayerView
from webui.views.grids import GridRow, grid_rows
from webui.views.looks import Look
from webui.views.plates import Plate, plates_of

COLUMNS = 7  # columns of a grid in large
RECENT = 12  # newest moments searched for a card that was placed


class GlanceRow(Struct, frozen=True):
    """A player's row."""

    plate: Plate
    is_own: bool
    is_lit: bool
    """Whether only this player is awaited; if several are or none is, whether it is the acting one."""
    has_answered: bool | None
    """Whether the open question was answered; None if it isn't asked of this player."""
    said: int | None  # the player's newest number
    total: CountView | None  # the count that ranks the players, if the plate doesn't show it
    notes: tuple[str, ...]


class NamedNumber(Struct, frozen=True):
    """A number, its player's name, and whether that is the reader."""

    name: str
    number: int
    is_own: bool


class GlanceGrid(Struct, frozen=True):
    """The grid in play: the part around the newest card in large, all of it as a map."""

    name: str
    lines: tuple[GridRow, ...]
    whole: tuple[GridRow, ...]
    first: int  # columns of the whole grid to the left of the part
    newest: tuple[int, int] | None  # column in the part, and row, both from 1


class Glance(Struct, frozen=True):
    """The table as a waiting phone shows it."""

    rows: tuple[GlanceRow, ...]
    has_answers: bool
    said: tuple[NamedNumber, ...]
    grid: GlanceGrid | None


def glance_of(told: MomentView, seat: int, look: Look, answered: Mapping[int, bool]) -> Glance:
    """Return the table for a seat, in table order from the acting player on, or else with the seat last."""
    plates, said = {each.seat: each for each in plates_of(told, look)}, told.board.trail
    start = told.board.turn if told.board.turn in plates else seat + 1
    awaited = {other for ask in told.match.asks for other in ask.seats}
    lit = awaited if len(awaited) == 1 else {told.board.turn}
    count = len(plates)
    order = [((start or 0) + step) % count for step in range(count)]
    return Glance(
        rows=tuple(
            GlanceRow(
                plate=plates[other],
                is_own=other == seat,
                is_lit=other in lit,
                has_answered=answered.get(other),
                said=next((each.number for each in reversed(said) if each.seat == other), None),
                total=_total(told.player(other), plates[other]),
                notes=tuple(_notes(told.player(other), plates[other], look)),
            )
            for other in order
        ),
        has_answers=bool(answered),
        said=tuple(NamedNumber(told.name(each.seat), each.number, each.seat == seat) for each in said[-3:]),
        grid=_grid_in_play(told),
    )


def _total(player: PlayerView, plate: Plate) -> CountView | None:
    ranking = player.counts[0] if player.counts else None
    is_drawn = ranking is not None and any(each.key == ranking.key for each in plate.has)
    return None if is_drawn else ranking


def _notes(player: PlayerView, plate: Plate, look: Look) -> Iterator[str]:
    """Yield a player's own facts that the plate doesn't draw."""
    ties = {tie.key for tie in plate.ties}
    for each in player.facts:
        is_drawn = each.fact.key in {look.style.badge, *look.style.backs, *ties}
        # the fact that decides stands in the window
        if not is_drawn and each.weight is Weight.MAIN:
            yield f"{each.label} {each.text}".strip()


def _grid_in_play(told: MomentView) -> GlanceGrid | None:
    placed = _newest_cell(told.match)
    owner = told.board.turn if placed is None else placed[0]
    grid = next((grid for grid in told.grids if grid.seat == owner and grid.rows), None)
    if grid is None:
        return None
    cell = placed[1] if placed is not None else None
    columns, rows = columns_of(grid), lines_of(grid)
    middle = grid.first[0] + max(map(len, grid.rows), default=0) // 2 if cell is None else cell[0]
    first = max(columns.start, min(middle - COLUMNS // 2, columns.stop - COLUMNS))
    part = range(first, first + COLUMNS)
    return GlanceGrid(
        name=told.name(grid.seat),
        lines=grid_rows(grid, told.listener, part, rows, {}),
        whole=grid_rows(grid, told.listener, columns, rows, {}),
        first=part.start - columns.start,
        newest=None if cell is None else _place_in(part, rows, cell),
    )


def _place_in(columns: range, rows: range, cell: Cell) -> tuple[int, int] | None:
    """Return a cell's position in a part of a grid, column and row from 1; None for a cell outside it."""
    column, row = cell
    if column not in columns or row not in rows:
        return None
    return column - columns.start + 1, row - rows.start + 1


def _newest_cell(match: Match) -> tuple[int | None, Cell] | None:
    """Return the seat and cell of the card that was placed last, if that was a short time ago."""
    for number, moment in enumerate(moments(match)):
        if number == RECENT:
            return None
        match moment.entry:
            case Answer(value=Option(cell=cell, seat=owner), seat=seat) if cell is not None:
                return seat if owner is None else owner, cell
    return None
