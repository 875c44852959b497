"""The simulated table as a viewer sees it, and what can be done to it.

Nothing that a viewer may not see is in here: a hidden card has no face.
"""

from typing import Literal, Protocol, TypeGuard, get_args

from msgspec import Struct

from referee.contract import Game

BotStrength = Literal["beginner", "plain", "strong"]
BOT_STRENGTHS: tuple[BotStrength, ...] = get_args(BotStrength)


def strengths_offered(game: Game) -> tuple[BotStrength, ...]:
    """List how well the bots of a game can play: strong only where a bot of it is."""
    return tuple(each for each in BOT_STRENGTHS if each != "strong" or game.play.strong_bot)


def is_bot_strength(text: str) -> TypeGuard[BotStrength]:
    """Tell whether a text says how well bots may play."""
    return text in BOT_STRENGTHS


Point = tuple[float, float]


class OffTableCard(Struct, frozen=True):
    """A card off the table: where it is, and its place there; without a face it shows its back."""

    where: str
    place: int
    face: str | None = None
    may: bool = False
    """The viewer may lay it."""
    is_wanted: bool = False
    """The viewer is asked to lay it now."""


class LaidCardView(Struct, frozen=True):
    """A card on the table, in millimetres from the middle and degrees; without a face it lies face down."""

    number: int
    face: str | None
    x: float
    y: float
    angle: float
    may: bool = False
    """The viewer may move it."""
    is_own: bool = False
    """It belongs to the viewer or to no seat."""
    is_astray: bool = False
    """It is asked for, but lies outside the area where it should."""
    is_held: bool = False
    """A player is holding it just now."""
    before: int | None = None
    """The seat before which it lies; none in the middle."""


class Chair(Struct, frozen=True):
    """A seat of the simulated table, and where it is."""

    at: Point
    cards: tuple[OffTableCard, ...] = ()
    """In the hand, or worn on the forehead."""
    is_worn: bool = False
    open: tuple[str, ...] = ()
    """Cards that lie face up before the seat, outside the camera's view."""
    taken: int = 0
    """Number of cards in the tricks it has taken."""
    has_button: bool = False
    has_second: bool = False
    is_bot: bool = False


class TableView(Struct, frozen=True):
    """All that a viewer sees, except the lamps."""

    deck: str
    chairs: tuple[Chair, ...]
    laid: tuple[LaidCardView, ...]
    pile: int
    draw: OffTableCard | None
    """The card of the pile that the viewer may draw now."""
    discard: int
    top: str | None
    """The top card of the discards."""
    zone: tuple[Point, ...]
    """The area where cards are asked for."""
    zone_seat: int | None
    has_dial: bool
    has_button: bool
    """The table has a button of its own."""
    wrong: tuple[str, ...]
    """The mischief that is going on."""
    is_compared: bool = False
    """Cards before a seat are wanted in the middle, to be compared with the record."""
    is_brought: bool = False
    """They are in the middle."""
    zone_middle: Point | None = None
    """Where the first card is laid that is asked for."""
    is_showing: bool = False
    """What was read still lies there, so that people see it together with what came of it."""
    is_thinking: bool = False
    """A bot is about to move, and may be hurried."""


class LampView(Struct, frozen=True):
    """The lamps: a colour for each seat (empty is dark), the table lamp, the digits; None if missing."""

    seats: tuple[str, ...]
    attention: bool | None
    digits: str | None


class RequestedPose(Struct, frozen=True):
    """Where and how a player lays a card."""

    x: float
    y: float
    angle: float = 0.0
    is_up: bool | None = None
    """None lays it as the ask wants it."""


MISCHIEF = ("unplugged", "frozen", "black", "glare", "hand", "dirty", "extra", "wrong", "piece", "no piece")
"""What can go wrong on purpose."""


class TwinDoor(Protocol):
    """The simulated table; actions return False if they are not possible."""

    def table(self, seat: int | None) -> TableView:
        """Give the table as a viewer sees it."""

    def lamps(self) -> LampView:
        """Give the lamps."""

    def picture(self, deck: str, face: str) -> bytes | None:
        """Give the picture of a face, or of the back, as PNG; None if this deck has none."""

    def camera(self) -> bytes | None:
        """Give the camera's picture as JPEG; None if it sees nothing."""

    def lay(self, seat: int, where: str, place: int, pose: RequestedPose | None) -> bool:
        """Lay a card of a seat: at a pose, or where it is asked for."""

    def move(self, seat: int, number: int, pose: RequestedPose) -> bool:
        """Move or turn a card."""

    def lift(self, seat: int, number: int) -> bool:
        """Pick a card up from the table."""

    def take(self, seat: int, number: int) -> bool:
        """Take a card back."""

    def arrange(self, seat: int, place: int, to: int) -> bool:
        """Move a card within the own hand."""

    def bring(self) -> bool:
        """Push the cards to be compared into the middle."""

    def put_back(self) -> bool:
        """Put them back."""

    def press(self, seat: int | None, role: str, how: str) -> bool:
        """Press a button of a seat or of the table."""

    def turn(self, clicks: int) -> bool:
        """Turn the dial."""

    def push(self) -> bool:
        """Push the dial."""

    def note_watching(self) -> None:
        """Hear that a player looks at the table now."""

    def hurry(self) -> None:
        """Let bots move at once, and what was read be put away."""

    def play_for(self, seat: int) -> None:
        """Let a bot play for a seat."""

    def let_bots_play_as(self, strength: BotStrength) -> None:
        """Let all bots play so well from now on."""

    def leave(self, seat: int) -> None:
        """Give a bot's seat to a person."""

    def mischief(self, what: str) -> bool:
        """Start mischief, or end it if it is going on."""

    def set_right(self) -> None:
        """End all mischief."""
