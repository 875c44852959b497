"""Calibration against the twin's own plane: millimetres, light, and every problem."""

from functools import cache

import cv2
import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from hardware.decks.print import markers
from hardware.twin.rendering.lens import Pixels, project
from hardware.twin.rendering.renderer import faces_of, render
from hardware.twin.rendering.scene import FULL, Glare, Scene
from tests.given import present
from tests.hardware.twin.layouts import LAYOUTS
from tests.hardware.twin.levels import LEVELS, WIDE, Fault, faulty_picture, random_scene
from tests.tiers import tiered
from vision.table.calibration import calibrate, find_markers, recalibrate, to_pixels, to_table
from vision.table.framing import sight_problems
from vision.table.plane import UNIT_SQUARE
from vision.table.plates import PATCH, SIDE, white_patches
from vision.table.values import Calibration

GRID = np.stack(np.meshgrid(np.linspace(-385, 385, 7), np.linspace(-220, 220, 5)), axis=-1).reshape(-1, 2)
SEEDS = {"L0": 1, "L1": 2, "L2": 5}


@cache
def scene(level: str, resolution: tuple[int, int] = FULL) -> Scene:
    faces = ("duke", "captain")
    drawn = random_scene(LEVELS[level], LAYOUTS["separate"], faces, SEEDS[level], resolution=resolution)
    return replace(drawn, light=replace(drawn.light, glares=()))


@cache
def picture_of(level: str, resolution: tuple[int, int] = FULL) -> Pixels:
    return render(scene(level, resolution), faces_of("coup"))


@cache
def calibrate_level(level: str, resolution: tuple[int, int] = FULL) -> Calibration:
    """Calibrate with known distances between the plates."""
    one, _two, three, _four = scene(level, resolution).table.plates
    return present(calibrate(picture_of(level, resolution), (three.x - one.x, three.y - one.y)))


def grid_in(seen: Scene) -> np.ndarray:
    return project(seen.camera, np.column_stack((GRID, np.zeros(len(GRID)))))


def test_plate_sizes_match_the_print() -> None:
    left, top = markers.MARKER_AT
    across, down, width, height = markers.PATCH
    assert (markers.MARKER, (across - left, down - top, width, height)) == (SIDE, PATCH)


def off_by(found: Calibration, seen: Scene) -> float:
    """Return a calibration's largest error in millimetres."""
    return float(np.hypot(*(to_table(found, grid_in(seen)) - GRID).T).max())


@pytest.mark.parametrize(
    ("level", "resolution"),
    tiered([("L0", WIDE), ("L2", FULL)], [("L0", FULL), ("L0", WIDE), ("L1", FULL), ("L2", FULL)]),
)
def test_measured_plates_calibrate_to_a_millimetre(level: str, resolution: tuple[int, int]) -> None:
    found, there = calibrate_level(level, resolution), grid_in(scene(level, resolution))
    assert off_by(found, scene(level, resolution)) < 1.0
    assert np.abs(to_pixels(found, to_table(found, there)) - there).max() < 0.01
    assert found.residual < 0.4
    assert sight_problems(picture_of(level, resolution), table=found) == ()
    assert msgspec.json.decode(msgspec.json.encode(found), type=Calibration) == found


@pytest.mark.parametrize("level", tiered(("L0", "L2"), ("L0", "L1", "L2")))
def test_unmeasured_plates_calibrate_to_half_a_percent(level: str) -> None:
    found = present(calibrate(picture_of(level)))
    there = to_table(found, grid_in(scene(level)))
    size = np.sqrt((there - there.mean(axis=0)) ** 2).sum() / np.sqrt((GRID - GRID.mean(axis=0)) ** 2).sum()
    assert abs(size - 1) < 0.006
    assert np.hypot(*(there / size - GRID).T).max() < 2.0


def problem_keys(picture: np.ndarray, calibration: Calibration | None = None) -> list[str]:
    return [problem.key for problem in sight_problems(picture, table=calibration)]


@pytest.mark.parametrize(
    ("fault", "key"),
    [("black", "too dark"), ("bright", "too bright"), ("blurred", "out of focus"), ("nudged", "nudged")],
)
def test_reports_picture_faults(fault: Fault, key: str) -> None:
    spoilt = faulty_picture(scene("L0"), faces_of("coup"), fault)
    assert problem_keys(spoilt, calibrate_level("L0")) == [key]


def without_marker() -> np.ndarray:
    picture = picture_of("L0").copy()
    corners = find_markers(picture)[2]
    (left, top), (right, low) = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int)
    picture[top:low, left:right] = 90
    return picture


def test_three_markers_suffice_to_recalibrate() -> None:
    picture = without_marker()
    (problem,) = sight_problems(picture)
    assert (problem.key, problem.values) == ("marker hidden", {"marker": 2})
    assert calibrate(picture) is None
    assert off_by(present(recalibrate(picture, calibrate_level("L0"))), scene("L0")) < 1.5
    assert recalibrate(np.zeros_like(picture), calibrate_level("L0")) is None


@pytest.mark.parametrize(
    ("size", "light", "keys"),
    [(1.0, 0.12, ["too dark", "marker hidden"]), (0.6, 1.0, ["marker hidden", "too far"])],
)
def test_reports_covered_marker_in_dim_light_and_on_small_table(
    size: float, light: float, keys: list[str]
) -> None:
    picture = cv2.resize(without_marker(), None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
    assert problem_keys((picture * light).astype(np.uint8)) == keys


@cache
def hung(higher: float, resolution: tuple[int, int] = FULL) -> np.ndarray:
    plain = scene("L0", resolution)
    x, y, height = plain.camera.at
    return render(replace(plain, camera=replace(plain.camera, at=(x, y, height * higher))), faces_of("coup"))


def soft_picture(radius: float, higher: float) -> np.ndarray:
    """Blur a picture with the disc of a defocused thin lens."""
    reach = int(np.ceil(radius)) + 1
    down, across = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = np.clip(radius + 0.5 - np.hypot(across, down), 0, 1)
    return cv2.filter2D(hung(higher, WIDE), -1, disc / disc.sum())


@pytest.mark.parametrize(("radius", "higher"), tiered([(6.5, 1.4)], [(7.5, 1.2), (6.5, 1.4), (7.5, 1.4)]))
def test_reports_blur_before_hidden_markers(radius: float, higher: float) -> None:
    picture = soft_picture(radius, higher)
    assert len(find_markers(picture)) < 4
    assert problem_keys(picture)[0] == "out of focus"


@pytest.mark.parametrize(("radius", "higher"), tiered([(4.7, 1.4)], [(5.5, 1.0), (4.7, 1.4)]))
def test_finds_all_markers_in_soft_picture(radius: float, higher: float) -> None:
    assert len(find_markers(soft_picture(radius, higher))) == 4


@pytest.mark.parametrize("defocus", tiered((1.7,), (0.45, 1.7)))
@pytest.mark.parametrize(
    ("radius", "exposure", "key"),
    [(0, 1.0, None), (0, 1.4, "over-exposed"), (7, 1.0, "glare"), (14, 1.0, "glare"), (60, 1.0, "glare")],
)
def test_distinguishes_glare_overexposure_and_blur(
    radius: float, exposure: float, key: str | None, defocus: float
) -> None:
    plain = scene("L0")
    plate, wood = plain.table.plates[1], replace(plain.table, surface="wood", colour=None)
    glares = (Glare(plate.x, plate.y + 35, radius=radius, strength=4),) if radius else ()
    camera = replace(plain.camera, exposure=exposure, defocus=defocus)
    lit = replace(plain, camera=camera, table=wood, light=replace(plain.light, glares=glares))
    told = sight_problems(render(lit, faces_of("coup")))
    assert {each.key for each in told} == ({key} if key else set())
    assert key != "glare" or [each.values for each in told] == [{"marker": 1}]


def test_reports_camera_too_high() -> None:
    (problem,) = sight_problems(hung(1.5))
    assert problem.key == "too far"
    assert problem.values["pixels"] == pytest.approx(87, abs=4)
    assert problem.values["needed"] == 110


@pytest.mark.parametrize(("columns", "is_measured"), [(5, False), (6, True), (24, True)])
def test_measures_patch_if_a_quarter_is_visible(columns: int, is_measured: bool) -> None:
    """A patch has 24 columns; the others are beyond the picture's left edge."""
    corners = (UNIT_SQUARE * SIDE - (14 + (23.5 - columns) * 12 / 23, 0)) * 4
    assert bool(white_patches(np.full((300, 300, 3), 200, np.uint8), {0: corners})) == is_measured
