"""The truth about every card in a rendered frame."""

from functools import lru_cache
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from hardware.twin.rendering.lens import Box, Pixels, Reals, blocks, middle, project, reals, refine, sheet
from hardware.twin.rendering.renderer import Faces, compose_and_develop, corners, depth_inside, points_on_card
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard

Mask = NDArray[np.bool_]

INDEX = 12.0  # side of a corner index's box
GRID = 2  # sampled points per mm


class CardTruth(Struct, frozen=True):
    """The truth about one card in a frame."""

    face: str | None
    facing: Literal["up", "down"]
    outline: tuple[tuple[float, float], ...]  # pixels: its own upper left, upper right, lower right, lower left
    turned: float  # degrees clockwise from upright, in the picture
    visible: float  # share of its area that is in the picture and not covered
    index_visible: tuple[bool, bool]  # its upper left and its lower right corner
    laid: SceneCard


class Frame(Struct, frozen=True, eq=False):
    """A picture with the truth; `plane` maps the table's mm to undistorted pixels."""

    picture: Pixels
    truth: tuple[CardTruth, ...]
    plane: Reals


def frame_of(scene: Scene, faces: Faces) -> Frame:
    """Render a scene, and return the truth of its cards."""
    picture, labels = compose_and_develop(scene, faces)
    truth = tuple(card_truth(scene.camera, card, i, labels) for i, card in enumerate(scene.cards, 1))
    return Frame(picture, truth, plane(scene.camera))


def plane(camera: SceneCamera) -> Reals:
    """Return the 3x3 matrix from the table to pixels of an undistorted lens."""
    x, y = middle(camera)
    return reals(np.array([[camera.focal, 0, x], [0, camera.focal, y], [0, 0, 1]]) @ sheet(camera))


def card_truth(camera: SceneCamera, card: SceneCard, number: int, labels: Pixels) -> CardTruth:
    outline = project(camera, points_on_card(card, corners(card.size)))
    shown = where_visible(camera, card, number, labels)
    paper = paper_mask(card.size, card.corner)
    return CardTruth(
        face=card.face,
        facing="down" if card.face is None else "up",
        outline=tuple((float(x), float(y)) for x, y in outline),
        turned=rotation_of(outline),
        visible=float((shown & paper).sum() / paper.sum()),
        index_visible=indices(shown, paper),
        laid=card,
    )


def where_visible(camera: SceneCamera, card: SceneCard, number: int, labels: Pixels) -> Mask:
    spots = project(camera, points_on_card(card, places(card.size)))
    box = fine_box(card.size)
    shape = len(blocks(0, box[3])), len(blocks(0, box[2]))
    across, down = (np.rint(refine(values, shape, box)).astype(np.intp) for values in spots.T)
    inside = (across >= 0) & (down >= 0) & (across < labels.shape[1]) & (down < labels.shape[0])
    mine = labels[np.where(inside, down, 0), np.where(inside, across, 0)] == number
    return np.asarray(mine & inside)


def fine_box(size: tuple[float, float]) -> Box:
    return 0, 0, round(size[0] * GRID), round(size[1] * GRID)


@lru_cache(maxsize=8)
def places(size: tuple[float, float]) -> Reals:
    """Return the centres of the sampled grid's blocks, in a card's own mm."""
    _, _, columns, rows = fine_box(size)
    grid = np.stack(np.meshgrid(blocks(0, columns), blocks(0, rows)), axis=-1).reshape(-1, 2)
    return reals((grid + 0.5) / GRID - np.array(size) / 2)


@lru_cache(maxsize=8)
def paper_mask(size: tuple[float, float], corner: float) -> Mask:
    """Return the grid points on paper, without a rim of 0.5 mm of shared pixels."""
    return np.asarray(depth_inside(round(size[0] * GRID), round(size[1] * GRID), corner * GRID) > 1)


def indices(shown: Mask, paper: Mask) -> tuple[bool, bool]:
    """Return for each corner whether at least nine tenths of its index box are visible."""
    side = int(INDEX * GRID)
    first, last = np.s_[:side, :side], np.s_[-side:, -side:]
    upper, lower = (float(shown[box][paper[box]].mean()) for box in (first, last))
    return upper >= 0.9, lower >= 0.9


def rotation_of(outline: Reals) -> float:
    """Return a card's rotation in the picture, from its upper and lower edges."""
    up = outline[:2].mean(axis=0) - outline[2:].mean(axis=0)
    return float(np.degrees(np.arctan2(up[0], -up[1])) % 360)
