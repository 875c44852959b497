"""What the simulated table shows a viewer, and what may be done to it; the companion hands it in.

Whatever a viewer may not see isn't in here: a card that isn't theirs to see has no face.
"""

from typing import Protocol

from msgspec import Struct

Point = tuple[float, float]


class OffTableCard(Struct, frozen=True):
    """A card that doesn't lie on the table: where it is, which one there; no face is a back."""

    where: str
    place: int
    face: str | None = None
    may: bool = False
    """The viewer may lay it."""


class LaidCardView(Struct, frozen=True):
    """A card on the table, in millimetres from its middle and degrees; no face lies face down."""

    number: int
    face: str | None
    x: float
    y: float
    angle: float
    may: bool = False
    """The viewer may move it."""
    is_own: bool = False
    """It is the viewer's own, or nobody's."""
    is_astray: bool = False
    """It is asked for, but lies beside the part of the table where it should."""
    is_held: bool = False
    """It is in somebody's fingers just now."""


class Chair(Struct, frozen=True):
    """A seat of the simulated table, and where its part of it is."""

    at: Point
    cards: tuple[OffTableCard, ...] = ()
    """Held in the hand, or worn on the forehead."""
    is_worn: bool = False
    open: tuple[str, ...] = ()
    """Lies open before it, out of the camera's sight."""
    taken: int = 0
    """Cards of tricks that it has taken."""
    has_button: bool = False
    has_second: bool = False
    is_bot: bool = False


class TableView(Struct, frozen=True):
    """All that a viewer sees, but for the lamps."""

    deck: str
    chairs: tuple[Chair, ...]
    laid: tuple[LaidCardView, ...]
    pile: int
    draw: OffTableCard | None
    """The card of the pile that the viewer may take now."""
    discard: int
    top: str | None
    """The discard that lies on top."""
    zone: tuple[Point, ...]
    """The part of the table where cards are asked for."""
    zone_seat: int | None
    has_dial: bool
    has_button: bool
    """A button for the whole table."""
    wrong: tuple[str, ...]
    """The mischief that is going on."""
    is_compared: bool = False
    """Cards that lie before somebody are wanted in the middle, to be compared with the record."""
    is_brought: bool = False
    """They lie there."""


class LampView(Struct, frozen=True):
    """What shines now: a colour at each seat ("" is dark), the table's lamp, the digits; None isn't there."""

    seats: tuple[str, ...]
    attention: bool | None
    digits: str | None


class RequestedPose(Struct, frozen=True):
    """Where and how somebody lays a card."""

    x: float
    y: float
    angle: float = 0.0
    is_up: bool | None = None
    """None is as it should be: up where it is asked for."""


MISCHIEF = ("unplugged", "frozen", "black", "hand", "dirty", "extra", "wrong")
"""What may go wrong on purpose."""


class TwinDoor(Protocol):
    """The simulated table. What can't be done is told by False."""

    def table(self, seat: int | None) -> TableView:
        """Show the table to a viewer."""

    def lamps(self) -> LampView:
        """Show what shines."""

    def picture(self, deck: str, face: str) -> bytes | None:
        """Give the picture of a face, or of the back, as a PNG; None if this deck has none."""

    def camera(self) -> bytes | None:
        """Give what the camera sees, as a JPEG; None if it sees nothing."""

    def lay(self, seat: int, where: str, place: int, pose: RequestedPose | None) -> bool:
        """Lay a card of a seat; without a pose, where it is asked for."""

    def move(self, seat: int, number: int, pose: RequestedPose) -> bool:
        """Lay a card elsewhere, or turn it."""

    def lift(self, seat: int, number: int) -> bool:
        """Take a card of the table into the fingers."""

    def take(self, seat: int, number: int) -> bool:
        """Take a card back."""

    def arrange(self, seat: int, place: int, to: int) -> bool:
        """Put a card of the own hand at another place in it."""

    def bring(self) -> bool:
        """Push what is compared with the record into the middle."""

    def put_back(self) -> bool:
        """Put back what was pushed into the middle."""

    def press(self, seat: int | None, role: str, how: str) -> bool:
        """Press a button of a seat, or of the table."""

    def turn(self, clicks: int) -> bool:
        """Turn the dial."""

    def push(self) -> bool:
        """Push the dial."""

    def play_for(self, seat: int) -> None:
        """Let a bot play for a seat."""

    def leave(self, seat: int) -> None:
        """Let somebody have the seat of a bot."""

    def mischief(self, what: str) -> bool:
        """Do mischief; what goes on already is ended."""

    def set_right(self) -> None:
        """End all mischief."""
