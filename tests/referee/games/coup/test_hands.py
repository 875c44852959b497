"""What hands do when they have heard a ruling: the referee tells of hidden cards, and never which they are."""

import pytest

from referee.contract import PILE, PROOF, Move, Ruling, before_seat, make_ruling
from referee.games.coup import COUP
from referee.games.coup.hands import hand
from tests.referee.games.coup.script import sit_down

STATE = sit_down(3).state

HEARD = [
    (make_ruling("dealt", coins=2), tuple(Move(PILE, hand(seat), 2) for seat in range(3))),
    (make_ruling("proved", seat=1, card="duke"), (Move(hand(1), PROOF, 1, faces=("duke",)),)),
    (
        make_ruling("swaps", seat=1, card="duke"),
        (Move(PROOF, PILE, 1, shuffled=True, faces=("duke",)), Move(PILE, hand(1), 1)),
    ),
    (make_ruling("keeps", seat=1, card="duke"), (Move(PROOF, hand(1), 1, shuffled=True, faces=("duke",)),)),
    (make_ruling("loses", seat=2, card="duke"), (Move(hand(2), before_seat(2), 1, faces=("duke",)),)),
    (make_ruling("draws", seat=0), (Move(PILE, hand(0), 2, shuffled=True),)),
    (make_ruling("returns", seat=0), (Move(hand(0), PILE, 2, shuffled=True),)),
    (make_ruling("blocks", seat=0, face="duke"), ()),
]


@pytest.mark.parametrize(("ruling", "moves"), HEARD, ids=[ruling.key for ruling, _moves in HEARD])
def test_hands(ruling: Ruling, moves: tuple[Move, ...]) -> None:
    assert COUP.moves(STATE, ruling) == moves
