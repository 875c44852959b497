"""The state of the eyes between two pictures or orders, and its problems."""

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from vision.pictures import Picture
from vision.process import messages, watching
from vision.process.camera_motion import Anchor
from vision.process.free_cards import Sought
from vision.process.learning import Learning
from vision.process.messages import EyesMessage, EyesSettings
from vision.process.tiles import Small
from vision.reading.templates import Templates
from vision.reading.views import Surroundings
from vision.sightings import Point, Reading
from vision.table.camera import WARM
from vision.table.plates import Millimetres
from vision.table.values import Calibration, Optics
from vision.troubles import Problem

CHECKED = 75  # frames between checks of the table's position, if something has moved

EyesStep = tuple["EyesState", tuple[EyesMessage, ...]]


class HeldReading(Struct, frozen=True, eq=False):
    """A reading and its annotated picture."""

    number: int
    jpeg: bytes
    reading: Reading


class MoveDoubt(Struct, frozen=True):
    """A possible move of the camera: the frame before, and after it as far as that is known."""

    before: Calibration
    after: Calibration | None = None


class FrameState(Struct, frozen=True, eq=False):
    """What shows whether the camera has moved above a table without markers."""

    anchor: Anchor | None = None
    still: tuple[Small, ...] = ()  # the last still pictures
    is_due: bool = True  # whether something has changed since the last comparison
    lacking: float = 0.0  # seconds since the first still picture after it
    due: float = 0.0  # value of `lacking` at the next comparison
    stays: bool = False  # whether the last comparison showed that nothing moved
    drift: tuple[float, float] = (0.0, 0.0)  # as in `Anchor`
    resting: Mapping[str, Point] = {}
    """Middles of named cards at the last reading, in millimetres, by face."""
    doubt: MoveDoubt | None = None
    before: Calibration | None = None  # the last table, while cards are needed to find it again


class EyesState(Struct, frozen=True, eq=False):
    """The state of the eyes between two pictures or orders."""

    settings: EyesSettings
    deck: Templates | None = None
    learning: Learning | None = None  # instead of a deck, if one is learnt during play
    around: Surroundings | None = None  # the table, in the reader's form
    watch: watching.Watch | None = None
    wrong: Mapping[str, tuple[Problem, ...]] = {}
    """Current problems by subject: camera, table, moved, covered, view, hand, deck, evidence."""
    warm: int = WARM  # pictures to skip before searching for the table
    unchecked: int = CHECKED  # frames since the table was last checked
    asked: str = ""
    reading: int = 0
    shown: tuple[HeldReading, ...] = ()
    at: float = 0.0  # time of the last picture, in seconds
    passed: float = 0.0  # seconds between the last two pictures, at most `LONGEST_STEP`
    picture: Picture | None = None
    read_picture: Picture | None = None
    """The last picture in which every card is read; None once the cards have changed."""
    size: tuple[int, int] | None = None
    until_whole: int | None = None  # pictures to skip before the requested full-size picture
    framed: messages.FrameTable | None = None
    shows: frozenset[messages.TakeSnapshot | messages.ShowCards] = frozenset()
    """Orders that the next picture answers."""
    unheld: int = 0  # further pictures with unlocked light and focus
    optics: Optics | None = None
    strangers: tuple[int, int] | None = None
    """Numbers of named and unnamed cards at the last `UnnamedCards` message."""
    is_calm: bool = False  # whether the last reported pace was the slow one
    unread_since: float | None = None  # time of the first picture of a change that isn't read yet
    is_looking: bool = False  # as in the last `Looking` message
    fitted: int = 0  # cards that the table was fitted to; 0 for a table of an earlier run
    sought: Sought | None = None  # while a person lays cards for a table
    frame: FrameState = FrameState()
    blind: float = 0.0  # seconds for which names have been hidden; negative while no other table is tried
    tried: Picture | None = None  # the small picture of the last reading without the table

    @property
    def card(self) -> Millimetres | None:
        """Size of the cards that are read; None if none are."""
        if self.learning is not None:
            return self.learning.draft.size
        return None if self.deck is None else self.deck.size


def note_problems(eyes: EyesState, what: str, wrong: Sequence[Problem]) -> EyesStep:
    """Replace a subject's problems; return messages for those that began or ended."""
    before = {_identity_of(problem): problem for problem in eyes.wrong.get(what, ())}
    now = {_identity_of(problem): before.get(_identity_of(problem), problem) for problem in wrong}
    news: tuple[EyesMessage, ...] = (
        *(messages.TroubleEnded(problem) for which, problem in before.items() if which not in now),
        *(messages.TroubleBegan(problem) for which, problem in now.items() if which not in before),
    )
    return replace(eyes, wrong={**eyes.wrong, what: tuple(now.values())}), news


def _identity_of(problem: Problem) -> tuple[object, ...]:
    """Return a problem's identity without its measurements, which change from picture to picture."""
    return problem.key, problem.values.get("marker"), problem.values.get("file")
