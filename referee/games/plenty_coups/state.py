"""Plenty Coups' cards and house rules, the state of a match, and what a hand can hold by what all have seen."""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Deck, Ruling, make_ruling, without

CLANS = ("black", "yellow", "green", "red", "blue", "white")
RIDERS_OF = {clan: tuple(f"{clan}-{value}" for value in range(1, 5)) for clan in CLANS}
RIDERS = tuple(rider for riders in RIDERS_OF.values() for rider in riders)
WEAPONS = ("weapon-2", "weapon-3", "weapon-4")
HORSE = "horse"
STAFF = "staff"
GOODS = (*WEAPONS, HORSE, STAFF)  # cards of which there are several alike

PLENTY_COUPS = Deck(
    "plenty-coups",
    {**dict.fromkeys(RIDERS, 1), **dict.fromkeys(WEAPONS, 4), HORSE: 10, STAFF: 8},
    suits={**RIDERS_OF, "goods": GOODS},
)

FACES = tuple(PLENTY_COUPS.counts)
VALUE = {face: int(face[-1]) for face in (*RIDERS, *WEAPONS)}
CLAN = {face: face[:-2] for face in RIDERS}
KIND = {face: f"rider-{face[-1]}" if face in CLAN else face for face in FACES}
"""What makes cards alike on the display: riders of one value are, of any clan."""
PROOFS = (*(face for face, value in VALUE.items() if value == 4), STAFF)
"""Cards that prove one's worth."""
SINGLE_RIDERS = tuple((rider,) for rider in sorted(RIDERS, key=VALUE.__getitem__, reverse=True))
RIDER_PAIRS = sorted(
    (pair for riders in RIDERS_OF.values() for pair in combinations(riders, 2)),
    key=lambda pair: VALUE[pair[0]] + VALUE[pair[1]],
    reverse=True,
)
WEAPON_PAIRS = tuple(combinations_with_replacement(WEAPONS, 2))

LONGEST = 120  # the range of seconds that people are willing to wait


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house rules of Plenty Coups."""

    clear_display: bool = False
    raid_return: Literal["after_draw", "before_draw"] = "after_draw"
    renown_cap: Literal[4, "none"] = 4
    compare: Literal["effective", "printed"] = "effective"
    gift_of_horses: Literal["each_other", "anyone"] = "each_other"
    penalty_first: bool = True
    alliance_tiebreak: Literal["sums", "best_member"] = "sums"
    neutral_hand: Literal["own", "controller"] = "own"
    winter_hunt: bool = True
    worth_seconds: int = 30


SETTINGS: dict[str, House] = {
    "rule text": House(),
    "other rules": House(
        clear_display=True,
        raid_return="before_draw",
        renown_cap="none",
        compare="printed",
        gift_of_horses="anyone",
        penalty_first=False,
        alliance_tiebreak="best_member",
        neutral_hand="controller",
        winter_hunt=False,
    ),
}

Riders = tuple[str, ...]  # cards of one clan that ride together, or that serve for an action
MARKERS = 4  # two-sided markers of each clan: for its raids, and for its renown
ROUNDS = 12
WINTER = 10  # the round in which winter begins


class Clan(Struct, frozen=True, gc=False):
    """A clan in play: its colour, its herd, the renown that doesn't come from the herd, and its hand."""

    colour: str = ""
    herd: int = 1
    feats: int = 0  # Renown that doesn't come from the herd: so many of its markers show that side
    cards: int = 0
    known: tuple[str, ...] = ()
    """Cards that all have seen it take and that it must still hold, in the order of the alphabet."""
    bond: str = ""  # the rider of an allied clan behind its camp
    is_taunted: bool = False
    has_proved: bool = False
    """Whether its hand proved its worth with a card, and is filled again when its turn comes."""


class Raid(Struct, frozen=True, gc=False):
    """A raid on its way: who raids whom, with which riders, how strong that is, and the marker's side."""

    seat: int
    target: int
    riders: tuple[str, ...]
    value: int  # the riders' values, and one more for riders of one's own
    is_feat: bool = False  # its marker shows renown already, so that it can't bring any


class Proposal(Struct, frozen=True, gc=False):
    """An alliance proposed: by whom, to whom, and the rider beside the proposer's herd."""

    seat: int
    target: int
    card: str


class Turn(Struct, frozen=True, gc=False):
    """Whose turn it is, how many actions are left of it, and what may still be done beside them."""

    seat: int
    left: int = 2
    has_gifted: bool = False  # the gift that allies may exchange for nothing has been made
    may_score: bool = False
    """A raid has just been repelled by a weapon so strong that a feat may follow."""


class Opening(Struct, frozen=True, tag=True):
    """Before the first turn: the table says who is the oldest."""


class Joining(Struct, frozen=True, gc=False, tag=True):
    """One after the other chooses a clan."""

    seat: int


class Turning(Struct, frozen=True, gc=False, tag=True):
    """Cards are turned up for the next clan."""

    seat: int
    by: str = "display-left"  # the rule by which they are


class Taking(Struct, frozen=True, gc=False, tag=True):
    """A turn begins: so many cards of the display are still to be taken."""

    turn: Turn
    count: int


class Returning(Struct, frozen=True, gc=False, tag=True):
    """A raid has succeeded: its clan says whether it scores a feat."""

    turn: Turn
    raid: Raid


class Acting(Struct, frozen=True, gc=False, tag=True):
    """A clan chooses what to do."""

    turn: Turn


class Deed(Struct, frozen=True, gc=False, tag=True):
    """Something that needs cards: they are laid one by one."""

    turn: Turn
    word: str
    target: int = -1
    laid: tuple[str, ...] = ()


class Hunting(Struct, frozen=True, gc=False, tag=True):
    """A hunter has drawn, and discards as many."""

    turn: Turn
    count: int


class Gifting(Struct, frozen=True, gc=False, tag=True):
    """A gift lies face down before another clan, which gives a card for it."""

    turn: Turn
    target: int
    is_free: bool = False  # allies exchange it for nothing


class Proving(Struct, frozen=True, gc=False, tag=True):
    """A clan that was taunted proves its worth, or doesn't."""

    turn: Turn
    target: int


class Over(Struct, frozen=True, tag=True):
    """Winter is over."""


Stage = Opening | Joining | Turning | Taking | Returning | Acting | Deed | Hunting | Gifting | Proving | Over


class State(Struct, frozen=True, gc=False):
    """All that the referee knows. A clan has its seat's number; a clan that two players share is the last."""

    house: House
    players: int
    clans: tuple[Clan, ...]
    stage: Stage
    pile: int
    plain: int
    elder: int = 0
    round: int = 0
    display: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    raids: tuple[Raid, ...] = ()
    proposals: tuple[Proposal, ...] = ()


def turn_of(state: State) -> Turn | None:
    return getattr(state.stage, "turn", None)


@cache
def turn_order(players: int, elder: int) -> tuple[int, ...]:
    """List the clans as they play, from the elder to the right; the neutral one is between two players."""
    return (elder, 2, 1 - elder) if players == 2 else tuple((elder - step) % players for step in range(players))


def next_clan(state: State, seat: int) -> int:
    clans = turn_order(state.players, state.elder)
    return clans[(clans.index(seat) + 1) % len(clans)]


def has_turn_left(state: State, seat: int, other: int) -> bool:
    """Return whether another clan is in turn again, after a clan's turn and before the match ends."""
    clans = turn_order(state.players, state.elder)
    return state.round < ROUNDS or clans.index(other) > clans.index(seat)


def player_of(state: State, seat: int) -> int:
    """Say who speaks for a clan: its player; of two, the elder plays the neutral one in odd rounds."""
    if seat < state.players:
        return seat
    return state.elder if state.round % 2 or not state.round else 1 - state.elder


def holder(state: State, seat: int) -> int:
    """Give the seat whose hand a clan plays from: its own, or by a house rule that of its player."""
    return seat if state.house.neutral_hand == "own" else player_of(state, seat)


def is_winter(state: State) -> bool:
    return state.round >= WINTER


def with_clan(state: State, seat: int, **changes: object) -> State:
    clans = state.clans
    return replace(state, clans=(*clans[:seat], replace(clans[seat], **changes), *clans[seat + 1 :]))


def with_horses(state: State, seat: int, horses: int) -> State:
    return with_clan(state, seat, herd=state.clans[seat].herd + horses)


def seat_of(state: State, colour: str) -> int | None:
    for seat, clan in enumerate(state.clans):
        if clan.colour == colour:
            return seat
    return None


def ally(state: State, seat: int) -> int | None:
    """Say which clan in play is a clan's ally; None also for the ally of a neutral clan."""
    bond = state.clans[seat].bond
    return seat_of(state, CLAN[bond]) if bond else None


def raid_on(state: State, seat: int) -> Raid | None:
    for raid in state.raids:
        if raid.target == seat:
            return raid
    return None


def proposal_to(state: State, seat: int) -> Proposal | None:
    """Find the open proposal to a clan: there is one at most."""
    for proposal in state.proposals:
        if proposal.target == seat:
            return proposal
    return None


def is_raiding(state: State, seat: int, target: int) -> bool:
    raid = raid_on(state, target)
    return raid is not None and raid.seat == seat


def is_proposing(state: State, seat: int, target: int) -> bool:
    proposal = proposal_to(state, target)
    return proposal is not None and proposal.seat == seat


def markers(state: State, seat: int) -> int:
    """Count a clan's markers that aren't out on a raid."""
    return MARKERS - [raid.seat for raid in state.raids].count(seat)


def plain_markers(state: State, seat: int) -> int:
    """Count a clan's markers at home that show their raid side."""
    turned = state.clans[seat].feats - sum(1 for raid in state.raids if raid.seat == seat and raid.is_feat)
    return max(0, markers(state, seat) - max(0, turned))


def may_gain(state: State, seat: int) -> bool:
    return state.house.renown_cap == "none" or state.clans[seat].feats < state.house.renown_cap


@cache
def worth(faces: tuple[str, ...]) -> int:
    return sum([VALUE[face] for face in faces])


Rulings = tuple[Ruling, ...]
Pairs = Iterable[tuple[str, ...]]

SHOWN = 4
ALIKE = 3  # cards alike that sweep the display away
HAND = 3
_ORDER = {face: place for place, face in enumerate(FACES)}
REMEMBERED = 256  # counts of discards that are kept: a few of them are asked for again and again


def unseen_cards(state: State) -> dict[str, int]:
    """Count the cards that lie in the pile, or in a hand that hasn't been seen to take them."""
    left = without(_undiscarded(state.discard), state.display)
    for raid in state.raids:
        for face in raid.riders:
            left[face] -= 1
    for proposal in state.proposals:
        left[proposal.card] -= 1
    for clan in state.clans:
        if clan.bond:
            left[clan.bond] -= 1
        left[STAFF] -= clan.is_taunted
        for face in clan.known:
            left[face] -= 1
    return left


@lru_cache(REMEMBERED)
def _undiscarded(discard: tuple[str, ...]) -> Mapping[str, int]:
    """Count the cards that aren't among the discards, which grow by one now and then."""
    return without(PLENTY_COUPS.counts, discard)


def most_held(state: State, seat: int) -> dict[str, int]:
    """Count of each face how many a clan can hold at most, by what all have seen."""
    clan = state.clans[holder(state, seat)]
    hidden = clan.cards - len(clan.known)
    most = unseen_cards(state) if hidden else dict.fromkeys(FACES, 0)
    for face in GOODS:
        most[face] = min(most[face], hidden)
    for face in clan.known:
        most[face] += 1
    return most


def rider_pairs(state: State, seat: int, most: Mapping[str, int]) -> Pairs:
    """List the pairs of riders of one clan that a hand can hold, best first; `most` limits each card."""
    pairs = (pair for pair in RIDER_PAIRS if most[pair[0]] and most[pair[1]])
    return _possible_pairs(state, seat, pairs)


def weapon_pairs(state: State, seat: int, most: Mapping[str, int]) -> Pairs:
    """List the pairs of weapons that a hand can hold; `most` is its limit for each card."""
    pairs = ((one, two) for one, two in WEAPON_PAIRS if most[one] > (one == two) and most[two])
    return _possible_pairs(state, seat, pairs)


def _possible_pairs(state: State, seat: int, pairs: Pairs) -> Pairs:
    """Keep the pairs that fit: no more of it unseen than the hand has unseen cards."""
    clan = state.clans[holder(state, seat)]
    hidden, known = clan.cards - len(clan.known), clan.known

    def unseen_of(pair: tuple[str, ...]) -> int:
        return sum([max(0, pair.count(face) - known.count(face)) for face in set(pair)])

    return pairs if hidden > 1 else (pair for pair in pairs if unseen_of(pair) <= hidden)


def with_card_taken(state: State, seat: int, face: str) -> State:
    """Take a card of the display into the hand: all have seen it."""
    display = list(state.display)
    display.remove(face)
    who = holder(state, seat)
    clan = state.clans[who]
    known = tuple(sorted((*clan.known, face)))
    return replace(with_clan(state, who, cards=clan.cards + 1, known=known), display=tuple(display))


def with_cards_laid(state: State, seat: int, faces: Iterable[str]) -> State:
    who = holder(state, seat)
    clan = state.clans[who]
    known, cards = list(clan.known), clan.cards
    for face in faces:
        cards -= 1
        if face in known:
            known.remove(face)
    return with_clan(state, who, cards=cards, known=tuple(known))


def with_discarded(state: State, faces: Iterable[str]) -> State:
    return replace(state, discard=(*state.discard, *faces))


def with_hand_discarded(state: State, seat: int, faces: tuple[str, ...]) -> State:
    return with_discarded(with_cards_laid(state, seat, faces), faces)


def draw_cards(state: State, seat: int, count: int, rule: str) -> tuple[State, Rulings]:
    """Draw hidden cards by a rule; an empty pile is made anew of the discards on the way."""
    told: Rulings = ()
    while count and (state.pile or state.discard):
        if not state.pile:
            state, said = renew_pile(state)
            told += said
        now = min(count, state.pile)
        who = holder(state, seat)
        state = with_clan(state, who, cards=state.clans[who].cards + now)
        state = replace(state, pile=state.pile - now)
        told += (make_ruling("draws", rule, seat=seat, count=now),)
        count -= now
    return state, told


def renew_pile(state: State) -> tuple[State, Rulings]:
    state = replace(state, pile=state.pile + len(state.discard), discard=())
    return state, (make_ruling("pile-renewed", "pile-renewed"),)


def with_cards_exchanged(state: State, seat: int, target: int) -> State:
    """Let two hands exchange a hidden card each, so that nothing is certain of them any more."""
    for who in (holder(state, seat), holder(state, target)):
        state = with_clan(state, who, known=())
    return state


def is_swept(display: tuple[str, ...]) -> bool:
    """Return whether three cards of the display are alike: then all of it goes."""
    kinds = [KIND[face] for face in display]
    return any(kinds.count(kind) >= ALIKE for kind in kinds)


def sorted_faces(faces: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(faces, key=_ORDER.__getitem__))
