"""What is aimed at: cards that the Lasso and the Archer find, canoes that are sunk or attacked; and why not."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from referee.contract import Option, Refusal, make_ruling
from referee.games.ogallala.deck import BOOTY, CREW
from referee.games.ogallala.placing import has_place
from referee.games.ogallala.state import (
    Attacking,
    Drawing,
    Roping,
    Rulings,
    Shooting,
    Sinking,
    State,
    clockwise,
    own_territory,
    ruled,
    with_cells_cleared,
    with_discarded,
)
from referee.games.ogallala.territory import (
    Canoe,
    canoe_at,
    canoes_in,
    card_at,
    cards_aboard,
    cells_aboard,
    cells_in,
    crews_of,
    is_complete,
    is_protected,
    parts_of,
    strength,
)
from referee.kit.answers import seat_aimed_at
from referee.kit.refusing import unmet

Aiming = Roping | Shooting | Sinking | Attacking
AIMS: Mapping[type, tuple[str, str]] = {
    Roping: ("lasso", "rope"),
    Shooting: ("archer", "shoot"),
    Sinking: ("saboteur", "sink"),
    Attacking: ("attack", "attack"),
}
"""What is asked at each stage, and the word of its options."""


class Target(NamedTuple):
    """A canoe, or by house rule a side of its gap, and whose it is: none, where it is one's own."""

    seat: int | None
    canoe: Canoe
    part: Canoe


def attacker(state: State) -> Canoe:
    """Give the canoe that may attack next."""
    return canoe_at(own_territory(state), state.turn.due[0])


def _targets(state: State, stage: Aiming) -> Iterator[Target]:
    """List the canoes that there are: one's own to be sunk, else those of the others."""
    if isinstance(stage, Sinking):
        yield from (Target(None, canoe, canoe) for canoe in canoes_in(own_territory(state)))
        return
    parts_count = isinstance(stage, Attacking) and state.house.gap == "two_targets"
    for seat in clockwise(state, state.turn.seat):
        for canoe in canoes_in(state.territories[seat]):
            for part in parts_of(canoe) if parts_count else (canoe,):
                yield Target(seat, canoe, part)


def _unfit(state: State, stage: Aiming, target: Target, card: str) -> Refusal | None:
    """Say why a canoe, or this card of it, can't be aimed at."""
    match stage:
        case Sinking():
            return None if is_complete(target.canoe) else unmet("not-complete")
        case Attacking():
            return _unfit_for_attack(state, target)
        case _ if is_complete(target.canoe):
            return unmet("is-complete")
        case Shooting() if is_protected(target.canoe):
            return unmet("guarded")
        case Shooting():
            return None if card in CREW else unmet("no-paddler", card=card)
        case Roping():
            may_lapse = state.house.lasso_unplaced == "discard"
            fits = may_lapse or has_place(state.house, own_territory(state), card)
            return None if fits else unmet("no-place", card=card)


def _unfit_for_attack(state: State, target: Target) -> Refusal | None:
    own = attacker(state)
    if is_protected(target.canoe):
        return unmet("guarded")
    if state.house.two_crews and crews_of(own.cards) & crews_of(target.canoe.cards):
        return unmet("same-crew")
    if strength(target.part) < strength(own):
        return None
    return unmet("too-strong", own=strength(own), strength=strength(target.part))


def aims(state: State, stage: Aiming) -> Iterator[Option]:
    """List what may be aimed at: cards, or canoes by their first card."""
    _key, word = AIMS[type(stage)]
    for target in _targets(state, stage):
        part, by_card = target.part, isinstance(stage, Roping | Shooting)
        cards = cells_aboard(part) if by_card else iter([(part.cell, part.cards[0])])
        for cell, card in cards:
            if _unfit(state, stage, target, card) is None:
                yield Option(word, target.seat, card, cell)


def why_not_aimed(state: State, stage: Aiming, option: Option) -> Refusal | None:
    """Say why a card or a canoe can't be aimed at; of a player who isn't there, nothing is to be said."""
    if option.cell is None or option.seat not in (None, *range(len(state.territories))):
        return None
    owner = None if isinstance(stage, Sinking) else option.seat
    if owner in {None, state.turn.seat} and not isinstance(stage, Sinking):
        return unmet("not-yourself")
    for target in _targets(state, stage):
        if target.seat == owner and option.cell in cells_in(target.part):
            seat = state.turn.seat if owner is None else owner
            return _unfit(state, stage, target, card_at(state.territories[seat], option.cell))
    return unmet("no-card-there")


def sink_canoe(state: State, canoe: Canoe) -> tuple[State, Rulings]:
    """Discard a complete canoe of the player in turn."""
    cards = cards_aboard(canoe)
    state = with_discarded(with_cells_cleared(state, state.turn.seat, cells_in(canoe)), *cards)
    return state, (ruled(state, "sinks", "saboteur discard-order", cards=cards),)


def attack_canoe(state: State, stage: Attacking, option: Option) -> tuple[State, Rulings]:
    """Attack a canoe: its booty is captured; its paddlers, bow and stern are discarded."""
    aimed = (option.seat, option.cell)
    target = next(each for each in _targets(state, stage) if (each.seat, each.part.cell) == aimed)
    canoe, seat = target.part, seat_aimed_at(option)
    booty = tuple(card for card in cards_aboard(canoe) if card in BOOTY)
    crew = tuple(card for card in cards_aboard(canoe) if card not in BOOTY)
    rule = "attack one-attack strength"
    if "" in canoe.cards or state.house.gap == "two_targets":
        rule = f"{rule} gap-attacked"
    rule = f"{rule} other-crew" if state.house.two_crews else rule
    own, against = strength(attacker(state)), strength(canoe)
    told: Rulings = (ruled(state, "attacks", rule, target=seat, own=own, strength=against),)
    if booty:
        told = (*told, ruled(state, "captures", "captured", target=seat, cards=booty))
    if crew:
        told = (*told, make_ruling("crew-lost", rule="captured discard-order", seat=seat, cards=crew))
    state = with_attack_over(with_discarded(with_cells_cleared(state, seat, cells_in(canoe)), *crew))
    return replace(state, turn=replace(state.turn, booty=booty)), told


def with_attack_over(state: State) -> State:
    """End the canoe's attack."""
    return replace(state, turn=replace(state.turn, due=state.turn.due[1:]), stage=Drawing())
