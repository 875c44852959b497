"""Distances of plates, measured by the size of their codes."""

import numpy as np
import pytest

from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.layouts import LAYOUTS
from hardware.twin.rendering.levels import LEVELS, random_scene
from hardware.twin.rendering.renderer import render
from vision.table.distances import can_be, distances_by_codes


@pytest.mark.parametrize("level", LEVELS)
def test_codes_tell_how_far_apart_they_are(level: str) -> None:
    scene = random_scene(LEVELS[level], LAYOUTS["separate"], (), 2)
    seen = distances_by_codes(render(scene, faces_of("coup")).picture)
    assert seen == pytest.approx((844, 556), rel=0.02)


def test_without_all_codes_nothing_is_told() -> None:
    assert distances_by_codes(np.zeros((300, 400, 3), np.uint8)) is None


@pytest.mark.parametrize(
    ("typed", "possible"),
    [((844, 556), True), ((800, 530), True), ((914, 556), True), ((844, 620), False), ((556, 844), False)],
)
def test_distances_may_differ_a_little(typed: tuple[float, float], possible: bool) -> None:
    assert can_be(typed, (842.0, 555.0)) is possible
