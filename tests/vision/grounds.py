"""Tables as people have them: surfaces of the renderer, and cloths, mats and papers with their own patterns."""

from functools import cache

import cv2
import numpy as np
from msgspec.structs import replace
from numpy.random import Generator, default_rng

from hardware.twin.rendering.lens import Floats, Pixels, develop_picture, geometry_of, on_table
from hardware.twin.rendering.lights import glares, light_now
from hardware.twin.rendering.renderer import Faces, compose_scene
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneTable, Surface
from hardware.twin.rendering.surfaces import cloud

GROUNDS: dict[str, Surface] = {
    "wood": "wood", "felt": "felt", "white": "light", "cloth": "felt", "gingham": "light", "carpet": "felt",
    "newspaper": "light", "leather": "felt", "small places": "felt", "large places": "felt", "squares": "light",
    "stripes": "light", "terrazzo": "light",
}  # fmt: skip
"""The surface beneath each ground's pattern."""
TINTS = {
    "cloth": (150.0, 120.0, 96.0), "gingham": (225.0, 228.0, 230.0), "carpet": (70.0, 84.0, 128.0),
    "newspaper": (205.0, 214.0, 218.0), "leather": (38.0, 52.0, 86.0), "small places": (52.0, 84.0, 40.0),
    "large places": (96.0, 66.0, 44.0), "squares": (214.0, 220.0, 226.0), "stripes": (216.0, 210.0, 204.0),
    "terrazzo": (206.0, 210.0, 214.0),
}  # fmt: skip
PRINTED_PLACES = {"small places": (66.0, 91.0), "large places": (78.0, 108.0)}  # millimetres
PER_MM, ACROSS = 2.0, 1200
"""Pixels per millimetre of a pattern, and millimetres across it."""
STEP = 8  # pixels between places whose position on the table is computed; width and height are multiples


def table_on(ground: str, seed: int) -> SceneTable:
    """Return a table without markers, larger than the picture."""
    return SceneTable(GROUNDS[ground], TINTS.get(ground), 2400.0, 2000.0, (), seed)


def draw_on_ground(scene: Scene, ground: str, faces: Faces) -> Pixels:
    """Render a scene without noise, and draw the ground's pattern around cards and hands."""
    still = replace(scene, camera=geometry_of(scene.camera))
    light, labels = compose_scene(still, faces)
    if (pattern := pattern_of(ground)) is not None:
        light *= np.where(labels[..., None] == 0, _pattern_seen(pattern, still.camera)[..., None], 1.0)
    return develop_picture(light, light_now(still), glares(still, labels), scene.camera, default_rng(0))


@cache
def pattern_of(ground: str) -> Floats | None:
    """Return a ground's pattern as reflectance; None for a surface that has its own."""
    side = int(PER_MM * ACROSS)
    rng = default_rng([7, len(ground)])
    across, down = np.meshgrid(np.arange(side) / PER_MM, np.arange(side) / PER_MM)
    match ground:
        case "gingham":
            stripes = [np.asarray(each // 12 % 2, np.float32) for each in (across, down)]
            return np.asarray(1.0 - 0.38 * stripes[0] - 0.38 * stripes[1], np.float32)
        case "cloth":
            weave = np.sin(2 * np.pi * across / 2.2) * np.sin(2 * np.pi * down / 2.2)
            return np.asarray(1 + 0.05 * weave + 0.03 * cloud(rng, (side, side), 60, 60), np.float32)
        case "carpet":
            tufts = cloud(rng, (side, side), 5, 5) * 0.16 + cloud(rng, (side, side), 60, 90) * 0.08
            return np.asarray(np.clip(1 + tufts, 0.3, 1.7), np.float32)
        case "leather":
            grain = cloud(rng, (side, side), 3, 3) * 0.1 + cloud(rng, (side, side), 90, 90) * 0.08
            return np.asarray(np.clip(1 + grain, 0.5, 1.5), np.float32)
        case "newspaper":
            return _newspaper(side, rng)
        case "squares":
            return np.where((across // 55 + down // 55) % 2 > 0, np.float32(0.3), np.float32(1.0))
        case "stripes":
            return np.where(across // 64 % 2 > 0, np.float32(0.45), np.float32(1.0))
        case "terrazzo":
            return _terrazzo(side, rng)
        case "small places" | "large places":
            return _places(side, *PRINTED_PLACES[ground])
    return None


def _newspaper(side: int, rng: Generator) -> Floats:
    """Draw columns of text, headlines and grey photographs."""
    page = np.ones((side, side), np.float32)
    column, line = int(46 * PER_MM), int(4 * PER_MM)
    for left in range(0, side, column + 8):
        y = 0
        while y < side:
            kind, right = rng.random(), min(side, left + column)
            if kind < 0.12:
                high = int(rng.uniform(40, 80) * PER_MM)
                tone = np.clip(0.55 + 0.15 * cloud(rng, (high, right - left), 20, 20), 0.2, 0.95)
                page[y : y + high, left:right] = tone[: max(0, side - y)]
                y += high + line
            elif kind < 0.2:
                words = np.zeros((6 * line, right - left), np.uint8)
                cv2.putText(words, "Late News", (0, 5 * line), cv2.FONT_HERSHEY_TRIPLEX, 1.0, 255, 3)
                head = page[y : y + 6 * line, left:right]
                head[words[: len(head)] > 0] = 0.12
                y += 7 * line
            else:
                for row in range(y, min(side, y + int(rng.integers(8, 30)) * line), line):
                    gaps = rng.random(right - left) < 0.25
                    page[row : row + int(2 * PER_MM), left:right] = np.where(gaps, 1.0, 0.35)
                    y = row + line
    return page


def _terrazzo(side: int, rng: Generator) -> Floats:
    chips = np.ones((side, side), np.float32)
    for x, y in rng.integers(0, side, (2600, 2)).tolist():
        axes = tuple(int(each) for each in rng.integers(3, 22, 2))
        cv2.ellipse(
            chips, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(0.3, 0.85)), cv2.FILLED
        )
    return chips


def _places(side: int, wide: float, high: float) -> Floats:
    """Draw a play mat: a grid of printed places for cards, each with a bright edge."""
    mat = np.ones((side, side), np.float32)
    for top in np.arange(30.0, ACROSS, high + 22.0):
        for left in np.arange(20.0, ACROSS, wide + 18.0):
            corner, other = (
                (round(left * PER_MM), round(top * PER_MM)),
                (round((left + wide) * PER_MM), round((top + high) * PER_MM)),
            )
            cv2.rectangle(mat, corner, other, 1.35, cv2.FILLED)
            cv2.rectangle(mat, corner, other, 2.6, round(1.5 * PER_MM))
    return mat


def _pattern_seen(pattern: Floats, camera: SceneCamera) -> Floats:
    width, height = camera.resolution
    coarse = np.stack(np.meshgrid(np.arange(0, width, STEP), np.arange(0, height, STEP)), -1)
    there = on_table(camera, coarse.reshape(-1, 2) + (STEP - 1) / 2).reshape(coarse.shape)
    mm = cv2.resize(there.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    where = mm * PER_MM + pattern.shape[0] / 2
    seen = cv2.remap(pattern, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    return np.asarray(seen, np.float32)
