"""What all may know: what it takes to repel a raid, and how many such weapons are unseen."""

from referee.contract import Ruling, make_ruling
from referee.games.plenty_coups.cards import most_held
from referee.games.plenty_coups.deck import VALUE, WEAPONS
from referee.games.plenty_coups.raids import strength
from referee.games.plenty_coups.state import Acting, State, holder, raid_on


def insight(state: State) -> tuple[Ruling, ...]:
    """Say what the clan in turn needs against the raid on its camp, and what is certain of its hand."""
    stage = state.stage
    if not isinstance(stage, Acting) or (raid := raid_on(state, stage.turn.seat)) is None:
        return ()
    seat = stage.turn.seat
    needed, most = strength(state, raid), most_held(state, seat)
    known = state.clans[holder(state, seat)].known
    if any(card in known and VALUE[card] >= needed for card in WEAPONS):
        return (make_ruling("can-repel", seat=seat, needed=needed),)
    count = sum(most[card] for card in WEAPONS if VALUE[card] >= needed)
    return (make_ruling("may-repel", seat=seat, needed=needed, count=count),)
