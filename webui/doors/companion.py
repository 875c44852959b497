"""What the companion hands in: its door, the languages, and how what it says beside the game is worded."""

from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager
from datetime import time
from typing import IO, Any, Literal, Protocol

from msgspec import Struct

from referee.contract import Game, Span
from referee.match import Entry, Match
from referee.record import ParsedRecord
from referee.summaries import JournalMatch as Kept
from referee.telling import Language, Listener
from webui.access.links_file import LinksFile
from webui.doors.guides import Guides
from webui.doors.simulated_table import TwinDoor


class MessageFeed(Protocol):
    """News for one listener."""

    def next(self, seconds: float | None = None) -> Any:
        """Wait for what comes next: a moment, something beside the game, or None in time."""

    def close(self) -> None:
        """Listen no more."""


class TableStatus(Protocol):
    """How the table is kept."""

    @property
    def id(self) -> int | None:
        """Give the number of the match in the journal, once it has one."""

    @property
    def is_paused(self) -> bool:
        """Tell whether nothing counts until the host goes on."""

    @property
    def auditing(self) -> Span | None:
        """Tell what is being compared with the record, if anything is."""

    @property
    def ends(self) -> Mapping[str, float]:
        """Tell when the clock answers each ask that has a deadline, by the clock that only goes on."""


class Door(Protocol):
    """What any thread may ask of the companion."""

    def moment(self) -> Match:
        """Give the moment that stands."""

    def troubles(self) -> tuple[Any, ...]:
        """Give what is wrong now with the camera, the table or the board."""

    def submit(self, entry: Entry) -> "Future[Any]":
        """Enter something; the future holds the next moment, a refusal, or why it couldn't be kept."""

    def ask_rematch(self) -> None:
        """Ask for another match."""

    def subscribe(self) -> MessageFeed:
        """Listen, beginning with the moment that stands."""

    def state(self) -> TableStatus:
        """Tell how the table is kept."""

    def sit(self, match: Match, number: int | None = None) -> "Future[Any]":
        """Sit down at another match: a new one, or one that the journal has under a number."""

    def contest(self, name: str, heard_at: int) -> "Future[Any]":
        """Tell the whole table that somebody contests the cards of an answer."""

    def pause(self) -> "Future[Any]":
        """Let nothing count until it goes on."""

    def go_on(self) -> "Future[Any]":
        """Go on after a pause."""

    def table_is_right(self) -> "Future[Any]":
        """Take what lies on the table for true."""

    def record_is_right(self) -> "Future[Any]":
        """Take what was answered for true, whatever lies there."""

    def audit(self, span: Span) -> "Future[Any]":
        """Compare part of somebody's grid with the record: no card in the middle is an answer meanwhile."""

    def compare(self) -> "Future[Any]":
        """Tell whether what lies in the middle is what the record has."""

    def end_audit(self) -> "Future[Any]":
        """Ask for cards again."""

    def try_lamp(self, seat: int | None) -> "Future[Any]":
        """Let a seat's lamp blink, or the table's own."""

    def picture(self) -> "Future[Any]":
        """Take a small picture of what the camera sees; the future holds it as `jpeg`."""


class HistoryDoor(Protocol):
    """The matches that are kept; what can't be read now raises OSError, with a line that says why."""

    def entries(self, first: int = 0, last: int = 0) -> Sequence[Kept]:
        """List them, newest first: those from first to before last are read now, the others in time."""

    def names(self) -> Sequence[str]:
        """List who has played, in the order of the alphabet."""

    def match(self, number: int) -> ParsedRecord | None:
        """Play one again, as far as it can be read; None if there is no such match."""

    def lines(self, number: int) -> Sequence[str]:
        """Give the record of one."""

    def forget(self, name: str) -> "Future[Any]":
        """Have somebody's name replaced: the future holds `Forgotten`, or why it couldn't be."""


class Guess(Struct, frozen=True):
    """What a card could also be, and how well that fits."""

    face: str
    score: float


class ReadCard(Struct, frozen=True):
    """A card as it was read in a picture; without a face it isn't sure, or lies face down."""

    face: str | None
    is_sure: bool
    is_possible: bool
    is_up: bool
    score: float
    guesses: tuple[Guess, ...] = ()


class EvidenceDoor(Protocol):
    """What answers of the match that stands rest on; an answer goes by the moment that it was heard at."""

    def kept_answers(self) -> frozenset[int]:
        """List the answers whose pictures are kept."""

    def picture(self, heard_at: int) -> bytes | None:
        """Give an answer's picture as JPEG, with outlines and names, if it is kept."""

    def cards(self, heard_at: int) -> tuple[ReadCard, ...] | None:
        """Give the cards as they were read; None if nobody can tell any more."""


class Photograph(Struct, frozen=True):
    """A photograph that was read: its cards, and a small JPEG of it with outlines and names."""

    cards: tuple[ReadCard, ...]
    picture: bytes


UnreadReason = Literal["photo huge", "photo unreadable", "photo failed", "photo slow", "photo busy"]
"""Keys of the pages' words."""


class UnreadPhotograph(Struct, frozen=True):
    """Why a photograph wasn't read."""

    why: UnreadReason


class PhotographDoor(Protocol):
    """Whoever reads photographs that phones send."""

    def read(self, photograph: IO[bytes]) -> Photograph | UnreadPhotograph:
        """Read one: that takes seconds, and it keeps nothing."""


class TableChoice(Struct, frozen=True):
    """What the host may choose of the table itself; no language is that of the table's surroundings."""

    language: str
    volume: int
    speed: int
    quiet: tuple[time, time] | None
    camera: str
    mat: bool
    across: float
    down: float


class SettingsDoor(Protocol):
    """Whoever keeps what the host chooses."""

    def now(self) -> TableChoice:
        """Give what holds when the table starts next."""

    def languages(self) -> Sequence[tuple[str, str]]:
        """List what the table can speak, each with its own name; first what its surroundings speak."""

    def choose(self, choice: TableChoice) -> Sequence[str]:
        """Keep a choice; what keeps the table from starting is told instead, and nothing is kept."""

    def try_sound(self, choice: TableChoice) -> str | None:
        """Say a sentence as it would sound; why it can't be said, if it can't."""

    def restart(self) -> None:
        """Start the table again."""


class BackupContents(Struct, frozen=True):
    """What a backup would hold now, in bytes, what it wouldn't, and what stands aside from earlier ones."""

    journal: int
    decks: Mapping[str, int]
    others: int
    evidence: int
    befores: Sequence[tuple[str, int]] = ()


class BackupDoor(Protocol):
    """Whoever makes backups, and puts them in place; what hinders it is OSError, with a line that says why."""

    def holding(self) -> BackupContents:
        """Tell what a backup would hold."""

    def backup(self) -> Generator[bytes, None, None]:
        """Make one, piece by piece."""

    def room(self, size: int) -> AbstractContextManager[IO[bytes]]:
        """Give a file for one that comes in."""

    def stage(self, file: IO[bytes]) -> Sequence[str]:
        """Check one, and lay it ready for the next start; give what there is to say about it."""

    def restart(self) -> None:
        """Start the table again."""


def house_unchanged(_game: Game, house: Any) -> Any:
    """Leave the house rules as they are: so it is where no deck was taught."""
    return house


class Services(Struct, frozen=True, eq=False):
    """All that the pages are given."""

    door: Door
    keeper: LinksFile
    languages: Mapping[str, Language]
    language: str
    """The table's own, for phones that ask for none of these."""
    told: Callable[[Any, Listener], str]
    """Words what is no moment and no refusal."""
    address: Callable[[], str]
    """Where phones find the pages now: networks come and go."""
    history: HistoryDoor | None = None
    """None where no match is kept."""
    evidence: EvidenceDoor | None = None
    """None where no camera keeps any."""
    photographs: PhotographDoor | None = None
    """None where nobody reads any."""
    twin: TwinDoor | None = None
    """None where the table is real."""
    choosing: SettingsDoor | None = None
    safekeeping: BackupDoor | None = None
    guides: Guides | None = None
    """None where nobody can be guided to find a table or teach a deck."""
    boxed: Callable[[Game, Any], Any] = house_unchanged
    """The house rules of a game with the counts of the box, if its deck was taught."""
