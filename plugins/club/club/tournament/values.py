"""A tournament as a value: its plan, entrants, rounds and the director's decisions."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from msgspec import Struct


class Movement(StrEnum):
    """How people move from round to round."""

    SWISS = "swiss"  # people with equal points meet
    ROUND_ROBIN = "round robin"  # everybody meets everybody, as evenly as the tables allow


class Problem(StrEnum):
    """Why an operation is impossible."""

    NAME = "name"
    PLAN = "plan"
    FULL = "full"
    UNKNOWN = "unknown"
    TOO_FEW = "too few"
    NO_ROUND = "no round"
    UNSENT = "unsent"
    LAST_ROUND = "last round"
    OVER = "over"
    PLACES = "places"
    POINTS = "points"
    TABLE = "table"


class NotPossible(Exception):  # noqa: N818 - it reads well as it is
    """The director's request is impossible; nothing has changed."""

    def __init__(self, problem: Problem, about: str = "") -> None:
        super().__init__(problem.value, about)
        self.problem, self.about = problem, about


class Place(Struct, frozen=True):
    """A participating table: its name, its game and its number of players."""

    table: str
    game: str
    least: int = 3
    most: int = 8


class Plan(Struct, frozen=True):
    """The agreements before the first round."""

    title: str
    places: tuple[Place, ...]
    movement: Movement = Movement.SWISS
    rounds: int = 4
    size: int = 4  # preferred number of players at a table
    minutes: int = 40
    points: tuple[int, ...] = (6, 4, 2)  # points for the first, second, … place; 0 after that
    bye: int = 3  # points for a round with a bye
    rules: Mapping[str, Mapping[str, str]] = {}
    """House rules of each game in form values: its edition, and changed rules."""


class Entrant(Struct, frozen=True, omit_defaults=True):
    """An entrant, identified by a number because names repeat in a club."""

    number: int
    name: str
    person: int | None = None  # the person's number at the club, if known
    is_here: bool = True


class Seating(Struct, frozen=True):
    """The players at a table in a round; the first has seat 0."""

    table: str
    game: str
    entrants: tuple[int, ...]


class Correction(Struct, frozen=True):
    """A result entered by the director: the place of each seat. The newest one for a seating counts."""

    table: str
    places: tuple[int, ...]  # if empty, the table's own result counts again
    by: str
    why: str
    at: str


class Clock(Struct, frozen=True, omit_defaults=True):
    """The clock of a round, in seconds of the hub's own time."""

    began: float
    minutes: float
    stopped: float | None = None  # when it was stopped; None while it runs


class Round(Struct, frozen=True, omit_defaults=True):
    """A round: seatings and byes; a draft until it is sent."""

    number: int
    seatings: tuple[Seating, ...]
    byes: tuple[int, ...] = ()
    sent: float | None = None
    clock: Clock | None = None
    corrections: tuple[Correction, ...] = ()


class Penalty(Struct, frozen=True, omit_defaults=True):
    """Points deducted from a player, with author and reason; a lifted penalty stays in the record."""

    entrant: int
    points: int
    why: str
    by: str
    at: str
    is_lifted: bool = False


class Tournament(Struct, frozen=True, omit_defaults=True):
    """A whole tournament, except the results, which are derived from the matches."""

    plan: Plan
    entrants: tuple[Entrant, ...] = ()
    rounds: tuple[Round, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    is_over: bool = False


class Result(Struct, frozen=True):
    """The result of a seating: the place of each seat, and its source."""

    round: int
    table: str
    entrants: tuple[int, ...]
    places: tuple[int, ...]
    is_corrected: bool = False
    match: int | None = None  # the club's number of the underlying match


def plain_places(places: Sequence[int]) -> tuple[int, ...]:
    """Return places from 1 without gaps except after shared places: 1, 2, 2, 4."""
    in_order = sorted(places)
    return tuple(in_order.index(place) + 1 for place in places)


def entrant_of(tournament: Tournament, number: int) -> Entrant:
    found = next((each for each in tournament.entrants if each.number == number), None)
    if found is None:
        raise NotPossible(Problem.UNKNOWN, str(number))
    return found


def sent_rounds(tournament: Tournament) -> tuple[Round, ...]:
    return tuple(each for each in tournament.rounds if each.sent is not None)


def draft_of(tournament: Tournament) -> Round | None:
    return next((each for each in tournament.rounds[-1:] if each.sent is None), None)
