"""Seating history: each seat's actions are credited to the person seated at the time. Pure."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from referee.legal import ask_named
from referee.match import Match, Position, SitDown, Step, moments, standing_answers

Names = tuple[str, ...]


class Seatings(Struct, frozen=True):
    """People at the table since each seat change, and the seats of accepted answers."""

    changes: tuple[tuple[int, Names], ...]
    """Moments and the names seated from then on, in order."""
    answered: tuple[tuple[int, int], ...] = ()
    """Moment and seat of each answer, in order; empty if no seat ever changed."""

    @property
    def names(self) -> Names:
        return self.changes[-1][1]

    @property
    def has_changes(self) -> bool:
        return len(self.changes) > 1

    def names_at(self, heard_at: int) -> Names:
        """Return the names at all seats at the moment of an answer."""
        return next((names for since, names in reversed(self.changes) if since <= heard_at), self.changes[0][1])

    def actors(self, until: int, since: int | None = None) -> Names:
        """Return the last person to act at each seat up to `until`; with `since`, the first to act after that.

        A seat that hasn't acted yet has the person seated at `until`.
        """
        if not self.has_changes:
            return self.names
        names = list(self.names_at(until))
        acts = [each for each in self.answered if each[0] <= until]
        first = [] if since is None else [each for each in acts if each[0] >= since]
        for heard_at, seat in (*acts, *reversed(first)):
            names[seat] = self.names_at(heard_at)[seat]
        return tuple(names)

    def renamed(self, rename: Callable[[str], str]) -> "Seatings":
        changes = ((since, tuple(map(rename, names))) for since, names in self.changes)
        return replace(self, changes=tuple(changes))

    def people_of(self, seat: int) -> Names:
        """Return the people who sat at a seat, in order, each once."""
        return tuple(dict.fromkeys(names[seat] for _since, names in self.changes))

    @property
    def people(self) -> Names:
        """Return the names of everyone who sat at each seat, joined by commas."""
        return tuple(", ".join(self.people_of(seat)) for seat in range(len(self.names)))


def seatings_of(match: Match) -> Seatings:
    changes = [
        (moment.number, moment.setup.names)
        for moment in (moments(match) if match.setup.came else ())
        if isinstance(moment.entry, SitDown) or moment.before is None
    ]
    if len(changes) < 2:
        return Seatings(((0, match.setup.names),))
    changes[0] = (changes[0][0], match.setup.names)
    steps = ((step.heard_at, seat_of(step)) for step in standing_answers(match))
    answered = tuple((heard_at, seat) for heard_at, seat in steps if seat is not None)
    return Seatings(tuple(reversed(changes)), answered)


def seat_of(step: Step) -> int | None:
    """Return the seat that answered; cards without a seat are credited to the only seat asked."""
    ask = ask_named(step.before.asks, step.answer.ask)
    asked = () if ask is None else ask.seats
    return asked[0] if step.answer.seat is None and len(asked) == 1 else step.answer.seat


def heard_at(position: Position) -> int:
    """Return the moment of the answer behind a position; 0 at the beginning."""
    return position.heard_at if isinstance(position, Step) else 0
