"""Why a card can't lie in a place, or a canoe or a card can't be aimed at."""

from referee.contract import Option, Refusal
from referee.games.ogallala.attacks import attacker
from referee.games.ogallala.canoes import canoe_at, crews_of, is_complete, is_protected, strength
from referee.games.ogallala.deck import CREW
from referee.games.ogallala.placing import card_fits_ends
from referee.games.ogallala.state import Attacking, Drawing, Placing, Roping, Shooting, Sinking, State
from referee.games.ogallala.state import open_card as open_cards
from referee.games.ogallala.territory import (
    HIGHEST,
    PUSHES,
    WIDEST,
    Canoe,
    Cell,
    card_at,
    cells_of,
    free_cells,
    room,
)
from referee.kit.refusing import unmet


def why_not(state: State, _seat: int | None, option: Option) -> Refusal | None:
    """Say which condition an option fails."""
    match state.stage:
        case Placing() as stage:
            return _place_refusal(state, stage, option)
        case Roping() | Shooting() | Sinking() | Attacking():
            return _target_refusal(state, option)
        case Drawing():
            return _draw_refusal(state, option)
        case _:
            return None


def _draw_refusal(state: State, option: Option) -> Refusal | None:
    if option.word == "take":
        cards = tuple(open_cards(state))
        return unmet("not-open", cards=cards) if cards else unmet("no-open-card")
    if option.word == "stop" and state.house.voluntary_stop:
        return unmet("draw-first")
    return None


def _place_refusal(state: State, stage: Placing, option: Option) -> Refusal | None:
    """Say why a card can't lie on a cell, or can't be discarded."""
    if option.word == "discard":
        return unmet("must-lie", card=stage.card)
    if option.cell is None:
        return None
    if option.word in PUSHES:
        return unmet("no-push", card=stage.card)
    return _cell_refusal(state, stage.card, option.cell)


def _cell_refusal(state: State, card: str, cell: Cell) -> Refusal | None:
    territory = state.territories[state.turn.seat]
    there = card_at(territory, cell)
    columns, rows = (
        room(territory) if territory.rows else (range(cell[0], cell[0] + 1), range(cell[1], cell[1] + 1))
    )
    if there:
        return unmet("cell-taken", card=there)
    if cell[0] not in columns:
        return unmet("too-wide", most=WIDEST)
    if cell[1] not in rows:
        return unmet("too-high", most=HIGHEST)
    if cell not in free_cells(territory):
        return unmet("apart")
    return (
        unmet("no-end", card=card) if not card_fits_ends(territory, cell, card) else unmet("twice", card=card)
    )


def _target_refusal(state: State, option: Option) -> Refusal | None:
    """Say why a card or a canoe can't be aimed at; of a player who isn't there, nothing is to be said."""
    if option.cell is None or option.seat not in (None, *range(len(state.territories))):
        return None
    owner = state.turn.seat if option.word == "sink" or option.seat is None else option.seat
    if owner == state.turn.seat and option.word != "sink":
        return unmet("not-yourself")
    if option.cell not in cells_of(state.territories[owner]):
        return unmet("no-card-there")
    canoe = canoe_at(state.territories[owner], option.cell)
    return _canoe_refusal(state, option, canoe)


def _canoe_refusal(state: State, option: Option, canoe: Canoe) -> Refusal | None:
    card = card_at(
        state.territories[option.seat if option.seat is not None else state.turn.seat], option.cell or (0, 0)
    )
    match state.stage:
        case Sinking():
            return None if is_complete(canoe) else unmet("not-complete")
        case Attacking():
            return _attack_refusal(state, canoe)
        case _ if is_complete(canoe):
            return unmet("is-complete")
        case Shooting() if is_protected(canoe):
            return unmet("guarded")
        case Shooting():
            return None if card in CREW else unmet("no-paddler", card=card)
        case _:
            return unmet("no-place", card=card)


def _attack_refusal(state: State, canoe: Canoe) -> Refusal | None:
    own = attacker(state)
    if is_protected(canoe):
        return unmet("guarded")
    if state.house.two_crews and crews_of(own.cards) & crews_of(canoe.cards):
        return unmet("same-crew")
    return (
        unmet("too-strong", own=strength(own), strength=strength(canoe))
        if strength(canoe) >= strength(own)
        else None
    )
