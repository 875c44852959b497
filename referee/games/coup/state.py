"""Coup's cards, house rules and match state; the state contains no hidden card."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from referee.contract.cards import Deck, without
from referee.kit.claims import ClaimWindow
from referee.kit.options import seats_after

DUKE = "duke"
ASSASSIN = "assassin"
CAPTAIN = "captain"
AMBASSADOR = "ambassador"
CONTESSA = "contessa"
SUMMARY = "summary"
OF_EACH = 3
DECK = Deck(
    "coup",
    dict.fromkeys((DUKE, ASSASSIN, CAPTAIN, AMBASSADOR, CONTESSA), OF_EACH),
    {"duc": DUKE, "capitaine": CAPTAIN, "ambassadeur": AMBASSADOR, "comtesse": CONTESSA},
)
"""The Court; summary cards aren't part of it."""
COINS = 50
INFLUENCE = 2  # cards dealt to each player
PURSE = 2  # starting coins of each player
STOLEN = 2  # coins the Captain steals, if the target has them
DRAWN = 2  # cards the Ambassador draws
FORCED = 10  # number of coins from which a coup is mandatory
CACHE_SIZE = 1024  # cache size for tables' open cards and active seats


class Action(Struct, frozen=True):
    """An action from the summary card."""

    word: str
    said: str = ""
    """Ruling that announces it; empty for actions that cost nothing and can't be stopped."""
    claim: str | None = None
    cost: int = 0
    gain: int = 0
    aimed: bool = False  # whether it needs a target; only the target may block it
    blocked_by: tuple[str, ...] = ()


ACTIONS = {
    action.word: action
    for action in (
        Action("income", gain=1),
        Action("foreign-aid", "asks-aid", gain=2, blocked_by=(DUKE,)),
        Action("coup", "launches-coup", cost=7, aimed=True),
        Action("tax", "claims-tax", DUKE, gain=3),
        Action("assassinate", "claims-assassin", ASSASSIN, cost=3, aimed=True, blocked_by=(CONTESSA,)),
        Action("steal", "claims-captain", CAPTAIN, aimed=True, blocked_by=(AMBASSADOR, CAPTAIN)),
        Action("exchange", "claims-ambassador", AMBASSADOR),
    )
}
"""Actions in rule-book order: three general ones, four that claim a character."""


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules of Coup."""

    two_player_first_coin: Literal[2, 1] = 2
    steal_zero: Literal["allow", "forbid"] = "allow"
    challenger_may_block: bool = True
    swap_after_proof: Literal["mandatory", "optional"] = "mandatory"
    may_concede: bool = True
    priority: Literal["button", "clockwise"] = "button"
    window: Literal["all_pass", "timer"] = "all_pass"
    window_seconds: int = 8
    proof_seconds: int = 20
    bank_unlimited: bool = False


SETTINGS: dict[str, House] = {
    "rule text": House(),
    "other rules": House(
        two_player_first_coin=1,
        steal_zero="forbid",
        challenger_may_block=False,
        swap_after_proof="optional",
        may_concede=False,
        priority="clockwise",
        window="timer",
        bank_unlimited=True,
    ),
}


class Deed(Struct, frozen=True, gc=False):
    """The action of a turn, and the latest objection: a block, or a challenge of either."""

    seat: int
    word: str
    target: int | None = None
    blocker: int | None = None
    face: str | None = None
    challenger: int | None = None

    @property
    def claimant(self) -> int:
        return self.seat if self.blocker is None else self.blocker

    @property
    def claimed(self) -> str:
        return self.face or ACTIONS[self.word].claim or ""


class Opening(Struct, frozen=True, tag=True):
    """Before the first turn: the table names the first player."""


class Turn(Struct, frozen=True, gc=False, tag=True):
    """A seat chooses its action."""

    seat: int


class Window(ClaimWindow, frozen=True, gc=False, tag=True, kw_only=True):
    """The others may object to an action or a block."""

    deed: Deed
    is_proven: bool = False
    """Whether the action's character was shown, so that only a block is left."""


class Proving(Struct, frozen=True, gc=False, tag=True):
    """The claimant of an action or block must prove the character to a challenger."""

    deed: Deed


class Swapping(Struct, frozen=True, gc=False, tag=True):
    """House rule: the seat that showed a character chooses whether to swap it."""

    deed: Deed


class Losing(Struct, frozen=True, gc=False, tag=True):
    """A seat turns up one of its cards: the challenger, a disproved claimant, or the target."""

    deed: Deed
    seat: int
    is_proven: bool = False  # whether the challenged character was shown


class Exchanging(Struct, frozen=True, gc=False, tag=True):
    """A seat chooses among its own cards and two from the Court."""

    deed: Deed


class Over(Struct, frozen=True, tag=True):
    """The match has a winner."""

    winner: int


Stage = Opening | Turn | Window | Proving | Swapping | Losing | Exchanging | Over


class BluffTally(Struct, frozen=True, gc=False):
    """Public count of a seat's bluffs and challenges."""

    claims: int = 0
    proven: int = 0
    caught: int = 0
    challenges: int = 0
    right: int = 0


Tallies = tuple[BluffTally, ...]
LostCards = tuple[tuple[str, ...], ...]
"""Face-up cards of each seat."""


class State(Struct, frozen=True, gc=False):
    """Everything the referee knows about a match."""

    house: House
    coins: tuple[int, ...]
    lost: LostCards
    stage: Stage
    tallies: Tallies
    windows: int = 0  # number of windows so far; gives each window its own number
    fallen: tuple[int, ...] = ()  # seats without influence, in the order they left

    @property
    def alive(self) -> tuple[int, ...]:
        return _living(len(self.coins), self.fallen)

    def clockwise(self, seat: int) -> tuple[int, ...]:
        """Return the seats with influence, clockwise from the next one."""
        return _living_after(len(self.coins), self.fallen, seat)

    def influence(self, seat: int) -> int:
        return INFLUENCE - len(self.lost[seat])

    @property
    def treasury(self) -> int:
        return COINS - sum(self.coins)

    @property
    def open_cards(self) -> tuple[str, ...]:
        return tuple([card for cards in self.lost for card in cards])

    @property
    def hidden_cards(self) -> Mapping[str, int]:
        """The cards of the Court that aren't face up."""
        return _hidden(self.lost)

    def with_coins(self, seat: int, coins: int) -> Self:
        purses = list(self.coins)
        purses[seat] += coins
        return replace(self, coins=tuple(purses))


@lru_cache(CACHE_SIZE)
def _hidden(lost: LostCards) -> Mapping[str, int]:
    return without(DECK.counts, chain.from_iterable(lost))


@lru_cache(CACHE_SIZE)
def _living(count: int, fallen: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([seat for seat in range(count) if seat not in fallen])


@lru_cache(CACHE_SIZE)
def _living_after(count: int, fallen: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return seats_after(seat, count, fallen)


def raised(tallies: Tallies, seat: int, name: str) -> Tallies:
    after = list(tallies)
    after[seat] = _raised(tallies[seat], name)
    return tuple(after)


@lru_cache(CACHE_SIZE)
def _raised(tally: BluffTally, name: str) -> BluffTally:
    return replace(tally, **{name: getattr(tally, name) + 1})
