"""Messages from and to the eyes: small frozen values, made for a pipe between two processes."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from vision.card_cuts import CardAlone, TableContent
from vision.table.calibration import Calibration
from vision.table.framing import Framing
from vision.table.optics import Optics
from vision.table.thrift import PLENTY, Thrift
from vision.table.zones import PlacedCard, Zones
from vision.troubles import Problem


class EyesSettings(Struct, frozen=True):
    """What the eyes start with; it must fit through a pipe at once, so a deck comes as its folder."""

    camera: str
    deck: str = ""  # the folder of a taught deck; without one, the table is watched but not read
    among: Mapping[str, int] | None = None  # the cards that can be on the table
    table: Calibration | None = None
    empty: str = ""  # the file of the empty table's picture, if one was kept
    zones: Zones = {}
    tried: str = ""  # the folder for what trials of decks taught, if it is kept
    evidence: str = ""
    resting: bool = False
    mains: int = 50  # Hertz of the house's electricity
    thrift: Thrift = PLENTY  # how much memory pictures may take
    blind: tuple[Problem, ...] = ()  # why the previous eyes had no picture; not reported again, only its end


class Setting(Struct, frozen=True):
    """An order, or a finding, that is kept among the settings: its fields are some of theirs."""


class EyesReady(Struct, frozen=True):
    """The eyes are open: the first picture has come."""

    camera: str
    size: tuple[int, int]


class CardChanged(Struct, frozen=True):
    """A card was laid, taken or moved; `reading` is the number for `KeepEvidence`."""

    what: Literal["laid", "taken", "moved"]
    card: PlacedCard
    before: PlacedCard | None
    reading: int


class TableRead(Struct, frozen=True):
    """The whole table, read again: after a start, after trouble, or on request."""

    cards: tuple[PlacedCard, ...]
    reading: int
    asked: str = ""


class TroubleBegan(Struct, frozen=True):
    """A problem began: with the camera, the table, the deck, or a hand that stays in the picture."""

    problem: Problem


class TroubleEnded(Struct, frozen=True):
    """A problem ended."""

    problem: Problem


class TableFound(Setting, frozen=True):
    """The table was found, for the first time or again."""

    table: Calibration


class SnapshotTaken(Struct, frozen=True):
    """A small present picture, for a page."""

    jpeg: bytes


class FrameTaken(Struct, frozen=True):
    """The whole present picture, hardly compressed, with freshly measured light."""

    jpeg: bytes
    optics: Optics | None = None


class TableFramed(Struct, frozen=True):
    """How the table lies in the present picture."""

    framing: Framing


Lying = TableContent | Literal["reaching", ""]
"""Something may reach into the picture; nothing is told by eyes that haven't been shown the empty table."""


class TeachingReport(Struct, frozen=True, eq=False):
    """What lies on the table while a deck is taught; later reports have larger numbers."""

    number: int
    what: Lying
    size: tuple[int, int]
    wrong: tuple[Problem, ...] = ()  # problems with the light


class UnnamedCards(Struct, frozen=True):
    """Several cards stay without a name, as this picture shows: they may be of another deck."""

    deck: str
    jpeg: bytes


class UnnamedCardsGone(Struct, frozen=True):
    """There are no such cards any more."""


class CardsAlone(Struct, frozen=True, eq=False):
    """Some cards of a deck, by its folder, lie alone on the table: they show where its cards end."""

    deck: str
    cards: tuple[CardAlone, ...]


class EvidenceKept(Struct, frozen=True):
    """A ruling's evidence is in this file, its reading beside it."""

    match: str
    moment: int
    file: str


CardNews = CardChanged | TableRead | UnnamedCards | UnnamedCardsGone | CardsAlone
TableNews = EyesReady | TableFound | TableFramed | TeachingReport | TroubleBegan | TroubleEnded
EyesMessage = CardNews | TableNews | SnapshotTaken | FrameTaken | EvidenceKept


class ReadTable(Struct, frozen=True):
    """Read the whole table as soon as it is still."""

    asked: str = ""  # the mark that the answering `TableRead` will carry


class UseDeck(Setting, frozen=True):
    """Read the cards of a taught deck."""

    deck: str
    among: Mapping[str, int] | None = None


class UseZones(Setting, frozen=True):
    """Use these zones of the table."""

    zones: Zones


class UseTable(Setting, frozen=True):
    """Use a table that was found before."""

    table: Calibration


class Rest(Setting, frozen=True):
    """Read nothing until `Wake`."""

    resting: bool = True


class Wake(Setting, frozen=True):
    """Read again."""

    resting: bool = False


class TakeSnapshot(Struct, frozen=True):
    """Take a small picture for a page."""


class TakeFrame(Struct, frozen=True):
    """Take a whole picture, once the camera has measured the light again."""


class FrameTable(Struct, frozen=True):
    """Report how the table lies in the next picture; meanwhile light and focus follow what is seen."""

    apart: tuple[float, float] | None = None  # how far apart the plates are, if that is known


class TakeAsEmpty(Struct, frozen=True):
    """Record the empty table as soon as it is still; `after` is the last report received."""

    after: int


class Attend(Struct, frozen=True):
    """Report what lies alone on the table, whenever that changes, until `Wake`."""

    after: int  # the number of the last report received; later ones are repeated
    shape: float | None  # the width by height of the deck's cards, if known


class KeepEvidence(Struct, frozen=True):
    """Keep a reading as evidence: a ruling rests on it."""

    reading: int
    match: str
    moment: int
    what: str = ""


EyesOrder = Setting | ReadTable | TakeSnapshot | TakeFrame | FrameTable | TakeAsEmpty | Attend | KeepEvidence


def settings_after(settings: EyesSettings, message: Any) -> EyesSettings:
    """Update the settings with an order or a finding, so that new eyes resume where the old ones were."""
    match message:
        case Setting():
            return replace(settings, **asdict(message))
        case TroubleBegan(problem) | TroubleEnded(problem) if "camera" in problem.values:
            return replace(settings, blind=(problem,) if isinstance(message, TroubleBegan) else ())
        case _:
            return settings
