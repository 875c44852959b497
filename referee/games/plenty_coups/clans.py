"""Interactions between clans: raids over two turns, renown, and alliances."""

from functools import cache, lru_cache

from msgspec.structs import replace

from referee.contract import make_ruling
from referee.games.plenty_coups.state import (
    CACHE_SIZE,
    CLAN,
    CLANS,
    MARKERS,
    RIDERS_OF,
    STAFF,
    VALUE,
    Deed,
    Proposal,
    Raid,
    Riders,
    Rulings,
    State,
    sorted_faces,
    worth,
)

Done = tuple[State, Rulings]

YOUNG = 1  # value of a rider too young for a feat against it


# Raids, over two turns: launched, possibly chased off or repelled, then home.


def friends(state: State, seat: int) -> tuple[str, ...]:
    """Return a clan and its ally; their riders get a bonus of one in its raids."""
    clan = state.clans[seat]
    return (clan.colour, CLAN[clan.bond]) if clan.bond else (clan.colour,)


def helped_by(state: State, seat: int) -> tuple[str, ...]:
    """Return the clans whose riders get the bonus when raids are compared; by a house rule none do."""
    return friends(state, seat) if state.house.compare == "effective" else ()


def strength(state: State, raid: Raid | None) -> int:
    """Return a raid's strength for comparison with other raids and weapons."""
    if raid is None:
        return 0
    return raid.value if state.house.compare == "effective" else worth(raid.riders)


def launch_raid(state: State, deed: Deed) -> Done:
    """Place riders and a marker before a camp; a weaker raid there is chased home."""
    seat, target, riders = deed.turn.seat, deed.target, sorted_faces(deed.laid)
    value = worth(riders) + (CLAN[riders[0]] in friends(state, seat))
    state = state.with_cards_laid(seat, riders)
    raid = Raid(seat, target, riders, value, is_feat=not state.plain_markers(seat))
    rulings: Rulings = ()
    old = state.raid_on(target)
    if old:
        state = without_raid(state, old)
        by = "marker-home" if old.is_feat else "one-raid"
        rulings = (make_ruling("chased", by, seat=old.seat, target=target, cards=old.riders),)
    ruling = make_ruling("raids", _rule_of_raid(raid), seat=seat, target=target, cards=riders, value=value)
    return replace(state, raids=(*state.raids, raid)), (*rulings, ruling)


def _rule_of_raid(raid: Raid) -> str:
    """Return the rule for a raid's special property: no feat, two riders, or a bonus for own riders."""
    if raid.is_feat:
        return "which-marker"
    if len(raid.riders) > 1:
        return "double-raid"
    return "own-riders" if raid.value > worth(raid.riders) else "raid"


def without_raid(state: State, raid: Raid) -> State:
    """Discard the riders of a raid; its marker returns unchanged."""
    raids = tuple(each for each in state.raids if each != raid)
    return replace(state, raids=raids).with_discarded(raid.riders)


def repel_raid(state: State, deed: Deed) -> Done:
    seat, raid, weapons = deed.turn.seat, state.raid_on(deed.turn.seat), deed.laid
    if raid is None:
        raise ValueError("there is no raid to repel")
    by = "defend" if len(weapons) == 1 else "winter-weapons" if state.is_winter else "double-defence"
    state = without_raid(state, raid).with_hand_discarded(seat, weapons)
    ruling = make_ruling("repels", by, seat=seat, raider=raid.seat, weapons=weapons, cards=raid.riders)
    return state, (ruling,)


def is_feat(state: State, seat: int, weapons: tuple[str, ...]) -> bool:
    """Return whether repelling a raid may be a feat: one stronger weapon, and no young rider."""
    raid = state.raid_on(seat)
    if raid is None or len(weapons) > 1 or not state.may_gain(seat):
        return False
    is_young = len(raid.riders) == 1 and VALUE[raid.riders[0]] == YOUNG
    return not is_young and VALUE[weapons[0]] > strength(state, raid)


def bring_raid_home(state: State, raid: Raid) -> Done:
    """Bring a raid home with a horse from the other herd, if there is one."""
    ruling = make_ruling("comes-home", "comes-home", seat=raid.seat, target=raid.target, cards=raid.riders)
    state, horse = steal_horse(without_raid(state, raid), raid, "comes-home")
    return state, (ruling, *horse)


def steal_horse(state: State, raid: Raid, rule: str) -> Done:
    if not state.clans[raid.target].herd:
        return state, (make_ruling("no-horse", rule, seat=raid.seat, target=raid.target),)
    state = state.with_horses(raid.target, -1).with_horses(raid.seat, 1)
    return state, (make_ruling("takes-horse", rule, seat=raid.seat, target=raid.target),)


# Renown in addition to the herd's: the number of turned markers.


def score_feat(state: State, seat: int, rule: str) -> Done:
    state, rulings = gain_renown(state.with_hand_discarded(seat, (STAFF,)), seat, "renown")
    return state, (make_ruling("feat", rule, seat=seat, card=STAFF), *rulings)


def gain_renown(state: State, seat: int, rule: str) -> Done:
    """Turn a marker to its renown side, if one is left; `rule` is the reason."""
    if not state.may_gain(seat):
        return state, (make_ruling("renown-full", "renown-limit", seat=seat),)
    feats = state.clans[seat].feats + 1
    turned = "" if state.plain_markers(seat) else "turned-later"
    by = f"{rule} {turned if feats <= MARKERS else 'renown-limit'}".rstrip()
    return state.with_clan(seat, feats=feats), (make_ruling("gains", by, seat=seat, feats=feats),)


def lose_renown(state: State, seat: int, rule: str) -> Done:
    """Turn a marker back; a clan without turned markers can't lose renown."""
    feats = state.clans[seat].feats - 1
    if feats < 0:
        return state, (make_ruling("nothing-to-lose", "nothing-to-lose", seat=seat),)
    return state.with_clan(seat, feats=feats), (make_ruling("loses", rule, seat=seat, feats=feats),)


# Alliances: proposed, outbid, accepted, changed or ended; also with a neutral clan.


@cache
def riders_from(clan: str, least: int) -> Riders:
    return tuple(card for card in RIDERS_OF[clan] if VALUE[card] >= least)


def proposing_riders(state: State, target: int) -> Riders:
    """Return the riders that can propose: of the other clan, above an open proposal and its ally's rider."""
    proposal = state.proposal_to(target)
    least = max(VALUE[proposal.card] if proposal else 0, _bound_value(state, target))
    return riders_from(state.clans[target].colour, least + 1)


def _bound_value(state: State, target: int) -> int:
    """Return the value of the rider that binds a clan's current ally."""
    partner = state.ally(target)
    return 0 if partner is None else VALUE[state.clans[partner].bond]


def propose_alliance(state: State, deed: Deed) -> Done:
    """Place a rider beside one's own herd; it replaces a lower proposal and ends a raid from the target."""
    seat, target, (card,) = deed.turn.seat, deed.target, deed.laid
    rulings: Rulings = (make_ruling("proposes", "propose", seat=seat, target=target, card=card),)
    state, old = state.with_cards_laid(seat, (card,)), state.proposal_to(target)
    if old:
        state = without_proposal(state, old)
        rulings += (make_ruling("outbid", "outbid", seat=old.seat, target=target, card=old.card),)
    state = replace(state, proposals=(*state.proposals, Proposal(seat, target, card)))
    raid = state.raid_on(seat)
    if raid is None or raid.seat != target:
        return state, rulings
    ruling = make_ruling("raid-ends", "propose-to-raider", seat=target, target=seat, cards=raid.riders)
    state, horse = steal_horse(without_raid(state, raid), raid, "propose-to-raider")
    return state, (*rulings, ruling, *horse)


def without_proposal(state: State, proposal: Proposal) -> State:
    proposals = tuple(each for each in state.proposals if each != proposal)
    return replace(state, proposals=proposals).with_discarded((proposal.card,))


def accepting_riders(state: State, seat: int, proposer: int) -> Riders:
    """Return the riders that can accept a proposal: of that clan, at least one's own in the old alliance."""
    proposal = state.proposal_to(seat)
    if proposal is None or proposal.seat != proposer or VALUE[proposal.card] <= _bound_value(state, seat):
        return ()
    return riders_from(state.clans[proposer].colour, VALUE.get(state.clans[seat].bond, 0))


def seal_alliance(state: State, deed: Deed) -> Done:
    """Seal an alliance: both riders move behind the camps, and the proposer gains renown."""
    seat, proposer, (card,) = deed.turn.seat, deed.target, deed.laid
    proposal = state.proposal_to(seat)
    if proposal is None:
        raise ValueError("there is no proposal to accept")
    proposals = tuple(each for each in state.proposals if each != proposal)
    state = replace(state, proposals=proposals).with_cards_laid(seat, (card,))
    by = "neutral-change" if state.ally(seat) is None else "change-accepted"
    state, rulings = end_alliance(state, seat, by)
    state, more = end_alliance(state, proposer, "neutral-proposer")
    state = state.with_clan(seat, bond=card).with_clan(proposer, bond=proposal.card)
    ruling = make_ruling("seals", "accept", seat=seat, target=proposer, card=card, other=proposal.card)
    state, fallen = drop_proposals(state, (seat, proposer), "withdrawn", "several-proposals")
    state, renown = gain_renown(state, proposer, "accept")
    return state, (*rulings, *more, ruling, *fallen, *renown)


def drop_proposals(state: State, seats: tuple[int, ...], key: str, rule: str) -> Done:
    rulings: Rulings = ()
    for each in state.proposals:
        if each.seat in seats:
            state = without_proposal(state, each)
            rulings += (make_ruling(key, rule, seat=each.seat, target=each.target, card=each.card),)
    return state, rulings


def end_alliance(state: State, seat: int, rule: str) -> Done:
    """End a clan's alliance, if any, and discard both riders in play."""
    bond, partner = state.clans[seat].bond, state.ally(seat)
    if not bond:
        return state, ()
    state = state.with_clan(seat, bond="").with_discarded((bond,))
    if partner is None:
        return state, (make_ruling("neutral-ends", rule, seat=seat, card=bond),)
    other = state.clans[partner].bond
    state = state.with_clan(partner, bond="").with_discarded((other,))
    return state, (make_ruling("alliance-ends", rule, seat=seat, target=partner, cards=(bond, other)),)


def neutral_riders(state: State, seat: int) -> Riders:
    """Return the riders that can ally a clan with a neutral clan, unless it has an ally in play."""
    if state.ally(seat) is not None:
        return ()
    colours, bonds = [clan.colour for clan in state.clans], [clan.bond for clan in state.clans]
    return _neutral_riders(tuple(colours), tuple(bonds), state.clans[seat].bond)


@lru_cache(CACHE_SIZE)
def _neutral_riders(present: tuple[str, ...], bonds: tuple[str, ...], bond: str) -> Riders:
    """Return riders of absent clans other than a bond's, at least as high, that beat the current holder's."""
    taken = {CLAN[rider]: VALUE[rider] + 1 for rider in bonds if rider}
    least, own = VALUE.get(bond, 0), CLAN.get(bond)
    riders: list[str] = []
    for clan in CLANS:
        if clan not in present and clan != own:
            riders += riders_from(clan, max(least, taken.get(clan, 0)))
    return tuple(riders)


def ally_with_neutral(state: State, deed: Deed) -> Done:
    """Ally with a neutral clan; this ends one's own neutral alliance and any other one with that clan."""
    seat, (card,) = deed.turn.seat, deed.laid
    state, rulings = end_alliance(state.with_cards_laid(seat, (card,)), seat, "neutral-change")
    for rival, clan in enumerate(state.clans):
        if CLAN.get(clan.bond) == CLAN[card]:
            state, more = end_alliance(state, rival, "neutral-taken")
            rulings += more
    ruling = make_ruling("neutral-ally", "neutral-ally", seat=seat, card=card)
    return state.with_clan(seat, bond=card), (*rulings, ruling)
