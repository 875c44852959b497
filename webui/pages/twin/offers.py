"""Options of a seat at the simulated table, where its cards are known; pure functions."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from firmware.twin.simulated_table import TableView
from referee.contract import Option
from referee.match import Match
from webui.views.controls import Control
from webui.views.grids import GridRow, Sheet, Square
from webui.views.options import Button, OptionRow

Allows = Callable[[str, Option], bool]
"""Returns whether the seat's cards allow an option of an ask, named by its key."""


def offered(controls: Iterable[Control], allows: Allows, shared: Collection[str] = ()) -> tuple[Control, ...]:
    """Return the controls with only those options that the seat's cards allow.

    A question without an option left is dropped, unless it is the only one and not shared with other seats.
    """
    left = tuple(_offered(each, allows) if each.kind == "choice" else each for each in controls)
    possible = tuple(each for each in left if each.kind != "choice" or _has_options(each))
    return possible or tuple(each for each in left if each.ask not in shared)


def _offered(control: Control, allows: Allows) -> Control:
    def is_offered(value: str) -> bool:
        # an option without a value is shown with the reason why it isn't available
        return not value or allows(control.ask, msgspec.json.decode(value, type=Option))

    def kept(buttons: Iterable[Button]) -> tuple[Button, ...]:
        return tuple(button for button in buttons if is_offered(button.value))

    def with_marks(square: Square) -> Square:
        return replace(square, marks=tuple(mark for mark in square.marks if is_offered(mark.value)))

    def with_squares(line: GridRow) -> GridRow:
        return replace(line, squares=tuple(map(with_marks, line.squares)))

    def with_lines(sheet: Sheet) -> Sheet:
        return replace(sheet, lines=tuple(map(with_squares, sheet.lines)))

    return replace(
        control,
        buttons=kept(control.buttons),
        weighed=kept(control.weighed),
        rows=tuple(_kept_rows(control.rows, kept)),
        sheets=tuple(map(with_lines, control.sheets)),
    )


def _kept_rows(
    rows: Iterable[OptionRow], kept: Callable[[Iterable[Button]], tuple[Button, ...]]
) -> Iterator[OptionRow]:
    for row in rows:
        aims = [{**aim, "buttons": [*kept(aim["buttons"])]} for aim in row.aims]  # type: ignore[arg-type]
        left = replace(row, buttons=kept(row.buttons), aims=[aim for aim in aims if aim["buttons"]])
        is_group = bool(row.buttons or row.aims)
        if left.buttons or left.aims or (not is_group and kept((row.head,))):
            yield left


def can_act(controls: Iterable[Control], table: TableView, seat: int) -> bool:
    """Return whether a tap answers, or lays a requested card or picks it up."""
    own = (*table.chairs[seat].cards, *((table.draw,) if table.draw else ()))
    is_lit = any(card.is_wanted for card in own)
    is_astray = any(card.is_astray and card.may and card.is_own for card in table.laid)
    return any(
        is_lit or is_astray or table.has_laid
        if control.kind in {"card", "cards"}
        else control.kind != "choice" or _has_options(control)
        for control in controls
    )


def is_stuck(controls: Sequence[Control], table: TableView, seat: int) -> bool:
    """Return whether a seat is asked, but neither it nor anybody else can do anything."""
    if not controls or can_act(controls, table, seat):
        return False
    return table.is_stuck or not any(control.kind in {"card", "cards"} for control in controls)


def absent_seats(match: Match, present: Collection[int]) -> tuple[int, ...]:
    """Return the asked seats if nobody is there who could answer, and no clock answers instead."""
    asked = {seat for ask in match.asks for seat in ask.seats}
    is_open = any(not ask.seats or ask.deadline is not None for ask in match.asks)
    return () if is_open or asked.intersection(present) else tuple(sorted(asked))


def _has_options(control: Control) -> bool:
    cells = (square for sheet in control.sheets for line in sheet.lines for square in line.squares)
    return any(control.buttons) or any(square.marks for square in cells)
