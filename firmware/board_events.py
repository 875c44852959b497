"""Events of the board as plain values: edges of wires, meanings of presses, choices on the dial.

The board creates them and the core receives them; neither imports the other.
"""

from typing import Literal

from msgspec import Struct

from hardware.board.board import Key
from referee.contract import Answer

Step = Literal["who", "number", "done"]
VoidReason = Literal["over", "not-you", "other-sense", "phone-only", "turn-first"]


class Edge(Struct, frozen=True, gc=False):
    """An edge of a wire, down (to ground) or up, with the kernel's timestamp in monotonic seconds."""

    wire: Key
    at: float
    is_down: bool


class TableSign(Struct, frozen=True):
    """A sign by which a phone proves that it is at the table: a code or a blinking lamp."""

    code: str = ""
    seat: int | None = None  # the seat whose lamp blinks, if there is no code


# presses


class PressUnderstood(Struct, frozen=True):
    """A press with a meaning; its button can give feedback before the referee has the answer."""

    key: Key
    at: float


class VoidPress(Struct, frozen=True):
    """A press without a meaning now, with the reason."""

    key: Key
    at: float
    why: VoidReason


class Chord(Struct, frozen=True, gc=False):
    """Several buttons of one place pressed together; they are refused."""

    key: Key
    at: float


class ButtonStuck(Struct, frozen=True, gc=False):
    """A button that is held longer than any person would."""

    key: Key
    at: float


class ButtonFreed(Struct, frozen=True, gc=False):
    """A stuck button that was released."""

    key: Key
    at: float


class OffHeld(Struct, frozen=True, gc=False):
    """The dial was held long enough to shut down; the shutdown starts once it is released."""

    at: float
    is_let_go: bool = False


class DirectorHeld(Struct, frozen=True, gc=False):
    """A seat that isn't asked held and released its button to call the director."""

    seat: int
    at: float


class BoardAnswers(Struct, frozen=True):
    """Answers for the referee; several are from presses with indistinguishable timestamps."""

    answers: tuple[Answer, ...]


# the dial


class Pick(Struct, frozen=True):
    """An item of the dial: a number or "done" with its seat and ask, or the seat that answers."""

    step: Step
    seat: int | None = None
    ask: str = ""
    number: int | None = None


class DialState(Struct, frozen=True):
    """The seat chosen on the dial, if any, and the current item; None before the dial is turned."""

    seat: int | None = None
    at: Pick | None = None


class DialMoved(Struct, frozen=True):
    """The dial was turned."""

    dial: DialState


class DialRested(Struct, frozen=True):
    """The dial has come to rest, so its choice can be announced in full."""

    dial: DialState


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
