"""The state of a match of Ogallala: territories, the open pile, the turn. All of it lies open on the table."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, Self

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Datum, Ruling, make_ruling
from referee.contract.cards import without
from referee.games.ogallala.deck import House
from referee.games.ogallala.territory import Cell, Territory, cards_in
from referee.kit.options import seats_after
from referee.kit.ranking import with_more

Rulings = tuple[Ruling, ...]

ENOUGH, MOST = 3, 5  # with so many canoes one may end the match, with so many one has to

EndReason = Literal["ended", "fifth", "no-cards"]


class Turn(Struct, frozen=True, gc=False):
    """A player's turn so far."""

    seat: int = 0
    drawn: int = 0
    is_last: bool = False  # nothing more is drawn: the card lay here already, or it has an effect
    is_pass: bool = False  # all that was done is to take the open card
    due: tuple[Cell, ...] = ()
    """Bows of canoes that were completed in this turn and may still attack."""
    booty: tuple[str, ...] = ()  # captured cards that have no place yet
    held: int = 0
    """How many canoes the player had, when one was completed last in this turn; 0 when none was."""


class Opening(Struct, frozen=True, tag=True):
    """Before the first turn: the table says who begins."""


class Drawing(Struct, frozen=True, tag=True):
    """The player in turn draws a card."""


class Sourcing(Struct, frozen=True, gc=False, tag=True):
    """The card in the middle may be the one of the open pile: its player says from where it comes."""

    card: str


class Placing(Struct, frozen=True, gc=False, tag=True):
    """A card lies in the middle and has to find a place."""

    card: str
    why: Literal["drawn", "roped", "booty", "aside"]


class Aiming(Struct, frozen=True, gc=False, tag=True):
    """The Lasso takes a card, the Archer shoots, the Saboteur sinks a canoe, or a new canoe attacks."""

    by: Literal["lasso", "archer", "saboteur", "attack"]
    card: str = ""  # the Saboteur's, which is laid nowhere


class Sharing(Struct, frozen=True, tag=True):
    """The winner of an attack chooses the next piece of booty."""


class Ending(Struct, frozen=True, tag=True):
    """A player with three canoes may end the match."""


class Counting(Struct, frozen=True, gc=False, tag=True):
    """The final count, canoe by canoe: how many have been counted."""

    reason: EndReason
    counted: int = 0


class Over(Struct, frozen=True, gc=False, tag=True):
    """All canoes have been counted."""

    reason: EndReason


Stage = Opening | Drawing | Sourcing | Placing | Aiming | Sharing | Ending | Counting | Over


class State(Struct, frozen=True, gc=False):
    """All that the referee knows of a match."""

    house: House
    territories: tuple[Territory, ...]
    completed: tuple[int, ...]  # how many canoes each player has ever completed
    stage: Stage
    turn: Turn = Turn()
    discard: tuple[str, ...] = ()  # the open pile, its top card last
    aside: tuple[tuple[str, ...], ...] = ()
    """House rule: booty that each player keeps beside the territory until it finds a place."""
    has_laid: bool = True
    """House rule: since the discards were shuffled last, some card has been laid."""
    passes: int = 0  # how many turns running were nothing but the open card, taken and given back

    def clockwise(self, seat: int) -> tuple[int, ...]:
        """List all other seats, from the left-hand neighbour on."""
        return seats_after(seat, len(self.territories))

    def ruled(self, key: str, /, rule: str, **values: Datum) -> Ruling:
        return make_ruling(key, rule=rule, seat=self.turn.seat, **values)

    @property
    def hidden_cards(self) -> dict[str, int]:
        """Count the cards that have not been seen since they lay in a pile, face down."""
        aside = [card for cards in self.aside for card in cards]
        open_cards = (*self.discard, *aside, *self.turn.booty, *self.middle_card)
        return without(_not_laid(self.house, self.territories), open_cards)

    @property
    def pile_size(self) -> int:
        laid = sum([len(cards_in(territory)) for territory in self.territories])
        beside = len(self.discard) + sum(map(len, self.aside)) + len(self.turn.booty)
        return self.house.deck.size - laid - beside - len(self.middle_card)

    @property
    def middle_card(self) -> tuple[str, ...]:
        card = self.stage.card if isinstance(self.stage, Sourcing | Placing | Aiming) else ""
        return (card,) if card else ()

    @property
    def open_card(self) -> tuple[str, ...]:
        """Give the top card of the open pile, where it is a pile to draw from."""
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
        """Lay cards on the open pile, the last one on top."""
        return replace(self, discard=(*self.discard, *cards))

    def canoes_held(self, seat: int) -> int:
        """Count the canoes of a player that count for the end: those that are there, or all ever completed."""
        if self.house.count_ever:
            return self.completed[seat]
        return len(self.territories[seat].complete)

    def with_completed(self, bow: Cell, *, may_attack: bool) -> Self:
        seat, before = self.turn.seat, self.completed
        now = replace(self, completed=with_more(before, seat))
        due = (*self.turn.due, bow) if may_attack else self.turn.due
        return replace(now, turn=replace(self.turn, due=due, held=now.canoes_held(seat)))


@lru_cache(maxsize=256)
def _not_laid(house: House, territories: tuple[Territory, ...]) -> Mapping[str, int]:
    """Count the cards that lie in no territory, which many answers leave as it is."""
    laid = [card for territory in territories for card in cards_in(territory)]
    return without(house.deck.counts, laid)
