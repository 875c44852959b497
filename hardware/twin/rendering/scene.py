"""A scene of the simulated table as frozen values: camera, table, light, cards, hands.

Millimetres from the table's middle, seen from above: x to the right, y towards the lower edge of the picture.
Degrees are clockwise in the picture. Colours are blue, green, red.
"""

from typing import Literal

from msgspec import Struct

Colour = tuple[float, float, float]
Surface = Literal["felt", "wood", "light", "mat", "paper"]

CARD = (63.0, 88.0)
CORNER = 3.0  # radius of a card's corners
FULL = (2028, 1520)


class SceneCamera(Struct, frozen=True):
    """The camera's position and lens, and the processing of its picture."""

    at: tuple[float, float, float] = (0.0, 0.0, 754.0)
    tilt: float = 0.0  # towards the upper edge of the picture
    roll: float = 0.0  # towards its right edge
    pan: float = 0.0
    focal: float = 1560.0  # in pixels
    off_centre: tuple[float, float] = (0.0, 0.0)  # the principal point from the middle, in pixels
    k1: float = 0.0
    k2: float = 0.0
    resolution: tuple[int, int] = FULL
    exposure: float = 1.0  # 1.0 is correct
    white_balance: Colour = (1.0, 1.0, 1.0)  # (1, 1, 1) is correct in daylight
    defocus: float = 0.45  # standard deviation in pixels
    shake: tuple[float, float] = (0.0, 0.0)  # movement during the exposure, in pixels
    noise: float = 2.0  # standard deviation on mid-grey, in 8-bit levels, before sharpening
    sharpening: float = 0.4
    fringe: float = 0.0003  # relative size of red to green, and of green to blue
    vignette: float = 0.12  # light lost in the corners
    jpeg: int = 85  # 0 disables compression


class Plate(Struct, frozen=True):
    """A corner plate as printed: an ArUco code with a white patch below it."""

    number: int
    x: float
    y: float
    size: float = 40.0  # the code's side; the rest of the plate scales with it
    angle: float = 0.0


def plates(across: float, down: float) -> tuple[Plate, ...]:
    """Return four plates around the middle, numbered clockwise from the upper left."""
    places = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return tuple(Plate(i, x * across, y * down) for i, (x, y) in enumerate(places))


class SceneTable(Struct, frozen=True):
    """A table top, and the plates fixed to it."""

    surface: Surface = "felt"
    colour: Colour | None = None  # on a screen, 0..255; None is the surface's own
    width: float = 1300.0
    depth: float = 1000.0
    plates: tuple[Plate, ...] = plates(422.0, 278.0)
    grain: int = 0  # seed of the wood or cloth


class SceneCard(Struct, frozen=True):
    """A card on the table, or held over it; without a face it is face down."""

    face: str | None
    x: float
    y: float
    angle: float = 0.0
    height: float = 0.3
    lift: float = 0.0  # height of its upper edge above its lower edge
    bend: float = 0.0  # height of its middle above its short edges; negative if the edges are higher
    deck: str = ""  # decks other than the main one are requested as "deck/face"
    size: tuple[float, float] = CARD
    corner: float = CORNER  # radius of its corners; half its size for a disc


class Hand(Struct, frozen=True):
    """A hand with its arm: the palm's position, and the arm's direction (0 from below, 90 from the left)."""

    x: float
    y: float
    angle: float = 0.0
    scale: float = 1.0
    left: bool = False
    curl: float = 0.2  # 0 flat, 1 a fist
    spread: float = 0.3  # 0 closed, 1 spread
    height: float = 30.0
    skin: Colour = (128.0, 160.0, 214.0)
    sleeve: Colour = (110.0, 70.0, 50.0)
    bare: float = 60.0  # bare forearm between wrist and sleeve


class Shadow(Struct, frozen=True):
    """The shadow of a hand and arm that are out of the picture."""

    of: Hand
    depth: float = 0.6  # remaining light: 0.4 is deep
    softness: float = 15.0


class Glare(Struct, frozen=True):
    """A lamp's reflection on shiny surfaces."""

    x: float
    y: float
    radius: float = 40.0
    strength: float = 0.3  # white paper in full light is about 0.85
    stretch: float = 1.0
    angle: float = 0.0


class SceneLight(Struct, frozen=True):
    """One lamp, some daylight, shadows and reflections."""

    lamp: tuple[float, float, float] = (100.0, -200.0, 1600.0)
    colour: Colour = (1.0, 1.0, 1.0)
    strength: float = 1.0
    daylight: float = 0.5  # its share of the light in the middle of the table
    day_colour: Colour = (1.0, 0.97, 0.93)
    day_from: float = 30.0
    day_fall: float = 0.1  # decrease over half a metre
    shadows: tuple[Shadow, ...] = ()
    glares: tuple[Glare, ...] = ()
    flicker: float = 0.0  # depth of the dark bands caused by a mains lamp


class Scene(Struct, frozen=True):
    """Everything in one frame; cards in the order of laying."""

    camera: SceneCamera = SceneCamera()
    table: SceneTable = SceneTable()
    light: SceneLight = SceneLight()
    cards: tuple[SceneCard, ...] = ()
    hands: tuple[Hand, ...] = ()
    seed: int = 0
    time: float = 0.0  # seconds; at another time, a still table differs only in noise
