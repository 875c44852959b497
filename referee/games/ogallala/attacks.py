"""Attacks: a canoe that was completed may attack a weaker one, once; its booty is laid card by card."""

from collections.abc import Iterator

from msgspec.structs import replace

from referee.contract import Option, make_ruling
from referee.games.ogallala.canoes import (
    canoe_at,
    cards_aboard,
    cells_in,
    crews_of,
    is_protected,
    parts_of,
    strength,
)
from referee.games.ogallala.deck import BOOTY
from referee.games.ogallala.placing import has_place
from referee.games.ogallala.state import (
    Drawing,
    Rulings,
    State,
    others_canoes,
    own_territory,
    with_aside,
    with_cells_cleared,
    with_discarded,
)
from referee.games.ogallala.territory import Canoe


def attacker(state: State) -> Canoe:
    """Give the canoe that may attack next."""
    return canoe_at(own_territory(state), state.turn.due[0])


def _targets(state: State) -> Iterator[tuple[int, Canoe]]:
    """List the canoes that are weaker, and that no Guardian protects."""
    own = attacker(state)
    crews = crews_of(own.cards) if state.house.two_crews else frozenset()
    for seat, canoe in others_canoes(state):
        if not is_protected(canoe) and not crews & crews_of(canoe.cards):
            for part in parts_of(canoe) if state.house.gap == "two_targets" else (canoe,):
                if strength(part) < strength(own):
                    yield seat, part


def attack_options(state: State) -> Iterator[Option]:
    """List the canoes that may be attacked, as options."""
    for seat, canoe in _targets(state):
        yield Option("attack", seat, canoe.cards[0], canoe.cell)


def attack_canoe(state: State, option: Option) -> tuple[State, Rulings]:
    """Attack a canoe: its booty is captured; its paddlers, bow and stern are discarded."""
    target, canoe = next(
        each for each in _targets(state) if (each[0], each[1].cell) == (option.seat, option.cell)
    )
    seat, own = state.turn.seat, strength(attacker(state))
    booty = tuple(card for card in cards_aboard(canoe) if card in BOOTY)
    crew = tuple(card for card in cards_aboard(canoe) if card not in BOOTY)
    rule = "attack one-attack strength"
    if "" in canoe.cards or state.house.gap == "two_targets":
        rule = f"{rule} gap-attacked"
    rule = f"{rule} other-crew" if state.house.two_crews else rule
    told: Rulings = (
        make_ruling("attacks", rule=rule, seat=seat, target=target, own=own, strength=strength(canoe)),
    )
    if booty:
        told = (*told, make_ruling("captures", rule="captured", seat=seat, target=target, cards=booty))
    if crew:
        told = (*told, make_ruling("crew-lost", rule="captured discard-order", seat=target, cards=crew))
    state = with_attack_over(with_discarded(with_cells_cleared(state, target, cells_in(canoe)), *crew))
    return replace(state, turn=replace(state.turn, booty=booty)), told


def with_attack_over(state: State) -> State:
    """End the canoe's attack."""
    return replace(state, turn=replace(state.turn, due=state.turn.due[1:]), stage=Drawing())


def placeable_booty(state: State) -> tuple[str, ...]:
    """List the captured cards that find a place."""
    territory = own_territory(state)
    return tuple(card for card in dict.fromkeys(state.turn.booty) if has_place(state.house, territory, card))


def put_booty_away(state: State) -> tuple[State, Rulings]:
    """Discard captured cards without a place, or by house rule keep them aside."""
    seat, cards = state.turn.seat, state.turn.booty
    state = replace(state, turn=replace(state.turn, booty=()))
    if state.house.unplaced_booty == "keep_aside":
        state = with_aside(state, seat, state.aside[seat] + cards)
        return state, (make_ruling("aside", rule="booty-unplaced", seat=seat, cards=cards),)
    return with_discarded(state, *cards), (
        make_ruling("unplaced", rule="booty-unplaced", seat=seat, cards=cards),
    )
