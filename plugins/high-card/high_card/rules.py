"""The rules: everyone plays a card, the highest takes the trick; the first with enough points wins."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import CENTRE, Answer, Ask, Choice, Option, Outcome, Ruling, Show, Transition, make_ruling
from referee.contract.cards import Deck, without
from referee.kit.answers import cards_said, option_said

DECK = Deck("high-card", {str(number): 1 for number in range(1, 31)})
HAND = 5
"""Number of cards dealt to each player."""
WORTH = {"single": 1, "double": 2}
TARGET = {"short": 5, "long": 10}
"""Points needed to win."""


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """House rules that a table may choose."""

    length: Literal["short", "long"] = "short"
    doubling: bool = True


SETTINGS = {"short": House(), "long": House(length="long", doubling=False)}
"""Settings covered by the checks."""


class State(Struct, frozen=True):
    """Everything the referee knows; hands are not included, because they are hidden."""

    house: House
    points: tuple[int, ...]
    leader: int
    worth: int
    """Points per trick in this deal; 0 until the leader has decided."""
    seen: tuple[str, ...] = ()
    """Cards played in this deal, in order."""


def start(seats: tuple[int, ...], house: House, after: Outcome | None) -> Transition:
    """Begin a match; the previous winner leads."""
    leader = after.winners[0] if after else 0
    return _deal(State(house, (0,) * len(seats), leader, 0))


def _deal(state: State, *before: Ruling) -> Transition:
    dealt = replace(state, worth=0 if state.house.doubling else 1, seen=())
    return Transition(dealt, (*before, make_ruling("deal", "deal", seat=state.leader, count=HAND)))


def trick_of(state: State) -> tuple[str, ...]:
    """Return the cards of the current trick, starting with the leader's."""
    return state.seen[len(state.seen) // len(state.points) * len(state.points) :]


def seat_at(state: State, place: int) -> int:
    """Return the seat that plays a given card of a trick."""
    return (state.leader + place) % len(state.points)


def asks(state: State) -> tuple[Ask, ...]:
    """Ask the leader for the worth of the deal, then each seat for an unseen card."""
    if outcome(state) is not None:
        return ()
    if not state.worth:
        return (Choice("worth", (state.leader,), tuple(map(Option, WORTH))),)
    turn = seat_at(state, len(trick_of(state)))
    return (Show("card", (turn,), 1, CENTRE, DECK, without(DECK.counts, state.seen)),)


def hear(state: State, answer: Answer) -> Transition:
    """Apply the worth of the deal, or a card."""
    if answer.ask == "worth":
        word = option_said(answer).word
        return Transition(replace(state, worth=WORTH[word]), (make_ruling(word, "worth", seat=state.leader),))
    (card,) = cards_said(answer)
    trick = (*trick_of(state), card)
    lays = make_ruling("lays", "card", seat=seat_at(state, len(trick) - 1), card=card)
    laid = replace(state, seen=(*state.seen, card))
    return Transition(laid, (lays,)) if len(trick) < len(state.points) else _take(laid, trick, lays)


def _take(state: State, trick: tuple[str, ...], lays: Ruling) -> Transition:
    best = max(trick, key=int)
    winner = seat_at(state, trick.index(best))
    points = tuple(had + state.worth * (seat == winner) for seat, had in enumerate(state.points))
    after = replace(state, points=points, leader=winner)
    rulings = (lays, make_ruling("takes", "take", seat=winner, card=best, worth=state.worth))
    if outcome(after) is not None:
        return Transition(after, (*rulings, make_ruling("won", "end", seat=winner, points=points[winner])))
    return _deal(after, *rulings) if len(state.seen) == HAND * len(points) else Transition(after, rulings)


def outcome(state: State) -> Outcome | None:
    """Return the winner."""
    most = max(state.points)
    return Outcome("points", (state.points.index(most),)) if most >= TARGET[state.house.length] else None
