"""Planes, lenses and light by themselves: what is put in by a formula comes out again."""

import numpy as np
import pytest

from vision.reading.surroundings import plate_around
from vision.table.calibration import BRIGHT, DARK, light_problems
from vision.table.plane import (
    bend_points,
    homography,
    inverse,
    least_squares,
    map_points,
    pixels_per_mm,
    sample_colours,
    straighten_points,
)

SIZE = (1280, 960)


def moved(scale: float, turn: float, shift: tuple[float, float]) -> np.ndarray:
    """Make the matrix of a table that is seen from straight above."""
    across, down = scale * np.cos(turn), scale * np.sin(turn)
    return np.array([(across, -down, shift[0]), (down, across, shift[1]), (0, 0, 1)])


@pytest.mark.parametrize("scale", [0.5, 2.0])
@pytest.mark.parametrize("turn", [0.0, 0.7, 2.5])
@pytest.mark.parametrize("shift", [(0.0, 0.0), (400.0, -300.0)])
def test_a_millimetre_has_as_many_pixels_as_the_table_is_enlarged(
    scale: float, turn: float, shift: tuple[float, float]
) -> None:
    for place in ((0.0, 0.0), (100.0, 250.0)):
        assert pixels_per_mm(moved(scale, turn, shift), np.array(place)) == pytest.approx(scale)


def test_a_plane_that_leans_away_has_fewer_pixels_where_it_is_farther() -> None:
    lean = np.array([(1, 0, 0), (0, 1, 0), (0, 0.001, 1)])
    near, far = (pixels_per_mm(lean, np.array((0.0, down))) for down in (0.0, 500.0))
    assert near == pytest.approx(1, rel=0.01)
    assert far < near / 1.5


@pytest.mark.parametrize("lens", [-0.08, 0.0, 0.15])
def test_a_lens_is_undone(lens: float) -> None:
    points = np.array([(0.0, 0.0), (639.5, 479.5), (1279.0, 100.0), (300.0, 959.0)])
    bent = bend_points(points, lens, SIZE)
    assert np.abs(straighten_points(bent, lens, SIZE) - points).max() < 0.5
    assert bent[1] == pytest.approx(points[1])
    assert (np.abs(bent - points).max() > 1) == bool(lens)


def test_a_homography_maps_the_points_that_it_was_fitted_to() -> None:
    matrix = np.array([(2.0, 0.3, 100.0), (-0.2, 1.8, 50.0), (0.0005, 0.0002, 1.0)])
    mm = np.array([(0.0, 0.0), (300.0, 0.0), (300.0, 200.0), (0.0, 200.0), (120.0, 80.0)])
    found = homography(mm, map_points(matrix, mm))
    assert found == pytest.approx(matrix, abs=1e-6)


def test_least_squares_find_what_has_no_error() -> None:
    wanted = np.array([3.0, -2.0])
    found = least_squares(
        lambda at: np.array([at[0] - 3, (at[1] + 2) * (1 + at[0] ** 2)]), np.array([10.0, 5.0])
    )
    assert found == pytest.approx(wanted, abs=1e-4)


def test_colours_are_sampled_between_pixels_and_at_the_edge_outside() -> None:
    picture = np.zeros((2, 3, 3), np.uint8)
    picture[:, 1], picture[:, 2] = 100, 200
    places = np.array([[(0.0, 0.0), (1.0, 1.0), (1.5, 0.5), (9.0, 0.0), (-5.0, 1.0)]])
    assert sample_colours(picture, places)[0, :, 0].tolist() == [0, 100, 150, 200, 0]


@pytest.mark.parametrize(
    ("light", "problems"),
    [(DARK - 1, ["too dark"]), (DARK, []), (BRIGHT - 1, []), (BRIGHT, ["too bright"]), (255, ["too bright"])],
)
def test_light_is_judged_on_both_sides_of_its_bounds(light: float, problems: list[str]) -> None:
    picture = np.full((80, 80, 3), light, np.uint8)
    assert [problem.key for problem in light_problems(picture)] == problems


@pytest.mark.parametrize(("share", "problems"), [(0.35, []), (0.45, ["too bright"])])
def test_a_picture_is_too_bright_if_two_fifths_of_it_are(share: float, problems: list[str]) -> None:
    picture = np.full((100, 100, 3), 128, np.uint8)
    picture[: round(100 * share)] = 255
    assert [problem.key for problem in light_problems(picture)] == problems


@pytest.mark.parametrize("side", [1.0, 17.5, 40.0])
@pytest.mark.parametrize("turn", [0.0, 0.7, 3.0])
def test_a_markers_plate_reaches_a_quarter_round_its_code_and_further_below(side: float, turn: float) -> None:
    spin = side * np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    code = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) @ spin + (30, 20)
    plate = np.array([(-0.25, -0.25), (1.25, -0.25), (1.25, 1.85), (-0.25, 1.85)]) @ spin + (30, 20)
    assert np.array(plate_around(tuple(map(tuple, code.tolist())))) == pytest.approx(plate, abs=1e-3)  # type: ignore[arg-type]


def test_a_matrix_that_maps_a_plane_onto_a_line_has_no_inverse() -> None:
    with pytest.raises(np.linalg.LinAlgError):
        inverse(np.diag((1.0, 0.0, 1.0)))
