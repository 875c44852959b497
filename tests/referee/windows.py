"""A tiny game with a window: three seats may object or pass, and a clock that passes for them."""

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import (
    Answer,
    Ask,
    Choice,
    Deadline,
    Done,
    Game,
    Option,
    Outcome,
    Refusal,
    Standing,
    Transition,
    make_ruling,
)
from referee.contract.cards import Deck
from referee.contract.words import Words, phrase

PASS = Option("pass")
OBJECT = Option("object")


class House(Struct, frozen=True):
    """Nothing to agree on."""


class State(Struct, frozen=True):
    """Who may still react to which claim."""

    waiting: tuple[int, ...] = (1, 2, 3)
    claim: int = 1
    over: bool = False


def _start(_seats: tuple[int, ...], _house: House, _after: Outcome | None) -> Transition | Refusal:
    return Transition(State(), ())


def _asks(state: State) -> tuple[Ask, ...]:
    if state.over:
        return ()
    deadline = Deadline(8.0, PASS)
    return (
        Choice("react", state.waiting, (OBJECT, PASS), window=state.claim, deadline=deadline),
        Done("give-up", (0,)),
    )


def _hear(state: State, answer: Answer) -> Transition:
    """Close the window when a seat objects or all have passed; then there is a new claim."""
    if answer.ask == "give-up":
        return Transition(replace(state, over=True), (make_ruling("over"),))
    waiting = tuple(seat for seat in state.waiting if seat != answer.seat)
    if answer.value == OBJECT or not waiting:
        return Transition(State(claim=state.claim + 1), (make_ruling("closed", seat=answer.seat),))
    return Transition(replace(state, waiting=waiting), (make_ruling("passed", seat=answer.seat),))


WINDOWS = Game(
    name="windows",
    words=Words(
        title=phrase("Windows"),
        editions={},
        rulings={},
        asks={},
        options={},
        faces={},
        counts={},
        house={},
        refusals={},
    ),
    house=House,
    settings={"plain": House()},
    state=State,
    seats=lambda _house: range(4, 5),
    start=_start,
    asks=_asks,
    hear=_hear,
    standings=lambda _state: tuple(Standing(seat, 1, {}) for seat in range(4)),
    outcome=lambda state: Outcome("given up", (1, 2, 3)) if state.over else None,
    view=lambda state, _viewer: state,
    insight=lambda _state: (),
    deck=lambda _house: Deck("none", {}),
    moves=lambda _state, _ruling: (),
    sources=lambda _state, _ask: (),
)
