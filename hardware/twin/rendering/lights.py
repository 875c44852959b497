"""Light on the table: one lamp, some daylight, shadows and the lamp's reflections."""

from functools import lru_cache
from math import cos, pi, radians, sin

import cv2
import numpy as np
from numpy.random import default_rng
from numpy.typing import NDArray

from hardware.twin.rendering.arms import shape_mask
from hardware.twin.rendering.lens import Floats, Pixels, floats, ground
from hardware.twin.rendering.scene import Glare, Scene, SceneCamera, SceneLight, Shadow
from hardware.twin.rendering.surfaces import GLOSS

STEP = 4  # light is smooth, so it is computed for every fourth pixel
SHADOW_STEP = 8
SWING = 18.0  # maximum shift of a reflection by a card's own bend, in millimetres


def lamp_field(light: SceneLight, across: Floats, down: Floats) -> Floats:
    """Return the lamp's light by distance and angle; 1 in the middle of the table."""
    x, y, z = light.lamp
    apart = (across - np.float32(x)) ** 2 + (down - np.float32(y)) ** 2 + np.float32(z * z)
    middle = x * x + y * y + z * z
    return floats(np.power(middle / apart, np.float32(1.5)))


def day_field(light: SceneLight, across: Floats, down: Floats) -> Floats:
    """Return the daylight, which decreases with the distance from its window."""
    way = radians(light.day_from)
    along = across * sin(way) - down * cos(way)
    return np.maximum(1 + along * np.float32(light.day_fall / 500), 0.1)


def shares(light: SceneLight) -> tuple[Floats, Floats]:
    lamp = np.array(light.colour, np.float32) * np.float32(light.strength * (1 - light.daylight))
    day = np.array(light.day_colour, np.float32) * np.float32(light.strength * light.daylight)
    return lamp, day


def shadow_field(camera: SceneCamera, shadow: Shadow) -> Floats:
    """Return a soft shadow: 1 outside, its depth inside."""
    mask = floats(shape_mask(camera, shadow.of, SHADOW_STEP)) / 255
    soft = max(0.4, shadow.softness * camera.focal / camera.at[2] / SHADOW_STEP)
    return 1 - floats(cv2.GaussianBlur(mask, (0, 0), soft)) * np.float32(1 - shadow.depth)


def vignette(camera: SceneCamera) -> Floats:
    width, height = camera.resolution
    x = (np.arange(width // STEP, dtype=np.float32) * STEP - width / 2) / (width / 2)
    y = (np.arange(height // STEP, dtype=np.float32) * STEP - height / 2) / (width / 2)
    far = x[None, :] ** 2 + y[:, None] ** 2
    return floats(1 - camera.vignette * far / (1 + (height / width) ** 2))


@lru_cache(maxsize=4)
def light_field(camera: SceneCamera, light: SceneLight) -> Floats:
    """Return the light of the whole table: colours (rows, columns, 3) for every fourth pixel."""
    across, down = ground(camera, STEP)
    lamp, day = shares(light)
    lamp_here, day_here = lamp_field(light, across, down), day_field(light, across, down)
    for shadow in light.shadows:
        left = floats(cv2.resize(shadow_field(camera, shadow), across.shape[::-1]))
        lamp_here = lamp_here * left
        day_here = day_here * (0.4 + 0.6 * left)
    both = np.multiply.outer(lamp_here, lamp) + np.multiply.outer(day_here, day)
    return floats(both * vignette(camera)[..., None])


def bands(scene: Scene) -> Floats:
    """Return the bands that a mains lamp causes with a rolling shutter."""
    down = np.arange(scene.camera.resolution[1] // STEP, dtype=np.float32) * STEP
    phase = 2 * pi * (down / 640 + scene.time * 97.3)
    return (1 - scene.light.flicker * (0.5 + 0.5 * np.sin(phase))).astype(np.float32)


def light_now(scene: Scene) -> Floats:
    field = light_field(scene.camera, scene.light)
    return field * bands(scene)[:, None, None] if scene.light.flicker else field


def lamp_part(light: SceneLight) -> Floats:
    """Return the lamp's share of each colour, which its shadows remove."""
    lamp, day = shares(light)
    return floats(lamp / np.maximum(lamp + day, 1e-6))


def blob(glare: Glare, across: Floats, down: Floats) -> Floats:
    """Return a reflection: a bright core with a blurred rim, in a wide, weak halo."""
    c, s = cos(radians(glare.angle)), sin(radians(glare.angle))
    across, down = across - np.float32(glare.x), down - np.float32(glare.y)
    long = (across * c + down * s) / (glare.radius * glare.stretch)
    short = (down * c - across * s) / glare.radius
    far = long * long + short * short
    return floats(glare.strength * (0.8 * np.exp(-far * far) + 0.2 * np.exp(-far * 0.35)))


def swings(seed: int) -> NDArray[np.float32]:
    """Return the random shift of reflections on each labelled card."""
    return default_rng([seed, 5]).uniform(-SWING, SWING, (256, 2)).astype(np.float32)


def gloss(scene: Scene) -> Floats:
    """Return each label's gloss: the table's, the cards', none for a hand."""
    table = default_rng([scene.seed, 6]).uniform(0.65, 1.0, 256).astype(np.float32)
    table[0], table[255] = GLOSS[scene.table.surface], 0.04
    return table


def glares(scene: Scene, labels: Pixels) -> Floats | None:
    """Return the sum of reflections on table and cards, for every second pixel."""
    if not scene.light.glares:
        return None
    half = np.ascontiguousarray(labels[::2, ::2])
    moved = swings(scene.seed)
    moved[0] = 0  # on the table itself they don't shift
    across, down = (place + moved[half, i] for i, place in enumerate(ground(scene.camera, 2)))
    shine = sum((blob(one, across, down) for one in scene.light.glares), np.zeros(half.shape, np.float32))
    return floats(shine * gloss(scene)[half])
