"""What a clan can do in its turn, in the order of the rule book: against whom, and with which cards."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from referee.contract import DISCARD, Option, Zone, before_seat
from referee.games.plenty_coups.alliances import (
    accepting_riders,
    neutral_riders,
    proposal_targets,
    proposing_riders,
)
from referee.games.plenty_coups.cards import most_held, rider_pairs, weapon_pairs
from referee.games.plenty_coups.deck import FACES, HORSE, SINGLE_RIDERS, STAFF, VALUE, WEAPONS
from referee.games.plenty_coups.raids import (
    raid_targets,
    strength,
    strength_to_beat,
    stronger_riders,
    strongest,
)
from referee.games.plenty_coups.state import (
    ROUNDS,
    WINTER,
    Deed,
    State,
    Turn,
    ally,
    holder,
    is_winter,
    proposal_to,
    raid_on,
    raided_by,
    worth,
)
from referee.kit.options import aimed_options

Seats = tuple[int, ...]

GIVEN = 2
"""Horses of a donation."""
TURN_OVER = Option("turn-over")
FEAT = Option("feat")
BREED = Option("breed")
DEFEND = Option("defend")
DOUBLE_DEFEND = Option("double-defend")
ALLY = Option("ally")
HUNT = Option("hunt")


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
    options = _actions(state, turn) if turn.left else []
    gift = _ally_gift(state, turn)
    if options and (is_hunt_open(state, turn) or FEAT in options):
        return (*options, *gift)
    return (*options, *gift, TURN_OVER) if options or gift else ()


def _actions(state: State, turn: Turn) -> list[Option]:
    seat, most = turn.seat, most_held(state, turn.seat)
    others = tuple([other for other in range(len(state.clans)) if other != seat])
    options = [FEAT] if turn.may_score and most[STAFF] else []
    if state.plain and most[HORSE]:
        options.append(BREED)
    options += _raids(state, turn, others, most)
    options += _defences(state, turn, most)
    options += aimed_options("gift", gift_targets(state, seat, others, 2))
    options += _alliances(state, seat, others, most)
    if most[STAFF] and not is_winter(state):
        options += aimed_options(
            "taunt", tuple([other for other in others if not state.clans[other].is_taunted])
        )
    options += aimed_options("donate", donation_targets(state, seat, others))
    if is_hunt_open(state, turn):
        options.append(HUNT)
    return options


def _raids(state: State, turn: Turn, others: Seats, most: Mapping[str, int]) -> tuple[Option, ...]:
    """Raid with one rider, or two of a clan; that takes both actions, so there is none of it in winter."""
    seat = turn.seat
    targets = [(other, strength_to_beat(state, other)) for other in raid_targets(state, seat, others)]
    if not targets:
        return ()
    best = strongest(state, seat, (alone for alone in SINGLE_RIDERS if most[alone[0]]))
    options = aimed_options("raid", tuple([other for other, least in targets if best > least]))
    if turn.left > 1:
        best = strongest(state, seat, rider_pairs(state, seat, most))
        options += aimed_options("double-raid", tuple([other for other, least in targets if best > least]))
    return options


def _defences(state: State, turn: Turn, most: Mapping[str, int]) -> list[Option]:
    """Repel the raid on one's camp; with two weapons as both actions, and not after the tenth round."""
    raid = raid_on(state, turn.seat)
    if raid is None:
        return []
    least = strength(state, raid)
    options = [DEFEND] if any(most[card] and VALUE[card] >= least for card in WEAPONS) else []
    if turn.left > 1 or state.round == WINTER:
        pairs = weapon_pairs(state, turn.seat, most)
        if any(worth(pair) >= least for pair in pairs):
            options.append(DOUBLE_DEFEND)
    return options


def _alliances(state: State, seat: int, others: Seats, most: Mapping[str, int]) -> list[Option]:
    targets = proposal_targets(state, seat, others)
    wooed = [other for other in targets if _holds_one(most, proposing_riders(state, other))]
    options = list(aimed_options("propose", tuple(wooed)))
    offer = proposal_to(state, seat)
    if offer and _holds_one(most, accepting_riders(state, seat, offer.seat)):
        options.append(Option("accept", seat=offer.seat))
    if _holds_one(most, neutral_riders(state, seat)):
        options.append(ALLY)
    return options


def _holds_one(most: Mapping[str, int], cards: tuple[str, ...]) -> bool:
    return any(map(most.__getitem__, cards))


def gift_targets(state: State, seat: int, others: Seats, cards: int) -> Seats:
    """List the clans to exchange gifts with: there is no raid between them, and both have cards enough."""
    own = holder(state, seat)
    if state.clans[own].cards < cards:
        return ()
    foes = raided_by(state, seat).union([raid.seat for raid in state.raids if raid.target == seat])
    hands = [(other, holder(state, other)) for other in others if other not in foes]
    return tuple([other for other, hand in hands if hand != own and state.clans[hand].cards > 0])


def _ally_gift(state: State, turn: Turn) -> tuple[Option, ...]:
    partner = ally(state, turn.seat)
    if partner is None or turn.has_gifted:
        return ()
    return aimed_options("ally-gift", gift_targets(state, turn.seat, (partner,), 1))


def donation_targets(state: State, seat: int, others: Seats) -> Seats:
    """List who may be given horses: herds no larger; neither clan is raided, or the other's ally."""
    own, partner = state.clans[seat].herd, ally(state, seat)
    if own < GIVEN or raid_on(state, seat) or not state.clans[holder(state, seat)].cards:
        return ()
    poorer = tuple([other for other in others if state.clans[other].herd <= own and not raid_on(state, other)])
    if state.house.gift_of_horses == "each_other":
        return tuple([other for other in poorer if other != partner])
    return () if partner is not None else tuple([other for other in poorer if ally(state, other) is None])


def is_hunt_open(state: State, turn: Turn) -> bool:
    """Tell whether one may hunt; a house rule forbids it once no cards are taken any more."""
    is_late = WINTER < state.round <= ROUNDS
    return state.clans[holder(state, turn.seat)].cards > 0 and (state.house.winter_hunt or not is_late)


def _riders(state: State, deed: Deed) -> tuple[str, ...]:
    least = strength_to_beat(state, deed.target)
    return tuple([card for (card,) in stronger_riders(state, deed.turn.seat, SINGLE_RIDERS, least)])


def _two_riders(state: State, deed: Deed) -> tuple[str, ...]:
    seat, least = deed.turn.seat, strength_to_beat(state, deed.target)
    pairs = rider_pairs(state, seat, most_held(state, seat))
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


def any_card(_state: State, _deed: Deed) -> tuple[str, ...]:
    """Let any card serve."""
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
    "gift": Action(("for-gift",), any_card, _on_discards),
    "propose": Action(("proposal",), _proposing_riders, _beside_own_herd, "no-proposal"),
    "accept": Action(("acceptance",), _accepting_riders, _behind_own, "no-acceptance"),
    "ally": Action(("neutral-rider",), _neutral_riders, _behind_own, "no-neutral-ally"),
    "donate": Action(("for-donation",), any_card, _on_discards),
    "hunt": Action(("for-hunt",), any_card, _on_discards),
}
