"""What all may know: what it takes to repel a raid, which weapons are unseen, what begins too late."""

from collections.abc import Iterator

from referee.contract import Ruling, make_ruling
from referee.games.plenty_coups.actions import possible_options
from referee.games.plenty_coups.cards import most_held
from referee.games.plenty_coups.deck import VALUE, WEAPONS
from referee.games.plenty_coups.raids import strength
from referee.games.plenty_coups.state import ROUNDS, Acting, State, Turn, has_turn_left, holder, raid_on


def insight(state: State) -> tuple[Ruling, ...]:
    """Say what the clan in turn needs against a raid, and in the last round what it begins too late."""
    if not isinstance(state.stage, Acting):
        return ()
    turn = state.stage.turn
    late = tuple(_too_late(state, turn)) if state.round == ROUNDS else ()
    return (*_defence(state, turn.seat), *late)


def _too_late(state: State, turn: Turn) -> Iterator[Ruling]:
    """Say that a raid wouldn't come home before the end, and which clans can't accept a proposal any more."""
    options = possible_options(state, turn)
    if any(option.word == "raid" for option in options):
        yield make_ruling("late-raid", "what-is-too-late", seat=turn.seat)
    aims = (option.seat for option in options if option.word == "propose" and option.seat is not None)
    targets = tuple(seat for seat in aims if not has_turn_left(state, turn.seat, seat))
    if targets:
        yield make_ruling(
            "late-proposal", "what-is-too-late", seat=turn.seat, targets=targets, count=len(targets)
        )


def _defence(state: State, seat: int) -> tuple[Ruling, ...]:
    """Say what it takes to repel the raid on a camp, and what is certain of that hand."""
    raid = raid_on(state, seat)
    if raid is None:
        return ()
    needed, most = strength(state, raid), most_held(state, seat)
    known = state.clans[holder(state, seat)].known
    if any(card in known and VALUE[card] >= needed for card in WEAPONS):
        return (make_ruling("can-repel", "what-repels", seat=seat, needed=needed),)
    count = sum(most[card] for card in WEAPONS if VALUE[card] >= needed)
    return (make_ruling("may-repel", "what-repels", seat=seat, needed=needed, count=count),)
