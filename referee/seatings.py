"""Who sat where at which answer: what a seat did is credited to the person who sat there then. Pure."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from referee.legal import ask_named
from referee.match import Match, Position, SitDown, Step, moments, standing_answers

Names = tuple[str, ...]


class Seatings(Struct, frozen=True):
    """The people at the table from each change of a seat on, and the seats of the answers that stand."""

    changes: tuple[tuple[int, Names], ...]
    """From which moment on who sat at the table, the first one first."""
    answered: tuple[tuple[int, int], ...] = ()
    """When an answer of a seat was heard, and of which seat, first to last; empty if nobody ever changed."""

    @property
    def names(self) -> Names:
        return self.changes[-1][1]

    @property
    def has_changes(self) -> bool:
        return len(self.changes) > 1

    def names_at(self, heard_at: int) -> Names:
        """Return who sat at the table when an answer was heard."""
        return next((names for since, names in reversed(self.changes) if since <= heard_at), self.changes[0][1])

    def actors(self, until: int, since: int | None = None) -> Names:
        """Return who acted last at each seat up to an answer; who acted first since another, if that is given.

        A seat that hasn't acted yet has the person who sat there at the last of these answers.
        """
        if not self.has_changes:
            return self.names
        names = list(self.names_at(until))
        told = [each for each in self.answered if each[0] <= until]
        first = [] if since is None else [each for each in told if each[0] >= since]
        for heard_at, seat in (*told, *reversed(first)):
            names[seat] = self.names_at(heard_at)[seat]
        return tuple(names)

    def renamed(self, rename: Callable[[str], str]) -> "Seatings":
        changes = ((since, tuple(map(rename, names))) for since, names in self.changes)
        return replace(self, changes=tuple(changes))

    def people_of(self, seat: int) -> Names:
        """List the people who sat at a seat, the first one first, each once."""
        return tuple(dict.fromkeys(names[seat] for _since, names in self.changes))


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
    """Return the seat that answered: cards have no voice, but are asked of a seat in turn."""
    ask = ask_named(step.before.asks, step.answer.ask)
    asked = () if ask is None else ask.seats
    return asked[0] if step.answer.seat is None and len(asked) == 1 else step.answer.seat


def heard_at(position: Position) -> int:
    """Return when the answer was heard that led to a position; 0 at the beginning."""
    return position.heard_at if isinstance(position, Step) else 0
