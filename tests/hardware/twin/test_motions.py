"""Scenes over time."""

from itertools import pairwise

from msgspec.structs import replace

from hardware.twin.rendering.layouts import lay_separate
from hardware.twin.rendering.levels import L2, random_scene
from hardware.twin.rendering.motions import (
    laying_scenes,
    still_scenes,
)
from hardware.twin.rendering.renderer import card_truth, compose_scene
from hardware.twin.rendering.scene import Scene, SceneCard
from tests.hardware.twin.sample_cards import PLAIN, colour_card

CARD = SceneCard("red", 60, 40, 12)
BEFORE = replace(PLAIN, cards=(SceneCard("green", -150, 0),))


def shares(scene: Scene, card: int) -> float:
    _, labels = compose_scene(scene, colour_card)
    return card_truth(scene.camera, scene.cards[card], card + 1, labels).visible


def test_a_hand_brings_a_card_and_leaves() -> None:
    scenes = laying_scenes(BEFORE, CARD, 30, 1)
    assert len(scenes) == 30
    assert scenes[-1].cards == (*BEFORE.cards, CARD)
    assert scenes[-1].hands == ()
    assert scenes[12].hands
    assert shares(scenes[12], 1) < 0.9
    assert shares(scenes[0], 1) == 0
    assert shares(scenes[-1], 1) > 0.99


def test_time_goes_on_and_the_rest_stays() -> None:
    scenes = laying_scenes(BEFORE, CARD, 20, 1)
    assert all(a.time < b.time for a, b in pairwise(scenes))
    assert {scene.camera for scene in scenes} == {BEFORE.camera}
    assert {scene.cards[0] for scene in scenes} == {BEFORE.cards[0]}
    assert scenes == laying_scenes(BEFORE, CARD, 20, 1)
    assert scenes != laying_scenes(BEFORE, CARD, 20, 2)


def test_the_hand_comes_from_outside_and_goes_there() -> None:
    for seed in range(6):
        scenes = laying_scenes(BEFORE, CARD, 40, seed)
        nothing = compose_scene(replace(BEFORE, cards=(*BEFORE.cards, CARD)), colour_card)[1]
        assert (compose_scene(scenes[-9], colour_card)[1] == nothing).mean() > 0.97
        assert (compose_scene(scenes[0], colour_card)[1] == 255).mean() < 0.03


def test_the_card_comes_down() -> None:
    heights = [scene.cards[-1].height for scene in laying_scenes(BEFORE, CARD, 40, 3)]
    assert heights[0] > 20
    assert heights[-1] == CARD.height
    assert heights == sorted(heights, reverse=True)


def test_a_still_table_stays_still() -> None:
    scene = random_scene(L2, lay_separate, ("1",), 1)
    assert [s.time for s in still_scenes(scene, 3)] == [0.0, 1 / 15, 2 / 15]
    assert {replace(s, time=0.0) for s in still_scenes(scene, 3)} == {scene}
