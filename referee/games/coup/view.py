"""What a viewer may see of a match of Coup, named field by field."""

from msgspec import Struct

from referee.games.coup.deck import COUP
from referee.games.coup.state import (
    INFLUENCE,
    Block,
    BluffTally,
    DeclaredAction,
    Exchanging,
    Losing,
    Objection,
    Proving,
    State,
    Swapping,
    Turn,
    Window,
    treasury,
)


class View(Struct, frozen=True):
    """The public table. The hidden cards are not in it: the referee has never been told them."""

    coins: tuple[int, ...]
    treasury: int
    """Coins in the Treasury; with an unlimited one it may be less than nothing."""
    lost: tuple[tuple[str, ...], ...]
    court: int
    """How many cards the Court has, when no one is drawing from it."""
    turn: int | None
    deed: DeclaredAction | None
    block: Block | None
    challenger: int | None
    waiting: tuple[int, ...]
    said: tuple[Objection, ...]
    tallies: tuple[BluffTally, ...]


def view(state: State, _viewer: int | None) -> View:
    """Show a viewer the table; every seat and every spectator may see the same."""
    deed, proving = _deed(state), _proving(state)
    window = state.stage if isinstance(state.stage, Window) else None
    claim = window or proving
    return View(
        coins=state.coins,
        treasury=treasury(state),
        lost=state.lost,
        court=COUP.size - INFLUENCE * len(state.coins),
        turn=state.stage.seat if isinstance(state.stage, Turn) else deed.seat if deed else None,
        deed=deed,
        block=claim.block if claim else None,
        challenger=proving.challenger if proving else None,
        waiting=window.waiting if window else (),
        said=window.said if window else (),
        tallies=state.tallies,
    )


def _deed(state: State) -> DeclaredAction | None:
    match state.stage:
        case Window() | Proving() | Losing() | Exchanging():
            return state.stage.deed
        case Swapping():
            return state.stage.proving.deed
        case _:
            return None


def _proving(state: State) -> Proving | None:
    match state.stage:
        case Proving():
            return state.stage
        case Swapping():
            return state.stage.proving
        case _:
            return None
