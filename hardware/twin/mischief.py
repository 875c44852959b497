"""Faults on demand: of the camera, of a hand in the picture, of a button's contact."""

from random import Random
from typing import Literal, get_args

import numpy as np
from msgspec.structs import replace
from numpy.random import default_rng

from hardware.twin.rendering.levels import random_hand
from hardware.twin.rendering.renderer import Faces, Frame, render
from hardware.twin.rendering.scene import Scene

Fault = Literal["black", "bright", "blurred", "nudged", "hand"]
FAULTS: tuple[Fault, ...] = get_args(Fault)


def faulty_frame(scene: Scene, faces: Faces, fault: Fault | None) -> Frame:
    """Render one frame with a fault."""
    frame = render(spoil_scene(scene, fault), faces)
    return replace(frame, picture=np.zeros_like(frame.picture)) if fault == "black" else frame


def spoil_scene(scene: Scene, fault: Fault | None) -> Scene:
    """Add a fault to a scene: too much light, no focus, a nudged camera, a hand that stays."""
    camera = scene.camera
    match fault:
        case "bright":
            return replace(scene, camera=replace(camera, exposure=camera.exposure * 4))
        case "blurred":
            return replace(scene, camera=replace(camera, defocus=camera.defocus + 6))
        case "nudged":
            x, y, z = camera.at
            return replace(scene, camera=replace(camera, at=(x + 18, y - 11, z), pan=camera.pan + 2.5))
        case "hand":
            hand = random_hand(default_rng(scene.seed))
            return replace(scene, hands=(*scene.hands, hand))
        case _:
            return scene


def bounce_press(
    down: float, up: float, rng: Random, longest: float = 0.02, most: int = 50
) -> list[tuple[float, bool]]:
    """Press a worn button; give its edges with their times in seconds, bouncing before they settle."""
    return [
        *_settling_edges(down, rng, longest, most, pressed=True),
        *_settling_edges(up, rng, longest, most, pressed=False),
    ]


def _settling_edges(
    at: float, rng: Random, longest: float, most: int, *, pressed: bool
) -> list[tuple[float, bool]]:
    """Bounce an even number of times after the first edge, so that the contact ends in the right state."""
    times = sorted(at + rng.random() * longest for _edge in range(2 * rng.randint(0, most // 2)))
    return [(time, pressed == (number % 2 == 0)) for number, time in enumerate([at, *times])]
