"""What a viewer may see of a round of Coyote, named field by field."""

from typing import Literal

from msgspec import Struct

from referee.games.coyote.state import (
    Bid,
    Bidding,
    Closed,
    Duel,
    Guessing,
    Revealing,
    State,
    Turning,
    Verdict,
)


class Turned(Struct, frozen=True, tag=True):
    """A card is turned up before a seat."""

    seat: int


class Guess(Struct, frozen=True, tag=True):
    """A seat has said which card it wears."""

    seat: int
    face: str


Now = Turned | Guess | Duel | Closed | Literal["bidding"] | None


class View(Struct, frozen=True):
    """The public table. The foreheads are not in it: the referee has never been told them."""

    edition: str
    round: int
    clockwise: bool
    marks: tuple[int, ...]
    limit: int
    now: Now
    """What goes on: numbers are said, cards are turned up, guessed or revealed; None before the first round."""
    turn: int | None
    bids: tuple[Bid, ...]
    refuser: int | None
    """Who refuses a number, and gets the turn after another one."""
    refused: int | None
    counted: Verdict | None
    """What the last duel came to, until a number is said."""
    opened: tuple[str, ...]
    extras: tuple[int, ...]
    """Seats that wear a second card."""
    retired: tuple[int, ...]
    discard: tuple[str, ...]


def view(state: State, _viewer: int | None) -> View:
    """Show a viewer the table; every seat and every spectator may see the same."""
    bidding = _bidding(state)
    return View(
        edition=state.house.edition,
        round=state.round,
        clockwise=state.way == 1,
        marks=state.marks,
        limit=state.house.limit,
        now=_now(state),
        turn=bidding.turn if isinstance(state.stage, Bidding) else None,
        bids=bidding.bids,
        refuser=bidding.caller,
        refused=bidding.refused,
        counted=state.told.verdict if state.told is not None and not bidding.bids else None,
        opened=bidding.opened,
        extras=bidding.extras,
        retired=bidding.retired,
        discard=state.discard,
    )


def _now(state: State) -> Now:
    """Tell what goes on; what a guess named, and what a duel is about, was said aloud."""
    match state.stage:
        case Bidding():
            return "bidding"
        case Turning(seat=seat):
            return Turned(seat)
        case Guessing(seat=seat, face=face):
            return Guess(seat, face)
        case Revealing(end=end):
            return end
        case _:
            return None


def _bidding(state: State) -> Bidding:
    match state.stage:
        case Bidding():
            return state.stage
        case Turning() | Guessing() | Revealing():
            return state.stage.bidding
        case _:
            return Bidding(turn=0)
