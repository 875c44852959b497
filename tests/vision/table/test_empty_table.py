"""The empty table: its rectified picture stays valid when the camera is nudged."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from hardware.twin.mischief import spoil_scene
from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.layouts import LAYOUTS
from hardware.twin.rendering.levels import LEVELS, PLATES, random_scene
from hardware.twin.rendering.renderer import Frame, render
from hardware.twin.rendering.scene import FULL, Scene, SceneTable, Surface
from vision.table.calibration import Calibration, calibrate, recalibrate
from vision.table.empty_table import (
    _size,
    flatten_table,
    load_empty_table,
    project_empty_table,
    save_empty_table,
)


@cache
def scene(surface: Surface, level: str) -> Scene:
    """Lay some cards in a shadow."""
    table = SceneTable(surface, plates=PLATES[FULL])
    return random_scene(LEVELS[level], LAYOUTS["separate"], (), 3, table=table)


def bare(scene: Scene) -> Frame:
    empty = replace(scene, time=9.0, light=replace(scene.light, shadows=()))
    return render(empty, faces_of("coup"))


def test_the_empty_table_outlives_a_nudge(tmp_path: Path) -> None:
    here = replace(scene("mat", "L0"), cards=())
    before = bare(here)
    table = calibrate(before.picture)
    assert table is not None
    save_empty_table(tmp_path / "table.png", flatten_table(before.picture, table))
    empty = load_empty_table(tmp_path / "table.png")
    assert empty is not None
    nudged = render(spoil_scene(here, "nudged"), faces_of("coup")).picture
    now = recalibrate(nudged, table)
    assert now is not None
    seen = project_empty_table(empty, now)
    assert seen.shape == nudged.shape
    known = seen.max(axis=2) > 0
    assert known.mean() > 0.85
    assert np.abs(seen.astype(int) - nudged)[known].mean() < 6


def test_no_empty_table_is_none(tmp_path: Path) -> None:
    (tmp_path / "table.png").write_bytes(b"no picture")
    assert load_empty_table(tmp_path / "table.png") is None
    assert load_empty_table(tmp_path / "nowhere.png") is None


@pytest.mark.parametrize(("scale", "kept"), [(2.0, (2400, 1600)), (4.0, (1200, 800)), (1.0, (3200, 3200))])
def test_the_empty_table_is_kept_to_the_outermost_pixel_up_to_a_limit(
    scale: float, kept: tuple[int, int]
) -> None:
    """The table's middle is in the picture's upper left corner: as much is kept on the other side."""
    plane = ((scale, 0.0, 0.0), (0.0, scale, 0.0), (0.0, 0.0, 1.0))
    table = Calibration(plane, (1201, 801), (1.0, 1.0, 1.0), 0.5, {})
    assert _size(np.zeros((801, 1201, 3), np.uint8), table) == kept
