"""Alliances: proposed, outbid, accepted, changed; with a neutral clan; and how they end."""

from functools import cache

from msgspec.structs import replace

from referee.contract import make_ruling
from referee.games.plenty_coups.cards import Rulings, with_cards_laid, with_discarded
from referee.games.plenty_coups.deck import CLAN, CLANS, RIDERS_OF, VALUE
from referee.games.plenty_coups.raids import gain_renown, steal_horse, without_raid
from referee.games.plenty_coups.state import (
    Proposal,
    State,
    ally,
    proposal_to,
    proposed_by,
    raid_on,
    raided_by,
    with_clan,
)

FEWEST = 4
"""Players from which on clans in play may ally."""


def proposal_targets(state: State, seat: int, others: tuple[int, ...]) -> list[int]:
    """List to whom a clan may propose an alliance: it has no ally in play, and doesn't raid the other clan."""
    if state.players < FEWEST or ally(state, seat) is not None:
        return []
    busy = raided_by(state, seat) | proposed_by(state, seat)
    return [other for other in others if other not in busy]


def proposing_riders(state: State, target: int) -> tuple[str, ...]:
    """List the riders that can propose: of the other clan, above an open proposal and its ally's rider."""
    least = max(_open_value(state, target), _bound_value(state, target))
    return riders_from(state.clans[target].colour, least + 1)


@cache
def riders_from(clan: str, least: int) -> tuple[str, ...]:
    """List the riders of a clan that are worth so much."""
    return tuple(card for card in RIDERS_OF[clan] if VALUE[card] >= least)


def _open_value(state: State, target: int) -> int:
    proposal = proposal_to(state, target)
    return VALUE[proposal.card] if proposal else 0


def _bound_value(state: State, target: int) -> int:
    """Give the value of the rider with which a clan's present ally has bound it."""
    partner = ally(state, target)
    return 0 if partner is None else VALUE[state.clans[partner].bond]


def propose_alliance(state: State, seat: int, target: int, card: str) -> tuple[State, Rulings]:
    """Lay a rider beside one's herd: a lower proposal is discarded, and a raid from there ends."""
    told: Rulings = (make_ruling("proposes", "propose", seat=seat, target=target, card=card),)
    state, old = with_cards_laid(state, seat, (card,)), proposal_to(state, target)
    if old:
        state = without_proposal(state, old)
        told += (make_ruling("outbid", "outbid", seat=old.seat, target=target, card=old.card),)
    state = replace(state, proposals=(*state.proposals, Proposal(seat, target, card)))
    raid = raid_on(state, seat)
    if raid is None or raid.seat != target:
        return state, told
    state, horse = steal_horse(without_raid(state, raid), raid, "propose-to-raider")
    said = make_ruling("raid-ends", "propose-to-raider", seat=target, target=seat, cards=raid.riders)
    return state, (*told, said, *horse)


def without_proposal(state: State, proposal: Proposal) -> State:
    """Discard a proposal."""
    proposals = tuple(each for each in state.proposals if each != proposal)
    return with_discarded(replace(state, proposals=proposals), (proposal.card,))


def accepting_riders(state: State, seat: int, proposer: int) -> tuple[str, ...]:
    """List the riders that accept a proposal: of that clan, and no lower than one's own in the old alliance."""
    proposal = proposal_to(state, seat)
    if proposal is None or proposal.seat != proposer or VALUE[proposal.card] <= _bound_value(state, seat):
        return ()
    bond = state.clans[seat].bond
    least = VALUE[bond] if bond else 0
    return riders_from(state.clans[proposer].colour, least)


def seal_alliance(state: State, seat: int, proposer: int, card: str) -> tuple[State, Rulings]:
    """Seal an alliance: both riders go behind the camps, and the one who proposed it gains renown."""
    proposal = proposal_to(state, seat)
    if proposal is None:
        raise ValueError("there is no proposal to accept")
    proposals = tuple(each for each in state.proposals if each != proposal)
    state = with_cards_laid(replace(state, proposals=proposals), seat, (card,))
    state, told = end_alliance(
        state, seat, "change-accepted" if ally(state, seat) is not None else "neutral-change"
    )
    state, more = end_alliance(state, proposer, "neutral-proposer")
    state = with_clan(with_clan(state, seat, bond=card), proposer, bond=proposal.card)
    said = make_ruling("seals", "accept", seat=seat, target=proposer, card=card, other=proposal.card)
    state, fallen = _withdraw_proposals(state, (seat, proposer))
    state, renown = gain_renown(state, proposer)
    return state, (*told, *more, said, *fallen, *renown)


def _withdraw_proposals(state: State, seats: tuple[int, ...]) -> tuple[State, Rulings]:
    """Discard what clans that are now allied have proposed to others."""
    told: Rulings = ()
    for proposal in state.proposals:
        if proposal.seat in seats:
            state = without_proposal(state, proposal)
            to, card = proposal.target, proposal.card
            told += (make_ruling("withdrawn", "several-proposals", seat=proposal.seat, target=to, card=card),)
    return state, told


def end_alliance(state: State, seat: int, rule: str) -> tuple[State, Rulings]:
    """End the alliance of a clan by a rule, if it has one: the riders of both in play are discarded."""
    bond, partner = state.clans[seat].bond, ally(state, seat)
    if not bond:
        return state, ()
    state = with_discarded(with_clan(state, seat, bond=""), (bond,))
    if partner is None:
        return state, (make_ruling("neutral-ends", rule, seat=seat, card=bond),)
    other = state.clans[partner].bond
    state = with_discarded(with_clan(state, partner, bond=""), (other,))
    return state, (make_ruling("alliance-ends", rule, seat=seat, target=partner, cards=(bond, other)),)


def neutral_riders(state: State, seat: int) -> tuple[str, ...]:
    """List the riders that ally with a neutral clan.

    None who has an ally in play may do so. Of those, another clan than one's neutral ally, no lower than it;
    and above the rider of the clan that has it for an ally.
    """
    if ally(state, seat) is not None:
        return ()
    bond = state.clans[seat].bond
    least = VALUE[bond] if bond else 0
    present = {CLAN.get(bond), *(clan.colour for clan in state.clans)}
    riders: tuple[str, ...] = ()
    for clan in CLANS:
        if clan not in present:
            riders += riders_from(clan, max(least, _rival_value(state, clan) + 1))
    return riders


def _rival(state: State, clan: str) -> int | None:
    """Find the clan that has a neutral clan for an ally."""
    for seat, each in enumerate(state.clans):
        if each.bond and CLAN[each.bond] == clan:
            return seat
    return None


def _rival_value(state: State, clan: str) -> int:
    rival = _rival(state, clan)
    return 0 if rival is None else VALUE[state.clans[rival].bond]


def ally_with_neutral(state: State, seat: int, card: str) -> tuple[State, Rulings]:
    """Ally with a neutral clan: one's own neutral alliance ends, and that of another with the same clan."""
    state, told = end_alliance(with_cards_laid(state, seat, (card,)), seat, "neutral-change")
    rival = _rival(state, CLAN[card])
    if rival is not None:
        state, more = end_alliance(state, rival, "neutral-taken")
        told += more
    said = make_ruling("neutral-ally", "neutral-ally", seat=seat, card=card)
    return with_clan(state, seat, bond=card), (*told, said)
