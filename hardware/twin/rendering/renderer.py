"""Renders one frame of a scene."""

from collections.abc import Callable
from functools import cache, lru_cache

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.random import default_rng

from hardware.decks.catalogue import PRINTED
from hardware.decks.print.raster import picture
from hardware.twin.rendering.arms import at_height, draw_hand, silhouette
from hardware.twin.rendering.lens import (
    Box,
    Floats,
    Pixels,
    Reals,
    box_around,
    coarse,
    develop_picture,
    floats,
    geometry_of,
    pixels,
    project,
    refine,
    sample_colours,
    to_linear,
)
from hardware.twin.rendering.lights import glares, lamp_part, light_now
from hardware.twin.rendering.scene import Hand, Scene, SceneCamera, SceneCard, SceneLight
from hardware.twin.rendering.surfaces import bare_table

Faces = Callable[[str], Pixels]

BACK = "back"
THICK = 0.3
INK, PAPER = 20.0, 240.0  # screen levels of printed black and white
RIM = 3  # transparent pixels around a card's picture
HANDS = 255  # the label of everything that isn't a card


def render(scene: Scene, faces: Faces) -> Pixels:
    """Render a scene (blue, green, red); the same scene gives the same bytes."""
    return compose_and_develop(scene, faces)[0]


def compose_and_develop(scene: Scene, faces: Faces) -> tuple[Pixels, Pixels]:
    """Render a scene, with a label of the visible card for each pixel, as in `compose_scene`."""
    width, height = scene.camera.resolution
    sensor = whole_sensor(scene.camera)
    still = replace(scene, camera=geometry_of(sensor))
    light, labels = compose_scene(still, faces)
    rng = default_rng([scene.seed, round(scene.time * 1000)])
    picture = develop_picture(light, light_now(still), glares(still, labels), sensor, rng)
    return np.ascontiguousarray(picture[:height, :width]), labels[:height, :width]


def whole_sensor(camera: SceneCamera) -> SceneCamera:
    """Round a camera's resolution up to whole Bayer cells, without moving its view."""
    (width, height), (x, y) = camera.resolution, camera.off_centre
    right, down = width % 2, height % 2
    return replace(camera, resolution=(width + right, height + down), off_centre=(x - right / 2, y - down / 2))


def compose_scene(scene: Scene, faces: Faces) -> tuple[Floats, Pixels]:
    """Compose the table: the reflectance of each pixel, and the card that it belongs to."""
    canvas = to_linear(bare_table(scene.camera, scene.table))
    labels = np.zeros(canvas.shape[:2], np.uint8)
    for number, card in enumerate(scene.cards, 1):
        shade_under(canvas, scene, card)
        paint_card(canvas, labels, scene, picture_of(faces, card, scene.camera), card, number)
    for hand in scene.hands:
        shade_below(canvas, scene, hand)
        reach_in(canvas, labels, scene, hand)
    return canvas, labels


# cards


def corners(size: tuple[float, float]) -> Reals:
    """Return a card's corners in millimetres from its middle, clockwise from the upper left."""
    width, height = size
    return np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (width / 2, height / 2)


def height_of(card: SceneCard, down: Reals) -> Reals:
    """Return a card's height over the table, by the distance below its middle."""
    part = down / card.size[1]
    arch = card.bend * (1 - 4 * part**2) if card.bend > 0 else -card.bend * 4 * part**2
    return np.asarray(card.height + card.lift * (0.5 - part) + arch)


def axes(card: SceneCard) -> Reals:
    """Return a card's own axes, across and down, in table coordinates: one row each."""
    c, s = np.cos(np.radians(card.angle)), np.sin(np.radians(card.angle))
    return np.array([[c, s], [-s, c]])


def points_on_card(card: SceneCard, own: Reals) -> Reals:
    """Map points (n, 2) of a card to points over the table (n, 3)."""
    return np.column_stack((own @ axes(card) + (card.x, card.y), height_of(card, own[:, 1])))


def border(card: SceneCard) -> Reals:
    """Return points around a card: its corners and the middles of its sides."""
    turns = corners(card.size)
    return points_on_card(card, np.concatenate((turns, (turns + np.roll(turns, 1, axis=0)) / 2)))


def foot(card: SceneCard) -> Reals:
    """Return the corners of the area that a card covers, or points around a disc."""
    if 2 * card.corner < min(card.size):
        return border(card)[:4]
    turns = np.arange(24) * (np.pi / 12)
    return points_on_card(card, np.stack((np.cos(turns), np.sin(turns)), axis=1) * card.corner)


def own_places(camera: SceneCamera, card: SceneCard, box: Box) -> tuple[Reals, tuple[int, int]]:
    """Return the points of a card, even a bent one, under the blocks of a box."""
    flat, shape = coarse(camera, box, card.height)
    eye = np.array(camera.at[:2])
    points = flat
    for _ in range(1 if card.lift == card.bend == 0 else 4):
        own = (points - (card.x, card.y)) @ axes(card).T
        up = (height_of(card, own[:, 1]) - card.height) / (camera.at[2] - card.height)
        points = flat + (eye - flat) * up[:, None]
    return (points - (card.x, card.y)) @ axes(card).T, shape


def facing_lamp(card: SceneCard, own: Reals, light: SceneLight) -> Reals:
    """Return the brightness of a bent card relative to a flat one, by its angle to the lamp."""
    way = (np.array(light.lamp[:2]) - (card.x, card.y)) @ axes(card)[1] / light.lamp[2]
    slope = -card.lift / card.size[1] - 8 * card.bend * own[:, 1] / card.size[1] ** 2
    return np.asarray(np.clip(1 - slope * way, 0.4, 1.5))


def picture_of(faces: Faces, card: SceneCard, camera: SceneCamera) -> Pixels:
    """Return a card's picture, at about the camera's resolution."""
    name = BACK if card.face is None else card.face
    scale = round(camera.focal / (camera.at[2] - card.height) * 1.45 * 4) / 4
    return cut_out(faces, f"{card.deck}/{name}" if card.deck else name, card.size, scale, card.corner)


@lru_cache(maxsize=512)
def cut_out(faces: Faces, name: str, size: tuple[float, float], scale: float, corner: float) -> Pixels:
    """Cut a card out of its picture: rounded corners, worn edge, clear rim; the fourth channel is alpha."""
    width, height = round(size[0] * scale), round(size[1] * scale)
    face = faces(name)
    how = cv2.INTER_AREA if face.shape[1] > width else cv2.INTER_LINEAR
    paper = INK + cv2.resize(face, (width, height), interpolation=how) * ((PAPER - INK) / 255)
    inside = depth_inside(width, height, corner * scale)
    edge = 1 - 0.10 * np.clip(1 - inside / (0.35 * scale), 0, 1)
    card = np.dstack((paper * edge[..., None], np.clip(inside + 0.5, 0, 1) * 255))
    rimmed = cv2.copyMakeBorder(card.astype(np.uint8), RIM, RIM, RIM, RIM, cv2.BORDER_REPLICATE)
    rimmed[..., 3] = cv2.copyMakeBorder(card[..., 3], RIM, RIM, RIM, RIM, cv2.BORDER_CONSTANT, value=0)
    return pixels(rimmed)


def depth_inside(width: int, height: int, radius: float) -> Floats:
    """Return each pixel's depth inside a rounded rectangle."""
    x = np.abs(np.arange(width, dtype=np.float32) + 0.5 - width / 2) - (width / 2 - radius)
    y = np.abs(np.arange(height, dtype=np.float32) + 0.5 - height / 2) - (height / 2 - radius)
    out = np.hypot(np.maximum(x, 0)[None, :], np.maximum(y, 0)[:, None])
    return floats(radius - out - np.minimum(np.maximum(x[None, :], y[:, None]), 0))


def paint_card(
    canvas: Floats, labels: Pixels, scene: Scene, paper: Pixels, card: SceneCard, number: int
) -> None:
    box = box_around(scene.camera, project(scene.camera, border(card)))
    if box[2] <= box[0] or box[3] <= box[1]:
        return
    own, shape = own_places(scene.camera, card, box)
    shade = facing_lamp(card, own, scene.light)
    scale = (np.array(paper.shape[1::-1]) - 2 * RIM) / card.size
    spots = (own + np.array(card.size) / 2) * scale + (RIM - 0.5)
    across, down, bright = (refine(values, shape, box) for values in (*spots.T, shade))
    seen_paper = pixels(sample_colours(paper, across, down))
    blend(canvas, box, to_linear(seen_paper[..., :3].copy()) * bright[..., None], seen_paper[..., 3])
    labels[box[1] : box[3], box[0] : box[2]][seen_paper[..., 3] > 127] = number


def blend(canvas: Floats, box: Box, over: Floats, cover: Pixels) -> None:
    part = canvas[box[1] : box[3], box[0] : box[2]]
    part += (over - part) * (cover * np.float32(1 / 255))[..., None]


# shadows of cards and hands


def gap(card: SceneCard) -> float:
    """Return the air gap under a card in millimetres; just its thickness if it is flat."""
    return card.height if card.height > 8 else THICK + max(card.lift, abs(card.bend)) * 0.5


def shadow_points(points: Reals, light: SceneLight, air: float) -> Reals:
    """Project points (n, 3) down through an air gap, away from the lamp."""
    away = (points[:, :2] - light.lamp[:2]) * (air / max(1.0, light.lamp[2] - air))
    return np.column_stack((points[:, :2] + away, points[:, 2] - air))


def shade_under(canvas: Floats, scene: Scene, card: SceneCard) -> None:
    """Darken the table under and beside a card: the lamp's shadow, and the contact shadow."""
    air, scale = gap(card), scene.camera.focal / scene.camera.at[2]
    where = project(scene.camera, shadow_points(foot(card), scene.light, air))
    soft = (0.3 + 0.11 * air) * scale
    lamp = lamp_part(scene.light) * np.float32(0.75)
    darken(canvas, scene.camera, where, soft, lamp)
    darken(canvas, scene.camera, where, soft * 2.5 + 0.5, np.full(3, 0.22, np.float32))


def darken(canvas: Floats, camera: SceneCamera, where: Reals, soft: float, by: Floats) -> None:
    box = box_around(camera, where, int(3 * soft) + 2)
    if box[2] <= box[0] or box[3] <= box[1]:
        return
    mask = np.zeros((box[3] - box[1], box[2] - box[0]), np.uint8)
    shape = ((where - box[:2]) * 16).round().astype(np.int32)
    cv2.fillConvexPoly(mask, shape, 255, cv2.LINE_AA, 4)
    faded = floats(cv2.GaussianBlur(mask.astype(np.float32), (0, 0), soft)) / 255
    canvas[box[1] : box[3], box[0] : box[2]] *= 1 - faded[..., None] * by


def shade_below(canvas: Floats, scene: Scene, hand: Hand) -> None:
    raised = (at_height(piece, hand.height) for piece in silhouette(hand))
    pieces = [project(scene.camera, shadow_points(each, scene.light, hand.height)) for each in raised]
    soft = (1.0 + 0.11 * hand.height) * scene.camera.focal / scene.camera.at[2]
    box = box_around(scene.camera, np.concatenate(pieces), int(2.5 * soft))
    if box[2] <= box[0] or box[3] <= box[1]:
        return
    faded = soft_pieces(pieces, box, soft)
    canvas[box[1] : box[3], box[0] : box[2]] *= 1 - faded[..., None] * (lamp_part(scene.light) * 0.7 + 0.15)


def soft_pieces(pieces: list[Reals], box: Box, soft: float, step: int = 4) -> Floats:
    """Fill pieces and blur their edges, at a smaller size for speed."""
    size = box[2] - box[0], box[3] - box[1]
    small = np.zeros((size[1] // step + 1, size[0] // step + 1), np.uint8)
    for piece in pieces:
        hull = cv2.convexHull(((piece - box[:2]) / step * 16).astype(np.int32))
        cv2.fillConvexPoly(small, hull, 255, cv2.LINE_AA, 4)
    faded = cv2.GaussianBlur(small.astype(np.float32), (0, 0), max(0.5, soft / step))
    spread = small.shape[1] * step, small.shape[0] * step
    return floats(cv2.resize(faded, spread)[: size[1], : size[0]] / 255)


def reach_in(canvas: Floats, labels: Pixels, scene: Scene, hand: Hand) -> None:
    found = draw_hand(scene.camera, hand, scene.light.lamp)
    if found is None:
        return
    box, colour, cover = found
    blend(canvas, box, to_linear(pixels(colour.astype(np.uint8))), pixels((cover * 255).astype(np.uint8)))
    labels[box[1] : box[3], box[0] : box[2]][cover > 0.5] = HANDS


# the printed decks


SHARPNESS = 8.0  # pixels per millimetre, more than any camera over a table resolves


@cache
def faces_of(deck: str) -> Faces:
    """Return a function from a deck's face names to pictures, cached so that each is drawn once."""
    printed = PRINTED[deck]

    @cache
    def face(name: str) -> Pixels:
        return picture(printed.back if name == BACK else printed.faces[name], SHARPNESS)

    return face
