"""The drawings of boards, and the layout of their strip boards; not in the wheel, which has what was drawn."""

from collections.abc import Mapping

from hardware.board.board import Board
from hardware.board.design.poster import pictures_of
from hardware.board.design.poster import poster as wiring_poster
from hardware.decks.print.pdf import pdf
from hardware.decks.print.svg import svg


def drawings_of(board: Board, name: str) -> Mapping[str, bytes]:
    """Draw a board, by the names of the files."""
    return {f"{stem}.svg": svg(drawing).encode() for stem, drawing in pictures_of(board, name).items()}


def poster_of(board: Board, name: str) -> bytes:
    """Draw the poster of a board, as PDF."""
    return pdf([wiring_poster(board, name)])
