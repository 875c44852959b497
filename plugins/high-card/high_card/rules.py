"""The rules: each lays a card, the highest takes the trick; the first with enough points wins."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.contract import CENTRE, Answer, Ask, Choice, Option, Outcome, Ruling, Show, Transition, make_ruling
from referee.contract.cards import Deck, without
from referee.kit.answers import cards_said, option_said

DECK = Deck("high-card", {str(number): 1 for number in range(1, 31)})
HAND = 5
"""Cards that everybody is dealt."""
WORTH = {"single": 1, "double": 2}
TARGET = {"short": 5, "long": 10}
"""Points that win the match."""


class House(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table may agree on before it plays; the defaults first."""

    length: Literal["short", "long"] = "short"
    doubling: bool = True


SETTINGS = {"short": House(), "long": House(length="long", doubling=False)}
"""Ways to play that checks go through."""


class State(Struct, frozen=True):
    """All that the referee has been told; the hands are not in it, as they haven't been shown."""

    house: House
    points: tuple[int, ...]
    leader: int
    worth: int
    """Points for a trick of this deal; 0 until the leader has said how many."""
    seen: tuple[str, ...] = ()
    """Cards that were laid in this deal, in order."""


def start(seats: tuple[int, ...], house: House, after: Outcome | None) -> Transition:
    """Begin: the winner of the last match leads."""
    leader = after.winners[0] if after else 0
    return _deal(State(house, (0,) * len(seats), leader, 0))


def _deal(state: State, *before: Ruling) -> Transition:
    dealt = replace(state, worth=0 if state.house.doubling else 1, seen=())
    return Transition(dealt, (*before, make_ruling("deal", "deal", seat=state.leader, count=HAND)))


def trick_of(state: State) -> tuple[str, ...]:
    """Give the cards of the trick on the table, from the leader's on."""
    return state.seen[len(state.seen) // len(state.points) * len(state.points) :]


def seat_at(state: State, place: int) -> int:
    """Say who lays the first, second, ... card of a trick."""
    return (state.leader + place) % len(state.points)


def asks(state: State) -> tuple[Ask, ...]:
    """Ask the leader what the deal is worth, then each seat for a card that hasn't been seen."""
    if outcome(state) is not None:
        return ()
    if not state.worth:
        return (Choice("worth", (state.leader,), tuple(map(Option, WORTH))),)
    turn = seat_at(state, len(trick_of(state)))
    return (Show("card", (turn,), 1, CENTRE, DECK, without(DECK.counts, state.seen)),)


def hear(state: State, answer: Answer) -> Transition:
    """Hear what the deal is worth, or which card was laid."""
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
    """Say who has won."""
    most = max(state.points)
    return Outcome("points", (state.points.index(most),)) if most >= TARGET[state.house.length] else None
