"""What all may know before a card is drawn: how many of the hidden cards end the turn, and how."""

from referee.contract import Ruling, make_ruling
from referee.games.ogallala.rules import ends_turn
from referee.games.ogallala.state import Drawing, State, hidden_cards


def insight(state: State) -> tuple[Ruling, ...]:
    """Count the hidden cards, and among them those that are the last of the turn if they are drawn next."""
    if not isinstance(state.stage, Drawing):
        return ()
    left, last = 0, 0
    for card, count in hidden_cards(state).items():
        left += count
        last += count if count and ends_turn(state, card) else 0
    if not left:
        return ()
    return (make_ruling("odds", rule="odds", seat=state.turn.seat, left=left, last=last),)
