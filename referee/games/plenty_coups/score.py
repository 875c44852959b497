"""The count: renown of feats and of the herd, what having no horses costs, allies that add up, ties."""

from msgspec import Struct

from referee.games.plenty_coups.state import State, ally

FREE = 5
"""Horses that bring no renown; each one more brings one."""
ENOUGH = 2
"""Renown beside the herd's that both allies need to add up theirs."""

Key = tuple[int, int, int]
"""What decides: renown, then what of it doesn't come from the herd, then horses."""


class Final(Struct, frozen=True):
    """What a clan comes to by itself."""

    feats: int
    herd: int
    total: int
    has_no_horses: bool
    is_enough: bool
    """It has enough beside its herd's to add up with an ally."""


class Rank(Struct, frozen=True):
    """How a player stands: with an ally, if both have enough."""

    seat: int
    place: int
    renown: int
    feats: int
    partner: int | None


def final(state: State, seat: int) -> Final:
    """Count what a clan has: one less if it has no horses, but never less than nothing."""
    clan = state.clans[seat]
    feats = clan.feats if clan.herd else max(0, clan.feats - 1)
    herd = max(0, clan.herd - FREE)
    tested = feats if state.house.penalty_first else clan.feats
    return Final(feats, herd, feats + herd, not clan.herd, tested >= ENOUGH)


def ranks(state: State) -> tuple[Rank, ...]:
    """Rank the players, the best first; those whom nothing parts share a place."""
    keys = {seat: _key(state, seat) for seat in range(state.players)}
    order = sorted(keys, key=lambda seat: keys[seat], reverse=True)
    places = {seat: 1 + sum(other > keys[seat] for other in keys.values()) for seat in order}
    return tuple(
        Rank(seat, places[seat], keys[seat][0], final(state, seat).feats, partner_of(state, seat))
        for seat in order
    )


def partner_of(state: State, seat: int) -> int | None:
    """Find the ally with whom a clan adds up: both must have enough."""
    partner = ally(state, seat)
    if partner is None or not (final(state, seat).is_enough and final(state, partner).is_enough):
        return None
    return partner


def _key(state: State, seat: int) -> Key:
    own, partner = own_key(state, seat), partner_of(state, seat)
    if partner is None:
        return own
    other = own_key(state, partner)
    if state.house.alliance_tiebreak == "sums":
        return own[0] + other[0], own[1] + other[1], own[2] + other[2]
    return (own[0] + other[0], *max(own[1:], other[1:]))


def own_key(state: State, seat: int) -> Key:
    """Give what decides of a clan by itself."""
    row = final(state, seat)
    return row.total, row.feats, state.clans[seat].herd
