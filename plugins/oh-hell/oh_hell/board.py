"""What everybody may see: the view, what it is about in one sentence, and the board."""

from msgspec import Struct

from oh_hell.rules import State, bid_of, bidder, outcome, size, trick_of, turn_of
from referee.contract import Board, CardRow, Count, Face, Situation, Weight, make_fact, make_situation
from referee.kit.french_cards import SUIT

EXCUSED = {"points": "the standings show them"}


class View(Struct, frozen=True):
    """The public table."""

    points: tuple[int, ...]
    size: int
    trump: str
    bids: tuple[int | None, ...]
    """What each seat has bid."""
    won: tuple[int, ...]
    trick: tuple[str, ...]
    leader: int
    turn: int | None
    is_over: bool


def view(state: State, _viewer: int | None) -> View:
    """Show the table; the referee knows no hand, so all may see the same."""
    bids = tuple(bid_of(state, seat) for seat in range(len(state.points)))
    is_over = outcome(state) is not None
    turn = None if is_over or not state.trump else bidder(state) if None in bids else turn_of(state)
    trick = () if is_over else trick_of(state)
    return View(state.points, size(state), state.trump, bids, state.won, trick, state.leader, turn, is_over)


def situation(view: View) -> Situation | None:
    """Say what is turned up, who bids, or what is to be followed."""
    if view.is_over:
        return None
    if not view.trump:
        return make_situation("dealt", count=view.size)
    if None in view.bids:
        return make_situation("bidding", seat=view.turn, trump=SUIT[view.trump], count=view.size)
    if not view.trick:
        return make_situation("leads", seat=view.leader)
    return make_situation("to-follow", seat=view.leader, suit=SUIT[view.trick[0]])


def board(view: View) -> Board:
    """Show the trick, the trumps, and how each stands to its bid."""
    rows = (("trick", view.trick, Weight.KEY), ("trump", (view.trump,) if view.trump else (), Weight.MAIN))
    suit = (make_fact("suit", suit=Face(SUIT[view.trick[0]])),) if view.trick else ()
    bids = (
        make_fact("bid", seat=seat, won=Count(view.won[seat]), bid=Count(bid))
        for seat, bid in enumerate(view.bids)
        if bid is not None
    )
    return Board((*suit, *bids), tuple(CardRow(*row) for row in rows if row[1]), view.turn)
