"""Rendered photographs of a single card: askew, near or far, without corner plates."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from msgspec.structs import replace
from numpy.random import default_rng

from hardware.decks.art.piquet import FRENCH
from hardware.decks.print.raster import picture as rastered
from hardware.twin.rendering.renderer import Faces, faces_of, render
from hardware.twin.rendering.scene import CARD, Scene, SceneCamera, SceneCard, SceneLight, SceneTable, Surface
from tests.hardware.twin.layouts import LAYOUTS
from tests.hardware.twin.levels import L0, Level, aim_camera, random_scene
from tests.hardware.twin.truth import Frame, frame_of

DECK = "piquet"
SIZE = (1360, 1020)  # width and height in pixels: like a phone's smallest pictures, to save time


def faces() -> Faces:
    return faces_of(DECK)


def smaller(scene: Scene, size: tuple[int, int]) -> Scene:
    """Have a camera give smaller pictures of the same field, to save time and memory."""
    focal = scene.camera.focal * size[0] / scene.camera.resolution[0]
    return replace(scene, camera=replace(scene.camera, resolution=size, focal=focal))


def photograph(
    face: str,
    seed: int,
    surface: Surface = "felt",
    level: Level = L0,
    tilt: float = 35.0,
    size: tuple[float, float] = CARD,
) -> Frame:
    """Photograph a card that is held upright, more or less."""
    rng = default_rng(seed)
    scene = random_scene(level, LAYOUTS["separate"], (face,), seed, table=SceneTable(surface, plates=()))
    camera = replace(
        smaller(scene, SIZE).camera,
        tilt=float(rng.uniform(-tilt, tilt)),
        roll=float(rng.uniform(-8, 8)),
        at=(0.0, 0.0, float(rng.uniform(300, 700))),
    )
    card = replace(
        scene.cards[0], x=float(rng.uniform(-30, 30)), y=float(rng.uniform(-20, 20)),
        angle=float(rng.uniform(-30, 30)), size=size,
    )  # fmt: skip
    return frame_of(replace(scene, camera=aim_camera(camera, 0, 0), cards=(card,)), faces())


def off_by(found: object, truth: object) -> float:
    """Measure the worst corner's error, in millimetres of a playing card."""
    one, other = np.asarray(found, float), np.asarray(truth, float)
    return float(np.hypot(*(one - other).T).max() / np.hypot(*(other[3] - other[0])) * CARD[1])


CAMERA = SceneCamera(at=(0.0, 0.0, 620.0), resolution=(1216, 912), focal=936.0)


@cache
def ours(face: str) -> np.ndarray:
    return np.asarray(rastered(FRENCH.draw_face(face), 4.0))


def laid(
    rows: Sequence[Sequence[str]],
    faces: Faces = ours,
    surface: Surface = "felt",
    light: SceneLight | None = None,
) -> np.ndarray:
    """Lay cards in rows, as hands do, and photograph them; no face is a place that is left empty."""
    rng = np.random.default_rng(len(surface))
    cards = tuple(
        SceneCard(
            face,
            74.0 * (place - 3) + float(rng.normal(0, 2)),
            104.0 * line - 52 + float(rng.normal(0, 2)),
            float(rng.normal(0, 2.5)),
        )
        for line, row in enumerate(rows)
        for place, face in enumerate(row)
        if face
    )
    return render(Scene(CAMERA, SceneTable(surface, plates=()), light or SceneLight(), cards), faces)
