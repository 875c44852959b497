"""The horses of Plenty Coups: those of a clan stand in its herd, the others on the plain."""

from referee.contract import CENTRE, Piece, PieceCount
from referee.games.plenty_coups.actions import herd
from referee.games.plenty_coups.view import View

PIECES = (Piece("horses", 36, 24.0),)


def pieces_lying(view: View) -> tuple[PieceCount, ...]:
    """Say how many horses should lie where."""
    herds = (PieceCount("horses", herd(seat), camp.herd) for seat, camp in enumerate(view.camps))
    return (*herds, PieceCount("horses", CENTRE, view.plain, is_stock=True))
