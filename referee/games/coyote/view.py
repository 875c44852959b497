"""What a viewer may see of a match of Coyote, field by field."""

from typing import Literal

from msgspec import Struct

from referee.games.coyote.state import (
    Bid,
    Bidding,
    Closed,
    Duel,
    Guessing,
    Leaving,
    Revealing,
    State,
    Turning,
    Verdict,
    next_seat,
)


class Turned(Struct, frozen=True, tag=True):
    """A card is turned up in front of a seat."""

    seat: int


class Guess(Struct, frozen=True, tag=True):
    """A guess: the seat and the card that it named."""

    seat: int
    face: str


class Leave(Struct, frozen=True, tag=True):
    """A seat that guessed its card right may leave the round."""

    seat: int


Now = Turned | Guess | Leave | Duel | Closed | Literal["bidding"] | None


class View(Struct, frozen=True):
    """The public table. The referee never knows the foreheads, so they aren't in it."""

    edition: str
    round: int
    clockwise: bool
    marks: tuple[int, ...]
    limit: int
    now: Now
    """What goes on: bids, cards turned up, guessed or revealed; None before the first round."""
    turn: int | None
    next: int | None
    """Who comes after it."""
    bids: tuple[Bid, ...]
    to_show: int
    """How many cards are still to be laid in the middle for a reveal."""
    refuser: int | None
    """The seat that demanded a restart, and gets the turn after the new number."""
    refused: int | None
    counted: Verdict | None
    """The verdict of the last duel, until the next bid."""
    opened: tuple[str, ...]
    extras: tuple[int, ...]
    """Seats that wear a second card."""
    retired: tuple[int, ...]
    discard: tuple[str, ...]


def view(state: State, _viewer: int | None) -> View:
    """Give the view; it is the same for every seat and spectator."""
    bidding = _bidding(state)
    return View(
        edition=state.house.edition,
        round=state.round,
        clockwise=state.way == 1,
        marks=state.marks,
        limit=state.house.limit,
        now=_now(state),
        turn=bidding.turn if isinstance(state.stage, Bidding) else None,
        next=next_seat(state, bidding.turn, bidding.retired) if isinstance(state.stage, Bidding) else None,
        bids=bidding.bids,
        to_show=_cards_to_show(state),
        refuser=bidding.caller,
        refused=bidding.refused,
        counted=state.told.verdict if state.told is not None and not bidding.bids else None,
        opened=bidding.opened,
        extras=bidding.extras,
        retired=bidding.retired,
        discard=state.discard,
    )


def _cards_to_show(state: State) -> int:
    """Count the cards that a reveal still waits for; what follows once they lie there is asked by itself."""
    stage = state.stage
    return stage.count if isinstance(stage, Revealing) and not stage.shown else 0


def _now(state: State) -> Now:
    """Describe what goes on; guesses and contests are said aloud, so they are public."""
    match state.stage:
        case Bidding():
            return "bidding"
        case Turning(seat=seat):
            return Turned(seat)
        case Guessing(seat=seat, face=face):
            return Guess(seat, face)
        case Leaving(seat=seat):
            return Leave(seat)
        case Revealing(end=end):
            return end
        case _:
            return None


def _bidding(state: State) -> Bidding:
    match state.stage:
        case Bidding():
            return state.stage
        case Turning() | Guessing() | Leaving() | Revealing():
            return state.stage.bidding
        case _:
            return Bidding(turn=0)
