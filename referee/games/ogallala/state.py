"""The state of a match of Ogallala: territories, the open pile, the turn. Everything is public."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Datum, Ruling
from referee.contract.cards import without
from referee.games.ogallala.deck import House
from referee.games.ogallala.territory import Cell, Territory, cards_in
from referee.kit.options import seats_after
from referee.kit.ranking import with_more

Rulings = tuple[Ruling, ...]

ENOUGH, MAX_CANOES = 3, 5  # number of canoes that allows ending the match, and number that forces it

EndReason = Literal["ended", "fifth", "no-cards"]


class Turn(Struct, frozen=True, gc=False):
    """A player's turn so far."""

    seat: int = 0
    drawn: int = 0
    is_last: bool = False  # no further draw: the card was a duplicate, or it has an effect
    is_pass: bool = False  # whether the turn consists only of taking the open card
    due: tuple[Cell, ...] = ()
    """Bows of canoes that were completed in this turn and may still attack."""
    booty: tuple[str, ...] = ()  # captured cards without a placement yet
    held: int = 0
    """Number of canoes the player had at the latest completion in this turn; 0 without one."""


class Opening(Struct, frozen=True, tag=True):
    """Before the first turn: the table names the first player."""


class Drawing(Struct, frozen=True, tag=True):
    """The player in turn draws a card."""


class Sourcing(Struct, frozen=True, gc=False, tag=True):
    """The card in the middle may be the open pile's: its player is asked for its source."""

    card: str


class Placing(Struct, frozen=True, gc=False, tag=True):
    """A card in the middle waits for a placement."""

    card: str
    why: Literal["drawn", "roped", "booty", "aside"]


class Aiming(Struct, frozen=True, gc=False, tag=True):
    """The target choice of a Lasso, an Archer, a Saboteur or an attack."""

    by: Literal["lasso", "archer", "saboteur", "attack"]
    card: str = ""  # the Saboteur's card, which isn't placed


class Sharing(Struct, frozen=True, tag=True):
    """The winner of an attack chooses the next piece of booty."""


class Ending(Struct, frozen=True, tag=True):
    """A player with three canoes may end the match."""


class Counting(Struct, frozen=True, gc=False, tag=True):
    """The final count, canoe by canoe, with the number counted so far."""

    reason: EndReason
    counted: int = 0


class Over(Struct, frozen=True, gc=False, tag=True):
    """All canoes have been counted."""

    reason: EndReason


Stage = Opening | Drawing | Sourcing | Placing | Aiming | Sharing | Ending | Counting | Over


class State(Struct, frozen=True, gc=False):
    """Everything the referee knows about a match."""

    house: House
    territories: tuple[Territory, ...]
    completed: tuple[int, ...]  # canoes that each player ever completed
    stage: Stage
    turn: Turn = Turn()
    discard: tuple[str, ...] = ()  # the open pile, top card last
    aside: tuple[tuple[str, ...], ...] = ()
    """House rule: each player's unplaced booty beside the territory."""
    has_laid: bool = True
    """House rule: whether a card has been placed since the discards were last shuffled."""
    passes: int = 0  # consecutive turns that only took and returned the open card

    def clockwise(self, seat: int) -> tuple[int, ...]:
        """Return all other seats, starting with the left-hand neighbour."""
        return seats_after(seat, len(self.territories))

    def ruled(self, key: str, /, rule: str, **values: Datum) -> Ruling:
        return Ruling(key, {"seat": self.turn.seat, **values}, rule)

    @property
    def hidden_cards(self) -> dict[str, int]:
        """Return the counts of cards not seen since they were in a face-down pile."""
        aside = [card for cards in self.aside for card in cards]
        open_cards = (*self.discard, *aside, *self.turn.booty, *self.middle_card)
        return without(_not_laid(self.house, self.territories)[0], open_cards)

    @property
    def pile_size(self) -> int:
        beside = len(self.discard) + sum(map(len, self.aside)) + len(self.turn.booty)
        return _not_laid(self.house, self.territories)[1] - beside - len(self.middle_card)

    @property
    def middle_card(self) -> tuple[str, ...]:
        card = getattr(self.stage, "card", "")
        return (card,) if card else ()

    @property
    def open_card(self) -> tuple[str, ...]:
        """The top card of the open pile, if players may draw from it."""
        return self.discard[-1:] if self.house.discard == "fourth_pile" else ()

    @property
    def own(self) -> Territory:
        return self.territories[self.turn.seat]

    def with_territory(self, seat: int, territory: Territory) -> Self:
        before = self.territories
        return replace(self, territories=(*before[:seat], territory, *before[seat + 1 :]))

    def with_cells_cleared(self, seat: int, cells: frozenset[Cell]) -> Self:
        return self.with_territory(seat, self.territories[seat].without_cards(cells))

    def with_aside(self, seat: int, cards: tuple[str, ...]) -> Self:
        return replace(self, aside=(*self.aside[:seat], cards, *self.aside[seat + 1 :]))

    def with_discarded(self, *cards: str) -> Self:
        """Put cards on the open pile, the last one on top."""
        return replace(self, discard=(*self.discard, *cards))

    def canoes_held(self, seat: int) -> int:
        """Return a player's number of canoes for the end: present ones, or all ever completed."""
        if self.house.count_ever:
            return self.completed[seat]
        return len(self.territories[seat].complete)

    def with_completed(self, bow: Cell, *, may_attack: bool) -> Self:
        seat, before = self.turn.seat, self.completed
        now = replace(self, completed=with_more(before, seat))
        due = (*self.turn.due, bow) if may_attack else self.turn.due
        return replace(now, turn=replace(self.turn, due=due, held=now.canoes_held(seat)))


@lru_cache(maxsize=256)
def _not_laid(house: House, territories: tuple[Territory, ...]) -> tuple[Mapping[str, int], int]:
    """Return the cards in no territory, and their number; cached, as many answers don't change them."""
    laid = [card for territory in territories for card in cards_in(territory)]
    return without(house.deck.counts, laid), house.deck.size - len(laid)
