"""Scenes of the simulated table: layouts, levels, hands and camera faults match their description."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations, islice, pairwise
from math import hypot
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.random import Generator, default_rng

from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard, SceneLight, SceneTable
from tests.hardware.twin import layouts
from tests.hardware.twin.levels import FAULTS, L0, L1, L2, Level, faulty_picture, random_scene
from tests.hardware.twin.plays import FACE_DOWN, FRAMES, MOST, WEIGHTS, random_plays
from tests.hardware.twin.sample_cards import EVEN, SMALL, print_card

Layout = Callable[[tuple[str, ...], Generator], tuple[SceneCard, ...]]
FACES = tuple(str(i) for i in range(12))
GREY = SceneTable("light", (118.0, 118.0, 118.0), plates=())


# positions of cards


@pytest.mark.parametrize("name", layouts.LAYOUTS)
def test_scene_places_each_card_once_by_seed(name: str) -> None:
    for seed in range(3):
        cards = layouts.LAYOUTS[name](FACES, default_rng(seed))
        assert layouts.is_inside_area(cards)
        assert cards == layouts.LAYOUTS[name](FACES, default_rng(seed))
        assert len(cards) == len(FACES)
        if name == "face down":
            assert {card.face for card in cards} == {None}
        elif name != "mixed":
            assert tuple(card.face for card in cards) == FACES


@pytest.mark.parametrize(("layout", "room"), [(layouts.lay_separate, 2), (layouts.LAYOUTS["touching"], 0)])
def test_cards_do_not_overlap(layout: Layout, room: float) -> None:
    for seed in range(3):
        cards = layout(FACES, default_rng(seed))
        grown = [replace(each, size=(each.size[0] + room, each.size[1] + room)) for each in cards]
        assert all(layouts.overlap_area(one, other) < 1.0 for one, other in combinations(grown, 2))


def test_lack_of_room_raises() -> None:
    with pytest.raises(layouts.CrowdedError):
        layouts.lay_separate(FACES * 8, default_rng(1))


def test_layouts_overlap_as_described() -> None:
    assert all(63 <= other.x - one.x < 64 for one, other in pairwise(layouts.row(FACES[:4], default_rng(1))))
    for seed in range(5):
        fan = layouts.one_fan(FACES[:6], default_rng(seed))
        assert 11 < np.mean([hypot(b.x - a.x, b.y - a.y) for a, b in pairwise(fan)]) < 22
        assert all(b.x > a.x and b.height > a.height for a, b in pairwise(fan))
        assert all(18 <= b.y - a.y <= 25 for a, b in pairwise(layouts.column(FACES[:5], default_rng(seed))))
        for group in (layouts.trick, layouts.heap):
            one, other, *_more = group(FACES[:4], default_rng(seed))
            assert layouts.overlap_area(one, other) > 0
        for layout in (layouts.LAYOUTS["crossing"], layouts.LAYOUTS["overlapping"]):
            for lower, upper in combinations(layout(FACES, default_rng(seed)), 2):
                assert upper.height > lower.height or not layouts.overlap_area(lower, upper)


# difficulty


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


# hands


def test_each_play_changes_only_its_own_cards() -> None:
    empty = Scene(SceneCamera(), SceneTable("felt"), SceneLight(), (), time=2.0)
    plays = tuple(islice(random_plays(empty, FACES, Random(3)), 200))
    assert {play.kind for play in plays} == set(WEIGHTS)
    assert tuple(islice(random_plays(empty, FACES, Random(3)), 200)) == plays
    before: tuple[SceneCard, ...] = ()
    for play in plays:
        assert len(play.scenes) == FRAMES
        assert any(scene.hands for scene in play.scenes)
        assert not play.after.hands
        was, now = (Counter(card.face for card in cards) for cards in (before, play.after.cards))
        laid = {"lay": (1, 0), "cover": (1, 0), "turn over": (1, 1), "take": (0, 1), "gather": (0, len(before))}
        assert ((now - was).total(), (was - now).total()) == laid.get(play.kind, (0, 0))
        assert all(count == 1 or face is None for face, count in now.items())
        assert now.total() <= MOST
        assert now[None] <= FACE_DOWN
        moved = [card for card in play.after.cards if card not in before]
        if play.kind == "lay":
            heights = [scene.cards[-1].height for scene in play.scenes]
            assert heights == sorted(heights, reverse=True)
            assert not play.scenes[-1].hands
        if play.kind == "cover":
            card, *others = reversed(play.after.cards)
            assert min(hypot(card.x - each.x, card.y - each.y) for each in others) <= 50
            assert card.height > min(each.height for each in others)
        if play.kind == "turn":
            gone = [card for card in before if card not in play.after.cards]
            assert [(card.x, card.y) for card in moved] == [(card.x, card.y) for card in gone]
        assert play.kind != "shuffle" or len(moved) >= 2
        if play.kind == "slide":
            (new,), (old,) = moved, [card for card in before if card not in play.after.cards]
            way = [card for scene in play.scenes for card in scene.cards if card.face == new.face is not None]
            for one, other, on in ((old.x, new.x, [c.x for c in way]), (old.y, new.y, [c.y for c in way])):
                assert all(min(one, other) - 1e-6 <= at <= max(one, other) + 1e-6 for at in on)
        before = play.after.cards


# faults

SCENE = Scene(SceneCamera(resolution=(480, 270), focal=370.0), cards=(SceneCard("20", 0.0, 0.0),), seed=3)


def test_camera_faults_change_the_picture() -> None:
    faces = faces_of("coyote-kidult")
    good = render(SCENE, faces).astype(int)
    assert np.array_equal(faulty_picture(SCENE, faces, None), good)
    for fault in FAULTS:
        bad = faulty_picture(SCENE, faces, fault).astype(int)
        assert np.abs(good - bad).mean() > 0.3
        assert fault != "black" or bad.max() == 0
        assert fault != "bright" or bad.mean() > good.mean() + 20
