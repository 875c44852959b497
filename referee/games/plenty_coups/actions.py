"""What a clan can do in its turn, in the order of the rule book: against whom, and with which cards."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache

from msgspec import Struct

from referee.contract import DISCARD, Option, Zone, before_seat
from referee.games.plenty_coups.alliances import accepting_riders, may_propose, neutral_riders, proposing_riders
from referee.games.plenty_coups.cards import most_held, rider_pairs, weapon_pairs
from referee.games.plenty_coups.deck import FACES, HORSE, RIDERS, STAFF, VALUE, WEAPONS
from referee.games.plenty_coups.raids import may_raid, strength, strength_to_beat, stronger_riders
from referee.games.plenty_coups.state import (
    ROUNDS,
    WINTER,
    Deed,
    State,
    Turn,
    ally,
    holder,
    is_raiding,
    is_winter,
    proposal_to,
    raid_on,
    worth,
)

GIVEN = 2
"""Horses of a donation."""
TURN_OVER = Option("turn-over")
FEAT = Option("feat")


def herd(seat: int) -> Zone:
    """Name the place beside a clan's herd: for what it proposes."""
    return Zone("herd", seat)


def camp(seat: int) -> Zone:
    """Name the place behind a clan's camp: for its ally's rider."""
    return Zone("camp", seat)


def taunts(seat: int) -> Zone:
    """Name the place on a clan's riders, for the staff of a clan that taunts it."""
    return Zone("taunt", seat)


class Action(Struct, frozen=True):
    """Something done with cards: what is asked for, which serve, where they lie, what is said of others."""

    asks: tuple[str, ...]
    cards: Callable[[State, Deed], tuple[str, ...]]
    zone: Callable[[Deed], Zone]
    bar: str = ""


def possible_options(state: State, turn: Turn) -> tuple[Option, ...]:
    """List the possible options; at the end of a turn only gifts are left."""
    options = tuple(_actions(state, turn)) if turn.left else ()
    gift = tuple(_ally_gift(state, turn))
    if options and (is_hunt_open(state, turn) or FEAT in options):
        return (*options, *gift)
    return (*options, *gift, TURN_OVER) if options or gift else ()


def _actions(state: State, turn: Turn) -> Iterator[Option]:
    seat, most = turn.seat, most_held(state, turn.seat)
    others = [other for other in range(len(state.clans)) if other != seat]
    if turn.may_score and most[STAFF]:
        yield FEAT
    if state.plain and most[HORSE]:
        yield Option("breed")
    yield from _raids(state, turn, others, most)
    yield from _defences(state, turn, most)
    yield from (Option("gift", seat=other) for other in others if may_gift(state, seat, other, 2))
    yield from _alliances(state, seat, others, most)
    if most[STAFF] and not is_winter(state):
        yield from (Option("taunt", seat=other) for other in others if not state.clans[other].is_taunted)
    yield from (Option("donate", seat=other) for other in others if may_donate(state, seat, other))
    if is_hunt_open(state, turn):
        yield Option("hunt")


def _raids(state: State, turn: Turn, others: list[int], most: Mapping[str, int]) -> Iterator[Option]:
    """Raid with one rider, or two of a clan; that takes both actions, so there is none of it in winter."""
    seat = turn.seat
    targets = [(other, strength_to_beat(state, other)) for other in others if may_raid(state, seat, other)]
    defences = {least for _other, least in targets}
    single = {
        least for least in defences if any(stronger_riders(state, seat, _riders_held(most, least), least))
    }
    yield from [Option("raid", seat=other) for other, least in targets if least in single]
    if turn.left > 1:
        pairs = {least: rider_pairs(state, seat, most, least) for least in defences}
        double = {least for least in defences if any(stronger_riders(state, seat, pairs[least], least))}
        yield from [Option("double-raid", seat=other) for other, least in targets if least in double]


def _riders_held(most: Mapping[str, int], least: int) -> Iterator[tuple[str]]:
    return (alone for alone in _riders_worth(least) if most[alone[0]])


@cache
def _riders_worth(least: int) -> tuple[tuple[str], ...]:
    return tuple((card,) for card in RIDERS if VALUE[card] >= least)


def _defences(state: State, turn: Turn, most: Mapping[str, int]) -> Iterator[Option]:
    """Repel the raid on one's camp; with two weapons as both actions, and not after the tenth round."""
    raid = raid_on(state, turn.seat)
    if raid is None:
        return
    if any(most[card] and VALUE[card] >= strength(state, raid) for card in WEAPONS):
        yield Option("defend")
    if turn.left > 1 or state.round == WINTER:
        pairs = weapon_pairs(state, turn.seat, most)
        if any(worth(pair) >= strength(state, raid) for pair in pairs):
            yield Option("double-defend")


def _alliances(state: State, seat: int, others: list[int], most: Mapping[str, int]) -> Iterator[Option]:
    for other in others:
        if may_propose(state, seat, other) and any(most[card] for card in proposing_riders(state, other)):
            yield Option("propose", seat=other)
    offer = proposal_to(state, seat)
    if offer and any(most[card] for card in accepting_riders(state, seat, offer.seat)):
        yield Option("accept", seat=offer.seat)
    if any(most[card] for card in neutral_riders(state, seat)):
        yield Option("ally")


def may_gift(state: State, seat: int, other: int, cards: int) -> bool:
    """Tell whether two clans may exchange gifts: neither raids the other, and both have cards enough."""
    own, others = holder(state, seat), holder(state, other)
    return (
        own != others
        and state.clans[own].cards >= cards
        and state.clans[others].cards > 0
        and not is_raiding(state, seat, other)
        and not is_raiding(state, other, seat)
    )


def _ally_gift(state: State, turn: Turn) -> Iterator[Option]:
    partner = ally(state, turn.seat)
    if partner is not None and not turn.has_gifted and may_gift(state, turn.seat, partner, 1):
        yield Option("ally-gift", seat=partner)


def may_donate(state: State, seat: int, other: int) -> bool:
    """Tell whether horses may be given: to a herd no larger, and neither clan is raided or the other's ally."""
    own, others = state.clans[seat].herd, state.clans[other].herd
    if not state.clans[holder(state, seat)].cards:
        return False
    if own < GIVEN or others > own or raid_on(state, seat) or raid_on(state, other):
        return False
    if state.house.gift_of_horses == "anyone":
        return ally(state, seat) is None and ally(state, other) is None
    return ally(state, seat) != other


def is_hunt_open(state: State, turn: Turn) -> bool:
    """Tell whether one may hunt; a house rule forbids it once no cards are taken any more."""
    is_late = WINTER < state.round <= ROUNDS
    return state.clans[holder(state, turn.seat)].cards > 0 and (state.house.winter_hunt or not is_late)


def _riders(state: State, deed: Deed) -> tuple[str, ...]:
    least = strength_to_beat(state, deed.target)
    return tuple([card for (card,) in stronger_riders(state, deed.turn.seat, _riders_worth(least), least)])


def _two_riders(state: State, deed: Deed) -> tuple[str, ...]:
    seat, least = deed.turn.seat, strength_to_beat(state, deed.target)
    pairs = rider_pairs(state, seat, most_held(state, seat), least)
    return _of_pairs(list(stronger_riders(state, seat, pairs, least)), deed)


def _weapons(state: State, deed: Deed) -> tuple[str, ...]:
    least = strength_to_beat(state, deed.turn.seat)
    return tuple(card for card in WEAPONS if VALUE[card] >= least)


def _two_weapons(state: State, deed: Deed) -> tuple[str, ...]:
    seat = deed.turn.seat
    least = strength_to_beat(state, seat)
    pairs = weapon_pairs(state, seat, most_held(state, seat))
    return _of_pairs([pair for pair in pairs if worth(pair) >= least], deed)


def _of_pairs(pairs: list[tuple[str, ...]], deed: Deed) -> tuple[str, ...]:
    """List the cards that may be laid next: any card of a pair, then one that goes with the first."""
    if not deed.laid:
        return tuple(dict.fromkeys(card for pair in pairs for card in pair))
    (first,) = deed.laid
    return tuple(pair[1] if pair[0] == first else pair[0] for pair in pairs if first in pair)


def _proposing_riders(state: State, deed: Deed) -> tuple[str, ...]:
    return proposing_riders(state, deed.target)


def _accepting_riders(state: State, deed: Deed) -> tuple[str, ...]:
    return accepting_riders(state, deed.turn.seat, deed.target)


def _neutral_riders(state: State, deed: Deed) -> tuple[str, ...]:
    return neutral_riders(state, deed.turn.seat)


def _any_card(_state: State, _deed: Deed) -> tuple[str, ...]:
    return FACES


def _before_target(deed: Deed) -> Zone:
    return before_seat(deed.target)


def _before_own(deed: Deed) -> Zone:
    return before_seat(deed.turn.seat)


def _behind_own(deed: Deed) -> Zone:
    return camp(deed.turn.seat)


def _beside_own_herd(deed: Deed) -> Zone:
    return herd(deed.turn.seat)


def _on_discards(_deed: Deed) -> Zone:
    return DISCARD


ACTIONS: dict[str, Action] = {
    "raid": Action(("raid-rider",), _riders, _before_target, "no-raid"),
    "double-raid": Action(("first-rider", "second-rider"), _two_riders, _before_target, "no-double-raid"),
    "defend": Action(("weapon",), _weapons, _before_own, "no-defence"),
    "double-defend": Action(("first-weapon", "second-weapon"), _two_weapons, _before_own, "no-double-defence"),
    "gift": Action(("for-gift",), _any_card, _on_discards),
    "propose": Action(("proposal",), _proposing_riders, _beside_own_herd, "no-proposal"),
    "accept": Action(("acceptance",), _accepting_riders, _behind_own, "no-acceptance"),
    "ally": Action(("neutral-rider",), _neutral_riders, _behind_own, "no-neutral-ally"),
    "donate": Action(("for-donation",), _any_card, _on_discards),
    "hunt": Action(("for-hunt",), _any_card, _on_discards),
}
