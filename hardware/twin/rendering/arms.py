"""Draws hands and arms over the table, built of tapered limbs, and masks what they hide."""

from functools import lru_cache

import cv2
import numpy as np
from msgspec import Struct
from numpy.random import default_rng

from hardware.twin.rendering import lens
from hardware.twin.rendering.scene import Hand, SceneCamera

REACH = 900.0  # millimetres of arm beyond the wrist
HALF = 2


class Limb(Struct, frozen=True):
    """A rod between two points, with a radius at each; the hand points up, away from its arm."""

    ends: tuple[tuple[float, float], tuple[float, float]]
    thick: tuple[float, float]


def limb(x0: float, y0: float, r0: float, x1: float, y1: float, r1: float) -> Limb:
    return Limb(((x0, y0), (x1, y1)), (r0, r1))


# knuckle, lengths of the two visible joints, direction when closed and when spread, thickness
FINGERS = (
    ((-30.0, -36.0), (40.0, 36.0), -4.0, -22.0, 10.6),
    ((-10.0, -44.0), (45.0, 40.0), -1.0, -7.0, 11.2),
    ((11.0, -41.0), (42.0, 37.0), 2.0, 8.0, 10.6),
    ((29.0, -30.0), (33.0, 28.0), 6.0, 24.0, 9.0),
)


def finger(hand: Hand, which: int) -> tuple[Limb, Limb]:
    """Return a finger's two limbs; a curled one looks shorter from above."""
    (x, y), (near, far), closed, wide, thick = FINGERS[which]
    way = np.radians(closed + (wide - closed) * hand.spread)
    near, far = near * (1 - 0.35 * hand.curl), far * (1 - 0.8 * hand.curl)
    x1, y1 = x + near * np.sin(way), y - near * np.cos(way)
    bow = way * 0.6
    x2, y2 = x1 + far * np.sin(bow), y1 - far * np.cos(bow)
    return limb(x, y, thick * 1.08, x1, y1, thick * 0.95), limb(x1, y1, thick * 0.95, x2, y2, thick * 0.78)


def flesh(hand: Hand) -> tuple[Limb, ...]:
    palm = [limb(x * 0.42, 38, 21, x, y, 13) for (x, y), *_ in FINGERS]
    fingers = [part for which in range(4) for part in finger(hand, which)]
    out = 12 + 16 * hand.spread
    thumb = [limb(-16, 26, 18, -38 - out * 0.5, 2, 13.5), limb(-38 - out * 0.5, 2, 13, -40 - out, -34, 9.5)]
    forearm = [limb(0, 44, 25, 0, 90, 27), limb(0, 90, 27, 0, 75 + hand.bare + 30, 32)]
    return (*palm, *fingers, *thumb, *forearm)


def cloth(hand: Hand) -> tuple[Limb, ...]:
    cuff = 75 + hand.bare
    return limb(0, cuff, 37, 0, cuff + 60, 42), limb(0, cuff + 60, 42, 25, REACH, 62)


def hand_to_table(hand: Hand, points: lens.Reals) -> lens.Reals:
    """Map points (n, 2) of the right-handed drawing to the table."""
    c, s = np.cos(np.radians(hand.angle)), np.sin(np.radians(hand.angle))
    mirrored = points * np.array((-1 if hand.left else 1, 1)) * hand.scale
    return lens.reals(mirrored @ np.array([[c, s], [-s, c]]) + (hand.x, hand.y))


def table_to_hand(hand: Hand, where: lens.Reals) -> lens.Reals:
    """Map points (n, 2) of the table to the hand's drawing."""
    c, s = np.cos(np.radians(hand.angle)), np.sin(np.radians(hand.angle))
    own = (where - (hand.x, hand.y)) @ np.array([[c, -s], [s, c]]) / hand.scale
    return lens.reals(own * (-1 if hand.left else 1, 1))


def outline(part: Limb) -> lens.Reals:
    turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    circle = np.stack((np.cos(turn), np.sin(turn)), axis=-1)
    return np.concatenate([circle * r + end for end, r in zip(part.ends, part.thick, strict=True)])


def silhouette(hand: Hand) -> list[lens.Reals]:
    """Return a hand's and arm's silhouette: convex pieces on the table."""
    return [hand_to_table(hand, outline(part)) for part in (*flesh(hand), *cloth(hand))]


def at_height(points: lens.Reals, height: float) -> lens.Reals:
    return np.column_stack((points, np.full(len(points), height)))


def shape_mask(camera: SceneCamera, hand: Hand, step: int) -> lens.Pixels:
    """Fill a hand's silhouette on the table in a picture at 1/`step` resolution."""
    mask = np.zeros((camera.resolution[1] // step, camera.resolution[0] // step), np.uint8)
    for piece in silhouette(hand):
        seen = (lens.project(camera, at_height(piece, 0.0)) + 0.5) / step - 0.5
        hull = cv2.convexHull(np.clip(seen * 16, -30000, 30000).astype(np.int32))
        cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, 4)
    return mask


def limb_height(part: Limb, own: lens.Floats) -> tuple[lens.Floats, lens.Floats]:
    """Return a round limb's height at every point, and the depth inside its outline."""
    (x0, y0), (x1, y1) = part.ends
    dx, dy = x1 - x0, y1 - y0
    along = ((own[..., 0] - x0) * dx + (own[..., 1] - y0) * dy) / (dx * dx + dy * dy)
    along = np.clip(along, 0, 1)
    thick = part.thick[0] + (part.thick[1] - part.thick[0]) * along
    apart = (own[..., 0] - x0 - along * dx) ** 2 + (own[..., 1] - y0 - along * dy) ** 2
    inside = thick - np.sqrt(apart)
    return lens.floats(np.sqrt(np.maximum(thick * thick - apart, 0))), lens.floats(inside)


def body(parts: tuple[Limb, ...], own: lens.Floats) -> tuple[lens.Floats, lens.Floats]:
    """Merge limbs into one body: its height, and the depth inside its outline."""
    high, deep = np.zeros(own.shape[:2], np.float32), np.full(own.shape[:2], -99, np.float32)
    for part in parts:
        up, inside = limb_height(part, own)
        high, deep = np.maximum(high, up), np.maximum(deep, inside)
    return high, deep


def shade_body(high: lens.Floats, soft: float, lamp: lens.Reals) -> lens.Floats:
    """Shade a body: 1 where it faces the lamp, less where it turns away."""
    smooth = lens.floats(cv2.GaussianBlur(high, (0, 0), soft))
    across = lens.floats(cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=0.125))
    down = lens.floats(cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=0.125))
    facing = (lamp[2] - across * lamp[0] - down * lamp[1]) / np.sqrt(1 + across**2 + down**2)
    return lens.floats(0.45 + 0.55 * np.clip(facing, 0, 1))


@lru_cache(maxsize=1)
def skin_noise() -> lens.Floats:
    return default_rng(7).standard_normal((256, 256), dtype=np.float32)


def skin_mottling(own: lens.Floats, size: float) -> lens.Floats:
    """Sample noise in a hand's own coordinates, so that it moves with the hand."""
    where = lens.floats((own / np.float32(size)) % 255)
    return lens.floats(lens.sample_colours(skin_noise(), where[..., 0], where[..., 1]))


def skin_colour(hand: Hand, own: lens.Floats) -> lens.Floats:
    fingers = [finger(hand, which) for which in range(4)]
    red = np.zeros(own.shape[:2], np.float32)
    for near, far in fingers:
        for at, size in ((near.ends[0], 11), (near.ends[1], 8), (far.ends[1], 9)):
            red = red + spot(own, at, size)
    tone = (1 + skin_mottling(own, 5) * 0.018 + skin_mottling(own, 0.9) * 0.025)[..., None]
    blush = 1 - red[..., None] * np.array((0.12, 0.09, 0.01), np.float32)
    colour = tone * blush * np.array(hand.skin, np.float32)
    if hand.curl < 0.6:
        nails = np.max([np.clip(spot(own, far.ends[1], 5.2) * 3 - 1.4, 0, 1) for _, far in fingers], axis=0)
        colour += lens.floats(nails)[..., None] * np.array((14, 12, 8), np.float32)
    return lens.floats(colour)


def spot(own: lens.Floats, at: tuple[float, float], size: float) -> lens.Floats:
    across, down = own[..., 0] - np.float32(at[0]), own[..., 1] - np.float32(at[1])
    return lens.floats(np.exp((across * across + down * down) * np.float32(-1 / (size * size))))


def cloth_colour(hand: Hand, own: lens.Floats) -> lens.Floats:
    folds = np.sin(own[..., 1] / 17 + np.sin(own[..., 0] / 19 + own[..., 1] / 53) * 1.9) * 0.07
    seam = np.abs(own[..., 1] - (75 + hand.bare - 8) + own[..., 0] ** 2 * np.float32(0.004)) < 1.0
    tone = 1 + folds + skin_mottling(own, 14) * 0.05 + skin_mottling(own, 0.8) * 0.05 - seam * np.float32(0.3)
    return lens.floats(np.multiply.outer(tone, np.array(hand.sleeve, np.float32)))


def extent(camera: SceneCamera, hand: Hand) -> lens.Box:
    """Return the bounding box of a hand and its arm in the picture, on even pixels."""
    points = at_height(np.concatenate(silhouette(hand)), hand.height)
    left, top, right, bottom = lens.box_around(camera, lens.project(camera, points), 4)
    return left // HALF * HALF, top // HALF * HALF, right // HALF * HALF, bottom // HALF * HALF


def draw_hand(
    camera: SceneCamera, hand: Hand, lamp: tuple[float, float, float]
) -> tuple[lens.Box, lens.Floats, lens.Floats] | None:
    """Draw a hand: its bounding box in the picture, its colours in screen levels, and its coverage."""
    box = extent(camera, hand)
    if box[2] <= box[0] or box[3] <= box[1]:
        return None
    points, shape = lens.coarse(camera, box, hand.height)
    own = np.dstack([lens.refine(column, shape, box, HALF) for column in table_to_hand(hand, points).T])
    way = np.array(lamp) - (hand.x, hand.y, hand.height)
    colour, cover = paint_hand(hand, own, lens.reals(way / np.linalg.norm(way)))
    size = box[2] - box[0], box[3] - box[1]
    return box, lens.floats(cv2.resize(colour, size)), lens.floats(np.clip(cv2.resize(cover, size), 0, 1))


def paint_hand(hand: Hand, own: lens.Floats, lamp: lens.Reals) -> tuple[lens.Floats, lens.Floats]:
    high, deep = body(flesh(hand), own)
    colour = skin_colour(hand, own) * shade_body(high, 1.6, lamp)[..., None]
    cuff_high, cuff_deep = body(cloth(hand), own)
    opening = own[..., 1] - np.float32(75 + hand.bare - 22) + own[..., 0] ** 2 * np.float32(0.004)
    cuff_deep = np.minimum(cuff_deep, opening)
    over = np.clip(cuff_deep + 0.5, 0, 1)
    sleeve = cloth_colour(hand, own) * shade_body(cuff_high * 0.8, 3, lamp)[..., None]
    near_cuff = 1 - 0.45 * np.clip(1 + cuff_deep / 9, 0, 1)
    colour = colour * (near_cuff * (1 - over))[..., None] + sleeve * over[..., None]
    return lens.floats(np.clip(colour, 0, 255)), lens.floats(np.clip(np.maximum(deep, cuff_deep) + 0.5, 0, 1))
