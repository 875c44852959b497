"""What a viewer may see of a round of Coyote, named field by field."""

from msgspec import Struct

from referee.games.coyote.state import Bid, Bidding, Guessing, Revealing, State, Turning


class View(Struct, frozen=True):
    """The public table. The foreheads are not in it: the referee has never been told them."""

    edition: str
    round: int
    clockwise: bool
    marks: tuple[int, ...]
    limit: int
    turn: int | None
    bids: tuple[Bid, ...]
    opened: tuple[str, ...]
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
        turn=bidding.turn if isinstance(state.stage, Bidding) else None,
        bids=bidding.bids,
        opened=bidding.opened,
        retired=bidding.retired,
        discard=state.discard,
    )


def _bidding(state: State) -> Bidding:
    match state.stage:
        case Bidding():
            return state.stage
        case Turning() | Guessing() | Revealing():
            return state.stage.bidding
        case _:
            return Bidding(turn=0)
