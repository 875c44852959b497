"""What the companion gives the pages: doors to the table and its files, as protocols and plain values."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import time
from typing import IO, Protocol

from msgspec import Struct, field

from firmware.parts.addresses import TableAddress
from firmware.parts.analyses import Analyses
from firmware.parts.clips import ClipFiles
from firmware.parts.evidence import EvidenceFiles
from firmware.parts.guides import Guides
from firmware.parts.live_pictures import LivePictures
from firmware.parts.looks import Looks
from firmware.parts.match_files import MatchFiles
from firmware.parts.own_club import OwnClub
from firmware.parts.own_wifi import OwnWifi
from firmware.parts.photographs import PhotographReader
from firmware.parts.power import Power
from firmware.parts.table_board import TableBoard
from firmware.parts.table_presence import TablePresence
from firmware.parts.table_sound import TableSound
from firmware.parts.trials import Trials
from firmware.parts.usb_learning import UsbLearning
from firmware.storage.match_history import History
from firmware.storage.people.links_file import LinksFile
from firmware.table.door import TableDoor
from firmware.twin.simulated_table import SimulatedTable
from referee.telling import Language
from webui.access.late_table import LateClips, LateEvidence, LateHistory
from webui.doors.privacy import PrivacyDoor
from webui.server.film_making import FilmMaker


class TableChoice(Struct, frozen=True):
    """What the host may choose for the table; an empty language is the system's own."""

    language: str
    volume: int
    speed: int
    quiet: tuple[time, time] | None
    camera: str
    mat: bool
    across: float
    down: float
    pieces: bool = True
    """Coins and other pieces are counted by the camera."""
    clips: bool = False
    """The seconds around rulings that rest on the camera are kept."""
    second: str = ""
    """Another camera, which is asked where the first one has doubts; empty for none."""
    live: bool = False
    """Who looks on sees the open places of the table as they are now."""


class SettingsDoor(Protocol):
    """Keeps the host's settings."""

    def now(self) -> TableChoice:
        """Give the settings for the next start."""

    def languages(self) -> Sequence[tuple[str, str]]:
        """List the table's languages with their own names, the system's first."""

    def choose(self, choice: TableChoice) -> Sequence[str]:
        """Keep the settings; if the table could not start with them, keep nothing and say why."""

    def try_sound(self, choice: TableChoice) -> str | None:
        """Speak a sentence with these settings; if that fails, say why."""

    def has_small_pictures(self) -> bool:
        """Tell whether the camera's pictures are smaller, as memory is scarce."""

    def restart(self) -> None:
        """Restart the table."""


class SavingDoor(Protocol):
    """Helps the host where nothing can be saved."""

    def cures(self, language: Language) -> Sequence[str]:
        """Say step by step what to do."""

    def restart(self) -> None:
        """Restart the table: if it can save by then, it saves what is in memory."""


class BackupContents(Struct, frozen=True):
    """What a backup would and would not hold, in bytes, and the copies moved aside earlier."""

    journal: int
    decks: Mapping[str, int]
    others: int
    evidence: int
    befores: Sequence[tuple[str, int]] = ()


class BackupDoor(Protocol):
    """Makes and restores backups; failures raise OSError with one line that says why."""

    def holding(self) -> BackupContents:
        """Tell what a backup would hold."""

    def backup(self) -> Generator[bytes, None, None]:
        """Make a backup, piece by piece."""

    def room(self, size: int) -> AbstractContextManager[IO[bytes]]:
        """Open a file for an upload of this size."""

    def stage(self, file: IO[bytes]) -> Sequence[str]:
        """Check a backup and prepare it for the next start; return notes for the host."""

    def restart(self) -> None:
        """Restart the table."""


class CopyInPlace(Struct, frozen=True):
    """A second copy: of which table and day, with how many matches if that is known."""

    table: str
    name: str
    """Empty for the newest copy of a table."""
    made: str
    matches: int | None
    is_own: bool


class PlaceOfCopies(Struct, frozen=True):
    """A stick or folder with second copies, or room for them."""

    root: str
    label: str
    free: int
    is_used: bool
    copies: Sequence[CopyInPlace]
    trouble: str = ""


class CopyDoor(Protocol):
    """Keeps second copies on sticks; failures raise OSError with one line that says why."""

    def places(self, language: Language) -> Sequence[PlaceOfCopies]:
        """List the sticks and folders as they were seen last."""

    def use(self, root: str) -> None:
        """Keep copies on a stick from now on."""

    def restore(self, root: str, table: str, name: str) -> Sequence[str]:
        """Check a copy and prepare it for the next start; return notes for the host."""

    def restart(self) -> None:
        """Restart the table."""


class Services(Struct, frozen=True, eq=False, kw_only=True):
    """Everything that the pages are given."""

    door: TableDoor
    links: LinksFile
    languages: Mapping[str, Language]
    language: str
    """The table's own language, for phones that ask for none of these."""
    address: TableAddress
    live: LivePictures
    guides: Guides
    board: TableBoard
    sound: TableSound
    club: OwnClub
    usb: UsbLearning
    wireless: int = 0
    """At so many seats a button may come by radio."""
    power: Power
    wifi: OwnWifi
    presence: TablePresence
    looks: Looks
    history: History | LateHistory
    analyses: Analyses
    evidence: EvidenceFiles | LateEvidence
    clips: ClipFiles | LateClips
    photographs: PhotographReader
    films: FilmMaker
    trials: Trials = field(default_factory=Trials)
    match_files: MatchFiles = field(default_factory=MatchFiles)
    twin: SimulatedTable | None = None
    """None if the table is real."""
    settings: SettingsDoor | None = None
    backups: BackupDoor | None = None
    copies: CopyDoor | None = None
    """None if no second copies are kept."""
    saving: SavingDoor | None = None
    """None if everything is saved."""
    privacy: PrivacyDoor | None = None
    """None if nothing is kept."""
