"""What the eyes tell, and what they can be told: small frozen values, made for a pipe between two processes."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from vision.sightings import UnexplainedThing
from vision.table.calibration import PRINTED, Calibration, Plates
from vision.table.zones import PlacedCard, Zones
from vision.teaching.lessons import TableContent
from vision.troubles import Problem


class EyesSettings(Struct, frozen=True):
    """What the eyes start from; it goes through a pipe that nobody waits for, so a deck comes as its folder."""

    camera: str
    deck: str = ""
    """The folder of a taught deck; without one, the table is watched and nothing is read."""
    among: Mapping[str, int] | None = None
    """What can be on the table."""
    table: Calibration | None = None
    empty: str = ""
    """The picture of the empty table, where one was kept."""
    zones: Zones = {}
    plates: Plates = PRINTED
    evidence: str = ""
    """The folder for pictures that rulings rest on."""
    resting: bool = False
    blind: tuple[Problem, ...] = ()
    """Why there was no picture when the eyes were open last: it is told again only once that is over."""


# what the eyes tell


class EyesReady(Struct, frozen=True):
    """The eyes are open: the first picture has come."""

    camera: str
    size: tuple[int, int]


class CardChanged(Struct, frozen=True):
    """A card was laid, taken or moved; `reading` is what `Keep` calls for."""

    what: Literal["laid", "taken", "moved"]
    card: PlacedCard
    before: PlacedCard | None
    reading: int


class TableRead(Struct, frozen=True):
    """All of the table, read anew: after a start, after trouble, or because somebody asked."""

    cards: tuple[PlacedCard, ...]
    strange: tuple[UnexplainedThing, ...]
    reading: int
    asked: str = ""


class TroubleBegan(Struct, frozen=True):
    """Something is wrong: with the camera, the table, the deck, or a hand that stays in the picture."""

    problem: Problem


class TroubleEnded(Struct, frozen=True):
    """That is well again."""

    problem: Problem


class TableFound(Struct, frozen=True):
    """The table was found, for the first time or again."""

    table: Calibration


class SnapshotTaken(Struct, frozen=True):
    """A small picture of now, for a page."""

    jpeg: bytes


class FrameTaken(Struct, frozen=True):
    """All that the camera sees, hardly compressed, in light that it has just measured."""

    jpeg: bytes


class HandInPicture(Struct, frozen=True):
    """Something reaches into the picture."""


class EmptyTableUnknown(Struct, frozen=True):
    """Nobody has shown these eyes the empty table."""


class TeachingReport(Struct, frozen=True, eq=False):
    """What lies on the table while a deck is taught; what comes later has a larger number."""

    number: int
    what: TableContent | HandInPicture | EmptyTableUnknown
    size: tuple[int, int]
    """Of the picture, in pixels."""
    wrong: tuple[Problem, ...] = ()
    """What is wrong with the light."""


class EvidenceKept(Struct, frozen=True):
    """What a ruling rests on is in this file, its reading beside it."""

    match: str
    moment: int
    file: str


EyesMessage = (
    EyesReady
    | CardChanged
    | TableRead
    | TroubleBegan
    | TroubleEnded
    | TableFound
    | SnapshotTaken
    | FrameTaken
    | TeachingReport
    | EvidenceKept
)


# what the eyes can be told


class ReadTable(Struct, frozen=True):
    """Read all of the table, as soon as it is still."""

    asked: str = ""
    """What the answer, a `Seen`, will be marked with."""


class UseDeck(Struct, frozen=True):
    """Read the cards of a taught deck."""

    folder: str
    among: Mapping[str, int] | None = None


class Expect(Struct, frozen=True):
    """Know what can be on the table."""

    among: Mapping[str, int] | None


class UseZones(Struct, frozen=True):
    """Name these parts of the table."""

    zones: Zones


class UseTable(Struct, frozen=True):
    """Take the table as it was found before."""

    table: Calibration


class FindTable(Struct, frozen=True):
    """Find the table anew, and its light."""


class Rest(Struct, frozen=True):
    """Read nothing until `Wake`."""


class Wake(Struct, frozen=True):
    """Read again."""


class TakeSnapshot(Struct, frozen=True):
    """Take a small picture for a page."""


class TakeFrame(Struct, frozen=True):
    """Take a whole picture, once the camera has measured the light again."""


class TakeAsEmpty(Struct, frozen=True):
    """Take the table for empty, as soon as it is still; what was heard last has this number."""

    after: int


class Attend(Struct, frozen=True):
    """Tell what lies alone on the table, whenever that changes, until `Wake`."""

    after: int
    """The number of what was heard last: what came since is told again."""
    shape: float | None
    """The width by height of the deck's cards, where that is known."""


class KeepEvidence(Struct, frozen=True):
    """Keep what a reading showed: a ruling rests on it."""

    reading: int
    match: str
    moment: int
    what: str = ""


EyesOrder = (
    ReadTable
    | UseDeck
    | Expect
    | UseZones
    | UseTable
    | FindTable
    | Rest
    | Wake
    | TakeSnapshot
    | TakeFrame
    | TakeAsEmpty
    | Attend
    | KeepEvidence
)


def settings_after(settings: EyesSettings, message: Any) -> EyesSettings:
    """Note in the settings what was told or found out, so that new eyes start where the old ones were."""
    match message:
        case UseDeck(folder, among):
            return replace(settings, deck=folder, among=among)
        case Expect(among):
            return replace(settings, among=among)
        case UseZones(zones):
            return replace(settings, zones=zones)
        case Rest() | Wake():
            return replace(settings, resting=isinstance(message, Rest))
        case _:
            return _settings_after_finding(settings, message)


def _settings_after_finding(settings: EyesSettings, message: Any) -> EyesSettings:
    match message:
        case UseTable(table) | TableFound(table):
            return replace(settings, table=table)
        case FindTable():
            return replace(settings, table=None)
        case TroubleBegan(problem) | TroubleEnded(problem) if "camera" in problem.values:
            return replace(settings, blind=(problem,) if isinstance(message, TroubleBegan) else ())
        case _:
            return settings
