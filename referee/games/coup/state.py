"""The state of a match of Coup: coins, open cards, what is claimed; never a hidden card."""

from functools import cache, lru_cache

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Option
from referee.games.coup.house import COINS, House

INFLUENCE = 2
"""Cards that each player begins with."""
REMEMBERED = 1024
"""Open cards of whole tables that are kept, with the seats that are still in play."""


class DeclaredAction(Struct, frozen=True, gc=False):
    """The action of a turn: the seat, the action and its target."""

    seat: int
    word: str
    target: int | None = None


class Block(Struct, frozen=True, gc=False):
    """A block: the seat that blocks, and as which character."""

    seat: int
    face: str


class Objection(Struct, frozen=True, gc=False):
    """A challenge or a block that was called in a window, and the seat that called it."""

    seat: int
    option: Option


class Opening(Struct, frozen=True, tag=True):
    """Before the first turn: the table says who begins."""


class Turn(Struct, frozen=True, gc=False, tag=True):
    """A seat chooses its action."""

    seat: int


class Window(Struct, frozen=True, gc=False, tag=True):
    """A window: the seats that may still object to an action or to a block."""

    deed: DeclaredAction
    number: int
    waiting: tuple[int, ...]
    """Seats that have not spoken yet, clockwise from the one in turn."""
    block: Block | None = None
    """The block that may be challenged; None while the action itself is open."""
    is_proven: bool = False
    """Whether the action's character was shown, so that it can only be blocked."""
    said: tuple[Objection, ...] = ()
    is_counting: bool = False
    """Whether the clock runs, because the claimant asked for objections."""


class Proving(Struct, frozen=True, gc=False, tag=True):
    """The claimant of an action or a block has to show the character to a challenger."""

    deed: DeclaredAction
    block: Block | None
    challenger: int


class Swapping(Struct, frozen=True, gc=False, tag=True):
    """House rule: the seat that showed a character chooses whether to swap it."""

    proving: Proving


class Attack(Struct, frozen=True, gc=False, tag=True):
    """An influence is lost to a coup or an Assassin."""


class Lost(Struct, frozen=True, gc=False, tag=True):
    """An influence is lost by a challenge: the challenger's, or that of a claimant without proof."""

    proving: Proving
    is_proven: bool


class Losing(Struct, frozen=True, gc=False, tag=True):
    """A seat turns up one of its cards of its own choice."""

    seat: int
    deed: DeclaredAction
    why: Attack | Lost


class Exchanging(Struct, frozen=True, gc=False, tag=True):
    """A seat chooses among its own cards and two of the Court."""

    deed: DeclaredAction


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


class State(Struct, frozen=True, gc=False):
    """All that the referee knows of a match."""

    house: House
    coins: tuple[int, ...]
    lost: tuple[tuple[str, ...], ...]
    """The cards that lie open before each seat."""
    stage: Stage
    tallies: tuple[BluffTally, ...]
    windows: int = 0
    """The number of windows so far; it tells windows apart."""


def alive(state: State) -> tuple[int, ...]:
    """List the seats that still have influence."""
    return _with_hidden_cards(state.lost)


@lru_cache(REMEMBERED)
def _with_hidden_cards(lost: tuple[tuple[str, ...], ...]) -> tuple[int, ...]:
    return tuple([seat for seat, cards in enumerate(lost) if len(cards) < INFLUENCE])


def influence(state: State, seat: int) -> int:
    """Count a seat's hidden cards."""
    return INFLUENCE - len(state.lost[seat])


def treasury(state: State) -> int:
    """Count the coins in the Treasury."""
    return COINS - sum(state.coins)


def open_cards(state: State) -> tuple[str, ...]:
    """List all cards that lie open."""
    return tuple([card for cards in state.lost for card in cards])


def clockwise(state: State, seat: int) -> tuple[int, ...]:
    """List the seats that still have influence, clockwise from the next one."""
    return _seats_after(alive(state), seat)


@cache
def _seats_after(living: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple([other for other in living if other > seat] + [other for other in living if other < seat])


def claimant(deed: DeclaredAction, block: Block | None) -> int:
    """Give the seat that claims: the blocker if there is one, else the acting seat."""
    return deed.seat if block is None else block.seat


def with_coins(state: State, seat: int, coins: int) -> State:
    """Give a seat coins of the Treasury, or take them from it."""
    purse = state.coins
    return replace(state, coins=(*purse[:seat], purse[seat] + coins, *purse[seat + 1 :]))


def with_tally_raised(
    state: State,
    seat: int,
    *,
    claims: int = 0,
    proven: int = 0,
    caught: int = 0,
    challenges: int = 0,
    right: int = 0,
) -> State:
    """Add to a seat's tally."""
    tallies, was = state.tallies, state.tallies[seat]
    now = BluffTally(
        was.claims + claims,
        was.proven + proven,
        was.caught + caught,
        was.challenges + challenges,
        was.right + right,
    )
    return replace(state, tallies=(*tallies[:seat], now, *tallies[seat + 1 :]))
