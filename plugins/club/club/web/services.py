"""The services available to the club's pages."""

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
    """The health of the parts that all tables depend on."""

    took: float = 0.0  # duration of the database's last answer in seconds
    silent: float = 0.0  # seconds without an answer; if not 0, no page waits for it
    has_broker: bool = True


class ClubServices(Struct, frozen=True):
    """The hub's services for pages, and their languages."""

    tables: ClubTables
    inviting: Invitations
    tournaments: Tournaments
    people: ClubPeople
    history: ClubMatches
    looks: Looks
    news: NewsRoom
    keys: Callable[[], KeyRow]
    """The hub's current secrets in the database: a new PIN is effective at once, also at another hub."""
    languages: Mapping[str, Language]
    language: str
    address: str = ""  # the club's address for phones
    health: Callable[[], ClubHealth] = ClubHealth

    def is_away(self) -> bool:
        return self.health().silent > 0
