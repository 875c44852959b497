"""All that is at a table: its parts, each made once, which pages call by these names."""

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct, field

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


class Table(Struct, frozen=True, eq=False, kw_only=True):
    """What is at this table; what it lacks, the part of it says."""

    client: TableClient
    links: LinksFile
    languages: Mapping[str, Language]
    language: str  # the table's own language, for phones that ask for none of these
    address: TableAddress
    finder: TableFinder
    teacher: Teacher
    lines: CardLines
    board: TableBoard
    sound: TableSound
    club: OwnClub
    usb: UsbLearning
    power: Power
    checks: Callable[[], Iterable[Finding]] = tuple
    """Looks at the table's own computer; one of a test has none."""
    wifi: OwnWifi
    presence: TablePresence
    looks: Looks
    history: History
    analyses: Analyses
    evidence: EvidenceFiles
    photographs: PhotographReader
    settings: SettingsKeeper
    backups: Backups
    copies: SecondCopies
    privacy: Privacy
    place: StatePlace  # where the state is, and why it isn't saved, if it isn't
    trials: Trials = field(default_factory=Trials)
    match_files: MatchFiles = field(default_factory=MatchFiles)
    twin: SimulatedTable
