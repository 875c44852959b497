"""The twin misbehaves on demand, and only then."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from hardware.twin.mischief import FAULTS, Fault, bounce_press, faulty_frame, feed, spoil_scene
from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.renderer import Frame, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneCard

faces = faces_of("coyote-kidult")

SCENE = Scene(SceneCamera(resolution=(1920, 1080), focal=1478.0), cards=(SceneCard("20", 0.0, 0.0),), seed=3)


def frames_of(fault: Fault | None) -> list[Frame | None]:
    """Watch three frames, the middle one with a fault."""
    scenes = [replace(SCENE, time=time) for time in (0.0, 1.0, 2.0)]
    return list(feed(scenes, faces, lambda time: fault if time == 1.0 else None))


def test_nothing_wrong_is_what_the_camera_sees() -> None:
    assert spoil_scene(SCENE, None) == SCENE
    assert np.array_equal(faulty_frame(SCENE, faces, None).picture, render(SCENE, faces).picture)


def test_an_unplugged_camera_gives_no_frame_and_comes_back() -> None:
    first, gone, back = frames_of("unplugged")
    assert gone is None
    assert first is not None
    assert back is not None


def test_a_frozen_camera_gives_the_same_bytes_again() -> None:
    first, frozen, later = frames_of("frozen")
    assert first is frozen
    assert later is not None
    assert frozen is not None
    assert not np.array_equal(frozen.picture, later.picture)


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault not in {"unplugged", "frozen"}])
def test_a_fault_changes_the_picture(fault: Fault) -> None:
    good, bad = render(SCENE, faces).picture.astype(int), faulty_frame(SCENE, faces, fault).picture.astype(int)
    assert good.shape == bad.shape
    assert np.abs(good - bad).mean() > 0.3
    if fault == "black":
        assert bad.max() == 0
    if fault == "bright":
        assert bad.mean() > good.mean() + 20


def test_a_bouncing_button_ends_as_it_should() -> None:
    rng = Random(1)
    for _press in range(500):
        edges = bounce_press(1.0, 1.2, rng)
        assert edges == sorted(edges, key=lambda edge: edge[0])
        assert edges[0] == (1.0, True)
        assert edges[-1][1] is False
        assert all(one[1] != other[1] for one, other in pairwise(edges))
        assert edges[-1][0] <= 1.22
