"""The state of a match of Coyote: what the referee has been told, and nothing that the rules hide."""

from functools import cache

from msgspec import Struct

from referee.games.coyote.house import House, deck_of


class Bid(Struct, frozen=True, gc=False):
    """A number that was said, by whom; approved means taken over from the one before."""

    seat: int
    number: int
    approved: bool = False
    double: bool = False


class PowerUse(Struct, frozen=True, gc=False):
    """A power that was used this round, and by whom."""

    word: str
    seat: int


class Opening(Struct, frozen=True, tag=True):
    """Before the first round: the table says who opens."""


class Bidding(Struct, frozen=True, gc=False, tag=True):
    """A round in progress: whose turn it is, and what has been said."""

    turn: int
    bids: tuple[Bid, ...] = ()
    fresh: bool = False
    """The last number was said a moment ago, and nobody has reacted."""
    obliged: bool = False
    """The seat in turn has to say a number."""
    caller: int | None = None
    """Who said "restart", and gets the turn after the new number."""
    refused: int | None = None
    """The number that may not be said again after "restart"."""
    bound: bool = False
    """The last number was said to the one who demanded it, so nobody else may be chosen to answer."""
    used: tuple[PowerUse, ...] = ()
    acted: tuple[int, ...] = ()
    """Seats that have used a power in their present turn."""
    extras: tuple[int, ...] = ()
    """Seats that wear a second card that they haven't seen."""
    opened: tuple[str, ...] = ()
    """Cards that lie open and count: turned up as an extra, or guessed right."""
    turned: int = 0
    """How many of the open cards are extras, beyond one card a player."""
    replaced: int = 0
    """How many cards have been covered by another and don't count."""
    retired: tuple[int, ...] = ()
    """Seats that guessed their card and are out of the round."""


class Turning(Struct, frozen=True, tag=True):
    """A card is turned up from the pile before a seat."""

    seat: int
    bidding: Bidding


class Guessing(Struct, frozen=True, tag=True):
    """A seat has named its own card and looks at it."""

    seat: int
    face: str
    bidding: Bidding


class Duel(Struct, frozen=True, gc=False, tag=True):
    """Who contests whose number, and how many marks the loser takes."""

    contester: int
    bidder: int
    number: int
    stake: int


class Closed(Struct, frozen=True, tag=True):
    """A round that ended without a duel, and who opens the next."""

    opener: int


class Revealing(Struct, frozen=True, gc=False, tag=True):
    """All cards go to the middle: to decide a duel, or only to be put away when the round is closed."""

    count: int
    bidding: Bidding
    end: Duel | Closed
    discard: tuple[str, ...]
    """The discards as they lay during the round, before a cave made a new pile of them."""
    shown: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    owners: tuple[int, ...] = ()


class Over(Struct, frozen=True, tag=True):
    """The match has a winner."""

    winner: int


Stage = Opening | Bidding | Turning | Guessing | Revealing | Over


class Verdict(Struct, frozen=True, gc=False):
    """What a duel came to: the total, and the number that it had to reach."""

    total: int
    number: int


class CountedRound(Struct, frozen=True, gc=False):
    """A round that has been counted, for what can be said about it afterwards."""

    bids: tuple[Bid, ...]
    cards: tuple[str, ...]
    owners: tuple[int, ...]
    discard: tuple[str, ...]
    plain: bool
    """One card a player: nobody drew, replaced or retired."""
    verdict: Verdict | None = None
    """What the duel came to, where there was one."""


class State(Struct, frozen=True, gc=False):
    """All that the referee knows."""

    house: House
    marks: tuple[int, ...]
    stage: Stage
    round: int = 0
    way: int = 1
    """1: clockwise, -1: the other way."""
    discard: tuple[str, ...] = ()
    fallen: tuple[int, ...] = ()
    told: CountedRound | None = None


def alive(state: State) -> tuple[int, ...]:
    """List the seats that are still in the match."""
    return _with_less(state.marks, state.house.limit)


@cache
def _with_less(marks: tuple[int, ...], limit: int) -> tuple[int, ...]:
    return tuple(seat for seat, worn in enumerate(marks) if worn < limit)


def bidders(state: State, bidding: Bidding) -> tuple[int, ...]:
    """List the seats that are still in the round."""
    return tuple(seat for seat in alive(state) if seat not in bidding.retired)


def next_seat(state: State, seat: int, retired: tuple[int, ...] = ()) -> int:
    """Find who comes after a seat, the way that the turn goes."""
    seats, marks, limit = len(state.marks), state.marks, state.house.limit
    after = (seat + state.way) % seats
    while marks[after] >= limit or after in retired:
        after = (after + state.way) % seats
    return after


def cards_out(state: State, bidding: Bidding) -> int:
    """Count the cards that are out: one a player, and those drawn since."""
    return len(alive(state)) + len(bidding.extras) + bidding.turned + bidding.replaced


def pile(state: State, bidding: Bidding) -> int:
    """Count the cards left to draw."""
    return deck_of(state.house).size - len(state.discard) - cards_out(state, bidding)
