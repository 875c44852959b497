"""What the companion gives the pages: doors to the table and its files, as protocols and plain values."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import time
from typing import IO, Protocol

from msgspec import Struct, field

from firmware.parts.analyses import Analyses
from firmware.parts.clips import ClipFiles
from firmware.parts.evidence import EvidenceFiles
from firmware.parts.guides import Guides
from firmware.parts.live_pictures import LivePictures
from firmware.parts.looks import Looks
from firmware.parts.loudspeakers import Loudspeakers
from firmware.parts.match_files import MatchFiles
from firmware.parts.own_club import OwnClub
from firmware.parts.own_wifi import OwnWifi
from firmware.parts.photographs import PhotographReader
from firmware.parts.power import Power
from firmware.parts.table_board import TableBoard
from firmware.parts.table_presence import TablePresence
from firmware.parts.trials import Trials
from firmware.parts.usb_learning import UsbLearning
from firmware.storage.match_history import History
from firmware.storage.people.links_file import LinksFile
from firmware.table.door import TableDoor
from firmware.twin.simulated_table import SimulatedTable
from referee.contract import Game
from referee.match import Match
from referee.telling import Language
from webui.access.late_table import LateClips, LateEvidence, LateHistory
from webui.doors.privacy import PrivacyDoor
from webui.server.film_making import FilmMaker

Sound = tuple[int | str, float]
"""Hertz, or the name of a sound that pages make themselves, and for how many seconds."""


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


def house_unchanged(_game: Game, house: Struct) -> Struct:
    """Leave the house rules as they are, for tables where no deck was taught."""
    return house


def not_late() -> int:
    """Show everything at once."""
    return 0


def no_address() -> str:
    """Have no other address."""
    return ""


def never_quiet() -> bool:
    """Have no quiet hours."""
    return False


def no_tune(_match: Match) -> Sequence[Sound]:
    """Have no tune for any moment."""
    return ()


class Services(Struct, frozen=True, eq=False):
    """Everything that the pages are given."""

    door: TableDoor
    links: LinksFile
    languages: Mapping[str, Language]
    language: str
    """The table's own language, for phones that ask for none of these."""
    address: Callable[[], str]
    """Gives the pages' address now: networks come and go."""
    history: History | LateHistory
    analyses: Analyses
    evidence: EvidenceFiles | LateEvidence
    clips: ClipFiles | LateClips
    photographs: PhotographReader
    films: FilmMaker
    trials: Trials = field(default_factory=Trials)
    match_files: MatchFiles = field(default_factory=MatchFiles)
    live: LivePictures | None = None
    """None if no camera gives a live picture."""
    twin: SimulatedTable | None = None
    """None if the table is real."""
    settings: SettingsDoor | None = None
    backups: BackupDoor | None = None
    copies: CopyDoor | None = None
    """None if no second copies are kept."""
    saving: SavingDoor | None = None
    """None if everything is saved."""
    guides: Guides | None = None
    """None if the table can't be found and decks can't be taught here."""
    fingerprint: str = ""
    """The fingerprint of the pages' certificate; empty if they aren't encrypted."""
    also: Callable[[], str] = no_address
    """Gives the address with this machine's name, if phones find it by that; else nothing."""
    board: TableBoard | None = None
    """None if this table has no pins: a simulated one."""
    sound: Loudspeakers | None = None
    """None if this table has no loudspeakers to choose among."""
    club: OwnClub | None = None
    """None if this table can't be in a club."""
    usb: UsbLearning | None = None
    """None if this computer can't have buttons by USB."""
    power: Power | None = None
    """None if this computer isn't a table's own."""
    privacy: PrivacyDoor | None = None
    """None if nothing is kept."""
    wireless: int = 0
    """At so many seats a button may come by radio."""
    wifi: OwnWifi | None = None
    """None if this machine makes no Wi-Fi of its own."""
    presence: TablePresence | None = None
    """None where no phone can prove that it is at the table: at a simulated one."""
    lateness: Callable[[], int] = not_late
    """Gives by how many minutes everything is late that these pages show."""
    looks: Looks = Looks()
    """Gives how games look, and their cards."""
    with_box_counts: Callable[[Game, Struct], Struct] = house_unchanged
    """Gives the house rules with the card counts of the box, if its deck was taught."""
    is_quiet: Callable[[], bool] = never_quiet
    """Tells whether nothing is to be heard now."""
    tune: Callable[[Match], Sequence[Sound]] = no_tune
    """Gives the tune of a moment for the table's screen: notes, and sounds that pages make."""
    ruling_tune: Callable[[Match], Sequence[Sound]] = no_tune
    """Gives the tune of what was ruled, for phones: they say by themselves when their player is asked."""
