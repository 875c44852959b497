"""The state of a match of Coup d'État: money, contracts and the cards seen; never a hand."""

from msgspec import Struct

from referee.games.coup_d_etat.contracts import Contract
from referee.games.coup_d_etat.house import House


class Deal(Struct, frozen=True, gc=False):
    """A deal: its contract, who leads first, and who attempts a coup, if anyone."""

    contract: Contract
    leader: int
    claimant: int | None = None


class Due(Struct, frozen=True, gc=False):
    """An amount due from one seat to another; None is the bank. The key names the ruling."""

    key: str
    payer: int | None
    payee: int | None
    amount: int


class Loan(Struct, frozen=True, gc=False):
    """A loan between players, to be paid back with interest in the end."""

    lender: int
    borrower: int
    amount: int


class Trick(Struct, frozen=True, gc=False):
    """A finished trick: its leader, its cards in the order of play, and its winner."""

    leader: int
    cards: tuple[str, ...]
    winner: int


class Denial(Struct, frozen=True, gc=False):
    """A seat denied a suit: by the card it played in a trick, or only by saying so."""

    seat: int
    suit: str
    trick: int
    card: str = ""


class Drawing(Struct, frozen=True, gc=False, tag=True):
    """Before the first deal, each player draws a card; those tied for the highest draw again."""

    seats: tuple[int, ...]
    drawn: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    """Cards drawn before, by the players who tied."""


class Dealt(Struct, frozen=True, tag=True):
    """The cards are dealt; the holder of the Coup card hasn't spoken yet."""

    asked: tuple[int, ...] = ()
    """Seats that have asked for a loan since the cards were dealt."""


class Borrowing(Struct, frozen=True, gc=False, tag=True):
    """House rule: before a deal a player asks for a loan, and the others say whether they lend."""

    borrower: int
    waiting: tuple[int, ...]
    dealt: Dealt


class Choosing(Struct, frozen=True, gc=False, tag=True):
    """The President or the player who attempts a coup chooses a contract."""

    claimant: int | None


class Playing(Struct, frozen=True, gc=False, tag=True):
    """Tricks are played: the one on the table, and the finished ones."""

    deal: Deal
    leader: int
    suit: str = ""
    """The suit to follow; None before the first card, or when the Coup card was led."""
    cards: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    """All cards of the deal seen so far."""
    tricks: tuple[Trick, ...] = ()
    middle: str = ""
    """The middle card, which went to the winner of the first trick."""
    denials: tuple[Denial, ...] = ()
    has_only_barred: bool = False
    """Whether the leader claims to hold only suits that may not be led."""
    revokers: tuple[int, ...] = ()
    paid: tuple[Due, ...] = ()
    """What was paid since the deal."""


class Naming(Struct, frozen=True, gc=False, tag=True):
    """House rule: the player who led the Coup card names the suit to follow."""

    playing: Playing


class Taking(Struct, frozen=True, gc=False, tag=True):
    """The winner of the first trick takes the middle card, and shows it."""

    playing: Playing


class Confessing(Struct, frozen=True, gc=False, tag=True):
    """House rule: the players who have to pay say whether they attempted a secret coup."""

    playing: Playing
    waiting: tuple[int, ...]
    tried: tuple[int, ...] = ()


class Pass(Struct, frozen=True, gc=False):
    """A pass in Dominos: the seat, after how many cards, and which cards fitted."""

    seat: int
    after: str
    fits: tuple[str, ...]


class Laying(Struct, frozen=True, gc=False, tag=True):
    """Dominos: the rows as they grow."""

    deal: Deal
    turn: int
    left: tuple[int, ...]
    """How many cards each seat still has."""
    laid: tuple[str, ...] = ()
    rows: tuple[tuple[int, int] | None, ...] = (None, None, None, None)
    """Both ends of each suit's row, counted from the ace down."""
    passes: tuple[Pass, ...] = ()
    quiet: int = 0
    """The number of passes since the last card."""
    is_chain: bool = False
    """Whether the seat in turn laid an ace, and may go on."""
    revokers: tuple[int, ...] = ()


class Closed(Struct, frozen=True, gc=False, tag=True):
    """A deal is over; the seat is the next President."""

    president: int


class Settling(Struct, frozen=True, gc=False, tag=True):
    """A player can't pay: the others say whether they lend."""

    dues: tuple[Due, ...]
    waiting: tuple[int, ...]
    after: Playing | Closed


class Over(Struct, frozen=True, tag=True):
    """All tours were played and all debts paid."""

    winners: tuple[int, ...]


Stage = (
    Drawing | Dealt | Borrowing | Choosing | Playing | Naming | Taking | Confessing | Laying | Settling | Over
)


class State(Struct, frozen=True, gc=False):
    """All that the referee knows of a match."""

    house: House
    money: tuple[int, ...]
    stage: Stage
    bank: int = 0
    president: int = 0
    starter: int = 0
    """The President when the tour began."""
    tour: int = 0
    used: tuple[Contract, ...] = ()
    """Contracts played in this tour."""
    loans: tuple[Loan, ...] = ()
    windows: int = 0
    """The number of windows so far; it tells windows apart."""


def clockwise(state: State, seat: int) -> tuple[int, ...]:
    """List all other seats, clockwise from the next one."""
    count = len(state.money)
    return tuple([(seat + step) % count for step in range(1, count)])


def next_to_play(state: State, playing: Playing) -> int:
    """Give the seat that plays the next card of the trick."""
    return (playing.leader + len(playing.cards)) % len(state.money)
