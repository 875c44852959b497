"""The state of a match of Coyote: what the referee knows, and nothing that the rules hide."""

from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Ruling, Transition
from referee.games.coyote.house import House, deck_of
from referee.games.coyote.score import CountStep


class Bid(Struct, frozen=True, gc=False):
    """A number and the seat that said it; approved means taken over from the one before."""

    seat: int
    number: int
    approved: bool = False
    double: bool = False


class PowerUse(Struct, frozen=True, gc=False):
    """A power used in this round, and its seat."""

    word: str
    seat: int


MOST_BIDS = 50
"""Bids of a round that are remembered; without a bound, a round that never ends would fill the memory."""


def with_bid(bids: tuple[Bid, ...], bid: Bid) -> tuple[Bid, ...]:
    """Add a bid; of a round with very many, only the last ones are kept."""
    return (*bids, bid)[-MOST_BIDS:]


class Opening(Struct, frozen=True, tag=True):
    """Before the first round: the table says who opens."""


class Bidding(Struct, frozen=True, gc=False, tag=True):
    """A round in progress: whose turn it is, and the bids so far."""

    turn: int
    bids: tuple[Bid, ...] = ()
    """The last ones, at most MOST_BIDS."""
    fresh: bool = False
    """Whether the last number is new, and no player has reacted yet."""
    obliged: bool = False
    """Whether the seat in turn has to bid."""
    caller: int | None = None
    """The seat that demanded a restart, and gets the turn after the new number."""
    refused: int | None = None
    """The number that may not be said again after a restart."""
    bound: bool = False
    """Whether the last number answered a restart, so that its bidder can't choose who answers."""
    used: tuple[PowerUse, ...] = ()
    acted: tuple[int, ...] = ()
    """Seats that used a power in their present turn."""
    extras: tuple[int, ...] = ()
    """Seats that wear a second card unseen."""
    opened: tuple[str, ...] = ()
    """Cards that lie open and count: extra cards turned up, or cards guessed right."""
    turned: int = 0
    """How many of the open cards are extra, beyond one card a player."""
    replaced: int = 0
    """How many cards are covered by another one and don't count."""
    retired: tuple[int, ...] = ()
    """Seats that guessed their card and left the round."""
    stayed: tuple[int, ...] = ()
    """Seats that guessed their card and play on with it open."""


class Turning(Struct, frozen=True, tag=True):
    """A card is turned up from the pile in front of a seat."""

    seat: int
    bidding: Bidding


class Guessing(Struct, frozen=True, tag=True):
    """A seat named its own card and looks at it."""

    seat: int
    face: str
    bidding: Bidding


class Leaving(Struct, frozen=True, tag=True):
    """A seat that guessed its card right says whether it leaves the round, by house rule."""

    seat: int
    bidding: Bidding


class Duel(Struct, frozen=True, gc=False, tag=True):
    """A duel: the challenger, the bidder, and how many marks the loser takes."""

    contester: int
    bidder: int
    number: int
    stake: int


class Closed(Struct, frozen=True, tag=True):
    """A round that ended without a duel, the seat that opens the next, and the rule that says so."""

    opener: int
    rule: str


class Revealing(Struct, frozen=True, gc=False, tag=True):
    """All cards go to the middle: to decide a duel, or only to be put away after a closed round."""

    count: int
    bidding: Bidding
    end: Duel | Closed
    discard: tuple[str, ...]
    """The discards before a cave renewed the pile from them."""
    shown: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    owners: tuple[int, ...] = ()


class Over(Struct, frozen=True, tag=True):
    """The match has a winner."""

    winner: int


Stage = Opening | Bidding | Turning | Guessing | Leaving | Revealing | Over


class CountedDuel(Struct, frozen=True, gc=False):
    """The count of a duel: the total, and the number that it had to reach."""

    total: int
    number: int
    bidder: int
    steps: tuple[CountStep, ...]
    """How the total came about."""


class CountedRound(Struct, frozen=True, gc=False):
    """A counted round, kept for the insight after it."""

    bids: tuple[Bid, ...]
    cards: tuple[str, ...]
    owners: tuple[int, ...]
    discard: tuple[str, ...]
    plain: bool
    """Whether each player wore one card: no player drew, replaced or guessed right."""
    duel: CountedDuel | None = None
    """The count, if there was a duel."""


class State(Struct, frozen=True, gc=False):
    """All that the referee knows of a match."""

    house: House
    marks: tuple[int, ...]
    stage: Stage
    round: int = 0
    way: int = 1
    """The direction: 1 is clockwise, -1 anticlockwise."""
    discard: tuple[str, ...] = ()
    fallen: tuple[int, ...] = ()
    told: CountedRound | None = None


def bidding_of(state: State) -> Bidding:
    """Give the bids of the round; none before the first one."""
    match state.stage:
        case Bidding():
            return state.stage
        case Opening() | Over():
            return Bidding(turn=0)
        case stage:
            return stage.bidding


def alive(state: State) -> tuple[int, ...]:
    """List the seats still in the match."""
    return _with_less(state.marks, state.house.limit)


@cache
def _with_less(marks: tuple[int, ...], limit: int) -> tuple[int, ...]:
    return tuple(seat for seat, worn in enumerate(marks) if worn < limit)


def bidders(state: State, bidding: Bidding) -> tuple[int, ...]:
    """List the seats still in the round."""
    return tuple(seat for seat in alive(state) if seat not in bidding.retired)


def next_seat(state: State, seat: int, retired: tuple[int, ...] = ()) -> int:
    """Give the next seat in the direction of play."""
    seats, marks, limit = len(state.marks), state.marks, state.house.limit
    after = (seat + state.way) % seats
    while marks[after] >= limit or after in retired:
        after = (after + state.way) % seats
    return after


def cards_that_count(state: State, bidding: Bidding) -> int:
    """Count the cards that are out and not covered: one for each player, and those drawn since."""
    return len(alive(state)) + len(bidding.extras) + bidding.turned


def pile(state: State, bidding: Bidding) -> int:
    """Count the cards in the pile."""
    return deck_of(state.house).size - len(state.discard) - cards_that_count(state, bidding) - bidding.replaced


def going_on(state: State, stage: Stage, *rulings: Ruling) -> Transition:
    """Go on with another stage, and with rulings on the way to it."""
    return Transition(replace(state, stage=stage), rulings)


def with_turn_given(bidding: Bidding, seat: int) -> Bidding:
    """Give a seat a new turn, in which it hasn't acted yet."""
    return replace(bidding, turn=seat, acted=acted_but(bidding, seat))


def acted_but(bidding: Bidding, seat: int) -> tuple[int, ...]:
    """List the seats that acted in their present turn, but one, whose turn is new."""
    return bidding.acted and tuple([other for other in bidding.acted if other != seat])


def with_turn_passed(state: State, bidding: Bidding) -> Bidding:
    """Pass the turn to the next player of the round, without a bid."""
    return replace(with_turn_given(bidding, next_seat(state, bidding.turn, bidding.retired)), fresh=False)


def with_obligation(state: State, bidding: Bidding) -> Bidding:
    """Oblige the seat in turn to say a number after a token, unless the house lets it contest."""
    return replace(bidding, obliged=not state.house.o_contest_after_token, fresh=False)
