"""A game as the house knows it: types, and pure functions over a frozen state."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from referee.contract.asks import Answer, Ask, Choice, Option, Refusal, Ruling, Show
from referee.contract.board import Board, Situation
from referee.contract.cards import PILE, Deck, Zone, hand_of
from referee.contract.cues import Cue, Gesture
from referee.contract.layout import Grid, Move, Scene, Span, TableLayout
from referee.contract.words import Words

Ways = tuple[tuple[Answer, ...], ...]
"""Ways to go on: answers that are legal one after the other."""


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """How a match ended: who won, and why it is over."""

    reason: str
    winners: tuple[int, ...]


class Standing(Struct, frozen=True):
    """How a seat stands: its place, what it has (marks, coins, ...), and whether it still plays."""

    seat: int
    place: int
    counts: Mapping[str, int]
    out: bool = False


class Transition(Struct, frozen=True, gc=False):
    """What an answer led to: the next state and the rulings on the way."""

    state: Any
    rulings: tuple[Ruling, ...]


class Stretch(Struct, frozen=True, gc=False):
    """A stretch of a match: what everybody could see before it, what was ruled, what could be seen after."""

    before: Any
    rulings: tuple[Ruling, ...]
    after: Any


class Feat(Struct, frozen=True, gc=False):
    """Something that a seat has done and that counts for its statistics: what, and how often or how much."""

    seat: int
    key: str
    count: int = 1


class Rate(Struct, frozen=True):
    """A share or an average of feats: so much of one for each of another."""

    key: str
    part: str
    whole: str
    is_share: bool = True


class Turns(Struct, frozen=True, kw_only=True):
    """Turns that are played with the cards alone, and read from what lies on the table once they are over."""

    asks: Callable[[Any], Choice | None]
    """How whoever is in turn may say that it is over; None while something else is to be said first."""
    begins: frozenset[str]
    """Keys of rulings with which a turn begins."""
    scene: Callable[[Any], Scene]
    """What should lie open, and where."""
    explained: Callable[[Any, Scene, Scene, int], Ways]
    """The ways in which one scene can have become the other from a state on, numbered from a moment."""


class StatisticsRules(Struct, frozen=True, kw_only=True):
    """What of a match counts for statistics: drawn from what everybody could see and was told."""

    ends: Callable[[Stretch], bool] = lambda _stretch: False
    """Whether a round is over with an answer; the end of a match always ends one."""
    opens: frozenset[str] = frozenset()
    """Keys of rulings that tell of the next round, where a round is over."""
    feats: Callable[[Stretch], tuple[Feat, ...]] = lambda _stretch: ()
    """What the seats have done in a round."""
    points: Callable[[Stretch], Mapping[str, int]] = lambda _stretch: {}
    """What a chart shows of a round beside the standings."""
    rates: tuple[Rate, ...] = ()
    begins: tuple[str, str] = ("", "")
    """The ruling that tells who begins, and its value that names the seat."""
    score: str = ""
    """Which count of the standings people take for the score."""
    is_most_best: bool = True


def order_of_arrival(_state: Any, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
    """Hear answers of the same instant in the order in which they happened to come."""
    return answers


def is_always_fair(_state: Any, _answer: Answer, _places: Mapping[Zone, tuple[str, ...]]) -> bool:
    """Call any legal answer fair: so it is where no rule binds a hidden card."""
    return True


def one_place_each(seats: int) -> TableLayout:
    """Part a table into a place for each player: so it is where nobody lays cards apart."""
    return TableLayout(seats)


def house_unchanged(house: Any, _counts: Mapping[str, int]) -> Any:
    """Leave the house rules as they are: so it is where every box has the same cards."""
    return house


def no_grids(_view: Any) -> tuple[Grid, ...]:
    """Show no grids: so it is where cards lie in no rows."""
    return ()


def no_reason(_state: Any, _seat: int | None, _option: Option) -> Refusal | None:
    """Give no reason beside the one that it isn't among the options."""
    return None


def no_insight(_state: Any) -> tuple[Ruling, ...]:
    """Tell nothing beside the rulings."""
    return ()


def no_moves(_state: Any, _ruling: Ruling) -> tuple[Move, ...]:
    """Move no cards: a game that asks to see cards says here how they came to the players."""
    return ()


def from_hands_or_pile(_state: Any, ask: Show) -> tuple[Zone, ...]:
    """Let the seats that are asked lay cards of their hands; the whole table turns up cards of the pile."""
    return tuple(hand_of(seat) for seat in ask.seats) or (PILE,)


def no_audit(_state: Any, _span: Span, _seen: tuple[str, ...]) -> tuple[Ruling, ...]:
    """Tell nothing: so it is where there are no grids to compare with."""
    return ()


def no_situation(_view: Any) -> Situation | None:
    """Say nothing beside the asks."""
    return None


def no_board(_view: Any) -> Board:
    """Show nothing beside the standings."""
    return Board()


class Game(Struct, frozen=True, kw_only=True):
    """A game as the house knows it: a few types, and pure functions over a frozen state.

    `start` may refuse seats or house rules that don't go together; `hear` is only given answers that are
    legal for the asks. `view` names one by one what a viewer may see (a spectator is None). `insight` says
    what can be told, exactly and from public knowledge, about the round that has just been shown.
    """

    name: str
    words: Words
    house: type[Struct]
    settings: Mapping[str, Any]
    """House rules by name: the editions and their options, as tests and benchmarks go through them."""
    state: type[Struct]
    seats: Callable[[Any], range]
    start: Callable[[tuple[int, ...], Any, Outcome | None], Transition | Refusal]
    asks: Callable[[Any], tuple[Ask, ...]]
    hear: Callable[[Any, Answer], Transition | Refusal]
    standings: Callable[[Any], tuple[Standing, ...]]
    outcome: Callable[[Any], Outcome | None]
    view: Callable[[Any, int | None], Struct]
    deck: Callable[[Any], Deck]
    insight: Callable[[Any], tuple[Ruling, ...]] = no_insight
    moves: Callable[[Any, Ruling], tuple[Move, ...]] = no_moves
    """What hands do with the cards once they have heard a ruling; the state is the one it led to."""
    sources: Callable[[Any, Show], tuple[Zone, ...]] = from_hands_or_pile
    """From where the cards come that an ask wants to see laid."""
    in_order: Callable[[Any, tuple[Answer, ...]], tuple[Answer, ...]] = order_of_arrival
    """In which order answers are heard that no clock can tell apart; who gave way is noted in the first."""
    is_fair: Callable[[Any, Answer, Mapping[Zone, tuple[str, ...]]], bool] = is_always_fair
    """Whether one who plays fair may say so, with the cards where they really are: only the twin can ask."""
    no_way_back: frozenset[str] = frozenset()
    """Keys of rulings after which a player can't take back, because hidden cards have moved."""
    counting: StatisticsRules = StatisticsRules()
    """What of a match counts for statistics."""
    boxed: Callable[[Any, Mapping[str, int]], Any] = house_unchanged
    """The house rules with the counts of a box that was taught, where nobody knows them for all boxes."""
    why_not: Callable[[Any, int | None, Option], Refusal | None] = no_reason
    """Which condition fails where a seat can't choose an option, so that the refusal can say it."""
    grids: Callable[[Any], tuple[Grid, ...]] = no_grids
    """The grids of a view; an option with a cell is chosen on the grid of its seat, or of whoever is asked."""
    audited: Callable[[Any, Span, tuple[str, ...]], tuple[Ruling, ...]] = no_audit
    """What cards that were seen tell about a stretch of a grid: whether the record has the same."""
    parting: Callable[[int], TableLayout] = one_place_each
    """How the table is parted for so many players."""
    turns: Turns | None = None
    """How whole turns are read, where cards tell what was done."""
    situation: Callable[[Any], Situation | None] = no_situation
    """What a view is about, as one whole sentence; with it each ask reads as a whole question by itself."""
    board: Callable[[Any], Board] = no_board
    """The labelled facts and open cards of a view, each with its weight."""
    excused: Mapping[str, str] = {}
    """Fields of the view that are neither in its situation nor on its board, each with the reason."""
    cues: Mapping[str, Cue] = {}
    """The moods of rulings; a ruling without one passes quietly."""
    gestures: Mapping[str, Gesture] = {}
    """How options are pressed, by their words, where one press can't say it."""
    grounds: Mapping[str, str] = {}
    """The rule on which a ruling or a refusal rests, by its key."""
    art: str = ""
    """Where the game's artwork is found, as `package.module:NAME`; without it, cards are drawn plainly."""
    picture: str = ""
    """Where a table is laid for the game's picture, as `package.module:NAME`."""
    bot: str = ""
    """Where the game's bot is found, as `package.module:NAME`; without it, bots answer anything legal."""
