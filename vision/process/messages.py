"""Messages from and to the eyes, the process that reads the camera: small frozen values for a pipe."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict, replace

from vision.sightings import Outline, Point
from vision.table.thrift import PLENTY, Thrift
from vision.table.values import Calibration, Framing, Optics, PlacedCard, Zones
from vision.troubles import Problem


class EyesSettings(Struct, frozen=True):
    """Settings at the start. A deck is given as its folder, because the settings must fit through a pipe."""

    camera: str
    deck: str = ""  # folder of a taught deck; without one, the table is watched but not read
    among: Mapping[str, int] | None = None  # count of each face that can be on the table
    learns: str = ""
    """Title of the deck if it is learnt during play; its folder then grows, and may not exist yet."""
    table: Calibration | None = None
    fitted: int = 0  # cards that gave it in this run; a table of an earlier run isn't proved
    empty: str = ""  # file of the empty table's picture, if one is stored
    zones: Zones = {}
    tried: str = ""  # folder for results of deck trials, if they are stored
    evidence: str = ""  # folder for evidence of rulings
    resting: bool = False
    mains: int = 50  # mains frequency in hertz
    thrift: Thrift = PLENTY  # memory limits for pictures
    blind: tuple[Problem, ...] = ()  # the previous process's camera problem; only its end is reported


class Setting(Struct, frozen=True):
    """An order or a finding that updates the settings: its fields are some of theirs."""


class EyesReady(Struct, frozen=True):
    """The first picture has arrived."""

    camera: str
    size: tuple[int, int]


class TableRead(Struct, frozen=True):
    """All cards on the table: after a change, a start or trouble, or on request."""

    cards: tuple[PlacedCard, ...]
    reading: int  # `KeepEvidence` refers to it
    asked: str = ""
    is_change: bool = False  # whether only parts that had changed were read, without a request


class TroubleBegan(Struct, frozen=True):
    """A problem began: with the camera, the table, the deck, or a hand that stays in the picture."""

    problem: Problem


class TroubleEnded(Struct, frozen=True):
    """A problem ended."""

    problem: Problem


class TableFound(Setting, frozen=True):
    """The table was located, for the first time or again."""

    table: Calibration


class PaceChanged(Struct, frozen=True):
    """The eyes need pictures more rarely, because nothing moves, or often again."""

    is_calm: bool


class Looking(Struct, frozen=True):
    """A change has waited for its reading for a while, or that wait is over."""

    is_looking: bool


class SnapshotTaken(Struct, frozen=True):
    """A small current picture, for a page."""

    jpeg: bytes


class ViewTaken(Struct, frozen=True):
    """A picture for players, without outlines; empty if there is none."""

    jpeg: bytes
    is_read: bool


class FrameTaken(Struct, frozen=True):
    """The current picture in full size and high quality, with freshly measured light."""

    jpeg: bytes
    optics: Optics | None = None


class TableFramed(Struct, frozen=True):
    """The table's position in the current picture."""

    framing: Framing


Hindrance = Literal["covered", "near edge", "hand", "doubtful"]
"""Why a card can't be measured; a doubtful one may be print of the ground."""


class ShownCard(Struct, frozen=True):
    """A card in the guide's picture: its outline in pixels of the camera's picture, and what hinders it."""

    outline: Outline
    why: Hindrance | None = None


class CardsShown(Struct, frozen=True, eq=False):
    """The cards by which a table without markers is measured, in a small picture of the table."""

    size: tuple[int, int]  # of the camera's picture
    jpeg: bytes
    cards: tuple[ShownCard, ...] = ()
    table: Calibration | None = None  # fitted to the free cards, once they prove it
    wrong: tuple[Problem, ...] = ()  # problems of light, focus, distance and angle
    deck: str = ""  # folder of the deck whose names gave the table

    @property
    def outlines(self) -> tuple[Outline, ...]:
        """Outlines of the free cards."""
        return tuple(each.outline for each in self.cards if each.why is None)


class UnnamedCards(Struct, frozen=True):
    """Several cards in this picture stay unnamed: they may belong to another deck."""

    deck: str
    jpeg: bytes


class UnnamedCardsGone(Struct, frozen=True):
    """The unnamed cards are gone."""


class UnknownCard(Struct, frozen=True, eq=False):
    """A card without a sure name that lies free, while the deck is learnt."""

    outline: Outline
    """As in the card's last reading; it identifies the card until that moves."""
    jpeg: bytes
    """The cut card, upright as far as that is known."""
    like: tuple[str, ...]
    """Faces that it resembles, the most likely first."""
    earlier: bytes = b""
    """A picture of the most likely face, if there is one; for comparison."""
    is_good: bool = False
    """Whether both pictures resemble each other enough to suggest that face."""


class UnknownCards(Struct, frozen=True, eq=False):
    """The cards without a name while the deck is learnt; sent whenever they change."""

    cards: tuple[UnknownCard, ...]


class DeckGrew(Struct, frozen=True):
    """The deck that is learnt has changed on the disk; faces in doubt were made unnamed again."""

    faces: tuple[str, ...]
    """All faces with a picture."""
    learnt: str = ""
    taken_back: tuple[str, ...] = ()


class EvidenceKept(Struct, frozen=True):
    """A ruling's evidence was stored in this file; the reading is beside it."""

    match: str
    moment: int
    file: str


CardNews = TableRead | UnnamedCards | UnnamedCardsGone
LearningNews = UnknownCards | DeckGrew
CameraNews = EyesReady | PaceChanged | Looking | TroubleBegan | TroubleEnded
TableNews = TableFound | TableFramed | CardsShown
EyesMessage = (
    CardNews | LearningNews | CameraNews | TableNews | SnapshotTaken | ViewTaken | FrameTaken | EvidenceKept
)


class ReadTable(Struct, frozen=True):
    """Read the whole table as soon as it is still."""

    asked: str = ""  # identifies the answering `TableRead`


class UseDeck(Setting, frozen=True):
    """Read the cards of a taught deck."""

    deck: str
    among: Mapping[str, int] | None = None
    learns: str = ""


class UseZones(Setting, frozen=True):
    """Use these zones of the table."""

    zones: Zones


class UseTable(Setting, frozen=True):
    """Use a calibration: of an earlier run, or one that so many cards have just given."""

    table: Calibration
    fitted: int = 0


class Rest(Setting, frozen=True):
    """Stop reading until `Wake`."""

    resting: bool = True


class Wake(Setting, frozen=True):
    """Resume reading."""

    resting: bool = False


class TakeSnapshot(Struct, frozen=True):
    """Take a small picture for a page."""


class TakeView(Struct, frozen=True):
    """Take a picture for players: the current one, or the last one in which every card is read."""

    is_read: bool


class TakeFrame(Struct, frozen=True):
    """Take a picture in full size, once the camera has measured the light again."""


class FrameTable(Struct, frozen=True):
    """Report the table's position in the next picture. Light and focus are unlocked meanwhile."""

    apart: tuple[float, float] | None = None  # distances between the corner plates in millimetres, if known


class SeekCards(Struct, frozen=True):
    """Forget the table, and find it by the cards on it."""

    decks: tuple[str, ...] = ()
    """Folders of the decks that they may be of; without any, the deck in use."""
    empty: bytes = b""
    """A picture of the table without cards, as an image file."""


class ShowCards(Struct, frozen=True):
    """Report the cards by which the table is measured."""

    cards: tuple[Point, ...] = ()
    others: tuple[Point, ...] = ()
    """Places in the picture where a person sees a card, and where none is."""


class SettleMove(Struct, frozen=True):
    """Answer whether the camera moved; another answer takes the one before back."""

    moved: bool


DID_MOVE = Problem("did the camera move")
"""The question that `SettleMove` answers."""


class NameCard(Struct, frozen=True):
    """Learn a card's name; it then counts as read, and so do cards like it."""

    outline: Outline
    face: str
    """Empty if the thing there is no card, and shall not be asked for while it stays."""
    match: str
    moment: int
    by: str = ""  # name of the person; empty if an answer of the match named the card


class UndoName(Struct, frozen=True):
    """Make the pictures that were named at a moment of a match unnamed again."""

    face: str
    match: str
    moment: int


class UndoNames(Struct, frozen=True):
    """Make all pictures that one person named in a match unnamed again."""

    match: str
    by: str


class ChangeFace(Struct, frozen=True):
    """Rename a learnt face; an empty new name forgets it."""

    face: str
    to: str = ""


class KeepEvidence(Struct, frozen=True):
    """Store a reading as evidence of a ruling."""

    reading: int
    match: str
    moment: int
    what: str = ""


TableOrder = TakeSnapshot | TakeView | TakeFrame | FrameTable | SeekCards | ShowCards | SettleMove
LearningOrder = NameCard | UndoName | UndoNames | ChangeFace
EyesOrder = Setting | ReadTable | TableOrder | LearningOrder | KeepEvidence


def settings_after(settings: EyesSettings, message: Any) -> EyesSettings:
    """Return the settings after an order or a finding, so that a new process resumes where the old one was."""
    match message:
        case Setting():
            return replace(settings, **asdict(message))
        case TroubleBegan(problem) | TroubleEnded(problem) if "camera" in problem.values:
            return replace(settings, blind=(problem,) if isinstance(message, TroubleBegan) else ())
        case _:
            return settings
