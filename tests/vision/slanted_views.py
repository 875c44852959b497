"""Tables seen by cameras that stand beside them: cards laid apart, under a lens that may look from the side."""

from math import cos, radians, sin

import numpy as np
from msgspec.structs import replace
from numpy.random import default_rng

from hardware.twin.rendering.lens import project
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneTable
from tests.hardware.twin.levels import L1, aim_camera, around_zero, random_light, random_table
from tests.vision.rendered_tables import DISTORTION, SOFT, random_faces, spread_cards
from vision.table.calibration import CARD_WIDTH
from vision.table.optics import focal_length
from vision.table.plane import Reals
from vision.table.values import Optics

CLOTH = (560.0, 400.0)  # millimetres of the table that cards are laid on
NOISE = 3.0  # on mid-grey, in the light of an evening


def camera_beside(optics: Optics, angle: float, pixels: float, seed: int, noise: float = NOISE) -> SceneCamera:
    """Place a camera `angle` degrees off the vertical, where a card in the middle is `pixels` wide."""
    rng = default_rng([seed, 7])
    distance, focal = focal_length(optics) * CARD_WIDTH / pixels, focal_length(optics)
    slant = radians(angle)
    camera = SceneCamera(
        at=(around_zero(rng, 20.0), distance * sin(slant), distance * cos(slant)),
        tilt=angle,
        pan=around_zero(rng, 4.0),
        focal=focal,
        k1=around_zero(rng, DISTORTION),
        resolution=optics.mode,
        defocus=SOFT,
        noise=noise,
    )
    return aim_camera(camera, 0.0, 0.0)


def scene_beside(camera: SceneCamera, deck: str, cards: int, seed: int) -> Scene:
    """Lay cards apart on a table without markers."""
    rng = default_rng([seed, 11])
    table: SceneTable = replace(random_table(rng), plates=(), width=2400.0, depth=2000.0)
    laid = spread_cards(random_faces(deck, cards, seed), CLOTH, rng)
    return Scene(camera, table, random_light(L1, rng), laid, seed=seed)


def seen_from(camera: SceneCamera, mm: Reals) -> Reals:
    return np.asarray(project(camera, np.column_stack((mm, np.zeros(len(mm))))), np.float64)
