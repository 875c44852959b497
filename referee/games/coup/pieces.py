"""The coins of Coup: each player's lie before their seat, the Treasury in the middle or beside the table."""

from referee.contract import CENTRE, Piece, PieceCount, before_seat
from referee.games.coup.house import COINS
from referee.games.coup.view import View

PIECES = (Piece("coins", COINS, 24.0),)


def pieces_lying(view: View) -> tuple[PieceCount, ...]:
    """Say how many coins should lie where."""
    purses = (PieceCount("coins", before_seat(seat), coins) for seat, coins in enumerate(view.coins))
    # a Treasury that pays more than it has is filled up from elsewhere
    stock = () if view.treasury < 0 else (PieceCount("coins", CENTRE, view.treasury, is_stock=True),)
    return (*purses, *stock)
