"""Values that describe a table, its camera and the cards on it; messages between processes carry them."""

from collections.abc import Mapping
from math import dist
from typing import Literal, TypeAlias

from msgspec import Struct

from vision.sightings import Outline, Point, Sighting
from vision.troubles import Problem

Size: TypeAlias = tuple[int, int]  # width and height in pixels
Matrix = tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]]
Zones = Mapping[str, tuple[Point, ...]]  # polygons by name; where two overlap, the first counts

USUAL_WIDTH = 60.0  # millimetres across a card, to compare places while the table is unknown
NEEDED = 110.0  # pixels across a card at which small signs are distinct


class Calibration(Struct, frozen=True):
    """Table, lens and light of a camera. The table's origin is the middle of the plates; x is to the right."""

    plane: Matrix  # maps table millimetres to pixels of a lens without distortion; see `to_pixels`
    size: Size
    white: tuple[float, float, float]  # gains of blue, green and red that make white paper white
    light: float  # brightness of white paper, 0 to 1
    markers: Mapping[str, Outline]
    """Corners of the codes in picture pixels, by number, clockwise from each code's own upper left."""
    lens: float = 0.0  # distortion; see `bend_points`
    residual: float = 0.0  # error of the codes' corners in millimetres (root mean square)


class Optics(Struct, frozen=True):
    """A camera with its lens."""

    name: str
    mode: tuple[int, int]  # picture size in the mode that reads the whole sensor
    angle: float  # horizontal field of view in degrees
    nearest: float  # shortest focus distance in millimetres
    needed: float = NEEDED  # pixels across a card that the reader needs

    @property
    def is_usb(self) -> bool:
        return self.name.startswith("USB")


# the camera's position

Way = Literal[
    "raise", "lower", "left", "right", "up", "down",
    "look left", "look right", "look up", "look down", "turn left", "turn right", "closer",
]  # fmt: skip
"""Moves of the camera, named by the edges of its picture; "closer" is for plates that are too far apart."""


class Move(Struct, frozen=True):
    """A recommended move of the camera."""

    way: Way
    amount: float  # millimetres, or degrees for "look" and "turn"
    effect: float  # resulting shift of the outermost corner in pixels


class Pose(Struct, frozen=True):
    """A lens's position above the plates; right and down as in its picture."""

    height: float  # millimetres above the table
    right: float  # millimetres from the point below the lens to the middle of the plates
    down: float
    turn: float = 0.0  # degrees by which the plates are turned clockwise in the picture
    tilt_right: float = 0.0
    """Degrees by which the lens must turn to the right to look straight down."""
    tilt_down: float = 0.0


class Framing(Struct, frozen=True):
    """A table's position in a picture, with its problems and recommended moves."""

    size: Size
    seen: tuple[int, ...]  # numbers of the visible plates
    outline: Outline
    """Target of the plates' outermost corners in the picture; their position, if that is good."""
    blur: float  # blur of an edge: standard deviation in pixels
    light: float | None  # brightness of white paper, 0 to 255; None if no plate is visible
    pose: Pose | None = None
    moves: tuple[Move, ...] = ()
    """Recommended moves, the most helpful first; none if the table is in a good position."""
    wrong: tuple[Problem, ...] = ()


# cards on the table


class PlacedCard(Struct, frozen=True):
    """A card and its position on the table, as far as the table is known."""

    card: Sighting
    middle: Point | None = None  # millimetres from the table's origin
    outline: Outline | None = None
    zone: str | None = None
    toward: str | None = None  # the player's zone in its direction from the middle, if that is clear

    @property
    def seat(self) -> int | None:
        """The seat from which it was laid; None if unclear."""
        return None if self.toward is None else int(self.toward.removeprefix("seat ")) - 1


def distance_apart(one: PlacedCard, other: PlacedCard) -> float:
    """Return the distance of two cards' middles in millimetres; an estimate while the table is unknown."""
    if one.middle is not None and other.middle is not None:
        return dist(one.middle, other.middle)
    outlines = one.card.outline, other.card.outline
    middles = ((sum(x for x, _y in each) / 4, sum(y for _x, y in each) / 4) for each in outlines)
    (a, b, c, _d) = other.card.outline
    return dist(*middles) * USUAL_WIDTH / max(1.0, min(dist(a, b), dist(b, c)))
