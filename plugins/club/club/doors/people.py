"""People and their ratings for the club's pages."""

from pathlib import Path

from club.database import Pool
from club.late_tables import Connections
from club.people import PersonRow, find_person, forget_person, people, rated_matches, remember_forgotten
from club.ratings import RatingBook
from club.views import RatedPerson


class ClubPeople:
    """Reads people from the database; ratings are worked out from results, and kept in mind."""

    def __init__(self, pool: Pool, seen: Connections, secret: str, forgotten: Path) -> None:
        self._pool, self._seen, self._secret, self._forgotten = pool, seen, secret, forgotten
        self._book = RatingBook()

    def person(self, number: int) -> PersonRow | None:
        """Find a person."""
        with self._pool.connection() as db:
            return find_person(db, number)

    def forget(self, number: int) -> None:
        """Forget a person here, note it beside the database, and let the tables forget the name."""
        with self._pool.connection() as db:
            forget_person(db, number, self._secret)
            remember_forgotten(db, self._forgotten)

    def ratings(self) -> tuple[RatedPerson, ...]:
        """Rank people, the best first."""
        with self._seen.connection() as db:
            names, matches = people(db), rated_matches(db)
        rated = [
            RatedPerson(number, names[number], *kind, each)
            for (kind, number), each in self._book.ratings(matches).items()
            if number in names
        ]
        return tuple(sorted(rated, key=lambda each: (-each.rating.at_least, each.person)))

    def matches_of(self, number: int) -> tuple[int, ...]:
        """List the matches of a person, the newest first."""
        with self._seen.connection() as db:
            matches = rated_matches(db)
        return tuple(each.number for each in reversed(matches) if number in each.people)
