"""Raids, over two turns: launched, chased by a stronger one, repelled, come home; and what feats they bring."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from referee.contract import make_ruling
from referee.games.plenty_coups.cards import (
    Rulings,
    sorted_faces,
    with_cards_laid,
    with_discarded,
    with_hand_discarded,
)
from referee.games.plenty_coups.deck import CLAN, STAFF, VALUE
from referee.games.plenty_coups.state import (
    MARKERS,
    Raid,
    State,
    ally,
    is_winter,
    markers,
    may_gain,
    plain_markers,
    proposal_to,
    proposed_by,
    raid_on,
    raided_by,
    with_clan,
    with_horses,
    worth,
)

Riders = tuple[str, ...]

YOUNG = 1
"""Riders so young that it is no feat to repel one."""


def raid_value(state: State, seat: int, riders: tuple[str, ...]) -> int:
    """Count what riders are worth in a raid: one more if they are of one's own clan, or of its ally."""
    return worth(riders) + (CLAN[riders[0]] in _friends(state, seat))


def _friends(state: State, seat: int) -> tuple[str, ...]:
    """Name a clan and its ally."""
    clan = state.clans[seat]
    return (clan.colour, CLAN[clan.bond]) if clan.bond else (clan.colour,)


def stronger_riders(state: State, seat: int, groups: Iterable[Riders], least: int) -> Iterator[Riders]:
    """List riders or pairs that are stronger: by their worth in a raid, or by a house rule what they show."""
    friends = _friends(state, seat) if state.house.compare == "effective" else ()
    for riders in groups:
        if worth(riders) + (CLAN[riders[0]] in friends) > least:
            yield riders


def strongest(state: State, seat: int, groups: Iterable[Riders]) -> int:
    """Say how strong the strongest riders are, or pairs, that are listed from the most worth to the least."""
    friends = _friends(state, seat) if state.house.compare == "effective" else ()
    best = 0
    for riders in groups:
        shown = worth(riders)
        if shown < best:
            break
        best = max(best, shown + (CLAN[riders[0]] in friends))
    return best


def strength(state: State, raid: Raid) -> int:
    """Say how strong a raid is that is on its way."""
    return raid.value if state.house.compare == "effective" else worth(raid.riders)


def strength_to_beat(state: State, target: int) -> int:
    """Say what a raid must be stronger than."""
    raid = raid_on(state, target)
    return strength(state, raid) if raid else 0


def raid_targets(state: State, seat: int, others: tuple[int, ...]) -> list[int]:
    """List the clans that a clan may raid: no ally, no proposal between them, and no clan twice."""
    if not markers(state, seat):
        return []
    offer = proposal_to(state, seat)
    spared = raided_by(state, seat) | proposed_by(state, seat) | {ally(state, seat), offer and offer.seat}
    return [other for other in others if other not in spared]


def launch_raid(state: State, seat: int, target: int, riders: tuple[str, ...]) -> tuple[State, Rulings]:
    """Lay riders before a camp with a marker on them; a weaker raid that is there goes home."""
    state, riders = with_cards_laid(state, seat, riders), sorted_faces(riders)
    raid = Raid(seat, target, riders, raid_value(state, seat, riders), is_feat=not plain_markers(state, seat))
    told: Rulings = ()
    old = raid_on(state, target)
    if old:
        state = without_raid(state, old)
        by = "marker-home" if old.is_feat else "one-raid"
        told = (make_ruling("chased", by, seat=old.seat, target=target, cards=old.riders),)
    by = _rule_of_raid(raid)
    said = make_ruling("raids", by, seat=seat, target=target, cards=riders, value=raid.value)
    return replace(state, raids=(*state.raids, raid)), (*told, said)


def _rule_of_raid(raid: Raid) -> str:
    """Name the rule that makes a raid what it is: without a feat, of two riders, stronger by one's own."""
    if raid.is_feat:
        return "which-marker"
    if len(raid.riders) > 1:
        return "double-raid"
    return "own-riders" if raid.value > worth(raid.riders) else "raid"


def without_raid(state: State, raid: Raid) -> State:
    """Discard the riders of a raid; its marker goes home as it is."""
    return with_discarded(
        replace(state, raids=tuple(each for each in state.raids if each != raid)), raid.riders
    )


def repel_raid(state: State, seat: int, weapons: tuple[str, ...]) -> tuple[State, Rulings]:
    """Repel the raid on one's camp."""
    raid = raid_on(state, seat)
    if raid is None:
        raise ValueError("there is no raid to repel")
    state = with_hand_discarded(without_raid(state, raid), seat, weapons)
    by = "defend" if len(weapons) == 1 else "winter-weapons" if is_winter(state) else "double-defence"
    said = make_ruling("repels", by, seat=seat, raider=raid.seat, weapons=weapons, cards=raid.riders)
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


def bring_raid_home(state: State, raid: Raid) -> tuple[State, Rulings]:
    """Bring a raid home, with a horse of the other herd, if there is one."""
    state, told = (
        without_raid(state, raid),
        (make_ruling("comes-home", "comes-home", seat=raid.seat, target=raid.target, cards=raid.riders),),
    )
    state, horse = steal_horse(state, raid, "comes-home")
    return state, (*told, *horse)


def steal_horse(state: State, raid: Raid, rule: str) -> tuple[State, Rulings]:
    """Take a horse of the herd that was raided, by a rule."""
    if not state.clans[raid.target].herd:
        return state, (make_ruling("no-horse", rule, seat=raid.seat, target=raid.target),)
    state = with_horses(with_horses(state, raid.target, -1), raid.seat, 1)
    return state, (make_ruling("takes-horse", rule, seat=raid.seat, target=raid.target),)


def score_feat(state: State, seat: int, rule: str) -> tuple[State, Rulings]:
    """Lay a staff down for a feat, by a rule."""
    state, told = gain_renown(with_hand_discarded(state, seat, (STAFF,)), seat)
    return state, (make_ruling("feat", rule, seat=seat, card=STAFF), *told)


def gain_renown(state: State, seat: int) -> tuple[State, Rulings]:
    """Turn a marker to its side of renown, if there is one left."""
    if not may_gain(state, seat):
        return state, (make_ruling("renown-full", "renown-limit", seat=seat),)
    feats = state.clans[seat].feats + 1
    turns_one = "renown" if plain_markers(state, seat) else "turned-later"
    by = turns_one if feats <= MARKERS else "renown-limit"
    return with_clan(state, seat, feats=feats), (make_ruling("gains", by, seat=seat, feats=feats),)


def lose_renown(state: State, seat: int, rule: str) -> tuple[State, Rulings]:
    """Turn a marker back, by a rule; a clan that has no renown but its herd's can't lose any."""
    feats = state.clans[seat].feats - 1
    if feats < 0:
        return state, (make_ruling("nothing-to-lose", "nothing-to-lose", seat=seat),)
    return with_clan(state, seat, feats=feats), (make_ruling("loses", rule, seat=seat, feats=feats),)
