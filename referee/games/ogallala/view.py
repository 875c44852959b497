"""What a viewer may see of a match of Ogallala, named field by field."""

from msgspec import Struct

from referee.games.ogallala.canoes import canoes_in, is_complete, is_protected, strength
from referee.games.ogallala.house import House
from referee.games.ogallala.score import points_of, score
from referee.games.ogallala.state import (
    Counting,
    Opening,
    Over,
    State,
    canoes_held,
    middle_card,
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


class View(Struct, frozen=True):
    """The public table: only the piles are hidden."""

    territories: tuple[SeenTerritory, ...]
    pile: int
    """How many cards lie face down."""
    discard: tuple[str, ...]
    """The open pile, its top card last."""
    turn: int | None
    drawn: int
    """How many cards have been drawn in this turn."""
    card: str
    """The card in the middle that has no place yet."""
    booty: tuple[str, ...]
    attacker: Cell | None
    """The first cell of the canoe that may attack next."""
    held: tuple[int, ...]
    """How many canoes of each player count for the end."""
    counted: int | None
    """How many canoes have been counted at the end."""


def view(state: State, _viewer: int | None) -> View:
    """Show a viewer the table; every seat and every spectator may see the same."""
    stage, turn = state.stage, state.turn
    everybody = range(len(state.territories))
    return View(
        territories=tuple(
            _seen_territory(state.house, territory, aside)
            for territory, aside in zip(state.territories, state.aside, strict=True)
        ),
        pile=pile_size(state),
        discard=state.discard,
        turn=None if isinstance(stage, Opening | Counting | Over) else turn.seat,
        drawn=turn.drawn,
        card="".join(middle_card(stage)),
        booty=turn.booty,
        attacker=turn.due[0] if turn.due else None,
        held=tuple(canoes_held(state, seat) for seat in everybody),
        counted=stage.counted if isinstance(stage, Counting) else None,
    )


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
