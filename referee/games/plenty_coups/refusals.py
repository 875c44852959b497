"""Why an action isn't possible now: actions left, horses, cards, alliances, raids and the season."""

from collections.abc import Callable, Mapping

from referee.contract import Option, Refusal
from referee.games.plenty_coups.actions import GIVEN, is_hunt_open
from referee.games.plenty_coups.alliances import FEWEST
from referee.games.plenty_coups.cards import most_held
from referee.games.plenty_coups.deck import HORSE, STAFF
from referee.games.plenty_coups.raids import strength, strength_to_beat
from referee.games.plenty_coups.state import (
    WINTER,
    Acting,
    State,
    Turn,
    ally,
    holder,
    is_proposing,
    is_raiding,
    is_winter,
    markers,
    proposal_to,
    raid_on,
    seat_of,
)
from referee.kit.refusing import unmet

Reasons = Callable[[State, Turn, int], Refusal | None]
"""Why an action of a turn can't be aimed at a clan; the clan in turn stands for no aim."""


def why_not(state: State, _seat: int | None, option: Option) -> Refusal | None:
    """Say which condition an option fails."""
    if not isinstance(state.stage, Acting):
        return _clan_taken(state, option)
    turn = state.stage.turn
    reasons = REASONS.get(option.word)
    target = turn.seat if option.seat is None else option.seat
    if reasons is None or target >= len(state.clans):
        return None
    if not turn.left and option.word != "ally-gift":
        return unmet("no-actions")
    if option.seat == turn.seat and option.word in AIMED:
        return unmet("not-yourself")
    if option.seat is None and option.word in AIMED:
        return None
    return reasons(state, turn, target)


def _clan_taken(state: State, option: Option) -> Refusal | None:
    seat = seat_of(state, option.word)
    return None if seat is None else unmet("clan-taken", seat=seat)


def _feat(state: State, turn: Turn, _target: int) -> Refusal | None:
    if not turn.may_score:
        return unmet("no-feat")
    return None if most_held(state, turn.seat)[STAFF] else unmet("no-staff")


def _breed(state: State, turn: Turn, _target: int) -> Refusal | None:
    if not state.plain:
        return unmet("plain-empty")
    return None if most_held(state, turn.seat)[HORSE] else unmet("no-horse-card")


def _raid(state: State, turn: Turn, target: int) -> Refusal | None:
    seat = turn.seat
    if ally(state, seat) == target:
        return unmet("is-ally", seat=target)
    if is_raiding(state, seat, target):
        return unmet("raids-already", seat=target)
    if is_proposing(state, target, seat) or is_proposing(state, seat, target):
        return unmet("proposal-open", seat=target)
    if not markers(state, seat):
        return unmet("no-markers")
    least = strength_to_beat(state, target)
    return unmet("too-weak", least=least + 1) if least else unmet("no-rider")


def _double_raid(state: State, turn: Turn, target: int) -> Refusal | None:
    if is_winter(state):
        return unmet("one-action-in-winter")
    if turn.left <= 1:
        return unmet("takes-two-actions")
    return _raid(state, turn, target)


def _defend(state: State, turn: Turn, _target: int) -> Refusal | None:
    raid = raid_on(state, turn.seat)
    return unmet("not-raided") if raid is None else unmet("no-weapon", least=strength(state, raid))


def _double_defend(state: State, turn: Turn, target: int) -> Refusal | None:
    if raid_on(state, turn.seat) is not None and turn.left <= 1 and state.round != WINTER:
        return unmet("takes-two-actions")
    return _defend(state, turn, target)


def _gift(state: State, turn: Turn, target: int) -> Refusal | None:
    return _no_exchange(state, turn.seat, target, 2)


def _ally_gift(state: State, turn: Turn, target: int) -> Refusal | None:
    partner = ally(state, turn.seat)
    if partner is None:
        return unmet("no-ally")
    if target not in {partner, turn.seat}:
        return unmet("not-ally", seat=target)
    return unmet("gifted-already") if turn.has_gifted else _no_exchange(state, turn.seat, partner, 1)


def _no_exchange(state: State, seat: int, target: int, least: int) -> Refusal | None:
    """Say why two clans can't exchange gifts."""
    if is_raiding(state, seat, target) or is_raiding(state, target, seat):
        return unmet("raid-between", seat=target)
    own, others = state.clans[holder(state, seat)].cards, state.clans[holder(state, target)].cards
    if own < least:
        return unmet("too-few-cards", least=least, cards=own)
    return None if others else unmet("empty-hand", seat=target)


def _propose(state: State, turn: Turn, target: int) -> Refusal | None:
    seat, partner = turn.seat, ally(state, turn.seat)
    if state.players < FEWEST:
        return unmet("too-few-players", least=FEWEST)
    if partner is not None:
        return unmet("has-ally", seat=partner)
    if is_raiding(state, seat, target):
        return unmet("raids-already", seat=target)
    return (
        unmet("proposed-already", seat=target) if is_proposing(state, seat, target) else unmet("no-such-rider")
    )


def _accept(state: State, turn: Turn, target: int) -> Refusal | None:
    proposal = proposal_to(state, turn.seat)
    if proposal is None or target not in {proposal.seat, turn.seat}:
        return unmet("not-proposed")
    return unmet("no-such-rider")


def _ally(state: State, turn: Turn, _target: int) -> Refusal | None:
    partner = ally(state, turn.seat)
    return unmet("no-such-rider") if partner is None else unmet("has-ally", seat=partner)


def _taunt(state: State, turn: Turn, target: int) -> Refusal | None:
    if is_winter(state):
        return unmet("no-taunts-in-winter")
    if state.clans[target].is_taunted:
        return unmet("taunted-already", seat=target)
    return None if most_held(state, turn.seat)[STAFF] else unmet("no-staff")


def _donate(state: State, turn: Turn, target: int) -> Refusal | None:
    seat = turn.seat
    own, others = state.clans[seat].herd, state.clans[target].herd
    if own < GIVEN:
        return unmet("too-few-horses", least=GIVEN, horses=own)
    if others > own:
        return unmet("larger-herd", seat=target)
    raided = next((clan for clan in (seat, target) if raid_on(state, clan)), None)
    if raided is not None:
        return unmet("is-raided", seat=raided)
    if ally(state, seat) == target:
        return unmet("is-ally", seat=target)
    allied = next((clan for clan in (seat, target) if ally(state, clan) is not None), None)
    if allied is not None and state.house.gift_of_horses == "anyone":
        return unmet("allied", seat=allied)
    return _empty_hand(state, seat)


def _hunt(state: State, turn: Turn, _target: int) -> Refusal | None:
    return _empty_hand(state, turn.seat) or (None if is_hunt_open(state, turn) else unmet("no-hunt-in-winter"))


def _empty_hand(state: State, seat: int) -> Refusal | None:
    return None if state.clans[holder(state, seat)].cards else unmet("no-card-to-discard")


AIMED = frozenset({"raid", "double-raid", "gift", "propose", "taunt", "donate"})
REASONS: Mapping[str, Reasons] = {
    "feat": _feat,
    "breed": _breed,
    "raid": _raid,
    "double-raid": _double_raid,
    "defend": _defend,
    "double-defend": _double_defend,
    "gift": _gift,
    "ally-gift": _ally_gift,
    "propose": _propose,
    "accept": _accept,
    "ally": _ally,
    "taunt": _taunt,
    "donate": _donate,
    "hunt": _hunt,
}
