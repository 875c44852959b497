"""Rendered tables with known truth: cards in every layout and light, under each known camera."""

from functools import cache
from math import sqrt
from random import Random

import numpy as np
from msgspec.structs import replace
from numpy.random import Generator, default_rng

from hardware.decks.catalogue import PRINTED
from hardware.twin.rendering.renderer import BACK, faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, plates
from tests.hardware.twin.layouts import LAYOUTS
from tests.hardware.twin.levels import (
    L1,
    LEVELS,
    aim_camera,
    around_zero,
    between,
    random_light,
    random_scene,
    random_table,
)
from tests.hardware.twin.truth import Frame, frame_of
from tests.tidiness import tries
from vision.reading.templates import Templates
from vision.reading.views import Surroundings, lines_of, plate_around
from vision.table.framing import USUAL_APART
from vision.table.optics import AIM, CAMERAS, focal_length, heights, largest_apart, plates_span, seen_from
from vision.table.plane import UNIT_SQUARE, as_outline, map_points
from vision.table.plates import Millimetres
from vision.table.values import Optics
from vision.teaching.tried_decks import prepare_deck

DECKS = ("piquet", "coyote-gigamic", "plenty-coups", "ogallala", "coup")
CARDS = 8
EXPOSURES = {"100 ms": 4.0, "33 ms": 4.0 * sqrt(3)}
"""The noise on mid-grey in the light of an evening, by how long the exposure lasts."""
OPENINGS = {
    "imx708": (1.8, 2.8),
    "imx708_wide": (2.2, 2.8),
    "imx219": (2.0, 2.24),
    "imx477": (1.2, 3.1),
    "imx296": (1.2, 3.45),
    "usb 720p": (2.0, 4.0),
    "usb 1080p": (2.0, 2.7),
    "usb 4k": (2.0, 1.6),
}
"""Each camera's f-number, and how many micrometres its pixels are wide; those of USB cameras are usual ones."""
SOFT = 0.75  # the blur of lens and colour filters in focus, in pixels
DISTORTION = 0.04  # how far a lens may bend, as makers' focal lengths and angles of view differ
TILT = 2.0  # degrees by which a camera that was framed may still be tilted
CELL = 112.0  # millimetres that a card takes, whichever way it lies
BESIDE = (70.0, 90.0)
"""Millimetres across and down that plates and a border take of what lies between their middles."""
SHARE = 0.995  # how much smaller than the largest a table is that a camera just sees


def lay_cards(deck: str, layout: str, level: str, seed: int, cards: int = CARDS) -> tuple[Frame, Surroundings]:
    """Lay cards of a deck, one in ten face down; also return the table's calibration."""
    rng, names = Random(seed), tuple(PRINTED[deck].faces)
    faces = tuple(None if rng.random() < 0.1 else rng.choice(names) for _card in range(cards))
    scene = random_scene(LEVELS[level], LAYOUTS[layout], faces, seed)
    # the empty table was seen without a person bending over it, and with other camera noise
    empty = replace(scene, cards=(), hands=(), light=replace(scene.light, shadows=()), seed=scene.seed + 1)
    frame, before = frame_of(scene, faces_of_cached(deck)), render(empty, faces_of_cached(deck))
    codes = ((UNIT_SQUARE - 0.5) * plate.size + (plate.x, plate.y) for plate in scene.table.plates)
    things = tuple(plate_around(as_outline(map_points(frame.plane, code))) for code in codes)
    return frame, Surroundings(frame.plane, things, lines_of(before))


faces_of_cached = cache(faces_of)


@cache
def templates_from_artwork(deck: str) -> Templates:
    faces = faces_of_cached(deck)
    return prepare_deck(
        {name: [np.asarray(faces(name))] for name in (*PRINTED[deck].faces, BACK)}, kept=tries()
    )


# where a camera hangs


def apart_under(optics: Optics) -> Millimetres:
    """Return the usual distances of plates, or the largest that the camera can see."""
    if heights(optics, USUAL_APART) is not None:
        return USUAL_APART
    across, down = largest_apart(optics, USUAL_APART)
    return SHARE * across, SHARE * down


def heights_to_try(optics: Optics) -> tuple[float, float, float]:
    between_them = heights(optics, apart_under(optics))
    if between_them is None:
        raise RuntimeError(optics.name)  # it can't be: the plates lie as that camera sees them
    low, high = between_them
    return low, (low + high) / 2, high


def scene_under(
    optics: Optics, apart: Millimetres, height: float, noise: float, faces: tuple[str | None, ...], seed: int
) -> Scene:
    """Lay cards everywhere between the plates, in the light of an evening, and hang the camera above them."""
    rng = default_rng(seed)
    needed = zip(plates_span(apart), seen_from(optics, height), strict=True)
    across, down = (max(lengths) + 100 for lengths in needed)
    table = replace(random_table(rng), plates=plates(apart[0] / 2, apart[1] / 2), width=across, depth=down)
    return Scene(
        _hang_camera(optics, height, noise, rng),
        table,
        random_light(L1, rng),
        spread_cards(faces, apart, rng),
        seed=seed,
    )


def _hang_camera(optics: Optics, height: float, noise: float, rng: Generator) -> SceneCamera:
    """Place a camera as the guide says: slightly tilted, focused slightly off the table."""
    camera = SceneCamera(
        at=(0.0, 0.0, height),
        tilt=around_zero(rng, TILT),
        roll=around_zero(rng, TILT),
        pan=around_zero(rng, TILT),
        focal=focal_length(optics),
        k1=around_zero(rng, DISTORTION),
        resolution=optics.mode,
        defocus=float(np.hypot(SOFT, blur_at(optics, height, height * AIM))),
        noise=noise,
        sharpening=between(rng, L1.sharpening),
    )
    return aim_camera(camera, 0.0, 0.0)


def blur_at(optics: Optics, distance: float, sharp: float) -> float:
    """Return the defocus blur at a distance, as a standard deviation in pixels."""
    name = next(name for name, each in CAMERAS.items() if each.name == optics.name)
    f_number, pixel = OPENINGS[name]
    wide = pixel * CAMERAS[name].mode[0] / optics.mode[0]
    return focal_length(optics) ** 2 * wide / 1000 / f_number * abs(1 / sharp - 1 / distance) / 4


def spread_cards(faces: tuple[str | None, ...], apart: Millimetres, rng: Generator) -> tuple[SceneCard, ...]:
    """Lay each card in its own cell at a random angle; a small table has room for fewer."""
    area = np.subtract(apart, BESIDE)
    columns, rows = (area // CELL).astype(int)
    cell = area / (columns, rows)
    chosen = rng.permutation(columns * rows)[: len(faces)]
    middles = (np.column_stack((chosen % columns, chosen // columns)) + 0.5) * cell - area / 2
    places = middles + rng.uniform(-0.5, 0.5, (len(chosen), 2)) * (cell - CELL)
    turns = rng.uniform(0, 360, len(chosen))
    return tuple(
        SceneCard(face, float(x), float(y), float(turn))
        for face, (x, y), turn in zip(faces[: len(chosen)], places, turns, strict=True)
    )


def random_faces(deck: str, cards: int, seed: int) -> tuple[str | None, ...]:
    """Choose faces of a deck; one card in ten lies face down."""
    rng, names = default_rng([seed, cards]), tuple(PRINTED[deck].faces)
    return tuple(None if rng.random() < 0.1 else names[rng.integers(len(names))] for _card in range(cards))
