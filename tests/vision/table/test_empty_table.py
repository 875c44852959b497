"""The empty table: kept flat, it outlives a nudge of the camera."""

from functools import cache
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from hardware.twin.mischief import spoiled
from hardware.twin.rendering.faces import faces_of
from hardware.twin.rendering.layouts import LAYOUTS
from hardware.twin.rendering.levels import LEVELS, PLATES, random_scene
from hardware.twin.rendering.renderer import Frame, render
from hardware.twin.rendering.scene import FULL, Scene, Surface, Table
from vision.table.calibration import calibrate, found_again
from vision.table.empty_table import as_seen, flat, keep_empty, kept_empty


@cache
def scene(surface: Surface, level: str) -> Scene:
    """Lay some cards; somebody's shadow comes with them."""
    table = Table(surface, plates=PLATES[FULL])
    return random_scene(LEVELS[level], LAYOUTS["separate"], (), 3, table=table)


def bare(scene: Scene) -> Frame:
    empty = replace(scene, time=9.0, light=replace(scene.light, shadows=()))
    return render(empty, faces_of("coup"))


def test_the_empty_table_outlives_a_nudge(tmp_path: Path) -> None:
    here = replace(scene("mat", "L0"), cards=())
    before = bare(here)
    table = calibrate(before.picture)
    assert table is not None
    keep_empty(tmp_path / "table.png", flat(before.picture, table))
    empty = kept_empty(tmp_path / "table.png")
    assert empty is not None
    nudged = render(spoiled(here, "nudged"), faces_of("coup")).picture
    now = found_again(nudged, table)
    assert now is not None
    seen = as_seen(empty, now)
    assert seen.shape == nudged.shape
    known = seen.max(axis=2) > 0
    assert known.mean() > 0.85
    assert np.abs(seen.astype(int) - nudged)[known].mean() < 6


def test_no_empty_table_is_none(tmp_path: Path) -> None:
    (tmp_path / "table.png").write_bytes(b"no picture")
    assert kept_empty(tmp_path / "table.png") is None
    assert kept_empty(tmp_path / "nowhere.png") is None
