"""Scenes of each level are as hard as it claims."""

from math import hypot

import numpy as np
import pytest
from msgspec.structs import replace

from hardware.twin.rendering.renderer import render
from hardware.twin.rendering.scene import SceneTable
from tests.hardware.twin import layouts
from tests.hardware.twin.levels import L0, L1, L2, Level, random_scene
from tests.hardware.twin.sample_cards import EVEN, SMALL, print_card

GREY = SceneTable("light", (118.0, 118.0, 118.0), plates=())


@pytest.mark.parametrize(("level", "noise"), [(L0, 2.0), (L1, 4.0), (L2, 7.0)])
def test_noise_by_level(level: Level, noise: float) -> None:
    scene = random_scene(level, layouts.lay_separate, (), 1, GREY)
    bare = replace(
        scene.camera, sharpening=0.0, jpeg=0, exposure=1.0, vignette=0.0, resolution=SMALL, focal=788
    )
    still = replace(scene, camera=bare, light=EVEN)
    one, other = (render(replace(still, time=t), print_card).astype(float) for t in (0.0, 1.0))
    assert noise <= (one - other)[200:500, 300:700].std() / np.sqrt(2) < noise * 1.3


@pytest.mark.parametrize(
    ("level", "camera", "lights", "bend"),
    [
        (L0, (0.02, 0.45, 0.0, 0.0), (1, 0), 0.0),
        (L1, (0.06, 0.75, 2.0, 0.5), (2, 1), 0.8),
        (L2, (0.15, 1.15, 4.0, 0.6), (4, 3), 1.6),
    ],
)
def test_each_level_is_as_hard_as_it_claims(
    level: Level, camera: tuple[float, ...], lights: tuple[int, int], bend: float
) -> None:
    exposure, blur, shake, share = camera
    scenes = [random_scene(level, layouts.lay_separate, ("1", "2", "3"), seed) for seed in range(80)]
    cameras, lit = [scene.camera for scene in scenes], [scene.light for scene in scenes]
    assert max(abs(camera.tilt) for camera in cameras) > 0.8 * level.tilt
    assert max(abs(camera.k1) for camera in cameras) > 0.8 * level.distortion
    lengths = [hypot(*camera.shake) for camera in cameras]
    assert {camera.defocus for camera in cameras} == {blur}
    assert 0.85 * shake <= max(lengths) <= shake
    assert sum(length > 0 for length in lengths) / len(lengths) == pytest.approx(share, abs=0.12)
    off = [camera.exposure - 1 for camera in cameras]
    assert -exposure <= min(off) <= -0.8 * exposure <= 0.8 * exposure <= max(off) <= exposure
    assert (max(len(each.shadows) for each in lit), max(len(each.glares) for each in lit)) == lights
    bends = [card.bend for scene in scenes for card in scene.cards]
    assert (min(bends), bend / 2 <= max(bends) <= bend) == (0, True)
    assert random_scene(level, layouts.lay_separate, ("1", "2", "3"), 7) == scenes[7]
    assert len({scene.table.surface for scene in scenes}) == 5
    assert random_scene(level, layouts.lay_separate, (), 7, GREY).table == GREY
