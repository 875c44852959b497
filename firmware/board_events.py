"""What the board tells the table, as plain values: edges of wires, what presses mean, what is on the dial.

The board makes them and the core hears them; neither knows the other.
"""

from typing import Literal

from msgspec import Struct

from hardware.board.board import Key
from referee.contract import Answer, Number, Option

Step = Literal["who", "number", "word", "seat", "face", "cell", "card", "done"]
VoidReason = Literal["over", "not-you", "other-sense", "turn-first"]


class Edge(Struct, frozen=True, gc=False):
    """A wire that went down (to ground) or up, and the kernel's stamp, in seconds of the monotonic clock."""

    wire: Key
    at: float
    is_down: bool


class TableSign(Struct, frozen=True):
    """What the table tells for a phone to prove that it is there: a code, or a lamp that blinks."""

    code: str = ""
    seat: int | None = None  # the seat whose lamp blinks, where there is no code


# presses


class PressUnderstood(Struct, frozen=True):
    """A press that means something: its button can be answered at once, before the referee has heard it."""

    key: Key
    at: float


class VoidPress(Struct, frozen=True):
    """A press that means nothing now: it is over, others are asked, or another sense is."""

    key: Key
    at: float
    why: VoidReason


class Chord(Struct, frozen=True, gc=False):
    """Several buttons of one place pressed together: refused."""

    key: Key
    at: float


class ButtonStuck(Struct, frozen=True, gc=False):
    """A button that is held for longer than any person would."""

    key: Key
    at: float


class ButtonFreed(Struct, frozen=True, gc=False):
    """A button that was stuck and is free again."""

    key: Key
    at: float


class OffHeld(Struct, frozen=True, gc=False):
    """The dial is held for so long that the computer is to be switched off; done when it was let go."""

    at: float
    is_let_go: bool = False


class DirectorHeld(Struct, frozen=True, gc=False):
    """A seat that isn't asked has held its button, and let it go: the director is asked to the table."""

    seat: int
    at: float


class BoardAnswers(Struct, frozen=True):
    """Answers for the referee; several are from presses that no stamp can tell apart."""

    answers: tuple[Answer, ...]


# the dial


class Pick(Struct, frozen=True):
    """One choice on the dial: its seat, its ask, and its value so far.

    A number or a card is a value; of a choice, these are the options that are left, and all agree in this step.
    """

    step: Step
    seat: int | None = None
    ask: str = ""
    value: int | str | None = None
    options: tuple[Option, ...] = ()


Path = tuple[Pick, ...]


class Menu(Struct, frozen=True):
    """What the dial turns through: numbers clockwise, what else there is before the least of them."""

    picks: tuple[Pick, ...]
    number: Number | None = None


class DialState(Struct, frozen=True):
    """What was taken, and what is on the dial now; nothing before it is turned."""

    path: Path = ()
    at: Pick | None = None


class DialMoved(Struct, frozen=True):
    """The dial was turned: its choice, and the menu."""

    dial: DialState
    menu: Menu


class DialRested(Struct, frozen=True):
    """The dial has come to rest: its choice can be spoken in full."""

    dialled: DialMoved


BoardEvent = (
    PressUnderstood
    | DialMoved
    | DialRested
    | BoardAnswers
    | VoidPress
    | Chord
    | ButtonStuck
    | ButtonFreed
    | OffHeld
    | DirectorHeld
)
