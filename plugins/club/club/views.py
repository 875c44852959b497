"""What the club's pages show, and what they ask for, as frozen values."""

from datetime import datetime

from msgspec import Struct

from club.ratings import Rating
from club.tournament.standings import Standing
from club.tournament.values import Movement, Plan
from referee.public_moment import PublicMoment


class ClubCall(Struct, frozen=True):
    """A table asks for the director."""

    table: str
    id: str
    who: str
    why: str
    state: str  # open, coming or done
    answer: str
    asked: datetime
    has_picture: bool = False
    moment: PublicMoment | None = None  # the moment that stands at the table
    title: str = ""


class ClubTable(Struct, frozen=True):
    """A table as the club knows it."""

    name: str
    title: str
    is_there: bool  # whether it can be heard
    seen: datetime | None = None
    moment: PublicMoment | None = None
    deck: str = ""
    began: datetime | None = None
    updated: datetime | None = None
    call: ClubCall | None = None


class Seated(Struct, frozen=True):
    """A player in a tournament, by number: names repeat in a club."""

    number: int
    name: str


class TableSeats(Struct, frozen=True):
    """Who sits at a table in a round, and how it ended."""

    table: str
    title: str
    game: str
    people: tuple[Seated, ...]
    places: tuple[int, ...] = ()  # by seat; none while there is no result
    is_corrected: bool = False
    match: int | None = None

    @property
    def by_place(self) -> list[tuple[int, Seated]]:
        """List who came in which place, the first one first; by seat and without a place before the end."""
        places = self.places or (0,) * len(self.people)
        return sorted(zip(places, self.people, strict=True), key=lambda each: each[0])


class RoundView(Struct, frozen=True):
    """A round of a tournament."""

    number: int
    seats: tuple[TableSeats, ...]
    byes: tuple[Seated, ...]
    seconds_left: float | None = None
    is_stopped: bool = False
    again: int = 0  # how many pairs meet who have met before

    @property
    def is_done(self) -> bool:
        return all(each.places for each in self.seats)


class PenaltyRow(Struct, frozen=True):
    """Points that a player lost."""

    index: int
    who: Seated
    points: int
    why: str
    by: str
    at: str
    is_lifted: bool


class TournamentView(Struct, frozen=True):
    """A tournament as its pages show it."""

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
        """Return whether none comes after the round that was sent last."""
        if self.plan.movement is not Movement.KNOCK_OUT:
            return len(self.rounds) >= self.plan.rounds
        return any(len(each.seats) == 1 and not each.byes for each in self.rounds[-1:])


class DoubtfulLine(Struct, frozen=True):
    """A line of a table that counts for nothing: it doesn't fit what was told before."""

    table: str
    match: int
    number: int
    why: str


class Invitation(Struct, frozen=True):
    """The link by which a table joins: an address, and after `#` the code."""

    title: str
    link: str


class RatedPerson(Struct, frozen=True):
    """What a person's rating is in a game."""

    person: int
    name: str
    game: str
    edition: str
    rating: Rating
