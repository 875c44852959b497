"""What is in the box of Coup, what can be agreed, and the state of a match: never a hidden card."""

from typing import Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from referee.contract.cards import Deck
from referee.kit.claims import ClaimWindow

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
"""The Court: the summary cards don't count."""
COINS = 50
INFLUENCE = 2  # cards that each player begins with
PURSE = 2  # coins that each player begins with
STOLEN = 2  # coins that the Captain takes, if the target has them
DRAWN = 2  # cards that the Ambassador draws
FORCED = 10  # from this many coins on, a turn can only be a coup
REMEMBERED = 1024  # open cards of whole tables that are kept, with the seats that are still in play


class Action(Struct, frozen=True):
    """An action as the summary card has it."""

    word: str
    said: str = ""
    """The ruling that announces it; empty where it can't be stopped and costs nothing."""
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
"""In the order of the rule book: three open to all, four that claim a character."""


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The house rules of Coup."""

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
    """The action of a turn, and what was last said against it: a block, a challenge of either."""

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
    """Before the first turn: the table says who begins."""


class Turn(Struct, frozen=True, gc=False, tag=True):
    """A seat chooses its action."""

    seat: int


class Window(ClaimWindow, frozen=True, gc=False, tag=True, kw_only=True):
    """The others may object to an action or to a block."""

    deed: Deed
    is_proven: bool = False
    """Whether the action's character was shown, so that it can only be blocked."""


class Proving(Struct, frozen=True, gc=False, tag=True):
    """The claimant of an action or a block has to show the character to a challenger."""

    deed: Deed


class Swapping(Struct, frozen=True, gc=False, tag=True):
    """House rule: the seat that showed a character chooses whether to swap it."""

    deed: Deed


class Losing(Struct, frozen=True, gc=False, tag=True):
    """A seat turns up one of its cards: the challenger, a claimant without proof, or else the target."""

    deed: Deed
    seat: int
    is_proven: bool = False  # whether the character was shown that was challenged


class Exchanging(Struct, frozen=True, gc=False, tag=True):
    """A seat chooses among its own cards and two of the Court."""

    deed: Deed


class Over(Struct, frozen=True, tag=True):
    """The match has a winner."""

    winner: int


Stage = Opening | Turn | Window | Proving | Swapping | Losing | Exchanging | Over


class BluffTally(Struct, frozen=True, gc=False):
    """What may be told of a seat's bluffs and challenges."""

    claims: int = 0
    proven: int = 0
    caught: int = 0
    challenges: int = 0
    right: int = 0


Tallies = tuple[BluffTally, ...]


class State(Struct, frozen=True, gc=False):
    """All that the referee knows of a match."""

    house: House
    coins: tuple[int, ...]
    lost: tuple[tuple[str, ...], ...]
    stage: Stage
    tallies: Tallies
    windows: int = 0  # the number of windows so far; it tells windows apart

    @property
    def alive(self) -> tuple[int, ...]:
        return tuple([seat for seat, cards in enumerate(self.lost) if len(cards) < INFLUENCE])

    def clockwise(self, seat: int) -> tuple[int, ...]:
        """List the seats that still have influence, clockwise from the next one."""
        living = self.alive
        return tuple([other for other in living if other > seat] + [other for other in living if other < seat])

    def influence(self, seat: int) -> int:
        return INFLUENCE - len(self.lost[seat])

    @property
    def treasury(self) -> int:
        return COINS - sum(self.coins)

    @property
    def open_cards(self) -> tuple[str, ...]:
        return tuple([card for cards in self.lost for card in cards])

    def with_coins(self, seat: int, coins: int) -> Self:
        purses = list(self.coins)
        purses[seat] += coins
        return replace(self, coins=tuple(purses))


def raised(tallies: Tallies, seat: int, name: str) -> Tallies:
    tally, after = tallies[seat], list(tallies)
    after[seat] = replace(tally, **{name: getattr(tally, name) + 1})
    return tuple(after)
