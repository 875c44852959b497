"""Protocols for the services of a table: each page combines the ones it needs and depends on no others.

The composed table (`firmware/services/table.py`) provides them all; mypy checks that where the app is created.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # for mypy only: importing a page must not load these modules
    from firmware.services.addresses import OwnWifi, TableAddress
    from firmware.services.analyses import Analyses
    from firmware.services.backups import Backups, SecondCopies
    from firmware.services.browser_camera import BrowserCamera
    from firmware.services.checks import Finding
    from firmware.services.finding import TableFinder
    from firmware.services.learning import DeckShelf
    from firmware.services.live_view import LiveView
    from firmware.services.looks import Looks
    from firmware.services.match_files import MatchFiles
    from firmware.services.naming import CardNaming
    from firmware.services.own_club import OwnClub
    from firmware.services.photographs import EvidenceFiles, PhotographReader
    from firmware.services.power import Power
    from firmware.services.presence import TablePresence
    from firmware.services.privacy import Privacy
    from firmware.services.real_cards import RealCards
    from firmware.services.settings import SettingsKeeper
    from firmware.services.table_board import TableBoard
    from firmware.services.table_sound import TableSound
    from firmware.services.usb_learning import UsbLearning
    from firmware.storage.match_history import History
    from firmware.storage.people.links_file import LinksFile
    from firmware.storage.state_place import StatePlace
    from firmware.table.client import TableClient
    from firmware.twin.simulated_table import SimulatedTable
    from referee.sentences import Language


class HasClient(Protocol):
    """Provides the running match, and the client that submits answers and actions."""

    @property
    def client(self) -> "TableClient": ...


class HasLinks(Protocol):
    """Provides the evening: people, their devices and rights."""

    @property
    def links(self) -> "LinksFile": ...


class HasLanguages(Protocol):
    """Provides the languages of the pages, and the table's own as the default."""

    @property
    def languages(self) -> "Mapping[str, Language]": ...

    @property
    def language(self) -> str: ...


class ViewerNeeds(HasClient, HasLinks, HasLanguages, Protocol):
    """Identifies the viewer of a page: seat, rights and language. Every page needs it."""


class HasAddress(Protocol):
    """Provides the addresses at which phones reach the table."""

    @property
    def address(self) -> "TableAddress": ...


class HasWifi(Protocol):
    """Provides the table's own Wi-Fi."""

    @property
    def wifi(self) -> "OwnWifi": ...


class HasPresence(Protocol):
    """Provides proof that a phone is at the table."""

    @property
    def presence(self) -> "TablePresence": ...


class HasTwin(Protocol):
    """Provides the simulated table and its bots."""

    @property
    def twin(self) -> "SimulatedTable": ...


class HasLooks(Protocol):
    """Provides the artwork of decks and games."""

    @property
    def looks(self) -> "Looks": ...


class HasHistory(Protocol):
    """Provides the stored matches."""

    @property
    def history(self) -> "History": ...


class HasAnalyses(Protocol):
    """Provides the analysis of finished matches."""

    @property
    def analyses(self) -> "Analyses": ...


class HasMatchFiles(Protocol):
    """Provides the reader of uploaded match files."""

    @property
    def match_files(self) -> "MatchFiles": ...


class HasEvidence(Protocol):
    """Provides the pictures behind rulings."""

    @property
    def evidence(self) -> "EvidenceFiles": ...


class HasPhotographs(Protocol):
    """Provides the reader of photographs from phones."""

    @property
    def photographs(self) -> "PhotographReader": ...


class HasCamera(Protocol):
    """Provides a browser as the camera."""

    @property
    def camera(self) -> "BrowserCamera": ...


class HasBoard(Protocol):
    """Provides the board with its buttons and lamps."""

    @property
    def board(self) -> "TableBoard": ...


class HasUsb(Protocol):
    """Provides the assignment of USB buttons to seats."""

    @property
    def usb(self) -> "UsbLearning": ...


class HasPower(Protocol):
    """Provides shutdown and restart of the computer."""

    @property
    def power(self) -> "Power": ...


class HasSound(Protocol):
    """Provides the loudspeakers, and the tunes of moments."""

    @property
    def sound(self) -> "TableSound": ...


class HasClub(Protocol):
    """Provides the link to a club."""

    @property
    def club(self) -> "OwnClub": ...


class HasChecks(Protocol):
    """Provides health checks of the table's computer."""

    @property
    def checks(self) -> "Callable[[], Iterable[Finding]]": ...


class HasFinder(Protocol):
    """Provides the guide that finds the table in the camera's picture."""

    @property
    def finder(self) -> "TableFinder": ...


class HasDecks(Protocol):
    """Provides the people's own decks."""

    @property
    def decks(self) -> "DeckShelf": ...


class HasSettings(Protocol):
    """Provides the table's settings."""

    @property
    def settings(self) -> "SettingsKeeper": ...


class HasNaming(Protocol):
    """Provides the questions about cards that the table doesn't know yet."""

    @property
    def naming(self) -> "CardNaming": ...


class HasView(Protocol):
    """Provides what the camera sees, for those who may see it."""

    @property
    def view(self) -> "LiveView": ...


class HasCards(Protocol):
    """Provides the choice between real cards and the simulated table, with camera and deck."""

    @property
    def cards(self) -> "RealCards": ...


class HasBackups(Protocol):
    """Provides backups, and their copies in a second place."""

    @property
    def backups(self) -> "Backups": ...

    @property
    def copies(self) -> "SecondCopies": ...


class HasPrivacy(Protocol):
    """Provides the list of stored personal data, and its deletion."""

    @property
    def privacy(self) -> "Privacy": ...


class HasStatePlace(Protocol):
    """Provides the folder of the table's state, and the reason if nothing is saved."""

    @property
    def place(self) -> "StatePlace": ...
