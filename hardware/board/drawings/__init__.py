"""Pictures of boards: KiCad's of the fabricated one, and drawings of breadboards."""

from collections.abc import Mapping

from hardware.board.board import Board, LampLines, is_fab
from hardware.board.drawings.breadboard import breadboard_picture, one_seat
from hardware.board.fabrication import PICTURE
from hardware.decks.print.small_svg import small_svg


def drawings_of(board: Board, name: str) -> Mapping[str, bytes]:
    if is_fab(board):
        return {"board-fab.jpg": PICTURE.read_bytes()}
    if board.solderless:
        drawn = {f"plugged-{name}.svg": breadboard_picture(board, name)}
    elif board.seats and isinstance(board.lamps, LampLines):
        drawn = {f"seat-{name}.svg": breadboard_picture(one_seat(board, board.lamps), name)}
    else:
        drawn = {}
    return {file: small_svg(drawing, unit="mm").encode() for file, drawing in drawn.items()}
