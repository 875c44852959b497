"""Protocols for the parts of a table: a page combines those that it needs, and depends on no others.

The composed table (`firmware/services/table.py`) has all of them; mypy checks that where it makes the app.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # for mypy only: importing a page must not load these modules
    from firmware.services.addresses import OwnWifi, TableAddress
    from firmware.services.backups import Backups, SecondCopies
    from firmware.services.card_lines import CardLines
    from firmware.services.checks import Finding
    from firmware.services.finding import TableFinder
    from firmware.services.learning import Teacher
    from firmware.services.looks import Looks
    from firmware.services.own_club import OwnClub
    from firmware.services.photographs import EvidenceFiles, PhotographReader
    from firmware.services.power import Power
    from firmware.services.presence import TablePresence
    from firmware.services.privacy import Privacy
    from firmware.services.settings import SettingsKeeper
    from firmware.services.table_board import TableBoard
    from firmware.services.table_sound import TableSound
    from firmware.services.trials import Analyses, MatchFiles, Trials
    from firmware.services.usb_learning import UsbLearning
    from firmware.storage.match_history import History
    from firmware.storage.people.links_file import LinksFile
    from firmware.storage.state_place import StatePlace
    from firmware.table.client import TableClient
    from firmware.twin.simulated_table import SimulatedTable
    from referee.sentences import Language


class HasClient(Protocol):
    """Has the running match, and a way to answer, ask and act."""

    @property
    def client(self) -> "TableClient": ...


class HasLinks(Protocol):
    """Has the evening: people, their devices and rights."""

    @property
    def links(self) -> "LinksFile": ...


class HasLanguages(Protocol):
    """Has the languages of the pages, and the table's own for phones that ask for none of these."""

    @property
    def languages(self) -> "Mapping[str, Language]": ...

    @property
    def language(self) -> str: ...


class ViewerNeeds(HasClient, HasLinks, HasLanguages, Protocol):
    """Identifies the viewer of a page: seat, rights and language. Every page needs it."""


class HasAddress(Protocol):
    """Has the addresses at which phones reach the table."""

    @property
    def address(self) -> "TableAddress": ...


class HasWifi(Protocol):
    """Has the table's own Wi-Fi."""

    @property
    def wifi(self) -> "OwnWifi": ...


class HasPresence(Protocol):
    """Has proof that a phone is at the table."""

    @property
    def presence(self) -> "TablePresence": ...


class HasTwin(Protocol):
    """Has the simulated table, and its bots."""

    @property
    def twin(self) -> "SimulatedTable": ...


class HasLooks(Protocol):
    """Has the art of decks and games."""

    @property
    def looks(self) -> "Looks": ...


class HasHistory(Protocol):
    """Has the matches that were played."""

    @property
    def history(self) -> "History": ...


class HasAnalyses(Protocol):
    """Has the analysis of finished matches."""

    @property
    def analyses(self) -> "Analyses": ...


class HasTrials(Protocol):
    """Has matches that bots play to their end."""

    @property
    def trials(self) -> "Trials": ...


class HasMatchFiles(Protocol):
    """Has match files that a browser uploads."""

    @property
    def match_files(self) -> "MatchFiles": ...


class HasEvidence(Protocol):
    """Has the pictures that rulings rest on."""

    @property
    def evidence(self) -> "EvidenceFiles": ...


class HasPhotographs(Protocol):
    """Has the reader of photographs from phones."""

    @property
    def photographs(self) -> "PhotographReader": ...


class HasBoard(Protocol):
    """Has the board with buttons and lamps."""

    @property
    def board(self) -> "TableBoard": ...


class HasUsb(Protocol):
    """Has the buttons of USB boxes."""

    @property
    def usb(self) -> "UsbLearning": ...


class HasPower(Protocol):
    """Has the switch of the table's computer."""

    @property
    def power(self) -> "Power": ...


class HasSound(Protocol):
    """Has the loudspeakers, and the tunes of moments."""

    @property
    def sound(self) -> "TableSound": ...


class HasClub(Protocol):
    """Has the link to a club."""

    @property
    def club(self) -> "OwnClub": ...


class HasChecks(Protocol):
    """Has the health check of the table's computer."""

    @property
    def checks(self) -> "Callable[[], Iterable[Finding]]": ...


class HasFinder(Protocol):
    """Has the search for the table in the camera's picture."""

    @property
    def finder(self) -> "TableFinder": ...


class HasTeacher(Protocol):
    """Has the teaching of decks."""

    @property
    def teacher(self) -> "Teacher": ...


class HasLines(Protocol):
    """Has the outlines of a taught deck's cards."""

    @property
    def lines(self) -> "CardLines": ...


class HasSettings(Protocol):
    """Has the table's settings."""

    @property
    def settings(self) -> "SettingsKeeper": ...


class HasBackups(Protocol):
    """Has backups, and their copies in a second place."""

    @property
    def backups(self) -> "Backups": ...

    @property
    def copies(self) -> "SecondCopies": ...


class HasPrivacy(Protocol):
    """Has the stored personal data."""

    @property
    def privacy(self) -> "Privacy": ...


class HasStatePlace(Protocol):
    """Has the folder of the table's state, and the reason if nothing is saved."""

    @property
    def place(self) -> "StatePlace": ...
