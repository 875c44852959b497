"""All that the club's pages may use."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from club.credentials import KeyRow
from club.history import ClubMatches
from club.members import Invitations
from club.news import NewsRoom
from club.people import ClubPeople
from club.tables import ClubTables
from club.tournaments import Tournaments
from firmware.services.looks import Looks
from referee.sentences import Language


class ClubHealth(Struct, frozen=True):
    """How the parts are on which all tables stand."""

    took: float = 0.0  # seconds that the database took for its last answer
    silent: float = 0.0  # seconds for which it has owed one; then no page waits for it
    has_broker: bool = True


class ClubServices(Struct, frozen=True):
    """What the pages ask of the hub, and how they speak."""

    tables: ClubTables
    inviting: Invitations
    tournaments: Tournaments
    people: ClubPeople
    history: ClubMatches
    looks: Looks
    news: NewsRoom
    keys: Callable[[], KeyRow]
    """The hub's secrets, as the database has them now: a new PIN counts at once, also at another hub."""
    languages: Mapping[str, Language]
    language: str
    address: str = ""  # where phones find the club
    health: Callable[[], ClubHealth] = ClubHealth

    def is_away(self) -> bool:
        return self.health().silent > 0
