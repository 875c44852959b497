"""Plenty Coups' cards and house rules, the state of a match, and what a hand can hold by what all have seen."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Literal, Self

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

_ORDER = {face: place for place, face in enumerate(FACES)}
LONGEST = 120  # the range of seconds that people are willing to wait
SHOWN = 4
ALIKE = 3  # cards alike that sweep the display away
HAND = 3
REMEMBERED = 256  # counts of discards that are kept: a few of them are asked for again and again


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

Rulings = tuple[Ruling, ...]
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

    @property
    def turn(self) -> Turn | None:
        return getattr(self.stage, "turn", None)

    def next_clan(self, seat: int) -> int:
        clans = turn_order(self.players, self.elder)
        return clans[(clans.index(seat) + 1) % len(clans)]

    def has_turn_left(self, seat: int, other: int) -> bool:
        """Return whether another clan is in turn again, after a clan's turn and before the match ends."""
        clans = turn_order(self.players, self.elder)
        return self.round < ROUNDS or clans.index(other) > clans.index(seat)

    def player_of(self, seat: int) -> int:
        """Say who speaks for a clan: its player; of two, the elder plays the neutral one in odd rounds."""
        if seat < self.players:
            return seat
        return self.elder if self.round % 2 or not self.round else 1 - self.elder

    def holder(self, seat: int) -> int:
        """Give the seat whose hand a clan plays from: its own, or by a house rule that of its player."""
        return seat if self.house.neutral_hand == "own" else self.player_of(seat)

    @property
    def is_winter(self) -> bool:
        return self.round >= WINTER

    def with_clan(self, seat: int, **changes: object) -> Self:
        clans = self.clans
        return replace(self, clans=(*clans[:seat], replace(clans[seat], **changes), *clans[seat + 1 :]))

    def with_horses(self, seat: int, horses: int) -> Self:
        return self.with_clan(seat, herd=self.clans[seat].herd + horses)

    def seat_of(self, colour: str) -> int | None:
        return next((seat for seat, clan in enumerate(self.clans) if clan.colour == colour), None)

    def ally(self, seat: int) -> int | None:
        """Say which clan in play is a clan's ally; None also for the ally of a neutral clan."""
        bond = self.clans[seat].bond
        return self.seat_of(CLAN[bond]) if bond else None

    def raid_on(self, seat: int) -> Raid | None:
        for raid in self.raids:
            if raid.target == seat:
                return raid
        return None

    def proposal_to(self, seat: int) -> Proposal | None:
        """Find the open proposal to a clan: there is one at most."""
        return next((proposal for proposal in self.proposals if proposal.target == seat), None)

    def is_raiding(self, seat: int, target: int) -> bool:
        raid = self.raid_on(target)
        return raid is not None and raid.seat == seat

    def is_proposing(self, seat: int, target: int) -> bool:
        proposal = self.proposal_to(target)
        return proposal is not None and proposal.seat == seat

    def markers(self, seat: int) -> int:
        """Count a clan's markers that aren't out on a raid."""
        return MARKERS - [raid.seat for raid in self.raids].count(seat)

    def plain_markers(self, seat: int) -> int:
        """Count a clan's markers at home that show their raid side."""
        turned = self.clans[seat].feats - sum(1 for raid in self.raids if raid.seat == seat and raid.is_feat)
        return max(0, self.markers(seat) - max(0, turned))

    def may_gain(self, seat: int) -> bool:
        return self.house.renown_cap == "none" or self.clans[seat].feats < self.house.renown_cap

    @property
    def unseen_cards(self) -> dict[str, int]:
        """Count the cards that lie in the pile, or in a hand that hasn't been seen to take them."""
        left = without(PLENTY_COUPS.counts, (*self.discard, *self.display))
        for raid in self.raids:
            for face in raid.riders:
                left[face] -= 1
        for proposal in self.proposals:
            left[proposal.card] -= 1
        for clan in self.clans:
            if clan.bond:
                left[clan.bond] -= 1
            left[STAFF] -= clan.is_taunted
            for face in clan.known:
                left[face] -= 1
        return left

    def most_held(self, seat: int) -> dict[str, int]:
        """Count how many of each face a clan may hold at most, as far as all players can tell."""
        clan = self.clans[self.holder(seat)]
        hidden = clan.cards - len(clan.known)
        most = self.unseen_cards if hidden else dict.fromkeys(FACES, 0)
        for face in GOODS:
            most[face] = min(most[face], hidden)
        for face in clan.known:
            most[face] += 1
        return most

    def pairs_held(self, seat: int, pairs: Iterable[Riders]) -> Iterator[Riders]:
        """Keep the pairs that a hand can hold: of each card so many at most, and no more unseen than it has."""
        clan, most = self.clans[self.holder(seat)], self.most_held(seat)
        hidden, known = clan.cards - len(clan.known), clan.known
        for one, two in pairs:
            unseen = (one not in known) + (two not in known if one != two else known.count(one) < 2)
            if most[one] > (one == two) and most[two] and unseen <= hidden:
                yield one, two

    def with_card_taken(self, seat: int, face: str) -> Self:
        """Take a card of the display into the hand: all have seen it."""
        display = list(self.display)
        display.remove(face)
        who = self.holder(seat)
        clan = self.clans[who]
        known = tuple(sorted((*clan.known, face)))
        return replace(self.with_clan(who, cards=clan.cards + 1, known=known), display=tuple(display))

    def with_cards_laid(self, seat: int, faces: Iterable[str]) -> Self:
        who = self.holder(seat)
        clan = self.clans[who]
        known, cards = list(clan.known), clan.cards
        for face in faces:
            cards -= 1
            if face in known:
                known.remove(face)
        return self.with_clan(who, cards=cards, known=tuple(known))

    def with_discarded(self, faces: Iterable[str]) -> Self:
        return replace(self, discard=(*self.discard, *faces))

    def with_hand_discarded(self, seat: int, faces: tuple[str, ...]) -> Self:
        return self.with_cards_laid(seat, faces).with_discarded(faces)

    def with_cards_exchanged(self, seat: int, target: int) -> Self:
        """Let two hands exchange a hidden card each, so that nothing is certain of them any more."""
        own = self.with_clan(self.holder(seat), known=())
        return own.with_clan(self.holder(target), known=())


@cache
def turn_order(players: int, elder: int) -> tuple[int, ...]:
    """List the clans as they play, from the elder to the right; the neutral one is between two players."""
    return (elder, 2, 1 - elder) if players == 2 else tuple((elder - step) % players for step in range(players))


@cache
def worth(faces: Riders) -> int:
    return sum([VALUE[face] for face in faces])


def draw_cards(state: State, seat: int, count: int, rule: str) -> tuple[State, Rulings]:
    """Draw hidden cards by a rule; an empty pile is made anew of the discards on the way."""
    told: Rulings = ()
    while count and (state.pile or state.discard):
        if not state.pile:
            state, said = renew_pile(state)
            told += said
        now = min(count, state.pile)
        who = state.holder(seat)
        state = state.with_clan(who, cards=state.clans[who].cards + now)
        state = replace(state, pile=state.pile - now)
        told += (make_ruling("draws", rule, seat=seat, count=now),)
        count -= now
    return state, told


def renew_pile(state: State) -> tuple[State, Rulings]:
    state = replace(state, pile=state.pile + len(state.discard), discard=())
    return state, (make_ruling("pile-renewed", "pile-renewed"),)


def is_swept(display: tuple[str, ...]) -> bool:
    """Return whether three cards of the display are alike: then all of it goes."""
    kinds = [KIND[face] for face in display]
    return any(kinds.count(kind) >= ALIKE for kind in kinds)


def sorted_faces(faces: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(faces, key=_ORDER.__getitem__))
