"""Boards as drawings: the one that a fab makes, and what is plugged into a breadboard."""

from collections.abc import Mapping

from hardware.board.board import Board, LampLines
from hardware.board.drawings.board_picture import board_picture
from hardware.board.drawings.breadboard import breadboard_picture, one_seat
from hardware.board.fab.components import is_fab
from hardware.decks.print.svg import svg


def drawings_of(board: Board, name: str) -> Mapping[str, bytes]:
    """Draw a board, by the name of the file: as a fab makes it, as it is plugged, or one seat of it to try."""
    if is_fab(board):
        return {"board-fab.svg": svg(board_picture()).encode()}
    if board.solderless:
        return {f"plugged-{name}.svg": svg(breadboard_picture(board, name)).encode()}
    if board.seats and isinstance(board.lamps, LampLines):
        return {f"seat-{name}.svg": svg(breadboard_picture(one_seat(board, board.lamps), name)).encode()}
    return {}
