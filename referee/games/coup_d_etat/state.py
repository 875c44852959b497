"""Coup d'État's cards, contracts, house rules and match state; the state contains no hands."""

from typing import Literal

from msgspec import Struct

from referee.contract import Deck, Reason, Refusal, make_refusal
from referee.kit.french_cards import aliases_of, cards_of
from referee.kit.options import seats_after
from referee.kit.tricks import Denial, Trick, TrickOrder, seat_to_play

# The cards: 32 and the Coup card, which reverses a contract. Three players leave out the 7s and 8s.

RANKS = ("A", "10", "K", "Q", "J", "9", "8", "7")
"""Ranks in tricks, strongest first: the 10 beats the king."""
ROW = ("A", "K", "Q", "J", "10", "9", "8", "7")
"""Ranks in Dominos, where the 10 is between jack and 9."""
COUP = "coup"
CARDS = (*cards_of(RANKS), COUP)
KING = "Kh"
QUEENS = ("Qs", "Qh", "Qd", "Qc")
HAND = 8  # cards dealt to each player; the last card stays in the middle
LEFT_OUT_BY_THREE = tuple(card for card in CARDS if card[:-1] in {"7", "8"})

SUIT: dict[str, str] = {**{card: card[-1] for card in CARDS}, COUP: ""}
RANK: dict[str, str] = {**{card: card[:-1] for card in CARDS}, COUP: ""}
STRENGTH: dict[str, int] = {**{card: -RANKS.index(RANK[card]) for card in CARDS[:-1]}, COUP: 1}
"""Strength of a card in a trick of its suit; the Coup card beats all."""
ORDER = TrickOrder(SUIT, STRENGTH, trumps=frozenset({COUP}))

_GROUPS = {
    "hearts": cards_of(RANKS, "h"),
    "spades": cards_of(RANKS, "s"),
    "diamonds": cards_of(RANKS, "d"),
    "clubs": cards_of(RANKS, "c"),
    COUP: (COUP,),
}
PIQUET = Deck("piquet", dict.fromkeys(CARDS, 1), aliases_of(CARDS[:-1]), suits=_GROUPS)
PIQUET_OF_THREE = Deck(
    "piquet", {card: 1 for card in CARDS if card not in LEFT_OUT_BY_THREE}, PIQUET.aliases, suits=_GROUPS
)


def deck_for(seats: int) -> Deck:
    return PIQUET_OF_THREE if seats == 3 else PIQUET


# The contracts, as on both sides of the memento card.

Contract = Literal["barbu", "victory", "siege", "prison", "guillotine", "dominos"]
Item = Literal["king", "queens", "spades", "first-trick", "last-trick"]


class Terms(Struct, frozen=True):
    """The terms of a contract on the memento card."""

    items: tuple[Item, ...]
    reward: int  # payment by each other seat for a successful coup
    no_lead: tuple[str, ...] = ()  # suits that may not open the first trick


PRICES: dict[Item, int] = {"king": 800, "queens": 200, "spades": 100, "first-trick": 400, "last-trick": 400}
"""Payment to the President per item."""
TAKEN_BY_CARD: dict[Item, frozenset[str]] = {
    "king": frozenset({KING}), "queens": frozenset(QUEENS), "spades": frozenset(cards_of(RANKS, "s")),
}  # fmt: skip
LAST_OUT = 800  # payment to the President by the last player with cards in Dominos
FAILURE = 800  # cost of a failed coup or a revoke
CONTRACTS: dict[Contract, Terms] = {
    "barbu": Terms(("king",), 600, ("h",)),
    "victory": Terms(("queens",), 1000),
    "siege": Terms(("spades",), 1000, ("s",)),
    "prison": Terms(("first-trick", "last-trick"), 600),
    "guillotine": Terms(("king", "queens", "spades", "first-trick", "last-trick"), 1500, ("s", "h")),
    "dominos": Terms((), 600),
}
SECRET: tuple[Contract, ...] = ("victory", "siege", "guillotine")
"""The President's contracts in which another player may secretly take everything that counts."""


def price_of(contract: Contract) -> int:
    """Return the price of the contract's first item."""
    items = CONTRACTS[contract].items
    return PRICES[items[0]] if items else LAST_OUT


# The house rules: one option per ambiguity, with its default.

LEFT_OUT = 2  # contracts omitted from the simplified game


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules of Coup d'État."""

    next_tour: Literal["left_of_starter", "left_of_president"] = "left_of_starter"
    lead_rule: Literal["opening", "all_leads"] = "opening"
    coup_card: Literal["free", "only_when_void"] = "free"
    coup_led: Literal["free", "leader_names_suit"] = "free"
    guillotine: Literal["listed", "all_tricks"] = "listed"
    secret_coup: bool = True
    secret_takes_bank: bool = False
    secret_fail: Literal["president", "bank"] = "president"
    domino_open: Literal["start_rank", "any_matching"] = "start_rank"
    ace_chain: Literal["on_king", "any_ace"] = "on_king"
    revoke_penalty: Literal["void", "pays", "told"] = "void"
    early_stop: bool = False
    loans_ahead: bool = False
    left_out: tuple[Contract, ...] = ()

    @property
    def refused(self) -> Refusal | None:
        """Return a refusal for an impossible house rule: the simplified game omits exactly two contracts."""
        if len(set(self.left_out)) == len(self.left_out) and len(self.left_out) in {0, LEFT_OUT}:
            return None
        return make_refusal(Reason.HOUSE, why="left-out", count=LEFT_OUT)

    @property
    def contracts(self) -> tuple[Contract, ...]:
        return tuple(contract for contract in CONTRACTS if contract not in self.left_out)

    @property
    def deals(self) -> int:
        """Number of deals per tour: one per contract, or three of four in the simplified game."""
        return len(CONTRACTS) if not self.left_out else len(CONTRACTS) - LEFT_OUT - 1


SETTINGS: dict[str, House] = {
    "rule text": House(),
    "other rules": House(
        next_tour="left_of_president",
        lead_rule="all_leads",
        coup_card="only_when_void",
        coup_led="leader_names_suit",
        guillotine="all_tricks",
        secret_takes_bank=True,
        secret_fail="bank",
        domino_open="any_matching",
        ace_chain="any_ace",
        revoke_penalty="told",
        early_stop=True,
        loans_ahead=True,
    ),
    "simplified": House(revoke_penalty="pays", left_out=("barbu", "prison")),
}


class Deal(Struct, frozen=True, gc=False):
    """A deal: its contract, who leads first, and who attempts a coup, if anyone."""

    contract: Contract
    leader: int
    claimant: int | None = None

    @property
    def terms(self) -> Terms:
        return CONTRACTS[self.contract]


class Due(Struct, frozen=True, gc=False):
    """An amount due from one seat to another (None: the bank), with its ruling and rule."""

    key: str
    rule: str
    payer: int | None
    payee: int | None
    amount: int


class Loan(Struct, frozen=True, gc=False):
    """A loan between players, repaid with interest at the end."""

    lender: int
    borrower: int
    amount: int

    @property
    def back(self) -> int:
        return with_interest(self.amount)


def with_interest(amount: int) -> int:
    """Return the repayment of a loan: the amount plus a fifth."""
    return amount * 6 // 5


class Drawing(Struct, frozen=True, gc=False, tag=True):
    """Before the first deal, each player draws a card; players tied for the highest draw again."""

    seats: tuple[int, ...]
    drawn: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()  # cards drawn earlier by the tied players


class Dealt(Struct, frozen=True, tag=True):
    """The cards are dealt; the holder of the Coup card hasn't announced it yet."""

    asked: tuple[int, ...] = ()  # seats that have asked for a loan since the deal


class Choosing(Struct, frozen=True, gc=False, tag=True):
    """The President, or the player who attempts a coup, chooses a contract."""

    claimant: int | None


class Playing(Struct, frozen=True, gc=False, tag=True):
    """Tricks in play: the current one and the finished ones."""

    deal: Deal
    leader: int
    suit: str = ""  # suit to follow; empty before the first card, or if the Coup card was led
    cards: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    tricks: tuple[Trick, ...] = ()
    middle: str = ""
    denials: tuple[Denial, ...] = ()
    has_only_barred: bool = False
    """Whether the leader claims to hold only suits that may not be led."""
    revokers: tuple[int, ...] = ()
    paid: tuple[Due, ...] = ()  # payments since the deal

    @property
    def number(self) -> int:
        """Number of the current trick, from 1."""
        return len(self.tricks) + 1

    @property
    def asks_middle(self) -> bool:
        """Whether the middle card is shown now: in a coup it belongs to the first trick, and counts."""
        return self.deal.claimant is not None and len(self.tricks) == 1 and not self.middle


class Confessing(Struct, frozen=True, gc=False, tag=True):
    """House rule: players who must pay declare whether they attempted a secret coup."""

    playing: Playing
    waiting: tuple[int, ...]
    tried: tuple[int, ...] = ()


class Pass(Struct, frozen=True, gc=False):
    """A pass in Dominos: the seat, the number of cards laid before it, and the cards that fitted."""

    seat: int
    after: str
    fits: tuple[str, ...]


class Laying(Struct, frozen=True, gc=False, tag=True):
    """Dominos: the cards laid, with one row per suit that grows at both ends."""

    deal: Deal
    turn: int
    left: tuple[int, ...]
    laid: tuple[str, ...] = ()
    passes: tuple[Pass, ...] = ()
    quiet: int = 0  # number of passes since the last card
    is_chain: bool = False  # whether the seat in turn laid an ace and may continue
    revokers: tuple[int, ...] = ()


class Closed(Struct, frozen=True, gc=False, tag=True):
    """A finished deal: the next President, and the rule for a change."""

    president: int
    rule: str = ""


class Lending(Struct, frozen=True, gc=False, tag=True):
    """A player is short: the others choose whether to lend. A house rule also allows this before a deal."""

    borrower: int
    amount: int  # amount missing or requested
    waiting: tuple[int, ...]
    dues: tuple[Due, ...]  # payments due now, and those after them
    after: Playing | Closed | Dealt


class Over(Struct, frozen=True, tag=True):
    """All tours were played and all debts paid."""

    winners: tuple[int, ...]


Stage = Drawing | Dealt | Choosing | Playing | Confessing | Laying | Lending | Over


class State(Struct, frozen=True, gc=False):
    """Everything the referee knows about a match; all of it is public."""

    house: House
    money: tuple[int, ...]
    stage: Stage
    bank: int = 0
    president: int = 0
    starter: int = 0  # President at the start of the tour
    tour: int = 0
    used: tuple[Contract, ...] = ()
    loans: tuple[Loan, ...] = ()
    windows: int = 0  # number of windows so far; gives each window its own number

    @property
    def deck(self) -> Deck:
        return deck_for(len(self.money))

    @property
    def contracts_left(self) -> tuple[Contract, ...]:
        return tuple([contract for contract in self.house.contracts if contract not in self.used])

    def clockwise(self, seat: int) -> tuple[int, ...]:
        return seats_after(seat, len(self.money))

    def next_to_play(self, playing: Playing) -> int:
        return seat_to_play(playing.leader, playing.cards, len(self.money))

    def asks_suit(self, playing: Playing) -> bool:
        """Return whether the player who led the Coup card must name the suit to follow."""
        return playing.cards == (COUP,) and not playing.suit and self.house.coup_led == "leader_names_suit"
