"""Raids, over two turns: launched, chased by a stronger one, repelled, come home; and what feats they bring."""

from msgspec.structs import replace

from referee.contract import ruled
from referee.games.plenty_coups.cards import Told, discarded, laid, sorted_faces, thrown
from referee.games.plenty_coups.deck import CLAN, STAFF, VALUE
from referee.games.plenty_coups.state import (
    Raid,
    State,
    ally,
    is_proposing,
    is_raiding,
    markers,
    may_gain,
    plain_markers,
    raid_on,
    with_clan,
    with_horses,
    worth,
)

YOUNG = 1
"""Riders so young that it is no feat to repel one."""


def attack(state: State, seat: int, riders: tuple[str, ...]) -> int:
    """Count what riders are worth in a raid: one more if they are of one's own clan, or of its ally."""
    clan, riding = state.clans[seat], CLAN[riders[0]]
    return worth(riders) + (riding == clan.colour or riding == CLAN.get(clan.bond))


def force(state: State, seat: int, riders: tuple[str, ...]) -> int:
    """Count what is compared: what the riders are worth in a raid, or by a house rule what they show."""
    return attack(state, seat, riders) if state.house.compare == "effective" else worth(riders)


def strength(state: State, raid: Raid) -> int:
    """Say how strong a raid is that is on its way."""
    return raid.value if state.house.compare == "effective" else worth(raid.riders)


def to_beat(state: State, target: int) -> int:
    """Say what a raid must be stronger than."""
    raid = raid_on(state, target)
    return strength(state, raid) if raid else 0


def may_raid(state: State, seat: int, target: int) -> bool:
    """Tell whether a clan may raid another: no ally, no proposal between them, and nobody twice."""
    return (
        target != seat
        and markers(state, seat) > 0
        and ally(state, seat) != target
        and not is_proposing(state, target, seat)
        and not is_proposing(state, seat, target)
        and not is_raiding(state, seat, target)
    )


def launched(state: State, seat: int, target: int, riders: tuple[str, ...]) -> tuple[State, Told]:
    """Lay riders before a camp with a marker on them; a weaker raid that is there goes home."""
    state, riders = laid(state, seat, riders), sorted_faces(riders)
    raid = Raid(seat, target, riders, attack(state, seat, riders), is_feat=not plain_markers(state, seat))
    told: Told = ()
    old = raid_on(state, target)
    if old:
        state = removed(state, old)
        told = (ruled("chased", seat=old.seat, target=target, cards=old.riders),)
    said = ruled("raids", seat=seat, target=target, cards=riders, value=raid.value)
    return replace(state, raids=(*state.raids, raid)), (*told, said)


def removed(state: State, raid: Raid) -> State:
    """Discard the riders of a raid; its marker goes home as it is."""
    return discarded(replace(state, raids=tuple(each for each in state.raids if each != raid)), raid.riders)


def repelled(state: State, seat: int, weapons: tuple[str, ...]) -> tuple[State, Told]:
    """Repel the raid on one's camp."""
    raid = raid_on(state, seat)
    if raid is None:
        raise ValueError("there is no raid to repel")
    state = thrown(removed(state, raid), seat, weapons)
    said = ruled("repels", seat=seat, raider=raid.seat, weapons=weapons, cards=raid.riders)
    return state, (said,)


def is_feat(state: State, seat: int, weapons: tuple[str, ...]) -> bool:
    """Tell whether to repel a raid may be a feat: with one weapon, stronger, and against no young rider."""
    raid = raid_on(state, seat)
    if raid is None or len(weapons) > 1 or not may_gain(state, seat):
        return False
    is_young = len(raid.riders) == 1 and VALUE[raid.riders[0]] == YOUNG
    return not is_young and VALUE[weapons[0]] > strength(state, raid)


def may_score(state: State, raid: Raid) -> bool:
    """Tell whether a raid that comes home can bring a feat: its marker still shows the raid side."""
    return not raid.is_feat and may_gain(state, raid.seat)


def come_home(state: State, raid: Raid) -> tuple[State, Told]:
    """Bring a raid home, with a horse of the other herd, if there is one."""
    state, told = (
        removed(state, raid),
        (ruled("comes-home", seat=raid.seat, target=raid.target, cards=raid.riders),),
    )
    state, horse = stolen(state, raid)
    return state, (*told, *horse)


def stolen(state: State, raid: Raid) -> tuple[State, Told]:
    """Take a horse of the herd that was raided."""
    if not state.clans[raid.target].herd:
        return state, (ruled("no-horse", seat=raid.seat, target=raid.target),)
    state = with_horses(with_horses(state, raid.target, -1), raid.seat, 1)
    return state, (ruled("takes-horse", seat=raid.seat, target=raid.target),)


def scored(state: State, seat: int) -> tuple[State, Told]:
    """Lay a staff down for a feat."""
    state, told = gained(thrown(state, seat, (STAFF,)), seat)
    return state, (ruled("feat", seat=seat, card=STAFF), *told)


def gained(state: State, seat: int) -> tuple[State, Told]:
    """Turn a marker to its side of renown, if there is one left."""
    if not may_gain(state, seat):
        return state, (ruled("renown-full", seat=seat),)
    feats = state.clans[seat].feats + 1
    return with_clan(state, seat, feats=feats), (ruled("gains", seat=seat, feats=feats),)


def lost(state: State, seat: int) -> tuple[State, Told]:
    """Turn a marker back; a clan that has no renown but its herd's can't lose any."""
    feats = state.clans[seat].feats - 1
    if feats < 0:
        return state, (ruled("nothing-to-lose", seat=seat),)
    return with_clan(state, seat, feats=feats), (ruled("loses", seat=seat, feats=feats),)
