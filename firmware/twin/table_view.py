"""The simulated table as a viewer sees it.

Nothing that a viewer may not see is in here: a hidden card has no face.
"""

from typing import TypeGuard

from msgspec import Struct

from hardware.twin.strengths import STRENGTHS, Strength
from referee.contract import Game

BotStrength = Strength


def strengths_offered(game: Game) -> tuple[BotStrength, ...]:
    """List how well the bots of a game can play: strong only where a bot of it is."""
    return tuple(each for each in STRENGTHS if each != "strong" or game.play.strong_bot)


def is_bot_strength(text: str) -> TypeGuard[BotStrength]:
    return text in STRENGTHS


Point = tuple[float, float]


class OffTableCard(Struct, frozen=True):
    """A card off the table: where it is, and its place there; without a face it shows its back."""

    where: str
    place: int
    face: str | None = None
    may: bool = False  # the viewer may lay it
    is_wanted: bool = False  # the viewer is asked to lay it now


class LaidCardView(Struct, frozen=True):
    """A card on the table, in millimetres from the middle and degrees; without a face it lies face down."""

    number: int
    face: str | None
    x: float
    y: float
    angle: float
    may: bool = False  # the viewer may move it
    is_own: bool = False  # it belongs to the viewer or to no seat
    is_astray: bool = False  # it is asked for, but lies outside the area where it should
    is_held: bool = False
    before: int | None = None  # the seat before which it lies; none in the middle


class Chair(Struct, frozen=True):
    """A seat of the simulated table, and where it is."""

    at: Point
    cards: tuple[OffTableCard, ...] = ()  # in the hand, or worn on the forehead
    is_worn: bool = False
    open: tuple[str, ...] = ()  # cards that lie face up before the seat, outside the camera's view
    taken: int = 0  # number of cards in the tricks it has taken
    has_button: bool = False
    has_second: bool = False
    is_bot: bool = False


class TableView(Struct, frozen=True):
    """All that a viewer sees, except the lamps."""

    deck: str
    chairs: tuple[Chair, ...]
    laid: tuple[LaidCardView, ...]
    pile: int
    draw: OffTableCard | None  # the card of the pile that the viewer may draw now
    discard: int
    top: str | None  # the top card of the discards
    zone: tuple[Point, ...]  # the area where cards are asked for
    zone_seat: int | None
    has_dial: bool
    has_button: bool  # the table has a button of its own
    wrong: tuple[str, ...]  # the mischief that is going on
    is_compared: bool = False
    """Cards before a seat are wanted in the middle, to be compared with the record."""
    is_brought: bool = False  # they are in the middle
    zone_middle: Point | None = None  # where the first card is laid that is asked for
    is_showing: bool = False
    """What was read still lies there, so that people see it together with what came of it."""
    is_thinking: bool = False  # a bot is about to move, and may be hurried


class RequestedPose(Struct, frozen=True):
    """Where and how a player lays a card."""

    x: float
    y: float
    angle: float = 0.0
    is_up: bool | None = None  # None lays it as the ask wants it


MISCHIEF = ("unplugged", "frozen", "black", "glare", "hand", "dirty", "extra", "wrong", "piece", "no piece")
