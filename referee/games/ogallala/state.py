"""The state of a match of Ogallala: territories, the open pile, the turn. All of it lies open on the table."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import Datum, Ruling, make_ruling
from referee.contract.cards import without
from referee.games.ogallala.deck import House, deck_of
from referee.games.ogallala.territory import Cell, Territory, cards_in, complete_in, without_cards
from referee.kit.options import seats_after

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


class Roping(Struct, frozen=True, gc=False, tag=True):
    """The Lasso takes a card from another player."""

    lasso: str


class Shooting(Struct, frozen=True, gc=False, tag=True):
    """The Archer shoots a paddler."""

    archer: str


class Sinking(Struct, frozen=True, gc=False, tag=True):
    """The Saboteur sinks a canoe of the player who drew it."""

    saboteur: str


class Attacking(Struct, frozen=True, tag=True):
    """A canoe that was completed may attack another one."""


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


Stage = (
    Opening
    | Drawing
    | Sourcing
    | Placing
    | Roping
    | Shooting
    | Sinking
    | Attacking
    | Sharing
    | Ending
    | Counting
    | Over
)


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


def clockwise(state: State, seat: int) -> tuple[int, ...]:
    """List all other seats, from the left-hand neighbour on."""
    return seats_after(seat, len(state.territories))


def ruled(state: State, key: str, /, rule: str, **values: Datum) -> Ruling:
    return make_ruling(key, rule=rule, seat=state.turn.seat, **values)


def hidden_cards(state: State) -> dict[str, int]:
    """Count the cards that have not been seen since they lay in a pile, face down."""
    aside = [card for cards in state.aside for card in cards]
    open_cards = (*state.discard, *aside, *state.turn.booty, *middle_card(state.stage))
    return without(_not_laid(state.house, state.territories), open_cards)


@lru_cache(maxsize=256)
def _not_laid(house: House, territories: tuple[Territory, ...]) -> Mapping[str, int]:
    """Count the cards that lie in no territory, which many answers leave as it is."""
    laid = [card for territory in territories for card in cards_in(territory)]
    return without(deck_of(house).counts, laid)


def pile_size(state: State) -> int:
    laid = sum([len(cards_in(territory)) for territory in state.territories])
    beside = len(state.discard) + sum(map(len, state.aside)) + len(state.turn.booty)
    return deck_of(state.house).size - laid - beside - len(middle_card(state.stage))


def middle_card(stage: Stage) -> tuple[str, ...]:
    match stage:
        case Placing() | Sourcing():
            return (stage.card,)
        case Sinking():
            return (stage.saboteur,)
        case _:
            return ()


def open_card(state: State) -> tuple[str, ...]:
    """Give the top card of the open pile, where it is a pile to draw from."""
    return state.discard[-1:] if state.house.discard == "fourth_pile" else ()


def own_territory(state: State) -> Territory:
    return state.territories[state.turn.seat]


def with_territory(state: State, seat: int, territory: Territory) -> State:
    before = state.territories
    return replace(state, territories=(*before[:seat], territory, *before[seat + 1 :]))


def with_cells_cleared(state: State, seat: int, cells: frozenset[Cell]) -> State:
    return with_territory(state, seat, without_cards(state.territories[seat], cells))


def with_aside(state: State, seat: int, cards: tuple[str, ...]) -> State:
    return replace(state, aside=(*state.aside[:seat], cards, *state.aside[seat + 1 :]))


def with_discarded(state: State, *cards: str) -> State:
    """Lay cards on the open pile, the last one on top."""
    return replace(state, discard=(*state.discard, *cards))


def canoes_held(state: State, seat: int) -> int:
    """Count the canoes of a player that count for the end: those that are there, or all ever completed."""
    if state.house.count_ever:
        return state.completed[seat]
    return len(complete_in(state.territories[seat]))


def with_completed(state: State, bow: Cell, *, may_attack: bool) -> State:
    seat, before = state.turn.seat, state.completed
    state = replace(state, completed=(*before[:seat], before[seat] + 1, *before[seat + 1 :]))
    due = (*state.turn.due, bow) if may_attack else state.turn.due
    return replace(state, turn=replace(state.turn, due=due, held=canoes_held(state, seat)))
