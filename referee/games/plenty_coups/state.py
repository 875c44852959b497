"""Plenty Coups' cards, house rules and match state, and the public limits of each hand."""

from collections.abc import Iterable, Iterator, Mapping
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
GOODS = (*WEAPONS, HORSE, STAFF)  # faces with several identical cards

PLENTY_COUPS = Deck(
    "plenty-coups",
    {**dict.fromkeys(RIDERS, 1), **dict.fromkeys(WEAPONS, 4), HORSE: 10, STAFF: 8},
    suits={**RIDERS_OF, "goods": GOODS},
)

FACES = tuple(PLENTY_COUPS.counts)
VALUE = {face: int(face[-1]) for face in (*RIDERS, *WEAPONS)}
CLAN = {face: face[:-2] for face in RIDERS}
KIND = {face: f"rider-{face[-1]}" if face in CLAN else face for face in FACES}
"""Groups of cards alike on the display: riders of one value count as alike across clans."""
PROOFS = (*(face for face, value in VALUE.items() if value == 4), STAFF)
"""Cards that prove one's worth."""
SINGLE_RIDERS = tuple((rider,) for rider in sorted(RIDERS, key=VALUE.__getitem__, reverse=True))
RIDER_PAIRS = tuple(
    sorted(
        (pair for riders in RIDERS_OF.values() for pair in combinations(riders, 2)),
        key=lambda pair: VALUE[pair[0]] + VALUE[pair[1]],
        reverse=True,
    )
)
WEAPON_PAIRS = tuple(combinations_with_replacement(WEAPONS, 2))

_ORDER = {face: place for place, face in enumerate(FACES)}
MAX_WINDOW_SECONDS = 120  # maximum length in seconds of the time limit
SHOWN = 4
ALIKE = 3  # number of cards alike that clear the display
HAND = 3
CACHE_SIZE = 256  # cache size for discard counts, which are requested repeatedly


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules of Plenty Coups."""

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
Riders = tuple[str, ...]  # cards of one clan that ride together, or cards for an action
MARKERS = 4  # two-sided markers per clan, for raids and renown
ROUNDS = 12
WINTER = 10  # first round of winter


class Clan(Struct, frozen=True, gc=False):
    """A clan in play: colour, herd, renown from markers, and hand."""

    colour: str = ""
    herd: int = 1
    feats: int = 0  # Renown that doesn't come from the herd: the number of markers on that side.
    cards: int = 0
    known: tuple[str, ...] = ()
    """Cards it took in public and must still hold, in alphabetical order."""
    bond: str = ""  # rider of an allied clan behind its camp
    is_taunted: bool = False
    has_proved: bool = False
    """Whether its hand proved its worth with a card, and is refilled on its next turn."""


class Raid(Struct, frozen=True, gc=False):
    """A raid on its way: raider, target, riders, strength, and the marker's side."""

    seat: int
    target: int
    riders: tuple[str, ...]
    value: int  # sum of the riders' values, with a bonus of one for own riders
    is_feat: bool = False  # whether its marker already shows renown, so that it can't bring any


class Proposal(Struct, frozen=True, gc=False):
    """A proposed alliance: proposer, target, and the rider beside the proposer's herd."""

    seat: int
    target: int
    card: str


class Turn(Struct, frozen=True, gc=False):
    """The clan in turn, its remaining actions, and its free options."""

    seat: int
    left: int = 2
    has_gifted: bool = False  # whether the free gift between allies has been made
    may_score: bool = False
    """Whether a raid was just repelled by a weapon strong enough for a feat."""


class Opening(Struct, frozen=True, tag=True):
    """Before the first turn: the table names the oldest player."""


class Joining(Struct, frozen=True, gc=False, tag=True):
    """Players choose their clans in turn."""

    seat: int


class Turning(Struct, frozen=True, gc=False, tag=True):
    """Cards are turned up for the next clan."""

    seat: int
    by: str = "display-left"  # rule for turning them up


class Taking(Struct, frozen=True, gc=False, tag=True):
    """A turn begins: the number of display cards still to take."""

    turn: Turn
    count: int


class Returning(Struct, frozen=True, gc=False, tag=True):
    """A raid has succeeded: its clan chooses whether to score a feat."""

    turn: Turn
    raid: Raid


class Acting(Struct, frozen=True, gc=False, tag=True):
    """A clan chooses an action."""

    turn: Turn


class Deed(Struct, frozen=True, gc=False, tag=True):
    """An action that needs cards, placed one by one."""

    turn: Turn
    word: str
    target: int = -1
    laid: tuple[str, ...] = ()


class Hunting(Struct, frozen=True, gc=False, tag=True):
    """A hunter has drawn cards, and discards as many."""

    turn: Turn
    count: int


class Gifting(Struct, frozen=True, gc=False, tag=True):
    """A gift is face down before another clan, which returns a card."""

    turn: Turn
    target: int
    is_free: bool = False  # whether allies exchange it without a cost


class Proving(Struct, frozen=True, gc=False, tag=True):
    """A taunted clan proves its worth, or accepts the loss."""

    turn: Turn
    target: int


class Over(Struct, frozen=True, tag=True):
    """Winter is over."""


Stage = Opening | Joining | Turning | Taking | Returning | Acting | Deed | Hunting | Gifting | Proving | Over


class State(Struct, frozen=True, gc=False):
    """Everything the referee knows. Clans are numbered like seats; the neutral clan comes last."""

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
        """Return whether another clan has a turn left after this clan's, before the match ends."""
        clans = turn_order(self.players, self.elder)
        return self.round < ROUNDS or clans.index(other) > clans.index(seat)

    def player_of(self, seat: int) -> int:
        """Return the player who answers for a clan; the elder plays the neutral clan in odd rounds."""
        if seat < self.players:
            return seat
        return self.elder if self.round % 2 or not self.round else 1 - self.elder

    def holder(self, seat: int) -> int:
        """Return the seat whose hand a clan uses: its own, or by a house rule its player's."""
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
        for seat, clan in enumerate(self.clans):
            if clan.colour == colour:
                return seat
        return None

    def ally(self, seat: int) -> int | None:
        """Return a clan's ally in play; None also for the ally of a neutral clan."""
        bond = self.clans[seat].bond
        return self.seat_of(CLAN[bond]) if bond else None

    def raid_on(self, seat: int) -> Raid | None:
        for raid in self.raids:
            if raid.target == seat:
                return raid
        return None

    def proposal_to(self, seat: int) -> Proposal | None:
        """Return the open proposal to a clan, or None; there is at most one."""
        for proposal in self.proposals:
            if proposal.target == seat:
                return proposal
        return None

    def is_raiding(self, seat: int, target: int) -> bool:
        raid = self.raid_on(target)
        return raid is not None and raid.seat == seat

    def is_proposing(self, seat: int, target: int) -> bool:
        proposal = self.proposal_to(target)
        return proposal is not None and proposal.seat == seat

    def markers(self, seat: int) -> int:
        """Return the number of a clan's markers that aren't on a raid."""
        return MARKERS - [raid.seat for raid in self.raids].count(seat)

    def plain_markers(self, seat: int) -> int:
        """Return the number of a clan's markers at home on their raid side."""
        turned = self.clans[seat].feats - sum(1 for raid in self.raids if raid.seat == seat and raid.is_feat)
        return max(0, self.markers(seat) - max(0, turned))

    def may_gain(self, seat: int) -> bool:
        return self.house.renown_cap == "none" or self.clans[seat].feats < self.house.renown_cap

    @property
    def unseen_cards(self) -> dict[str, int]:
        """Return the counts of cards in the pile or in hands, without those taken in public."""
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
        """Return the maximum of each face in a clan's hand, judging by public information."""
        clan = self.clans[self.holder(seat)]
        hidden = clan.cards - len(clan.known)
        most = self.unseen_cards if hidden else dict.fromkeys(FACES, 0)
        for face in GOODS:
            most[face] = min(most[face], hidden)
        for face in clan.known:
            most[face] += 1
        return most

    def pairs_held(self, seat: int, pairs: Iterable[Riders], most: Mapping[str, int]) -> Iterator[Riders]:
        """Yield the pairs that a hand may hold, given the maximum of each card and its unknown cards."""
        clan = self.clans[self.holder(seat)]
        hidden, known = clan.cards - len(clan.known), clan.known
        for one, two in pairs:
            if most[one] > (one == two) and most[two]:
                unseen = (one not in known) + (two not in known if one != two else known.count(one) < 2)
                if unseen <= hidden:
                    yield one, two

    def with_card_taken(self, seat: int, face: str) -> Self:
        """Take a card from the display in public."""
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
        """Exchange a hidden card between two hands; afterwards, no card of theirs is certain."""
        own = self.with_clan(self.holder(seat), known=())
        return own.with_clan(self.holder(target), known=())


@cache
def turn_order(players: int, elder: int) -> tuple[int, ...]:
    """Return the clans in turn order, from the elder to the right; the neutral one sits between two players."""
    return (elder, 2, 1 - elder) if players == 2 else tuple((elder - step) % players for step in range(players))


@cache
def worth(faces: Riders) -> int:
    return sum([VALUE[face] for face in faces])


def draw_cards(state: State, seat: int, count: int, rule: str) -> tuple[State, Rulings]:
    """Draw hidden cards by a rule; an empty pile is rebuilt from the discards."""
    rulings: Rulings = ()
    while count and (state.pile or state.discard):
        if not state.pile:
            state, ruling = renew_pile(state)
            rulings += ruling
        now = min(count, state.pile)
        who = state.holder(seat)
        state = state.with_clan(who, cards=state.clans[who].cards + now)
        state = replace(state, pile=state.pile - now)
        rulings += (make_ruling("draws", rule, seat=seat, count=now),)
        count -= now
    return state, rulings


def renew_pile(state: State) -> tuple[State, Rulings]:
    state = replace(state, pile=state.pile + len(state.discard), discard=())
    return state, (make_ruling("pile-renewed", "pile-renewed"),)


def is_swept(display: tuple[str, ...]) -> bool:
    """Return whether three display cards are alike, which clears the display."""
    kinds = [KIND[face] for face in display]
    return any(kinds.count(kind) >= ALIKE for kind in kinds)


def sorted_faces(faces: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(faces, key=_ORDER.__getitem__))
