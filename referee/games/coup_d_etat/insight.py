"""What all may know after a trick: which seats lack which suits."""

from referee.contract import Ruling, make_ruling
from referee.games.coup_d_etat.deck import SUITS
from referee.games.coup_d_etat.state import Playing, State


def insight(state: State) -> tuple[Ruling, ...]:
    """List the suits that seats denied in the trick just played."""
    stage = state.stage
    if not isinstance(stage, Playing) or stage.cards:
        return ()
    shown = [(seat, voids_of(stage, seat, len(stage.tricks))) for seat in range(len(state.money))]
    return tuple(make_ruling("voids", seat=seat, suits=suits) for seat, suits in shown if suits)


def voids_of(playing: Playing, seat: int, trick: int | None = None) -> tuple[str, ...]:
    """List the suits that a seat has denied, in one trick or in all, in the deck's order."""
    denied = {
        denial.suit for denial in playing.denials if denial.seat == seat and trick in {None, denial.trick}
    }
    return tuple(suit for suit in SUITS if suit in denied)
