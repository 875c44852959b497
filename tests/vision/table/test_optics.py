"""Cameras as their makers describe them: from where they see a table, find it, and read its cards."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.twin.rendering.renderer import Frame, faces_of, render
from hardware.twin.rendering.scene import Scene, SceneCamera, SceneTable, plates
from tests.tiers import tiered
from vision.table.calibration import CARD_WIDTH, LET_PASS, NEEDED, calibrate, problems, scale
from vision.table.optics import (
    AIM,
    CAMERAS,
    Millimetres,
    Optics,
    blur_at,
    focal_length,
    heights,
    highest,
    largest_apart,
    made_smaller,
    optics_of,
    plates_span,
    seen_from,
)
from vision.table.plates import plates_spanning
from vision.table.thrift import SMALL

SHAPE = (844.0, 556.0)
"""How far apart the plates are, as our papers have it."""
TABLES = (600, 850, 1100)
"""Widths of tables, in millimetres."""
BORDER = 60
"""Millimetres between a plate's middle and the table's edge, on both sides together."""


def apart_on(width: float) -> Millimetres:
    """Lay the plates at the corners of a table."""
    across = width - BORDER
    return across, across * SHAPE[1] / SHAPE[0]


def frame(optics: Optics, apart: Millimetres, height: float) -> Frame:
    """Take a picture as that camera would, tilted a little, in the light of an evening."""
    across, down = plates_span(apart)
    table = SceneTable("wood", width=across + 400, depth=down + 400, plates=plates(apart[0] / 2, apart[1] / 2))
    camera = SceneCamera(
        at=(0.0, 0.0, height),
        tilt=1.0,
        focal=focal_length(optics),
        resolution=optics.mode,
        k1=-0.03,
        noise=4.0,
        defocus=0.75,
    )
    return render(Scene(camera, table, seed=3), faces_of("coup"))


@pytest.mark.parametrize("name", CAMERAS)
def test_a_smaller_picture_is_taken_from_the_same_heights(name: str) -> None:
    whole, small = CAMERAS[name], made_smaller(CAMERAS[name], SMALL.share)
    apart = largest_apart(whole, SHAPE)
    apart = (apart[0] * 0.95, apart[1] * 0.95)
    assert heights(small, apart) == pytest.approx(heights(whole, apart), rel=0.002)
    assert blur_at(small, 950, 900) == pytest.approx(SMALL.share * blur_at(whole, 950, 900), rel=0.002)


@pytest.mark.parametrize(
    ("name", "width"),
    tiered([("imx708", 850), ("imx477", 600), ("imx708_wide", 1100)], tuple(product(CAMERAS, TABLES))),
)
def test_a_camera_finds_the_table_from_where_it_belongs_or_says_that_it_is_too_large(
    name: str, width: int
) -> None:
    optics, apart = CAMERAS[name], apart_on(width)
    between = heights(optics, apart)
    if between is None:
        # from the greatest height at which cards are large enough, the plates aren't all in the picture
        seen, wanted = seen_from(optics, highest(optics)), plates_span(apart)
        assert seen[0] < wanted[0] * AIM or seen[1] < wanted[1] * AIM
        return
    for height in between:
        shown = frame(optics, apart, height).picture
        assert problems(shown, plates=plates_spanning(*apart)) == ()
        found = calibrate(shown, plates_spanning(*apart))
        assert found is not None
        assert found.residual < 0.5
        assert scale(found) * CARD_WIDTH >= NEEDED * LET_PASS


@given(st.sampled_from(sorted(CAMERAS)), st.floats(200, 3000), st.floats(0.4, 1.0))
def test_a_table_has_a_height_just_if_it_is_no_larger_than_the_largest(
    name: str, across: float, shape: float
) -> None:
    optics, apart = CAMERAS[name], (across, across * shape)
    largest = largest_apart(optics, apart)
    if abs(largest[0] - across) > 0.001:
        assert (heights(optics, apart) is not None) == (across < largest[0])


def test_a_sensor_is_known_with_and_without_its_filter() -> None:
    assert optics_of("imx708_wide_noir") == CAMERAS["imx708_wide"]
    assert optics_of("ov5647") is None
