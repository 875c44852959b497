"""Three levels of difficulty in light and camera, and random scenes of each."""

from functools import cache
from random import Random
from typing import Literal

import cv2
import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.random import Generator, default_rng

from hardware.twin.rendering.lens import Pixels, on_table, pixels
from hardware.twin.rendering.renderer import Faces, render
from hardware.twin.rendering.scene import (
    FULL,
    Colour,
    Glare,
    Hand,
    Scene,
    SceneCamera,
    SceneCard,
    SceneLight,
    SceneTable,
    Shadow,
    Surface,
    plates,
)
from tests.hardware.twin.layouts import Layout

Range = tuple[float, float]

SKINS: tuple[Colour, ...] = ((172, 196, 236), (128, 160, 214), (96, 132, 190), (66, 96, 150), (48, 66, 104))
SLEEVES = ((110, 70, 50), (40, 40, 44), (200, 205, 208), (60, 60, 150), (96, 120, 104), (150, 130, 90))
Tints = tuple[Colour | None, ...]
CLOTHS: Tints = (None, (120, 62, 30), (44, 40, 128), (60, 60, 64))
WOODS: Tints = (None, (60, 84, 118), (44, 56, 78), (120, 160, 196))
TOPS: Tints = (None, (230, 234, 236), (176, 200, 214))
COLOURS: dict[Surface, Tints] = {"felt": CLOTHS, "wood": WOODS, "light": TOPS, "mat": (None,), "paper": WOODS}


class Level(Struct, frozen=True):
    """The ranges of a level's random scenes."""

    name: str
    noise: float
    defocus: float
    shake: float  # maximum pixels
    shaken: float  # share of frames affected
    exposure: float  # tolerance of the white balance
    white_balance: float
    warmth: Range  # ratio of red to blue light in the middle of the table
    daylight: Range  # daylight's share
    lamp_off: Range  # horizontal distance of the lamp in mm
    lamp_high: Range
    shadows: tuple[int, int]
    shadow_depth: Range  # light left by shadows
    glares: int  # maximum
    glare: Range
    tilt: float
    distortion: float
    sharpening: Range
    flicker: float = 0.0
    bend: float = 0.0  # maximum height of a bent card's middle in mm


L0 = Level(
    "L0", 2.0, 0.45, 0.0, 0.0, 0.02, 0.0, (0.95, 1.1), (0.6, 0.9), (100, 400), (1500, 2200),
    (0, 1), (0.7, 0.85), 0, (0, 0), 2.0, 0.02, (0.2, 0.4),
)  # fmt: skip
L1 = Level(
    "L1", 4.0, 0.75, 2.0, 0.5, 0.06, 0.02, (1.4, 1.8), (0.15, 0.4), (250, 600), (900, 1400),
    (1, 2), (0.55, 0.75), 1, (0.12, 0.3), 3.0, 0.03, (0.3, 0.6), 0.02, 0.8,
)  # fmt: skip
L2 = Level(
    "L2", 7.0, 1.15, 4.0, 0.6, 0.15, 0.04, (2.75, 3.1), (0.12, 0.3), (300, 700), (750, 1200),
    (1, 4), (0.35, 0.65), 3, (0.5, 1.3), 3.5, 0.04, (0.5, 0.9), 0.04, 1.6,
)  # fmt: skip
LEVELS = {level.name: level for level in (L0, L1, L2)}

WIDE = (1920, 1080)
FOCAL = {FULL: 1560.0, WIDE: 1478.0}
HIGH = {FULL: 754.0, WIDE: 845.0}
PLATES = {FULL: plates(422.0, 278.0), WIDE: plates(465.0, 220.0)}


def between(rng: Generator, span: Range) -> float:
    return float(rng.uniform(*span))


def around_zero(rng: Generator, most: float) -> float:
    """Return a random number up to `most`, of either sign."""
    return float(rng.uniform(-most, most))


def random_table(rng: Generator, resolution: tuple[int, int] = FULL) -> SceneTable:
    surface = tuple(COLOURS)[int(rng.integers(len(COLOURS)))]
    colour = COLOURS[surface][int(rng.integers(len(COLOURS[surface])))]
    return SceneTable(surface, colour, plates=PLATES[resolution], grain=int(rng.integers(4)))


def random_camera(level: Level, rng: Generator, resolution: tuple[int, int] = FULL) -> SceneCamera:
    """Place a slightly tilted camera that looks near the table's middle."""
    high, wrong = HIGH[resolution] * between(rng, (0.99, 1.03)), level.white_balance
    camera = SceneCamera(
        at=(0.0, 0.0, high),
        tilt=around_zero(rng, level.tilt),
        roll=around_zero(rng, level.tilt),
        pan=around_zero(rng, 1.5),
        focal=FOCAL[resolution],
        off_centre=(around_zero(rng, 8), around_zero(rng, 8)),
        k1=around_zero(rng, level.distortion),
        k2=around_zero(rng, level.distortion / 3),
        resolution=resolution,
        exposure=1 + around_zero(rng, level.exposure),
        white_balance=(1 + around_zero(rng, wrong), 1.0, 1 + around_zero(rng, wrong)),
        defocus=level.defocus,
        shake=random_shake(level, rng),
        noise=level.noise,
        sharpening=between(rng, level.sharpening),
        fringe=between(rng, (0.0, 0.0005)),
        vignette=between(rng, (0.08, 0.2)),
    )
    return aim_camera(camera, around_zero(rng, 8), around_zero(rng, 8))


def aim_camera(camera: SceneCamera, x: float, y: float) -> SceneCamera:
    """Shift a camera, without rotation, until its picture is centred on a place of the table."""
    width, height = camera.resolution
    (now,) = on_table(camera, np.array([((width - 1) / 2, (height - 1) / 2)])).tolist()
    return replace(camera, at=(camera.at[0] + x - now[0], camera.at[1] + y - now[1], camera.at[2]))


def random_shake(level: Level, rng: Generator) -> tuple[float, float]:
    way, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.25, 1.0) * level.shake
    if rng.random() >= level.shaken:
        return 0.0, 0.0
    return float(far * np.cos(way)), float(far * np.sin(way))


def random_light(level: Level, rng: Generator) -> SceneLight:
    side, far = rng.uniform(0, 2 * np.pi), between(rng, level.lamp_off)
    share = between(rng, level.daylight)
    return SceneLight(
        lamp=(float(far * np.cos(side)), float(far * np.sin(side)), between(rng, level.lamp_high)),
        colour=lamp_colour(between(rng, level.warmth), share, SceneLight().day_colour),
        strength=between(rng, (0.96, 1.0)),
        daylight=share,
        day_from=between(rng, (0, 360)),
        day_fall=between(rng, (0.05, 0.25)),
        shadows=tuple(
            Shadow(random_hand(rng), between(rng, level.shadow_depth), between(rng, (6, 30)))
            for _ in range(int(rng.integers(level.shadows[0], level.shadows[1] + 1)))
        ),
        glares=tuple(random_glare(level, rng) for _ in range(int(rng.integers(level.glares + 1)))),
        flicker=level.flicker * float(rng.random()),
    )


def lamp_colour(warmth: float, share: float, day: Colour) -> Colour:
    """Return the lamp's colour whose mix with daylight has this ratio of red to blue."""
    blue = max(0.02, ((1 - share + share * day[2]) / warmth - share * day[0]) / (1 - share))
    return blue, (blue + 1) / 2 + 0.02, 1.0


def random_hand(rng: Generator) -> Hand:
    side = float(rng.uniform(0, 360))
    out = float(rng.uniform(60, 330))
    return Hand(
        x=-out * float(np.sin(np.radians(side))),
        y=out * 0.7 * float(np.cos(np.radians(side))),
        angle=side + around_zero(rng, 20),
        scale=between(rng, (0.85, 1.08)),
        left=bool(rng.integers(2)),
        curl=between(rng, (0, 0.7)),
        spread=between(rng, (0, 0.9)),
        height=between(rng, (20, 60)),
        skin=SKINS[int(rng.integers(len(SKINS)))],
        sleeve=SLEEVES[int(rng.integers(len(SLEEVES)))],
        bare=between(rng, (10, 160)),
    )


def random_glare(level: Level, rng: Generator) -> Glare:
    return Glare(
        x=around_zero(rng, 330),
        y=around_zero(rng, 210),
        radius=between(rng, (22, 55)),
        strength=between(rng, level.glare),
        stretch=between(rng, (1, 2.2)),
        angle=between(rng, (0, 180)),
    )


def with_wear(card: SceneCard, level: Level, rng: Generator) -> SceneCard:
    """Bend one card in three a little, as from long use."""
    bend = between(rng, (0, level.bend))
    return replace(card, bend=bend) if rng.random() < 1 / 3 else card


def random_scene(
    level: Level,
    layout: Layout,
    faces: tuple[str | None, ...],
    seed: int,
    table: SceneTable | None = None,
    resolution: tuple[int, int] = FULL,
) -> Scene:
    """Return a random scene of a level; the same seed gives the same scene."""
    rng = default_rng([seed, int(level.noise)])
    chosen = random_table(rng, resolution)
    return Scene(
        camera=random_camera(level, rng, resolution),
        table=chosen if table is None else table,
        light=random_light(level, rng),
        cards=tuple(with_wear(card, level, rng) for card in layout(faces, rng)),
        seed=seed,
    )


@cache
def _speckles(shape: tuple[int, ...]) -> Pixels:
    """Generate a picture's noise, some pixels larger on each side so that it can be shifted."""
    high, wide, _colours = shape
    return pixels(default_rng(0).normal(6, 2.2, (high + 64, wide + 64, 3)).clip(0, 12).astype(np.uint8))


def with_noise(picture: Pixels, rng: Random) -> Pixels:
    """Return a picture as the next one of a camera shows it."""
    (high, wide, _colours), x, y = picture.shape, rng.randrange(64), rng.randrange(64)
    speckles = _speckles(picture.shape)[y : y + high, x : x + wide]
    return pixels(cv2.subtract(cv2.add(picture, speckles), (6, 6, 6, 0)))


# faults of the camera on demand

Fault = Literal["black", "bright", "blurred", "nudged"]


def faulty_picture(scene: Scene, faces: Faces, fault: Fault) -> Pixels:
    """Render a scene black, or with too much light, no focus, or a moved camera."""
    camera = scene.camera
    match fault:
        case "black":
            width, height = camera.resolution
            return np.zeros((height, width, 3), np.uint8)
        case "bright":
            camera = replace(camera, exposure=camera.exposure * 4)
        case "blurred":
            camera = replace(camera, defocus=camera.defocus + 6)
        case "nudged":
            x, y, z = camera.at
            camera = replace(camera, at=(x + 18, y - 11, z), pan=camera.pan + 2.5)
    return render(replace(scene, camera=camera), faces)
