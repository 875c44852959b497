"""The state of a match of Coup d'État: money, contracts, and the cards that have been seen; never a hand."""

from msgspec import Struct

from referee.games.coup_d_etat.contracts import Contract
from referee.games.coup_d_etat.house import House


class Deal(Struct, frozen=True, gc=False):
    """What is played in a deal, who plays the first card, and who attempts a coup, if anybody does."""

    contract: Contract
    leader: int
    claimant: int | None = None


class Due(Struct, frozen=True, gc=False):
    """An amount that somebody owes somebody; None is the bank. The key says how it is told."""

    key: str
    payer: int | None
    payee: int | None
    amount: int


class Loan(Struct, frozen=True, gc=False):
    """What a player lent another, to be paid back with interest in the end."""

    lender: int
    borrower: int
    amount: int


class Trick(Struct, frozen=True, gc=False):
    """A finished trick: who led, the cards in the order in which they fell, and who took it."""

    leader: int
    cards: tuple[str, ...]
    winner: int


class Denial(Struct, frozen=True, gc=False):
    """A seat has shown that it has no card of a suit: by this card in this trick, or only by saying so."""

    seat: int
    suit: str
    trick: int
    card: str = ""


class Drawing(Struct, frozen=True, gc=False, tag=True):
    """Before the first deal: everybody draws a card; among equals the highest draw again."""

    seats: tuple[int, ...]
    drawn: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    """Cards that were drawn before, by equals."""


class Dealt(Struct, frozen=True, tag=True):
    """The cards are dealt; nobody has said yet who holds the Coup card."""


class Choosing(Struct, frozen=True, gc=False, tag=True):
    """The President chooses a contract, or whoever attempts a coup."""

    claimant: int | None


class Playing(Struct, frozen=True, gc=False, tag=True):
    """Tricks are played: the one on the table, and those before it."""

    deal: Deal
    leader: int
    suit: str = ""
    """The suit to follow; none before the first card, or when the Coup card was led."""
    cards: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    """All cards of the deal that have been seen."""
    tricks: tuple[Trick, ...] = ()
    middle: str = ""
    """The card that lay in the middle, and went to the winner of the first trick."""
    denials: tuple[Denial, ...] = ()
    has_only_barred: bool = False
    """Whoever leads now has said to hold nothing but suits that may not be led."""
    revokers: tuple[int, ...] = ()
    paid: tuple[Due, ...] = ()
    """What has been paid since the cards were dealt."""


class Naming(Struct, frozen=True, gc=False, tag=True):
    """House rule: whoever leads the Coup card names the suit to follow."""

    playing: Playing


class Taking(Struct, frozen=True, gc=False, tag=True):
    """The winner of the first trick takes the card in the middle, and shows it."""

    playing: Playing


class Confessing(Struct, frozen=True, gc=False, tag=True):
    """House rule: those who have to pay say whether they had tried a secret coup."""

    playing: Playing
    waiting: tuple[int, ...]
    tried: tuple[int, ...] = ()


class Pass(Struct, frozen=True, gc=False):
    """A seat passed in Dominos: after which card, and which cards it could have laid."""

    seat: int
    after: str
    fits: tuple[str, ...]


class Laying(Struct, frozen=True, gc=False, tag=True):
    """Dominos: the rows as they grow."""

    deal: Deal
    turn: int
    left: tuple[int, ...]
    """How many cards each seat still holds."""
    laid: tuple[str, ...] = ()
    rows: tuple[tuple[int, int] | None, ...] = (None, None, None, None)
    """For each suit the places of both ends of its row, from the ace down."""
    passes: tuple[Pass, ...] = ()
    quiet: int = 0
    """How many have passed since the last card."""
    is_chain: bool = False
    """The seat in turn has laid an ace, and may go on."""
    revokers: tuple[int, ...] = ()


class Closed(Struct, frozen=True, gc=False, tag=True):
    """A deal is over, and who is President after it."""

    president: int


class Settling(Struct, frozen=True, gc=False, tag=True):
    """Somebody can't pay: the others say whether they lend."""

    dues: tuple[Due, ...]
    waiting: tuple[int, ...]
    after: Playing | Closed


class Over(Struct, frozen=True, tag=True):
    """All tours have been played and all debts paid."""

    winners: tuple[int, ...]


Stage = Drawing | Dealt | Choosing | Playing | Naming | Taking | Confessing | Laying | Settling | Over


class State(Struct, frozen=True, gc=False):
    """All that the referee knows."""

    house: House
    money: tuple[int, ...]
    stage: Stage
    bank: int = 0
    president: int = 0
    starter: int = 0
    """Who was President when the tour began."""
    tour: int = 0
    used: tuple[Contract, ...] = ()
    """Contracts that have been played in this tour."""
    loans: tuple[Loan, ...] = ()
    windows: int = 0
    """How often several seats have been asked at once; the number tells each time from the others."""


def clockwise(state: State, seat: int) -> tuple[int, ...]:
    """List all other seats, from the left-hand neighbour on."""
    count = len(state.money)
    return tuple([(seat + step) % count for step in range(1, count)])


def next_to_play(state: State, playing: Playing) -> int:
    """Say who lays the next card of the trick."""
    return (playing.leader + len(playing.cards)) % len(state.money)
