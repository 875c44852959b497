"""What a viewer may see of a match of Ogallala, named field by field."""

from typing import Literal

from msgspec import Struct

from referee.games.ogallala.canoes import canoes_in, complete_in, is_complete, is_protected, strength
from referee.games.ogallala.final_count import to_count
from referee.games.ogallala.house import House
from referee.games.ogallala.score import points_of, score
from referee.games.ogallala.state import (
    Attacking,
    Counting,
    Drawing,
    Ending,
    EndReason,
    Opening,
    Over,
    Placing,
    Roping,
    Sharing,
    Shooting,
    Sinking,
    Sourcing,
    State,
    canoes_held,
    middle_card,
    open_card,
    pile_size,
)
from referee.games.ogallala.territory import Canoe, Cell, Row, Territory


class SeenCanoe(Struct, frozen=True):
    """A canoe, and what can be read off it."""

    cell: Cell
    cards: Row
    is_complete: bool
    is_protected: bool
    strength: int
    points: int
    """What it brings in the end; nothing while it isn't complete."""


class SeenTerritory(Struct, frozen=True):
    """A player's cards as they lie: the first cell of the first row, the rows, the canoes in them."""

    left: int
    top: int
    rows: tuple[Row, ...]
    canoes: tuple[SeenCanoe, ...]
    points: int
    aside: tuple[str, ...]


class CountedCanoe(Struct, frozen=True):
    """The canoe that is counted next: whose it is, which of how many, and its cards."""

    seat: int
    number: int
    canoes: int
    cards: Row


StageName = Literal[
    "opening",
    "drawing",
    "sourcing",
    "drawn",
    "roped",
    "booty",
    "aside",
    "roping",
    "shooting",
    "sinking",
    "attacking",
    "sharing",
    "ending",
    "counting",
    "over",
]
"""What is being done; a card that is to be laid is named by where it comes from."""

STAGES: dict[type, StageName] = {
    Opening: "opening",
    Drawing: "drawing",
    Sourcing: "sourcing",
    Roping: "roping",
    Shooting: "shooting",
    Sinking: "sinking",
    Attacking: "attacking",
    Sharing: "sharing",
    Ending: "ending",
    Counting: "counting",
    Over: "over",
}


class View(Struct, frozen=True):
    """The public table: only the piles are hidden."""

    stage: StageName
    territories: tuple[SeenTerritory, ...]
    pile: int
    """How many cards lie face down."""
    discard: tuple[str, ...]
    """The open pile, its top card last."""
    open_card: str
    """The top card of the open pile, where it may be taken."""
    turn: int | None
    drawn: int
    """How many cards have been drawn in this turn."""
    is_last: bool
    """Nothing more is drawn in this turn."""
    card: str
    """The card in the middle that has no place yet."""
    booty: tuple[str, ...]
    attacker: Cell | None
    """The first cell of the canoe that may attack next."""
    held: tuple[int, ...]
    """How many canoes of each player count for the end."""
    counted: int | None
    """How many canoes have been counted at the end."""
    to_count: int
    """How many canoes there are to count."""
    next_count: CountedCanoe | None
    reason: EndReason | None
    """Why the match is over."""
    ender: int | None
    """Whose turn was the last one."""


def view(state: State, _viewer: int | None) -> View:
    """Show a viewer the table; every seat and every spectator may see the same."""
    stage, turn = state.stage, state.turn
    everybody = range(len(state.territories))
    is_over = isinstance(stage, Counting | Over)
    return View(
        stage=stage.why if isinstance(stage, Placing) else STAGES[type(stage)],
        territories=tuple(
            _seen_territory(state.house, territory, aside)
            for territory, aside in zip(state.territories, state.aside, strict=True)
        ),
        pile=pile_size(state),
        discard=state.discard,
        open_card="".join(open_card(state)),
        turn=None if is_over or isinstance(stage, Opening) else turn.seat,
        drawn=turn.drawn,
        is_last=turn.is_last,
        card="".join(middle_card(stage)),
        booty=turn.booty,
        attacker=turn.due[0] if turn.due else None,
        held=tuple(canoes_held(state, seat) for seat in everybody),
        counted=stage.counted if isinstance(stage, Counting) else None,
        to_count=len(to_count(state)),
        next_count=_counted_canoe(state),
        reason=stage.reason if isinstance(stage, Counting | Over) else None,
        ender=turn.seat if is_over else None,
    )


def _counted_canoe(state: State) -> CountedCanoe | None:
    if not isinstance(state.stage, Counting):
        return None
    seat, canoe = to_count(state)[state.stage.counted]
    own = complete_in(state.territories[seat])
    return CountedCanoe(seat, own.index(canoe) + 1, len(own), canoe.cards)


def _seen_territory(house: House, territory: Territory, aside: tuple[str, ...]) -> SeenTerritory:
    return SeenTerritory(
        left=territory.left,
        top=territory.top,
        rows=territory.rows,
        canoes=tuple(_seen_canoe(house, canoe) for canoe in canoes_in(territory)),
        points=score(house, territory),
        aside=aside,
    )


def _seen_canoe(house: House, canoe: Canoe) -> SeenCanoe:
    whole = is_complete(canoe)
    points = points_of(house, canoe) if whole else 0
    return SeenCanoe(canoe.cell, canoe.cards, whole, is_protected(canoe), strength(canoe), points)
