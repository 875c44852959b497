"""Scenes over time."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from hardware.twin.rendering.layouts import separate
from hardware.twin.rendering.levels import L2, random_scene
from hardware.twin.rendering.motions import drifting, later, laying, passing, swaying
from hardware.twin.rendering.renderer import composed, render, told
from hardware.twin.rendering.scene import Glare, Hand, Laid, Light, Scene
from tests.hardware.twin.drawn import PLAIN, flat

CARD = Laid("red", 60, 40, 12)
BEFORE = replace(PLAIN, cards=(Laid("green", -150, 0),))


def shares(scene: Scene, card: int) -> float:
    _, labels = composed(scene, flat)
    return told(scene.camera, scene.cards[card], card + 1, labels).visible


def test_a_hand_brings_a_card_and_leaves() -> None:
    scenes = laying(BEFORE, CARD, 30, 1)
    assert len(scenes) == 30
    assert scenes[-1].cards == (*BEFORE.cards, CARD)
    assert scenes[-1].hands == ()
    assert scenes[12].hands
    assert shares(scenes[12], 1) < 0.9
    assert shares(scenes[0], 1) == 0
    assert shares(scenes[-1], 1) > 0.99


def test_time_goes_on_and_the_rest_stays() -> None:
    scenes = laying(BEFORE, CARD, 20, 1)
    assert all(a.time < b.time for a, b in pairwise(scenes))
    assert {scene.camera for scene in scenes} == {BEFORE.camera}
    assert {scene.cards[0] for scene in scenes} == {BEFORE.cards[0]}
    assert scenes == laying(BEFORE, CARD, 20, 1)
    assert scenes != laying(BEFORE, CARD, 20, 2)


def test_the_hand_comes_from_outside_and_goes_there() -> None:
    for seed in range(6):
        scenes = laying(BEFORE, CARD, 40, seed)
        nothing = composed(replace(BEFORE, cards=(*BEFORE.cards, CARD)), flat)[1]
        assert (composed(scenes[-9], flat)[1] == nothing).mean() > 0.97
        assert (composed(scenes[0], flat)[1] == 255).mean() < 0.03


def test_the_card_comes_down() -> None:
    heights = [scene.cards[-1].height for scene in laying(BEFORE, CARD, 40, 3)]
    assert heights[0] > 20
    assert heights[-1] == CARD.height
    assert heights == sorted(heights, reverse=True)


def test_a_hand_passes() -> None:
    scenes = passing(BEFORE, Hand(-150, 40), 9)
    assert shares(scenes[4], 0) < 0.7
    assert shares(scenes[0], 0) > 0.99
    assert shares(scenes[8], 0) > 0.99


def test_a_still_table_stays_still() -> None:
    scene = random_scene(L2, separate, ("1",), 1)
    assert [s.time for s in later(scene, 3)] == [0.0, 1 / 15, 2 / 15]
    assert {replace(s, time=0.0) for s in later(scene, 3)} == {scene}


def test_exposure_wanders() -> None:
    scenes = drifting(later(BEFORE, 60), 0.1, 4.0)
    exposures = [scene.camera.exposure for scene in scenes]
    assert max(exposures) == pytest.approx(1.1, abs=0.01)
    assert min(exposures) == pytest.approx(0.9, abs=0.01)
    start, bright = (render(scenes[i], flat).picture.mean() for i in (0, 15))
    assert bright > start


def test_reflections_sway() -> None:
    light = swaying(Light(glares=(Glare(0, 0, 30, 0.8),)), 60, 0.5)
    scene = replace(PLAIN, cards=(Laid("blue", 0, 0),), light=light)
    start, end = (render(replace(scene, time=t), flat).picture for t in (0.0, 0.5))
    assert (start.astype(int) - end).max() > 20
