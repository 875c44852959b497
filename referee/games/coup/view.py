"""What a viewer may see of a match of Coup, field by field."""

from typing import Literal

from msgspec import Struct

from referee.games.coup.actions import ACTIONS
from referee.games.coup.deck import COUP
from referee.games.coup.state import (
    INFLUENCE,
    Attack,
    Block,
    BluffTally,
    DeclaredAction,
    Exchanging,
    Losing,
    Lost,
    Objection,
    Opening,
    Over,
    Proving,
    State,
    Swapping,
    Turn,
    Window,
    claimant,
    treasury,
)

Phase = Literal[
    "opening", "turn", "declared", "proven", "blocked", "doubted", "shown", "struck", "wrong", "caught",
    "exchange", "over",
]  # fmt: skip
"""Where a turn stands; "wrong" is a doubt that was wrong, "caught" a claim that wasn't shown."""


class Claim(Struct, frozen=True):
    """The claim that it is about now: whose, of which character, and who doubts it."""

    seat: int
    face: str
    doubter: int | None = None


class Intention(Struct, frozen=True):
    """A challenge that waits for others to speak; with a character, a block."""

    seat: int
    face: str | None = None


class View(Struct, frozen=True):
    """The public table. The referee never knows the hidden cards, so they aren't in it."""

    coins: tuple[int, ...]
    treasury: int
    """Coins in the Treasury; below zero if it is unlimited."""
    lost: tuple[tuple[str, ...], ...]
    court: int
    """The number of cards in the Court while no player draws from it."""
    turn: int | None
    phase: Phase
    deed: DeclaredAction | None
    claim: Claim | None
    """The character claimed last, for the action or for a block of it."""
    waiting: tuple[int, ...]
    intentions: tuple[Intention, ...]
    tallies: tuple[BluffTally, ...]


def view(state: State, _viewer: int | None) -> View:
    """Give the view; it is the same for every seat and spectator."""
    deed = _deed(state)
    window = state.stage if isinstance(state.stage, Window) else None
    return View(
        coins=state.coins,
        treasury=treasury(state),
        lost=state.lost,
        court=COUP.size - INFLUENCE * len(state.coins),
        turn=state.stage.seat if isinstance(state.stage, Turn) else deed.seat if deed else None,
        phase=_phase(state),
        deed=deed,
        claim=_claim(state),
        waiting=window.waiting if window else (),
        intentions=tuple(map(_intention, window.said)) if window else (),
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


def _phase(state: State) -> Phase:
    match state.stage:
        case Window(block=None, is_proven=is_proven):
            return "proven" if is_proven else "declared"
        case Losing(why=Lost(is_proven=is_proven)):
            return "wrong" if is_proven else "caught"
        case _:
            return _PHASES[type(state.stage)]


_PHASES: dict[type, Phase] = {
    Opening: "opening",
    Turn: "turn",
    Window: "blocked",
    Proving: "doubted",
    Swapping: "shown",
    Losing: "struck",
    Exchanging: "exchange",
    Over: "over",
}


def _claim(state: State) -> Claim | None:
    match state.stage:
        case Window(deed=deed, block=block):
            return _claim_for(deed, block)
        case Proving() as proving:
            return _claim_in(proving)
        case Swapping(proving=proving) | Losing(why=Lost(proving=proving)):
            return _claim_in(proving)
        case Losing(deed=deed, why=Attack()) | Exchanging(deed=deed):
            return _claim_for(deed, None)
        case _:
            return None


def _claim_in(proving: Proving) -> Claim | None:
    return _claim_for(proving.deed, proving.block, proving.challenger)


def _claim_for(deed: DeclaredAction, block: Block | None, doubter: int | None = None) -> Claim | None:
    face = ACTIONS[deed.word].claim if block is None else block.face
    return None if face is None else Claim(claimant(deed, block), face, doubter)


def _intention(said: Objection) -> Intention:
    return Intention(said.seat, said.option.face)
