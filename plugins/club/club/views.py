"""The data of the club's pages, as frozen values."""

from datetime import datetime

from msgspec import Struct

from club.tournament.standings import Standing
from club.tournament.values import Plan
from referee.public_moment import PublicMoment


class ClubCall(Struct, frozen=True):
    """A table's call for the director."""

    table: str
    id: str
    who: str
    why: str
    state: str  # open, coming or done
    answer: str
    asked: datetime
    has_picture: bool = False
    moment: PublicMoment | None = None  # the current moment at the table
    title: str = ""


class ClubTable(Struct, frozen=True):
    """A table in the club."""

    name: str
    title: str
    is_there: bool  # whether it is online
    seen: datetime | None = None
    moment: PublicMoment | None = None
    deck: str = ""
    began: datetime | None = None
    updated: datetime | None = None
    call: ClubCall | None = None


class Seated(Struct, frozen=True):
    """A player in a tournament, with a number because names repeat in a club."""

    number: int
    name: str


class TableSeats(Struct, frozen=True):
    """The players at a table in a round, and the result."""

    table: str
    title: str
    game: str
    people: tuple[Seated, ...]
    places: tuple[int, ...] = ()  # by seat; empty without a result
    is_corrected: bool = False
    match: int | None = None

    @property
    def by_place(self) -> list[tuple[int, Seated]]:
        """Return people by place, the first one first; before the end, by seat with place 0."""
        places = self.places or (0,) * len(self.people)
        return sorted(zip(places, self.people, strict=True), key=lambda each: each[0])


class RoundView(Struct, frozen=True):
    """A round of a tournament."""

    number: int
    seats: tuple[TableSeats, ...]
    byes: tuple[Seated, ...]
    seconds_left: float | None = None
    is_stopped: bool = False
    again: int = 0  # number of pairs who have met before

    @property
    def is_done(self) -> bool:
        return all(each.places for each in self.seats)


class PenaltyRow(Struct, frozen=True):
    """Points deducted from a player."""

    index: int
    who: Seated
    points: int
    why: str
    by: str
    at: str
    is_lifted: bool


class TournamentView(Struct, frozen=True):
    """A tournament for its pages."""

    id: int
    plan: Plan
    is_over: bool
    rounds: tuple[RoundView, ...]
    draft: RoundView | None
    standings: tuple[Standing, ...]
    penalties: tuple[PenaltyRow, ...] = ()
    tables: tuple[tuple[str, str], ...] = ()  # the club's tables: name and title

    @property
    def has_last_round(self) -> bool:
        """Return whether the last sent round is the final one."""
        return len(self.rounds) >= self.plan.rounds


class DoubtfulLine(Struct, frozen=True):
    """A table's line that doesn't count, because it conflicts with earlier ones."""

    table: str
    match: int
    number: int
    why: str


class Invitation(Struct, frozen=True):
    """The link by which a table joins: an address, and after `#` the code."""

    title: str
    link: str
