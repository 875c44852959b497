"""The table's services, each created once; pages refer to them by these names."""

from collections.abc import Callable, Iterable, Mapping

from msgspec import field

from firmware.services.addresses import OwnWifi, TableAddress
from firmware.services.analyses import Analyses
from firmware.services.backups import Backups
from firmware.services.checks import Finding
from firmware.services.finding import TableFinder
from firmware.services.learning import DeckShelf
from firmware.services.live_view import LiveView
from firmware.services.looks import Looks
from firmware.services.match_files import MatchFiles
from firmware.services.naming import CardNaming
from firmware.services.opened import OpenedServices
from firmware.services.photographs import EvidenceFiles, PhotographReader
from firmware.services.privacy import Privacy
from firmware.services.real_cards import RealCards
from firmware.services.settings import SettingsKeeper
from firmware.services.table_sound import TableSound
from firmware.storage.match_history import History
from firmware.storage.state_place import StatePlace
from referee.sentences import Language


class Table(OpenedServices, frozen=True, eq=False, kw_only=True):
    """The services of a table; each one reports by itself what it lacks."""

    languages: Mapping[str, Language]
    language: str  # the table's language, for phones that request none of `languages`
    address: TableAddress
    finder: TableFinder
    decks: DeckShelf
    naming: CardNaming
    view: LiveView
    sound: TableSound
    checks: Callable[[], Iterable[Finding]] = tuple
    """Checks the table's computer; a table in a test has no checks."""
    wifi: OwnWifi
    looks: Looks
    history: History
    analyses: Analyses
    evidence: EvidenceFiles
    photographs: PhotographReader
    settings: SettingsKeeper
    cards: RealCards
    backups: Backups
    privacy: Privacy
    place: StatePlace  # the state folder, and the reason if it isn't saved
    match_files: MatchFiles = field(default_factory=MatchFiles)
