"""What a game shows of itself: its situation in one sentence, its board, whole questions, moods of rulings."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from msgspec import Struct

from referee.contract.asks import Ask, CountChange, Datum, Number, Show
from referee.contract.facts import Fact, Weight


class Situation(Struct, frozen=True, gc=False):
    """What it is all about now, as data for one whole sentence: who did what to whom, and what is at stake."""

    key: str
    values: Mapping[str, Datum]


def make_situation(key: str, **values: Datum) -> Situation:
    return Situation(key, values)


class CardRow(Struct, frozen=True, gc=False):
    """Cards that lie open for all to see, shared or a seat's; or a card that a seat only says it has."""

    key: str
    faces: tuple[str, ...]
    weight: Weight = Weight.MAIN
    seat: int | None = None
    claimed_by: int | None = None
    """The seat that says it has these cards, which none of the others has seen."""
    notes: tuple[Fact, ...] = ()
    """What there is to say of each card, and of the places that are still empty: who laid it, what it adds."""
    leading: int | None = None
    struck: tuple[int, ...] = ()
    """The places of cards that count no more, or couldn't be shown."""
    places: int = 0
    """How many cards the row will have, if that is known."""
    offset: int = 0
    """How many places before the first card are empty."""


class Headline(Struct, frozen=True, gc=False):
    """The one thing to be read across the room: a number or a word, with what stands above it and below it."""

    key: str
    values: Mapping[str, Datum]


def make_headline(key: str, **values: Datum) -> Headline:
    return Headline(key, values)


class Track(Struct, frozen=True, gc=False):
    """A line of numbers on which something has a place: rounds of a year, a total beside a bid."""

    key: str
    first: int
    last: int
    now: int | None = None
    special: tuple[int, ...] = ()
    """Numbers that are unlike the others, such as the rounds of winter."""
    marks: tuple[tuple[int, Fact], ...] = ()


class Board(Struct, frozen=True):
    """All that a page, a display or a voice needs to know of a view: nothing else of it is looked at."""

    facts: tuple[Fact, ...] = ()
    cards: tuple[CardRow, ...] = ()
    turn: int | None = None
    """Whose turn it is, also while others are asked."""
    number: int | None = None
    """The one number that the table's display shows."""
    headline: Headline | None = None
    """What a screen across the room shows largest."""
    trail: tuple[int, ...] = ()
    """The numbers that led here, the newest last."""
    track: Track | None = None
    next: int | None = None
    """Who comes after the seat in turn, where that isn't always the same."""
    limits: Mapping[str, int] = {}
    """How many there can be of a count, by its key in the standings."""
    changes: tuple[CountChange, ...] = ()
    """What counts would become if what is claimed or attempted stands."""
    goals: Mapping[str, int] = {}
    """How many of a count buy something that the one in turn may want: the coins of a coup."""


class Question(Struct, frozen=True, gc=False):
    """One whole question: the asks that it puts together, the seats asked, and what it is about.

    Its words name all that is at stake; where a situation is needed for that, it is told before them.
    """

    key: str
    asks: tuple[str, ...]
    seats: tuple[int, ...]
    values: Mapping[str, Datum]
    about: Situation | None = None


def make_question(
    key: str, stakes: Mapping[str, Datum], *asks: Ask, about: Situation | None = None
) -> Question:
    """Make a question of asks that the same seats answer, with what is at stake."""
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
    """How a ruling feels to the table: a small closed set."""

    CALL = "call"
    """A shout that stops the table: Coyote!, a challenge."""
    CLAIM = "claim"
    """A claim that others may doubt, or an attack that they may meet."""
    COUNTER = "counter"
    """A claim or an attack is met."""
    TRUTH = "truth"
    LIE = "lie"
    GAIN = "gain"
    LOSS = "loss"
    OUT = "out"
    TRICK = "trick"
    SEASON = "season"
    """A new round, contract or season begins."""
    REVERSAL = "reversal"
    """What was said before no longer holds."""
    WIN = "win"


class Cue(Struct, frozen=True, gc=False):
    """The mood of a ruling, and which of its values names the seat that it is about; none for the table."""

    mood: Mood
    seat: str = "seat"


Gesture = Literal["short", "long", "double"]
"""How a button is pressed; what has no gesture is chosen on the dial."""
