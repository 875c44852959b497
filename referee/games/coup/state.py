"""The state of a match of Coup: coins, open cards, what is claimed; never a hidden card."""

from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Option
from referee.games.coup.house import COINS, House

INFLUENCE = 2
"""Cards that everybody begins with."""


class DeclaredAction(Struct, frozen=True, gc=False):
    """The action of a turn: who does what, and to whom."""

    seat: int
    word: str
    target: int | None = None


class Block(Struct, frozen=True, gc=False):
    """Who blocks an action, and as which character."""

    seat: int
    face: str


class Objection(Struct, frozen=True, gc=False):
    """A challenge or a block that was called in a window, and by whom."""

    seat: int
    option: Option


class Opening(Struct, frozen=True, tag=True):
    """Before the first turn: the table says who begins."""


class Turn(Struct, frozen=True, gc=False, tag=True):
    """A seat chooses its action."""

    seat: int


class Window(Struct, frozen=True, gc=False, tag=True):
    """Who may still object to an action, or to a block."""

    deed: DeclaredAction
    number: int
    waiting: tuple[int, ...]
    """Seats that have not spoken yet, clockwise from the one in turn."""
    block: Block | None = None
    """The block that may be challenged; nothing while it is the action itself."""
    is_proven: bool = False
    """The character of the action has been shown: it can only be blocked."""
    said: tuple[Objection, ...] = ()
    is_counting: bool = False
    """The clock runs, because it was asked whether anybody objects."""


class Proving(Struct, frozen=True, gc=False, tag=True):
    """Whoever claims a character, for an action or a block, has to show it to a challenger."""

    deed: DeclaredAction
    block: Block | None
    challenger: int


class Swapping(Struct, frozen=True, gc=False, tag=True):
    """House rule: whoever has shown a character says whether to swap it."""

    proving: Proving


class Attack(Struct, frozen=True, gc=False, tag=True):
    """An influence is lost to a coup or an assassin."""


class Lost(Struct, frozen=True, gc=False, tag=True):
    """An influence is lost for a challenge: by the challenger, or by whoever couldn't or wouldn't prove."""

    proving: Proving
    is_proven: bool


class Losing(Struct, frozen=True, gc=False, tag=True):
    """A seat turns one of its cards up, its own choice."""

    seat: int
    deed: DeclaredAction
    why: Attack | Lost


class Exchanging(Struct, frozen=True, gc=False, tag=True):
    """A seat chooses among its cards and two of the Court."""

    deed: DeclaredAction


class Over(Struct, frozen=True, tag=True):
    """The match has a winner."""

    winner: int


Stage = Opening | Turn | Window | Proving | Swapping | Losing | Exchanging | Over


class BluffTally(Struct, frozen=True, gc=False):
    """What can be said of how a seat has bluffed and doubted."""

    claims: int = 0
    proven: int = 0
    caught: int = 0
    challenges: int = 0
    right: int = 0


class State(Struct, frozen=True, gc=False):
    """All that the referee knows."""

    house: House
    coins: tuple[int, ...]
    lost: tuple[tuple[str, ...], ...]
    """The cards that lie open before each seat."""
    stage: Stage
    tallies: tuple[BluffTally, ...]
    windows: int = 0
    """How many windows have been opened; the number tells each from the others."""


def alive(state: State) -> tuple[int, ...]:
    """List the seats that still have influence."""
    return _with_less(tuple(map(len, state.lost)))


@cache
def _with_less(lost: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(seat for seat, cards in enumerate(lost) if cards < INFLUENCE)


def influence(state: State, seat: int) -> int:
    """Count a seat's hidden cards."""
    return INFLUENCE - len(state.lost[seat])


def treasury(state: State) -> int:
    """Count the coins that nobody has."""
    return COINS - sum(state.coins)


def open_cards(state: State) -> tuple[str, ...]:
    """List all cards that lie open."""
    return tuple([card for cards in state.lost for card in cards])


def clockwise(state: State, seat: int) -> tuple[int, ...]:
    """List the seats that still have influence, from the one after this."""
    return _seats_after(alive(state), seat)


@cache
def _seats_after(living: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple([other for other in living if other > seat] + [other for other in living if other < seat])


def claimant(deed: DeclaredAction, block: Block | None) -> int:
    """Say who claims: whoever blocks, else whoever acts."""
    return deed.seat if block is None else block.seat


def with_coins(state: State, seat: int, coins: int) -> State:
    """Give a seat coins of the Treasury, or take them from it."""
    purse = state.coins
    return replace(state, coins=(*purse[:seat], purse[seat] + coins, *purse[seat + 1 :]))


def with_tally_raised(state: State, seat: int, what: str) -> State:
    """Count one more of something that a seat has done."""
    tallies = state.tallies
    now = replace(tallies[seat], **{what: getattr(tallies[seat], what) + 1})
    return replace(state, tallies=(*tallies[:seat], now, *tallies[seat + 1 :]))
