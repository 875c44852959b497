"""The special cards: what the Lasso may take, what the Archer may shoot, what the Saboteur sinks."""

from collections.abc import Iterator, Mapping

from referee.contract import Option, make_ruling
from referee.games.ogallala.canoes import (
    cards_aboard,
    cells_aboard,
    cells_in,
    complete_in,
    is_complete,
    is_protected,
)
from referee.games.ogallala.deck import CREW
from referee.games.ogallala.placing import has_place
from referee.games.ogallala.state import (
    Rulings,
    State,
    others_canoes,
    own_territory,
    with_cells_cleared,
    with_discarded,
)
from referee.games.ogallala.territory import Canoe

EFFECTS: Mapping[str, str] = {"lasso": "is-lasso", "archer": "is-archer", "saboteur": "is-saboteur"}
"""The special cards, and the rulings that say what they do."""


def rope_options(state: State) -> Iterator[Option]:
    """List the cards of incomplete canoes that can be laid in the own territory: the Guardian is no help."""
    fits: dict[str, bool] = {}
    for seat, canoe in others_canoes(state):
        if not is_complete(canoe):
            for cell, card in cells_aboard(canoe):
                if card not in fits:
                    fits[card] = _may_be_roped(state, card)
                if fits[card]:
                    yield Option("rope", seat=seat, face=card, cell=cell)


def _may_be_roped(state: State, card: str) -> bool:
    return state.house.lasso_unplaced == "discard" or has_place(state.house, own_territory(state), card)


def shoot_options(state: State) -> Iterator[Option]:
    """List the paddlers of incomplete canoes that no Guardian protects."""
    for seat, canoe in others_canoes(state):
        if not is_complete(canoe) and not is_protected(canoe):
            for cell, card in cells_aboard(canoe):
                if card in CREW:
                    yield Option("shoot", seat=seat, face=card, cell=cell)


def sink_options(state: State) -> Iterator[Option]:
    """List the own complete canoes."""
    for canoe in complete_in(own_territory(state)):
        yield Option("sink", face=canoe.cards[0], cell=canoe.cell)


def sink_canoe(state: State, canoe: Canoe) -> tuple[State, Rulings]:
    """Discard a complete canoe of the player in turn."""
    seat, cards = state.turn.seat, cards_aboard(canoe)
    state = with_discarded(with_cells_cleared(state, seat, cells_in(canoe)), *cards)
    return state, (make_ruling("sinks", rule="saboteur discard-order", seat=seat, cards=cards),)
