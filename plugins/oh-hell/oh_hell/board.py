"""The public display: the situation in one sentence, and the board."""

from oh_hell.rules import State, bid_of, bidder, outcome, size, trick_of, turn_of
from referee.contract import Board, CardRow, Count, Face, Situation, Weight, make_fact, make_situation
from referee.kit.french_cards import SUIT

EXCUSED = {
    "points": "the standings show them",
    "denials": "revokes are reported",
    "house": "house rules are shown elsewhere",
}


def situation(state: State) -> Situation | None:
    if outcome(state) is not None:
        return None
    if not state.trump:
        return make_situation("dealt", count=size(state))
    if len(state.bids) < len(state.points):
        return make_situation("bidding", seat=bidder(state), trump=SUIT[state.trump], count=size(state))
    trick = trick_of(state)
    if not trick:
        return make_situation("leads", seat=state.leader)
    return make_situation("to-follow", seat=state.leader, suit=SUIT[trick[0]])


def board(state: State) -> Board:
    """Show the trick, the trumps, and each player's tricks and bid."""
    is_over, is_bidding = outcome(state) is not None, len(state.bids) < len(state.points)
    trick = () if is_over else trick_of(state)
    turn = None if is_over or not state.trump else bidder(state) if is_bidding else turn_of(state)
    rows = (("trick", trick, Weight.KEY), ("trump", (state.trump,) if state.trump else (), Weight.MAIN))
    suit = (make_fact("suit", suit=Face(SUIT[trick[0]])),) if trick else ()
    bids = (
        make_fact("bid", seat=seat, won=Count(won), bid=Count(bid))
        for seat, won in enumerate(state.won)
        if (bid := bid_of(state, seat)) is not None
    )
    return Board((*suit, *bids), tuple(CardRow(*row) for row in rows if row[1]), turn)
