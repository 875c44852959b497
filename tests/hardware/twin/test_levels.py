"""The three levels are at least as hard as they claim."""

from statistics import median

import numpy as np
import pytest
from msgspec.structs import replace

from hardware.twin.rendering.develop import to_linear
from hardware.twin.rendering.layouts import lay_separate
from hardware.twin.rendering.lens import project
from hardware.twin.rendering.levels import L0, L1, L2, LEVELS, Level, random_scene
from hardware.twin.rendering.renderer import render
from hardware.twin.rendering.scene import Scene, SceneTable
from tests.hardware.twin.sample_cards import EVEN, SMALL, print_card

MANY = range(150)
GREY = SceneTable("light", (118.0, 118.0, 118.0), plates=())


def scenes(level: Level) -> list[Scene]:
    return [random_scene(level, lay_separate, (), seed, GREY) for seed in MANY]


def small(scene: Scene) -> Scene:
    return replace(scene, camera=replace(scene.camera, resolution=SMALL, focal=788))


@pytest.mark.parametrize(("level", "least"), [(L0, 2.0), (L1, 4.0), (L2, 7.0)])
def test_noise_on_grey(level: Level, least: float) -> None:
    scene = small(random_scene(level, lay_separate, (), 1, GREY))
    bare = replace(scene.camera, sharpening=0.0, jpeg=0, exposure=1.0, vignette=0.0)
    still = replace(scene, camera=bare, light=EVEN)
    one, other = (render(replace(still, time=t), print_card).picture.astype(float) for t in (0.0, 1.0))
    spread = (one - other)[200:500, 300:700].std() / np.sqrt(2)
    assert least <= spread < least * 1.3


@pytest.mark.parametrize(("level", "low", "high"), [(L0, 0.9, 1.15), (L1, 1.3, 2.0), (L2, 2.4, 3.2)])
def test_warmth_on_the_white_patches(level: Level, low: float, high: float) -> None:
    measured = []
    for seed in range(4):
        frame = render(random_scene(level, lay_separate, (), seed, SceneTable("mat")), print_card)
        for plate in SceneTable().plates:
            x, y = project(frame.camera, np.array([[plate.x, plate.y + 35, 0.0]]))[0].round().astype(int)
            patch = to_linear(np.ascontiguousarray(frame.picture[y - 4 : y + 5, x - 10 : x + 11]))
            blue, _, red = patch.mean(axis=(0, 1))
            measured.append(red / blue)
    assert low <= median(measured) <= high


@pytest.mark.parametrize(("level", "most"), [(L1, 0.06), (L2, 0.15)])
def test_exposure_is_off_by_up_to_so_much(level: Level, most: float) -> None:
    off = [scene.camera.exposure - 1 for scene in scenes(level)]
    assert -most <= min(off) < -0.8 * most
    assert 0.8 * most < max(off) <= most


@pytest.mark.parametrize(
    ("level", "blur", "shake", "share"), [(L0, 0.45, 0.0, 0.0), (L1, 0.75, 2.0, 0.5), (L2, 1.15, 4.0, 0.6)]
)
def test_blur(level: Level, blur: float, shake: float, share: float) -> None:
    lengths = [float(np.hypot(*scene.camera.shake)) for scene in scenes(level)]
    assert {scene.camera.defocus for scene in scenes(level)} == {blur}
    assert 0.85 * shake <= max(lengths) <= shake
    assert sum(length > 0 for length in lengths) / len(lengths) == pytest.approx(share, abs=0.12)


@pytest.mark.parametrize(("level", "shadows", "glares"), [(L0, 1, 0), (L1, 2, 1), (L2, 4, 3)])
def test_shadows_and_glare(level: Level, shadows: int, glares: int) -> None:
    lights = [scene.light for scene in scenes(level)]
    assert max(len(light.shadows) for light in lights) == shadows
    assert max(len(light.glares) for light in lights) == glares


def test_the_hardest_level_is_dark_in_places_and_blinding_in_others() -> None:
    lights = [scene.light for scene in scenes(L2)]
    left = [
        (1 - light.daylight) * shadow.depth + light.daylight * (0.4 + 0.6 * shadow.depth)
        for light in lights
        for shadow in light.shadows
    ]
    assert min(left) < 0.45
    assert max(glare.strength for light in lights for glare in light.glares) > 1.0
    assert {scene.camera.jpeg for scene in scenes(L2)} == {85}
    assert min(scene.camera.sharpening for scene in scenes(L2)) > 0


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_cameras_are_askew_and_bent(level: Level) -> None:
    cameras = [scene.camera for scene in scenes(level)]
    assert max(abs(camera.tilt) for camera in cameras) > 0.8 * level.tilt
    assert max(abs(camera.k1) for camera in cameras) > 0.8 * level.distortion


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_the_same_seed_gives_the_same_scene(level: Level) -> None:
    faces = ("1", "2", "3")
    assert random_scene(level, lay_separate, faces, 7) == random_scene(level, lay_separate, faces, 7)
    assert random_scene(level, lay_separate, faces, 7) != random_scene(level, lay_separate, faces, 8)


@pytest.mark.parametrize(("level", "most"), [(L0, 0.0), (L1, 0.8), (L2, 1.6)])
def test_some_cards_are_bent(level: Level, most: float) -> None:
    bends = [
        c.bend for seed in range(20) for c in random_scene(level, lay_separate, ("1", "2", "3"), seed).cards
    ]
    assert max(bends) <= most
    assert (max(bends) > most / 2) == (most > 0)
    assert min(bends) == 0


def test_the_table_may_be_chosen() -> None:
    assert random_scene(L1, lay_separate, (), 7, GREY).table == GREY
    assert len({random_scene(L1, lay_separate, (), seed).table.surface for seed in range(30)}) == 5
