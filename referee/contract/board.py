"""Public display of a game: its situation, board, questions, and the moods of its rulings."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from msgspec import Struct

from referee.contract.asks import Ask, CountChange, Datum, Number, Show
from referee.contract.facts import Fact, Weight


class Situation(Struct, frozen=True, gc=False):
    """The current state of play as data for one sentence: who did what to whom, and what is at stake."""

    key: str
    values: Mapping[str, Datum]


def make_situation(key: str, **values: Datum) -> Situation:
    return Situation(key, values)


class CardRow(Struct, frozen=True, gc=False):
    """Face-up cards, shared or of one seat; or cards that a seat only claims to hold."""

    key: str
    faces: tuple[str, ...]
    weight: Weight = Weight.MAIN
    seat: int | None = None
    claimed_by: int | None = None
    """Seat that claims to hold these cards; no other player has seen them."""
    notes: tuple[Fact, ...] = ()
    """A note for each card and each empty place, such as its owner or its value."""
    leading: int | None = None
    struck: tuple[int, ...] = ()
    """Positions of cards that no longer count or that the player couldn't show."""
    places: int = 0
    """Final number of cards in the row, if known."""
    offset: int = 0
    """Number of empty places before the first card."""


class Headline(Struct, frozen=True, gc=False):
    """The number or word to read from across the room, with small captions above and below it."""

    key: str
    values: Mapping[str, Datum]


def make_headline(key: str, **values: Datum) -> Headline:
    return Headline(key, values)


class Track(Struct, frozen=True, gc=False):
    """A numbered line with a marker on it: the rounds of a year, or a total next to a bid."""

    key: str
    first: int
    last: int
    now: int | None = None
    special: tuple[int, ...] = ()
    """Numbers that differ from the others, such as winter rounds."""
    marks: tuple[tuple[int, Fact], ...] = ()


class SaidNumber(Struct, frozen=True, gc=False):
    """A number and the seat that said it."""

    seat: int
    number: int


class Board(Struct, frozen=True):
    """Everything that pages, displays and voices use from a view."""

    facts: tuple[Fact, ...] = ()
    cards: tuple[CardRow, ...] = ()
    turn: int | None = None
    """Seat whose turn it is, even while others are asked."""
    number: int | None = None
    """The number on the table's display."""
    headline: Headline | None = None
    """The largest text on a screen across the room."""
    trail: tuple[SaidNumber, ...] = ()
    """Values of the number and who said them, newest last."""
    track: Track | None = None
    next: int | None = None
    """The seat after the one in turn, if the order varies."""
    limits: Mapping[str, int] = {}
    """Upper limit of each count, by its key in the standings."""
    changes: tuple[CountChange, ...] = ()
    """Count changes that apply if the current claim or attempt succeeds."""
    goals: Mapping[str, int] = {}
    """Amount of a count that buys an action, such as the coins for a coup."""


class Question(Struct, frozen=True, gc=False):
    """One or more asks combined into a single question: the seats asked, and its subject.

    The text names everything at stake. If it needs a situation for that, the situation is shown first.
    """

    key: str
    asks: tuple[str, ...]
    seats: tuple[int, ...]
    values: Mapping[str, Datum]
    about: Situation | None = None


def make_question(
    key: str, stakes: Mapping[str, Datum], *asks: Ask, about: Situation | None = None
) -> Question:
    """Combine asks to the same seats into one question with its stakes."""
    seats = asks[0].seats
    own = {name: value for ask in asks for name, value in _limits(ask).items()}
    values = {"seats": seats, "asked": len(seats), **own, **stakes}
    return Question(key, tuple(ask.key for ask in asks), seats, values, about)


def _limits(ask: Ask) -> Mapping[str, Datum]:
    match ask:
        case Number():
            return {"least": ask.least, "most": ask.most}
        case Show():
            return {"count": ask.count}
        case _:
            return {}


class Mood(StrEnum):
    """Emotional effect of a ruling, from a small closed set."""

    CALL = "call"
    """A call that stops play: Coyote!, a challenge."""
    CLAIM = "claim"
    """A claim that others may doubt, or an attack that they may block."""
    COUNTER = "counter"
    """A claim or attack is answered."""
    TRUTH = "truth"
    LIE = "lie"
    GAIN = "gain"
    LOSS = "loss"
    OUT = "out"
    TRICK = "trick"
    SEASON = "season"
    """Start of a new round, contract or season."""
    REVERSAL = "reversal"
    """An earlier statement no longer holds."""
    WIN = "win"


class Cue(Struct, frozen=True, gc=False):
    """The mood of a ruling, and the name of the value with its seat; an empty name means the whole table."""

    mood: Mood
    seat: str = "seat"


Gesture = Literal["short", "long", "double"]
"""How a button is pressed; options without a gesture are chosen on a phone."""
