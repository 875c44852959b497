"""Coyote's three editions: cards, house rules, the count, and the state of a match."""

from typing import Final, Literal, Self, get_args

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Reason, Refusal, Ruling, Transition, make_refusal
from referee.contract.cards import Deck

CAVE = "?"  # tipi: counts as the top card drawn from the pile
FOX = "max0"  # squaw: cancels the highest positive card
TURN = "max-"  # subtracts the highest remaining positive card instead of adding it
LEADER = "x2"  # chief: doubles
NIGHT = "night"  # dusk: counts 0; the deck is shuffled before the next round
DECOY = "0"  # False Indian: counts 0

SPECIALS = (CAVE, FOX, TURN, LEADER, NIGHT)

_ALIASES = {"cave": CAVE, "fox": FOX, "leader": LEADER}

KIDULT = Deck(
    "coyote-kidult",
    {"20": 1, "15": 2, "10": 3, **dict.fromkeys("54321", 4), DECOY: 3, "-5": 2, "-10": 1}
    | {face: 1 for face in SPECIALS if face != TURN},
    _ALIASES,
)

_PAIRS = {str(value): 2 for value in range(10, 0, -1)}
_FEATHERS = {"20": 1, "15": 1, **_PAIRS, "-5": 2, "-10": 1, **dict.fromkeys(SPECIALS, 1)}

GIGAMIC = Deck("coyote-gigamic", _FEATHERS, {**_ALIASES, "0": NIGHT})
OLIPHANTE = Deck("coyote-oliphante", _FEATHERS, {**_ALIASES, "0": NIGHT})

VALUE = {face: int(face) for face in (*KIDULT.counts, *GIGAMIC.counts) if face not in SPECIALS}
"""Value of each number card; special cards have none."""

EditionName = Literal["kidult", "gigamic", "oliphante"]
Doubling = Literal["greens", "total"]
"""What the leader doubles: the positive cards, or the total."""
Power = Literal["approve", "double", "reverse", "extra", "restart", "next", "skip", "replace", "guess"]

USUAL_LIMIT: Final = 3  # marks that eliminate a player, unless the table agrees on more
_SIX: tuple[Power, ...] = ("approve", "double", "reverse", "extra", "restart", "next")


class Edition(Struct, frozen=True):
    """The rules that differ between editions."""

    deck: Deck
    least_seats: int
    doubling: Doubling
    opener: Literal["loser", "winner"]
    marks_in_box: int
    powers: tuple[Power, ...]
    limits: dict[int, int]
    """Maximum mark limit by number of players; three for other numbers."""


_TOKENS: tuple[Power, ...] = ("extra", "reverse", "skip", "replace", "guess")
EDITIONS: dict[str, Edition] = {
    "kidult": Edition(KIDULT, 2, "greens", "loser", 18, _SIX, {3: 5, 4: 4}),
    "gigamic": Edition(GIGAMIC, 2, "total", "loser", 18, _SIX, dict.fromkeys(range(2, 7), 5)),
    "oliphante": Edition(OLIPHANTE, 3, "greens", "winner", 12, _TOKENS, {3: 5, 4: 5}),
}
BOX_RULES: dict[EditionName, frozenset[str]] = {
    "gigamic": frozenset({"t_multi"}),
    "oliphante": frozenset(
        {"o_contest_after_token", "o_guess_stays", "boxes", *(f"{power}_tokens" for power in _TOKENS)}
    ),
}
"""House rules that apply to one edition only."""


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules of Coyote."""

    edition: EditionName = "kidult"
    limit: Literal[3, 4, 5] = USUAL_LIMIT
    x2: Literal["by_edition", "greens", "total"] = "by_edition"
    powers: tuple[Power | Literal["all"], ...] = ()
    direction_persists: bool = False
    anyone_may_contest: bool = False
    t_multi: bool = True
    o_contest_after_token: bool = False
    o_guess_stays: bool = False
    boxes: Literal[1, 2] = 1
    extra_tokens: int = 2
    skip_tokens: int = 2
    replace_tokens: int = 2
    reverse_tokens: int = 1
    guess_tokens: int = 1

    @property
    def box(self) -> Edition:
        return EDITIONS[self.edition]

    @property
    def deck(self) -> Deck:
        """The deck in play; two boxes still use one set of feathers."""
        return EDITIONS[self.edition].deck

    @property
    def doubling(self) -> Doubling:
        return EDITIONS[self.edition].doubling if self.x2 == "by_edition" else self.x2

    def tokens(self, power: str) -> int:
        """Number of Oliphante tokens for a power. The box has eight; how many of each isn't known."""
        tokens: int = getattr(self, f"{power}_tokens")
        return tokens

    def refused(self, seats: int) -> Refusal | None:
        edition = self.box
        most = edition.limits.get(seats, USUAL_LIMIT)
        if self.limit > most:
            return make_refusal(Reason.HOUSE, why="limit", limit=self.limit, seats=seats, most=most)
        if self.boxes == 2 and self.edition != "oliphante":
            return make_refusal(Reason.HOUSE, why="boxes")
        if any(not 0 <= self.tokens(power) <= 8 for power in _TOKENS):
            return make_refusal(Reason.HOUSE, why="tokens")
        for power in self.powers:
            if power not in edition.powers:
                return make_refusal(Reason.HOUSE, why="power", power=power, powers=edition.powers)
        return None


def seats_of(house: House) -> range:
    return range(house.box.least_seats, 6 * house.boxes + 1)


def idle_rules(house: House) -> frozenset[str]:
    """Return the house rules of other editions, and powers that this edition lacks."""
    own = house.box.powers
    foreign = {f"powers.{power}" for power in get_args(Power) if power not in own}
    others = (rules for edition, rules in BOX_RULES.items() if edition != house.edition)
    return frozenset(foreign.union(*others))


_NAMES: tuple[EditionName, ...] = get_args(EditionName)
SETTINGS = {name: House(edition=name) for name in _NAMES} | {
    f"{name}, all powers": House(edition=name, powers=("all",)) for name in _NAMES
}


class CountStep(Struct, frozen=True, gc=False):
    """One step of the count: its effect, its cards, and the sum before and after it."""

    key: str
    cards: tuple[str, ...]
    start: int
    sum: int


class Tally(Struct, frozen=True, gc=False):
    """The total of a reveal, and whether the deck is shuffled before the next round."""

    total: int
    reshuffle: bool
    steps: tuple[CountStep, ...]


def tally(cards: tuple[str, ...], drawn: tuple[str, ...], doubling: Doubling) -> Tally:
    """Count the revealed cards and the cards drawn for caves; each fox or turn affects one card."""
    counted = cards + drawn
    numbers = sorted([card for card in counted if card in VALUE], key=VALUE.__getitem__, reverse=True)
    greens = tuple([card for card in numbers if VALUE[card] > 0])
    foxes, taken = counted.count(FOX), counted.count(FOX) + counted.count(TURN)
    cancelled, turned, greens = greens[:foxes], greens[foxes:taken], greens[taken:]
    against = turned + tuple([card for card in numbers if VALUE[card] < 0])
    decoys = (DECOY,) * counted.count(DECOY)
    factor = 2 ** counted.count(LEADER)
    before, after = (factor, 1) if doubling == "greens" else (1, factor)
    added = sum([VALUE[card] for card in greens])
    doubled = added * before
    left = doubled - sum([abs(VALUE[card]) for card in against])
    total = left * after
    steps = (
        (bool(drawn), CountStep("draw", drawn, 0, 0)),
        (FOX in counted, CountStep("cancel" if cancelled else "cancel-none", cancelled, 0, 0)),
        (TURN in counted, CountStep("turn" if turned else "turn-none", turned, 0, 0)),
        (bool(decoys), CountStep("decoy", decoys, 0, 0)),
        (True, CountStep("add" if greens else "add-none", greens, 0, added)),
        (before > 1, CountStep("double-greens", (LEADER,), added, doubled)),
        (bool(against), CountStep("subtract", against, doubled, left)),
        (after > 1, CountStep("double-total", (LEADER,), left, total)),
        (NIGHT in counted, CountStep("night", (NIGHT,), total, total)),
    )
    return Tally(total, NIGHT in counted, tuple([step for applies, step in steps if applies]))


class Bid(Struct, frozen=True, gc=False):
    """A bid and its bidder; `approved` if it was taken over from the previous bidder."""

    seat: int
    number: int
    approved: bool = False
    double: bool = False


class PowerUse(Struct, frozen=True, gc=False):
    """A power used in this round, and the seat that used it."""

    word: str
    seat: int


MOST_BIDS = 50
"""Number of bids stored per round; limits memory in a round that never ends."""


def with_bid(bids: tuple[Bid, ...], bid: Bid) -> tuple[Bid, ...]:
    return (*bids, bid)[-MOST_BIDS:]


class Opening(Struct, frozen=True, tag=True):
    """Before the first round: the table names the opening player."""


class Bidding(Struct, frozen=True, gc=False, tag=True):
    """A round in progress: the turn and the bids so far."""

    turn: int
    bids: tuple[Bid, ...] = ()  # at most the last MOST_BIDS
    fresh: bool = False  # whether no player has reacted to the last bid yet
    obliged: bool = False
    caller: int | None = None
    """The seat that demanded a new bid and gets the turn after it."""
    refused: int | None = None  # the number barred after a restart
    bound: bool = False
    """Whether the last bid answered a restart, so that its bidder can't choose the next player."""
    used: tuple[PowerUse, ...] = ()
    acted: tuple[int, ...] = ()  # seats that used a power in their current turn
    extras: tuple[int, ...] = ()  # seats with a second, hidden card
    opened: tuple[str, ...] = ()
    """Face-up cards that count: extra cards, or cards guessed correctly."""
    turned: int = 0  # extra cards among the opened ones, beyond one per player
    replaced: int = 0  # covered cards, which don't count
    retired: tuple[int, ...] = ()  # seats that guessed their card and left the round
    stayed: tuple[int, ...] = ()  # seats that guessed their card and stayed, with the card face up

    def with_turn_given(self, seat: int) -> Self:
        return replace(self, turn=seat, acted=self.acted_but(seat))

    def acted_but(self, seat: int) -> tuple[int, ...]:
        """Return the seats that acted in their current turn, except the seat whose turn begins."""
        return self.acted and tuple([other for other in self.acted if other != seat])


class Turning(Struct, frozen=True, tag=True):
    """A seat turns up a card from the pile."""

    seat: int
    bidding: Bidding


class Guessing(Struct, frozen=True, tag=True):
    """A seat named its own card and looks at it."""

    seat: int
    face: str
    bidding: Bidding


class Leaving(Struct, frozen=True, tag=True):
    """House rule: a seat that guessed correctly chooses whether to leave the round."""

    seat: int
    bidding: Bidding


class Duel(Struct, frozen=True, gc=False, tag=True):
    """A duel between challenger and bidder, and the marks at stake."""

    contester: int
    bidder: int
    number: int
    stake: int


class Closed(Struct, frozen=True, tag=True):
    """A round that ended without a duel, the next opener, and the rule that decides the opener."""

    opener: int
    rule: str


class Revealing(Struct, frozen=True, gc=False, tag=True):
    """All cards go to the middle, to decide a duel or to clear them after a closed round."""

    count: int
    bidding: Bidding
    end: Duel | Closed
    discard: tuple[str, ...]  # discards before a cave rebuilt the pile from them
    shown: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()
    owners: tuple[int | None, ...] = ()


class Over(Struct, frozen=True, tag=True):
    """The match has a winner."""

    winner: int


Stage = Opening | Bidding | Turning | Guessing | Leaving | Revealing | Over


class CountedDuel(Struct, frozen=True, gc=False):
    """The count of a duel: the total, and the number it had to reach."""

    total: int
    number: int
    bidder: int
    steps: tuple[CountStep, ...]


class CountedRound(Struct, frozen=True, gc=False):
    """A counted round, stored for display and coaching."""

    bids: tuple[Bid, ...]
    """The bids of the round; a recovered record may be unsure of a bid although the count is certain."""
    cards: tuple[str, ...]
    owners: tuple[int | None, ...]
    """Owner of each card; None if unknown. Empty if no owner is known."""
    discard: tuple[str, ...]
    plain: bool  # whether each player had exactly one card, none drawn, replaced or guessed
    duel: CountedDuel | None = None


class State(Struct, frozen=True, gc=False):
    """Everything the referee knows about a match."""

    house: House
    marks: tuple[int, ...]
    stage: Stage
    round: int = 0
    way: int = 1  # direction of play: 1 clockwise, -1 anticlockwise
    discard: tuple[str, ...] = ()
    fallen: tuple[int, ...] = ()
    revealed: CountedRound | None = None

    @property
    def bidding(self) -> Bidding:
        """The bids of the round; empty before the first one."""
        match self.stage:
            case Bidding():
                return self.stage
            case Opening() | Over():
                return Bidding(turn=0)
            case stage:
                return stage.bidding

    @property
    def alive(self) -> tuple[int, ...]:
        return tuple([seat for seat, worn in enumerate(self.marks) if worn < self.house.limit])

    def bidders(self, bidding: Bidding) -> tuple[int, ...]:
        return tuple(seat for seat in self.alive if seat not in bidding.retired)

    def next_seat(self, seat: int, retired: tuple[int, ...] = ()) -> int:
        seats, marks, limit = len(self.marks), self.marks, self.house.limit
        after = (seat + self.way) % seats
        while marks[after] >= limit or after in retired:
            after = (after + self.way) % seats
        return after

    def cards_that_count(self, bidding: Bidding) -> int:
        """Return the number of cards in play that count: one per player, and those drawn since."""
        return len(self.alive) + len(bidding.extras) + bidding.turned

    def pile(self, bidding: Bidding) -> int:
        return self.house.deck.size - len(self.discard) - self.cards_that_count(bidding) - bidding.replaced

    def going_on(self, stage: Stage, *rulings: Ruling) -> Transition:
        return Transition(replace(self, stage=stage), rulings)

    def with_turn_passed(self, bidding: Bidding) -> Bidding:
        return replace(bidding.with_turn_given(self.next_seat(bidding.turn, bidding.retired)), fresh=False)

    def with_obligation(self, bidding: Bidding) -> Bidding:
        """Require a bid from the seat in turn after a token, unless a house rule allows a challenge."""
        return replace(bidding, obliged=not self.house.o_contest_after_token, fresh=False)
